"""How far a study is: by set, by rater, and how long an answer takes."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from statistics import quantiles

from assent.collection.collected import Person
from assent.collection.following import Followed
from assent.collection.session import Study
from assent.design.ordering import Kind

GONE = timedelta(days=3)
"""Somebody who has begun and was not seen for this long has dropped out."""


@dataclass(frozen=True, kw_only=True)
class RaterProgress:
    """One rater: `state` is invited, working, gone or completed."""

    rater: str
    set_number: int | None
    state: str
    n_answered: int
    n_asked: int
    median_seconds: float | None
    last_at: str | None
    comment: str = ""

    @property
    def share(self) -> float:
        """How much of their set they have answered."""
        return self.n_answered / self.n_asked if self.n_asked else 0.0


@dataclass(frozen=True, kw_only=True)
class SetProgress:
    """One set: its size, and how many raters began, completed and left it."""

    number: int
    n_units: int
    n_begun: int
    n_completed: int
    n_gone: int


@dataclass(frozen=True, kw_only=True)
class Pace:
    """Seconds on a page for one question: quartiles over all answers."""

    question: str
    n: int
    low: float
    median: float
    high: float


@dataclass(frozen=True, kw_only=True)
class Progress:
    """A study's progress."""

    raters: tuple[RaterProgress, ...]
    sets: tuple[SetProgress, ...]
    paces: tuple[Pace, ...]
    n_answered: int

    def count(self, state: str) -> int:
        """How many raters are in a state."""
        return sum(rater.state == state for rater in self.raters)

    @property
    def n_begun(self) -> int:
        """How many raters came."""
        return len(self.raters) - self.count("invited")


def progress_of(study: Study, followed: Sequence[Followed], *, now: datetime | None = None) -> Progress:
    """The progress of everybody who came or was invited."""
    moment = now or datetime.now(UTC)
    came = {one.person.rater: _rater(one.person, moment) for one in followed}
    waiting = [_waiting(rater.id, rater.set) for rater in study.description.raters if rater.id not in came]
    raters = (*came.values(), *waiting)
    return Progress(
        raters=raters,
        sets=tuple(_set(number, ids, raters) for number, ids in enumerate(study.plan.sets)),
        paces=tuple(_paces(followed)),
        n_answered=sum(rater.n_answered for rater in raters),
    )


def _rater(person: Person, moment: datetime) -> RaterProgress:
    is_gone = moment - datetime.fromisoformat(person.last_at) > GONE
    state = "completed" if person.completed_at else "gone" if is_gone else "working"
    return RaterProgress(
        rater=person.rater,
        set_number=person.set_number,
        state=state,
        n_answered=person.n_answered,
        n_asked=person.n_asked,
        median_seconds=person.median_seconds,
        last_at=person.last_at,
        comment=person.comment,
    )


def _waiting(rater: str, set_number: int | None) -> RaterProgress:
    return RaterProgress(
        rater=rater,
        set_number=set_number,
        state="invited",
        n_answered=0,
        n_asked=0,
        median_seconds=None,
        last_at=None,
    )


def _set(number: int, ids: Sequence[str], raters: Iterable[RaterProgress]) -> SetProgress:
    states = [rater.state for rater in raters if rater.set_number == number and rater.state != "invited"]
    return SetProgress(
        number=number + 1,
        n_units=len(ids),
        n_begun=len(states),
        n_completed=states.count("completed"),
        n_gone=states.count("gone"),
    )


def _paces(followed: Sequence[Followed]) -> Iterable[Pace]:
    seconds: dict[str, list[float]] = defaultdict(list)
    for one in followed:
        for judgement in one.judgements:
            if judgement.kind is Kind.MAIN and judgement.seconds is not None:
                seconds[judgement.question].append(judgement.seconds)
    for question, values in seconds.items():
        low, middle, high = quantiles(values, n=4, method="inclusive") if len(values) > 1 else values * 3
        yield Pace(question=question, n=len(values), low=low, median=middle, high=high)
