"""Cleaning: each rule, its counts, and the participant flow.

Folding a log step by step gives what reading it whole gives: the same people, rows and digits.
"""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from concordant.collection import events as ev
from concordant.collection.collected import Cleaned, clean, fan_out_counts, losses
from concordant.collection.disputes import cases_of
from concordant.collection.events import Commented, Event
from concordant.collection.export_tables import participant_table, tables
from concordant.collection.folding import LiveFold, collect
from concordant.collection.log import Log
from concordant.collection.session import Running
from concordant.collection.study_progress import progress_of
from concordant.design.description import Checks, CleaningRules, ParticipantQuestion, Training
from concordant.design.examples import STUDIES
from concordant.design.plan import make_plan
from concordant.design.steps import StepKind
from concordant.design.study_file import read
from concordant.readers.study_log import Encoding
from concordant.tasks.question import Option, Question, Unit
from concordant.uncertainty.studies import measure_study
from tests.collection.playing import planned, play, whole_session
from tests.design.samples import PATTERNS, study, units

FREE = Question(id="patterns", task="patterns", ask="?", patterns=PATTERNS)  # no maximum: three can be filled


@pytest.fixture
def log(tmp_path: Path) -> Iterator[Log]:
    with Log.open(f"sqlite:///{tmp_path}/study.db") as opened:
        yield opened


def patterns_study(rules: CleaningRules, **changes: Any) -> Running:
    return planned(study(units=units(6), questions=(FREE,), is_open=True, cleaning=rules, **changes))


def fill(
    log: Log, made: Running, rater: str, values: list[dict[str, str]], seconds: float = 5.0, described: Any = None
) -> None:
    """A participant who gives these answers to their first main steps and then leaves."""
    log.append("sample", [ev.Joined(rater=rater), ev.Described(rater=rater, answers=described or {})])
    steps = [step for step in log.enrol(made, rater).steps if step["kind"] in {"main", "gold"}]
    for step, value in zip(steps, values, strict=False):
        answer = ev.Answered(
            rater=rater, step=step["number"], unit=step["unit"], question="patterns", value=value, seconds=seconds
        )
        log.append("sample", [answer, ev.Continued(rater=rater, page="judging", step=step["number"])])


def cleaned(log: Log, made: Running) -> Cleaned:
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


def test_whoever_is_just_good_enough_stays(log: Log) -> None:
    """The rules say "less than" and "under": the limit itself is good enough; "or more" begins at the limit."""
    gold = tuple(
        Unit(id=id, item=id, text=id, copies=(id,), expected={"patterns": {"basic": "x"}}) for id in ("g1", "g2")
    )
    rules = CleaningRules(min_share=0.5, min_gold=0.5, min_seconds=2, max_overfilled=2)
    made = patterns_study(rules, checks=Checks(gold=gold))
    wrong = {"active": "grow"}

    def answer(rater: str, *, n_main: int, n_right: int, seconds: float, n_full: int) -> None:
        log.append("sample", [ev.Joined(rater=rater)])
        steps = log.enrol(made, rater).steps
        golden = [step for step in steps if step["kind"] == "gold"]
        main = [step for step in steps if step["kind"] == "main"][:n_main]
        values = [{"basic": "x"}] * n_right + [wrong] * (2 - n_right) + [THREE] * n_full + [wrong] * (n_main - n_full)
        for step, value in zip([*golden, *main], values, strict=True):
            place = {"rater": rater, "step": step["number"]}
            given = ev.Answered(unit=step["unit"], question="patterns", value=value, seconds=seconds, **place)
            log.append("sample", [given, ev.Continued(page="judging", **place)])

    answer("just", n_main=3, n_right=1, seconds=2.0, n_full=1)
    answer("few", n_main=2, n_right=1, seconds=2.0, n_full=1)
    answer("greedy", n_main=3, n_right=1, seconds=2.0, n_full=2)
    answer("mistaken", n_main=3, n_right=0, seconds=2.0, n_full=1)
    answer("fast", n_main=3, n_right=1, seconds=1.999, n_full=1)
    result = cleaned(log, made)
    assert [person.rater for person in result.collected.people] == ["just"]
    assert result.left_out == {
        "few": "answered less than 50%",
        "greedy": "chose 3 or more in 2 or more answers",
        "mistaken": "less than 50% of the gold items right",
        "fast": "median time under 2 s",
    }


