"""Files of reports: by their ending, whole or not at all, from studies and from judgements."""

from pathlib import Path
from typing import Any, cast

import pytest

import assent
from assent.errors import InputError
from assent.model.judgements import Judgements
from assent.report.writing import as_study, write_report

DATA = Judgements.from_matrix([[1, 1, 2], [2, 2, 2], [3, 1, 3], [1, 1, 1]], level="ordinal", raters=["A", "B", "C"])


@pytest.mark.parametrize(
    ("ending", "start"), [(".html", b"<!doctype html>"), (".xlsx", b"PK"), (".tex", b"\\doc"), (".md", b"# ")]
)
def test_the_ending_chooses_the_format(tmp_path: Path, ending: str, start: bytes) -> None:
    goal = tmp_path / f"report{ending}"
    assent.report(DATA, goal, resamples=20)
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

    monkeypatch.setattr("assent.report.markdown.render", stop)
    with pytest.raises(KeyboardInterrupt):
        write_report(DATA, goal, resamples=20)
    assert goal.read_text() == "old"
    assert list(tmp_path.iterdir()) == [goal]


def test_judgements_and_study_give_the_same_numbers() -> None:
    study = as_study(DATA)
    again = study.judgements()
    assert again.raters == DATA.raters
    assert again.scale.level == DATA.scale.level
    assert assent.measure(again, "alpha", ci="none").value == assent.measure(DATA, "alpha", ci="none").value


def test_other_data_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="a study or judgements are needed, not list"):
        write_report(cast(Any, [[1, 2]]), tmp_path / "x.html")
