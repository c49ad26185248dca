"""What is kept of a fold is what the log comes to, or it is not used: on SQLite and on PostgreSQL."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import fields, replace
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

import pytest
from sqlalchemy import delete, insert, select, text, update

from concordant.collection import checkpoint as kept
from concordant.collection import events as ev
from concordant.collection.checkpoint import Checkpoint, Following, as_kept, awake, mark_of
from concordant.collection.database import checkpoints, events, folded
from concordant.collection.events import Event
from concordant.collection.folding import LiveFold
from concordant.collection.log import Log
from concordant.collection.session import Running, State
from concordant.design.description import Guidelines, Rater
from concordant.design.examples import STUDIES, example_names
from concordant.design.study_file import read
from concordant.tasks.question import Option, Question
from tests.collection.playing import planned, play
from tests.design.samples import study, units

CLASS = Question(
    id="class", task="categorical", ask="Which?", options=tuple(Option(value=v, label=v) for v in "abc"), not_sure=True
)
PEOPLE = ("A1", "A2", "A3")  # the last is a model
OUTCOMES = (ev.ANSWERED, ev.REFUSED, ev.MALFORMED)


@pytest.fixture(autouse=True)
def _early(monkeypatch: pytest.MonkeyPatch) -> None:
    """A checkpoint is due after every event."""
    monkeypatch.setattr(kept, "FEWEST", 1)
    monkeypatch.setattr(kept, "SHARE", 0.0)


@pytest.fixture
def made() -> Running:
    kinds = {"A3": "model"}
    raters = tuple(Rater(id=one, attributes={"team": one[-1]}, kind=kinds.get(one, "human")) for one in PEOPLE)
    guidelines = Guidelines(version="2", text="Be kind.")
    return planned(study(units=units(8), questions=(CLASS,), raters=raters, is_open=True, guidelines=guidelines))


def followed(log: Log, made: Running) -> LiveFold:
    """The fold as it is now, what is due of it kept."""
    fold = LiveFold(log, made)
    fold.update()
    keep(fold)
    return fold


def keep(fold: LiveFold) -> None:
    if (portion := fold.portion()) is not None:
        fold.checkpoint.keep(portion)


def anew(log: Log, made: Running) -> LiveFold:
    """The fold of the whole log, whatever is kept."""
    fold = LiveFold(log, made)
    fold.checkpoint.load = lambda: None  # type: ignore[method-assign]
    fold.update()
    return fold


def is_kept(log: Log, made: Running) -> bool:
    """Whether the next fold begins at a checkpoint."""
    return Checkpoint(log, made).load() is not None


def assert_same(found: LiveFold, wanted: LiveFold) -> None:
    """The same people, judgements and conflicts, with what cleaning makes of them."""
    assert found.collected() == wanted.collected()
    assert found.pages.versions == wanted.pages.versions
    assert {r: one.cleaned for r, one in found.raters.items()} == {r: one.cleaned for r, one in wanted.raters.items()}
    assert {r: one.unanswered for r, one in found.raters.items()} == {
        r: one.unanswered for r, one in wanted.raters.items()
    }
    assert found.seq == wanted.seq


def some_events(log: Log, made: Running, rater: str, random: Random, n: int) -> None:
    """Anything a rater may do, sensible or not, with pages that were shown between."""
    log.enrol(made, rater)
    name, told, done = made.description.name, list[str](), list[Event]()
    for _ in range(n):
        about: dict[str, Any] = {"rater": rater, "step": random.randint(0, 9)}
        revises = random.choice([None, [], told[-2:]])
        value = random.choice(["a", "b", "c", None])
        event = random.choice(
            [
                ev.Answered(
                    **about, unit="u1", question="class", value=value, seconds=random.random(), revises=revises
                ),
                ev.Answered(**about, unit="u1", question="class", value="a", revises=revises),
                ev.Deferred(**about, revises=revises),
                ev.Continued(**about, page="judging"),
                ev.WentBack(rater=rater, to=random.choice([None, 1, 2])),
                ev.Shown(**about, page="judging", guidelines="2"),
                ev.Commented(rater=rater, text="Fine."),
                ev.Quit(rater=rater),
                ev.Asked(**about, model="m", outcome=random.choice(OUTCOMES), sent="?", reply="!"),
                ev.Described(rater=rater, answers={"age": "30"}),
                ev.Consented(rater=rater, text="yes"),
            ]
        )
        done.append(event)
        told.append(event.id)
    log.append(name, done)


@pytest.mark.parametrize("seed", range(3))
def test_going_on_from_a_checkpoint_is_going_through_the_whole_log(url: str, made: Running, seed: int) -> None:
    """Whatever raters do, and however often it is kept between; whoever did nothing since is not even looked at."""
    random = Random(seed)
    for _ in range(4):
        with Log.open(url) as log:
            for rater in random.sample(PEOPLE, random.randint(1, 3)):
                some_events(log, made, rater, random, random.randint(1, 25))
            fold = LiveFold(log, made)
            fold.update()
            assert_same(fold, anew(log, made))
            for rater in PEOPLE[: random.randint(1, 2)]:
                some_events(log, made, rater, random, 3)
                fold.update()
                keep(fold)
            assert_same(fold, anew(log, made))
            assert is_kept(log, made)


@pytest.mark.parametrize("name", example_names())
def test_every_kind_of_study_goes_on_from_a_checkpoint(tmp_path: Path, name: str) -> None:
    """Training, gold, pairs, rankings, spans, parses: somebody stops in the middle and goes on after a restart."""
    made = planned(read(Path(str(STUDIES / name))))
    rater = made.description.raters[0].id if made.description.raters else "A1"
    with Log.open(f"sqlite:///{tmp_path}/study.db") as log:
        play(log, made, rater, n_events=20)
        followed(log, made)
        play(log, made, rater)
        play(log, made, "B2", n_events=9) if made.description.is_open else None
        fold = LiveFold(log, made)
        fold.update()
        assert rater in fold.checkpoint.load().raters  # type: ignore[union-attr]
        assert_same(fold, anew(log, made))


def test_all_of_a_state_is_kept(url: str, made: Running) -> None:
    with Log.open(url) as log:
        some_events(log, made, "A1", Random(5), 80)
        log.append("sample", [ev.Deferred(rater="A1", step=2)])
        fold = followed(log, made)
        state = fold._states["A1"]
        assert state.conflicts
        assert state.deferred
        comments, shown = fold._comments["A1"], fold.pages.of("A1")
        following = Following(state=state, comments=comments, shown=shown)
        again = awake(made, "A1", kept.packed(as_kept(following)), log)
        for one in fields(State):
            if one.name == "steps":
                assert list(again.state.steps) == list(state.steps)
            else:
                assert getattr(again.state, one.name) == getattr(state, one.name), one.name
        assert (list(again.comments), list(again.shown)) == (comments, shown)


def test_nothing_is_gone_through_again(log: Log, made: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    for rater in PEOPLE:
        play(log, made, rater)
    followed(log, made)
    fold = LiveFold(log, made)
    monkeypatch.setattr("concordant.collection.folding.advance", lambda *_: pytest.fail("gone through"))
    monkeypatch.setattr("concordant.collection.folding.awake", lambda *_: pytest.fail("woken"))
    assert fold.update() == set(PEOPLE)
    assert fold.update() == set()
    assert fold.raters["A2"].person.attributes == {"team": "2"}


def test_it_is_due_after_a_tenth_more(log: Log, made: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept, "FEWEST", 10)
    monkeypatch.setattr(kept, "SHARE", 0.5)
    about = Checkpoint(log, made, n_events=100)
    assert [about.is_due(n) for n in (100, 149, 150)] == [False, False, True]
    about.n_events = 4
    assert [about.is_due(n) for n in (13, 14)] == [False, True]


def test_whether_it_is_behind_is_told_by_lengths(log: Log, made: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is gathered for that; what is of another program counts as nothing."""
    monkeypatch.setattr(kept, "FEWEST", 10)
    monkeypatch.setattr(kept, "SHARE", 0.0)
    monkeypatch.setattr(Checkpoint, "load", lambda _: pytest.fail("gathered"))
    assert not Checkpoint(log, made).is_behind()
    some_events(log, made, "A1", Random(1), 12)
    assert Checkpoint(log, made).is_behind()
    monkeypatch.undo()
    monkeypatch.setattr(kept, "FEWEST", 10)
    monkeypatch.setattr(kept, "SHARE", 0.0)
    followed(log, made)
    assert not Checkpoint(log, made).is_behind()
    assert Checkpoint(log, replace(made, plan=replace(made.plan, hash="another"))).is_behind()
    said("{")(log)
    assert Checkpoint(log, made).is_behind()
    no_table(log)
    assert Checkpoint(log, made).is_behind()


