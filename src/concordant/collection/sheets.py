"""Tables on their way out: named columns, each with its meaning and the way to its cell; and the files they go to.

A workbook (XLSX) holds all tables as sheets. In the other formats (CSV, TSV, JSON lines, Parquet) the judgements go to
the file that was named and the others beside it: `answers.csv`, `answers.raters.csv`, `answers.codebook.csv` ...
Nothing is left half-written.
"""

import csv
import json
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TypeVar

from concordant.errors import InputError, MissingExtra, nearest

Cell = str | int | float | None
T = TypeVar("T")
OutColumn = tuple[str, str, Callable[[T], Cell]]
"""A column: its name, its meaning for the codebook, and how a row gets its cell."""


@dataclass(frozen=True, kw_only=True)
class OutTable:
    """A finished table; `meanings` has one entry for each column."""

    name: str
    meaning: str
    columns: tuple[str, ...]
    meanings: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]


def by_name(of: Callable[[T], Mapping[str, Cell]], name: str) -> Callable[[T], Cell]:
    """The way to a cell that is known by its name in something of a row."""
    return lambda row: of(row).get(name)


def tabulate(name: str, meaning: str, columns: Sequence[OutColumn[T]], entries: Iterable[T]) -> OutTable:
    """Fill the columns for every entry."""
    names, meanings, ways = zip(*columns, strict=True)
    rows = tuple(tuple(way(entry) for way in ways) for entry in entries)
    return OutTable(name=name, meaning=meaning, columns=names, meanings=meanings, rows=rows)


def write_tables(tables: Sequence[OutTable], path: Path) -> list[Path]:
    """Write all tables; returns the files. They are made beside the final ones first and moved only when all are
    whole.
    """
    ending = path.suffix.lower()
    if ending not in (known := [*WRITERS, ".xlsx"]):
        raise InputError(f"cannot write {ending or 'a file without an ending'}", file=path, hint=nearest(ending, known))
    work: dict[Path, Callable[[Path], None]] = {path: partial(_workbook, tables)}
    if ending != ".xlsx":
        named = {path: tables[0]} | {path.with_suffix(f".{table.name}{ending}"): table for table in tables[1:]}
        work = {file: partial(WRITERS[ending], table) for file, table in named.items()}
    parts = {path: path.with_name(path.name + ".part") for path in work}
    try:
        for path, write in work.items():
            write(parts[path])
        for path, part in parts.items():
            os.replace(part, path)
    except OSError as error:
        raise InputError(f"cannot be written ({error.strerror})", file=path, hint="nothing was changed") from error
    finally:
        for part in parts.values():
            part.unlink(missing_ok=True)
    return list(work)


def _separated(separator: str, table: OutTable, path: Path) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, delimiter=separator, lineterminator="\n")
        writer.writerow(table.columns)
        writer.writerows(table.rows)


def _json_lines(table: OutTable, path: Path) -> None:
    with path.open("w", encoding="utf-8") as file:
        for row in table.rows:
            file.write(json.dumps(dict(zip(table.columns, row, strict=True)), ensure_ascii=False) + "\n")


def _parquet(table: OutTable, path: Path) -> None:
    try:
        import polars
    except ModuleNotFoundError as error:
        raise MissingExtra("Parquet", "files") from error
    frame = polars.DataFrame(list(table.rows), schema=list(table.columns), orient="row", infer_schema_length=None)
    frame.write_parquet(path)


def _workbook(tables: Sequence[OutTable], path: Path) -> None:
    try:
        import xlsxwriter
    except ModuleNotFoundError as error:
        raise MissingExtra("XLSX", "report") from error
    # Texts that look like formulas or links stay texts: participants wrote some of them.
    with xlsxwriter.Workbook(path, {"strings_to_formulas": False, "strings_to_urls": False}) as workbook:
        bold = workbook.add_format({"bold": True})
        for table in tables:
            sheet = workbook.add_worksheet(table.name)
            sheet.write_row(0, 0, table.columns, bold)
            for number, row in enumerate(table.rows, 1):
                sheet.write_row(number, 0, row)
            sheet.freeze_panes(1, 0)
            sheet.autofilter(0, 0, max(len(table.rows), 1), len(table.columns) - 1)
            sheet.autofit(300)


WRITERS: dict[str, Callable[[OutTable, Path], None]] = {
    ".csv": partial(_separated, ","),
    ".tsv": partial(_separated, "\t"),
    ".jsonl": _json_lines,
    ".parquet": _parquet,
}
