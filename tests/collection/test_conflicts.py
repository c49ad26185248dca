"""Answers that did not know of each other: which holds does not depend on which arrives first, and nobody is told less."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta, timezone
from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from concordant.collection.collected import clean
from concordant.collection.conflicts import Conflict
from concordant.collection.events import Answered, Deferred, Event, clocked, from_parts, from_stored, new_id
from concordant.collection.export_tables import tables
from concordant.collection.folding import collect
from concordant.collection.log import Log
from concordant.collection.session import Running, State, advance, start, steps_of
from concordant.design.description import Presentation
from tests.collection.playing import assigned, planned
from tests.design.samples import study as described

DAY = "2026-03-01T{:02}:00:00.000+00:00"
STUDY: Running = planned(described(tasks=("binary", "text"), presentation=Presentation(passes=False)))
ALONE: Running = planned(described())
UNIT = steps_of(ALONE, assigned(ALONE, "A1"))[0].unit


def at(hour: int, value: str | None, *seen: Event, study: Running = ALONE) -> Answered:
    """An answer to the first step, given at an hour by a rater who had seen these answers."""
    unit = steps_of(study, assigned(study, "A1"))[0].unit
    ids = [event.id for event in seen]
    return Answered(rater="A1", at=DAY.format(hour), step=0, unit=unit, question="binary", value=value, revises=ids)


def not_sure(hour: int, *seen: Event) -> Deferred:
    """The first step is put aside."""
    return Deferred(rater="A1", at=DAY.format(hour), step=0, revises=[event.id for event in seen])


def after(*events: Event, study: Running = ALONE) -> State:
    """Where the rater stands after the events."""
    return advance(start(study, "A1"), assigned(study, "A1"), *events)


def told(state: State) -> list[tuple[object, object]]:
    """The conflicts: what was kept, what was not."""
    return [(conflict.kept.value, conflict.other.value) for conflict in state.conflicts]


def test_an_answer_revises_the_one_its_rater_saw_whatever_the_clock_says() -> None:
    first = at(12, "yes")
    state = after(first, at(9, "no", first))
    assert (state.answers[0, "binary"], told(state)) == ("no", [])


def test_a_late_answer_does_not_replace_a_newer_one() -> None:
    state = after(at(10, "no"), at(9, "yes"))
    assert (state.answers[0, "binary"], told(state)) == ("no", [("no", "yes")])
    [conflict] = state.conflicts
    assert conflict == Conflict(
        rater="A1", step=0, unit=UNIT, question="binary", kept=conflict.kept, other=conflict.other
    )


def test_a_newer_answer_in_a_tab_that_is_out_of_date_holds_and_is_told() -> None:
    state = after(at(9, "yes"), at(10, "no"))
    assert (state.answers[0, "binary"], told(state)) == ("no", [("no", "yes")])


def test_the_same_answer_twice_is_no_conflict() -> None:
    assert told(after(at(9, "yes"), at(10, "yes"))) == []


def test_not_sure_in_a_tab_that_is_out_of_date_deletes_no_answer() -> None:
    answer = at(9, "yes")
    state = after(answer, not_sure(12))
    assert (state.answers[0, "binary"], told(state), state.deferred) == ("yes", [("yes", None)], [])
    assert 0 in state.finished
    seen = after(answer, not_sure(12, answer))
    assert (seen.answers, told(seen), seen.deferred) == ({}, [], [0])


def test_an_answer_from_elsewhere_is_kept_before_not_sure() -> None:
    state = after(not_sure(12), at(9, "yes"))
    assert (state.answers[0, "binary"], told(state), state.deferred) == ("yes", [("yes", None)], [])


def test_clearing_in_a_tab_that_is_out_of_date_deletes_no_answer() -> None:
    state = after(at(9, "yes"), at(12, None))
    assert (state.answers[0, "binary"], told(state)) == ("yes", [("yes", None)])


def test_not_sure_about_a_page_takes_back_all_of_its_answers_or_none() -> None:
    seen = at(9, "yes", study=STUDY)
    unseen = Answered(rater="A1", at=DAY.format(9), step=0, unit=seen.unit, question="text", value="words", revises=())
    state = after(seen, unseen, not_sure(12, seen), study=STUDY)
    assert state.answers == {(0, "binary"): "yes", (0, "text"): "words"}
    assert told(state) == [("words", None)]


def test_events_that_do_not_say_what_was_seen_replay_as_they_did() -> None:
    first, second = (Answered(rater="A1", step=0, unit=UNIT, question="binary", value=value) for value in ("yes", "no"))
    assert after(second, first).answers == {(0, "binary"): "yes"}
    state = after(first, Deferred(rater="A1", step=0))
    assert (state.answers, state.conflicts) == ({}, [])


def test_the_field_is_stored_and_left_out_where_nothing_is_known() -> None:
    known, unknown = at(9, "yes"), Answered(rater="A1", step=0, unit=UNIT, question="binary", value="yes")
    assert known.body()["revises"] == []
    assert "revises" not in unknown.body()
    assert from_stored(1, "answered", new_id(), "A1", DAY.format(9), unknown.body()) is not None
    with pytest.raises(Exception, match="field 'revises' must be a list of ids"):
        from_parts("answered", new_id(), "A1", DAY.format(9), {**known.body(), "revises": ["yesterday"]})


def test_nobody_answers_in_the_future() -> None:
    assert clocked(datetime(2999, 1, 1, tzinfo=UTC)) <= clocked(datetime.now(UTC))
    assert clocked(datetime(2020, 1, 1, 12, tzinfo=timezone(timedelta(hours=2)))) == "2020-01-01T10:00:00.000+00:00"
    assert clocked(datetime(1, 1, 1, tzinfo=timezone(timedelta(hours=14)))) > "2026"


@st.composite
def histories(draw: st.DrawFn) -> list[Event]:
    """What several devices of one rater do with one page, each seeing some of what was done before."""
    done: list[Event] = []
    for hour in draw(st.permutations(range(draw(st.integers(1, 6))))):
        seen = [event for event in done if draw(st.booleans())]
        value = draw(st.sampled_from(["yes", "no", None, "not sure"]))
        done.append(not_sure(hour, *seen) if value == "not sure" else at(hour, value, *seen))
    return done


def holds(events: Sequence[Event]) -> object:
    """The answer in the end."""
    return after(*events).answers.get((0, "binary"))


@given(st.lists(st.sampled_from(["yes", "no"]), min_size=2, max_size=4))
def test_which_holds_does_not_depend_on_which_arrives_first(values: list[str]) -> None:
    devices = [at(hour, value) for hour, value in enumerate(values)]
    assert {holds(arrived) for arrived in permutations(devices)} == {values[-1]}


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
@settings(max_examples=60)
@given(events=histories())
def test_the_database_holds_what_the_session_holds(
    kind: str, events: list[Event], request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> None:
    log = opened(kind, request, tmp_path_factory)
    study = new_id()
    log.append(study, [assigned(ALONE, "A1"), *events])
    found = {(answer.step, answer.question): answer.value for answer in log.answers(study) if answer.value is not None}
    state = after(*events)
    assert found == {place: value for place, value in state.answers.items() if value is not None}
    ids = {entry.seq: entry.event.id for entry in log.events(study)}
    for answer in log.answers(study):
        if answer.value is not None:
            assert ids[answer.seq] == state.versions[answer.step, answer.question].id


LOGS: dict[str, Log] = {}


def opened(kind: str, request: pytest.FixtureRequest, folders: pytest.TempPathFactory) -> Log:
    """One log for all examples of a kind; it is closed with the session."""
    if kind not in LOGS:
        url = f"sqlite:///{folders.mktemp('conflicts')}/study.db"
        LOGS[kind] = Log.open(request.getfixturevalue("postgres") if kind == "postgresql" else url)
        request.session.addfinalizer(LOGS[kind].close)
    return LOGS[kind]


def test_conflicts_are_exported_and_do_not_change_when_the_log_is_read_again(log: Log, tmp_path: Path) -> None:
    log.enrol(ALONE, "A1")
    unit = collect_unit(log)
    early, late = at(9, "yes"), at(10, "no")
    for event in (late, early):
        log.append(ALONE.description.name, [Answered(**{**vars(event), "unit": unit})])
    collected = collect(log, ALONE)
    [judgement] = collected.judgements
    assert (judgement.value, judgement.at, judgement.n_given) == ("no", late.at, 2)
    [table] = [one for one in tables(collected, clean(collected)) if one.name == "conflicts"]
    assert table.rows == ((unit, "A1", "binary", 1, "no", late.at, "yes", early.at),)
    log.rebuild()
    assert collect(log, ALONE) == collected


def collect_unit(log: Log) -> str:
    """The unit of the first step that was drawn."""
    return str(log.enrol(ALONE, "A1").steps[0]["unit"])
