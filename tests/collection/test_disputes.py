"""Decisions: kept beside the answers, revised by later ones, reopened by answers that come after them."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import select

from concordant.collection import database
from concordant.collection.disputes import Adjudication, Case, Decision, Filter, Given, cases_of, to_decide
from concordant.collection.events import Answered, new_id
from concordant.collection.export_tables import decision_tables
from concordant.collection.folding import LiveFold
from concordant.collection.log import Log
from concordant.collection.session import Running
from concordant.design.steps import Step
from tests.collection.playing import planned, play
from tests.design.samples import study


def followed(log: Log, sample: Running) -> tuple[LiveFold, list[Case]]:
    following = LiveFold(log, sample)
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


def _steps(following: LiveFold, rater: str) -> Sequence[Step]:
    """The steps of a private state."""
    return following._states[rater].steps


def test_the_most_disputed_come_first_and_filters_hold(log: Log) -> None:
    sample = planned(study(n_units=10, tasks=("binary", "categorical"), raters=(), is_open=True))
    for rater in ("p1", "p2", "p3"):
        play(log, sample, rater)
    _, cases = followed(log, sample)
    assert [case.entropy for case in cases] == sorted((case.entropy for case in cases), reverse=True)
    assert all(case.entropy == 0 for case in cases if not case.is_disputed)
    found = [case for case in cases if Filter(question="categorical", answers=("a", "b")).takes(case, {})]
    assert all({"a", "b"} <= set(case.counts) for case in found)
    assert not any(Filter(attribute="writer", value="x").takes(case, {"writer": "y"}) for case in cases)


def test_every_task_can_be_disputed(log: Log) -> None:
    sample = planned(study(n_units=3, tasks=("spans", "text", "slider")))
    for rater in ("A1", "A2"):
        play(log, sample, rater)
    _, cases = followed(log, sample)
    assert {case.question for case in cases} == {"spans", "text", "slider"}


def case_of(*answers: str, unit: str = "u", question: str = "q") -> Case:
    """A case with these answers, given by r0, r1 ... in events 1, 2 ..."""
    given = tuple(
        Given(rater=f"r{i}", value=text, text=text, seconds=None, n_given=1, seq=i + 1)
        for i, text in enumerate(answers)
    )
    return Case(unit=unit, question=question, given=given)


def decision(**more: Any) -> Decision:
    return Decision(**{"unit": "u", "question": "q", "value": "a", "adjudicator": "Eva", **more})


@pytest.mark.parametrize(
    ("answers", "entropy"),
    [("a", 0), ("aaa", 0), ("ab", 1), ("aabb", 1), ("abcd", 2), ("aaab", 0.8112781244591328)],
)
def test_how_far_raters_are_apart_is_told_in_bits(answers: str, entropy: float) -> None:
    case = case_of(*answers)
    assert case.entropy == pytest.approx(entropy, abs=1e-15)
    assert str(case_of("a").entropy) == "0.0"  # and not -0.0
    assert case.is_disputed == (entropy > 0)
    assert list(case_of("b", "a", "a").counts.items()) == [("a", 2), ("b", 1)]


def test_a_decision_is_older_than_answers_that_came_after_it() -> None:
    case = case_of("a", "b")
    assert [case.is_newer_than(decision(seen=seen)) for seen in (0, 1, 2, 3)] == [True, True, False, False]
    assert decision().seen == 0
    assert not decision().is_unclear


def test_what_is_still_to_be_decided() -> None:
    one, two, agreed = case_of("a", "b"), case_of("a", "b", unit="v"), case_of("a", "a", unit="w")
    cases = [one, two, agreed]
    assert to_decide(cases, {}) == [one, two]
    assert to_decide(cases, {}, everything=True) == cases
    assert to_decide(cases, {one.place: decision(seen=2)}) == [two]
    assert to_decide(cases, {one.place: decision(seen=1)}) == [one, two]
    assert to_decide(cases, {agreed.place: decision(seen=2)}, everything=True) == [one, two]


@pytest.mark.parametrize(
    ("wanted", "is_taken"),
    [
        ({}, True),
        ({"question": "q"}, True), ({"question": "other"}, False),
        ({"answers": ("a", "b")}, True), ({"answers": ("a", "c")}, False),
        ({"rater": "r1"}, True), ({"rater": "r9"}, False),
        ({"attribute": "writer", "value": "x"}, True), ({"attribute": "writer", "value": "y"}, False),
        ({"attribute": "none", "value": ""}, True), ({"attribute": "none", "value": "x"}, False),
        ({"question": "other", "answers": ("a",), "rater": "r1"}, False),
        ({"question": "q", "answers": ("c",), "rater": "r1"}, False),
        ({"question": "q", "answers": ("a",), "rater": "r9", "attribute": "writer", "value": "x"}, False),
        ({"question": "q", "answers": ("a",), "rater": "r1", "attribute": "writer", "value": "x"}, True),
    ],
)  # fmt: skip
def test_a_filter_takes_what_has_everything_it_names(wanted: dict[str, Any], is_taken: bool) -> None:
    assert Filter(**wanted).takes(case_of("a", "b"), {"writer": "x"}) == is_taken


def test_a_rater_stands_apart_only_where_raters_differ() -> None:
    assert not Filter(rater="r1").takes(case_of("a", "a"), {})


def test_cases_with_more_answers_come_before_others_then_by_question_and_unit(log: Log) -> None:
    sample = planned(study(n_units=2, tasks=("binary", "ordinal"), raters=(), is_open=True))
    values = {"binary": "yes", "ordinal": "a"}
    for rater, n in (("p1", 4), ("p2", 3)):
        for step in log.enrol(sample, rater).steps[:n]:
            question = step["questions"][0]
            place = {"rater": rater, "step": step["number"], "unit": step["unit"]}
            log.append("sample", [Answered(**place, question=question, value=values[question])])
    _, cases = followed(log, sample)
    assert [len(case.given) for case in cases] == [2, 2, 2, 1]
    assert [case.place for case in cases[:2]] == [("u1", "binary"), ("u2", "binary")]


def test_decisions_are_numbered_over_all_studies_and_read_study_by_study(log: Log) -> None:
    adjudication = Adjudication(log)
    first = decision(value={"b": 1, "a": 2}, comment="so", is_unclear=True, seen=7, at="2026-01-01T00:00:00+00:00")
    adjudication.decide("s", first)
    adjudication.decide("t", decision(value="x"))
    adjudication.decide("s", decision(value="y", unit="v"))
    [one, two] = adjudication.history("s")
    assert replace(one, id="") == first
    assert (two.value, two.unit, len(two.id), bool(two.at)) == ("y", "v", 36, True)
    rows = log.read(select(database.decisions.c.seq, database.decisions.c.value))
    assert [tuple(row) for row in rows] == [(1, '{"a": 2, "b": 1}'), (2, '"x"'), (3, '"y"')]
    with pytest.raises(ValueError, match="not JSON compliant"):
        adjudication.decide("s", decision(value=float("nan")))
    assert list(adjudication.current("s")) == [("u", "q"), ("v", "q")]


def test_the_table_of_decisions_says_everything(log: Log) -> None:
    sample = planned(study(n_units=2))
    assert decision_tables(sample, []) == []
    made = [
        decision(question="binary", value="yes", id="1", at="now", comment="so", is_unclear=True),
        decision(question="binary", value="no", id="2", at="later", unit="v"),
        decision(question="binary", value="no", id="3", at="later"),
    ]
    [table] = decision_tables(sample, made)
    assert table.columns == (
        "unit", "question", "value", "adjudicator", "comment", "guideline_unclear", "at", "holds"
    )  # fmt: skip
    assert table.rows == (
        ("u", "binary", "yes", "Eva", "so", "yes", "now", "no"),
        ("v", "binary", "no", "Eva", None, "no", "later", "yes"),
        ("u", "binary", "no", "Eva", None, "no", "later", "yes"),
    )
