"""A number that is typed in: its limits, its words, and how it is told."""

from pathlib import Path

import pytest

from concordant.design.study_file import problems, read
from concordant.model.scale import Level
from concordant.tasks.kind import as_text, kind_of, problem
from concordant.tasks.question import Question, Unit

UNIT = Unit(id="u", item="u")
STUDY = """
name = "ages"
title = "Ages"
open = true
[units]
file = "units.csv"
text = "text"
[[questions]]
id = "age"
task = "number"
ask = "How old?"
"""


def study(folder: Path, more: str) -> Path:
    (folder / "study.toml").write_text(STUDY + more, encoding="utf-8")
    (folder / "units.csv").write_text("id,text\nu1,A tree.\n", encoding="utf-8")
    return folder


def test_limits_and_words_come_from_the_study_file(tmp_path: Path) -> None:
    question = read(study(tmp_path, 'low = 0\nhigh = 120\nunit_label = "years"\n')).questions[0]
    assert (question.low, question.high, question.more) == (0, 120, {"unit_label": "years"})
    assert kind_of(question).level is Level.INTERVAL
    assert read(study(tmp_path, "")).questions[0].more == {"unit_label": ""}


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ("low = 3\nhigh = 3\n", "low must be less than high; swap them"),
        ("step = 1\n", "'step' means nothing for the task number; it is for slider"),
        ("unit_label = 3\n", "unit_label: expected a text, found 3"),
    ],
)
def test_what_makes_no_sense_is_refused(tmp_path: Path, more: str, said: str) -> None:
    assert [str(one).partition(": ")[2] for one in problems(study(tmp_path, more))] == [said]


@pytest.mark.parametrize(
    ("low", "high", "value", "said"),
    [
        (0, None, -1, "expected a number from 0"),
        (None, 5, 5.5, "expected a number up to 5"),
        (0, 5, 6, "expected a number from 0 to 5"),
        (None, None, float("inf"), "expected a number"),
        (None, None, -1e9, None),
    ],
)
def test_a_number_out_of_the_range_is_refused(
    low: float | None, high: float | None, value: float, said: str | None
) -> None:
    question = Question(id="age", task="number", ask="?", low=low, high=high)
    assert problem(question, UNIT, value) == said


def test_it_is_written_without_a_needless_point_and_read_back() -> None:
    question = Question(id="age", task="number", ask="?")
    assert as_text(question, 12.0) == "12"
    assert kind_of(question).parse(question, "12.5") == 12.5
    with pytest.raises(ValueError, match="many"):
        kind_of(question).parse(question, "many")
