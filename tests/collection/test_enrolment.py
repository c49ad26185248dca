"""Units are allocated: after the planned sets, by the answers so far, and the same again from the log."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import update

from concordant.collection import events as ev
from concordant.collection.collected import clean
from concordant.collection.database import raters
from concordant.collection.enrolment import allocated
from concordant.collection.export_tables import tables
from concordant.collection.folding import LiveFold, collect
from concordant.collection.log import Log
from concordant.collection.page import PageKind, page
from concordant.collection.session import Running, advance, start
from concordant.design.description import Allocation, Assignment, Rater
from concordant.design.steps import StepKind
from concordant.errors import InputError
from concordant.readers.study_log import Encoding
from tests.collection.playing import planned
from tests.design.samples import study

CLEAR = {"u1", "u2", "u3", "u4", "u5", "u6"}
"""Everybody says yes to these; to the other two units raters say what their turn is."""


def made(n_units: int = 8, **how: object) -> Running:
    sets = Assignment(names=("1", "2", "3", "4"), judgements=2)
    allocation = Allocation(**{"size": 2, "most": 5, **how})  # type: ignore[arg-type]
    return planned(study(n_units, n_sets=4, assignment=sets, is_open=True, raters=(), allocation=allocation))


def judge(log: Log, running: Running, rater: str, turn: int, *, completes: bool = True) -> tuple[str, ...]:
    """Somebody comes and judges all they are given; returns the units."""
    given = log.enrol(running, rater)
    for step in given.steps:
        value = "yes" if step["unit"] in CLEAR or turn % 2 else "no"
        about = {"step": step["number"], "unit": step["unit"], "question": "binary"}
        log.append("sample", [ev.Answered(rater=rater, value=value, revises=[], **about)])
    if completes:
        log.append("sample", [ev.Completed(rater=rater)])
    return tuple(step["unit"] for step in given.steps)


def opinions(log: Log, running: Running) -> None:
    """The planned judgements: two of each unit, of the two unclear ones one yes and one no."""
    said = Counter[str]()
    for number in range(4):
        given = log.enrol(running, f"p{number}")
        assert given.units is None
        for step in given.steps:
            unit = step["unit"]
            value = "yes" if unit in CLEAR or said[unit] else "no"
            said[unit] += 1
            about = {"step": step["number"], "unit": unit, "question": "binary", "value": value}
            log.append("sample", [ev.Answered(rater=f"p{number}", revises=[], **about)])
        log.append("sample", [ev.Completed(rater=f"p{number}")])


def test_planned_sets_come_first_and_then_what_raters_differ_on(log: Log) -> None:
    running = made()
    opinions(log, running)
    assert set(judge(log, running, "a1", 0)) == {"u7", "u8"}
    given = log.enrol(running, "a1")
    assert given.set_number == 4
    assert {step["kind"] for step in given.steps} == {"adaptive"}


def test_who_is_at_work_counts_and_who_has_gone_does_not(log: Log) -> None:
    running = made(sure=0.9)
    opinions(log, running)
    [first] = [set(log.enrol(running, "a1").units or ())]
    assert first == {"u7", "u8"}
    later = (datetime.now(UTC) - timedelta(hours=80)).isoformat(timespec="milliseconds")
    log.enrol(running, "a2")
    log.enrol(running, "a3")  # three under way for each: five are the most
    with pytest.raises(InputError, match="nothing left to judge for 'a4'"):
        log.enrol(running, "a4")
    log.change(update(raters).where(raters.c.rater == "a2").values(last_at=later))
    assert set(log.enrol(running, "a5").units or ()) == {"u7", "u8"}


def test_it_ends_when_labels_are_sure_or_units_judged_often_or_the_budget_is_spent(log: Log) -> None:
    running = made(sure=0.9)
    opinions(log, running)
    turn = 0
    while True:
        try:
            units = judge(log, running, f"a{turn}", turn)
        except InputError:
            break
        assert set(units) <= {"u7", "u8"}
        turn += 1
    assert turn == 3  # five judgements each
    [ended] = [entry.event for entry in log.events("sample", "a3") if isinstance(entry.event, ev.Ended)]
    assert ended.reason == ev.ENOUGH
    assert page(advance(start(running, "a3"), ended)).kind is PageKind.ENDED
    assert collect(log, running).people[-5].ended == ev.ENOUGH
    assert "nothing left to judge" in {step.reason for step in clean(collect(log, running)).flow}


def test_a_budget_is_the_end_too(log: Log) -> None:
    running = made(budget=17)
    opinions(log, running)
    assert len(judge(log, running, "a1", 0)) == 1
    with pytest.raises(InputError, match="nothing left to judge"):
        log.enrol(running, "a2")


def test_models_have_no_vote(log: Log) -> None:
    running = made()
    description = replace(running.description, raters=(Rater(id="m", kind="model", set=4),))
    plan = replace(running.plan, sets=(*running.plan.sets, ("u7", "u8")), n_offered=4)
    running = Running(description=description, plan=plan)
    assert log.enrol(running, "m").set_number == 4
    opinions(log, running)
    before = log.enrol(running, "a1").units
    assert set(before or ()) == {"u7", "u8"}


def test_the_log_played_again_and_tables_made_again_give_the_same(log: Log) -> None:
    running = made()
    opinions(log, running)
    units = judge(log, running, "a1", 0)
    state = advance(start(running, "a1"), *(entry.event for entry in log.events("sample", "a1")))
    assert tuple(step.unit for step in state.steps) == units
    with log.engine.connect() as connection:
        before = allocated(connection, running, running.description.allocation)  # type: ignore[arg-type]
    log.rebuild()
    with log.engine.connect() as connection:
        assert allocated(connection, running, running.description.allocation) == before  # type: ignore[arg-type]


def test_many_at_once_never_make_more_than_the_most(log: Log) -> None:
    running = made(n_units=12, size=3, most=4)
    opinions(log, running)

    def come(number: int) -> tuple[str, ...]:
        try:
            return tuple(log.enrol(running, f"a{number}").units or ())
        except InputError:
            return ()

    with ThreadPoolExecutor(8) as pool:
        given = list(pool.map(come, range(24)))
    assert max(Counter(unit for units in given for unit in units).values()) <= 2


def test_agreement_is_of_planned_judgements_and_labels_are_of_all(log: Log) -> None:
    running = made()
    opinions(log, running)
    judge(log, running, "a1", 0)
    fold = LiveFold(log, running)
    fold.update()
    planned_only, everything = (Encoding(running, allocated=each).study(fold.raters) for each in (False, True))
    assert planned_only is not None
    assert everything is not None
    assert (len(planned_only.unit.codes), len(everything.unit.codes)) == (16, 18)
    assert any("2 judgements of allocated units left out" in note for note in planned_only.notes)
    assert any("2 judgements of them of units that were allocated" in note for note in everything.notes)
    found = {table.name: table for table in tables(fold.collected(), None)}
    assert (len(found["judgements"].rows), len(found["allocated"].rows)) == (16, 2)
    assert "checks" not in found
    kinds = {judgement.kind for judgement in fold.collected().judgements}
    assert kinds == {StepKind.MAIN, StepKind.ADAPTIVE}
    person = fold.raters["a1"].person
    assert (person.n_asked, person.n_answered) == (2, 2)
