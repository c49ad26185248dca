"""Groups and camps of raters: do they agree more within than across, and which units split them?

Camps are looked for without an attribute: each rater's line on the mean of the others is removed (severity and care),
and the leading eigenvalue of the residual correlations is compared with that of studies drawn from those lines.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.arrays import Floats
from concordant.diagnosis.aggregate import Cells
from concordant.diagnosis.material import count_pairs
from concordant.diagnosis.verdict import MAIN
from concordant.model.judgements import Judgements
from concordant.model.scale import Level
from concordant.randomness import generator
from concordant.uncertainty.estimate import measure

PERMUTATIONS, NULLS, AGAIN = 999, 99, 20
LEAST_IN_GROUP, FLAT, STABLE, SURE = 5, 0.3, 0.5, 0.05


@dataclass(frozen=True, kw_only=True)
class GroupTest:
    """Agreement of pairs within groups and across them; p by permuting the attribute over raters.

    `alphas` is agreement inside each group, `cross` that of raters of one with raters of another, both beyond chance.
    """

    attribute: str
    groups: Mapping[str, int]
    alphas: Mapping[str, float | None]
    cross: Mapping[str, float | None]
    within: float | None
    across: float | None
    gap: float | None
    p: float | None
    p_corrected: float | None = None
    reason: str | None = None


@dataclass(frozen=True, kw_only=True)
class Camps:
    """Who thinks alike; `is_claimed` if they are more than chance and come again."""

    k: int
    p: float
    stability: float
    eigenvalue: float
    expected: float
    is_claimed: bool
    raters: Mapping[str, str]
    unplaced: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class SplitUnit:
    """A unit that two sides see differently; p is corrected over units, and only descriptive for camps."""

    unit: str
    shares: Mapping[str, float]
    difference: float
    p: float


def lines_of(table: Cells) -> tuple[Floats, Floats]:
    """Each rater's line on the mean of the others (severity and care): fitted values, and the slopes."""
    n = table.known.sum(axis=1, keepdims=True)
    others = np.where(table.known, (table.filled.sum(axis=1, keepdims=True) - table.filled) / np.maximum(n - 1, 1), 0)
    count = np.maximum(table.known.sum(axis=0), 1)
    across, own = others.sum(axis=0) / count, table.filled.sum(axis=0) / count
    dx = np.where(table.known, others - across, 0)
    slope = (dx * (table.filled - own)).sum(axis=0) / np.maximum((dx**2).sum(axis=0), 1e-9)
    return own + slope * dx, slope


def residual_axes(table: Cells, n_axes: int = 1) -> tuple[Floats, Floats]:
    """The leading eigenvalues of the raters' residual correlations, and where raters lie on their axes."""
    rest = np.where(table.known, table.filled - lines_of(table)[0], 0)
    c = rest.T @ rest
    scale = np.sqrt(np.maximum(np.diag(c), 1e-12))
    values, vectors = np.linalg.eigh(c / np.outer(scale, scale))
    values = values[::-1][:n_axes]
    return values, vectors[:, ::-1][:, :n_axes] * np.sqrt(np.maximum(values, 0))


def camps_of(table: Cells, raters: Sequence[str], *, seed: int = 1, nulls: int = NULLS) -> Camps:
    """Two to four camps, those that come again most surely, against studies of one mind."""
    low, high = float(np.nanmin(table.cells)), float(np.nanmax(table.cells))
    scaled = Cells((table.cells - low) / max(high - low, 1e-12))  # from 0 to 1, as probabilities are
    values, _ = residual_axes(scaled, 1)
    fitted, slopes = lines_of(scaled)
    p_yes, random = np.clip(fitted, 0.01, 0.99), generator(seed, 2)
    chance = [_one_mind(scaled, p_yes, random) for _ in range(nulls)]
    p = (1 + sum(one >= values[0] for one in chance)) / (nulls + 1)
    best: tuple[float, int, NDArray[Any]] = (-1.0, 2, np.zeros(len(raters), dtype=np.int64))
    for k in (2, 3, 4) if len(raters) >= 12 else (2,):
        label = _clusters(residual_axes(scaled, k - 1)[1], k, seed)
        again = []
        for draw in range(AGAIN):
            rows = random.integers(0, len(scaled.cells), len(scaled.cells))
            again.append(rand_index(label, _clusters(residual_axes(scaled.take(rows), k - 1)[1], k, seed + draw + 1)))
        if (mean := float(np.mean(again))) > best[0] + 0.05:
            best = (mean, k, label)
    stability, k, label = best
    flat = slopes < FLAT
    return Camps(
        k=k,
        p=p,
        stability=stability,
        eigenvalue=float(values[0]),
        expected=float(np.quantile(chance, 0.95)),
        is_claimed=p <= SURE and stability >= STABLE,
        raters={name: f"camp {label[i] + 1}" for i, name in enumerate(raters) if not flat[i]},
        unplaced=tuple(name for i, name in enumerate(raters) if flat[i]),
    )