def of_log(log: Log) -> None:
    """An event of the log is another one now."""
    log.change(update(events).where(events.c.seq == 3).values(received="2020-01-01T00:00:00.000+00:00"))


def shorter(log: Log) -> None:
    """A backup of before was put back."""
    last = log.read(select(events.c.seq).order_by(events.c.seq.desc()).limit(1))[0][0]
    log.change(delete(events).where(events.c.seq == last))


def a_byte(column: Any) -> Callable[[Log], None]:
    def change(log: Log) -> None:
        [[rater, value]] = log.read(select(folded.c.rater, column).order_by(folded.c.rater).limit(1))
        spoilt = value[:9] + bytes([value[9] ^ 1]) + value[10:]
        log.change(update(folded).where(folded.c.rater == rater).values({column.name: spoilt}))

    return change


def a_rater_less(log: Log) -> None:
    log.change(delete(folded).where(folded.c.rater == "A2"))


def a_rater_more(log: Log) -> None:
    log.change(insert(folded).values(study="sample", rater="A9", body=b"x", state=b"x"))


def two_changed_places(log: Log) -> None:
    rows = {rater: (body, state) for _, rater, body, state in log.read(select(folded))}
    for one, other in (("A1", "A2"), ("A2", "A1")):
        body, state = rows[other]
        log.change(update(folded).where(folded.c.rater == one).values(body=body, state=state))


