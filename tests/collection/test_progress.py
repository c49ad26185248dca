"""Progress by rater and set, and how long answers take."""

from datetime import UTC, datetime, timedelta

from assent.collection.following import Following
from assent.collection.log import Log
from assent.collection.progress import progress_of
from assent.design.description import Rater
from tests.collection.playing import planned, play
from tests.design.samples import study


def test_states_sets_and_paces(log: Log) -> None:
    sample = planned(study(n_units=6, raters=tuple(Rater(id=id) for id in ("A1", "A2", "A3"))))
    play(log, sample, "A1")
    play(log, sample, "A2", n_events=4)
    following = Following(log, sample)
    following.update()
    followed = list(following.raters.values())
    now = progress_of(sample, followed)
    assert {rater.rater: rater.state for rater in now.raters} == {"A1": "completed", "A2": "working", "A3": "invited"}
    assert (now.sets[0].n_units, now.sets[0].n_begun, now.sets[0].n_completed) == (6, 2, 1)
    assert now.paces[0].low <= now.paces[0].median <= now.paces[0].high
    assert now.raters[0].share == 1
    later = progress_of(sample, followed, now=datetime.now(UTC) + timedelta(days=4))
    assert later.count("gone") == later.sets[0].n_gone == 1
