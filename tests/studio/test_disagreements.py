"""The disagreement explorer and deciding disputed units as plain functions."""

import pytest

from concordant.collection.disputes import Filter
from concordant.collection.events import Answered
from concordant.errors import InputError
from concordant.studio.disagreements import check_filter, decide, explore, given_answers, look, queue
from concordant.studio.people import MemberPlace
from concordant.studio.projects import NotFoundError


def test_units_on_which_raters_differ(sample: MemberPlace) -> None:
    found, choices = explore(sample, Filter())
    assert [entry.unit.id for entry in found] == ["u1", "u2"]
    assert found[0].shares == [("No", 1, 50.0), ("Yes", 1, 50.0)]
    assert (choices.answers, choices.raters) == (["no", "yes"], ["Ada", "Ben"])
    assert choices.attributes == ["kind=odd", "kind=even"]
    odd, _ = explore(sample, Filter(attribute="kind", value="odd"))
    assert [entry.unit.id for entry in odd] == ["u1"]


@pytest.mark.parametrize("asked", [Filter(question="x"), Filter(rater="x"), Filter(attribute="x", value="y")])
def test_a_name_that_does_not_occur_is_refused(sample: MemberPlace, asked: Filter) -> None:
    with pytest.raises(NotFoundError, match="there is no such"):
        check_filter(sample, asked)
    with pytest.raises(InputError, match="name the attribute too"):
        check_filter(sample, Filter(value="y"))


def test_one_unit_with_all_that_was_said(changing: MemberPlace) -> None:
    log = changing.studio.log
    step = next(one.step for one in log.answers("sample", "Ada") if one.value == "no" and one.question == "binary")
    unit = next(
        event.unit
        for one in log.events("sample", "Ada")
        if isinstance(event := one.event, Answered) and event.step == step
    )
    log.append("sample", [Answered(rater="Ada", step=step, unit=unit, question="binary", value="yes")])
    looked = look(changing, unit, "binary", with_names=True)
    ada = next(voice for voice in looked.voices if voice.name == "Ada")
    assert (ada.label, ada.changes) == ("Yes", ("No", "Yes"))
    assert {voice.name for voice in look(changing, unit, "binary", with_names=False).voices} == {"Rater 1", "Rater 2"}
    with pytest.raises(NotFoundError, match="nobody has answered"):
        look(changing, "nothing", "binary", with_names=False)


def test_what_is_decided_leaves_the_queue(changing: MemberPlace) -> None:
    before = queue(changing)
    assert ([case.unit for case in before.cases], before.n_decided) == (["u1", "u2"], 0)
    assert len(queue(changing, everything=True).cases) == 8
    made = decide(changing, "u1", "binary", "yes", seen=10**6)
    assert (made.adjudicator, made.seen) == (changing.who, before.snapshot.seq)
    after = queue(changing)
    assert ([case.unit for case in after.cases], after.n_decided) == (["u2"], 1)
    assert [one.id for one in look(changing, "u1", "binary", with_names=False).decisions] == [made.id]


def test_one_made_on_fewer_answers_comes_back(changing: MemberPlace) -> None:
    decide(changing, "u1", "binary", "yes", seen=0)
    assert "u1" in [case.unit for case in queue(changing).cases]


def test_answers_are_told_without_names(sample: MemberPlace) -> None:
    answers = given_answers(sample, queue(sample).cases[0])
    assert [(one.label, one.value, one.n) for one in answers] == [("No", "no", 1), ("Yes", "yes", 1)]


def test_what_is_no_answer_is_not_stored(changing: MemberPlace) -> None:
    with pytest.raises(InputError, match="nothing was stored"):
        decide(changing, "u1", "binary", "maybe")
    with pytest.raises(InputError, match="not complete; nothing was stored"):
        decide(changing, "u1", "binary", None)
    with pytest.raises(NotFoundError, match="nobody has answered"):
        decide(changing, "u1", "other", "yes")
    assert changing.decisions() == []
