"""Work that is done elsewhere: what comes back, and what happens to work that does not end, fills memory or dies."""

import os
import time
from collections.abc import Iterator

import pytest

from concordant.errors import InputError, MissingExtra
from concordant.studio.workers import Bounds, Workers, memory_bound


@pytest.fixture(scope="module")
def workers() -> Iterator[Workers]:
    made = Workers()
    yield made
    made.close()


def refusing() -> None:
    raise MissingExtra("reading", "files")


def filling() -> int:
    kept = []
    for _ in range(64):
        kept.append(bytearray(32 << 20))
        time.sleep(0.02)
    return len(kept)


def counting(n: int, progress: object) -> int:
    for done in range(n):
        progress(done, n)  # type: ignore[operator]
        time.sleep(0.15)
    return n


def test_work_is_done_in_a_process_that_is_kept(workers: Workers) -> None:
    first = workers.run(os.getpid)
    assert first != os.getpid()
    assert workers.run(os.getpid) == first
    assert workers.run(max, [3, 1], key=abs) == 3


def test_what_is_refused_is_refused_here_too(workers: Workers) -> None:
    with pytest.raises(InputError, match="needs an optional part"):
        workers.run(refusing)
    with pytest.raises(InputError, match=r"could not be read \(ZeroDivisionError: .*it may be damaged"):
        workers.run(divmod, 1, 0)
    assert workers.run(abs, -1) == 1


def test_work_that_does_not_end_is_killed_and_the_next_is_done() -> None:
    workers = Workers(Bounds(seconds=1.0))
    workers.run(abs, 1)
    begun = time.monotonic()
    with pytest.raises(InputError, match="longer than 1 seconds; bring a part of it"):
        workers.run(time.sleep, 60)
    assert time.monotonic() - begun < 10
    assert workers.run(abs, -1) == 1
    workers.close()
    with pytest.raises(InputError, match="the server is stopping"):
        workers.run(abs, -1)


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="the system does not say how large a process is")
def test_work_that_fills_memory_is_killed() -> None:
    workers = Workers(Bounds(memory=400 << 20))
    with pytest.raises(InputError, match=r"more than 0.4 GiB of memory"):
        workers.run(filling)
    workers.close()


def test_a_process_that_dies_is_one_line(workers: Workers) -> None:
    with pytest.raises(InputError, match=r"the process that read this ended"):
        workers.run(os.abort)
    with pytest.raises(InputError, match=r"ended \(3\)"):
        workers.run(os._exit, 3)
    assert workers.run(abs, -1) == 1


def test_long_work_says_how_far_it_is(workers: Workers) -> None:
    told: list[tuple[int, int]] = []
    assert workers.run_long(counting, 4, bounds=Bounds(), follow=lambda done, total: told.append((done, total))) == 4
    assert {total for _, total in told} == {4}
    assert {done for done, _ in told} > {0}


def test_half_of_the_memory_is_for_a_file() -> None:
    assert 1 << 30 <= memory_bound() <= 8 << 30
