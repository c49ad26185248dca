"""Following a log step by step gives what reading it whole gives: the same people, rows and digits."""

from pathlib import Path
from random import Random

from assent.cli.init import STUDIES
from assent.collection.collected import collect
from assent.collection.events import Event
from assent.collection.following import Following
from assent.collection.log import Log
from assent.collection.session import Study
from assent.design.planning import make_plan
from assent.design.study_file import read
from assent.readers.log import Encoding
from assent.uncertainty.studies import measure_study
from tests.collection.playing import whole_session


def example(name: str) -> Study:
    description = read(Path(str(STUDIES / name)))
    return Study(description=description, plan=make_plan(description))


def interleaved(study: Study, raters: list[str]) -> list[Event]:
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
    following, encoding = Following(log, study), Encoding(study)
    for start in range(0, len(events), 40):
        log.append(study.description.name, events[start : start + 40])
        following.update()
        encoding.study(following.raters)
    assert following.collected() == collect(log, study)
    fresh = Following(log, study)
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
    following = Following(log, study)
    log.append(study.description.name, whole_session(study, "A1"))
    assert following.update() == {"A1"}
    before = following.raters["A1"]
    log.append(study.description.name, whole_session(study, "A2")[:30])
    assert following.update() == {"A2"}
    assert following.raters["A1"] is before
    assert following.update() == frozenset()
