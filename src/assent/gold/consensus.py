"""The consensus of many raters: the category with the largest share of votes; ties are reported, never broken."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assent.diagnosis.shares import UnitShares, unit_shares
from assent.model.judgements import Judgements


@dataclass(frozen=True, kw_only=True)
class Tie:
    """A unit for which several categories have the most votes."""

    unit: str
    categories: tuple[str, ...]
    n_votes: int


@dataclass(frozen=True, kw_only=True, eq=False)
class Consensus:
    """`values[i]` is the category of `units[i]`, None where votes are tied; `shares[i]` is the winners' share."""

    units: tuple[str, ...]
    values: tuple[str | None, ...]
    shares: NDArray[np.float64]
    n_votes: NDArray[np.int64]
    categories: tuple[str, ...]
    ties: tuple[Tie, ...]


def consensus(data: Judgements) -> Consensus:
    """Count the votes of every unit."""
    found = unit_shares(data)
    largest, tied = found.largest, found.is_tied
    values = [None if tie else found.categories[c] for c, tie in zip(largest.tolist(), tied.tolist(), strict=True)]
    return Consensus(
        units=found.units,
        values=tuple(values),
        shares=found.shares[np.arange(len(largest)), largest],
        n_votes=found.sizes,
        categories=found.categories,
        ties=tuple(_tie(found, int(i)) for i in np.nonzero(tied)[0]),
    )


def _tie(found: UnitShares, i: int) -> Tie:
    """The categories that share the lead."""
    lead = int(found.counts[i].max())
    winners = np.nonzero(found.counts[i] == lead)[0].tolist()
    return Tie(unit=found.units[i], categories=tuple(found.categories[c] for c in winners), n_votes=lead)
