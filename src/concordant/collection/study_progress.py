"""How far a study is: by set, by rater, how long an answer takes; and how far its researchers want to go."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from statistics import quantiles

from sqlalchemy import delete, insert, select

from concordant.collection.collected import FoldedRater
from concordant.collection.database import targets
from concordant.collection.log import BesideLog
from concordant.collection.session import Running
from concordant.design.steps import JUDGED
from concordant.errors import InputError

DEFAULT_WIDTH = 0.2


@dataclass(frozen=True, kw_only=True)
class RaterProgress:
    """One rater: `state` is invited, working, gone, completed, or why they could not go on."""

    rater: str
    set_number: int | None
    state: str = "invited"
    n_answered: int = 0
    n_asked: int = 0
    median_seconds: float | None = None
    last_at: str | None = None
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


def progress_of(study: Running, folded: Sequence[FoldedRater], *, now: datetime | None = None) -> Progress:
    """The progress of everybody who came or was invited."""
    moment, gone_after = now or datetime.now(UTC), timedelta(hours=study.description.recruitment.gone_after)
    same = ("rater", "set_number", "n_answered", "n_asked", "median_seconds", "last_at", "comment")
    raters = []
    for person in (one.person for one in folded):
        is_gone = moment - datetime.fromisoformat(person.last_at) > gone_after
        state = person.ended or ("completed" if person.completed_at else "gone" if is_gone else "working")
        raters.append(RaterProgress(state=state, **{name: getattr(person, name) for name in same}))
    came = {one.rater for one in raters}
    invited = [rater for rater in study.description.raters if rater.id not in came]
    raters += [RaterProgress(rater=rater.id, set_number=rater.set) for rater in invited]
    sets = []
    for number, ids in enumerate(study.plan.sets):
        states = [rater.state for rater in raters if rater.set_number == number and rater.state != "invited"]
        counts = {f"n_{state}": states.count(state) for state in ("completed", "gone")}
        sets.append(SetProgress(number=number + 1, n_units=len(ids), n_begun=len(states), **counts))
    seconds: dict[str, list[float]] = defaultdict(list)
    for judgement in (judgement for one in folded for judgement in one.judgements):
        if judgement.kind in JUDGED and judgement.seconds is not None:
            seconds[judgement.question].append(judgement.seconds)
    paces = []
    for question, values in seconds.items():
        low, middle, high = quantiles(values, n=4, method="inclusive") if len(values) > 1 else values * 3
        paces.append(Pace(question=question, n=len(values), low=low, median=middle, high=high))
    return Progress(
        raters=tuple(raters),
        sets=tuple(sets),
        paces=tuple(paces),
        n_answered=sum(rater.n_answered for rater in raters),
    )


class Targets(BesideLog):
    """What researchers aim at: how narrow the interval of a coefficient shall be before collecting stops."""

    def width(self, study: str) -> float:
        """The width aimed at."""
        found = self.log.read(select(targets.c.width).where(targets.c.study == study))
        return float(found[0].width) if found else DEFAULT_WIDTH

    def aim(self, study: str, width: float) -> None:
        """Set the width aimed at."""
        if not 0 < width < 2:
            raise InputError(f"an interval cannot be {width:g} wide", hint="say a number such as 0.2")
        new = insert(targets).values(study=study, width=width)
        self.log.change(delete(targets).where(targets.c.study == study), new)
