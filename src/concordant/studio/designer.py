"""Who judges what in a study that is built: the facts of its plan, a picture of it, and how sure results will be.

The plan is the one that would be made on publishing, so the facts are those that the command `design` prints.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from concordant.design.assignment import ASSUMED
from concordant.design.plan import Plan, make_plan
from concordant.design.study_file import read
from concordant.errors import ConcordantError
from concordant.studio.drafts import WorkingDraft
from concordant.uncertainty.expectation import Expectation, alpha_width, expected_of

MOST_LINES, MOST_COLUMNS = 30, 12
SECONDS, RATE = 10.0, 15.0
BAND = (0.4, 0.8)
SHARES = (0.25, 0.3, 0.35, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.1, 1.2, 1.35, 1.5, 1.65, 1.8, 2, 2.2)
"""Of the units there are: where the curve is drawn, and where its dot can stand."""
LIMITS = {"raters": (1, 10_000), "seconds": (0.1, 3600), "rate": (0, 10_000)}


@dataclass(frozen=True, kw_only=True)
class CurvePoint:
    """The width expected with so many units: for the assumed agreement, and for a lower and a higher one."""

    n_units: int
    width: float
    low: float
    high: float


@dataclass(frozen=True, kw_only=True)
class DesignFacts:
    """What the page of the assignment shows; `problem` where no plan can be made yet."""

    problem: str = ""
    expectation: Expectation | None = None
    lines: Sequence[Sequence[bool]] = ()
    units_in_line: int = 1
    n_sets: int = 0
    curve: Sequence[CurvePoint] = ()
    seconds: float = SECONDS
    rate: float = RATE
    raters: int | None = None
    assumed: float = ASSUMED

    @property
    def place(self) -> int:
        """Where on the curve the plan is."""
        wanted = 0 if self.expectation is None else self.expectation.n_units
        return next((place for place, point in enumerate(self.curve) if point.n_units >= wanted), 0)

    @property
    def hours(self) -> float:
        """How long all judging takes together."""
        return 0.0 if self.expectation is None else self.expectation.n_judgements * self.seconds / 3600

    @property
    def hours_of_a_rater(self) -> float:
        """How long one rater takes at most."""
        found = self.expectation
        return 0.0 if found is None else found.most_of_a_rater * found.n_questions * self.seconds / 3600

    @property
    def cost(self) -> float:
        """What it costs at the rate for an hour."""
        return self.hours * self.rate


def design_of(draft: WorkingDraft, asked: Mapping[str, str] | None = None) -> DesignFacts:
    """The facts of the draft's plan; `asked` may say how many raters, the seconds for a judgement, the rate."""
    told = {name: _number(asked or {}, name) for name in LIMITS}
    seconds = told["seconds"] if told["seconds"] is not None else SECONDS
    rate = told["rate"] if told["rate"] is not None else RATE
    raters = None if told["raters"] is None else int(told["raters"])
    try:
        description = read(draft.folder)
        plan = make_plan(description)
    except ConcordantError as error:
        found = getattr(error, "problems", None)
        return DesignFacts(problem=found[0].what if found else str(error), seconds=seconds, rate=rate, raters=raters)
    found = expected_of(description, plan, raters)
    lines, in_line = picture(plan)
    return DesignFacts(
        expectation=found,
        lines=lines,
        units_in_line=in_line,
        n_sets=len(plan.sets),
        curve=curve(found),
        seconds=seconds,
        rate=rate,
        raters=raters,
    )


def _number(asked: Mapping[str, str], name: str) -> float | None:
    low, high = LIMITS[name]
    with suppress(ValueError):
        value = float(asked.get(name, "").replace(",", "."))
        return min(max(value, low), high)
    return None


def picture(plan: Plan) -> tuple[list[list[bool]], int]:
    """Which sets units are in, those of most sets first; one line stands for several units."""
    where: dict[str, list[int]] = {}
    for number, ids in enumerate(plan.sets[:MOST_COLUMNS]):
        for id in ids:
            where.setdefault(id, []).append(number)
    ordered = sorted(where.values(), key=lambda sets: -len(sets))
    in_line = max(1, -(-len(ordered) // MOST_LINES))
    n = min(len(plan.sets), MOST_COLUMNS)
    return [[number in sets for number in range(n)] for sets in ordered[in_line // 2 :: in_line]], in_line


def curve(found: Expectation) -> list[CurvePoint]:
    """The expected width for other numbers of units that are judged as often."""
    if found.answers is None:
        return []
    points = []
    for n in sorted({max(2, round(found.n_units * share)) for share in SHARES}):
        sizes = Counter({times: max(1, round(count * n / found.n_units)) for times, count in found.per_unit.items()})
        middle, *ends = (alpha_width(sizes, found.answers, agreement) or 0.0 for agreement in (ASSUMED, *BAND))
        points.append(CurvePoint(n_units=n, width=middle, low=min(ends), high=max(ends)))
    return points
