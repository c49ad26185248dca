"""The log: every event once, in order, with projections that can be made again."""

import uuid
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from assent.collection import events as ev
from assent.collection.database import LogError
from assent.collection.log import Log
from assent.collection.storing import EventConflictError, VisitEndedError
from assent.design.description import Rater, Sets, Task
from assent.errors import InputError
from tests.collection.playing import planned, play, whole_session
from tests.design.samples import study


def answered(step: int = 0, value: object = "yes", rater: str = "A1", **more: Any) -> ev.Answered:
    parts: dict[str, Any] = {"unit": "u1", "question": "binary", **more}
    return ev.Answered(rater=rater, step=step, value=value, **parts)


def test_events_are_read_back_as_they_were(log: Log) -> None:
    events = [
        *whole_session(planned(study(3, (Task.PATTERNS, Task.SPANS)))),
        ev.Commented(rater="A1", text="Grüße \x00 \ud800 😀"),
    ]
    seqs = log.append("sample", events)
    assert seqs == list(range(1, len(events) + 1))
    stored = log.events("sample", "A1")
    assert [(entry.seq, type(entry.event), entry.event.id) for entry in stored] == [
        (seq, type(event), event.id) for seq, event in zip(seqs, events, strict=True)
    ]
    assert stored[-1].event == events[-1]
    assert log.events("sample", after=seqs[-2]) == [stored[-1]]
    assert log.events("another study") == []


def test_an_event_sent_twice_is_stored_once(log: Log) -> None:
    event = answered()
    assert log.append("s", [event]) == [1]
    assert log.append("s", [answered(1)]) == [2]
    assert log.append("s", [event, event]) == [1, 1]
    assert len(log.events("s")) == 2


def test_another_event_under_the_same_id_is_refused_with_all_that_came_along(log: Log) -> None:
    log.append("s", [answered(id="9a52ba95-5ae8-4b7a-9b0a-0c9e58a5c16f")])
    with pytest.raises(EventConflictError, match="already stored"):
        log.append("s", [answered(1), answered(value="no", id="9a52ba95-5ae8-4b7a-9b0a-0c9e58a5c16f")])
    assert len(log.events("s")) == 1
    assert log.append("s", [answered(rater="A2", id="9a52ba95-5ae8-4b7a-9b0a-0c9e58a5c16f")]) == [2]


def test_the_latest_answer_is_the_current_one(log: Log) -> None:
    log.append("s", [answered(0, "yes", seconds=2.0), answered(1, "yes")])
    log.append("s", [answered(0, "no", seconds=1.5)])
    first, second = log.answers("s")
    assert (first.value, first.n_given, first.seconds, first.seq) == ("no", 2, 3.5, 3)
    assert (second.value, second.n_given) == ("yes", 1)
    log.append("s", [ev.Deferred(rater="A1", step=0)])
    assert log.answers("s", "A1")[0].value is None
    assert log.answers("s", "A2") == []


def test_a_rebuilt_projection_is_identical(log: Log) -> None:
    made = planned(study(5, (Task.BINARY, Task.MULTILABEL), raters=tuple(Rater(id=f"r{i}") for i in range(6))))
    for i in range(6):
        play(log, made, f"r{i}", n_events=None if i % 2 else 9)
    log.append(
        "sample", [ev.Deferred(rater="r1", step=2), answered(2, "no", rater="r1"), ev.Deferred(rater="r2", step=0)]
    )
    before = (log.answers("sample"), log.standings("sample"))
    assert before[0]
    with log.engine.begin() as connection:
        connection.execute(text("UPDATE answers SET value = '\"broken\"'"))
        connection.execute(text("DELETE FROM raters"))
    assert log.rebuild() == len(log.events("sample"))
    assert (log.answers("sample"), log.standings("sample")) == before


