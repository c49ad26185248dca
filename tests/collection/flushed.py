"""A disk that loses whatever was not flushed: what a program wrote, seen by strace, and the files that a loss of power leaves."""

import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

CALL = re.compile(r"^\d+ +(\w+)\((.*)\) += (-?\d+)")
FILE = re.compile(r"^\d+<([^>]*)>")
TEXT = re.compile(r'"((?:\\x[0-9a-f]{2})*)"')


@dataclass(frozen=True)
class Did:
    """One call of the program: `write` (of data at a place), `cut` (to a length), `flush`, `remove`, or `say`."""

    what: str
    file: str
    place: int = 0
    data: bytes = b""


def watched(program: str, folder: Path, *words: str) -> list[Did]:
    """Run a program and see what it writes below a folder, flushes and says, in order."""
    if shutil.which("strace") is None:
        pytest.skip("strace is not installed")
    trace = folder / "trace"
    calls = "trace=write,pwrite64,ftruncate,fsync,fdatasync,unlink,unlinkat"
    command = [
        "strace",
        "-f",
        "-y",
        "-xx",
        "-s",
        "1000000",
        "-e",
        calls,
        "-o",
        str(trace),
        sys.executable,
        "-c",
        program,
    ]
    done = subprocess.run([*command, *words], capture_output=True, text=True, cwd=folder)
    if "ptrace" in done.stderr and "not permitted" in done.stderr:
        pytest.skip("this machine lets nobody watch a program (ptrace)")
    assert done.returncode == 0, done.stderr
    return [did for line in joined(trace.read_text("latin-1").splitlines()) if (did := read(line, str(folder)))]


def joined(lines: Sequence[str]) -> list[str]:
    """Calls that another thread came between are written in two halves; they count when they end."""
    begun: dict[str, str] = {}
    whole = []
    for line in lines:
        thread = line.split(" ", 1)[0]
        if line.endswith("<unfinished ...>"):
            begun[thread] = line.removesuffix("<unfinished ...>").rstrip()
        elif "resumed>" in line:
            whole.append(begun.pop(thread) + line.split("resumed>", 1)[1])
        else:
            whole.append(line)
    return whole


def read(line: str, folder: str) -> Did | None:
    """A line of the trace; None where it is not about a file of the folder or standard output."""
    found = CALL.match(line)
    if found is None or int(found[3]) < 0:
        return None
    of = FILE.match(found[2])
    name = unescaped(of[1]).decode() if of else ""
    text = TEXT.search(found[2])
    data = unescaped(text[1]) if text else b""
    if found[1] == "write" and found[2].startswith("1<"):
        return Did("say", "", data=data)
    if found[1] in {"unlink", "unlinkat"}:
        return Did("remove", data.decode()) if data.decode().startswith(folder) else None
    if not name.startswith(folder):
        return None
    if found[1] in {"fsync", "fdatasync"}:
        return Did("flush", name)
    place = int(found[2].rsplit(",", 1)[1]) if found[1] in {"pwrite64", "ftruncate"} else 0
    return Did("cut" if found[1] == "ftruncate" else "write", name, place, data)


def unescaped(text: str) -> bytes:
    """The bytes that strace writes as \\x00; paths may be written plainly."""
    return bytes.fromhex(text.replace("\\x", "")) if text.startswith("\\x") else text.encode()


def left_on_disk(done: Sequence[Did], goal: Path, *, n_late: int = 0) -> None:
    """Write the files as a loss of power after these calls leaves them: what was flushed, and of what came later the
    first `n_late` writes, the last of them only half."""
    files: dict[str, bytearray] = {}
    waiting: dict[str, list[Did]] = {}
    removed: list[str] = []
    for one in done:
        if one.what in {"write", "cut"}:
            waiting.setdefault(one.file, []).append(one)
        elif one.what == "remove":
            removed.append(one.file)
        elif one.what == "flush":
            for name in [name for name in removed if str(Path(name).parent) == one.file]:  # a folder is flushed
                files.pop(name, None)
                removed.remove(name)
            for late in waiting.pop(one.file, ()):
                put(files.setdefault(one.file, bytearray()), late, len(late.data))
    for late in [late for held in waiting.values() for late in held][:n_late]:
        put(files.setdefault(late.file, bytearray()), late, len(late.data) // 2)
    goal.mkdir()
    for name, content in files.items():
        (goal / Path(name).name).write_bytes(content)


def put(content: bytearray, did: Did, n: int) -> None:
    """Do what a call did, with the first bytes of its data."""
    if did.what == "cut":
        del content[did.place :]
        return
    content.extend(b"\0" * (did.place + n - len(content)))
    content[did.place : did.place + n] = did.data[:n]
