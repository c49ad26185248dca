"""Labels of a column with very many of them, made when somebody asks for one."""

from abc import abstractmethod
from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING, Any, overload

from numpy.typing import NDArray

if TYPE_CHECKING:
    import polars as pl

MANY = 10_000
"""So many labels are not made before they are asked for."""


class ManyLabels(Sequence[str]):
    """Very many labels that stay where they are until one is asked for: in polars, or as whole numbers."""

    @property
    @abstractmethod
    def have_blanks_around(self) -> bool:
        """Whether a label begins or ends with a blank."""

    @abstractmethod
    def some(self, index: slice) -> "ManyLabels":
        """Some of the labels."""

    @abstractmethod
    def one(self, index: int) -> str:
        """One label."""

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> "ManyLabels": ...
    def __getitem__(self, index: int | slice) -> "str | ManyLabels":
        """One label, or some."""
        return self.some(index) if isinstance(index, slice) else self.one(int(index))


class Texts(ManyLabels):
    """Labels that polars holds."""

    def __init__(self, series: "pl.Series") -> None:
        """Keep the series."""
        self._series = series

    def __len__(self) -> int:
        """How many labels."""
        return self._series.len()

    def __iter__(self) -> Iterator[str]:
        """All labels."""
        return iter(self._series.to_list())

    @property
    def have_blanks_around(self) -> bool:
        """Whether a label begins or ends with a blank."""
        return bool((self._series.str.strip_chars() != self._series).any())

    def among(self, wanted: Collection[str]) -> set[str]:
        """Those of some labels that are here."""
        return set(self._series.filter(self._series.is_in(list(wanted))).to_list())

    def some(self, index: slice) -> "Texts":
        """Some of the labels."""
        return Texts(self._series[index])

    def one(self, index: int) -> str:
        """One label."""
        return str(self._series[index])


class WholeNumbers(ManyLabels):
    """Labels that are whole numbers.

    >>> import numpy as np
    >>> list(WholeNumbers(np.array([3, 12, 104]))[1:])
    ['12', '104']
    """

    have_blanks_around = False

    def __init__(self, numbers: NDArray[Any]) -> None:
        """Keep the numbers."""
        self._numbers = numbers

    def __len__(self) -> int:
        """How many labels."""
        return len(self._numbers)

    def __iter__(self) -> Iterator[str]:
        """All labels."""
        return map(str, self._numbers.tolist())

    def some(self, index: slice) -> "WholeNumbers":
        """Some of the labels."""
        return WholeNumbers(self._numbers[index])

    def one(self, index: int) -> str:
        """One label."""
        return str(self._numbers[index])
