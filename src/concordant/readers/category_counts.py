"""How many raters put each unit in each category, one column for each category (Fleiss 1971, Table 1)."""

from dataclasses import replace
from pathlib import Path

import numpy as np

from concordant.errors import InputError
from concordant.model.columns import Column
from concordant.model.scale import level_named
from concordant.model.study import Study
from concordant.readers.contingency import ContingencyOptions
from concordant.readers.format import Format
from concordant.readers.table import read_table

NOTE = (
    "who chose what is not in the data: raters are numbered in the order of the categories, so only measures that do "
    "not tell raters apart (alpha, Fleiss' kappa, AC1, S) say something"
)
MOST_RATERS = 100_000


def read(path: str | Path, options: ContingencyOptions) -> Study:
    """A judgement for each that was counted; the first column names the units if its values are no counts."""
    table = read_table(path, encoding=options.encoding, separator=options.separator)
    first, *rest = table.names
    names = table.columns[first].as_labels()
    is_named = len(names.labels) == table.n_rows and not names.n_blank
    categories = rest if is_named else list(table.names)
    counts = np.zeros((table.n_rows, len(categories)), dtype=np.int64)
    for place, category in enumerate(categories):
        column = table.columns[category].as_labels()
        if wrong := next((label for label in column.labels if not label.isdecimal()), None):
            row = int(table.row_numbers[np.argmax(column.text() == wrong)])
            raise InputError(f"{wrong!r} is not a number of raters", file=table.file, row=row, column=category)
        counts[:, place] = np.array([*map(int, column.labels), 0])[column.codes]
    totals = counts.sum(axis=1)
    if totals.max() > MOST_RATERS:
        raise InputError(f"a unit has more than {MOST_RATERS:,} raters", file=table.file, hint="are these counts?")
    unit, value = (np.repeat(axis.ravel(), counts.ravel()) for axis in np.indices(counts.shape))
    begin = np.cumsum(totals) - totals
    rater = np.arange(len(unit)) - np.repeat(begin, totals)
    units = [str(name) for name in names.text()] if is_named else [str(row + 1) for row in range(table.n_rows)]
    study = Study(
        name=table.file,
        unit=Column(codes=unit, labels=units),
        rater=Column(codes=rater, labels=[f"rater {place + 1}" for place in range(int(totals.max()))]),
        value=Column(codes=value, labels=categories),
        level=None if options.level is None else level_named(options.level),
        categories=tuple(categories),
        row_numbers=table.row_numbers[unit],
    )
    empty = int((totals == 0).sum())
    left_out = ((empty, "no rater counted"),) if empty else ()
    return replace(study, notes=(*table.notes, NOTE), left_out=left_out)


FORMAT = Format(
    name="category_counts",
    holds="judgements",
    help="How many raters chose each category: one row for each unit, one column for each category.",
    read=read,
    options=ContingencyOptions,
    sniff=lambda path, head: 0.0,
)
