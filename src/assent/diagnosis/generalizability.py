"""Where the variance comes from: units, raters, and what is left; and the reliability to expect from k raters.

Units × raters, both random (Brennan 2001), from the mean squares of the units that every rater judged:

    units      (MSR - MSE) / k       raters      (MSC - MSE) / N       rest      MSE

A negative estimate is set to 0 and said so. For k raters:

    relative   units / (units + rest / k)               is the order of the units reproducible
    absolute   units / (units + (raters + rest) / k)    are their values reproducible
"""

from dataclasses import dataclass

from assent.engines.tally import Tally
from assent.measures.reliability import variances
from assent.model.scale import Level

RATERS_SHOWN = (1, 2, 3, 5, 10)


@dataclass(frozen=True, kw_only=True)
class ExpectedReliability:
    """What the mean of k raters is worth."""

    n_raters: int
    relative: float | None
    absolute: float | None


@dataclass(frozen=True, kw_only=True)
class Generalizability:
    """Variance components with their shares; `reason` says why there are none."""

    n_units: int
    n_raters: int
    units: float | None = None
    raters: float | None = None
    rest: float | None = None
    expected: tuple[ExpectedReliability, ...] = ()
    notes: tuple[str, ...] = ()
    reason: str | None = None

    @property
    def shares(self) -> dict[str, float]:
        """Each component as a share of all variance; empty without variance."""
        parts = {"units": self.units or 0.0, "raters": self.raters or 0.0, "rest": self.rest or 0.0}
        total = sum(parts.values())
        return {name: part / total for name, part in parts.items()} if total > 0 else {}


def generalizability(data: Tally) -> Generalizability:
    """Variance components of a question whose values can be averaged (ordered scales, or two categories)."""
    panel = data.panel
    n, k = int(panel.weights.sum()), len(panel.raters)
    problem = _problem(data, n, k)
    if problem:
        return Generalizability(n_units=n, n_raters=k, reason=problem)
    found = variances(panel)
    raw = {
        "units": float(found.msr - found.mse) / k,
        "raters": float(found.msc - found.mse) / n,
        "rest": float(found.mse),
    }
    units, raters, rest = (max(part, 0.0) for part in raw.values())
    notes = tuple(
        f"the estimate for {name} is negative ({part:.3g}) and set to 0" for name, part in raw.items() if part < 0
    )
    expected = tuple(_expected(size, units, raters, rest) for size in sorted({*RATERS_SHOWN, k}))
    return Generalizability(
        n_units=n, n_raters=k, units=units, raters=raters, rest=rest, expected=expected, notes=notes
    )


def _problem(data: Tally, n: int, k: int) -> str:
    """Why there are no components; empty if there are."""
    if not (data.scale.level.is_ordered or (data.scale.level is Level.NOMINAL and len(data.scale.categories) == 2)):
        return "values without an order have no variance"
    if k < 2:
        return "there is only one rater"
    return "" if n > 1 else f"{n} units were judged by all {k} raters, and two are needed"


def _expected(size: int, units: float, raters: float, rest: float) -> ExpectedReliability:
    """Reliability of the mean of `size` raters; None where nothing varies."""
    relative, absolute = units + rest / size, units + (raters + rest) / size
    return ExpectedReliability(
        n_raters=size,
        relative=units / relative if relative > 0 else None,
        absolute=units / absolute if absolute > 0 else None,
    )
