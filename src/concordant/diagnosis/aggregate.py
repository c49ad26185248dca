"""What many raters are worth together: the reliability of shares and means of units, beside that of one rater.

Random halves of the raters are correlated over units and stepped up by Spearman & Brown, 2r / (1 + r): that is how far
the aggregate of as many other raters would be the same. A low alpha with a high reliability of the aggregate means
that single answers cannot be relied on, and shares can.
"""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from concordant.arrays import Floats
from concordant.model.judgements import Judgements
from concordant.randomness import generator

HALVES, DRAWS = 200, 100
GOOD, ENOUGH = 0.8, 0.67
MOST_CELLS = 50_000_000  # units × raters


@dataclass(frozen=True, kw_only=True)
class Reliability:
    """Of the share of one category, or of the mean: one figure each, with intervals over units."""

    of: str
    raters_per_unit: float
    aggregate: float | None
    aggregate_low: float | None
    aggregate_high: float | None
    ranking: float | None
    ranking_low: float | None
    ranking_high: float | None
    one_rater: float | None
    raters_needed: int | None
    reason: str | None = None


class Cells:
    """Units × raters in numbers, with what is missing; made from one category against the rest, or from the values."""

    def __init__(self, cells: Floats) -> None:
        """Note what is known."""
        self.cells = cells
        self.known = ~np.isnan(cells)
        self.filled = np.nan_to_num(cells)

    @classmethod
    def of(cls, data: Judgements, values: Floats) -> Self:
        """The table of judgements whose values are these numbers, row by row."""
        rows = data.rows()
        cells = np.full((data.n_units, data.n_raters), np.nan)
        cells[rows.unit, rows.rater] = values
        return cls(cells)

    def take(self, units: NDArray[Any]) -> "Cells":
        """Only these units."""
        return Cells(self.cells[units])

    @property
    def per_unit(self) -> float:
        """Raters a unit, on average over the units that were judged."""
        n = self.known.sum(axis=1)
        return float(n[n > 0].mean()) if (n > 0).any() else 0.0


def split_halves(table: Cells, *, seed: int = 1, halves: int = HALVES) -> tuple[Floats, Floats]:
    """Correlations of the means of random halves of the raters: Pearson's and Spearman's."""
    random, found = generator(seed), []
    n_raters = table.cells.shape[1]
    for _ in range(halves):
        left = (random.permutation(n_raters) < n_raters / 2).astype(np.float64)
        sums = [table.filled @ side for side in (left, 1 - left)]
        sizes = [table.known @ side for side in (left, 1 - left)]
        use = (sizes[0] > 0) & (sizes[1] > 0)
        a, b = (total[use] / size[use] for total, size in zip(sums, sizes, strict=True))
        if use.sum() > 2 and np.ptp(a) > 0 and np.ptp(b) > 0:  # the deviation of equal means may be a rounding error
            found.append((np.corrcoef(a, b)[0, 1], np.corrcoef(midranks(a), midranks(b))[0, 1]))
    values = np.array(found).reshape(-1, 2)
    return values[:, 0], values[:, 1]


def midranks(values: Floats) -> Floats:
    """Ranks, ties sharing their mean; means that differ in the last digits only, as machines add, are ties."""
    size = float(np.abs(values).max(initial=0.0)) or 1.0
    _, place, times = np.unique(np.round(values / size, 12), return_inverse=True, return_counts=True)
    return np.asarray((np.cumsum(times) - (times - 1) / 2)[place.reshape(-1)])


def stepped_up(r: float, factor: float = 2.0) -> float:
    """Spearman & Brown: the reliability of so many times as many raters.

    >>> stepped_up(0.5)
    0.6666666666666666
    """
    return factor * r / (1 + (factor - 1) * r)


