"""CSV, TSV and their cousins: encoding and separator are found out and said, ragged rows are refused."""

import codecs
import csv
import io
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import IO, Any

import numpy as np

from assent.errors import InputError
from assent.model.columns import encode
from assent.readers.table import Table, from_polars

SEPARATORS = ",;\t|"
NAMES = {",": "comma", ";": "semicolon", "\t": "tab", "|": "vertical bar"}
LARGE = 16 << 20  # bytes; larger files are read by polars if it is installed
MOST_COLUMNS = 10_000
HEAD = 1 << 16  # bytes that tell what a file is
BOMS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))


def read(
    path: Path, *, encoding: str | None = None, separator: str | None = None, only: set[str] | None = None
) -> Table:
    """A delimited file; `only` names the columns that are wanted, None all."""
    separator, head = _one_character(separator), _head(path)
    found, notes = find_encoding(path, head, encoding)
    sep = separator or find_separator(head.decode(found, errors="ignore"), str(path))
    if sep != "," and path.suffix.lower() != ".tsv" and separator is None:
        notes.append(f"columns are separated by {NAMES[sep]}s")
    if path.stat().st_size > LARGE and found in ("utf-8", "utf-8-sig") and _has_polars():
        return _read_large(path, sep, only, notes)
    with path.open(encoding=found, newline="") as stream:
        try:
            return read_stream(stream, file=str(path), separator=sep, only=only, notes=notes)
        except UnicodeDecodeError as error:
            raise _undecodable(str(path), found, declared=encoding is not None) from error


def column_names(path: Path, *, encoding: str | None = None, separator: str | None = None) -> list[str]:
    """The header alone; the rest of the file is not looked at."""
    separator, head = _one_character(separator), _head(path)
    found, _ = find_encoding(path, head, encoding, only_head=True)
    text = head.decode(found, errors="ignore")
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=separator or find_separator(text, str(path)))
    return _header(rows, str(path))


def read_text(
    data: bytes, *, file: str, encoding: str | None = None, separator: str | None = None, only: set[str] | None = None
) -> Table:
    """Delimited text that is already in memory, as from standard input."""
    separator = _one_character(separator)
    found, notes = find_encoding(Path(file), data, encoding)
    try:
        text = data.decode(found)
    except UnicodeDecodeError as error:
        raise _undecodable(file, found, declared=encoding is not None) from error
    return read_stream(
        io.StringIO(text, newline=""),
        file=file,
        separator=separator or find_separator(text[:HEAD], file),
        only=only,
        notes=notes,
    )


def _undecodable(file: str, encoding: str, *, declared: bool) -> InputError:
    """Bytes further down that the encoding does not have."""
    if declared:
        return InputError(f"the file is not in {encoding}", file=file, hint="leave out --encoding")
    tried = "UTF-8 or Windows-1252" if encoding == "cp1252" else encoding.upper()
    return InputError(f"the file is not in {tried}", file=file, hint="save it as UTF-8, or say --encoding")


def _one_character(separator: str | None) -> str | None:
    """The separator the user named; a tab may be written as \\t."""
    separator = "\t" if separator == "\\t" else separator
    if separator is not None and (len(separator) != 1 or separator in '\r\n"'):
        raise InputError(f"{separator!r} cannot separate columns", hint="name one character, such as ; or \\t")
    return separator


def _has_polars() -> bool:
    from importlib.util import find_spec

    return find_spec("polars") is not None


def _head(path: Path) -> bytes:
    """The first part of the file, enough to find out what it is."""
    with path.open("rb") as stream:
        return stream.read(HEAD)


def find_encoding(path: Path, head: bytes, declared: str | None, *, only_head: bool = False) -> tuple[str, list[str]]:
    """The encoding and a note if it is not UTF-8, of the whole file or of its head. Binary files are refused."""
    if not head.strip():
        raise InputError("the file is empty", file=path, hint="it needs a header line and at least one row")
    if declared is not None:
        return _declared(path, head, declared), []
    for bom, name in BOMS:
        if head.startswith(bom):
            return name, [] if name == "utf-8-sig" else ["the file is in UTF-16"]
    if b"\0" in head:
        raise InputError("this is not a text file", file=path, hint="give CSV, TSV, XLSX, Parquet or JSONL")
    if _is_utf8([head] if only_head or not path.is_file() else _chunks(path), is_whole=not only_head):
        return "utf-8", []
    return "cp1252", ["the file is not UTF-8 and was read as Windows-1252 (say --encoding to change that)"]


def _declared(path: Path, head: bytes, name: str) -> str:
    """The encoding the user named, if it exists and fits."""
    try:
        codecs.getincrementaldecoder(name)().decode(head)
    except LookupError:
        raise InputError(f"unknown encoding {name!r}", hint="utf-8, cp1252, latin-1, utf-16 …") from None
    except UnicodeDecodeError as error:
        raise InputError(
            f"the file is not in {name} (byte {error.start})", file=path, hint="leave out --encoding"
        ) from None
    return name


