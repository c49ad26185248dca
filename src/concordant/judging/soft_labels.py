"""Soft labels: the share of every category of a unit with its interval, and models scored against such shares.

The shares of a unit are drawn towards those of all units: Dirichlet posterior, prior = strength × overall shares, the
strength by marginal likelihood. Intervals are for raters who could be exchanged for others like them.
"""

import csv
import io
from dataclasses import dataclass
from typing import Any

import numpy as np

from concordant.arrays import Floats
from concordant.diagnosis.material import unit_shares
from concordant.errors import InputError, nearest
from concordant.model.judgements import Judgements
from concordant.randomness import generator
from concordant.readers.data import any_table

FLOOR, DRAWS = 1e-6, 1000


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class SoftLabels:
    """`shares`, `low` and `high`: units × categories."""

    units: tuple[str, ...]
    categories: tuple[str, ...]
    n_votes: tuple[int, ...]
    shares: Floats
    low: Floats
    high: Floats
    strength: float

    def to_dict(self) -> dict[str, Any]:
        """How they were made; the units are in the file of soft labels."""
        widths = np.median(self.high - self.low, axis=0).tolist()
        return {"strength": self.strength, "median_width": dict(zip(self.categories, widths, strict=True))}

    def to_csv(self) -> str:
        """One row for each unit: its votes, and share, low and high of every category."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        head = [f"{part}_{name}" for name in self.categories for part in ("share", "low", "high")]
        writer.writerow(["unit", "n_votes", *head])
        for i, unit in enumerate(self.units):
            cells = [one[i, c] for c in range(len(self.categories)) for one in (self.shares, self.low, self.high)]
            writer.writerow([unit, self.n_votes[i], *(float(cell) for cell in cells)])
        return text.getvalue()


@dataclass(frozen=True, kw_only=True)
class Score:
    """A distance between predicted and human distributions: its mean over units, the floor, and chance."""

    name: str
    value: float
    low: float
    high: float
    floor: float
    chance: float
    n_units: int
    n_floored: int = 0


def soft_labels(data: Judgements, *, level: float = 0.95) -> SoftLabels:
    """The shares of every unit with intervals."""
    from scipy.special import betaincinv

    found = unit_shares(data)
    counts = found.counts.astype(np.float64)
    overall, strength = counts.sum(axis=0) / counts.sum(), fitted_strength(counts)
    posterior = counts + strength * overall
    rest, tail = posterior.sum(axis=1, keepdims=True) - posterior, (1 - level) / 2
    safe, others = np.maximum(posterior, 1e-12), np.maximum(rest, 1e-12)
    return SoftLabels(
        units=found.units,
        categories=found.categories,
        n_votes=tuple(found.sizes.tolist()),
        shares=posterior / posterior.sum(axis=1, keepdims=True),
        low=np.where(posterior > 0, betaincinv(safe, others, tail), 0.0),
        high=np.where(posterior > 0, betaincinv(safe, others, 1 - tail), 0.0),
        strength=strength,
    )


def fitted_strength(counts: Floats) -> float:
    """How far units are alike: the sum of the Dirichlet that shares come from, by marginal likelihood."""
    from scipy.special import gammaln

    overall, n = counts.sum(axis=0) / counts.sum(), counts.sum(axis=1)
    used = overall > 0
    grid = np.exp(np.linspace(-3, 6, 400))

    def fit(a: float) -> float:
        inside = gammaln(counts[:, used] + a * overall[used]) - gammaln(a * overall[used])
        return float((gammaln(a) - gammaln(a + n) + inside.sum(axis=1)).sum())

    return float(grid[int(np.argmax([fit(a) for a in grid]))])


def jensen_shannon(p: Floats, q: Floats) -> Floats:
    """In bits, 0 to 1."""
    from scipy.special import rel_entr

    middle = (p + q) / 2
    return np.asarray((rel_entr(p, middle) + rel_entr(q, middle)).sum(axis=-1) / 2 / np.log(2))


def wasserstein(p: Floats, q: Floats) -> Floats:
    """Ordered categories, one step apart, as a share of the scale."""
    return np.asarray(np.abs(np.cumsum(p - q, axis=-1)).sum(axis=-1) / max(p.shape[-1] - 1, 1))


def cross_entropy(p: Floats, q: Floats) -> Floats:
    """In nats, of the predictions q against the shares p."""
    return np.asarray(-(p * np.log(np.maximum(q, FLOOR))).sum(axis=-1))


def manhattan(p: Floats, q: Floats) -> Floats:
    """The sum of absolute differences, 0 to 2."""
    return np.asarray(np.abs(p - q).sum(axis=-1))


def score_against(soft: SoftLabels, predictions: Any, data: Judgements, *, seed: int = 1) -> tuple[Score, ...]:
    """Predicted distributions against people's shares; the floor is people's halves against each other."""
    predicted = _read(soft, predictions)
    counts = unit_shares(data).counts.astype(np.float64)
    shares = counts / counts.sum(axis=1, keepdims=True)
    overall = np.tile(counts.sum(axis=0) / counts.sum(), (len(counts), 1))
    one, other = _halves(data, seed)
    both = (one.sum(axis=1) > 0) & (other.sum(axis=1) > 0)
    halves = [half[both] / half[both].sum(axis=1, keepdims=True) for half in (one, other)]
    measures = {"Jensen-Shannon": jensen_shannon, "cross-entropy": cross_entropy, "Manhattan": manhattan}
    if data.scale.level.is_ordered:
        measures["Wasserstein"] = wasserstein
    drawn = generator(seed, 5).multinomial(len(shares), np.full(len(shares), 1 / len(shares)), size=DRAWS) / len(shares)
    found = []
    for name, distance in measures.items():
        each = distance(shares, predicted)
        low, high = np.quantile(drawn @ each, [0.025, 0.975]).tolist()
        floored = int((predicted < FLOOR).sum()) if name == "cross-entropy" else 0
        floor = float(distance(*halves).mean()) if both.any() else float("nan")
        found.append(
            Score(name=name, value=float(each.mean()), low=low, high=high, floor=floor,
                  chance=float(distance(shares, overall).mean()), n_units=len(shares), n_floored=floored)
        )  # fmt: skip
    return tuple(found)


def _halves(data: Judgements, seed: int) -> tuple[Floats, Floats]:
    """The answers of two random halves of the raters, counted by unit and category."""
    rows, places = data.rows(), unit_shares(data).places
    left = generator(seed, 6).permutation(data.n_raters) < data.n_raters / 2
    tables = np.zeros((2, data.n_units, len(data.scale.categories)))
    np.add.at(tables, (left[rows.rater].astype(int), rows.unit, rows.value), 1)
    return tables[0][places], tables[1][places]


def _read(soft: SoftLabels, source: Any) -> Floats:
    """Predictions in the order of the units and categories."""
    table = any_table(source)
    for name in ("unit", *soft.categories):
        table.expect(name)
    units = [str(one) for one in table.column("unit").text().tolist()]
    for unit in soft.units:
        if unit not in units:
            raise InputError(f"there is no prediction for {unit!r}", file=table.file, hint=nearest(unit, units))
    columns = []
    for name in soft.categories:
        try:
            columns.append(table.column(name).text().astype(np.float64))
        except ValueError:
            raise InputError("a prediction is not a number", file=table.file, column=name) from None
    cells = np.column_stack(columns)
    for i in np.flatnonzero((np.abs(cells.sum(axis=1) - 1) > 1e-6) | (cells < 0).any(axis=1))[:1].tolist():
        row = int(table.row_numbers[i])
        raise InputError("predictions are not probabilities that sum to 1", file=table.file, row=row)
    place = {unit: i for i, unit in enumerate(units)}
    return np.asarray(cells[[place[unit] for unit in soft.units]])