def reliability_of(table: Cells, of: str, *, seed: int = 1, draws: int = DRAWS) -> Reliability:
    """The aggregate and the ranking, one rater's share in it, and how many raters .8 takes.

    One rater and the number of raters are for other raters than these: their severities count (dependability). This is
    the one place where variance components of other designs could stand in.
    """
    k = table.per_unit
    what: dict[str, Any] = {"of": of, "raters_per_unit": k}
    nothing: dict[str, Any] = dict.fromkeys(
        (
            "aggregate",
            "aggregate_low",
            "aggregate_high",
            "ranking",
            "ranking_low",
            "ranking_high",
            "one_rater",
            "raters_needed",
        )
    )
    if k < 3:
        why = "with one or two raters a unit noise cannot be told from perspective"
        return Reliability(**what, **nothing, reason=why)
    r, rho = split_halves(table, seed=seed)
    if not len(r):
        return Reliability(**what, **nothing, reason="all units are alike")
    whole = stepped_up(float(r.mean()))
    unit, rater, rest = components(table)
    one = unit / (unit + rater + rest) if unit + rater + rest > 0 else None
    needed = int(np.ceil(GOOD / (1 - GOOD) * (rater + rest) / unit)) if unit > 0 else None
    random, again = generator(seed, 1), []
    for draw in range(draws):
        rows = random.integers(0, len(table.cells), len(table.cells))
        some, ranks = split_halves(table.take(rows), seed=seed + draw + 1, halves=5)
        again += [(stepped_up(float(some.mean())), stepped_up(float(ranks.mean())))] if len(some) else []
    ends = np.quantile(again, [0.025, 0.975], axis=0).T.tolist() if again else [(None, None)] * 2
    (low, high), (lowest, highest) = ends
    ranking = stepped_up(float(rho.mean()))
    return Reliability(**what, aggregate=whole, aggregate_low=low, aggregate_high=high, ranking=ranking,
                       ranking_low=lowest, ranking_high=highest, one_rater=one, raters_needed=needed)  # fmt: skip


def tables_of(data: Judgements) -> list[tuple[str, Cells]]:
    """The tables whose aggregates are looked at: of means where values are numbers, else of each category's share."""
    values = data.rows().value
    if data.scale.is_continuous:
        return [("mean", Cells.of(data, values))]
    if data.scale.level.is_numeric:
        return [("mean", Cells.of(data, data.scale.positions()[values]))]
    used = np.unique(values).tolist()
    used = used[:1] if len(used) == 2 else used  # the other of two says the same
    return [(f"share of {data.scale.categories[c]}", Cells.of(data, (values == c).astype(float))) for c in used]


def components(table: Cells) -> tuple[float, float, float]:
    """Variances of units, of raters and of the rest in any sparse design (Henderson's method I); none below 0."""
    u, r = np.nonzero(table.known)
    y, n = table.cells[u, r], len(u)
    by = [(np.bincount(at, y), np.bincount(at)) for at in (u, r)]
    sums = [float((total[size > 0] ** 2 / size[size > 0]).sum()) for total, size in by]
    levels = [int((size > 0).sum()) for _, size in by]
    shares = [float((size**2).sum() / n) for _, size in by]
    coefficients = [[n, n, n, n], [n, n, levels[0], levels[0]], [n, levels[1], n, levels[1]], [n, *shares, 1]]
    found = np.linalg.lstsq(
        np.array(coefficients, dtype=np.float64), [(y**2).sum(), *sums, y.sum() ** 2 / n], rcond=None
    )
    _, unit, rater, rest = (max(float(one), 0.0) for one in found[0])
    return unit, rater, rest


def most_reliable(
    data: Judgements, *, seed: int = 1, draws: int = DRAWS
) -> tuple[tuple[Reliability, ...], Reliability, Cells]:
    """Every aggregate of one question, the best of them, and its table."""
    tables = tables_of(data)
    found = tuple(reliability_of(table, of, seed=seed, draws=draws) for of, table in tables)
    usable = [one for one in found if one.aggregate is not None]
    best = max(usable, key=lambda one: one.aggregate or 0.0) if usable else found[0]
    return found, best, next(table for of, table in tables if of == best.of)
