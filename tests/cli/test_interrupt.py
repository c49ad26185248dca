"""Ctrl-C while deeply stacked spans are aligned: a real process, a real terminal, a real signal."""

import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from tests.cli.running import SOURCE

PATIENCE = 90.0
"""Seconds to wait for the bar: the machine may be busy."""

WORKING = r" (3[3-9]|4\d|5\d)%"
"""The bar while the second of three texts is aligned."""


def stacked(text: str, n_units: int, depth: int) -> list[str]:
    """Five raters who marked the same events with errors; every position lies in about `depth` units of each."""
    random = np.random.default_rng([n_units, depth])
    begin = np.sort(random.uniform(5, n_units * 9 / depth, n_units))
    length, category = random.uniform(4, 14, n_units), random.integers(0, 5, n_units)
    rows = []
    for rater in range(5):
        first = np.maximum(0, begin + random.normal(0, 1, n_units))
        last = first + np.maximum(1, length + random.normal(0, 1, n_units))
        marks = zip(first, last, category, random.random(n_units) < 0.9, strict=True)
        rows += [f"{text},r{rater},{b:.3f},{e:.3f},c{c}" for b, e, c, kept in marks if kept]
    return rows


@pytest.fixture
def deep(tmp_path: Path) -> Path:
    """A text that is aligned in a moment, one of 5 x 200 units at depth 8, and one that nobody waits for."""
    file = tmp_path / "deep.csv"
    rows = [*stacked("a_easy", 12, 1), *stacked("b_deep", 200, 8), *stacked("c_later", 12, 1)]
    file.write_text("\n".join(["text,rater,begin,end,category", *rows]) + "\n")
    return file


class Ended(NamedTuple):
    """What is left of an interrupted process."""

    code: int
    seconds: float
    output: str
    errors: str


def interrupt(when: str, *arguments: object) -> Ended:
    """Run a command, press Ctrl-C once when the bar shows `when` (a pattern), and wait for the end."""
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "concordant", *map(str, arguments)]
    environment = {**os.environ, "PYTHONPATH": str(SOURCE)}
    with tempfile.TemporaryFile() as output:  # a pipe that nobody reads would hold up a process that ends too early
        process = subprocess.Popen(command, stdout=output, stderr=theirs, env=environment)
        os.close(theirs)
        try:
            shown = _read_until(when, ours)
            time.sleep(1.0)
            process.send_signal(signal.SIGINT)
            pressed = time.monotonic()
            code = process.wait(timeout=PATIENCE)
        finally:
            process.kill()
            process.wait()
        seconds = time.monotonic() - pressed
        output.seek(0)
        said = output.read().decode()
    shown += _rest(ours)
    os.close(ours)
    return Ended(code, seconds, said, shown)


def _read_until(pattern: str, terminal: int) -> str:
    """What is written to a terminal until it shows the pattern."""
    shown, ends = "", time.monotonic() + PATIENCE
    while not re.search(pattern, shown):
        is_ready, _, _ = select.select([terminal], [], [], max(ends - time.monotonic(), 0))
        assert is_ready, shown[-200:]
        shown += os.read(terminal, 4096).decode(errors="replace")
    return shown


def _rest(terminal: int) -> str:
    """What else was written to a terminal that nobody writes to any more."""
    shown = ""
    try:
        while part := os.read(terminal, 4096).decode(errors="replace"):
            shown += part
    except OSError:
        pass
    return shown


SOON = 30
"""Seconds, on a busy machine; left alone each of the commands takes minutes."""


def check(ended: Ended) -> None:
    assert ended.code == 130
    assert ended.seconds < SOON
    assert "Traceback" not in ended.errors
    assert "concordant: interrupted" in ended.errors


def test_an_alignment_that_is_ended_keeps_the_best_found_so_far(deep: Path) -> None:
    ended = interrupt(WORKING, "align", deep, "--json")
    check(ended)
    found: dict[str, Any] = json.loads(ended.output)
    easy, stopped = found["alignments"]
    assert easy["least_disorder"] == easy["disorder"]
    assert 0 < stopped["least_disorder"] < stopped["disorder"] < 1
    units = [unit for row in stopped["unitary_alignments"] for unit in row["units"].values() if unit]
    assert len(units) == sum(line.startswith("b_deep") for line in deep.read_text().splitlines())
    assert any("b_deep: interrupted" in note for note in found["notes"])
    assert "interrupted: 1 of 3 texts were not aligned" in found["notes"]


def test_a_file_is_written_with_what_is_done(deep: Path, tmp_path: Path) -> None:
    ended = interrupt(WORKING, "align", deep, "-o", tmp_path / "alignment.csv")
    check(ended)
    texts = {line.split(",")[0] for line in (tmp_path / "alignment.csv").read_text().splitlines()[1:]}
    assert texts == {"a_easy", "b_deep"}


def test_gamma_keeps_the_texts_done_and_the_bounds_of_the_one_it_was_at(deep: Path) -> None:
    ended = interrupt(WORKING, "measure", deep, "--measure", "gamma", "--seed", 1, "--samples", 30, "--json")
    check(ended)
    easy, stopped = json.loads(ended.output)["results"]
    assert easy["value"] > 0.5
    assert easy["signature"]
    low, high = stopped["details"]["observed_between"]
    assert 0 < low < high
    assert "the observed disorder is between" in stopped["reason"]
    assert stopped["signature"] == ""
    assert "interrupted: 1 of 3 texts were not measured" in stopped["notes"]


@pytest.mark.parametrize("workers", [1, 2])
def test_gamma_keeps_the_samples_done(tmp_path: Path, workers: int) -> None:
    file = tmp_path / "middling.csv"
    file.write_text("\n".join(["text,rater,begin,end,category", *stacked("text", 40, 2)]) + "\n")
    chosen = ("--measure", "gamma", "--seed", 1, "--samples", 1_000, "--workers", workers, "--json")
    ended = interrupt(r"%  [2-9]\d* s, about", "measure", file, *chosen)
    check(ended)
    result = json.loads(ended.output)["results"][0]
    drawn = result["details"]["n_samples"]
    assert 2 <= drawn < 1_000
    assert f"interrupted: only {drawn} samples were drawn" in result["notes"]
    again = subprocess.run(
        [sys.executable, "-m", "concordant", "verify", result["signature"], str(file)],
        env={**os.environ, "PYTHONPATH": str(SOURCE)},
        check=False,
    )
    assert again.returncode == 0
