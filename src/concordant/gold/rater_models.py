"""Models of raters: the category of every unit and how far each rater can be trusted, estimated together by EM.

Dawid & Skene (1979): each rater has a table of error rates, the chance of saying d to a unit that is c. It starts from
the shares of votes; a and b are the prior, pseudo-answers for every cell and for the class's own name:

    M:  p_c = mean over units of T(u, c)
        pi_r(c, d) proportional to a + b [c = d] + sum_u T(u, c) n_r(u, d)
    E:  T(u, c) proportional to p_c * prod over r, d of pi_r(c, d) ^ n_r(u, d)

MACE (Hovy et al. 2013): with probability theta a rater knows and says what the unit is; otherwise they say d by a habit
xi(d) of their own, whatever the unit is. With a little smoothing, from several starts; the likeliest is kept.

    P(r says d | unit is c) = theta_r [c = d] + (1 - theta_r) xi_r(d)

In both an answer need not be a truth: "Unsure" may be said of a unit, and no unit be Unsure.

Dawid, A. P. & Skene, A. M. (1979). Maximum likelihood estimation of observer error-rates using the EM algorithm.
Applied Statistics 28(1), 20-28.
Hovy, D., Berg-Kirkpatrick, T., Vaswani, A. & Hovy, E. (2013). Learning whom to trust with MACE. NAACL-HLT, 1120-1130.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from concordant.arrays import Floats
from concordant.diagnosis.material import count_pairs, unit_shares
from concordant.engines.patterns import scattered
from concordant.model.judgements import Judgements
from concordant.randomness import generator

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

TINY = 1e-12  # error rates of 0 stay possible, so that one slip does not rule a category out
STARTS = 10
SMOOTHING = 0.01
ROUNDS, STILL, STEADY = 5000, 1e-9, 1e-7  # at most so many, until likelihood (in proportion) and tables stand still
ROUNDS_OF_MACE, STILL_IN_MACE = 100, 1e-7


class Prior(NamedTuple):
    """Pseudo-answers in every cell of a rater's table, and further ones for the class's own name."""

    every: float
    own: float


NO_PRIOR, USUAL_PRIOR = Prior(0.0, 0.0), Prior(0.5, 1.0)


@dataclass(frozen=True, kw_only=True, eq=False)
class Posterior:
    """`probabilities[u, c]` that unit u is of category c; `competences[r]` is the chance that rater r is right.

    `truths` are the places of the categories that a unit can be. `errors[r, i, d]` is the chance that rater r says d to
    a unit of the i-th truth, `shares[i]` that of the i-th truth among units. `objective`, the log-likelihood with the
    prior's part, never falls from one round of EM to the next.
    """

    categories: tuple[str, ...]
    truths: NDArray[np.int64]
    probabilities: Floats
    competences: Floats
    errors: Floats
    shares: Floats
    log_likelihood: float
    objective: float

    @property
    def best(self) -> NDArray[np.int64]:
        """The place of the most probable category of each unit."""
        return np.asarray(self.probabilities.argmax(axis=1))

    @property
    def values(self) -> tuple[str, ...]:
        """The most probable category of each unit."""
        return tuple(self.categories[c] for c in self.best.tolist())


@dataclass(frozen=True, kw_only=True, eq=False)
class Votes:
    """Judgements as parallel codes."""

    units: tuple[str, ...]
    raters: tuple[str, ...]
    categories: tuple[str, ...]
    unit: NDArray[np.int64]
    rater: NDArray[np.int64]
    value: NDArray[np.int64]

    @cached_property
    def counts(self) -> NDArray[np.int64]:
        """How often each unit got each category."""
        return count_pairs(self.unit, self.value, (len(self.units), len(self.categories)))

    @cached_property
    def said(self) -> "csr_matrix[np.float64]":
        """Units in rows, what each rater can say in columns: how often it was said."""
        from scipy.sparse import csr_matrix

        shape = (len(self.units), len(self.raters) * len(self.categories))
        place = self.rater * len(self.categories) + self.value
        return csr_matrix((np.ones(len(place)), (self.unit, place)), shape)

    @cached_property
    def alike(self) -> "Alike":
        """One unit for all of which everybody said the same: a model cannot tell them apart."""
        entry = (self.rater * len(self.categories) + self.value).astype(np.uint64)
        hashes = np.zeros(len(self.units), dtype=np.uint64)
        np.add.at(hashes, self.unit, scattered(entry + np.uint64(1)))
        _, first, place, times = np.unique(hashes, return_index=True, return_inverse=True, return_counts=True)
        number = np.full(len(self.units), -1, dtype=np.int64)
        number[first] = np.arange(len(first))
        kept = number[self.unit] >= 0
        one = replace(
            self,
            units=tuple(self.units[unit] for unit in first.tolist()),
            unit=number[self.unit[kept]],
            rater=self.rater[kept],
            value=self.value[kept],
        )
        return Alike(one, times.astype(np.float64), place.reshape(-1))


class Alike(NamedTuple):
    """Votes on one unit of each kind, how many units are of it, and the kind of every unit."""

    votes: Votes
    times: Floats
    kind: NDArray[np.int64]


def votes_of(data: Judgements) -> Votes:
    """The judgements to learn from; units that nobody judged are left out."""
    rows, found = data.rows(), unit_shares(data)
    return Votes(
        units=found.units,
        raters=tuple(data.raters),
        categories=found.categories,
        unit=np.searchsorted(found.places, rows.unit),
        rater=rows.rater.astype(np.int64),
        value=rows.value.astype(np.int64),
    )


def normalised(log_scores: Floats, times: Floats) -> tuple[Floats, float]:
    """Rows of log probabilities made to sum to one, and the sum of the logarithms of what they summed to.

    A row stands for so many units.
    """
    top = log_scores.max(axis=1, keepdims=True)
    weights = np.exp(log_scores - top)
    sums = weights.sum(axis=1, keepdims=True)
    return weights / sums, float(times @ (top + np.log(sums))[:, 0])


def dawid_skene(
    votes: Votes,
    *,
    prior: Prior = USUAL_PRIOR,
    truths: NDArray[np.int64] | None = None,
    trust: Floats | None = None,
) -> Posterior:
    """EM of Dawid & Skene until likelihood and tables stand still.

    It starts from the shares of votes; `trust[r, d]` says how much rater r's answer d counts in them.
    """
    votes, times, kind = votes.alike
    n_units, n_raters, size = len(votes.units), len(votes.raters), len(votes.categories)
    kept = np.arange(size) if truths is None else truths
    counts = votes.counts
    if trust is not None:
        counts = count_pairs(votes.unit, votes.value, (n_units, size), trust[votes.rater, votes.value])
    classes = counts[:, kept] + TINY
    classes = classes / classes.sum(axis=1, keepdims=True)
    pseudo = np.full((len(kept), size), prior.every + TINY)
    pseudo[np.arange(len(kept)), kept] += prior.own
    errors, last = np.zeros((n_raters, len(kept), size)), -np.inf
    for _ in range(ROUNDS):
        before, told = errors, np.asarray(votes.said.T @ (classes * times[:, None]))
        errors = told.reshape(n_raters, size, len(kept)).transpose(0, 2, 1) + pseudo
        errors, shares = errors / errors.sum(axis=2, keepdims=True), times @ classes / times.sum()
        logs = np.log(errors)
        heard = votes.said @ logs.transpose(0, 2, 1).reshape(-1, len(kept))
        classes, likelihood = normalised(np.log(shares + TINY) + heard, times)
        objective = likelihood + float((logs * (pseudo - TINY)).sum())
        if abs(objective - last) < STILL * abs(objective) and np.abs(errors - before).max() < STEADY:
            break
        last = objective
    return Posterior(
        categories=votes.categories,
        truths=kept,
        probabilities=_among_all(classes, kept, size)[kind],
        competences=np.einsum("i,rii->r", shares, errors[:, :, kept]),
        errors=errors,
        shares=shares,
        log_likelihood=likelihood,
        objective=objective,
    )


def _among_all(classes: Floats, kept: NDArray[np.int64], size: int) -> Floats:
    """Probabilities of the truths as columns among those of all answers, which are 0."""
    whole = np.zeros((len(classes), size))
    whole[:, kept] = classes
    return whole


def likeliest_start(
    votes: Votes, *, prior: Prior, truths: NDArray[np.int64], seed: int = 1, starts: int = STARTS
) -> Posterior:
    """The likeliest of several fits whose starts trust raters and answers unequally, by chance."""
    shape = len(votes.raters), len(votes.categories)
    trusts = (generator(seed, start).exponential(size=shape) for start in range(starts))
    found = (dawid_skene(votes, prior=prior, truths=truths, trust=trust) for trust in trusts)
    return max(found, key=lambda one: one.objective)


def mace(votes: Votes, *, truths: NDArray[np.int64] | None = None, seed: int = 1) -> Posterior:
    """Estimate the category of every unit and how often every rater knows, from several starts."""
    kept = np.arange(len(votes.categories)) if truths is None else truths
    found = [_estimate_habits(votes, kept, seed, start) for start in range(STARTS)]
    return max(found, key=lambda one: one.log_likelihood)


def _estimate_habits(votes: Votes, kept: NDArray[np.int64], seed: int, start: int) -> Posterior:
    """EM of MACE from one start: equal competence first, then random ones."""
    random, alike = generator(seed, start), votes.alike
    n_raters, size = len(votes.raters), len(votes.categories)
    knows = np.full(n_raters, 0.8) if start == 0 else random.uniform(0.3, 0.95, n_raters)
    habits = np.full((n_raters, size), 1 / size) if start == 0 else random.dirichlet(np.ones(size), n_raters)
    classes, likelihood = _classes(alike, kept, knows, habits)
    for _ in range(ROUNDS_OF_MACE):
        knows, habits = _habits(alike, classes, knows, habits)
        last = likelihood
        classes, likelihood = _classes(alike, kept, knows, habits)
        if abs(likelihood - last) < STILL_IN_MACE * abs(likelihood):
            break
    errors = knows[:, None, None] * np.eye(size) + (1 - knows)[:, None, None] * habits[:, None, :]
    return Posterior(
        categories=votes.categories,
        truths=kept,
        probabilities=classes[alike.kind],
        competences=knows,
        errors=errors[:, kept],
        shares=(alike.times @ classes / alike.times.sum())[kept],
        log_likelihood=likelihood,
        objective=likelihood,
    )


def _classes(alike: Alike, kept: NDArray[np.int64], knows: Floats, habits: Floats) -> tuple[Floats, float]:
    """The probability of each category for each unit; all truths are equally likely beforehand."""
    votes = alike.votes
    size, own = len(votes.categories), np.arange(len(votes.categories))
    said = np.repeat((1 - knows)[:, None, None] * habits[:, :, None], size, axis=2)
    said[:, own, own] += knows[:, None]
    heard = votes.said @ np.log(np.maximum(said, np.finfo(float).tiny)).reshape(-1, size)
    found, likelihood = normalised(heard[:, kept] - np.log(len(kept)), alike.times)
    return _among_all(found, kept, size), likelihood


def _habits(alike: Alike, classes: Floats, knows: Floats, habits: Floats) -> tuple[Floats, Floats]:
    """How often each rater knew and by which habit they spoke otherwise, in expectation."""
    votes, times = alike.votes, alike.times[alike.votes.unit]
    n_raters, size = len(votes.raters), len(votes.categories)
    known = knows[votes.rater]
    share_known = known / np.maximum(known + (1 - known) * habits[votes.rater, votes.value], np.finfo(float).tiny)
    knew = classes[votes.unit, votes.value] * share_known
    n_knew = np.bincount(votes.rater, times * knew, minlength=n_raters)
    n_habit = count_pairs(votes.rater, votes.value, (n_raters, size), times * (1 - knew)) + SMOOTHING / size
    total = n_knew + n_habit.sum(axis=1) + SMOOTHING
    return (n_knew + SMOOTHING) / total, n_habit / n_habit.sum(axis=1, keepdims=True)
