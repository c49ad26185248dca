"""The values of a gold standard: columns for all units, and one unit as an object when somebody looks at it."""

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from concordant.arrays import Floats
from concordant.model.tabular import fields_of

BLOCK = 100_000  # units whose cells are Python objects at the same time


@dataclass(frozen=True, kw_only=True)
class GoldValue:
    """One unit: its value (None: undecided), how sure it is, and where it comes from.

    `shares` has every category's share of the votes or its posterior probability, `certainty` the winner's; `basis`
    says which it is.
    """

    unit: str
    value: str | None
    certainty: float
    basis: str
    n_votes: int
    shares: Mapping[str, float]


class Values(Sequence[GoldValue]):
    """Values of many units, some at a time: what is made of them never takes all of them at once."""

    names: Sequence[str]

    @abstractmethod
    def parts(self) -> "Iterator[GoldValues]":
        """All units in order, in as many parts as it takes."""

    @abstractmethod
    def chosen(self, places: NDArray[np.intp]) -> "GoldValues":
        """Only the units at these places, in that order."""

    def __iter__(self) -> Iterator[GoldValue]:
        """One unit after the other."""
        for part in self.parts():
            for unit, value, certainty, basis, n, shares in part.rows():
                shown = dict(zip(part.categories, shares, strict=True))
                yield GoldValue(unit=unit, value=value, certainty=certainty, basis=basis, n_votes=n, shares=shown)

    @overload
    def __getitem__(self, index: int) -> GoldValue: ...
    @overload
    def __getitem__(self, index: slice) -> "GoldValues": ...
    def __getitem__(self, index: int | slice) -> "GoldValue | GoldValues":
        """One unit, or some."""
        if isinstance(index, slice):
            return self.chosen(np.arange(*index.indices(len(self))))
        return next(iter(self.chosen(np.array([range(len(self))[index]]))))

    def least_certain(self, n: int) -> "GoldValues":
        """The units whose values are least certain."""
        whole = joined([part.chosen(_lowest(part.certainty, n)) for part in self.parts()])
        return whole.chosen(_lowest(whole.certainty, n))

    def to_dict(self) -> list[dict[str, Any]]:
        """All of them as JSON can hold them."""
        return [fields_of(one) for one in self]

    @cached_property
    def _given(self) -> NDArray[np.int64]:
        """How many units got each name, and behind them how many got none."""
        counts = np.zeros(len(self.names) + 1, dtype=np.int64)
        for part in self.parts():
            counts += np.bincount(part.value % len(counts), minlength=len(counts))
        return counts

    @property
    def n_undecided(self) -> int:
        """Units without a value."""
        return int(self._given[-1])

    @property
    def counts(self) -> dict[str, int]:
        """How many units got each value."""
        return {name: n for name, n in zip(self.names, self._given.tolist(), strict=False) if n}


def _lowest(certainty: Floats, n: int) -> NDArray[np.intp]:
    """The places of the lowest, the first of those that are alike."""
    return np.argsort(certainty, kind="stable")[:n]


@dataclass(frozen=True, kw_only=True, eq=False)
class GoldValues(Values):
    """Many of them: `value[u]` is the place of unit u's value in `names` (-1: undecided), `basis[u]` in `bases`.

    The first of the names are the categories, whose shares are the columns of `shares`.
    """

    units: Sequence[str]
    names: Sequence[str]
    value: NDArray[np.int64]
    certainty: Floats
    bases: Sequence[str]
    basis: NDArray[np.int64]
    n_votes: NDArray[np.int64]
    categories: tuple[str, ...]
    shares: Floats

    def __len__(self) -> int:
        """How many units."""
        return len(self.units)

    def parts(self) -> "Iterator[GoldValues]":
        """All at once."""
        yield self

    def chosen(self, places: NDArray[np.intp]) -> "GoldValues":
        """Only the units at these places, in that order."""
        return GoldValues(
            units=[self.units[place] for place in places.tolist()],
            names=self.names,
            value=self.value[places],
            certainty=self.certainty[places],
            bases=self.bases,
            basis=self.basis[places],
            n_votes=self.n_votes[places],
            categories=self.categories,
            shares=self.shares[places],
        )

    def rows(self) -> Iterator[tuple[str, str | None, float, str, int, list[float]]]:
        """Unit, value, certainty, basis, number of votes and shares of each unit."""
        names = [*self.names, None]  # the last is also the place -1
        for start in range(0, len(self), BLOCK):
            part = slice(start, start + BLOCK)
            yield from zip(
                self.units[part],
                [names[place] for place in self.value[part].tolist()],
                self.certainty[part].tolist(),
                [self.bases[place] for place in self.basis[part].tolist()],
                self.n_votes[part].tolist(),
                self.shares[part].tolist(),
                strict=True,
            )


def joined(parts: Sequence[GoldValues]) -> GoldValues:
    """Parts of the same values as one; there is at least one."""
    columns: dict[str, Any] = {
        name: np.concatenate([getattr(part, name) for part in parts])
        for name in ("value", "certainty", "basis", "n_votes", "shares")
    }
    return replace(parts[0], units=[unit for part in parts for unit in part.units], **columns)
