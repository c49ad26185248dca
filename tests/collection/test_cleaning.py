"""Cleaning: each rule, its counts, and the participant flow."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from assent.collection import events as ev
from assent.collection.cleaning import Cleaned, clean
from assent.collection.collected import collect
from assent.collection.log import Log
from assent.collection.participants import described_in_words, participants_table
from assent.collection.session import Study
from assent.design.description import Checks, CleaningRules, Option, ParticipantQuestion, Question, Task, Unit
from assent.design.ordering import Kind
from tests.collection.playing import planned
from tests.design.samples import PATTERNS, study, units

FREE = Question(id="patterns", task=Task.PATTERNS, ask="?", patterns=PATTERNS)  # no maximum: three can be filled


@pytest.fixture
def log(tmp_path: Path) -> Iterator[Log]:
    with Log.open(f"sqlite:///{tmp_path}/study.db") as opened:
        yield opened


def patterns_study(rules: CleaningRules, **changes: Any) -> Study:
    return planned(study(units=units(6), questions=(FREE,), is_open=True, cleaning=rules, **changes))


def fill(
    log: Log, made: Study, rater: str, values: list[dict[str, str]], seconds: float = 5.0, described: Any = None
) -> None:
    """A participant who gives these answers to their first main steps and then leaves."""
    log.append("sample", [ev.Joined(rater=rater), ev.Described(rater=rater, answers=described or {})])
    steps = [step for step in log.enrol(made, rater).steps if step["kind"] in {"main", "gold"}]
    for step, value in zip(steps, values, strict=False):
        answer = ev.Answered(
            rater=rater, step=step["number"], unit=step["unit"], question="patterns", value=value, seconds=seconds
        )
        log.append("sample", [answer, ev.Continued(rater=rater, page="judging", step=step["number"])])


def cleaned(log: Log, made: Study) -> Cleaned:
    return clean(collect(log, made))


GOOD = [{"basic": "small"}] * 6
THREE = {"basic": "small", "active": "grow", "result": "grown"}


def test_people_are_left_out_rule_by_rule_and_counted(log: Log) -> None:
    made = patterns_study(CleaningRules(min_share=0.66, max_overfilled=3, min_seconds=2))
    fill(log, made, "good", GOOD)
    fill(log, made, "reader", [])
    fill(log, made, "quitter", GOOD[:3])
    fill(log, made, "barely", GOOD[:4])
    fill(log, made, "greedy", [THREE] * 3 + GOOD[:3])
    fill(log, made, "hasty", GOOD, seconds=0.4)
    result = cleaned(log, made)
    assert [(step.reason, step.n_left_out, step.n_remaining) for step in result.flow] == [
        ("came", 0, 6),
        ("answered nothing", 1, 5),
        ("answered less than 66%", 1, 4),
        ("chose 3 or more in 3 or more answers", 1, 3),
        ("median time under 2 s", 1, 2),
    ]
    assert result.left_out == {
        "reader": "answered nothing",
        "quitter": "answered less than 66%",
        "greedy": "chose 3 or more in 3 or more answers",
        "hasty": "median time under 2 s",
    }
    assert {person.rater for person in result.collected.people} == {"good", "barely"}


def test_raters_who_miss_gold_items_are_left_out(log: Log) -> None:
    gold = (Unit(id="g", item="g", text="Gold", copies=("g",), expected={"patterns": {"basic": "x"}}),)
    made = patterns_study(CleaningRules(min_gold=0.5), checks=Checks(gold=gold))
    fill(log, made, "good", [{"basic": "small"}] * 7)
    fill(log, made, "bad", [{"active": "grow"}] * 7)
    result = cleaned(log, made)
    assert list(result.left_out) == ["bad"]
    assert {judgement.kind for judgement in result.collected.judgements} == {Kind.MAIN, Kind.GOLD}


def test_answers_are_dropped_and_words_corrected_with_their_reasons(log: Log) -> None:
    rules = CleaningRules(
        drop_overfilled=True,
        drop_several_words=True,
        allowed_phrases=("human being",),
        lexicon={"little": frozenset({"adjective"}), "grow": frozenset({"verb"})},
        spelling={"litle": "little"},
    )
    made = patterns_study(rules)
    answers: list[dict[str, str]] = [
        THREE,
        {"basic": "litle", "active": "grow"},
        {"basic": "very small"},
        {"basic": "human being"},
        {"basic": "grow", "active": "Grow"},
        {"basic": "smallish"},
    ]
    fill(log, made, "p", answers)
    result = cleaned(log, made)
    assert result.counts == {
        "3 or more chosen": 1,
        "several words": 1,
        "wrong part of speech": 1,
        "not a word": 1,
    }
    assert [(c.written, c.meant) for c in result.corrected] == [("litle", "little")]
    assert result.n_fields == 10
    kept = [judgement.value for judgement in result.collected.judgements]
    assert kept == [{"basic": "little", "active": "grow"}, {"basic": "human being"}, {"active": "Grow"}]


def test_a_page_that_was_not_finished_is_dropped(log: Log) -> None:
    made = patterns_study(CleaningRules())
    fill(log, made, "p", GOOD[:2])
    step = log.enrol(made, "p").steps[2]
    log.append("sample", [ev.Answered(rater="p", step=2, unit=step["unit"], question="patterns", value={"basic": "x"})])
    assert len(collect(log, made).judgements) == 3
    assert cleaned(log, made).counts == {"page not finished": 1}


def test_the_participants_table_has_the_shape_of_table_ii(log: Log) -> None:
    """Boleda, Schulte im Walde & Badia (2009), Table II: min, max, mean, median; shares with those not reported."""
    asked = (
        ParticipantQuestion(id="age", ask="?", kind="number"),
        ParticipantQuestion(id="tongue", ask="?", kind="choice", options=(Option(value="Catalan", label="Catalan"),)),
        ParticipantQuestion(id="height", ask="?", kind="number"),
    )
    made = patterns_study(CleaningRules(), participant=asked)
    for rater, about in {
        "a": {"age": "14", "tongue": "Catalan"},
        "b": {"age": "23", "tongue": "Catalan"},
        "c": {"age": "65", "tongue": "Spanish"},
        "d": {},
    }.items():
        fill(log, made, rater, GOOD, described=about)
    table = participants_table(made.description, collect(log, made).people)
    assert [described_in_words(entry) for entry in table] == [
        "min. 14; max. 65; mean 34.0; median 23; not reported 1",
        "Catalan 50%; Spanish 25%; not reported 25%",
        "not reported 4",
    ]
