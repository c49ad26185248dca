"""The progress bar: silent when nobody watches or the work is short, wiped when it is done."""

import importlib
import inspect
import io
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from concordant.cli import commands
from concordant.cli.paint import painted
from concordant.cli.screen import Bar
from concordant.design.examples import EXAMPLES
from tests.cli.running import run

DATA = Path(str(EXAMPLES / "data"))


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
    monkeypatch.setattr("concordant.cli.screen.PATIENCE", 0.0)
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
    monkeypatch.setattr("concordant.cli.screen.PATIENCE", 0.0)
    with Bar("measuring") as bar:
        bar(1, 2)
    assert stream.getvalue() == ""


def test_work_that_says_nothing_is_seen_to_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setattr("concordant.cli.screen.PATIENCE", 0.0)
    with Bar("drawing"):
        wait_for(lambda: "drawing … 0 s" in stream.getvalue())
    assert stream.getvalue().endswith("\r\x1b[K")


AT_ONCE = {
    "demo",
    "explain",
    "init",
    "log",
    "researcher",
    "serve",
    "studio",
}  # they wait for people, or have nothing to compute


def test_every_command_that_computes_says_that_it_goes_on() -> None:
    silent = {
        name
        for name in commands()
        if "with Bar(" not in inspect.getsource(importlib.import_module(f"concordant.cli.{name}"))
    }
    assert silent == AT_ONCE


@pytest.mark.parametrize(
    "words",
    [
        ("weights", DATA / "pairs.csv", "--resamples", "50"),
        ("rank", DATA / "responses.csv", "--weights", "core_event=0.6,grammaticality=0.4"),
        ("compare", DATA / "experts.csv", DATA / "classes.csv", "--level", "set"),
        ("recheck", DATA / "published.csv"),
    ],
    ids=lambda words: words[0],
)
def test_no_bar_gets_into_what_is_printed(words: tuple[str | Path, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    plain = run(*words, code=None)
    monkeypatch.setattr("concordant.cli.screen.PATIENCE", 0.0)
    monkeypatch.setattr("concordant.cli.screen.REFRESH", 0.0)
    piped = run(*words, code=None)
    assert (piped.stdout, piped.stderr) == (plain.stdout, plain.stderr)


def wait_for(is_so: Callable[[], bool]) -> None:
    ends = time.monotonic() + 60
    while not is_so():
        assert time.monotonic() < ends
        time.sleep(0.01)


def test_no_color_is_respected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert painted("the same", "good") == "\x1b[32m\x1b[1mthe same\x1b[0m"
    monkeypatch.setenv("NO_COLOR", "1")
    assert painted("the same", "good") == "the same"


def test_no_colour_reaches_a_pipe() -> None:
    done = run("verify", "nonsense|x", "nothing.csv", code=2, environment={"NO_COLOR": ""})
    assert "\x1b" not in done.stdout + done.stderr


def test_many_results_without_a_value_are_one_line(tmp_path: Path) -> None:
    spans = ["text,rater,begin,end,category"]
    spans += [f"t{i},anna,{i % 5},{i % 5 + 3},NP" for i in range(30)]
    (tmp_path / "one.csv").write_text("\n".join(spans))
    said = " ".join(run("measure", tmp_path / "one.csv", "--measure", "gamma").stdout.split())
    assert "all 30 results are undefined" in said
    assert "there is a single rater (anna) in this text" in said
    assert "t7" not in said
    assert "Signatures" not in said
    told = json.loads(run("measure", tmp_path / "one.csv", "--measure", "gamma", "--json").stdout)
    assert len(told["results"]) == 30
    (tmp_path / "two.csv").write_text("\n".join([*spans, "t7,ben,1,4,NP", "t8,ben,3,6,NP"]))
    for more in ((), ("--by", "category")):
        said = run("measure", tmp_path / "two.csv", "--measure", "alpha_u", *more).stdout
        assert "28 of 30 results are undefined" in " ".join(said.split())
        assert "\nt7 " in said
        assert "\nt6 " not in said
