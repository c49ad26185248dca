"""The studies of a house: read from folders, listed for their members, made anew from a form."""

from pathlib import Path
from typing import Any

import pytest

from concordant.errors import InputError
from concordant.studio.projects import (
    Draft,
    DraftQuestion,
    Studio,
    cards,
    default_database,
    home_in,
    load,
    made,
    make_study,
    offered,
    studies_of,
)
from tests.web.members import ADJUDICATOR, RESEARCHER, STRANGER

DRAFT = Draft(title="Mine", name="mine", questions=(DraftQuestion(ask="Is it?"),), units="one\ntwo")


def test_everybody_sees_their_studies(filled: Studio) -> None:
    def seen(who: str) -> list[tuple[str, str]]:
        return sorted((study.description.name, role) for study, role in studies_of(filled, who))

    assert seen(RESEARCHER) == [("preferences", "researcher"), ("sample", "researcher")]
    assert seen(ADJUDICATOR) == [("preferences", "adjudicator"), ("sample", "adjudicator")]
    assert seen(STRANGER) == [("other", "researcher")]


def test_cards_tell_adjudicators_nothing_of_the_answers(filled: Studio) -> None:
    (card,) = [one for one in cards(filled, RESEARCHER) if one.study.description.name == "sample"]
    assert (card.state, card.path, len(card.headlines)) == ("collecting", "/studies/sample", 1)
    (blind,) = [one for one in cards(filled, ADJUDICATOR) if one.study.description.name == "sample"]
    assert (blind.state, blind.snapshot, blind.headlines) == ("", None, [])
    assert blind.path == "/studies/sample"


def test_a_study_that_is_made_is_there_at_once_and_for_other_processes(studio: Studio) -> None:
    study = made(studio, STRANGER, DRAFT)
    assert studio.membership.role("mine", STRANGER) == "researcher"
    assert study.description.title == "Mine"
    other = Studio(studio.log, {}, home=studio.home)
    assert [one.description.name for one in other.look_around()] == ["mine"]
    assert other.study("../mine") is None
    other.live.close()


def test_none_can_be_made_without_a_home(studio: Studio) -> None:
    studio.home = None
    with pytest.raises(InputError, match="cannot be made on this server"):
        made(studio, STRANGER, DRAFT)


def test_a_folder_of_studies_stands_for_all_in_it(studio: Studio) -> None:
    made(studio, STRANGER, DRAFT)
    assert studio.home is not None
    assert list(load([studio.home])) == ["mine"]
    assert home_in([studio.home / "mine"]) is None
    assert default_database({}, studio.home).startswith("sqlite")
    with pytest.raises(InputError, match="two studies are called 'mine'"):
        load([studio.home / "mine", studio.home / "mine"])
    with pytest.raises(InputError, match="several studies need one database"):
        default_database(load([studio.home]) | {"other": studio.studies["sample"]})


def test_a_study_beside_which_nothing_is_named_keeps_its_own_database(studio: Studio) -> None:
    made(studio, STRANGER, DRAFT)
    assert studio.home is not None
    folder: Path = studio.home / "mine"
    assert str(folder) in default_database(load([folder]))


TWO = (
    DraftQuestion(ask="Is it grammatical?", name="Grammar"),
    DraftQuestion(ask="How natural is it?", task="ordinal", options="1\n2\n3"),
)


def draft(**more: Any) -> Draft:
    values: dict[str, Any] = {"title": "A study", "name": "a-study", "units": "one\ntwo", "questions": TWO, **more}
    return Draft(**values)


def test_a_study_with_several_questions(tmp_path: Path) -> None:
    made = make_study(tmp_path, draft(passes=False, is_open=True), taken=set()).description
    assert [(one.id, one.title, one.task) for one in made.questions] == [
        ("grammar", "Grammar", "binary"),
        ("q2", "", "ordinal"),
    ]
    assert [option.value for option in made.questions[1].options] == ["1", "2", "3"]
    assert (made.presentation.passes, made.is_open) == (False, True)


@pytest.mark.parametrize("task", sorted(offered()))
def test_every_kind_of_question_can_be_made(tmp_path: Path, task: str) -> None:
    question = DraftQuestion(ask="What?", task=task, options="PER\nLOC")
    made = make_study(tmp_path, draft(questions=(question,)), taken=set()).description
    assert made.questions[0].task == task


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ({"name": "A study"}, "cannot be part of an address"),
        ({"name": "taken"}, "already a study"),
        ({"questions": ()}, "a question"),
        ({"questions": (DraftQuestion(ask="?", task="guess"),)}, "no task 'guess'"),
        ({"questions": (DraftQuestion(ask="?", task="categorical"),)}, "nothing to choose"),
        ({"questions": (DraftQuestion(name="form"),)}, "question 1 has no words"),
        ({"units": "id,text\n1,one\n1,two"}, "1"),
        ({"questions": (TWO[0], TWO[0])}, "grammar"),
    ],
)
def test_what_is_refused_leaves_nothing_behind(tmp_path: Path, more: dict[str, object], says: str) -> None:
    with pytest.raises(InputError, match=says):
        make_study(tmp_path, draft(**more), taken={"taken"})
    assert list(tmp_path.iterdir()) == []
