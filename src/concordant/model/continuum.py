"""Spans that raters marked on one text: what unitizing measures are computed from.

A continuum is a text (or a recording) on which every rater marked *units*: spans from `begin` to `end`, each with a
category. Spans may overlap, nest and repeat. All units stand in flat arrays, sorted by rater and position, so that the
order of the rows in a file never matters.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from itertools import combinations
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from concordant.about import NAME
from concordant.arrays import Floats, Ints
from concordant.errors import InputError, nearest
from concordant.model.measurable import Summary, named
from concordant.model.spans import Positions, SpanTable, Texts, between_steps, rows_of


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Continuum(Summary):
    """The units of one text. `rater` and `category` are numbers into `raters` and `categories`, one per unit.

    `features` are what else is known of each unit; they say more about an alignment and change no value. `positions`
    are whole steps (characters, tokens) or times, as far as whoever read them knows. `across` are two groups of raters:
    then only pairs of one of each are compared.
    """

    kind: ClassVar[str] = "spans"

    raters: tuple[str, ...]
    categories: tuple[str, ...]
    rater: Ints
    begin: Floats
    end: Floats
    category: Ints
    length: float | None = None
    positions: Positions | None = None
    name: str = ""
    slice: Mapping[str, str] = field(default_factory=dict)
    features: Mapping[str, Texts] = field(default_factory=dict)
    across: tuple[tuple[str, ...], tuple[str, ...]] | None = None

    def __post_init__(self) -> None:
        """Sort the units by rater, begin, end and category, and freeze the arrays."""
        order = np.lexsort((self.category, self.end, self.begin, self.rater))
        for attribute, kind in (("rater", np.int64), ("begin", float), ("end", float), ("category", np.int64)):
            values = np.asarray(getattr(self, attribute), dtype=kind)[order]
            values.flags.writeable = False
            object.__setattr__(self, attribute, values)
        object.__setattr__(self, "features", {name: values[order] for name, values in self.features.items()})

    def facts(self) -> dict[str, object]:
        """How much was marked in which text, and by whom."""
        return {
            "text": self.name,
            "spans": self.n_units,
            "raters": named(self.raters),
            "categories": named(self.categories),
            "features": named(list(self.features)),
        }

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
            hint = f"choose one, or use {NAME}.continua(frame) for all of them"
            raise InputError(f"there are {len(texts)} texts, {texts[0]!r} and others", file=name or None, hint=hint)
        label = texts[0] if texts else name
        table = replace(table, lengths={} if length is None else {label: length})
        return cls._of(table, tuple(sorted(set(table.merged(features).tolist()))), features, raters, label)

    @classmethod
    def _of(
        cls, table: SpanTable, categories: tuple[str, ...], features: Sequence[str], raters: Sequence[str], name: str
    ) -> Self:
        """A continuum of all spans of a table, which is the text of that name."""
        names = tuple(sorted(set(table.rater.tolist()) | set(raters)))
        return cls(
            raters=names,
            categories=categories,
            rater=_codes(table.rater, names),
            begin=table.begin,
            end=table.end,
            category=_codes(table.merged(features), categories),
            length=table.lengths.get(name),
            positions=table.positions,
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
    def between_steps(self) -> float | None:
        """The first position, or else the length, that is no whole number; None if all are."""
        return between_steps(self.begin, self.end, () if self.length is None else (self.length,))

    @property
    def fingerprint(self) -> str:
        """Eight hexadecimal digits that change when any unit, rater or category does."""
        return self.digest[:8]

    @property
    def digest(self) -> str:
        """The whole SHA-256 of units, raters and categories."""
        digest = sha256("\0".join((*self.raters, "", *self.categories)).encode())
        for values in (self.rater, self.begin, self.end, self.category):
            digest.update(values.tobytes())
        return digest.hexdigest()

    def keep(self, units: NDArray[np.bool_]) -> Self:
        """A copy with only these units; raters and categories stay as they are."""
        return replace(self, **rows_of(self, ("rater", "begin", "end", "category"), units))

    def only(self, raters: Sequence[str]) -> Self:
        """A copy with only these raters; those who are not in this text are left out."""
        chosen = [number for number, name in enumerate(self.raters) if name in raters]
        kept = self.keep(np.isin(self.rater, chosen))
        names = tuple(self.raters[number] for number in chosen)
        return replace(kept, raters=names, rater=np.searchsorted(chosen, kept.rater))


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
    rows = list(zip(*([kept.column(name).tolist() for name in by] + [kept.text.tolist()]), strict=True))
    keys = sorted(set(rows))
    place = {key: number for number, key in enumerate(keys)}
    group = np.array([place[row] for row in rows], dtype=np.int64)
    found = []
    for number, key in enumerate(keys):
        here = raters or [rater for text, rater in kept.seen if text == key[-1]]
        text = Continuum._of(kept.take(group == number), categories, features, here, key[-1])
        found.append(replace(text, slice=dict(zip([*by, "text"], key, strict=True))))
    return found


def by_groups(texts: Sequence[Continuum], groups: Mapping[str, Sequence[str]] | str) -> list[Continuum]:
    """Every text for all raters, across each two groups, and within each group of two raters or more.

    `groups` names the raters of each, or a column of the spans that says them text by text: whoever wrote one guideline
    is a stranger to the next. Across `own × foreign` every rater of the one is compared with every rater of the other,
    and nobody with their own group; the column `raters` of the slice says which.
    """
    everybody = sorted({name for text in texts for name in text.raters})
    if isinstance(groups, str):
        here: Sequence[Mapping[str, Sequence[str]]] = groups_said(texts, groups)
    else:
        check_members(groups, everybody)
        here = [groups for _ in texts]
    names = sorted({name for own in here for name in own}) if isinstance(groups, str) else list(groups)
    if len(names) < 2:
        raise InputError("there is only one group of raters", hint="name two or more, such as own=A,B foreign=C,D")
    found = [replace(text.only(everybody), slice={"raters": "all", **text.slice}, across=None) for text in texts]
    for a, b in combinations(names, 2):
        for text, own in zip(texts, here, strict=True):
            across = tuple(own.get(a, ())), tuple(own.get(b, ()))
            chosen = text.only([*across[0], *across[1]])
            found.append(replace(chosen, slice={"raters": f"{a} × {b}", **text.slice}, across=across))
    for name in (name for name in names if any(len(own.get(name, ())) > 1 for own in here)):
        for text, own in zip(texts, here, strict=True):
            found.append(replace(text.only(own.get(name, ())), slice={"raters": name, **text.slice}, across=None))
    return found


def check_members(groups: Mapping[str, Sequence[str]], everybody: list[str]) -> None:
    """Refuse a group with a rater who is not in the texts, or in two groups."""
    for name in (name for members in groups.values() for name in members):
        if name not in everybody:
            raise InputError(f"no rater {name!r}", hint=nearest(name, everybody))
    for a, b in combinations(groups, 2):
        if both := sorted({*groups[a]} & {*groups[b]}):
            raise InputError(f"the rater {both[0]!r} is in two groups, {a} and {b}", hint="name each rater once")


def groups_said(texts: Sequence[Continuum], column: str) -> list[dict[str, list[str]]]:
    """The groups that a column of the spans says, for each text; the empty value is no group.

    Who marked nothing in a text has the group of the other texts of the slice.
    """
    said: dict[tuple[Any, str], set[str]] = {}
    of_text, found = list[dict[str, set[str]]](), list[dict[str, list[str]]]()
    for text in texts:
        if column not in text.features:
            what = f"{column!r} is neither a column of these spans nor a group of raters"
            raise InputError(what, hint="write NAME=RATER,RATER: native=J1,J2")
        values = {rater: set(text.features[column][text.rater == i].tolist()) for i, rater in enumerate(text.raters)}
        of_text.append(values)
        for rater, own in values.items():
            said.setdefault((_slice_of(text), rater), set()).update(own)
    for text, values in zip(texts, of_text, strict=True):
        groups: dict[str, list[str]] = {}
        for rater, own in values.items():
            possible = own or said[_slice_of(text), rater]
            if len(possible) != 1:
                why = f"has the groups {' and '.join(sorted(possible))}" if possible else "marked nothing"
                hint = f"say {column} once for each rater of a text, or name the groups: own=A,B foreign=C,D"
                raise InputError(f"the rater {rater!r} {why} in {text.name!r}", hint=hint)
            if "" not in possible:
                groups.setdefault(min(possible), []).append(rater)
        found.append(groups)
    return found


def _slice_of(text: Continuum) -> tuple[tuple[str, str], ...]:
    """The slice that a text lies in."""
    return tuple((name, value) for name, value in text.slice.items() if name != "text")


def _codes(values: Texts, names: tuple[str, ...]) -> Ints:
    """The place of every value in the sorted names."""
    return np.searchsorted(np.array(names, dtype=object), values)
