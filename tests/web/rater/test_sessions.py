"""What a rater's session in memory holds."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from concordant.collection.events import Answered, Event, Joined, Shown
from concordant.collection.log import Log
from concordant.collection.session import Running
from concordant.design.description import Description
from concordant.design.plan import make_plan
from concordant.tasks.question import Option, Question, Unit
from concordant.web.rater.sessions import Sessions, shown


def open_study() -> Running:
    units = tuple(Unit(id=f"u{i}", item=f"u{i}", text=f"text {i}") for i in range(3))
    options = tuple(Option(value=value, label=value) for value in ("yes", "no"))
    question = Question(id="word", task="categorical", ask="Is it a word?", options=options)
    about = {"title": "Words", "folder": Path(), "is_open": True, "questions": (question,), "units": units}
    description = Description(name="words", rows=units, **about)  # type: ignore[arg-type]
    return Running(description=description, plan=make_plan(description))


def test_pages_shown_are_not_remembered_and_the_last_one_is_on_display(tmp_path: Path) -> None:
    study = open_study()

    async def go(log: Log) -> None:
        sessions = Sessions(log)
        said: list[Event] = [Joined(rater="A", link="open")]
        async with sessions.of(study, "A", is_new=True) as session:
            await sessions.record(session, said)
            await sessions.enrol(session)
            for step, value in enumerate(("yes", "no")):
                unit = session.state.steps[step].unit
                said.append(Answered(rater="A", step=step, unit=unit, question="word", value=value, revises=[]))
                await sessions.record(session, said[-1:])
                await sessions.record(session, said[-1:])  # the browser sends it again
            kept = session
        async with Sessions(log).of(study, "A") as read:  # another server, from the log
            assert (read.seq, read.ids, read.shown, read.state) == (kept.seq, kept.ids, kept.shown, kept.state)
        stored = [entry.event for entry in log.events("words")]
        pages = [event for event in stored if isinstance(event, Shown)]
        assert [event.step for event in pages] == [0, 1, 2]
        assert kept.shown == pages[-1]
        assert kept.ids == {event.id for event in stored} - {event.id for event in pages}
        kept.take(pages[0], kept.seq - 1)
        assert kept.shown == pages[-1]  # an earlier page that is heard of later is not on display
        kept.take(later := shown(kept.state), kept.seq + 1)
        assert kept.shown is later

    # a browser of other tests may have a loop of its own in this thread
    with Log.open(f"sqlite:///{tmp_path / 'study.db'}") as log, ThreadPoolExecutor(1) as elsewhere:
        elsewhere.submit(asyncio.run, go(log)).result()


def test_memory_is_for_those_at_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Sessions are bounded in number and in events; one that somebody waits for is never made a second time."""
    study = open_study()
    monkeypatch.setattr("concordant.web.rater.sessions.MOST", 3)
    monkeypatch.setattr("concordant.web.rater.sessions.MOST_EVENTS", 20)
    monkeypatch.setattr("concordant.web.rater.sessions.MANY_EVENTS", 18)

    async def go(log: Log) -> None:
        sessions = Sessions(log)

        async def work(rater: str, n: int) -> None:
            for number in range(n):
                async with sessions.of(study, rater) as session:
                    await sessions.enrol(session)
                    unit = session.state.steps[0].unit
                    value = ("yes", "no")[number % 2]
                    said = Answered(rater=rater, step=0, unit=unit, question="word", value=value, revises=[])
                    await sessions.record(session, [said])
                    held = {id(one) for one in sessions._sessions.values()}
                    assert id(session) in held

        for rater in "ABCDE":
            await work(rater, 2)
            assert len(sessions._sessions) <= 3
        for rater in "FGH":
            await work(rater, 15)
        assert list(sessions._sessions) == [("words", "H")]  # two of them have more events than there may be
        assert sessions._n_events == sum(len(one.ids) for one in sessions._sessions.values())
        monkeypatch.setattr("concordant.web.rater.sessions.MOST_EVENTS", 1000)
        await work("I", 5)
        assert {rater for _, rater in sessions._sessions} == {"H", "I"}  # both were at work a moment ago
        monkeypatch.setattr("concordant.web.rater.sessions.IDLE", 0.0)
        await work("J", 5)
        assert {rater for _, rater in sessions._sessions} == {"I", "J"}
        await asyncio.gather(*(work(rater, 8) for rater in "AABBCCDDEE"))
        async with sessions.of(study, "A") as session, Sessions(log).of(study, "A") as read:
            assert (read.seq, read.ids, read.state) == (session.seq, session.ids, session.state)
        assert sessions._n_events == sum(len(one.ids) for one in sessions._sessions.values())
        assert all(one.n_users == 0 for one in sessions._sessions.values())

    with Log.open(f"sqlite:///{tmp_path / 'study.db'}") as log, ThreadPoolExecutor(1) as elsewhere:
        elsewhere.submit(asyncio.run, go(log)).result()
