"""Preference pairs: two responses, which of them is better, and the features of both (SAILS 4.3)."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

import numpy as np
from numpy.typing import NDArray

from assent.arrays import Floats
from assent.errors import InputError, nearest
from assent.model.columns import Column
from assent.model.scale import as_numbers
from assent.readers.table import Table
from assent.readers.tables import read_table

CHOICES = {"a": 1, "b": -1, "same": 0, "unsure": 0, "same/unsure": 0}


@dataclass(frozen=True, kw_only=True, eq=False)
class Preferences:
    """One row per decision: 1 for A, -1 for B, 0 for same; the features of both responses."""

    features: tuple[str, ...]
    pair: Column
    rater: Column | None
    choice: NDArray[np.int64]
    first: Floats  # decisions × features, of response A
    second: Floats

    def by(self, rater: str) -> Self:
        """The decisions of one rater."""
        if self.rater is None:
            raise InputError("the pairs have no column 'rater'", hint="leave out --only")
        if rater not in self.rater.labels:
            raise InputError(f"there is no rater {rater!r}", hint=nearest(rater, tuple(self.rater.labels)))
        rows = self.rater.codes == list(self.rater.labels).index(rater)
        return replace(
            self,
            pair=self.pair.take(rows),
            rater=self.rater.take(rows),
            choice=self.choice[rows],
            first=self.first[rows],
            second=self.second[rows],
        )

    @property
    def preferred(self) -> Floats:
        """The features of the preferred response, one row per decision that is not same."""
        return np.asarray(np.where((self.choice > 0)[:, None], self.first, self.second)[self.choice != 0])

    @property
    def dispreferred(self) -> Floats:
        """The features of the other response."""
        return np.asarray(np.where((self.choice > 0)[:, None], self.second, self.first)[self.choice != 0])


SHOWN = ("unit", "text")  # columns A_unit, A_text of an export: the response itself, not a feature of it


def read_preferences(path: str | Path) -> Preferences:
    """Columns pair, choice (A, B or same) and A_<feature>, B_<feature> for every feature; perhaps rater."""
    table = read_table(path)
    names = {name.casefold(): name for name in table.names}
    for needed in ("pair", "choice"):
        if needed not in names:
            raise InputError(
                "there is no such column", file=table.file, column=needed, hint=nearest(needed, table.names)
            )
    features = feature_names(table)
    first, second = (np.column_stack([numbers(table, f"{slot}_{name}") for name in features]) for slot in "AB")
    return Preferences(
        features=features,
        pair=table.column(names["pair"]).as_labels(),
        rater=table.column(names["rater"]).as_labels() if "rater" in names else None,
        choice=_choices(table, names["choice"]),
        first=first,
        second=second,
    )


def feature_names(table: Table) -> tuple[str, ...]:
    """The features: every name that has both an A_ and a B_ column, but for those that say what was shown."""
    named = {slot: [name[2:] for name in table.names if name.startswith(f"{slot}_")] for slot in "AB"}
    found = {slot: [name for name in names if name not in SHOWN] for slot, names in named.items()}
    lone = sorted(set(found["A"]) ^ set(found["B"]))
    if lone:
        slot = "B" if lone[0] in found["A"] else "A"
        raise InputError(f"there is no column {slot}_{lone[0]}", file=table.file, hint="every feature needs A_ and B_")
    if not found["A"]:
        raise InputError("no features were found", file=table.file, hint="name their columns A_core and B_core")
    return tuple(name for name in found["A"] if _has_numbers(table, name))


def _has_numbers(table: Table, name: str) -> bool:
    """Whether any cell is a number: an attribute in words, such as the group of a speaker, is not a feature."""
    columns = [table.column(f"{slot}_{name}") for slot in "AB"]
    return any(c.numbers is not None or any(as_numbers([label]) is not None for label in c.labels) for c in columns)


def numbers(table: Table, name: str) -> Floats:
    """A column as numbers; a cell that is none is an error with its row."""
    column = table.column(name)
    if column.numbers is not None and not column.n_blank:
        return column.numbers
    found = as_numbers(column.labels)
    if found is None or column.n_blank:
        text = column.text().tolist()
        row = next(i for i, cell in enumerate(text) if as_numbers([cell]) is None)
        raise InputError(
            f"{text[row]!r} is not a number",
            file=table.file,
            row=int(table.row_numbers[row]),
            column=name,
            hint="use 1 and 0",
        )
    return np.asarray(found[column.codes])


def _choices(table: Table, name: str) -> NDArray[np.int64]:
    """A, B or same as 1, -1, 0."""
    column = table.column(name).as_labels()
    codes = [CHOICES.get(str(label).strip().casefold()) for label in column.labels]
    bad = next((i for i, code in enumerate(codes) if code is None), None)
    if bad is not None or column.n_blank:
        row = int(np.argmax(column.codes == (-1 if bad is None else bad)))
        raise InputError(
            "the choice is blank" if bad is None else f"the choice {column.labels[bad]!r} is unknown",
            file=table.file,
            row=int(table.row_numbers[row]),
            column=name,
            hint="use A, B or same",
        )
    return np.asarray(np.array(codes, dtype=np.int64)[column.codes])


def differences(data: Preferences) -> tuple[Floats, NDArray[np.bool_]]:
    """A minus B for each decision that is not same, and whether A was preferred: what a logistic model sees."""
    decided = data.choice != 0
    return (data.first - data.second)[decided], data.choice[decided] > 0
