"""A gold standard from raters who sometimes do not look (Hovy et al. 2013, MACE).

With probability theta a rater knows and says what the unit is; otherwise they say d by a habit xi(d) of their own,
whatever the unit is. Estimated by EM with a little smoothing, from several starts; the likeliest is kept.

    P(r says d | unit is c) = theta_r [c = d] + (1 - theta_r) xi_r(d)

Hovy, D., Berg-Kirkpatrick, T., Vaswani, A. & Hovy, E. (2013). Learning whom to trust with MACE. NAACL-HLT, 1120-1130.
"""

import numpy as np

from assent.arrays import Floats
from assent.gold.posterior import Posterior, Votes, count_pairs, normalised, sum_rows, votes_of
from assent.model.judgements import Judgements
from assent.randomness import generator

STARTS = 10
MOST_ROUNDS = 100
PRECISION = 1e-7
SMOOTHING = 0.01


def mace(data: Judgements, *, seed: int = 1) -> Posterior:
    """Estimate the category of every unit and how often every rater knows."""
    votes = votes_of(data)
    found = [_from_start(votes, seed, start) for start in range(STARTS)]
    return max(found, key=lambda one: one.log_likelihood)


def _from_start(votes: Votes, seed: int, start: int) -> Posterior:
    """EM from one start: equal competence first, then random ones."""
    random = generator(seed, start)
    n_raters, size = len(votes.raters), len(votes.categories)
    knows = np.full(n_raters, 0.8) if start == 0 else random.uniform(0.3, 0.95, n_raters)
    habits = np.full((n_raters, size), 1 / size) if start == 0 else random.dirichlet(np.ones(size), n_raters)
    classes, likelihood = _classes(votes, knows, habits)
    n_rounds, is_moving = 0, True
    while is_moving and n_rounds < MOST_ROUNDS:
        knows, habits = _rates(votes, classes, knows, habits)
        last = likelihood
        classes, likelihood = _classes(votes, knows, habits)
        is_moving = abs(likelihood - last) >= PRECISION * abs(likelihood)
        n_rounds += 1
    return Posterior(
        units=votes.units,
        raters=votes.raters,
        categories=votes.categories,
        probabilities=classes,
        competences=knows,
        errors=knows[:, None, None] * np.eye(size) + (1 - knows)[:, None, None] * habits[:, None, :],
        shares=classes.mean(axis=0),
        log_likelihood=likelihood,
        n_rounds=n_rounds,
    )


def _classes(votes: Votes, knows: Floats, habits: Floats) -> tuple[Floats, float]:
    """The probability of each category for each unit; all categories are equally likely beforehand."""
    size = len(votes.categories)
    by_habit = (1 - knows[votes.rater]) * habits[votes.rater, votes.value]
    said = np.repeat(by_habit[:, None], size, axis=1)
    said[np.arange(len(said)), votes.value] += knows[votes.rater]
    return normalised(sum_rows(votes.unit, np.log(said), len(votes.units)) - np.log(size))


def _rates(votes: Votes, classes: Floats, knows: Floats, habits: Floats) -> tuple[Floats, Floats]:
    """How often each rater knew and by which habit they spoke otherwise, in expectation."""
    n_raters, size = len(votes.raters), len(votes.categories)
    known = knows[votes.rater]
    share_known = known / (known + (1 - known) * habits[votes.rater, votes.value])
    knew = classes[votes.unit, votes.value] * share_known
    n_knew = np.bincount(votes.rater, knew, minlength=n_raters)
    n_habit = count_pairs(votes.rater, votes.value, (n_raters, size), 1 - knew) + SMOOTHING / size
    total = n_knew + n_habit.sum(axis=1) + SMOOTHING
    return (n_knew + SMOOTHING) / total, n_habit / n_habit.sum(axis=1, keepdims=True)
