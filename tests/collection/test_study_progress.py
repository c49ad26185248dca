"""Progress by rater and set, and how long answers take."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from concordant.collection.collected import FoldedRater, Judgement, Person
from concordant.collection.folding import LiveFold
from concordant.collection.log import Log
from concordant.collection.study_progress import Pace, SetProgress, progress_of
from concordant.design.description import Rater
from concordant.design.steps import StepKind
from tests.collection.playing import planned, play
from tests.design.samples import study

NOW = datetime(2026, 3, 10, 12, tzinfo=UTC)
SAMPLE = planned(study(n_units=4))


def test_states_sets_and_paces(log: Log) -> None:
    sample = planned(study(n_units=6, raters=tuple(Rater(id=id) for id in ("A1", "A2", "A3"))))
    play(log, sample, "A1")
    play(log, sample, "A2", n_events=4)
    following = LiveFold(log, sample)
    following.update()
    followed = list(following.raters.values())
    now = progress_of(sample, followed)
    assert {rater.rater: rater.state for rater in now.raters} == {"A1": "completed", "A2": "working", "A3": "invited"}
    assert (now.sets[0].n_units, now.sets[0].n_begun, now.sets[0].n_completed) == (6, 2, 1)
    assert now.paces[0].low <= now.paces[0].median <= now.paces[0].high
    assert now.raters[0].share == 1
    later = progress_of(sample, followed, now=datetime.now(UTC) + timedelta(days=4))
    assert later.count("gone") == later.sets[0].n_gone == 1


def rater(id: str, *, set_number: int | None = 0, last_at: datetime = NOW, seconds: Sequence[float | None] = (), completed: bool = False) -> FoldedRater:  # fmt: skip
    """Somebody who gave answers in so many seconds and was last seen then."""
    person = Person(
        rater=id, set_number=set_number, first_at="", last_at=last_at.isoformat(), n_asked=4, n_answered=len(seconds),
        completed_at=NOW.isoformat() if completed else None, gold_share=None, median_seconds=None, comment="",
    )  # fmt: skip
    judgements = tuple(
        Judgement(
            rater=id, set_number=0, unit="u", question="binary", value="yes", kind=StepKind.MAIN, trial=1, position=1,
            first_slot="", seconds=n, at="", n_given=1, is_finished=True,
        )
        for n in seconds
    )  # fmt: skip
    return FoldedRater(study=SAMPLE, person=person, judgements=judgements)


def test_somebody_is_gone_after_more_than_three_days() -> None:
    raters = [
        rater("just", last_at=NOW - timedelta(days=3)),
        rater("gone", last_at=NOW - timedelta(days=3, milliseconds=1)),
        rater("done", last_at=NOW - timedelta(days=30), completed=True),
    ]
    progress = progress_of(SAMPLE, raters, now=NOW)
    assert [(one.rater, one.state) for one in progress.raters] == [
        ("just", "working"), ("gone", "gone"), ("done", "completed"), ("A1", "invited"), ("A2", "invited")
    ]  # fmt: skip
    assert (progress.n_begun, progress.count("invited"), progress.count("gone")) == (3, 2, 1)


def test_sets_count_those_who_came_and_nobody_else() -> None:
    raters = [
        rater("a"),
        rater("b", set_number=1, completed=True),
        rater("c", set_number=1),
        rater("d", set_number=None),
    ]
    invited = tuple(Rater(id=f"i{n}", set=n) for n in range(2))
    sample = planned(study(n_units=5, n_sets=2, raters=invited))
    progress = progress_of(sample, raters, now=NOW)
    assert progress.sets == (
        SetProgress(number=1, n_units=3, n_begun=1, n_completed=0, n_gone=0),
        SetProgress(number=2, n_units=2, n_begun=2, n_completed=1, n_gone=0),
    )
    assert [(one.set_number, one.n_answered, one.n_asked, one.share) for one in progress.raters[-2:]] == [
        (0, 0, 0, 0.0), (1, 0, 0, 0.0)
    ]  # fmt: skip


def test_shares_and_paces() -> None:
    progress = progress_of(SAMPLE, [rater("a", seconds=[1, 2, None]), rater("b", seconds=[4, 9])], now=NOW)
    assert [one.share for one in progress.raters[:2]] == [0.75, 0.5]
    assert progress.n_answered == 5
    assert progress.paces == (Pace(question="binary", n=4, low=1.75, median=3.0, high=5.25),)
    one = progress_of(SAMPLE, [rater("a", seconds=[7])], now=NOW)
    assert one.paces == (Pace(question="binary", n=1, low=7, median=7, high=7),)
    two = progress_of(SAMPLE, [rater("a", seconds=[1, 3])], now=NOW)
    assert two.paces == (Pace(question="binary", n=2, low=1.5, median=2.0, high=2.5),)
    assert progress_of(SAMPLE, [rater("a", seconds=[None])], now=NOW).paces == ()
