"""A table of spans, one row each: what every span reader returns and what continua are made from."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from concordant.arrays import Floats, Ints
from concordant.errors import InputError, nearest
from concordant.model.columns import is_number
from concordant.model.measurable import Summary, named

if TYPE_CHECKING:
    import narwhals as nw

Texts = NDArray[np.object_]
Positions = Literal["steps", "time"]

UNLABELLED = ""
"""The category of a span without a label: equal to another unlabelled span, different from every labelled one."""


class Mark(NamedTuple):
    """One span as a file has it."""

    text: str
    rater: str
    begin: float
    end: float
    category: str
    features: Mapping[str, str] = {}


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class SpanTable(Summary):
    """Spans of any number of texts and raters; `features` are further columns, `lengths` those of texts that are known.

    `positions` are whole steps (characters, tokens) or times, if the format says so; with a fraction among them they
    are times. `rows` are the lines of the file, for messages. `seen` are the (text, rater) pairs that had a file, so
    that a rater who marked nothing in a text is not forgotten. `contents` are the texts, where a file has them.
    """

    name: str
    text: Texts
    rater: Texts
    begin: Floats
    end: Floats
    category: Texts
    features: Mapping[str, Texts] = field(default_factory=dict)
    lengths: Mapping[str, float] = field(default_factory=dict)
    positions: Positions | None = None
    contents: Mapping[str, str] = field(default_factory=dict)
    rows: Ints | None = None
    seen: frozenset[tuple[str, str]] = frozenset()
    notes: tuple[str, ...] = ()
    unused: Mapping[str, str] = field(default_factory=dict)  # parts of the source that say nothing here -> why
    left_out: tuple[tuple[int, str], ...] = ()  # how many entries of the source are no spans, and why

    def __post_init__(self) -> None:
        """Refuse positions that cannot be, naming the row, the text and the rater."""
        ends = np.array([self.lengths.get(text, np.inf) for text in self.text.tolist()], dtype=float)
        for wrong, what, hint in (
            (~np.isfinite(self.begin + self.end), "has no position", "give numbers for begin and end"),
            (self.begin > self.end, "begins after its end", "swap begin and end"),
            (self.begin < 0, "begins before 0", "count positions from 0"),
            (self.end > ends, "ends past the text's end", "check that the text is the right one"),
        ):
            if wrong.any():
                raise self._error(int(np.argmax(wrong)), what, hint)
        if self.positions is None and between_steps(self.begin, self.end, tuple(self.lengths.values())) is not None:
            object.__setattr__(self, "positions", "time")

    def _error(self, at: int, what: str, hint: str) -> InputError:
        """The complaint about one span."""
        span = f"the span {self.begin[at]:.17g}-{self.end[at]:.17g} of rater {self.rater[at]!r} in {self.text[at]!r}"
        row = None if self.rows is None else int(self.rows[at])
        return InputError(f"{span} {what}", file=self.name or None, row=row, hint=hint)

    def facts(self) -> dict[str, object]:
        """How much was marked in how many texts, and by whom."""
        return {
            "name": self.name,
            "spans": len(self),
            "texts": named(sorted(set(self.text.tolist()))),
            "raters": named(self.raters),
            "categories": named(sorted(set(self.category.tolist()))),
            "features": named(list(self.features)),
        }

    def __len__(self) -> int:
        """How many spans there are."""
        return len(self.begin)

    @property
    def raters(self) -> tuple[str, ...]:
        """The raters who marked something, sorted by name."""
        return tuple(sorted(set(self.rater.tolist())))

    @classmethod
    def from_marks(
        cls,
        name: str,
        marks: Iterable[Mark],
        *,
        lengths: Mapping[str, float] | None = None,
        positions: Positions | None = None,
        seen: Iterable[tuple[str, str]] = (),
    ) -> Self:
        """A table from single spans; a feature that a span does not have is empty."""
        rows = list(marks)
        names = sorted({feature for mark in rows for feature in mark.features})
        return cls(
            name=name,
            text=as_texts(mark.text for mark in rows),
            rater=as_texts(mark.rater for mark in rows),
            begin=np.array([mark.begin for mark in rows], dtype=float),
            end=np.array([mark.end for mark in rows], dtype=float),
            category=as_texts(mark.category for mark in rows),
            features={feature: as_texts(mark.features.get(feature, "") for mark in rows) for feature in names},
            lengths=lengths or {},
            positions=positions,
            seen=frozenset(seen),
        )

    @classmethod
    def from_frame(
        cls,
        frame: Any,
        *,
        text: str = "text",
        rater: str = "rater",
        begin: str = "begin",
        end: str = "end",
        category: str = "category",
        lengths: Mapping[str, float] | None = None,
        name: str = "",
    ) -> Self:
        """A table from any data frame with one row per span; all other columns become features.

        Without the column `text` there is one text; without `category` the spans are unlabelled.
        """
        import narwhals as nw

        table = nw.from_native(frame, eager_only=True)
        for column in (rater, begin, end):
            if column not in table.columns:
                hint = f"the columns are {', '.join(table.columns)}; say which one it is"
                raise InputError(f"there is no column {column!r}", file=name or None, hint=hint)

        def cells(column: str, otherwise: str) -> Texts:
            return _strings(table[column]) if column in table.columns else as_texts([otherwise] * len(table))

        roles = (text, rater, begin, end, category)
        return cls(
            name=name,
            text=cells(text, name),
            rater=_names(table, rater, name),
            begin=_positions(table, begin, name),
            end=_positions(table, end, name),
            category=cells(category, UNLABELLED),
            features={column: _strings(table[column]) for column in table.columns if column not in roles},
            lengths=lengths or {},
            rows=np.arange(2, len(table) + 2),
        )

    def column(self, name: str) -> Texts:
        """The text, the rater, the category or a feature, by name."""
        known = {"text": self.text, "rater": self.rater, "category": self.category, **self.features}
        if name not in known:
            hint = nearest(name, list(known))
            raise InputError("there is no such column", file=self.name or None, column=name, hint=hint)
        return known[name]

    def where(self, name: str, values: Sequence[str]) -> Self:
        """Only the spans whose column has one of these values."""
        column = self.column(name)
        known = sorted(set(column.tolist()))
        for value in values:
            if value not in known:
                hint = nearest(value, known)
                raise InputError(f"no span has the value {value!r}", file=self.name or None, column=name, hint=hint)
        kept = self.take(np.isin(column, np.array(list(values), dtype=object)))
        place = ("text", "rater").index(name) if name in ("text", "rater") else None
        seen = self.seen if place is None else frozenset(pair for pair in self.seen if pair[place] in values)
        return replace(kept, seen=seen)

    def take(self, rows: NDArray[np.bool_]) -> Self:
        """Only these spans."""
        taken = rows_of(self, ("text", "rater", "begin", "end", "category"), rows)
        return replace(self, **taken, rows=None if self.rows is None else self.rows[rows])

    def merged(self, features: Sequence[str]) -> Texts:
        """The category with these features merged into it: `level+degree=1+mood=free`, empty parts left out."""
        merged = self.category
        for name in features:
            values = self.column(name)
            part = np.where(values == "", "", f"{name}=" + values).astype(object)
            merged = merged + np.where((merged != "") & (part != ""), "+", "").astype(object) + part
        return merged


def rows_of(table: Any, columns: Sequence[str], rows: NDArray[np.bool_]) -> dict[str, Any]:
    """These columns and the features of a table of spans, only some rows."""
    features = {name: values[rows] for name, values in table.features.items()}
    return {"features": features, **{name: getattr(table, name)[rows] for name in columns}}


def between_steps(*places: Floats | Sequence[float]) -> float | None:
    """The first of these numbers that is not whole; None if all are."""
    numbers = np.concatenate([np.asarray(one, dtype=float) for one in places])
    odd = numbers[numbers != np.round(numbers)]
    return float(odd[0]) if len(odd) else None


def as_texts(values: Iterable[str]) -> Texts:
    """Strings as an array of objects."""
    return np.array(list(values), dtype=object)


def _strings(values: "nw.Series[Any]") -> Texts:
    """Text of every cell, empty where it is missing."""
    import narwhals as nw

    texts: Texts = values.cast(nw.String).fill_null("").to_numpy().astype(object)
    return texts


def _names(table: "nw.DataFrame[Any]", column: str, file: str) -> Texts:
    """Names that must not be missing."""
    names = _strings(table[column])
    missing = np.flatnonzero(names == "")
    if len(missing):
        hint = "say who marked the span"
        raise InputError("the cell is empty", file=file or None, row=int(missing[0]) + 2, column=column, hint=hint)
    return names


def _positions(table: "nw.DataFrame[Any]", column: str, file: str) -> Floats:
    """Numbers that must be there and finite."""
    import narwhals as nw

    values = table[column]
    if values.dtype.is_numeric():
        numbers = values.cast(nw.Float64).to_numpy().astype(float)
    else:
        numbers = np.array([float(text) if is_number(text) else np.nan for text in _strings(values)], dtype=float)
    bad = np.flatnonzero(~np.isfinite(numbers))
    if len(bad):
        cell = values[int(bad[0])]
        what = f"{'' if cell is None else str(cell)!r} is not a position"
        raise InputError(what, file=file or None, row=int(bad[0]) + 2, column=column, hint="give a number")
    return numbers