def test_training_gold_and_repeated_items_are_no_answers(log: Log) -> None:
    """Whoever did only the practice, the checks and the repeats has answered nothing; no count of answers has them."""
    known: dict[str, Any] = {"copies": ("x",), "expected": {"patterns": {"basic": "x"}}}
    made = patterns_study(
        CleaningRules(min_share=0.1, max_overfilled=1),
        training=Training(units=(Unit(id="t", item="t", text="Train", **known),)),
        checks=Checks(gold=(Unit(id="g", item="g", text="Gold", **known),), repeats=1, gap=2),
    )
    for rater in ("all", "checks"):
        log.append("sample", [ev.Joined(rater=rater)])
        for step in log.enrol(made, rater).steps:
            is_main = step["kind"] == "main"
            if is_main and rater == "checks":
                continue
            place = {"rater": rater, "step": step["number"]}
            value = {"basic": "small"} if is_main or step["kind"] == "gold" else THREE
            seconds = 3.0 if is_main else 40.0
            given = ev.Answered(unit=step["unit"], question="patterns", value=value, seconds=seconds, **place)
            page = "training" if step["kind"] == "training" else "judging"
            log.append("sample", [given, ev.Continued(page=page, **place)])
            if step["kind"] == "training":
                log.append("sample", [ev.Continued(page="feedback", **place)])
    fold = LiveFold(log, made)
    fold.update()
    everybody, only_checks = fold.raters["all"], fold.raters["checks"]
    assert Counter(judgement.kind for judgement in everybody.judgements) == {
        StepKind.TRAINING: 1, StepKind.GOLD: 1, StepKind.REPEAT: 1, StepKind.MAIN: 6
    }  # fmt: skip
    assert [(one.person.n_asked, one.person.n_answered) for one in (everybody, only_checks)] == [(6, 6), (6, 0)]
    assert [one.person.median_seconds for one in (everybody, only_checks)] == [3.0, None]
    assert [one.person.gold_share for one in (everybody, only_checks)] == [1.0, 1.0]  # the practice was wrong
    assert [len(one.judged) for one in (everybody, only_checks)] == [6, 0]
    assert cleaned(log, made).left_out == {"checks": "answered nothing"}
    progress = progress_of(made, [everybody, only_checks])
    assert (progress.n_answered, [(pace.n, pace.median) for pace in progress.paces]) == (6, [(6, 3.0)])
    assert sum(len(case.given) for case in cases_of(made.description, [everybody, only_checks])) == 6
    assert fan_out_counts(fold.collected()) == (6, 6)
    found = {table.name: table for table in tables(fold.collected(), None)}
    assert [len(found[name].rows) for name in ("judgements", "checks")] == [6, 6]


@pytest.mark.parametrize("reason", [ev.SCREENED_OUT, ev.FAILED_CHECK, ev.ENOUGH])
def test_whoever_could_not_go_on_is_left_out_with_the_reason(log: Log, reason: str) -> None:
    made = patterns_study(CleaningRules())
    for rater in ("p1", "p2", "p3"):
        fill(log, made, rater, GOOD)
    log.append("sample", [ev.Ended(rater="p2", reason=reason)])
    found = cleaned(log, made)
    assert found.left_out == {"p2": reason}
    assert [(step.reason, step.n_left_out, step.n_remaining) for step in found.flow][1] == (reason, 1, 2)
    assert {one.rater for one in found.collected.judgements} == {"p1", "p3"}