def said(about: str) -> Callable[[Log], None]:
    return lambda log: log.change(update(checkpoints).values(about=about))


def torn(log: Log) -> None:
    [[about]] = log.read(select(checkpoints.c.about))
    said(about[: len(about) // 2])(log)


def further(log: Log) -> None:
    """It says that it goes further than it does."""
    [[about]] = log.read(select(checkpoints.c.about))
    seq = json.loads(about)["seq"]
    said(about.replace(f'"seq": {seq}', f'"seq": {seq - 1}'))(log)


def no_table(log: Log) -> None:
    for table in (checkpoints, folded):
        log.change(text(f"DROP TABLE {table.name}"))


DAMAGES = [
    *(of_log, shorter, a_byte(folded.c.body), a_byte(folded.c.state), a_rater_less, a_rater_more),
    *(two_changed_places, torn, further, said(""), said("{}"), said("[]"), said("null"), said("7"), no_table),
]


@pytest.mark.parametrize("damage", DAMAGES, ids=lambda one: getattr(one, "__name__", "it"))
def test_one_that_does_not_fit_is_thrown_away_and_made_again(
    url: str, made: Running, damage: Callable[[Log], None]
) -> None:
    with Log.open(url) as log:
        for rater in PEOPLE:
            play(log, made, rater)
        followed(log, made)
        assert is_kept(log, made)
        damage(log)
        assert not is_kept(log, made)
        some_events(log, made, "A1", Random(1), 2)
        assert_same(followed(log, made), anew(log, made))
        assert is_kept(log, made)
        assert_same(followed(log, made), anew(log, made))


def test_another_study_plan_or_program_begins_anew(log: Log, made: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    play(log, made, "A1")
    followed(log, made)
    described = made.description
    asked = replace(described, questions=(replace(CLASS, options=CLASS.options[:2]),))
    moved = replace(described, units=(replace(described.units[0], text="other"), *described.units[1:]))
    for other in (asked, moved, replace(described, open_rounds=1)):
        assert not is_kept(log, replace(made, description=other))
    assert not is_kept(log, replace(made, plan=replace(made.plan, hash="another")))
    more = replace(made, description=replace(described, raters=(*described.raters, Rater(id="new"))))
    assert is_kept(log, more)
    monkeypatch.setattr(kept, "VERSION", "9.9")
    kept._program.cache_clear()
    assert not is_kept(log, made)
    monkeypatch.undo()
    kept._program.cache_clear()


def test_a_kind_of_question_that_was_changed_begins_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The files of the program and of what other packages add are in the mark, byte for byte."""
    added = ModuleType("added")
    added.__file__ = str(tmp_path / "added.py")
    monkeypatch.setitem(sys.modules, "added", added)
    marks = set()
    for source in (None, "", "x = 1", "x = 2"):
        if source is not None:
            Path(added.__file__).write_text(source, encoding="utf-8")
        kept._program.cache_clear()
        marks.add(kept._program("added"))
    kept._program.cache_clear()
    assert len(marks) == 3  # a file that is not there, or says nothing, adds nothing


def test_the_mark_of_a_study_is_the_same_in_another_process(made: Running) -> None:
    program = (
        "from concordant.collection.checkpoint import mark_of\nfrom tests.collection.playing import planned\n"
        "from concordant.design.examples import STUDIES, example_names\nfrom concordant.design.study_file import read\n"
        "for name in example_names(): print(mark_of(planned(read(STUDIES / name))))"
    )
    said = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed},
            cwd=Path(__file__).parents[2],
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(said) == 1
    assert len(set(said.pop().split())) == len(example_names())
    assert mark_of(made) == mark_of(replace(made))


def test_rebuilding_throws_it_away(log: Log, made: Running) -> None:
    play(log, made, "A1")
    followed(log, made)
    log.rebuild()
    assert not is_kept(log, made)


def test_two_servers_keep_one_checkpoint(log: Log, made: Running) -> None:
    """Neither writes half of its own into what the other wrote."""
    one, other = LiveFold(log, made), LiveFold(log, made)
    for turn in range(6):
        some_events(log, made, PEOPLE[turn % 3], Random(turn), 4)
        for fold in (one, other)[:: 1 if turn % 2 else -1]:
            fold.update()
            keep(fold)
        later = LiveFold(log, made)
        later.update()
        assert_same(later, anew(log, made))
    assert is_kept(log, made)


def test_what_could_not_be_written_is_written_whole_the_next_time(
    log: Log, made: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A disk was full for a moment: raters that changed before are not forgotten."""
    for rater in PEOPLE:
        play(log, made, rater, n_events=4)
    fold = followed(log, made)
    some_events(log, made, "A1", Random(2), 3)
    fold.update()
    portion = fold.portion()
    assert portion is not None
    monkeypatch.setattr(log, "write", lambda work: pytest.fail("disk full"))
    with pytest.raises(pytest.fail.Exception):
        fold.checkpoint.keep(portion)
    monkeypatch.undo()
    monkeypatch.setattr(kept, "FEWEST", 1)
    monkeypatch.setattr(kept, "SHARE", 0.0)
    some_events(log, made, "A2", Random(3), 3)
    fold.update()
    keep(fold)
    assert is_kept(log, made)
    later = LiveFold(log, made)
    later.update()
    assert_same(later, anew(log, made))


KEEPER = """
import sys
from random import Random
from concordant.collection import checkpoint
from concordant.collection.folding import LiveFold
from concordant.collection.log import Log
from tests.collection.test_checkpoint import keep, made_for_killing, some_events
checkpoint.FEWEST, checkpoint.SHARE = 1, 0.0
made = made_for_killing()
log = Log.open(sys.argv[1])
fold, random = LiveFold(log, made), Random(sys.argv[2])
print("begun", flush=True)
while True:
    some_events(log, made, random.choice(["A1", "A2", "A3"]), random, 3)
    fold.update()
    keep(fold)
    print("kept", flush=True)
"""


def made_for_killing() -> Running:
    return planned(study(units=units(8), questions=(CLASS,), is_open=True))


def test_kill_9_while_it_is_written(url: str) -> None:
    """Whatever moment it is: the next start has the checkpoint of before or of after, and what the log comes to."""
    made, random, n_kept = made_for_killing(), Random(7), 0
    for turn in range(5):
        process = subprocess.Popen(
            [sys.executable, "-c", KEEPER, url, str(turn)],
            cwd=Path(__file__).parents[2],
            env={**os.environ, "PYTHONPATH": str(Path(kept.__file__).parents[2])},
            stdout=subprocess.PIPE,
        )
        assert process.stdout is not None
        for _ in range(6):
            assert process.stdout.readline() in {b"begun\n", b"kept\n"}
        time.sleep(random.uniform(0, 0.02))
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        process.stdout.close()
        with Log.open(url) as log:
            n_kept += is_kept(log, made)
            fold = LiveFold(log, made)
            fold.update()
            assert_same(fold, anew(log, made))
    assert n_kept == 5
