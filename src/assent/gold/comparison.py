"""Experts against participants: two consensus classifications of the same units in one table (CATALAN 5.1)."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assent.errors import InputError, nearest
from assent.gold.consensus import Consensus, Tie, consensus
from assent.measures.result import Agreement
from assent.model.judgements import Judgements
from assent.model.scale import Level
from assent.uncertainty.estimate import measure
from assent.uncertainty.request import Ci

SET_MEASURES = ("set_full", "set_weighted", "set_overlapping")
CELLS_SHOWN = 5


@dataclass(frozen=True, kw_only=True)
class Cell:
    """An off-diagonal cell: units that the first put here and the second there."""

    first: str
    second: str
    n_units: int
    share: float  # of all units on which the two differ


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """The contingency table in the user's order with totals, agreements, and what could not be compared."""

    names: tuple[str, str]
    categories: tuple[str, ...]
    table: tuple[tuple[int, ...], ...]
    results: tuple[Agreement, ...]
    largest: tuple[Cell, ...]
    ties: tuple[tuple[Tie, ...], tuple[Tie, ...]]
    n_only: tuple[int, int]

    @property
    def n_units(self) -> int:
        """Units that both sides classify."""
        return sum(map(sum, self.table))


def compare(
    first: Judgements,
    second: Judgements,
    *,
    names: tuple[str, str] = ("experts", "participants"),
    categories: Sequence[str] | None = None,
    ci: Ci = "jackknife",
    seed: int = 0,
) -> Comparison:
    """Cross the two consensus classifications; tied units and units of one side only are counted, not used."""
    if first.scale.level is not second.scale.level:
        raise InputError(
            f"{names[0]} are {first.scale.level.value} and {names[1]} {second.scale.level.value}", hint="say --level"
        )
    sides = (consensus(first), consensus(second))
    order = _order(sides, categories)
    pairs = _shared(*sides)
    table = cross(pairs, order)
    only = tuple(len(set(side.units)) - len({*sides[0].units} & {*sides[1].units}) for side in sides)
    return Comparison(
        names=names,
        categories=order,
        table=tuple(tuple(int(n) for n in row) for row in table),
        results=table_agreements(table, order, names=names, level=first.scale.level, ci=ci, seed=seed),
        largest=largest_cells(table, order),
        ties=(sides[0].ties, sides[1].ties),
        n_only=(only[0], only[1]),
    )


def _shared(first: Consensus, second: Consensus) -> list[tuple[str, str]]:
    """The two values of every unit that both sides decide."""
    theirs = dict(zip(second.units, second.values, strict=True))
    both = ((mine, theirs.get(unit)) for unit, mine in zip(first.units, first.values, strict=True))
    return [(mine, other) for mine, other in both if mine is not None and other is not None]


def _order(sides: tuple[Consensus, Consensus], asked: Sequence[str] | None) -> tuple[str, ...]:
    """The categories in the user's order, or all that occur in the order of the scales."""
    used = {value for side in sides for value in side.values if value is not None}
    known = tuple(dict.fromkeys(c for side in sides for c in side.categories))
    if asked is None:
        return tuple(c for c in known if c in used)
    lacking = sorted(used - set(asked))
    if lacking:
        raise InputError(f"{lacking[0]!r} occurs but is not in the order given", hint=nearest(lacking[0], tuple(asked)))
    return tuple(asked)


def cross(pairs: Sequence[tuple[str, str]], order: Sequence[str]) -> NDArray[np.int64]:
    """Counts, rows the first side's categories."""
    place = {category: i for i, category in enumerate(order)}
    table = np.zeros((len(order), len(order)), dtype=np.int64)
    if pairs:
        rows, columns = np.array([(place[one], place[two]) for one, two in pairs]).T
        np.add.at(table, (rows, columns), 1)
    return table


def table_agreements(
    table: NDArray[np.int64],
    categories: Sequence[str],
    *,
    names: tuple[str, str],
    level: Level,
    ci: Ci = "jackknife",
    seed: int = 0,
) -> tuple[Agreement, ...]:
    """Full, weighted and overlapping agreement of sets; kappa for anything else."""
    data = Judgements.from_contingency(table, tuple(categories), raters=names, level=level)
    keys = SET_MEASURES if level is Level.SET else ("kappa",)
    return tuple(measure(data, key, ci=ci, seed=seed) for key in keys)


def largest_cells(table: NDArray[np.int64], categories: Sequence[str], *, most: int = CELLS_SHOWN) -> tuple[Cell, ...]:
    """The off-diagonal cells with most units, the largest first."""
    apart = table - np.diag(np.diag(table))
    total = int(apart.sum())
    order = np.argsort(-apart, axis=None, kind="stable")[:most]
    cells = [(int(i) // len(categories), int(i) % len(categories)) for i in order]
    return tuple(
        Cell(first=categories[r], second=categories[c], n_units=int(apart[r, c]), share=float(apart[r, c] / total))
        for r, c in cells
        if apart[r, c]
    )
