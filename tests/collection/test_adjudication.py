"""Decisions: kept beside the answers, revised by later ones, reopened by answers that come after them."""

from collections.abc import Sequence

from assent.collection.adjudication import Adjudication, Decision
from assent.collection.decided import decision_tables
from assent.collection.disputes import Case, Filter, cases_of, to_decide
from assent.collection.events import Answered, new_id
from assent.collection.following import Following
from assent.collection.log import Log
from assent.collection.session import Study
from assent.design.description import Task
from assent.design.ordering import Step
from tests.collection.playing import planned, play
from tests.design.samples import study


def followed(log: Log, sample: Study) -> tuple[Following, list[Case]]:
    following = Following(log, sample)
    following.update()
    return following, cases_of(sample.description, following.raters.values())


def test_a_decision_holds_until_another_or_until_answers_change(log: Log) -> None:
    sample = planned(study(n_units=12))
    for rater in ("A1", "A2"):
        play(log, sample, rater)
    following, cases = followed(log, sample)
    disputed = [case for case in cases if case.is_disputed]
    assert disputed
    first = disputed[0]
    adjudication = Adjudication(log)
    made = Decision(unit=first.unit, question="binary", value="yes", adjudicator="Eva", seen=following.seq, id=new_id())
    adjudication.decide("sample", made)
    adjudication.decide("sample", made)
    assert [one.value for one in adjudication.history("sample")] == ["yes"]
    assert first.place not in [case.place for case in to_decide(cases, adjudication.current("sample"))]

    adjudication.decide(
        "sample", Decision(unit=first.unit, question="binary", value="no", adjudicator="Eva", seen=following.seq)
    )
    assert adjudication.current("sample")[first.place].value == "no"
    table = decision_tables(sample, adjudication.history("sample"))[0]
    assert [row[-1] for row in table.rows] == ["no", "yes"]

    step = next(s for s in _steps(following, "A1") if s.unit == first.unit)
    log.append("sample", [Answered(rater="A1", step=step.number, unit=first.unit, question="binary", value="no")])
    following.update()
    again = cases_of(sample.description, following.raters.values())
    decided = adjudication.current("sample")
    case = next(case for case in again if case.place == first.place)
    assert (case in to_decide(again, decided)) == case.is_disputed
    assert case in to_decide(again, decided, everything=True)


def _steps(following: Following, rater: str) -> Sequence[Step]:
    """The steps of a private state."""
    return following._states[rater].steps


def test_the_most_disputed_come_first_and_filters_hold(log: Log) -> None:
    sample = planned(study(n_units=10, tasks=(Task.BINARY, Task.CATEGORICAL), raters=(), is_open=True))
    for rater in ("p1", "p2", "p3"):
        play(log, sample, rater)
    _, cases = followed(log, sample)
    assert [case.entropy for case in cases] == sorted((case.entropy for case in cases), reverse=True)
    assert all(case.entropy == 0 for case in cases if not case.is_disputed)
    found = [case for case in cases if Filter(question="categorical", answers=("a", "b")).takes(case, {})]
    assert all({"a", "b"} <= set(case.counts) for case in found)
    assert not any(Filter(attribute="writer", value="x").takes(case, {"writer": "y"}) for case in cases)


def test_every_task_can_be_disputed(log: Log) -> None:
    sample = planned(study(n_units=3, tasks=(Task.SPANS, Task.TEXT, Task.SLIDER)))
    for rater in ("A1", "A2"):
        play(log, sample, rater)
    _, cases = followed(log, sample)
    assert {case.question for case in cases} == {"spans", "text", "slider"}
