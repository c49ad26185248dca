"""Do two raters disagree in one direction? Counts of who says what alone, with McNemar's or the Stuart-Maxwell test.

McNemar (1947), exact: of the b + c units on which two raters differ, b go one way; under no tendency b is
binomial with share 1/2. Stuart (1955) and Maxwell (1970) ask for more than two categories whether both raters use
them equally often: d' S⁻¹ d, chi-squared with K - 1 degrees of freedom.
"""

from dataclasses import dataclass

import numpy as np

from assent.arrays import Floats
from assent.engines.tally import Tally

MOST_PAIRS = 300


@dataclass(frozen=True, kw_only=True)
class Direction:
    """Two raters: their contingency table, how often each gives more of a category alone, and the test."""

    raters: tuple[str, str]
    categories: tuple[str, ...]
    table: tuple[tuple[int, ...], ...]
    only_first: tuple[int, ...]
    only_second: tuple[int, ...]
    method: str
    statistic: float | None
    freedom: int
    p: float | None
    reason: str | None = None

    @property
    def n_units(self) -> int:
        """Units that both judged."""
        return sum(map(sum, self.table))

    @property
    def n_apart(self) -> int:
        """Units on which they differ."""
        return sum(self.only_first)


def directions(data: Tally) -> tuple[Direction, ...]:
    """One result for each rater pair with common units (the first few hundred pairs of a crowd)."""
    if data.scale.is_continuous:
        return ()
    tables = data.pairs.tables()[:MOST_PAIRS]
    pairs = data.pairs.pairs[:MOST_PAIRS]
    return tuple(
        direction(table, (data.raters[one], data.raters[two]), data.scale.categories)
        for (one, two), table in zip(pairs.tolist(), tables, strict=True)
        if table.sum() > 0
    )


def direction(table: Floats, raters: tuple[str, str], categories: tuple[str, ...]) -> Direction:
    """Test a table of counts: rows are the first rater's categories."""
    counts = np.asarray(table, dtype=np.float64)
    method, statistic, freedom, p, reason = _mcnemar(counts) if len(counts) == 2 else _stuart_maxwell(counts)
    diagonal = np.diag(counts)
    return Direction(
        raters=raters,
        categories=categories,
        table=tuple(tuple(int(cell) for cell in row) for row in counts),
        only_first=tuple(int(n) for n in counts.sum(axis=1) - diagonal),
        only_second=tuple(int(n) for n in counts.sum(axis=0) - diagonal),
        method=method,
        statistic=statistic,
        freedom=freedom,
        p=p,
        reason=reason,
    )


Test = tuple[str, float | None, int, float | None, str | None]


def _mcnemar(table: Floats) -> Test:
    """The exact binomial test on the two cells of disagreement."""
    from scipy.special import bdtr

    method = "McNemar's exact test, two-sided"
    b, c = float(table[0, 1]), float(table[1, 0])
    if b + c == 0:
        return method, None, 1, None, "the two raters never disagree"
    p = min(1.0, 2 * float(bdtr(min(b, c), int(b + c), 0.5)))
    return method, min(b, c), 1, p, None


def _stuart_maxwell(table: Floats) -> Test:
    """Marginal homogeneity; categories that neither uses apart from the other have no say."""
    from scipy.special import chdtrc

    method = "Stuart-Maxwell test"
    apart = table - np.diag(np.diag(table))
    used = apart.sum(axis=0) + apart.sum(axis=1) > 0
    apart = apart[np.ix_(used, used)]
    if len(apart) < 2:
        return method, None, 0, None, "the two raters never disagree"
    d = (apart.sum(axis=1) - apart.sum(axis=0))[:-1]
    s = (np.diag(apart.sum(axis=0) + apart.sum(axis=1)) - apart - apart.T)[:-1, :-1]
    if np.linalg.matrix_rank(s) < len(s):
        return method, None, len(s), None, "too few disagreements between some categories for the test"
    statistic = float(d @ np.linalg.solve(s, d))
    return method, statistic, len(s), float(chdtrc(len(s), statistic)), None
