"""The log: every event once, in order, with projections that can be made again."""

import gc
import sqlite3
import threading
import time
import uuid
import weakref
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, insert, select, text, update

from concordant.collection import database
from concordant.collection import events as ev
from concordant.collection.accounts import Accounts
from concordant.collection.database import LogError, raters
from concordant.collection.log import Log
from concordant.collection.store import EventConflictError, VisitEndedError
from concordant.design.description import Rater
from concordant.errors import InputError
from tests.collection.playing import planned, play, whole_session
from tests.design.samples import study


def answered(step: int = 0, value: object = "yes", rater: str = "A1", **more: Any) -> ev.Answered:
    parts: dict[str, Any] = {"unit": "u1", "question": "binary", **more}
    return ev.Answered(rater=rater, step=step, value=value, **parts)


def test_events_are_read_back_as_they_were(log: Log) -> None:
    events = [
        *whole_session(planned(study(3, ("patterns", "spans")))),
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
    made = planned(study(5, ("binary", "multilabel"), raters=tuple(Rater(id=f"r{i}") for i in range(6))))
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


def test_enrolment_is_kept_and_balanced_and_the_places_of_dropouts_are_given_again(log: Log) -> None:
    made = planned(study(6, n_sets=3, is_open=True))
    first = log.enrol(made, "p0")
    assert log.enrol(made, "p0") == first
    for i in range(1, 9):
        log.enrol(made, f"p{i}")
    sets = [standing.set_number for standing in log.standings("sample")]
    assert sorted(sets, key=str) == [0, 0, 0, 1, 1, 1, 2, 2, 2]
    for rater in [s.rater for s in log.standings("sample") if s.set_number != 1][:4]:
        log.append("sample", [ev.Completed(rater=rater)])
    days_ago = (datetime.now(UTC) - timedelta(hours=72, minutes=1)).isoformat()
    log.change(update(raters).where(raters.c.set_number == 1).values(last_at=days_ago))
    assert [log.enrol(made, f"late{i}").set_number for i in range(3)] == [1, 1, 1]
    log.change(update(raters).where(raters.c.completed_at.is_not(None)).values(last_at=days_ago))
    assert sorted(log.enrol(made, f"latest{i}").set_number for i in range(3)) == [0, 1, 2]  # who completed stays


def test_many_enrolling_at_once_stay_balanced(log: Log) -> None:
    made = planned(study(6, n_sets=3, is_open=True))
    with ThreadPoolExecutor(10) as pool:
        sets = list(pool.map(lambda i: log.enrol(made, f"p{i}").set_number, range(30)))
    assert sorted(sets) == [0] * 10 + [1] * 10 + [2] * 10


def test_only_invited_raters_are_enrolled(log: Log) -> None:
    made = planned(study(4, n_sets=2, raters=(Rater(id="A1", set=1),)))
    assert log.enrol(made, "A1").set_number == 1
    with pytest.raises(InputError, match="'A9' is not invited to 'sample'"):
        log.enrol(made, "A9")


def arriving(rater: str) -> dict[str, Any]:
    """A rater's coming, and the row of their browser's visit."""
    times = {"made_at": ev.now(), "expires_at": "2999-01-01"}
    visit = {"token_hash": f"token of {rater}", "role": "rater", "study": "sample", "who": rater, **times}
    return {"coming": [ev.Joined(rater=rater, link="open")], "visit": visit}


def test_who_comes_is_stored_with_visit_and_set_in_one_transaction(log: Log) -> None:
    made = planned(study(4, n_sets=2, is_open=True))
    stored = log.submit_arrival(made, "p0", enrol=True, **arriving("p0")).result()
    assert [(event.kind, seq) for event, seq in stored] == [("joined", 1), ("assigned", 2)]
    assert [entry.event.id for entry in log.events("sample")] == [event.id for event, _ in stored]
    visit = Accounts(log).visit("token of p0")
    assert visit is not None
    assert visit.who == "p0"
    [(again, number)] = log.submit_arrival(made, "p0", enrol=True).result()
    assert (again.id, number) == (stored[1][0].id, 2)  # the same set


def test_who_may_not_have_a_set_leaves_nothing(log: Log) -> None:
    made = planned(study(4, n_sets=2, raters=(Rater(id="A1", set=1),)))
    with pytest.raises(InputError, match="'A9' is not invited"):
        log.submit_arrival(made, "A9", enrol=True, **arriving("A9")).result()
    assert log.events("sample") == []
    assert Accounts(log).visit("token of A9") is None
    other = ev.Joined(rater="A1", link="open")
    log.append("sample", [other])
    future = log.submit_arrival(made, "A1", coming=[ev.Joined(id=other.id, rater="A1", link="personal")], enrol=True)
    with pytest.raises(EventConflictError):
        future.result()
    assert len(log.events("sample")) == 1


def test_a_mistake_in_what_stands_beside_the_log_touches_no_answer(log: Log) -> None:
    def mistake(connection: Connection) -> None:
        connection.execute(insert(raters), [{"study": "s", "rater": "A7", "first_at": "", "last_at": ""}])
        raise ZeroDivisionError

    begun, waiting = threading.Event(), threading.Event()

    def hold_up(connection: Connection) -> None:
        begun.set()
        waiting.wait(60)

    first = log.write(hold_up)
    begun.wait(60)  # what is handed in now is one group
    stored, failed = log.submit("s", [answered()]), log.write(mistake)
    twice = log.write(
        lambda c: c.execute(insert(raters), [{"study": "s", "rater": "A1", "first_at": "", "last_at": ""}])
    )
    waiting.set()
    first.result()
    assert stored.result().numbers == [1]
    with pytest.raises(ZeroDivisionError):
        failed.result()
    with pytest.raises(LogError):  # the answer has made that row
        twice.result()
    assert [standing.rater for standing in log.standings("s")] == ["A1"]


def test_news_are_all_that_happened_since_the_pages_that_were_shown_apart(log: Log) -> None:
    shown = ev.Shown(rater="A2", page="judging", step=0, guidelines="2")
    log.append("s", [one := answered(), shown])
    log.append("another", [answered(rater="B1")])
    assert log.news("s") == ([one], [("A2", "2", 0, 2)], 3)
    assert log.news("s", after=1) == ([], [("A2", "2", 0, 2)], 3)
    assert log.news("s", after=3) == ([], [], 3)


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


def test_many_events_sent_again_are_all_recognised(log: Log) -> None:
    events = [answered(i) for i in range(450)]
    assert log.append("s", events) == list(range(1, 451))
    more = answered(450)
    assert log.append("s", [*reversed(events), more]) == [*range(450, 0, -1), 451]
    assert len(log.events("s")) == 451


def test_an_event_is_stored_as_canonical_text_of_the_form_of_today(log: Log) -> None:
    event = answered(2, {"b": 1, "a": "ü"}, seconds=1.5)
    log.append("s", [event])
    [row] = log.read(select(database.events))
    body = '{"question":"binary","seconds":1.5,"step":2,"unit":"u1","value":{"a":"\\u00fc","b":1}}'
    assert (row.seq, row.study, row.rater, row.id, row.kind) == (1, "s", "A1", event.id, "answered")
    assert (row.at, row.body, row.v) == (event.at, body, 2)
    [answer] = log.read(select(database.answers))
    assert answer.value == '{"a": "\\u00fc", "b": 1}'


def test_the_log_is_read_by_study_by_rater_and_from_a_number_on(log: Log) -> None:
    log.append("s", [answered(0), answered(1, rater="B"), answered(2)])
    log.append("t", [answered(3)])
    assert [entry.seq for entry in log.events("s")] == [1, 2, 3]
    assert [entry.seq for entry in log.events("s", "A1")] == [1, 3]
    assert [entry.seq for entry in log.events("s", after=1)] == [2, 3]
    assert [entry.seq for entry in log.events("t")] == [4]
    assert [(answer.rater, answer.step) for answer in log.answers("s")] == [("A1", 0), ("A1", 2), ("B", 1)]
    assert [answer.step for answer in log.answers("s", "B")] == [1]
    assert [standing.rater for standing in log.standings("s")] == ["A1", "B"]
    assert [standing.rater for standing in log.standings("t")] == ["A1"]


def test_time_on_a_page_adds_up_and_is_unknown_until_it_is_known(log: Log) -> None:
    log.append("s", [answered(0), answered(1, seconds=2.0), answered(2)])
    assert [answer.seconds for answer in log.answers("s")] == [None, 2.0, None]
    log.append("s", [answered(0, seconds=1.5), answered(1), answered(2)])
    assert [(answer.seconds, answer.n_given) for answer in log.answers("s")] == [(1.5, 2), (2.0, 2), (0.0, 2)]


def test_putting_a_step_aside_clears_its_answers_and_no_others(log: Log) -> None:
    log.append("s", [answered(0), answered(0, question="other"), answered(1), answered(0, rater="B")])
    log.append("t", [answered(0)])
    [number] = log.append("s", [ev.Deferred(rater="A1", step=0, at="2026-03-01T10:00:00+00:00")])
    found = [(answer.rater, answer.step, answer.value) for answer in log.answers("s")]
    assert found == [("A1", 0, None), ("A1", 0, None), ("A1", 1, "yes"), ("B", 0, "yes")]
    assert (log.answers("s")[0].seq, log.answers("s")[0].at) == (number, "2026-03-01T10:00:00+00:00")
    assert [answer.value for answer in log.answers("t")] == ["yes"]


def test_the_first_assignment_and_the_first_end_count(log: Log) -> None:
    for set_number in (1, 0):
        log.append("s", [ev.Assigned(rater="A1", set_number=set_number, plan="p", steps=[])])
    log.append("s", [ev.Completed(rater="A1")])
    first = log.standings("s")[0]
    log.append("s", [ev.Completed(rater="A1"), ev.Resumed(rater="B")])
    second, other = log.standings("s")
    assert (second.set_number, second.completed_at, second.first_at) == (1, first.completed_at, first.first_at)
    assert first.completed_at is not None
    assert second.first_at <= first.last_at <= second.last_at
    assert (other.set_number, other.completed_at) == (None, None)


def test_a_projection_is_rebuilt_piece_by_piece(log: Log, monkeypatch: pytest.MonkeyPatch) -> None:
    log.append("s", [answered(i % 4, rater=f"r{i % 3}", seconds=1.0) for i in range(20)])
    before = (log.answers("s"), log.standings("s"))
    monkeypatch.setattr("concordant.collection.projections.CHUNK", 3)
    assert log.rebuild() == 20
    assert log.answers("s") == before[0]
    assert [standing.rater for standing in log.standings("s")] == ["r0", "r1", "r2"]


def test_what_is_refused_undoes_nothing_of_what_came_along(log: Log) -> None:
    row = {"name": "a", "value": "b"}

    def good(connection: Connection) -> str:
        connection.execute(insert(database.keys), [row])
        return "stored"

    def bad(connection: Connection) -> None:
        connection.execute(insert(database.keys), [{**row, "name": "c"}])
        raise InputError("no")

    futures = [log.write(work) for work in (good, bad)]
    assert futures[0].result() == "stored"
    with pytest.raises(InputError, match="no"):
        futures[1].result()
    assert [key.name for key in log.read(select(database.keys))] == ["a"]


def test_enrolment_looks_at_its_own_study_only(log: Log) -> None:
    one, two = (planned(study(6, n_sets=2, is_open=True, name=name)) for name in ("one", "two"))
    for i in range(6):
        if log.enrol(one, f"p{i}").set_number == 0:
            log.append("one", [ev.Completed(rater=f"p{i}")])
    assert sorted(log.enrol(two, f"p{i}").set_number for i in range(6)) == [0, 0, 0, 1, 1, 1]
    assert [log.enrol(made, "p0").plan for made in (one, two)] == [one.plan.hash, two.plan.hash]
    assert len(log.standings("one")) == len(log.standings("two")) == 6


def test_only_an_sqlite_file_has_one_writer(log: Log, url: str) -> None:
    assert log.is_shared == url.startswith("postgresql")


def test_what_was_written_is_not_held_until_the_next_writing(log: Log) -> None:
    class Much:
        """What a study comes to, which may be large."""

    much = Much()
    seen, end = weakref.ref(much), time.monotonic() + 60

    def write(connection: Connection, much: Much = much) -> None:
        assert much is not None

    assert log.write(write).result() is None
    del write, much
    while seen() is not None and time.monotonic() < end:  # the writing thread lets go a moment after it has answered
        gc.collect()
        time.sleep(0.01)
    assert seen() is None


def test_the_file_alone_holds_what_was_settled(tmp_path: Path) -> None:
    """Somebody copies study.db to a stick while the study is served."""
    file = tmp_path / "study.db"

    def in_the_file_alone() -> list[str]:
        """As a copy without what SQLite keeps beside it."""
        copy = tmp_path / "copy.db"
        copy.write_bytes(file.read_bytes())
        with closing(sqlite3.connect(copy)) as connection:
            found = [str(id) for (id,) in connection.execute("SELECT id FROM events")]
        copy.unlink()
        return found

    with Log.open(f"sqlite:///{file}") as log:
        log.settle()
        log.append("s", [event := answered()])
        assert in_the_file_alone() == []
        log.settle()
        assert in_the_file_alone() == [event.id]
