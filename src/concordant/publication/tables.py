"""Data that are not collected here, as an archive keeps them: one plain table of judgements or of spans.

Whatever the format they came in, the columns are called unit, rater, question and value (of spans text, rater, begin,
end and category), and attributes follow. What a table cannot say (levels of single questions, lengths of texts) stands
in `archive.json` beside it.
"""

import csv
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from concordant.engines.tally import tally
from concordant.errors import InputError
from concordant.model.columns import Column
from concordant.model.scale import Level
from concordant.model.spans import SpanTable
from concordant.model.study import Declared, Study
from concordant.publication.privacy import Screen
from concordant.readers import read

JUDGEMENTS, SPANS, FOLDER = "data/judgements.csv", "data/spans.csv", "study"
ROLES = ("unit", "rater", "question", "value", "kind")


def write_judgements(study: Study, root: Path, screen: Screen) -> dict[str, Any]:
    """The table of judgements, without what points to people; returns what is needed to read it again."""
    if study.duplicates == "all":
        raise InputError("several judgements of one unit by one rater are not archived", hint="say which of them count")
    columns = {
        "unit": _screened("unit", study.unit, screen),
        "rater": _relabelled(study.rater, [screen.names[name] for name in study.raters]),
        **({} if study.question is None else {"question": study.question}),
        "value": _screened("value", study.value, screen),
    }
    renamed: dict[str, str] = {}
    for name, column in study.attributes.items():
        if screen.admits(name, _by_rater(study, name), varies_in_units=name not in study.attribute_of("unit")):
            renamed[name] = f"attribute_{name}" if name in ROLES else name
            columns[renamed[name]] = _screened(name, column, screen)
    _write(root / JUDGEMENTS, columns)
    scales = {
        name: {"level": one.level and one.level.value, "categories": one.categories and list(one.categories)}
        for name, one in study.scales.items()
    }
    told: dict[str, Any] = {
        "level": study.level and study.level.value,
        "categories": study.categories and list(study.categories),
        "duplicates": study.duplicates,
        "scales": scales,
        "clusters": {word: name for word, one in study.clusters.items() for name in renamed if _is(study, name, one)},
    }
    _check_same(study, read_judgements(root, told), columns["rater"])
    return told


def read_judgements(root: Path, told: dict[str, Any]) -> Study:
    """The table as a study again."""
    found: Study = read(
        root / JUDGEMENTS,
        format="table",
        unit="unit",
        rater="rater",
        value="value",
        level=told["level"],
        categories=tuple(told["categories"]) if told["categories"] else None,
        duplicates=told["duplicates"],
    )
    scales = {
        name: Declared(
            level=one["level"] and Level(one["level"]), categories=one["categories"] and tuple(one["categories"])
        )
        for name, one in told["scales"].items()
    }
    clusters = {word: found.column(name) for word, name in told["clusters"].items()}
    return replace(found, name=JUDGEMENTS, scales=scales, clusters=clusters)


def write_spans(table: SpanTable, root: Path, screen: Screen) -> dict[str, Any]:
    """The table of spans; returns what is needed to read it again."""
    new = np.array([screen.names[name] for name in table.rater.tolist()], dtype=object)
    raters = list(dict.fromkeys(table.rater.tolist()))
    columns = {"text": table.text, "rater": new, "begin": _positions(table.begin), "end": _positions(table.end)}
    columns["category"] = table.category
    for name, values in table.features.items():
        each = [set(values[table.rater == rater].tolist()) for rater in raters]
        by_rater = [one.pop() for one in map(set, each)] if all(len(one) == 1 for one in each) else None
        if screen.admits(name, by_rater):
            labels = list(dict.fromkeys(values.tolist()))
            said = dict(zip(labels, screen.texts(name, labels), strict=True))
            columns[name] = np.array([said[value] for value in values.tolist()], dtype=object)
    _write_rows(root / SPANS, list(columns), [values.tolist() for values in columns.values()])
    return {
        "lengths": dict(table.lengths),
        "positions": table.positions,
        "seen": sorted([text, screen.names[rater]] for text, rater in table.seen),
    }


def read_spans(root: Path, told: dict[str, Any]) -> SpanTable:
    """The table of spans again."""
    found: SpanTable = read(root / SPANS, holds="spans")
    seen = frozenset((text, rater) for text, rater in told["seen"])
    return replace(found, name=SPANS, lengths=told["lengths"], positions=told["positions"], seen=seen)


def _positions(numbers: Any) -> Any:
    """Whole numbers without a point."""
    return np.array([int(n) if n == int(n) else float(n) for n in numbers.tolist()], dtype=object)


def _relabelled(column: Column, labels: Sequence[str]) -> Column:
    return replace(column.as_labels(), labels=labels, numbers=None)


def _screened(name: str, column: Column, screen: Screen) -> Column:
    """A column of numbers as it is, one of labels without what points to people."""
    return column if column.numbers is not None else _relabelled(column, screen.texts(name, list(column.labels)))


def _by_rater(study: Study, name: str) -> list[str] | None:
    """The value of each rater, if the column is about raters and not about units."""
    if name not in study.attribute_of("rater") or name in study.attribute_of("unit"):
        return None
    column = study.attributes[name].text()
    first = np.unique(study.rater.codes, return_index=True)[1]
    return [str(column[row]) for row in first.tolist()]


def _is(study: Study, name: str, column: Column) -> bool:
    """Whether the attribute of this name is what units belong together by."""
    return bool((study.attributes[name].text() == column.text()).all())


def _write(path: Path, columns: dict[str, Column]) -> None:
    _write_rows(path, list(columns), [column.text().tolist() for column in columns.values()])


def _write_rows(path: Path, names: Sequence[str], columns: Sequence[Sequence[Any]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(names)
        writer.writerows(zip(*columns, strict=True))


def _check_same(study: Study, again: Study, raters: Column) -> None:
    """The table must hold the same judgements: else its numbers would be others."""
    for question in study.questions or (None,):
        ours = tally(replace(study, rater=raters).judgements(question))
        theirs = tally(again.judgements(question))
        if (ours.n_judged, ours.used(), ours.digest) != (theirs.n_judged, theirs.used(), theirs.digest):
            about = f" to {question!r}" if question else ""
            fault = f"the judgements{about} are not the same when they are read again from a plain table"
            raise InputError(fault, file=study.name, hint="declare --level and --categories, or clean the values")
