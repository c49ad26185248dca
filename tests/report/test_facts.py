"""Files of reports: by their ending, whole or not at all, from studies and from judgements."""

import sys
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

import concordant
from concordant.errors import InputError, MissingExtra
from concordant.model.judgements import Judgements
from concordant.readers.data import as_study
from concordant.report.facts import write_report
from concordant.report.formats import html

DATA = Judgements.from_matrix([[1, 1, 2], [2, 2, 2], [3, 1, 3], [1, 1, 1]], level="ordinal", raters=["A", "B", "C"])


@pytest.mark.parametrize(
    ("ending", "start"), [(".html", b"<!doctype html>"), (".xlsx", b"PK"), (".tex", b"\\doc"), (".md", b"# ")]
)
def test_the_ending_chooses_the_format(tmp_path: Path, ending: str, start: bytes) -> None:
    goal = tmp_path / f"report{ending}"
    concordant.report(DATA, goal, resamples=20)
    assert goal.read_bytes().lstrip().startswith(start)
    assert list(tmp_path.iterdir()) == [goal]


@pytest.mark.parametrize(("name", "complaint"), [
    ("report.docx", "a report ends in .html, .xlsx, .tex, .md, not '.docx'"),
    ("report", "a report ends in .html, .xlsx, .tex, .md, not ''"),
    ("nowhere/report.html", "there is no such folder"),
])  # fmt: skip
def test_bad_goals_are_one_line(tmp_path: Path, name: str, complaint: str) -> None:
    with pytest.raises(InputError) as caught:
        write_report(DATA, tmp_path / name)
    assert complaint in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_directory_is_no_goal(tmp_path: Path) -> None:
    (tmp_path / "x.html").mkdir()
    with pytest.raises(InputError, match="this is a directory"):
        write_report(DATA, tmp_path / "x.html")


def test_an_interrupted_report_leaves_the_old_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    goal = tmp_path / "report.md"
    goal.write_text("old")

    def stop(*_: Any) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr("pathlib.Path.write_bytes", stop)
    with pytest.raises(KeyboardInterrupt):
        write_report(DATA, goal, resamples=20)
    assert goal.read_text() == "old"
    assert list(tmp_path.iterdir()) == [goal]


def test_judgements_and_study_give_the_same_numbers() -> None:
    study = as_study(DATA)
    again = study.judgements()
    assert again.raters == DATA.raters
    assert again.scale.level == DATA.scale.level
    assert concordant.measure(again, "alpha", ci="none").value == concordant.measure(DATA, "alpha", ci="none").value


def test_other_data_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="int is nothing that can be read"):
        write_report(7, tmp_path / "x.html")


def test_a_report_is_made_of_whatever_holds_judgements(tmp_path: Path) -> None:
    columns = {"item": ["a", "a", "b", "b"], "who": ["x", "y"] * 2, "label": ["p", "p", "q", "p"]}
    made = write_report(columns, tmp_path / "x.md", unit="item", rater="who", value="label", title="Mine")
    assert made.title == "Mine"
    assert "4 judgements" in (tmp_path / "x.md").read_text("utf-8")


def test_an_option_that_the_report_does_not_have_is_refused_with_those_it_has() -> None:
    spans = concordant.read(str(files("concordant") / "examples" / "data" / "spans.csv"))
    with pytest.raises(InputError, match=r"has no option 'trust_raters'; it has measure, by"):
        write_report(spans, trust_raters=True)


@pytest.mark.parametrize(
    ("ending", "absent"), [("html", ("jinja2", "markupsafe")), ("xlsx", ("xlsxwriter",)), ("html", ("matplotlib",))]
)
def test_without_the_optional_part_one_line_says_what_to_install(
    ending: str, absent: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    html._template.cache_clear()
    for name in absent:
        monkeypatch.setitem(sys.modules, name, None)
    if "matplotlib" in absent:  # a report goes on without its pictures, and says so
        made = write_report(DATA, tmp_path / f"x.{ending}")
        assert "drawing needs an optional part" in str(made.sections)
        return
    with pytest.raises(MissingExtra, match=r"needs an optional part: pip install"):
        write_report(DATA, tmp_path / f"x.{ending}")
    assert not list(tmp_path.iterdir())
