"""Clusters: units that stand or fall together, such as copies of one text or discriminants of one sentence."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from concordant.errors import InputError
from concordant.model.columns import Column

NO_CLUSTERS = "none"


@dataclass(frozen=True, kw_only=True, eq=False)
class Clusters:
    """`of[u]` is the number of the cluster of unit u; `name` says in the plural what the clusters are."""

    name: str
    of: NDArray[np.int64]

    def hold(self, other: "Clusters") -> bool:
        """Whether every cluster of the other lies in one of these."""
        both = np.unique(np.stack([other.of, self.of]), axis=1)
        return bool(both.shape[1] == len(np.unique(other.of)))


def cluster_units(
    columns: Mapping[str, Column], unit: Column, file: str | None = None, *, is_chosen: bool = True
) -> Clusters | None:
    """The clusters that columns say the units belong to: who shares a value in one of them belongs together.

    None without columns; those that nobody chose and that hold one unit each say nothing and are left out. A unit with
    two values of a column, or with none, is an error.
    """
    of = {name: _of_units(name, column.as_labels(), unit, file) for name, column in columns.items()}
    if not is_chosen:
        of = {name: codes for name, codes in of.items() if np.bincount(codes[codes >= 0]).max(initial=0) > 1}
    if not of:
        return None
    return Clusters(name=" and ".join(of), of=next(iter(of.values())) if len(of) == 1 else _connected([*of.values()]))


def _of_units(name: str, column: Column, unit: Column, file: str | None) -> NDArray[np.int64]:
    """The code of each unit; -1 for a unit without rows."""
    of = np.full(len(unit.labels), -1, dtype=np.int64)
    of[unit.codes] = column.codes
    odd = np.flatnonzero((column.codes < 0) | (of[unit.codes] != column.codes))
    if not len(odd):
        return of
    which = repr(unit.labels[unit.codes[odd[0]]])
    if column.codes[odd[0]] < 0:
        raise InputError(f"unit {which} is in none of the {name}", file=file, hint="fill the cell in, or cluster none")
    raise InputError(f"unit {which} is in two of the {name}", file=file, hint="clusters hold whole units")


def _connected(of: list[NDArray[np.int64]]) -> NDArray[np.int64]:
    """Units that share a cluster of any kind, directly or through others, are one cluster."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    n, first, ends, size = len(of[0]), [], [], len(of[0])
    for codes in of:
        units = np.flatnonzero(codes >= 0)
        first.append(units)
        ends.append(size + codes[units])
        size += int(codes.max(initial=-1)) + 1
    left, right = np.concatenate(first), np.concatenate(ends)
    links = coo_array((np.ones(len(left)), (left, right)), shape=(size, size))
    return np.asarray(connected_components(links, directed=False)[1][:n], dtype=np.int64)
