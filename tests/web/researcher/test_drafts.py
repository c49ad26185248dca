"""Studies made in the browser: several questions of different kinds, and what is refused."""

from pathlib import Path
from typing import Any

import pytest

from assent.design.description import Task
from assent.errors import InputError
from assent.web.researcher.drafts import Draft, DraftQuestion, make_study

TWO = (
    DraftQuestion(ask="Is it grammatical?", name="Grammar"),
    DraftQuestion(ask="How natural is it?", task=Task.ORDINAL, options="1\n2\n3"),
)


def draft(**more: Any) -> Draft:
    values: dict[str, Any] = {"title": "A study", "name": "a-study", "units": "one\ntwo", "questions": TWO, **more}
    return Draft(**values)


def test_a_study_with_several_questions(tmp_path: Path) -> None:
    made = make_study(tmp_path, draft(passes=False, is_open=True), taken=set()).description
    assert [(one.id, one.title, one.task) for one in made.questions] == [
        ("grammar", "Grammar", Task.BINARY),
        ("q2", "", Task.ORDINAL),
    ]
    assert [option.value for option in made.questions[1].options] == ["1", "2", "3"]
    assert (made.presentation.passes, made.is_open) == (False, True)


@pytest.mark.parametrize("task", [Task.SLIDER, Task.SPANS, Task.TEXT, Task.MULTILABEL])
def test_every_kind_of_question_can_be_made(tmp_path: Path, task: Task) -> None:
    question = DraftQuestion(ask="What?", task=task, options="PER\nLOC")
    made = make_study(tmp_path, draft(questions=(question,)), taken=set()).description
    assert made.questions[0].task is task


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ({"name": "A study"}, "cannot be part of an address"),
        ({"name": "taken"}, "already a study"),
        ({"questions": ()}, "a question"),
        ({"questions": (DraftQuestion(ask="?", task="guess"),)}, "no task 'guess'"),
        ({"questions": (DraftQuestion(ask="?", task=Task.CATEGORICAL),)}, "nothing to choose"),
        ({"questions": (DraftQuestion(name="form"),)}, "question 1 has no words"),
        ({"units": "id,text\n1,one\n1,two"}, "1"),
        ({"questions": (TWO[0], TWO[0])}, "grammar"),
    ],
)
def test_what_is_refused_leaves_nothing_behind(tmp_path: Path, more: dict[str, object], says: str) -> None:
    with pytest.raises(InputError, match=says):
        make_study(tmp_path, draft(**more), taken={"taken"})
    assert list(tmp_path.iterdir()) == []
