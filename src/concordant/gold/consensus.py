"""Experts against participants: two consensus classifications of the same units in one table (CATALAN 5.1).

The consensus of many raters is the category with the largest share of votes; ties are reported, never broken.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from concordant.diagnosis.material import UnitShares, count_pairs, unit_shares
from concordant.digits import cell_text, counted
from concordant.errors import InputError, nearest
from concordant.measures.kappas import kappa, set_full, set_overlapping_kappa, set_weighted_kappa
from concordant.measures.result import Agreement, as_row
from concordant.model.judgements import Judgements
from concordant.model.scale import Level
from concordant.model.tabular import TabularResult, plain
from concordant.readers.data import as_study
from concordant.uncertainty.estimate import measure


@dataclass(frozen=True, kw_only=True)
class Tie:
    """A unit for which several categories have the most votes."""

    unit: str
    categories: tuple[str, ...]
    n_votes: int


def ties(found: UnitShares) -> tuple[Tie, ...]:
    """The units without a consensus."""
    tied = []
    for i in np.nonzero(found.is_tied)[0].tolist():
        lead = int(found.counts[i].max())
        shared = tuple(found.categories[c] for c in np.nonzero(found.counts[i] == lead)[0].tolist())
        tied.append(Tie(unit=found.units[i], categories=shared, n_votes=lead))
    return tuple(tied)


SET_MEASURES = (set_full, set_weighted_kappa, set_overlapping_kappa)
CELLS_SHOWN = 5


@dataclass(frozen=True)
class Cell:
    """An off-diagonal cell: units that the first put here and the second there."""

    first: str
    second: str
    n_units: int
    share: float  # of all units on which the two differ


@dataclass(frozen=True, kw_only=True)
class UnitComparison:
    """The consensus of both sides on a unit with its share of votes; None where votes are tied or there are none."""

    unit: str
    first: str | None
    second: str | None
    first_share: float | None
    second_share: float | None


@dataclass(frozen=True, kw_only=True)
class ConsensusComparison:
    """The contingency table in the user's order with totals, agreements, and what could not be compared."""

    names: tuple[str, str]
    categories: tuple[str, ...]
    table: tuple[tuple[int, ...], ...]
    results: tuple[Agreement, ...]
    largest: tuple[Cell, ...]
    ties: tuple[tuple[Tie, ...], tuple[Tie, ...]]
    n_only: tuple[int, int]
    units: tuple[UnitComparison, ...] = ()

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
    seed: int = 0,
) -> ConsensusComparison:
    """Cross the two consensus classifications; tied units and units of one side only are counted, not used."""
    if first.scale.level is not second.scale.level:
        raise InputError(
            f"{names[0]} are {first.scale.level.value} and {names[1]} {second.scale.level.value}", hint="say --level"
        )
    sides = (unit_shares(first), unit_shares(second))
    used = {value for side in sides for value in side.values if value is not None}
    order = tuple(dict.fromkeys(c for side in sides for c in side.categories if c in used))
    if categories is not None:  # the user's order
        order = tuple(categories)
        for lacking in sorted(used - set(order))[:1]:
            raise InputError(f"{lacking!r} occurs but is not in the order given", hint=nearest(lacking, order))
    ours, theirs = (dict(zip(side.units, side.values, strict=True)) for side in sides)
    place = {category: i for i, category in enumerate(order)}
    both = [(one, theirs.get(unit)) for unit, one in ours.items()]
    pairs = [(place[one], place[two]) for one, two in both if one is not None and two is not None]
    codes = np.array(pairs, dtype=np.int64).reshape(-1, 2)
    table = count_pairs(codes[:, 0], codes[:, 1], (len(order), len(order)))
    return ConsensusComparison(
        names=names,
        categories=order,
        table=tuple(map(tuple, table.tolist())),
        results=table_agreements(table, order, names=names, level=first.scale.level, seed=seed),
        largest=largest_cells(table, order),
        ties=(ties(sides[0]), ties(sides[1])),
        n_only=(len(ours.keys() - theirs.keys()), len(theirs.keys() - ours.keys())),
        units=tuple(unit_comparisons(*sides)),
    )