def test_what_cannot_be_stored_is_refused_and_the_log_goes_on(log: Log) -> None:
    with pytest.raises(InputError, match="event 'answered' cannot be stored"):
        log.append("s", [answered(value=float("nan"))])
    with pytest.raises(InputError, match="cannot be stored"):
        log.append("s", [answered(value=object())])
    with pytest.raises(ZeroDivisionError):
        log.write(lambda connection: 1 // 0).result()
    assert log.append("s", [answered()]) == [1]


def test_many_threads_lose_and_double_nothing(log: Log) -> None:
    events = [answered(i, rater=f"r{i % 20}") for i in range(600)]
    with ThreadPoolExecutor(16) as pool:
        list(pool.map(lambda event: log.append("s", [event]), [*events, *events[::3]]))
    stored = log.events("s")
    assert sorted(entry.event.id for entry in stored) == sorted(event.id for event in events)
    assert [entry.seq for entry in stored] == list(range(1, 601))


def test_events_handed_in_together_are_stored_together_even_after_closing(url: str) -> None:
    log = Log.open(url)
    futures = [log.submit("s", [answered(i), ev.Shown(rater="A1", page="judging", step=i)]) for i in range(50)]
    log.close()
    assert all(future.done() for future in futures)
    with Log.open(url) as again:
        assert len(again.events("s")) == 100
    with pytest.raises(LogError, match="closed"):
        log.append("s", [answered()])


def test_enrolment_is_kept_and_balanced_by_completed_participants(log: Log) -> None:
    made = planned(study(6, sets=Sets(count=3), is_open=True))
    first = log.enrol(made, "p0")
    assert log.enrol(made, "p0") == first
    for i in range(1, 9):
        log.enrol(made, f"p{i}")
    sets = [standing.set_number for standing in log.standings("sample")]
    assert sorted(sets, key=str) == [0, 0, 0, 1, 1, 1, 2, 2, 2]
    done_in_two = [s.rater for s in log.standings("sample") if s.set_number != 1]
    for rater in done_in_two:
        log.append("sample", [ev.Completed(rater=rater)])
    assert [log.enrol(made, f"late{i}").set_number for i in range(4)] == [1, 1, 1, 1]  # nobody has completed set 1


def test_many_enrolling_at_once_stay_balanced(log: Log) -> None:
    made = planned(study(6, sets=Sets(count=3), is_open=True))
    with ThreadPoolExecutor(10) as pool:
        sets = list(pool.map(lambda i: log.enrol(made, f"p{i}").set_number, range(30)))
    assert sorted(sets) == [0] * 10 + [1] * 10 + [2] * 10


def test_only_invited_raters_are_enrolled(log: Log) -> None:
    made = planned(study(4, sets=Sets(count=2), raters=(Rater(id="A1", set=1),)))
    assert log.enrol(made, "A1").set_number == 1
    with pytest.raises(InputError, match="'A9' is not invited to 'sample'"):
        log.enrol(made, "A9")


def test_two_processes_worth_of_writers_share_a_database(url: str) -> None:
    with Log.open(url) as one, Log.open(url) as two, ThreadPoolExecutor(8) as pool:
        events = [answered(i) for i in range(200)]
        list(
            pool.map(
                lambda pair: pair[0].append("s", [pair[1]]), [((one, two)[i % 2], e) for i, e in enumerate(events)]
            )
        )
        assert [entry.seq for entry in one.events("s")] == list(range(1, 201))


def test_a_full_disk_is_said_and_nothing_is_acknowledged(tmp_path: Path) -> None:
    with Log.open(f"sqlite:///{tmp_path}/study.db") as log:
        log.append("s", [answered()])
        log.write(lambda connection: connection.exec_driver_sql("PRAGMA max_page_count = 12").fetchall()).result()
        big = [answered(i, "x" * 500) for i in range(1, 200)]
        with pytest.raises(LogError, match="full; nothing of this was stored: free some space"):
            log.append("s", big)
        assert len(log.events("s")) == 1
        log.write(lambda connection: connection.exec_driver_sql("PRAGMA max_page_count = 9999999").fetchall()).result()
        assert log.append("s", big) == list(range(2, 201))


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("postgresql://nobody@127.0.0.1:1/none", "check that the server runs"),
        ("sqlite:////nowhere/at/all/study.db", "check that the folder exists"),
        ("nonsense", "is not a database address"),
        ("oracle://x/y", "is not a database address"),
    ],
)
def test_an_unusable_database_is_one_clear_line(address: str, message: str) -> None:
    with pytest.raises((LogError, InputError), match=message):
        Log.open(address)


def test_a_file_that_is_no_database_is_said(tmp_path: Path) -> None:
    (tmp_path / "study.db").write_text("This is a diary, not a database. " * 50)
    with pytest.raises(LogError, match="not a database; name another file with --db"):
        Log.open(f"sqlite:///{tmp_path}/study.db")


def test_whoever_knows_the_log_up_to_a_number_is_told_the_rest(postgres: str) -> None:
    with Log.open(postgres) as one, Log.open(postgres) as other:
        study = f"s{uuid.uuid4().hex}"
        known = one.append(study, [answered(0)])[0]
        unheard = answered(1)
        other.append(study, [unheard, ev.Resumed(rater="B7")])
        receipt = one.submit(study, [answered(2)], after=known).result()
    assert [entry.event for entry in receipt.missed] == [unheard]
    assert receipt.numbers == [receipt.missed[0].seq + 2]


def test_nothing_is_stored_for_a_visit_that_ended(postgres: str) -> None:
    with Log.open(postgres) as log:
        study = f"s{uuid.uuid4().hex}"
        refused = log.submit(study, [answered(0)], visit="a token that nobody holds")
        kept = log.submit(study, [answered(1)])
        with pytest.raises(VisitEndedError):
            refused.result()
        assert len(kept.result().numbers) == 1
        assert [entry.event.step for entry in log.events(study) if isinstance(entry.event, ev.Answered)] == [1]
