"""Spans that raters marked on one text: what unitizing measures are computed from.

A continuum is a text (or a recording) on which every rater marked *units*: spans from `begin` to `end`, each with a
category. Spans may overlap, nest and repeat. All units stand in flat arrays, sorted by rater and position, so that the
order of the rows in a file never matters.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from assent.arrays import Floats, Ints
from assent.errors import InputError, nearest
from assent.model.spans import SpanTable, Texts


@dataclass(frozen=True, kw_only=True, eq=False)
class Continuum:
    """The units of one text. `rater` and `category` are numbers into `raters` and `categories`, one per unit.

    `features` are what else is known of each unit; they say more about an alignment and change no value.
    """

    raters: tuple[str, ...]
    categories: tuple[str, ...]
    rater: Ints
    begin: Floats
    end: Floats
    category: Ints
    length: float | None = None
    name: str = ""
    slice: Mapping[str, str] = field(default_factory=dict)
    features: Mapping[str, Texts] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Sort the units by rater, begin, end and category, and freeze the arrays."""
        order = np.lexsort((self.category, self.end, self.begin, self.rater))
        for attribute, kind in (("rater", np.int64), ("begin", float), ("end", float), ("category", np.int64)):
            values = np.asarray(getattr(self, attribute), dtype=kind)[order]
            values.flags.writeable = False
            object.__setattr__(self, attribute, values)
        object.__setattr__(self, "features", {name: values[order] for name, values in self.features.items()})

    @classmethod
    def from_frame(
        cls,
        frame: Any,
        *,
        features: Sequence[str] = (),
        raters: Sequence[str] = (),
        length: float | None = None,
        name: str = "",
        **columns: Any,
    ) -> Self:
        """One text's units from any data frame with one row per span (columns rater, begin, end, category).

        `columns` gives other names to them (`rater="annotator"`); `features` are further columns merged into the
        category (`level+degree=1`); `raters` names everybody who annotated, also those who marked nothing.
        """
        table = SpanTable.from_frame(frame, name=name, **columns)
        texts = sorted(set(table.text.tolist()))
        if len(texts) > 1:
            hint = "choose one, or use assent.continua(frame) for all of them"
            raise InputError(f"there are {len(texts)} texts, {texts[0]!r} and others", file=name or None, hint=hint)
        table = replace(table, lengths={} if length is None else dict.fromkeys(texts, length))
        label = texts[0] if texts else name
        return cls._of(table, tuple(sorted(set(table.merged(features).tolist()))), features, raters, label, length)

    @classmethod
    def _of(
        cls,
        table: SpanTable,
        categories: tuple[str, ...],
        features: Sequence[str],
        raters: Sequence[str],
        name: str,
        length: float | None,
    ) -> Self:
        """A continuum of all spans of a table."""
        names = tuple(sorted(set(table.rater.tolist()) | set(raters)))
        return cls(
            raters=names,
            categories=categories,
            rater=_codes(table.rater, names),
            begin=table.begin,
            end=table.end,
            category=_codes(table.merged(features), categories),
            length=length,
            name=name,
            features=table.features,
        )

    @property
    def n_units(self) -> int:
        """How many spans there are, all raters together."""
        return len(self.begin)

    @property
    def n_raters(self) -> int:
        """How many raters there are, those without units included."""
        return len(self.raters)

    @property
    def sizes(self) -> Ints:
        """How many units each rater marked."""
        return np.bincount(self.rater, minlength=self.n_raters)

    @property
    def bounds(self) -> tuple[float, float]:
        """Where the text begins and ends: 0 and its length when that is known, else the outermost positions."""
        if self.length is not None:
            return 0.0, float(self.length)
        return (float(self.begin.min()), float(self.end.max())) if self.n_units else (0.0, 0.0)

    @property
    def fingerprint(self) -> str:
        """Eight hexadecimal digits that change when any unit, rater or category does."""
        digest = sha256("\0".join((*self.raters, "", *self.categories)).encode())
        for values in (self.rater, self.begin, self.end, self.category):
            digest.update(values.tobytes())
        return digest.hexdigest()[:8]

    def keep(self, units: NDArray[np.bool_]) -> Self:
        """A copy with only these units; raters and categories stay as they are."""
        return replace(
            self,
            rater=self.rater[units],
            begin=self.begin[units],
            end=self.end[units],
            category=self.category[units],
            features={name: values[units] for name, values in self.features.items()},
        )

    def only(self, raters: Sequence[str]) -> Self:
        """A copy with only these raters; those who are not in this text are left out."""
        chosen = [number for number, name in enumerate(self.raters) if name in raters]
        kept = np.isin(self.rater, chosen)
        return replace(
            self,
            raters=tuple(self.raters[number] for number in chosen),
            rater=np.searchsorted(chosen, self.rater[kept]),
            begin=self.begin[kept],
            end=self.end[kept],
            category=self.category[kept],
            features={name: values[kept] for name, values in self.features.items()},
        )


def continua(
    table: SpanTable, *, by: Sequence[str] = (), features: Sequence[str] = (), raters: Sequence[str] = ()
) -> list[Continuum]:
    """One continuum per text and combination of values of the columns `by`, all with the same list of categories.

    A text's raters are those who marked something in it or had a file for it; with `raters` only these, and all of
    these, are taken.
    """
    known = sorted(set(table.rater.tolist()))
    for name in raters:
        if name not in known:
            raise InputError(f"no rater {name!r}", file=table.name or None, hint=nearest(name, known))
    kept = table.where("rater", raters) if raters else table
    categories = tuple(sorted(set(kept.merged(features).tolist())))
    keys, group = _groups([kept.column(name) for name in by] + [kept.text])
    return [
        replace(
            Continuum._of(
                kept.take(group == number),
                categories,
                features,
                raters or [rater for text, rater in kept.seen if text == key[-1]],
                key[-1],
                kept.lengths.get(key[-1]),
            ),
            slice=dict(zip([*by, "text"], key, strict=True)),
        )
        for number, key in enumerate(keys)
    ]


def _codes(values: Texts, names: tuple[str, ...]) -> Ints:
    """The place of every value in the sorted names."""
    return np.searchsorted(np.array(names, dtype=object), values)


def _groups(columns: list[Texts]) -> tuple[list[tuple[str, ...]], Ints]:
    """The distinct combinations of values, sorted, and the number of each row's combination."""
    rows = list(zip(*(column.tolist() for column in columns), strict=True))
    keys = sorted(set(rows))
    place = {key: number for number, key in enumerate(keys)}
    return keys, np.array([place[row] for row in rows], dtype=np.int64)
