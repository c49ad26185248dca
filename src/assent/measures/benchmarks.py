"""Interpretation scales: what others have called a value of that size, with the source and a caution.

A scale reads only the coefficients it was made for, so two coefficients on different scales are never read on one.
A `Reading` cannot be made without its citation.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from assent.errors import InputError, nearest

WEIGHTED = frozenset({"weighted_kappa_linear", "weighted_kappa_quadratic", "weighted_kappa", "ac2", "brennan_prediger"})
SETS = frozenset({"set_full", "set_weighted", "set_overlapping"})
KAPPAS = frozenset({"s", "pi", "fleiss", "kappa", "conger", "light", "ac1", "y_option"}) | WEIGHTED | SETS
ALPHAS = frozenset({"alpha", "alpha_u"})
CORRELATIONS = frozenset({"gk_gamma", "tau_b", "tau_c", "somers_d", "spearman", "pearson"})
INTRACLASS = frozenset({"icc1", "icc1k", "icc_a1", "icc_ak", "icc_c1", "icc_ck"})


@dataclass(frozen=True, kw_only=True)
class Band:
    """A label for the values from `border` up to the next band; `is_closed` says whether the border itself belongs."""

    label: str
    border: float
    is_closed: bool = True

    def is_reached_by(self, value: float) -> bool:
        """Whether the value is at or beyond the border."""
        return value > self.border or (self.is_closed and value == self.border)


@dataclass(frozen=True, kw_only=True)
class Benchmark:
    """One scale: its bands from the lowest up and the keys of the measures it may read."""

    key: str
    name: str
    citation: str
    caution: str
    measures: frozenset[str]
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
    measures=ALPHAS,
    lowest="discard",
    bands=(Band(label="tentative", border=0.67), Band(label="good", border=0.8)),
)
LANDIS_KOCH = Benchmark(
    key="landis-koch",
    name="Landis & Koch 1977",
    citation="Landis, J. R., & Koch, G. G. (1977). The measurement of observer agreement for categorical data. "
    "Biometrics 33(1), 159-174.",
    caution="The authors call their borders arbitrary; kappa also moves with the number and shares of categories.",
    measures=KAPPAS,
    lowest="poor",
    bands=(
        Band(label="slight", border=0.0),
        Band(label="fair", border=0.2, is_closed=False),
        Band(label="moderate", border=0.4, is_closed=False),
        Band(label="substantial", border=0.6, is_closed=False),
        Band(label="almost perfect", border=0.8, is_closed=False),
    ),
)
FLEISS = Benchmark(
    key="fleiss",
    name="Fleiss 1981",
    citation="Fleiss, J. L. (1981). Statistical Methods for Rates and Proportions, 2nd ed. Wiley.",
    caution="Made for clinical diagnoses; kappa also moves with the number and shares of categories.",
    measures=KAPPAS,
    lowest="poor",
    bands=(Band(label="fair to good", border=0.40), Band(label="excellent", border=0.75, is_closed=False)),
)
ROSENTHAL = Benchmark(
    key="rosenthal",
    name="Rosenthal 1996",
    citation="Rosenthal, J. A. (1996). Qualitative descriptors of strength of association and effect size. "
    "Journal of Social Service Research 21(4), 37-59.",
    caution="Says how strongly raters covary, not whether they agree: a stricter rater can correlate perfectly.",
    measures=CORRELATIONS,
    lowest="negligible",
    bands=(
        Band(label="small", border=0.1),
        Band(label="medium", border=0.3),
        Band(label="large", border=0.5),
        Band(label="very large", border=0.7),
    ),
    by_size=True,
)
KOO_LI = Benchmark(
    key="koo-li",
    name="Koo & Li 2016",
    citation="Koo, T. K., & Li, M. Y. (2016). A guideline of selecting and reporting intraclass correlation "
    "coefficients for reliability research. Journal of Chiropractic Medicine 15(2), 155-163.",
    caution="Meant for the interval rather than the value; an intraclass correlation depends on how much units differ.",
    measures=INTRACLASS,
    lowest="poor",
    bands=(
        Band(label="moderate", border=0.5),
        Band(label="good", border=0.75),
        Band(label="excellent", border=0.9, is_closed=False),
    ),
)
BENCHMARKS = {scale.key: scale for scale in (KRIPPENDORFF, LANDIS_KOCH, FLEISS, ROSENTHAL, KOO_LI)}


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
    """The band of the value and, if it is another, of the interval's low end."""
    label = benchmark.label(value)
    cautious = label if interval is None else benchmark.label(_weakest(interval, benchmark))
    return Reading(
        label=label if cautious == label else f"{label}, low end {cautious}",
        benchmark=benchmark.name,
        citation=benchmark.citation,
        caution=benchmark.caution,
    )


def _weakest(interval: Sequence[float], benchmark: Benchmark) -> float:
    """The low end; where size counts, the point of the interval that is nearest to zero."""
    low, high = interval
    return max(low, -high, 0.0) if benchmark.by_size else low


def benchmark_for(measure: str, asked: str | None = None) -> Benchmark | None:
    """The scale that reads a measure: the one asked for, or the first made for it, or None if there is none."""
    if asked is None:
        return next((scale for scale in BENCHMARKS.values() if measure in scale.measures), None)
    if asked not in BENCHMARKS:
        raise InputError(f"unknown benchmark {asked!r}", hint=nearest(asked, list(BENCHMARKS)))
    if measure not in BENCHMARKS[asked].measures:
        fitting = [scale.key for scale in BENCHMARKS.values() if measure in scale.measures]
        hint = f"{measure} is read on {' or '.join(fitting)}" if fitting else f"no published scale reads {measure}"
        raise InputError(f"{BENCHMARKS[asked].name} was not made for {measure}", hint=hint)
    return BENCHMARKS[asked]
