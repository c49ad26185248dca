"""The progress bar: silent when nobody watches or the work is short, wiped when it is done."""

import io
import sys

import pytest

from assent.cli import progress
from assent.cli.progress import Bar


class Terminal(io.StringIO):
    """A stream that says somebody watches."""

    def isatty(self) -> bool:
        return True


def test_nothing_is_drawn_for_short_work(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    with Bar("measuring") as bar:
        bar(1, 2)
    assert stream.getvalue() == ""


def test_long_work_is_drawn_and_wiped(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setattr(progress, "PATIENCE", 0.0)
    with Bar("measuring") as bar:
        bar(0, 2)
        bar.drawn = 0.0
        bar(1, 2)
    assert "measuring ███" in stream.getvalue()
    assert " 50%" in stream.getvalue()
    assert stream.getvalue().endswith("\r\x1b[K")


def test_nothing_is_drawn_into_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.StringIO()
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setattr(progress, "PATIENCE", 0.0)
    with Bar("measuring") as bar:
        bar(1, 2)
    assert stream.getvalue() == ""