def unit_comparisons(first: UnitShares, second: UnitShares) -> Iterator[UnitComparison]:
    """Unit by unit, those of the first side first."""
    sides = [
        {
            unit: (value, share)
            for unit, value, share in zip(one.units, one.values, one.shares.max(axis=1).tolist(), strict=True)
        }
        for one in (first, second)
    ]
    for unit in dict.fromkeys([*first.units, *second.units]):
        (one, share), (two, other) = (side.get(unit, (None, None)) for side in sides)
        yield UnitComparison(unit=unit, first=one, second=two, first_share=share, second_share=other)


class Comparisons(dict[str | None, ConsensusComparison], TabularResult):
    """The comparison of every question that both sides answered."""

    COLUMNS: ClassVar = {"question": "Question", "name": "Measure", "value": "Value", "n_units": "Units"} | {
        "interval_low": "from",
        "interval_high": "to",
    }

    def __repr__(self) -> str:
        """The agreement of each question in a line."""
        return "\n".join(
            f"<{f'{question}: ' if question else ''}{' & '.join(one.names)} on {counted(one.n_units, 'unit')}: "
            f"{'; '.join(f'{r.name} {cell_text(r.value)}' for r in one.results)}>"
            for question, one in self.items()
        )

    def to_dict(self) -> dict[str, Any]:
        """Everything as JSON can hold it."""
        told = [{"question": q, **plain(vars(one)), "n_units": one.n_units} for q, one in self.items()]
        return {"comparisons": told}

    def rows(self) -> list[dict[str, Any]]:
        """One for each coefficient."""
        return [as_row(result.with_(question=q)) for q, one in self.items() for result in one.results]


def compare_sides(
    experts: Any,
    participants: Any,
    *,
    order: Sequence[str] | None = None,
    names: tuple[str, str] = ("experts", "participants"),
    **reading: Any,
) -> Comparisons:
    """The consensus of experts against that of participants, question by question; `order` is that of the table.

    Both are whatever holds judgements, and are read in the same way.

    >>> compare_sides([["a"], ["b"]], [["a", "a"], ["a", "a"]])[None].n_units
    2
    """
    one, two = as_study(experts, **reading), as_study(participants, **reading)
    common: list[str | None] = [question for question in one.questions if question in two.questions]
    if not one.questions and not two.questions:
        common = [None]
    if not common:
        raise InputError("the two files have no question in common", hint="name the column with --question")
    return Comparisons(
        {q: compare(one.judgements(q), two.judgements(q), names=names, categories=order) for q in common}
    )


def table_agreements(
    table: NDArray[np.int64], categories: Sequence[str], *, names: tuple[str, str], level: Level, seed: int = 0
) -> tuple[Agreement, ...]:
    """Full, weighted and overlapping agreement of sets; kappa for anything else."""
    data = Judgements.from_contingency(table, tuple(categories), raters=names, level=level)
    chosen = SET_MEASURES if level is Level.SET else (kappa,)
    return tuple(measure(data, one.key, ci="jackknife", seed=seed) for one in chosen)


def largest_cells(table: NDArray[np.int64], categories: Sequence[str], *, most: int = CELLS_SHOWN) -> tuple[Cell, ...]:
    """The off-diagonal cells with most units, the largest first."""
    apart = table - np.diag(np.diag(table))
    order = np.argsort(-apart, axis=None, kind="stable")[:most]
    cells = zip(*np.unravel_index(order, apart.shape), strict=True)
    return tuple(
        Cell(categories[r], categories[c], int(apart[r, c]), float(apart[r, c] / apart.sum()))
        for r, c in cells
        if apart[r, c]
    )