def _one_mind(table: Cells, p_yes: Floats, random: np.random.Generator) -> float:
    """The leading eigenvalue of a study whose raters differ in severity and care only."""
    drawn = np.where(table.known, random.random(table.cells.shape) < p_yes, np.nan)
    return float(residual_axes(Cells(drawn))[0][0])


def _clusters(places: Floats, k: int, seed: int) -> NDArray[Any]:
    """K-means of the raters' places, the camps numbered in the order of the raters."""
    from scipy.cluster.vq import kmeans2  # slow to import

    label = kmeans2(places, k, minit="++", seed=generator(seed, 3), iter=50)[1]
    order = {one: i for i, one in enumerate(dict.fromkeys(label.tolist()))}
    return np.array([order[one] for one in label.tolist()], dtype=np.int64)


def rand_index(a: NDArray[Any], b: NDArray[Any]) -> float:
    """The adjusted Rand index (Hubert & Arabie 1985).

    >>> rand_index(np.array([0, 0, 1, 1]), np.array([1, 1, 0, 0]))
    1.0
    """
    table = np.zeros((int(a.max()) + 1, int(b.max()) + 1))
    np.add.at(table, (a, b), 1)
    cells, rows, columns = ((n * (n - 1) / 2).sum() for n in (table, table.sum(axis=1), table.sum(axis=0)))
    mean = rows * columns / (len(a) * (len(a) - 1) / 2)
    most = (rows + columns) / 2
    return float((cells - mean) / (most - mean)) if most > mean else 1.0


def group_test(data: Judgements, attribute: str, groups: Mapping[str, Sequence[str]], *, seed: int = 1) -> GroupTest:
    """Within- minus across-group agreement of pairs of raters, the attribute permuted over raters."""
    rows, size = data.rows(), len(data.raters)
    code = np.full(size, -1, dtype=np.int64)
    for g, members in enumerate(groups.values()):
        code[[data.raters.index(one) for one in members if one in data.raters]] = g
    sizes = {name: int((code == g).sum()) for g, name in enumerate(groups)}
    tested = [g for g, n in enumerate(sizes.values()) if n >= LEAST_IN_GROUP]
    alphas = {name: _alpha_of(data, [r for r in members if r in data.raters]) for name, members in groups.items()}
    cross = {
        f"{names[a]} × {names[b]}": cross_agreement(data, code, a, b)
        for names in [list(groups)]
        for a, b in combinations(range(len(names)), 2)
    }
    what: dict[str, Any] = {"attribute": attribute, "groups": sizes, "alphas": alphas, "cross": cross}
    if len(tested) < 2:
        why = f"fewer than two groups have {LEAST_IN_GROUP} raters"
        return GroupTest(**what, within=None, across=None, gap=None, p=None, reason=why)
    cells = np.full((data.n_units, size), -1, dtype=np.int64)
    cells[rows.unit, rows.rater] = rows.value
    kept = np.isin(code, tested)
    cells, code = cells[:, kept], code[kept]
    known = (cells >= 0).astype(np.float64)
    both = known.T @ known
    same = sum(hit.T @ hit for c in range(len(data.scale.categories)) for hit in [(cells == c).astype(np.float64)])
    one, other = np.triu_indices(len(code), 1)
    agreed, weight = np.asarray(same)[one, other], both[one, other]

    def gap(labels: NDArray[Any]) -> tuple[float, float]:
        inside = labels[one] == labels[other]
        parts = [(agreed[side].sum(), weight[side].sum()) for side in (inside, ~inside)]
        within, across = (float(hits / n) if n else np.nan for hits, n in parts)
        return within, across

    within, across = gap(code)
    random = generator(seed, 4)
    ordered = np.sort(code)  # what is permuted does not depend on the order of raters
    drawn = np.array([np.subtract(*gap(random.permutation(ordered))) for _ in range(PERMUTATIONS)])
    p = float((1 + (drawn >= within - across - 1e-12).sum()) / (PERMUTATIONS + 1))
    return GroupTest(**what, within=within, across=across, gap=within - across, p=p)


