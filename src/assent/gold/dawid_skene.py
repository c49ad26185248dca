"""A gold standard from raters of unequal reliability (Dawid & Skene 1979).

Each rater has a table of error rates: the chance of saying d to a unit that is c. Categories of units and error rates
are estimated together by EM, starting from the shares of votes:

    M:  p_c = mean over units of T(u, c),   pi_r(c, d) = sum_u T(u, c) n_r(u, d) / sum_d of the same
    E:  T(u, c) proportional to p_c * prod over r, d of pi_r(c, d) ^ n_r(u, d)

Dawid, A. P. & Skene, A. M. (1979). Maximum likelihood estimation of observer error-rates using the EM algorithm.
Applied Statistics 28(1), 20-28.
"""

import numpy as np

from assent.arrays import Floats
from assent.gold.posterior import Posterior, Votes, normalised, sum_rows, votes_of
from assent.model.judgements import Judgements

MOST_ROUNDS = 500
PRECISION = 1e-9
TINY = 1e-12  # error rates of 0 stay possible, so that one slip does not rule a category out


def dawid_skene(data: Judgements) -> Posterior:
    """Estimate the category of every unit and the error rates of every rater."""
    return estimate(votes_of(data))


def estimate(votes: Votes) -> Posterior:
    """EM until the likelihood stands still."""
    counts = votes.counted()
    classes = counts / counts.sum(axis=1, keepdims=True)
    last, n_rounds, is_moving = -np.inf, 0, True
    while is_moving and n_rounds < MOST_ROUNDS:
        shares, errors = _rates(votes, classes)
        classes, likelihood = _classes(votes, shares, errors)
        is_moving = likelihood - last >= PRECISION * abs(likelihood)
        last, n_rounds = likelihood, n_rounds + 1
    return Posterior(
        units=votes.units,
        raters=votes.raters,
        categories=votes.categories,
        probabilities=classes,
        competences=np.einsum("c,rcc->r", shares, errors),
        errors=errors,
        shares=shares,
        log_likelihood=likelihood,
        n_rounds=n_rounds,
    )


def _rates(votes: Votes, classes: Floats) -> tuple[Floats, Floats]:
    """The M step: shares of categories, error rates of raters."""
    n_raters, size = len(votes.raters), len(votes.categories)
    errors = sum_rows(votes.rater * size + votes.value, classes[votes.unit], n_raters * size)
    by_rater = errors.reshape(n_raters, size, size).transpose(0, 2, 1) + TINY
    return classes.mean(axis=0), by_rater / by_rater.sum(axis=2, keepdims=True)


def _classes(votes: Votes, shares: Floats, errors: Floats) -> tuple[Floats, float]:
    """The E step: the probability of each category for each unit, and the likelihood."""
    said = np.log(errors)[votes.rater, :, votes.value]
    return normalised(np.log(shares + TINY) + sum_rows(votes.unit, said, len(votes.units)))
