"""Several files of one format as one: tables below each other, judgements and spans that were read one by one.

Nothing is guessed: tables must have the same columns, and whatever does not fit is said with the file that has it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import reduce
from pathlib import Path
from typing import Any

import numpy as np

from concordant.digits import counted
from concordant.errors import InputError
from concordant.model.columns import stacked
from concordant.model.spans import SpanTable
from concordant.model.study import Study
from concordant.readers.table import Table

MOST_NAMED = 4


def tables_together(tables: Sequence[Table]) -> Table:
    """Tables with the same columns below each other; `row_numbers` stay those of each file."""
    first, *others = tables
    for other in others:
        _refuse_other_columns(first, other)
    if not others:
        return first
    names = [name for name in first.names if all(name in one.columns for one in tables)]
    orders = {
        name: order for name, order in first.orders.items() if all(one.orders.get(name) == order for one in tables)
    }
    rows = " + ".join(f"{one.n_rows:,}" for one in tables)
    return Table(
        file=", ".join(one.file for one in tables),
        columns={name: stacked([one.columns[name] for one in tables]) for name in names},
        names=first.names,
        row_numbers=np.concatenate([one.row_numbers for one in tables]),
        notes=(f"{len(tables)} files as one table: {rows} rows", *_notes(tables)),
        orders=orders,
    )


def _refuse_other_columns(first: Table, other: Table) -> None:
    """One line where two tables are no parts of one."""
    lacking = [name for name in first.names if name not in other.names]
    added = [name for name in other.names if name not in first.names]
    if not lacking and not added:
        return
    says = [f"it has no column {_listed(lacking)}"] if lacking else []
    says += [f"only it has {_listed(added)}"] if added else []
    what = f"this is not the same table as {Path(first.file).name}: {' and '.join(says)}"
    hint = "give the columns of all files the same names; a table that only says more is added with --attributes"
    raise InputError(what, file=other.file, hint=hint)


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    return ", ".join(map(repr, names[:MOST_NAMED])) + more


def _notes(parts: Sequence[Any]) -> tuple[str, ...]:
    """What was said of the files, once where it is the same."""
    return tuple(dict.fromkeys(note for one in parts for note in one.notes))


def data_together(parts: Sequence[Any]) -> Any:
    """Judgements, or spans, that were read from one file each; equal names mean the same."""
    made: Any = _spans(parts) if isinstance(parts[0], SpanTable) else reduce(_below, parts)
    unused = {name: why for one in parts for name, why in one.unused.items()}
    notes = (f"{counted(len(parts), 'file')} as one", *_notes(parts))
    left_out = tuple(each for one in parts for each in one.left_out)
    return replace(made, name=", ".join(one.name for one in parts), notes=notes, unused=unused, left_out=left_out)


def _below(first: Study, other: Study) -> Study:
    """Judgements below each other; scales that were declared must be the same."""
    for name in ("level", "categories"):
        if getattr(first, name) != getattr(other, name):
            hint = "say --level and --categories for all of them"
            raise InputError(f"its {name} is not that of {Path(first.name).name}", file=other.name, hint=hint)
    if differing := [q for q in first.scales.keys() & other.scales.keys() if first.scales[q] != other.scales[q]]:
        what = f"the scale of {sorted(differing)[0]!r} is not that of {Path(first.name).name}"
        raise InputError(what, file=other.name, hint="measure the files one by one")
    scales, titles = {**first.scales, **other.scales}, {**first.titles, **other.titles}
    models = tuple(dict.fromkeys((*first.models, *other.models)))
    return replace(first.joined(other, is_same_people=True), scales=scales, titles=titles, models=models)


def _spans(parts: Sequence[SpanTable]) -> SpanTable:
    """Spans below each other; a text that several files hold must be the same text."""
    first = parts[0]
    names = list(dict.fromkeys(name for one in parts for name in one.features))
    blank = {name: [np.full(len(one), "", dtype=object) for one in parts] for name in names}
    rows = [np.arange(1, len(one) + 1) if one.rows is None else one.rows for one in parts]
    columns: dict[str, Any] = {
        name: np.concatenate([getattr(one, name) for one in parts])
        for name in ("text", "rater", "category", "begin", "end")
    }
    return replace(
        first,
        **columns,
        features={
            name: np.concatenate([one.features.get(name, gap) for one, gap in zip(parts, blank[name], strict=True)])
            for name in names
        },
        lengths=_same(parts, "lengths", "length"),
        contents=_same(parts, "contents", "wording"),
        positions="time" if any(one.positions == "time" for one in parts) else first.positions,
        rows=np.concatenate(rows),
        seen=frozenset().union(*(one.seen for one in parts)),
    )


def _same(parts: Sequence[SpanTable], name: str, word: str) -> Mapping[str, Any]:
    """What is known of texts; two files that know something else of one are refused."""
    found: dict[str, Any] = {}
    for one in parts:
        for text, known in getattr(one, name).items():
            if found.setdefault(text, known) != known:
                what = f"the {word} of the text {text!r} is another than in the files before"
                raise InputError(what, file=one.name, hint="give texts that are not the same different names")
    return found
