"""The disagreement explorer and deciding disputed units as plain functions."""

from dataclasses import replace

import pytest

from concordant.collection.disputes import Filter
from concordant.collection.events import Answered
from concordant.errors import InputError
from concordant.studio.disagreements import (
    causes,
    check_filter,
    decide,
    docket,
    explore,
    given_answers,
    legends,
    look,
    queue,
)
from concordant.studio.live import Snapshot
from concordant.studio.people import MemberPlace
from concordant.studio.projects import NotFoundError


def test_units_on_which_raters_differ(sample: MemberPlace) -> None:
    found, choices = explore(sample, Filter())
    assert [entry.unit.id for entry in found] == ["u1", "u2"]
    shares = [(one.tone, one.label, one.n, one.width) for one in found[0].shares]
    assert shares == [("c1", "Yes", 1, 50.0), ("c2", "No", 1, 50.0)]
    [(colours, names)] = legends(found).items()
    assert ([one.label for one in colours], names) == (["Yes", "No"], [found[0].question.title])
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
    waiting = queue(sample)
    answers = given_answers(sample, waiting.snapshot, waiting.cases[0])
    assert [(one.label, one.value, one.n) for one in answers] == [("No", "no", 1), ("Yes", "yes", 1)]


def test_what_is_no_answer_is_not_stored(changing: MemberPlace) -> None:
    with pytest.raises(InputError, match="nothing was stored"):
        decide(changing, "u1", "binary", "maybe")
    with pytest.raises(InputError, match="not complete; nothing was stored"):
        decide(changing, "u1", "binary", None)
    with pytest.raises(NotFoundError, match="nobody has answered"):
        decide(changing, "u1", "other", "yes")
    assert changing.decisions() == []


def test_a_second_opinion_is_asked_for_what_another_has_decided(changing: MemberPlace) -> None:
    first, second = queue(changing).cases[:2]
    assert (queue(changing, second=True).cases, docket(changing, "", "").last) == ([], None)
    decide(changing, *first.place, "yes", cause="slip")
    other = replace(changing, who="olga")
    waiting = queue(other, second=True)
    assert ([case.place for case in waiting.cases], queue(other).n_second) == ([first.place], 1)
    shown = docket(other, "", "", second=True)
    assert (shown.case, shown.skip, shown.back, shown.last) == (first, 1, 0, None)
    assert shown.tones == {"yes": "c1", "no": "c2"}
    decide(other, *first.place, "no")
    assert queue(other, second=True).cases == []
    assert docket(other, "", "").last == first.place
    [opinion] = causes(changing).opinions
    assert (opinion.n, opinion.n_same) == (1, 0)
    assert docket(changing, *second.place).case == second


def test_one_goes_through_cases_in_both_directions(sample: MemberPlace) -> None:
    n = len(queue(sample).cases)
    places = [docket(sample, "", "", skip=skip) for skip in range(n)]
    assert [one.back for one in places] == [(at - 1) % n for at in range(n)]
    assert [one.skip for one in places] == [at + 1 for at in range(n)]


def test_the_list_looks_at_the_answers_once(sample: MemberPlace, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many cases there are: reading the log again for each took a list of a thousand twelve seconds."""
    times: list[MemberPlace] = []
    latest = MemberPlace.latest

    def counted(place: MemberPlace) -> Snapshot:
        times.append(place)
        return latest(place)

    monkeypatch.setattr(MemberPlace, "latest", counted)
    found, _ = explore(sample, Filter())
    assert len(found) > 1
    assert len(times) == 1
