"""kill -9 in mid-load: every acknowledged event is in the log afterwards, none twice."""

import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from concordant.collection.log import Log

APPENDER = """
import sys, threading
from concordant.collection.events import Answered
from concordant.collection.log import Log

log = Log.open(sys.argv[1])
start = int(sys.argv[2])
acknowledged = open(sys.argv[3], "a", buffering=1)

def rater(name):
    for i in range(100_000):
        event = Answered(rater=name, step=start + i, unit="u", question="q", value="yes")
        log.append("s", [event])
        acknowledged.write(event.id + "\\n")
        if i % 7 == 0:
            log.append("s", [event])  # a retry

for n in range(20):
    threading.Thread(target=rater, args=(f"r{n}",)).start()
"""


def appending(url: str, start: int, file: Path) -> "subprocess.Popen[bytes]":
    return subprocess.Popen([sys.executable, "-c", APPENDER, url, str(start), str(file)], env={**os.environ})


def kill_after(process: "subprocess.Popen[bytes]", file: Path, n_lines: int) -> None:
    """Wait until so many events were acknowledged, then kill the process without mercy."""
    deadline = time.monotonic() + 240
    while not file.exists() or file.read_bytes().count(b"\n") < n_lines:
        if process.poll() is not None or time.monotonic() > deadline:
            pytest.fail("the process did not append")
        time.sleep(0.02)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()


def test_nothing_acknowledged_is_lost_and_nothing_is_doubled(url: str, tmp_path: Path) -> None:
    file = tmp_path / "acknowledged"
    for round_ in range(3):
        before = file.read_bytes().count(b"\n") if file.exists() else 0
        kill_after(appending(url, round_ * 100_000, file), file, before + 500)
    acknowledged = {line for line in file.read_text().split("\n")[:-1] if len(line) == 36}
    with Log.open(url) as log:
        stored = Counter(entry.event.id for entry in log.events("s"))
        seqs = [entry.seq for entry in log.events("s")]
        answers = log.answers("s")
        log.rebuild()
        assert log.answers("s") == answers
    assert len(acknowledged) >= 1500
    assert acknowledged <= set(stored)
    assert set(stored.values()) == {1}
    assert seqs == list(range(1, len(seqs) + 1))
