"""Writing tables to files: CSV, TSV, JSON lines, Parquet or one XLSX workbook. Nothing is left half-written.

A workbook holds all tables as sheets. In the other formats the judgements go to the file that was named and the
others beside it: `answers.csv`, `answers.raters.csv`, `answers.codebook.csv` ...
"""

import csv
import json
import os
from collections.abc import Callable, Sequence
from pathlib import Path

from assent.collection.tabular import OutTable
from assent.errors import InputError, MissingExtra, nearest


def write_tables(tables: Sequence[OutTable], path: Path) -> list[Path]:
    """Write all tables; returns the files. They are made beside the final ones first and moved only when all are
    whole.
    """
    ending = path.suffix.lower()
    if ending not in (*WRITERS, ".xlsx"):
        known = [*WRITERS, ".xlsx"]
        raise InputError(f"cannot write {ending or 'a file without an ending'}", file=path, hint=nearest(ending, known))
    if ending == ".xlsx":
        return _written({path: lambda part: _workbook(tables, part)})
    first, *others = tables
    files = {path: first} | {path.with_suffix(f".{table.name}{ending}"): table for table in others}
    return _written({file: _bound(WRITERS[ending], table) for file, table in files.items()})


def _bound(write: Callable[[OutTable, Path], None], table: OutTable) -> Callable[[Path], None]:
    return lambda part: write(table, part)


def _written(work: dict[Path, Callable[[Path], None]]) -> list[Path]:
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


def _separated(table: OutTable, path: Path, separator: str) -> None:
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
    ".csv": lambda table, path: _separated(table, path, ","),
    ".tsv": lambda table, path: _separated(table, path, "\t"),
    ".jsonl": _json_lines,
    ".parquet": _parquet,
}