def _is_utf8(chunks: Iterable[bytes], *, is_whole: bool) -> bool:
    """Whether all of it decodes as UTF-8; what is not the whole file may end within a character."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        for chunk in chunks:
            decoder.decode(chunk)
        decoder.decode(b"", final=is_whole)
    except UnicodeDecodeError:
        return False
    return True


def _chunks(path: Path) -> Iterator[bytes]:
    """The file piece by piece."""
    with path.open("rb") as stream:
        while chunk := stream.read(1 << 24):
            yield chunk


def find_separator(text: str, file: str) -> str:
    """The separator that splits the first lines into the same number of columns, the most if several do."""
    lines = text.splitlines()[:20]
    best, most = ",", 1
    for separator in SEPARATORS:
        widths = [len(row) for row in csv.reader(lines[: len(lines) - (len(lines) > 2)], delimiter=separator) if row]
        if widths and widths[0] > most and widths.count(widths[0]) >= 0.8 * len(widths):
            best, most = separator, widths[0]
    if most == 1:
        raise InputError(
            "only one column was found",
            file=file,
            row=1,
            hint="separate columns by comma, semicolon, tab or |, or say --separator",
        )
    return best


def read_stream(stream: IO[str], *, file: str, separator: str, only: set[str] | None, notes: list[str]) -> Table:
    """Parse with the standard library: every row must have as many cells as the header."""
    csv.field_size_limit(1 << 30)
    rows = csv.reader(stream, delimiter=separator)
    try:
        header = _header(rows, file)
        lines, cells = _cells(rows, len(header), file)
    except csv.Error as error:
        raise InputError(f"not a proper table: {error}", file=file, row=rows.line_num) from error
    columns = {
        name: encode(np.array(cells[i], dtype=object)) for i, name in enumerate(header) if only is None or name in only
    }
    return Table(file=file, columns=columns, names=tuple(header), row_numbers=np.array(lines), notes=tuple(notes))


def _header(rows: Iterator[list[str]], file: str) -> list[str]:
    """The column names, trimmed; empty and repeated names are refused."""
    header = [name.strip() for name in next(rows, [])]
    if len(header) > MOST_COLUMNS:
        raise InputError(f"the file has over {MOST_COLUMNS:,} columns", file=file, row=1, hint="keep those you need")
    repeated = [name for name in header if header.count(name) > 1] if len(set(header)) < len(header) else []
    if repeated:
        raise InputError("two columns have the same name", file=file, row=1, column=repeated[0], hint="rename one")
    return header


def _cells(rows: Any, width: int, file: str) -> tuple[list[int], list[list[str]]]:
    """Line numbers, and the cells column by column; empty lines are skipped."""
    lines: list[int] = []
    kept: list[list[str]] = []
    try:
        for row in rows:
            if row:
                _refuse_width(row, width, rows.line_num, file)
                lines.append(rows.line_num)
                kept.append(row)
    except csv.Error as error:
        raise InputError(f"not a table: {error}", file=file, row=rows.line_num) from None
    if not kept:
        raise InputError("the file has a header but no rows", file=file)
    return lines, [list(column) for column in zip(*kept, strict=True)]


def _refuse_width(row: list[str], width: int, line: int, file: str) -> None:
    """Every row must have as many cells as the header."""
    if len(row) != width:
        raise InputError(
            f"{len(row)} cells instead of {width}", file=file, row=line, hint="quote cells that contain the separator"
        )


def _read_large(path: Path, separator: str, only: set[str] | None, notes: list[str]) -> Table:
    """Parse with polars, all columns as text; ragged rows are found first since polars would fill them up."""
    import polars as pl

    with path.open(encoding="utf-8-sig", newline="") as stream:
        header = _header(csv.reader(stream, delimiter=separator), str(path))
    _refuse_ragged(path, separator, len(header))
    try:
        frame = pl.read_csv(
            path, separator=separator, infer_schema=False, new_columns=header, columns=_places(header, only)
        )
    except pl.exceptions.PolarsError as error:
        raise InputError(f"not a table: {str(error).splitlines()[0]}", file=path) from None
    return replace(from_polars(frame, file=str(path), only=only, notes=notes), names=tuple(header))


def _places(header: list[str], only: set[str] | None) -> list[int]:
    """The positions of the wanted columns."""
    return [i for i, name in enumerate(header) if only is None or name in only]


def _refuse_ragged(path: Path, separator: str, width: int) -> None:
    """Compare separators with line ends; only if they do not match, or cells are quoted, look at every row."""
    n_separators, n_lines, is_quoted, ends_in_newline = 0, 0, False, False
    for chunk in _chunks(path):
        n_separators += chunk.count(separator.encode())
        n_lines += chunk.count(b"\n")
        is_quoted = is_quoted or b'"' in chunk
        ends_in_newline = chunk.endswith(b"\n")
    n_lines += not ends_in_newline
    if is_quoted or n_separators != n_lines * (width - 1):
        with path.open(encoding="utf-8-sig", newline="") as stream:
            rows = csv.reader(stream, delimiter=separator)
            for row in rows:
                if row:
                    _refuse_width(row, width, rows.line_num, str(path))
