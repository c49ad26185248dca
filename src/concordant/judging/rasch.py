"""Many-facet Rasch by marginal maximum likelihood: raters' severities and fair averages from any sparse design.

    log P(x = k) / P(x = k-1) = theta_u - severity_r - difficulty_q - tau_k
    theta_u ~ Normal(mu, sigma^2);  severities, difficulties and thresholds tau sum to 0

Linacre (1989); the thresholds are those of Andrich (1978). Units are integrated out on a grid (Bock & Aitkin 1981), so
that three raters a unit are enough: joint estimation makes severities L/(L-1) too large. The total of a unit's answers
is sufficient for it, so units with the same raters and total are one row. The grid is made finer until its step is no
longer than the deviation of the surest unit; even steps of that size integrate a normal curve to nine digits.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from concordant.arrays import Floats
from concordant.randomness import generator

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

REACH = 4.8  # deviations of the population on either side
COARSE, FINEST = 25, 1601  # nodes
STILL = 1e-15
MOST_ROUNDS = 1000
LEAST_VARIANCE = 1e-6  # of one answer, in outfit
MISFIT = 1.5
DRAWS = 199
AS_LARGE = 1 - 1e-9  # answers drawn as they were given are as large, whatever the order a machine adds in
Codes = NDArray[np.int64]


@dataclass(frozen=True, kw_only=True, eq=False)
class Answers:
    """Answers as steps above the lowest category, by unit, rater and question (all 0 where there is one)."""

    unit: Codes
    rater: Codes
    question: Codes
    value: Codes
    n_units: int
    n_raters: int
    n_questions: int
    size: int

    @cached_property
    def pairs(self) -> tuple[Codes, Codes]:
        """Every rater with a question that occurs, and which of them each answer is."""
        found, of = np.unique(self.rater * self.n_questions + self.question, return_inverse=True)
        return found.astype(np.int64), of.reshape(-1)

    @cached_property
    def given_by(self) -> "csr_matrix[np.float64]":
        """Units in rows, pairs of rater and question in columns: how many answers."""
        from scipy.sparse import csr_matrix  # slow to import

        found, of = self.pairs
        return csr_matrix((np.ones(len(of)), (self.unit, of)), (self.n_units, len(found)))

    @cached_property
    def totals(self) -> Floats:
        """The sum of every unit's answers."""
        return np.bincount(self.unit, self.value, minlength=self.n_units).astype(np.float64)

    @cached_property
    def alike(self) -> tuple[Codes, Codes, Floats]:
        """Units with equal raters and totals: one of each, which each unit is like, and how many there are."""
        mark = self.given_by @ generator(1).random(len(self.pairs[0])) + np.sqrt(2) * self.totals
        _, first, of, times = np.unique(np.round(mark, 9), return_index=True, return_inverse=True, return_counts=True)
        return first.astype(np.int64), of.reshape(-1), times.astype(np.float64)

    @property
    def sizes(self) -> tuple[int, ...]:
        """How many severities, difficulties and thresholds there are, each of which sum to 0."""
        return self.n_raters, self.n_questions, self.size - 1

    def taken_apart(self, free: Floats) -> tuple[Floats, Floats, Floats, float, float]:
        """Free parameters as severities, difficulties, thresholds, mu and sigma."""
        parts, at = [], 0
        for size in self.sizes:
            some = free[at : at + size - 1]
            parts.append(np.append(some, -some.sum()))
            at += size - 1
        return parts[0], parts[1], parts[2], float(free[-2]), float(np.exp(free[-1]))


@dataclass(frozen=True, kw_only=True, eq=False)
class Curves:
    """What every pair of rater and question answers at every node: expectations, variances, log of the sums."""

    theta: Floats
    log_sum: Floats
    mean: Floats
    variance: Floats
    beyond: Floats  # [pair, node, k]: the chance of category k + 1 or higher


@dataclass(frozen=True, kw_only=True, eq=False)
class Fit:
    """Estimates; units have the mean and the deviation of their posterior."""

    severity: Floats
    difficulty: Floats
    thresholds: Floats
    mu: float
    sigma: float
    free: Floats
    nodes: Floats
    measure: Floats
    deviation: Floats
    log_likelihood: float


