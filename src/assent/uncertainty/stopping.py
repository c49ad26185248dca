"""When to stop collecting: how wide the interval is now, how wide it may be, and what it takes to get there."""

from dataclasses import dataclass
from typing import Literal

from assent.engines.tally import Tally
from assent.errors import InputError
from assent.measures.result import Agreement
from assent.uncertainty.planning import Recommendation, plan

FEWEST_UNITS = 10
"""A bootstrap of fewer units can draw only a few different samples: its interval is too narrow to stop at."""


@dataclass(frozen=True, kw_only=True)
class Stopping:
    """One question: the coefficient, its interval's width against the target, and how many units or raters it takes.

    `more_units` is None when it cannot be said; then `reason` says why. The same for raters.
    """

    result: Agreement
    target: float
    units: Recommendation | None = None
    raters: Recommendation | None = None
    units_reason: str | None = None
    raters_reason: str | None = None

    @property
    def width(self) -> float | None:
        """The width of the interval now."""
        return None if self.result.interval is None else self.result.interval.width

    @property
    def is_reached(self) -> bool:
        """Whether the interval is narrow enough, and rests on enough units to be believed."""
        return self.width is not None and self.width <= self.target and self.result.n_units >= FEWEST_UNITS

    @property
    def fewest(self) -> int:
        """How many units an interval should rest on."""
        return FEWEST_UNITS

    @property
    def is_too_small(self) -> bool:
        """Whether the interval is narrow only because there are hardly any units."""
        return self.width is not None and self.width <= self.target and not self.is_reached

    @property
    def more_units(self) -> int | None:
        """How many more units it takes."""
        return None if self.units is None else max(0, self.units.size - self.units.now)

    @property
    def more_raters(self) -> int | None:
        """How many more raters it takes."""
        return None if self.raters is None else max(0, self.raters.size - self.raters.now)


def stopping(data: Tally, result: Agreement, target: float, *, resamples: int = 400, seed: int = 1) -> Stopping:
    """Compare a result with the target, and plan for the rest if it is not reached."""
    reached = Stopping(result=result, target=target)
    if reached.is_reached or reached.is_too_small or result.value is None:
        return reached
    units, units_reason = _planned(data, result, target, "units", resamples, seed)
    raters, raters_reason = _planned(data, result, target, "raters", resamples, seed)
    return Stopping(
        result=result,
        target=target,
        units=units,
        raters=raters,
        units_reason=units_reason,
        raters_reason=raters_reason,
    )


def _planned(
    data: Tally, result: Agreement, target: float, of: Literal["units", "raters"], resamples: int, seed: int
) -> tuple[Recommendation | None, str | None]:
    try:
        return plan(data, result.measure, width=target, of=of, resamples=resamples, seed=seed), None
    except InputError as error:
        return None, str(error)
