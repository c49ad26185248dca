"""Interpretation scales: what others have called a value of that size, with the source and a caution.

A scale reads only the coefficients it was made for, so two coefficients on different scales are never read on one.
A `Reading` cannot be made without its citation.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from concordant.errors import InputError, nearest


@dataclass(frozen=True)
class Band:
    """A label for the values from `border` up to the next band; `is_closed` says whether the border itself belongs."""

    label: str
    border: float
    is_closed: bool = True

    def is_reached_by(self, value: float) -> bool:
        """Whether the value is at or beyond the border."""
        return value > self.border or (self.is_closed and value == self.border)


above = partial(Band, is_closed=False)


@dataclass(frozen=True, kw_only=True)
class Benchmark:
    """One scale: its bands from the lowest up. Which measures it reads, the measures say."""

    key: str
    name: str
    citation: str
    caution: str
    lowest: str
    bands: tuple[Band, ...]
    by_size: bool = False  # reads the absolute value: correlations may be negative

    def label(self, value: float) -> str:
        """The band of a value, borders exactly as published."""
        size = abs(value) if self.by_size else value
        return next((band.label for band in reversed(self.bands) if band.is_reached_by(size)), self.lowest)


KRIPPENDORFF = Benchmark(
    key="krippendorff",
    name="Krippendorff 1980",
    citation="Krippendorff, K. (1980). Content Analysis: An Introduction to Its Methodology. Sage.",
    caution="Rules of thumb for content analysis: what a wrong conclusion would cost sets the border, not the scale.",
    lowest="discard",
    bands=(Band("tentative", 0.67), Band("good", 0.8)),
)
LANDIS_KOCH = Benchmark(
    key="landis-koch",
    name="Landis & Koch 1977",
    citation="Landis, J. R., & Koch, G. G. (1977). The measurement of observer agreement for categorical data. "
    "Biometrics 33(1), 159-174.",
    caution="The authors call their borders arbitrary; kappa also moves with the number and shares of categories.",
    lowest="poor",
    bands=(
        Band("slight", 0.0),
        above("fair", 0.2),
        above("moderate", 0.4),
        above("substantial", 0.6),
        above("almost perfect", 0.8),
    ),
)
FLEISS = Benchmark(
    key="fleiss",
    name="Fleiss 1981",
    citation="Fleiss, J. L. (1981). Statistical Methods for Rates and Proportions, 2nd ed. Wiley.",
    caution="Made for clinical diagnoses; kappa also moves with the number and shares of categories.",
    lowest="poor",
    bands=(Band("fair to good", 0.40), above("excellent", 0.75)),
)
ROSENTHAL = Benchmark(
    key="rosenthal",
    name="Rosenthal 1996",
    citation="Rosenthal, J. A. (1996). Qualitative descriptors of strength of association and effect size. "
    "Journal of Social Service Research 21(4), 37-59.",
    caution="Says how strongly raters covary, not whether they agree: a stricter rater can correlate perfectly.",
    lowest="negligible",
    bands=(Band("small", 0.1), Band("medium", 0.3), Band("large", 0.5), Band("very large", 0.7)),
    by_size=True,
)
KOO_LI = Benchmark(
    key="koo-li",
    name="Koo & Li 2016",
    citation="Koo, T. K., & Li, M. Y. (2016). A guideline of selecting and reporting intraclass correlation "
    "coefficients for reliability research. Journal of Chiropractic Medicine 15(2), 155-163.",
    caution="Meant for the interval rather than the value; an intraclass correlation depends on how much units differ.",
    lowest="poor",
    bands=(Band("moderate", 0.5), Band("good", 0.75), above("excellent", 0.9)),
)
BENCHMARKS = {scale.key: scale for scale in (KRIPPENDORFF, LANDIS_KOCH, FLEISS, ROSENTHAL, KOO_LI)}
KAPPA_SCALES = (LANDIS_KOCH, FLEISS)


@dataclass(frozen=True, kw_only=True)
class Reading:
    """What a value is called, by whom, and what to mind."""

    label: str
    benchmark: str
    citation: str
    caution: str

    def __post_init__(self) -> None:
        """A reading without its source must be impossible."""
        if not (self.label and self.benchmark and self.citation and self.caution):
            raise ValueError("a reading needs a label, a benchmark, a citation and a caution")


def read_value(value: float, interval: Sequence[float] | None, benchmark: Benchmark) -> Reading:
    """The band of the value and, if it is another, of the interval's low end.

    Where size counts, the weakest point of the interval is the one nearest to zero.
    """
    label = cautious = benchmark.label(value)
    if interval is not None:
        low, high = interval
        cautious = benchmark.label(max(low, -high, 0.0) if benchmark.by_size else low)
    return Reading(
        label=label if cautious == label else f"{label}, low end {cautious}",
        benchmark=benchmark.name,
        citation=benchmark.citation,
        caution=benchmark.caution,
    )


def check_scales(names: Sequence[str]) -> None:
    """Refuse a scale that nobody knows."""
    for name in names:
        if name not in BENCHMARKS:
            raise InputError(f"unknown benchmark {name!r}", hint=nearest(name, list(BENCHMARKS)))


def not_made_for(reads_on: Sequence[Benchmark], names: Sequence[str]) -> str | None:
    """Which of the scales that were chosen were made for other measures than one that is read on `reads_on`."""
    others = [BENCHMARKS[name].name for name in names if BENCHMARKS[name] not in reads_on]
    return f"not read on {' or '.join(others)}: made for other measures" if others else None


def chosen_benchmark(measure: str, reads_on: Sequence[Benchmark], asked: str | None = None) -> Benchmark | None:
    """The scale that reads a measure: the one asked for, or the first made for it, or None if there is none."""
    if asked is None:
        return next(iter(reads_on), None)
    check_scales([asked])
    if BENCHMARKS[asked] not in reads_on:
        fitting = " or ".join(scale.key for scale in reads_on)
        hint = f"{measure} is read on {fitting}" if fitting else f"no published scale reads {measure}"
        raise InputError(f"{BENCHMARKS[asked].name} was not made for {measure}", hint=hint)
    return BENCHMARKS[asked]
