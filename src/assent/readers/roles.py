"""Which column is the unit, the rater, the value: as the user says, or guessed when obvious and then said."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from assent.errors import InputError
from assent.model.columns import Column
from assent.readers.table import Table

KNOWN = {
    "unit": ("unit", "unit_id", "response_id", "sentence_id", "text_id", "item_id", "item", "id", "sentence", "text"),
    "rater": ("rater", "annotator", "coder", "judge", "participant", "worker", "user", "rater_id", "annotator_id"),
    "value": ("value", "label", "judgement", "judgment", "category", "rating", "score", "answer", "annotation"),
    "question": ("question", "feature", "criterion", "aspect", "dimension"),
}
COUNTS = ("count", "n", "freq", "frequency")


@dataclass(frozen=True, kw_only=True)
class Roles:
    """Column names as the user gave them; None is to be found out."""

    unit: str | None = None
    rater: str | None = None
    value: str | None = None
    question: str | None = None
    raters: tuple[str, ...] | None = None
    count: str | None = None


@dataclass(frozen=True, kw_only=True)
class Layout:
    """What was decided. Long: rater and value are columns. Wide: `raters` are columns, one for each rater."""

    unit: str | None
    rater: str | None = None
    value: str | None = None
    question: str | None = None
    raters: tuple[str, ...] = ()
    count: str | None = None
    notes: list[str] = field(default_factory=list)

    @property
    def is_wide(self) -> bool:
        """Whether each rater has a column."""
        return not self.rater

    @property
    def names(self) -> set[str]:
        """All columns that have a role."""
        return {name for name in (self.unit, self.rater, self.value, self.question, self.count, *self.raters) if name}


def decide(names: Sequence[str], given: Roles, file: str) -> Layout | None:
    """The layout of a long table from its column names alone; None if it is wide."""
    notes: list[str] = []
    rater, value = (_role(role, names, given, notes) for role in ("rater", "value"))
    if rater is None or value is None or (given.raters and set(given.raters) <= set(names)):
        if given.rater or given.value:
            lacking = "value" if given.rater else "rater"
            raise InputError(
                f"no column was found for the {lacking}",
                file=file,
                hint=f"name it with --{lacking}; columns: {', '.join(names[:12])}",
            )
        return None
    unit = _role("unit", [name for name in names if name not in (rater, value)], given, notes)
    if unit is None:
        raise InputError(
            "no column was found for the unit", file=file, hint=f"name it with --unit; columns: {', '.join(names[:12])}"
        )
    question = _role("question", [name for name in names if name not in (rater, value, unit)], given, notes)
    return Layout(unit=unit, rater=rater, value=value, question=question, notes=notes)


def _role(role: str, names: Sequence[str], given: Roles, notes: list[str]) -> str | None:
    """The column of a role: the one given, or the first with a usual name, and then a note unless it is the default."""
    named: str | None = getattr(given, role)
    if named is not None:
        return named
    lower = {name.casefold(): name for name in reversed(names)}
    found = next((lower[word] for word in KNOWN[role] if word in lower), None)
    if found is not None and found != role:
        notes.append(f"column {found!r} was taken for the {role} (say --{role} to change it)")
    return found


def decide_wide(table: Table, given: Roles) -> Layout:
    """The layout of a wide table: the raters named, or all columns that share values with another."""
    notes: list[str] = []
    count = given.count or next(
        (name for name in table.names if name.casefold() in COUNTS and _is_count(table, name)), None
    )
    unit = given.unit or _unit_column(table, skip=count)
    rest = [name for name in table.names if name not in (unit, count)]
    raters = given.raters or tuple(name for name in rest if _shares_values(table, name, rest))
    if len(raters) < 2:
        raise InputError(
            "neither rater and value columns nor one column per rater were found",
            file=table.file,
            hint=f"say --unit, --rater and --value, or --raters a,b; columns: {', '.join(table.names[:12])}",
        )
    for name in raters:
        table.expect(name)
    if given.raters is None:
        notes.append(f"wide form: one column per rater ({_shown(raters)}); say --raters to change it")
    if count and given.count is None:
        notes.append(f"column {count!r} was taken for the number of units with these values")
    return Layout(unit=unit, raters=raters, count=count, question=None, notes=notes)


def _shown(names: Sequence[str]) -> str:
    """A few names and how many more."""
    return ", ".join(names[:6]) + (f" and {len(names) - 6} more" if len(names) > 6 else "")


def _is_count(table: Table, name: str) -> bool:
    """Whether a column holds positive whole numbers."""
    labels = table.columns[name].as_labels().labels
    return all(label.isdecimal() for label in labels)


def _unit_column(table: Table, *, skip: str | None) -> str | None:
    """A column with a usual name for units, or the first if all its values differ and it is not a score."""
    lower = {name.casefold(): name for name in reversed(table.names)}
    named = next((lower[word] for word in KNOWN["unit"] if word in lower), None)
    first = table.names[0]
    column = table.columns[first]
    is_key = column.n_blank == 0 and len(column.as_labels().labels) == table.n_rows > 1
    return named or (first if is_key and first != skip else None)


def _shares_values(table: Table, name: str, others: Sequence[str]) -> bool:
    """Whether most values of a column stand in another column too, as they do in two raters' columns."""
    mine = set(table.columns[name].as_labels().labels)
    for other in others:
        theirs = set(table.columns[other].as_labels().labels)
        if other != name and mine and theirs and 2 * len(mine & theirs) >= min(len(mine), len(theirs)):
            return True
    return False


def melt(table: Table, layout: Layout) -> tuple[dict[str, Column], np.ndarray[tuple[int], np.dtype[np.int64]]]:
    """A wide table in long form: columns unit, rater, value and the row each judgement came from."""
    columns = [table.columns[name].as_labels() for name in layout.raters]
    labels = list(dict.fromkeys(label for column in columns for label in column.labels))
    place = {label: i for i, label in enumerate(labels)}
    codes = [np.array([*(place[label] for label in c.labels), -1])[c.codes] for c in columns]
    rows = np.tile(np.arange(table.n_rows), len(columns))
    rater = np.repeat(np.arange(len(columns)), table.n_rows)
    value = Column(codes=np.concatenate(codes), labels=labels)
    if layout.unit:
        unit = table.column(layout.unit).as_labels().take(rows)
    else:
        unit = Column(codes=rows, labels=[str(i + 1) for i in range(table.n_rows)])
    return {"unit": unit, "rater": Column(codes=rater, labels=list(layout.raters)), "value": value}, rows
