"""Work on what strangers send is done in processes of its own, with bounds on time and memory.

Whatever a file does to a parser, only that process ends, and whoever asked gets one line. A process waits for its next
work, so that it need not start each time. It runs with less priority than the server, and never holds up raters.
"""

import os
import pickle
import signal
import subprocess
import sys
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from logging import getLogger
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Condition
from typing import Any, ParamSpec, TypeVar, cast

from concordant.about import NAME
from concordant.errors import ConcordantError, InputError
from concordant.progress import Progress, silent

P = ParamSpec("P")
T = TypeVar("T")
MOST, MOST_WORK = 2, 100  # processes at once; pieces of work after which one is replaced
LARGE = 400 << 20  # bytes; a process that has become larger is not kept
GIB = 1 << 30
LOOKS = 0.01  # seconds between two looks at a process
TOLD, MEMORY = ".told", f"{NAME.upper()}_MEMORY"
BEGIN = f"from {__name__} import main; main()"


def memory_bound() -> int:
    """Half of the memory of this computer, at least one and at most eight GiB."""
    try:
        here = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):  # a system that does not say
        here = 4 * GIB
    return max(GIB, min(8 * GIB, here // 2))


@dataclass(frozen=True, kw_only=True)
class Bounds:
    """How long one piece of work may take, and how many bytes its process may fill."""

    seconds: float = 180.0
    memory: int = field(default_factory=memory_bound)


@dataclass
class Worker:
    """A process that works, and where it leaves what came of it."""

    process: "subprocess.Popen[bytes]"
    goal: Path
    n_done: int = 0

    def give(self, work: object) -> None:
        """Hand over a piece of work."""
        assert self.process.stdin is not None
        pickle.dump((work, self.goal), self.process.stdin, protocol=pickle.HIGHEST_PROTOCOL)
        self.process.stdin.flush()

    def size(self) -> int:
        """How many bytes of memory the process fills; 0 where the system does not say."""
        with suppress(OSError, ValueError, IndexError):
            fields = Path(f"/proc/{self.process.pid}/statm").read_text(encoding="ascii").split()
            return int(fields[1]) * os.sysconf("SC_PAGE_SIZE")
        return 0

    def told(self) -> tuple[int, int] | None:
        """How far it says it is."""
        with suppress(OSError, ValueError):
            done, total = self.goal.with_suffix(TOLD).read_text(encoding="ascii").split()
            return int(done), int(total)
        return None

    def end(self) -> None:
        """Kill the process and whatever it began."""
        if self.process.poll() is None:
            with suppress(OSError):
                if hasattr(os, "killpg"):
                    os.killpg(self.process.pid, signal.SIGKILL)
                else:
                    self.process.kill()
        self.process.wait()
        if self.process.stdin is not None:
            with suppress(OSError):
                self.process.stdin.close()
        self.goal.unlink(missing_ok=True)


class Workers:
    """The processes of one server. Work waits while all of them are busy."""

    def __init__(self, bounds: Bounds | None = None) -> None:
        """Nothing is started until there is work."""
        self.bounds = bounds or Bounds()
        self._place: TemporaryDirectory[str] | None = None
        self._idle: list[Worker] = []
        self._busy: list[Worker] = []
        self._n_begun = 0
        self._is_open = True
        self._free = Condition()

    def run(self, work: Callable[P, T], *args: P.args, **options: P.kwargs) -> T:
        """What `work` returns, done elsewhere; it, what it takes and what it returns can be pickled.

        What it refuses is an InputError here too; so is work that takes too long, needs too much, or ends its process.
        """
        return cast(T, self._run((work, args, options, False), self.bounds, silent))

    def run_long(self, work: Callable[..., T], *args: Any, bounds: Bounds, follow: Progress) -> T:
        """The same within other bounds, of work that says how far it is to its `progress`."""
        return cast(T, self._run((work, args, {}, True), bounds, follow))

    def _run(self, work: tuple[Any, ...], bounds: Bounds, follow: Progress) -> Any:
        worker, is_well = self._taken(), False
        try:
            worker.give(work)
            told, found = self._awaited(worker, bounds, follow)
            is_well = True
        except BrokenPipeError:
            raise InputError("the process that was to read this had ended", hint="try again") from None
        finally:
            self._put_back(worker, is_well=is_well)
        if told == "done":
            return found
        if told == "failed":
            getLogger(__package__).error("work on files failed: %s", found)
            raise InputError(f"this could not be read ({found.strip().splitlines()[-1]})", hint="it may be damaged")
        raise InputError(found)

    def close(self) -> None:
        """End all processes, busy ones too."""
        with self._free:
            self._is_open = False
            for worker in [*self._idle, *self._busy]:
                worker.end()
            self._idle.clear()
            if self._place is not None:
                self._place.cleanup()
                self._place = None

    def _awaited(self, worker: Worker, bounds: Bounds, follow: Progress) -> tuple[str, Any]:
        """What a process left behind, in time and within bounds."""
        end = time.monotonic() + bounds.seconds
        while not worker.goal.exists():
            if (code := worker.process.poll()) is not None and not worker.goal.exists():
                raise InputError(ending_of(code), hint="bring a part of it")
            if worker.size() > bounds.memory:
                gib = bounds.memory / GIB
                raise InputError(f"reading this takes more than {gib:.1f} GiB of memory", hint="bring a part of it")
            if time.monotonic() > end:
                said = f"reading this takes longer than {bounds.seconds:.0f} seconds"
                raise InputError(said, hint=f"bring a part of it, or use the command `{NAME}`")
            if (told := worker.told()) is not None:
                follow(*told)
            time.sleep(LOOKS)
        found: tuple[str, Any] = pickle.loads(worker.goal.read_bytes())
        worker.goal.unlink()
        return found

    def _taken(self) -> Worker:
        """A process that waits, or a new one; with as many as there may be, the next that is done."""
        with self._free:
            while self._is_open:
                while self._idle:
                    worker = self._idle.pop()
                    if worker.process.poll() is None:
                        self._busy.append(worker)
                        return worker
                    worker.end()
                if len(self._busy) < MOST:
                    worker = self._begun()
                    self._busy.append(worker)
                    return worker
                self._free.wait()
        raise InputError("the server is stopping", hint="try again")

    def _begun(self) -> Worker:
        self._place = self._place or TemporaryDirectory(prefix=f"{NAME}-work-")
        self._n_begun += 1
        known = [path for path in sys.path if path]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(known), MEMORY: str(self.bounds.memory)}
        process = subprocess.Popen(
            [sys.executable, "-P", "-c", BEGIN],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            env=environment,
            start_new_session=True,
        )
        return Worker(process=process, goal=Path(self._place.name) / str(self._n_begun))

    def _put_back(self, worker: Worker, *, is_well: bool) -> None:
        """Keep a process for the next work, unless it was killed, has grown or has done much."""
        worker.n_done += 1
        with self._free:
            self._busy.remove(worker)
            if is_well and self._is_open and worker.n_done < MOST_WORK and worker.size() < LARGE:
                self._idle.append(worker)
            else:
                worker.end()
            self._free.notify()


def ending_of(code: int) -> str:
    if code in (-signal.SIGABRT, -getattr(signal, "SIGKILL", 9)):
        return "the process that read this ended, perhaps for lack of memory"
    return f"the process that read this ended ({code})"


def main() -> None:
    """Do what comes in, one after the other, until nobody is there any more."""
    bounded(int(os.environ.get(MEMORY, 8 * GIB)))
    while True:
        try:
            (work, args, options, is_told), goal = pickle.load(sys.stdin.buffer)
        except EOFError:
            return
        told = _done(work, args, options | ({"progress": Teller(goal.with_suffix(TOLD))} if is_told else {}))
        goal.with_suffix(TOLD).unlink(missing_ok=True)
        beside = goal.with_name(f"{goal.name}.part")
        beside.write_bytes(told)
        beside.rename(goal)
        del work, args, options, told


def _done(work: Callable[..., Any], args: Any, options: Any) -> bytes:
    """What came of it, or why nothing did."""
    try:
        told = "done", work(*args, **options)
        return pickle.dumps(told, protocol=pickle.HIGHEST_PROTOCOL)
    except ConcordantError as error:
        said = "refused", str(error)
    except MemoryError:
        said = "refused", str(InputError("this does not fit into memory", hint="bring a part of it"))
    except Exception:
        said = "failed", traceback.format_exc()
    return pickle.dumps(said)


@dataclass
class Teller:
    """Says how far the work is, not oftener than somebody looks."""

    place: Path
    last: float = 0.0

    def __call__(self, done: int, total: int) -> None:
        """Take note that `done` of `total` steps are finished."""
        if time.monotonic() > self.last + 0.1:
            self.last = time.monotonic()
            self.place.write_text(f"{done} {total}", encoding="ascii")


def bounded(memory: int) -> None:
    """Less priority than the server; what a process reserves is bounded too, where the system can do that."""
    with suppress(AttributeError, OSError):
        os.nice(5)
    with suppress(ImportError, OSError, ValueError):
        import resource

        most = 3 * memory + 4 * GIB  # what is reserved is never filled whole: threads and libraries reserve much
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
