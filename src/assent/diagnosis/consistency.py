"""Agreement and correlation together: what two raters' numbers say about how they judge (Amidei, Piwek & Willis 2019).

Low agreement has different causes with different remedies. Raters who covary but differ in level need a common
standard; raters who neither agree nor covary read the question differently; raters who agree only because nearly
everything gets one category have not been tested at all. What each verdict means is decided in `verdicts`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from assent.measures.result import Agreement, Interval


class Verdict(StrEnum):
    """What is the matter with two raters, in a phrase."""

    AGREE = "agree and covary"
    LEVEL = "covary but differ in level"
    LOOSE = "covary but agree only in part"
    NEITHER = "neither agree nor covary"
    PREVALENCE = "agree without covariation"
    REVERSED = "one uses the scale reversed"
    UNDECIDED = "too few common units to tell"


@dataclass(frozen=True, kw_only=True)
class Shift:
    """How far the second rater's level lies above the first's, in units of the scale."""

    mean: float
    interval: Interval | None
    n_higher: int  # units where the second is higher
    n_lower: int
    p: float  # exact sign test, two-sided

    @property
    def n_apart(self) -> int:
        """Units on which they differ."""
        return self.n_higher + self.n_lower


@dataclass(frozen=True, kw_only=True)
class PairReading:
    """Two raters on one question: both kinds of coefficient and what they mean together.

    `correlation` is gamma with tau-b and its counts in the details; None where categories have no order.
    `stricter` is the rater with the lower level, named only if the verdict is that levels differ.
    """

    question: str | None
    raters: tuple[str, str]
    n_units: int
    observed: float | None
    agreement: Agreement
    correlation: Agreement | None
    tau_b: Agreement | None
    association_p: float | None
    shift: Shift | None
    verdict: Verdict
    stricter: str | None
    explanation: str


@dataclass(frozen=True, kw_only=True)
class Consistency:
    """One question: all raters together, then pair by pair. `refused` says why there are no pairs."""

    question: str | None
    agreement: Agreement
    correlation: Agreement | None
    pairs: tuple[PairReading, ...]
    verdicts: Mapping[Verdict, int]
    n_pairs_left_out: int = 0
    refused: str | None = None