def cross_agreement(data: Judgements, code: NDArray[np.int64], one: int, other: int) -> float | None:
    """Agreement of raters of one group with raters of another, beyond chance: 1 - D_o / D_e.

    D_o is the mean distance of answers of both to one unit, units weighted by their answers, D_e that of any answers of
    both (cross-replication reliability: Wong, Paritosh & Aroyo 2021). Where both are alike it is their alpha.
    """
    if data.scale.is_continuous or data.scale.level is Level.SET:
        return None
    rows, shape = data.rows(), (data.n_units, len(data.scale.categories))
    table = 1 - np.eye(shape[1])
    if data.scale.level.is_ordered:
        places = data.scale.positions()
        table = (places[:, None] - places[None, :]) ** 2
    sides = []
    for side in (one, other):
        mine = code[rows.rater] == side
        sides.append(count_pairs(rows.unit[mine], rows.value[mine], shape).astype(np.float64))
    first, second = (side[(sides[0].sum(axis=1) > 0) & (sides[1].sum(axis=1) > 0)] for side in sides)
    n_first, n_second = first.sum(axis=1), second.sum(axis=1)
    if not len(first):
        return None
    apart = ((first @ table) * second).sum(axis=1) / (n_first * n_second)
    observed = float(((n_first + n_second) * apart).sum() / (n_first + n_second).sum())
    expected = float(first.sum(axis=0) @ table @ second.sum(axis=0) / (n_first.sum() * n_second.sum()))
    return 1 - observed / expected if expected > 0 else None


def _alpha_of(data: Judgements, raters: Sequence[str]) -> float | None:
    return measure(data.with_raters(raters), MAIN, ci="none", seed=0).value if len(raters) > 1 else None


def split_units(data: Judgements, sides: Mapping[str, Sequence[str]], most: int = 10) -> tuple[SplitUnit, ...]:
    """Units whose answers differ between two sides: the category that differs most, Fisher's test, corrected."""
    from scipy.stats import fisher_exact  # slow to import

    rows, side = data.rows(), np.full(len(data.raters), -1, dtype=np.int64)
    for s, members in enumerate(list(sides.values())[:2]):
        side[[data.raters.index(one) for one in members]] = s
    kept = side[rows.rater] >= 0
    counts = np.zeros((data.n_units, 2, len(data.scale.categories)))
    np.add.at(counts, (rows.unit[kept], side[rows.rater[kept]], rows.value[kept]), 1)
    n = counts.sum(axis=2)
    usable = np.flatnonzero((n > 0).all(axis=1))
    shares = counts[usable] / n[usable][:, :, None]
    gaps = shares[:, 0] - shares[:, 1]
    top = np.abs(gaps).argmax(axis=1)
    found = []
    for i, u in enumerate(usable.tolist()):
        hits = counts[u, :, top[i]]
        cross = np.array([[hits[0], n[u, 0] - hits[0]], [hits[1], n[u, 1] - hits[1]]])
        p = float(fisher_exact(cross)[1])
        found.append((float(f"{p:.9g}"), u, i))  # the order of equal p does not hang on the machine
    found.sort()
    corrected = np.minimum.accumulate([min(1.0, p * len(found) / (r + 1)) for r, (p, _, _) in enumerate(found)][::-1])
    names, units = list(sides)[:2], data.unit_names
    return tuple(
        SplitUnit(
            unit=str(u + 1) if units is None else units[u],
            shares={f"{names[s]}: {data.scale.categories[top[i]]}": float(shares[i, s, top[i]]) for s in (0, 1)},
            difference=float(gaps[i, top[i]]),
            p=float(corrected[::-1][rank]),
        )
        for rank, (_, u, i) in enumerate(found[:most])
    )


def tested_together(tests: Sequence[GroupTest]) -> tuple[GroupTest, ...]:
    """Benjamini & Hochberg over the attributes."""
    known = sorted((one.p, i) for i, one in enumerate(tests) if one.p is not None)
    found, least = list(tests), 1.0
    for rank in range(len(known), 0, -1):
        p, i = known[rank - 1]
        least = min(least, p * len(known) / rank)
        found[i] = replace(tests[i], p_corrected=least)
    return tuple(found)
