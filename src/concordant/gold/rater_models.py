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

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property, reduce
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from concordant.arrays import Floats
from concordant.diagnosis.material import count_pairs, unit_shares
from concordant.engines.patterns import scattered
from concordant.model.judgements import Judgements
from concordant.progress import Progress, part, silent
from concordant.randomness import generator

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

TINY = 1e-12  # error rates of 0 stay possible, so that one slip does not rule a category out
LEAST = np.finfo(float).tiny
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
class Kinds:
    """Units of which everybody said the same are of one kind, since no model can tell them apart.

    `said` has kinds in rows, what each rater can say in columns (raters × categories): how often it was said of a
    unit. `times[k]` units are of kind k.
    """

    said: "csr_matrix[np.float64]"
    times: Floats
    n_categories: int

    @cached_property
    def row(self) -> NDArray[np.int64]:
        """The kind of each entry of `said`."""
        return np.repeat(np.arange(len(self.times)), np.diff(self.said.indptr))

    @property
    def rater(self) -> NDArray[np.int64]:
        """The rater of each entry."""
        return np.asarray(self.said.indices // self.n_categories)

    @property
    def value(self) -> NDArray[np.int64]:
        """The category of each entry."""
        return np.asarray(self.said.indices % self.n_categories)

    @property
    def shares(self) -> Floats:
        """The judgements of each kind as proportions."""
        counts = count_pairs(self.row, self.value, (len(self.times), self.n_categories), self.said.data)
        return np.asarray(counts / counts.sum(axis=1, keepdims=True))


def kinds_of(
    unit: NDArray[Any], said: NDArray[Any], n: Floats, times: Floats, shape: tuple[int, int]
) -> tuple[Kinds, NDArray[np.int64]]:
    """Units of which everybody said the same put together, and the kind of each.

    Of unit `unit[e]` was said `said[e]`, a rater's place × categories + a category's, `n[e]` times; `times[u]` units
    are like u. `shape` is how many raters and categories there are.
    """
    from scipy.sparse import csr_matrix

    hashes = np.zeros(len(times), dtype=np.uint64)
    np.add.at(hashes, unit, scattered(said.astype(np.uint64) + np.uint64(1)) * n.astype(np.uint64))
    _, first, kind = np.unique(hashes, return_index=True, return_inverse=True)
    number = np.full(len(times), -1, dtype=np.int64)
    number[first] = np.arange(len(first))
    row = number[unit]
    kept = row >= 0
    matrix = csr_matrix((n[kept], (row[kept], said[kept])), (len(first), shape[0] * shape[1]))
    together = np.bincount(kind.reshape(-1), times, minlength=len(first)).astype(np.float64)
    return Kinds(said=matrix, times=together, n_categories=shape[1]), kind.reshape(-1)


class Answers(ABC):
    """What a model learns from: who said what, kind of unit by kind of unit, in as many pieces as it takes."""

    raters: tuple[str, ...]
    categories: tuple[str, ...]

    @abstractmethod
    def pieces(self) -> Iterator[Kinds]:
        """All kinds, some at a time; the same ones each time."""

    @cached_property
    def n_units(self) -> int:
        """How many units were judged."""
        return round(sum(float(kinds.times.sum()) for kinds in self.pieces()))

    @cached_property
    def by_rater(self) -> Floats:
        """How much each rater judged."""
        found = np.zeros(len(self.raters))
        for kinds in self.pieces():
            found += np.bincount(kinds.rater, kinds.said.data * kinds.times[kinds.row], minlength=len(found))
        return found


@dataclass(frozen=True, kw_only=True, eq=False)
class Votes(Answers):
    """Judgements as parallel codes; every unit has one."""

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
    def kinds(self) -> tuple[Kinds, NDArray[np.int64]]:
        """The kinds, and that of every unit."""
        shape = len(self.raters), len(self.categories)
        said = self.rater * shape[1] + self.value
        return kinds_of(self.unit, said, np.ones(len(said)), np.ones(len(self.units)), shape)

    def pieces(self) -> Iterator[Kinds]:
        """All kinds at once."""
        yield self.kinds[0]


Listener = Callable[[Kinds], tuple[Floats, float]]
"""What says of each kind how probable each truth is, and how likely all that was said is."""


def listener(errors: Floats, before: Floats) -> Listener:
    """The E-step: `errors[r, i, d]` is the chance that r says d of truth i, `before[i]` that of i before any answer."""
    logs = np.log(np.maximum(errors, LEAST)).transpose(0, 2, 1).reshape(-1, len(before))
    return lambda kinds: normalised(np.log(before) + kinds.said @ logs, kinds.times)


def normalised(log_scores: Floats, times: Floats) -> tuple[Floats, float]:
    """Rows of log probabilities made to sum to one, and the sum of the logarithms of what they summed to.

    A row stands for so many units.
    """
    top = reduce(np.maximum, log_scores.T)  # a column at a time: many short rows are reduced slowly
    weights = np.exp(log_scores - top[:, None])
    sums = weights @ np.ones(weights.shape[1])
    return weights / sums[:, None], float(times @ (top + np.log(sums)))


@dataclass(frozen=True, kw_only=True, eq=False)
class Model:
    """What was learned of raters and categories; `competences[r]` is the chance that rater r is right.

    `truths` are the places of the categories that a unit can be. `errors[r, i, d]` is the chance that rater r says d to
    a unit of the i-th truth, `shares[i]` that of the i-th truth among units, `before[i]` that before anybody spoke.
    `objective`, the log-likelihood with the prior's part, never falls from one round of EM to the next.
    """

    categories: tuple[str, ...]
    truths: NDArray[np.int64]
    competences: Floats
    errors: Floats
    shares: Floats
    before: Floats
    log_likelihood: float
    objective: float

    def chances(self, kinds: Kinds) -> Floats:
        """How probable each category is for each kind; what no unit can be has 0."""
        return _among_all(listener(self.errors, self.before)(kinds)[0], self.truths, len(self.categories))


def _among_all(classes: Floats, kept: NDArray[np.int64], size: int) -> Floats:
    """Probabilities of the truths as columns among those of all answers, which are 0."""
    whole = np.zeros((len(classes), size))
    whole[:, kept] = classes
    return whole


@dataclass(frozen=True, kw_only=True, eq=False)
class Posterior(Model):
    """`probabilities[u, c]` that unit u is of category c."""

    probabilities: Floats

    @property
    def best(self) -> NDArray[np.int64]:
        """The place of the most probable category of each unit."""
        return np.asarray(self.probabilities.argmax(axis=1))

    @property
    def values(self) -> tuple[str, ...]:
        """The most probable category of each unit."""
        return tuple(self.categories[c] for c in self.best.tolist())


def posterior(votes: Votes, model: Model) -> Posterior:
    """What a model says of each unit."""
    kinds, kind = votes.kinds
    return Posterior(**vars(model), probabilities=model.chances(kinds)[kind])


def votes_of(data: Judgements) -> Votes:
    """The judgements to learn from; units that nobody judged, and raters who judged none, are left out."""
    rows, found = data.rows(), unit_shares(data)
    judged = np.bincount(rows.rater, minlength=len(data.raters)) > 0
    return Votes(
        units=found.units,
        raters=tuple(name for name, is_there in zip(data.raters, judged.tolist(), strict=True) if is_there),
        categories=found.categories,
        unit=np.searchsorted(found.places, rows.unit),
        rater=(np.cumsum(judged) - 1)[rows.rater],
        value=rows.value.astype(np.int64),
    )


def dawid_skene(votes: Votes, *, prior: Prior = USUAL_PRIOR, truths: NDArray[np.int64] | None = None) -> Posterior:
    """EM of Dawid & Skene, and what comes out for each unit."""
    return posterior(votes, learned(votes, prior=prior, truths=truths))


def learned(
    answers: Answers,
    *,
    prior: Prior = USUAL_PRIOR,
    truths: NDArray[np.int64] | None = None,
    trust: Floats | None = None,
    progress: Progress = silent,
) -> Model:
    """EM of Dawid & Skene until likelihood and tables stand still; a round is one pass over all kinds.

    It starts from the shares of votes; `trust[r, d]` says how much rater r's answer d counts in them.
    """
    n_raters, size = len(answers.raters), len(answers.categories)
    kept = np.arange(size) if truths is None else truths
    pseudo = np.full((len(kept), size), prior.every + TINY)
    pseudo[np.arange(len(kept)), kept] += prior.own
    told, shares, _ = _passed(answers, _by_shares(kept, trust), len(kept))
    errors, last = np.zeros((n_raters, len(kept), size)), -np.inf
    for _ in range(ROUNDS):
        before, errors = errors, told.reshape(n_raters, size, len(kept)).transpose(0, 2, 1) + pseudo
        errors, found = errors / errors.sum(axis=2, keepdims=True), shares
        told, shares, likelihood = _passed(answers, listener(errors, found + TINY), len(kept))
        objective = likelihood + float((np.log(errors) * (pseudo - TINY)).sum())
        moved = float(np.abs(errors - before).max())
        if abs(objective - last) < STILL * abs(objective) and moved < STEADY:
            break
        progress(round(100 * min(np.log(max(moved, STEADY)) / np.log(STEADY), 1.0)), 100)
        last = objective
    return Model(
        categories=answers.categories,
        truths=kept,
        competences=np.einsum("i,rii->r", found, errors[:, :, kept]),
        errors=errors,
        shares=found,
        before=found + TINY,
        log_likelihood=likelihood,
        objective=objective,
    )


def _passed(answers: Answers, listen: Listener, n_truths: int) -> tuple[Floats, Floats, float]:
    """One look at all kinds: how often what was said of which truth, the share of each truth, and the likelihood."""
    told = np.zeros((len(answers.raters) * len(answers.categories), n_truths))
    held, n_units, likelihood = np.zeros(n_truths), 0.0, 0.0
    for kinds in answers.pieces():
        classes, likely = listen(kinds)
        told += np.asarray(kinds.said.T @ (classes * kinds.times[:, None]))
        held, n_units, likelihood = held + kinds.times @ classes, n_units + kinds.times.sum(), likelihood + likely
    return told, held / n_units, likelihood


def _by_shares(kept: NDArray[np.int64], trust: Floats | None) -> Listener:
    """Where EM starts: the shares of votes among the truths, each vote counting as it is trusted."""

    def listen(kinds: Kinds) -> tuple[Floats, float]:
        weights = kinds.said.data if trust is None else kinds.said.data * trust[kinds.rater, kinds.value]
        counts = count_pairs(kinds.row, kinds.value, (len(kinds.times), kinds.n_categories), weights)
        classes = counts[:, kept] + TINY
        return classes / classes.sum(axis=1, keepdims=True), 0.0

    return listen


def likeliest_start(
    answers: Answers,
    *,
    prior: Prior,
    truths: NDArray[np.int64],
    seed: int = 1,
    starts: int = STARTS,
    progress: Progress = silent,
) -> Model:
    """The likeliest of several fits whose starts trust raters and answers unequally, by chance.

    Chance goes through raters in the order of their names, so that it does not hang on the order of rows.
    """
    shape = len(answers.raters), len(answers.categories)
    place = np.argsort(np.argsort(np.array(answers.raters, dtype=np.str_)))
    trusts = (generator(seed, start).exponential(size=shape)[place] for start in range(starts))
    found = (
        learned(answers, prior=prior, truths=truths, trust=trust, progress=part(progress, start, starts))
        for start, trust in enumerate(trusts)
    )
    return max(found, key=lambda one: one.objective)


def mace(votes: Votes, *, truths: NDArray[np.int64] | None = None, seed: int = 1) -> Posterior:
    """Estimate the category of every unit and how often every rater knows, from several starts."""
    kept = np.arange(len(votes.categories)) if truths is None else truths
    found = [_estimate_habits(votes, kept, seed, start) for start in range(STARTS)]
    return posterior(votes, max(found, key=lambda one: one.log_likelihood))


def _estimate_habits(votes: Votes, kept: NDArray[np.int64], seed: int, start: int) -> Model:
    """EM of MACE from one start: equal competence first, then random ones; all truths are equally likely beforehand."""
    random, kinds = generator(seed, start), votes.kinds[0]
    n_raters, size = len(votes.raters), len(votes.categories)
    knows = np.full(n_raters, 0.8) if start == 0 else random.uniform(0.3, 0.95, n_raters)
    habits = np.full((n_raters, size), 1 / size) if start == 0 else random.dirichlet(np.ones(size), n_raters)
    before, last = np.full(len(kept), 1 / len(kept)), -np.inf
    for turn in range(ROUNDS_OF_MACE + 1):
        errors = (knows[:, None, None] * np.eye(size) + (1 - knows)[:, None, None] * habits[:, None, :])[:, kept]
        classes, likelihood = listener(errors, before)(kinds)
        if turn == ROUNDS_OF_MACE or abs(likelihood - last) < STILL_IN_MACE * abs(likelihood):
            break
        last = likelihood
        knows, habits = _habits(kinds, _among_all(classes, kept, size), knows, habits)
    return Model(
        categories=votes.categories,
        truths=kept,
        competences=knows,
        errors=errors,
        shares=kinds.times @ classes / kinds.times.sum(),
        before=before,
        log_likelihood=likelihood,
        objective=likelihood,
    )


def _habits(kinds: Kinds, classes: Floats, knows: Floats, habits: Floats) -> tuple[Floats, Floats]:
    """How often each rater knew and by which habit they spoke otherwise, in expectation."""
    rater, value, times = kinds.rater, kinds.value, kinds.said.data * kinds.times[kinds.row]
    known = knows[rater]
    share_known = known / np.maximum(known + (1 - known) * habits[rater, value], LEAST)
    knew = classes[kinds.row, value] * share_known
    n_knew = np.bincount(rater, times * knew, minlength=len(knows))
    n_habit = count_pairs(rater, value, habits.shape, times * (1 - knew)) + SMOOTHING / habits.shape[1]
    total = n_knew + n_habit.sum(axis=1) + SMOOTHING
    return (n_knew + SMOOTHING) / total, n_habit / n_habit.sum(axis=1, keepdims=True)
