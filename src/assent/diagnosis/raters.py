"""Who misreads which question, and whose shared batch is the most reliable (Amidei, Piwek & Willis 2019, QG-STEC)."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Misreading:
    """A rater whose judgements of a question go with nobody's, while the others' go together."""

    question: str | None
    rater: str
    with_others: float  # mean correlation with the other raters
    among_others: float  # mean correlation of the others with each other
    n_pairs: int


@dataclass(frozen=True, kw_only=True)
class RaterProfile:
    """One rater on one question: how far their judgements go with the others'."""

    question: str | None
    rater: str
    n_judgements: int
    mean_score: float | None
    agreement: float | None  # mean over the pairs they are in
    correlation: float | None


@dataclass(frozen=True, kw_only=True)
class Batch:
    """The units that two raters share, over all questions: mean agreement and mean correlation."""

    raters: tuple[str, str]
    n_units: int
    agreement: float
    correlation: float | None