def test_raters_who_miss_gold_items_are_left_out(log: Log) -> None:
    gold = (Unit(id="g", item="g", text="Gold", copies=("g",), expected={"patterns": {"basic": "x"}}),)
    made = patterns_study(CleaningRules(min_gold=0.5), checks=Checks(gold=gold))
    fill(log, made, "good", [{"basic": "small"}] * 7)
    fill(log, made, "bad", [{"active": "grow"}] * 7)
    result = cleaned(log, made)
    assert list(result.left_out) == ["bad"]
    assert {judgement.kind for judgement in result.collected.judgements} == {StepKind.MAIN, StepKind.GOLD}


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
    assert [(one.word, one.result) for one in result.corrected] == [("litle", "little")]
    assert (result.n_answers, result.n_fields, result.n_emptied) == (len(answers), 10, 2)
    assert losses([result]) == [
        f"1 of {len(answers)} answers dropped ({100 / len(answers):.1f}%): 3 or more chosen",
        "1 of 10 words dropped (10.0%): several words",
        "1 of 10 words dropped (10.0%): wrong part of speech",
        "1 of 10 words dropped (10.0%): not a word",
        f"2 of {len(answers)} answers dropped ({200 / len(answers):.1f}%): no word of them was left",
    ]
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
    assert [row[1] for row in participant_table(collect(log, made)).rows] == [
        "min. 14; max. 65; mean 34.0; median 23; not reported 1",
        "Catalan 50%; Spanish 25%; not reported 25%",
        "not reported 4",
    ]


def example(name: str) -> Running:
    description = read(Path(str(STUDIES / name)))
    return Running(description=description, plan=make_plan(description))


def interleaved(study: Running, raters: list[str]) -> list[Event]:
    """The sessions of several raters, in turns drawn at random."""
    random = Random(3)
    queues = [whole_session(study, rater) for rater in raters]
    mixed = []
    while queues:
        queue = random.choice(queues)
        mixed.append(queue.pop(0))
        queues = [left for left in queues if left]
    return mixed


def test_following_is_reading_whole(log: Log) -> None:
    study = example("experiment")
    events = interleaved(study, ["p3", "p1", "p2"])
    following, encoding = LiveFold(log, study), Encoding(study)
    for start in range(0, len(events), 40):
        log.append(study.description.name, events[start : start + 40])
        following.update()
        encoding.study(following.raters)
    assert following.collected() == collect(log, study)
    fresh = LiveFold(log, study)
    fresh.update()
    whole, stepwise = Encoding(study).study(fresh.raters), encoding.study(following.raters)
    assert whole is not None
    assert stepwise is not None
    assert measure_study(stepwise, seed=1, resamples=50) == measure_study(whole, seed=1, resamples=50)
    assert stepwise.notes == whole.notes
    assert {n: c.text().tolist() for n, c in stepwise.attributes.items()} == {
        n: c.text().tolist() for n, c in whole.attributes.items()
    }


def test_only_the_raters_of_new_events_are_gathered_again(log: Log) -> None:
    study = example("features")
    following = LiveFold(log, study)
    log.append(study.description.name, whole_session(study, "A1"))
    assert following.update() == {"A1"}
    before = following.raters["A1"]
    log.append(study.description.name, whole_session(study, "A2")[:30])
    assert following.update() == {"A2"}
    assert following.raters["A1"] is before
    assert following.update() == frozenset()


def test_many_raters_at_once_are_gathered_like_few(tmp_path: Path) -> None:
    sample = planned(study(2, raters=(), is_open=True))
    with Log.open(f"sqlite:///{tmp_path}/study.db") as log:
        for n in range(21):
            play(log, sample, f"p{n:02}", seed=n)
        log.append("another", [Commented(rater="p00", text="elsewhere")])
        assert LiveFold(log, sample).seq == 0
        whole = collect(log, sample)
        stepwise = LiveFold(log, sample)
        for rater in [f"p{n:02}" for n in range(21)]:
            stepwise.update()
            log.append("sample", [Commented(rater=rater, text=f"by {rater}")])
        assert stepwise.update() == {"p20"}
    assert [person.rater for person in whole.people] == [f"p{n:02}" for n in range(21)]
    assert len(whole.judgements) == 42
    assert [person.comment for person in stepwise.collected().people] == [f"by p{n:02}" for n in range(21)]
    assert stepwise.collected().judgements == whole.judgements


def test_guidelines_are_counted_by_version_in_order_of_appearance(log: Log) -> None:
    made = planned(study(2, raters=(), is_open=True))
    fold = LiveFold(log, made)
    for version in ("2", "1", "", "1"):
        log.append("sample", [ev.Shown(rater="A1", page="judging", guidelines=version)])
        fold.update()
    log.append("t", [ev.Shown(rater="A1", page="judging", guidelines="9")])
    fold.update()
    assert list(fold.pages.versions.items()) == [("2", 1), ("1", 2)]
