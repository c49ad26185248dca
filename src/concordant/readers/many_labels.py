"""Labels of a column with very many of them."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, overload

if TYPE_CHECKING:
    import polars as pl


class Labels(Sequence[str]):
    """Very many labels that stay where polars put them until one is asked for."""

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

    def among(self, wanted: Iterable[str]) -> set[str]:
        """Those of some labels that are here."""
        return set(self._series.filter(self._series.is_in(list(wanted))).to_list())

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> "Labels": ...
    def __getitem__(self, index: int | slice) -> "str | Labels":
        """One label, or some."""
        return Labels(self._series[index]) if isinstance(index, slice) else str(self._series[int(index)])
