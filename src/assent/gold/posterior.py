"""What models of raters return: for every unit the probability of each category, for every rater how good they are."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assent.arrays import Floats
from assent.errors import InputError
from assent.model.judgements import Judgements


@dataclass(frozen=True, kw_only=True, eq=False)
class Posterior:
    """`probabilities[u, c]` that unit u is of category c; `competences[r]` is the chance that rater r is right.

    `errors[r, c, d]` is the chance that rater r says d to a unit of category c. `shares` are those of the categories
    among units. `log_likelihood` never falls from one round of EM to the next.
    """

    units: tuple[str, ...]
    raters: tuple[str, ...]
    categories: tuple[str, ...]
    probabilities: Floats
    competences: Floats
    errors: Floats
    shares: Floats
    log_likelihood: float
    n_rounds: int

    @property
    def values(self) -> tuple[str, ...]:
        """The most probable category of each unit."""
        return tuple(self.categories[c] for c in self.probabilities.argmax(axis=1).tolist())


@dataclass(frozen=True, kw_only=True, eq=False)
class Votes:
    """Judgements as parallel codes."""

    units: tuple[str, ...]
    raters: tuple[str, ...]
    categories: tuple[str, ...]
    unit: NDArray[np.int64]
    rater: NDArray[np.int64]
    value: NDArray[np.int64]

    def counted(self) -> Floats:
        """How often each unit got each category."""
        return count_pairs(self.unit, self.value, (len(self.units), len(self.categories)))


def count_pairs(
    first: NDArray[np.int64], second: NDArray[np.int64], shape: tuple[int, int], weights: Floats | None = None
) -> Floats:
    """A table of how often two codes occur together, each time counting its weight."""
    return np.bincount(first * shape[1] + second, weights, minlength=shape[0] * shape[1]).reshape(shape).astype(float)


def sum_rows(place: NDArray[np.int64], rows: Floats, n_places: int) -> Floats:
    """The sum of the rows that belong to each place."""
    return np.column_stack([np.bincount(place, column, minlength=n_places) for column in rows.T])


def votes_of(data: Judgements) -> Votes:
    """The judgements to learn from; units that nobody judged are left out."""
    if data.scale.is_continuous:
        raise InputError("a model of raters needs categories, not numbers", hint="use the mean of the judgements")
    rows = data.rows()
    judged, unit = np.unique(rows.unit, return_inverse=True)
    names = data.unit_names
    return Votes(
        units=tuple(str(i + 1) if names is None else names[i] for i in judged.tolist()),
        raters=tuple(data.raters),
        categories=data.scale.categories,
        unit=unit.reshape(-1).astype(np.int64),
        rater=rows.rater.astype(np.int64),
        value=rows.value.astype(np.int64),
    )


def normalised(log_scores: Floats) -> tuple[Floats, float]:
    """Rows of log probabilities made to sum to one, and the sum of the logarithms of what they summed to."""
    top = log_scores.max(axis=1, keepdims=True)
    weights = np.exp(log_scores - top)
    sums = weights.sum(axis=1, keepdims=True)
    return weights / sums, float((top + np.log(sums)).sum())