def curves(answers: Answers, free: Floats, nodes: Floats) -> Curves:
    """The categories of every pair at every node."""
    severity, difficulty, tau, mu, sigma = answers.taken_apart(free)
    found = answers.pairs[0]
    hard = severity[found // answers.n_questions] + difficulty[found % answers.n_questions]
    theta, k = mu + sigma * nodes, np.arange(answers.size)
    logit = k * (theta[None, :, None] - hard[:, None, None]) - np.append(0, np.cumsum(tau))
    top = logit.max(axis=2, keepdims=True)
    weights = np.exp(logit - top)
    sums = weights.sum(axis=2, keepdims=True)
    chance = weights / sums
    mean = chance @ k
    return Curves(
        theta=theta,
        log_sum=(top + np.log(sums))[:, :, 0],
        mean=mean,
        variance=chance @ k**2 - mean**2,
        beyond=chance[:, :, ::-1].cumsum(axis=2)[:, :, -2::-1],
    )


def posterior(answers: Answers, at: Curves, nodes: Floats) -> tuple[Floats, float]:
    """The chance of every node for every kind of unit, and the part of the log-likelihood that depends on nodes."""
    first, _, times = answers.alike
    prior = -(nodes**2) / 2
    prior = prior - np.log(np.exp(prior).sum())
    joint = answers.totals[first][:, None] * at.theta - answers.given_by[first] @ at.log_sum + prior
    top = joint.max(axis=1, keepdims=True)
    weights = np.exp(joint - top)
    sums = weights.sum(axis=1, keepdims=True)
    return weights / sums, float(times @ (top + np.log(sums))[:, 0])


class Objective:
    """Minus the marginal log-likelihood of free parameters, and its slope by Fisher's identity."""

    def __init__(self, answers: Answers, nodes: Floats) -> None:
        """Sum what does not depend on the parameters."""
        from scipy.sparse import diags_array  # slow to import

        self.answers, self.nodes = answers, nodes
        first, _, times = answers.alike
        self.kinds = (diags_array(times) @ answers.given_by[first]).T
        self.score = times * answers.totals[first]
        self.by_rater = np.bincount(answers.rater, answers.value, minlength=answers.n_raters)
        self.by_question = np.bincount(answers.question, answers.value, minlength=answers.n_questions)
        self.above = np.array([(answers.value > k).sum() for k in range(answers.size - 1)], dtype=np.float64)

    def __call__(self, free: Floats) -> tuple[float, Floats]:
        """Value and slope."""
        a = self.answers
        at = curves(a, free, self.nodes)
        near, total = posterior(a, at, self.nodes)
        severity, difficulty, tau, _, sigma = a.taken_apart(free)
        total -= float(severity @ self.by_rater + difficulty @ self.by_question + tau @ self.above)
        here = np.asarray(self.kinds @ near)  # answers of each pair expected at each node
        expected = here * at.mean
        of = a.pairs[0]
        slopes = [
            np.bincount(of // a.n_questions, expected.sum(axis=1), minlength=a.n_raters) - self.by_rater,
            np.bincount(of % a.n_questions, expected.sum(axis=1), minlength=a.n_questions) - self.by_question,
            np.einsum("cq,cqk->k", here, at.beyond) - self.above,
        ]
        along = near.T @ self.score - expected.sum(axis=0)
        ends = [along.sum(), sigma * float(along @ self.nodes)]
        return -total, -np.concatenate([*(one[:-1] - one[-1] for one in slopes), ends])


def even_nodes(n: int) -> Floats:
    """So many nodes in even steps over the population."""
    return np.linspace(-REACH, REACH, n)


def fit(answers: Answers) -> Fit:
    """Maximise the marginal likelihood, on a grid fine enough for the surest unit."""
    from scipy.optimize import minimize  # slow to import

    free = np.zeros(sum(answers.sizes) - len(answers.sizes) + 2)
    n = COARSE
    while True:
        nodes = even_nodes(n)
        how: Any = {"maxiter": MOST_ROUNDS, "ftol": STILL, "gtol": 1e-8 * max(len(answers.unit), 1), "maxcor": 20}
        free = minimize(Objective(answers, nodes), free, jac=True, method="L-BFGS-B", options=how).x
        at = curves(answers, free, nodes)
        near = posterior(answers, at, nodes)[0]
        measure = near @ at.theta
        deviation = np.sqrt(np.maximum(near @ at.theta**2 - measure**2, 0))
        severity, difficulty, tau, mu, sigma = answers.taken_apart(free)
        step = 2 * REACH / (n - 1)
        if step <= deviation.min() / sigma or n >= FINEST:
            break
        n = min(FINEST, 2 * (n - 1) + 1)
    of = answers.alike[1]
    return Fit(
        severity=severity, difficulty=difficulty, thresholds=tau, mu=mu, sigma=sigma, free=free, nodes=nodes,
        measure=measure[of], deviation=deviation[of], log_likelihood=-float(Objective(answers, nodes)(free)[0]),
    )  # fmt: skip


def errors(answers: Answers, found: Fit) -> tuple[Floats, Floats, Floats]:
    """Standard errors of severities, difficulties and thresholds, from the outer products of units' scores."""
    from scipy.sparse import csr_matrix, hstack  # slow to import

    at = curves(answers, found.free, found.nodes)
    near = posterior(answers, at, found.nodes)[0][answers.alike[1]]
    pair, unit = answers.pairs[1], answers.unit
    beyond = at.beyond.transpose(2, 0, 1)  # one threshold at a time keeps the tables small
    gap = answers.value - np.einsum("iq,iq->i", near[unit], at.mean[pair])
    parts: list[Any] = [csr_matrix((-gap, (unit, answers.rater)), (answers.n_units, answers.n_raters))]
    parts.append(csr_matrix((-gap, (unit, answers.question)), (answers.n_units, answers.n_questions)))
    above = [np.einsum("iq,iq->i", near[unit], one[pair]) - (answers.value > k) for k, one in enumerate(beyond)]
    parts.append(csr_matrix(np.column_stack([np.bincount(unit, one, minlength=answers.n_units) for one in above])))
    along = answers.totals[:, None] - answers.given_by @ at.mean
    ends = [(near * along).sum(axis=1), found.sigma * (near * along * found.nodes).sum(axis=1)]
    parts.append(csr_matrix(np.column_stack(ends)))
    scores = hstack(parts).tocsr()
    basis = _basis(answers.sizes)
    covariance = basis @ np.linalg.pinv(basis.T @ (scores.T @ scores).toarray() @ basis) @ basis.T
    spread = np.sqrt(np.maximum(np.diag(covariance), 0))
    cuts = np.cumsum(answers.sizes)
    return spread[: cuts[0]], spread[cuts[0] : cuts[1]], spread[cuts[1] : cuts[2]]


def _basis(sizes: Sequence[int]) -> Floats:
    """All parameters from the free ones: the last of each group is minus the sum of the others."""
    whole = np.zeros((sum(sizes) + 2, sum(sizes) - len(sizes) + 2))
    row = column = 0
    for size in sizes:
        whole[row : row + size - 1, column : column + size - 1] = np.eye(size - 1)
        whole[row + size - 1, column : column + size - 1] = -1
        row, column = row + size, column + size - 1
    whole[-2:, -2:] = np.eye(2)
    return whole


@dataclass(frozen=True, kw_only=True, eq=False)
class Misfits:
    """Squared residuals against their variance, summed over the posterior: expectation exactly 1."""

    infit: Floats
    outfit: Floats


def misfits(answers: Answers, found: Fit, of: Codes, size: int) -> Misfits:
    """How far answers are from what the model expects, by rater or by question (`of`)."""
    at = curves(answers, found.free, found.nodes)
    near = posterior(answers, at, found.nodes)[0][answers.alike[1]][answers.unit]
    pair = answers.pairs[1]
    squares = near * (answers.value[:, None] - at.mean[pair]) ** 2
    spread = at.variance[pair]
    n = np.maximum(np.bincount(of, minlength=size), 1)
    inner = np.bincount(of, squares.sum(axis=1), minlength=size)
    expected = np.bincount(of, (near * spread).sum(axis=1), minlength=size)
    scaled = (squares / np.maximum(spread, LEAST_VARIANCE)).sum(axis=1)
    return Misfits(
        infit=inner / np.maximum(expected, LEAST_VARIANCE), outfit=np.bincount(of, scaled, minlength=size) / n
    )


def chance_of_infit(answers: Answers, found: Fit, rater: int, infit: float, *, seed: int = 1) -> float:
    """How often answers drawn from the fitted model give this rater as large an infit, on the units they judged."""
    kept = np.isin(answers.unit, np.unique(answers.unit[answers.rater == rater]))
    used, unit = np.unique(answers.unit[kept], return_inverse=True)
    random, n_as_large = generator(seed, rater), 0
    k = np.arange(answers.size)
    hard = (found.severity[answers.rater] + found.difficulty[answers.question])[kept]
    for _ in range(DRAWS):
        theta = random.normal(found.mu, found.sigma, len(used))[unit.reshape(-1)]
        logit = k * (theta - hard)[:, None] - np.append(0, np.cumsum(found.thresholds))
        weights = np.exp(logit - logit.max(axis=1, keepdims=True)).cumsum(axis=1)
        value = (random.random(len(hard))[:, None] * weights[:, -1:] > weights).sum(axis=1)
        drawn = Answers(
            unit=unit.reshape(-1), rater=answers.rater[kept], question=answers.question[kept], value=value,
            n_units=len(used), n_raters=answers.n_raters, n_questions=answers.n_questions, size=answers.size,
        )  # fmt: skip
        n_as_large += bool(misfits(drawn, found, drawn.rater, answers.n_raters).infit[rater] >= infit * AS_LARGE)
    return (1 + n_as_large) / (1 + DRAWS)


def neutral_chances(found: Fit) -> Floats:
    """The chance of every category of every unit from a rater and a question of average severity."""
    k = np.arange(len(found.thresholds) + 1)
    logit = k * found.measure[:, None] - np.append(0, np.cumsum(found.thresholds))
    weights = np.exp(logit - logit.max(axis=1, keepdims=True))
    return np.asarray(weights / weights.sum(axis=1, keepdims=True))
