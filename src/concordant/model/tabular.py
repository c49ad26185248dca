"""Results made of rows: tables in notebooks, data frames, JSON."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from enum import StrEnum
from typing import Any, ClassVar

import numpy as np

from concordant.model.columns import to_frame


class TabularResult(ABC):
    """A result made of rows: a table in a notebook, a data frame, JSON. Each says itself what its `repr` is."""

    COLUMNS: ClassVar[Mapping[str, str]]  # what a notebook shows: keys of rows with their headers

    @property
    def notes(self) -> Sequence[str]:
        """What is said below the table."""
        return ()

    @abstractmethod
    def rows(self) -> list[dict[str, Any]]:
        """One entry for each row of the data frame."""

    def first_rows(self) -> list[dict[str, Any]]:
        """The rows that a notebook shows."""
        return self.rows()

    def _repr_html_(self) -> str:
        """The first rows as a table in a notebook."""
        from concordant.notebook import table

        rows = [[row[key] for key in self.COLUMNS] for row in self.first_rows()]
        return table(list(self.COLUMNS.values()), rows, notes=self.notes)

    def to_frame(self) -> Any:
        """All rows as a data frame of pandas or polars, whichever is installed."""
        return to_frame(self.rows())

    def to_dict(self) -> dict[str, Any]:
        """Everything as JSON can hold it, numbers unrounded."""
        return fields_of(self)


def fields_of(result: Any) -> dict[str, Any]:
    """The fields of a result as JSON can hold them."""
    return {one.name: plain(getattr(result, one.name)) for one in fields(result)}


def plain(value: Any) -> Any:
    """Any result as JSON can hold it: numbers unrounded, undefined as null.

    >>> plain({"share": np.float64(0.5), "raters": ("J1", "J2")})
    {'share': 0.5, 'raters': ['J1', 'J2']}
    """
    if hasattr(value, "to_dict"):
        return value.to_dict()
    if is_dataclass(value) and not isinstance(value, type):
        return fields_of(value)
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, np.ndarray | np.generic):
        return plain(value.tolist())
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if isinstance(value, StrEnum):
        return value.value
    return None if isinstance(value, float) and not np.isfinite(value) else value
