"""Rows of a data file (CSV, TSV or JSON lines) with the line each stands on."""

import csv
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from assent.design.problems import Problem, StudyError


@dataclass(frozen=True)
class DataRow:
    """One row: its line in the file and its cells by column, all as text."""

    line: int
    cells: Mapping[str, str]


@dataclass(frozen=True)
class DataFile:
    """A data file, read."""

    path: Path
    columns: tuple[str, ...]
    rows: tuple[DataRow, ...]


def read_rows(path: Path) -> DataFile:
    """Read a data file by its ending; a file that cannot be read is one clear problem."""
    try:
        source = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise StudyError([Problem(path, 0, "the file does not exist")]) from None
    except (OSError, UnicodeDecodeError) as error:
        raise StudyError([Problem(path, 0, f"cannot be read ({error})", "save it as UTF-8 text")]) from error
    data = _json_lines(path, source) if path.suffix in {".jsonl", ".ndjson"} else _separated(path, source)
    if not data.rows:
        raise StudyError([Problem(path, 0, "there are no rows")])
    return data


def _separated(path: Path, source: str) -> DataFile:
    reader = csv.reader(source.splitlines(keepends=True), delimiter="\t" if path.suffix == ".tsv" else ",", strict=True)
    try:
        lines = [(reader.line_num, cells) for cells in reader]
    except csv.Error as error:
        raise StudyError([Problem(path, reader.line_num, f"not a proper table ({error})")]) from error
    header = tuple(name.strip() for name in lines[0][1]) if lines else ()
    rows = [(line, cells) for line, cells in lines[1:] if any(cell.strip() for cell in cells)]
    if ragged := [line for line, cells in rows if len(cells) != len(header)]:
        found = next(len(cells) for line, cells in rows if line == ragged[0])
        raise StudyError(
            [Problem(path, ragged[0], f"{found} cells where the header has {len(header)}", "quote texts with commas")]
        )
    return DataFile(path, header, tuple(DataRow(line, dict(zip(header, cells, strict=True))) for line, cells in rows))


def _json_lines(path: Path, source: str) -> DataFile:
    rows = []
    for number, line in enumerate(source.splitlines(), 1):
        if not line.strip():
            continue
        try:
            cells = json.loads(line)
        except ValueError as error:
            raise StudyError([Problem(path, number, f"not JSON ({error})")]) from error
        if not isinstance(cells, dict):
            raise StudyError([Problem(path, number, "expected one object in braces per line")])
        rows.append(DataRow(number, {key: _as_text(value) for key, value in cells.items()}))
    columns = tuple(dict.fromkeys(column for row in rows for column in row.cells))
    return DataFile(path, columns, tuple(rows))


def _as_text(value: object) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
