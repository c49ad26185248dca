"""Tables in files, as named, encoded columns: text by our own hand, XLSX, Parquet and JSON Lines by polars.

Of a text, encoding and separator are found out and said; ragged rows are refused.
"""

import csv
import io
import json
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import IO, TYPE_CHECKING, BinaryIO, NamedTuple

import numpy as np
from numpy.typing import NDArray

from concordant.digits import counted
from concordant.errors import ConcordantError, InputError, MissingExtra, nearest
from concordant.model.columns import Column, blank_out, encode
from concordant.model.many_labels import MANY, Texts
from concordant.readers.json_records import first_of_list, records_in, refuse_repeated_names
from concordant.readers.numerals import with_points
from concordant.readers.workbook import read_sheet, refuse_bomb
from concordant.readers.writing import SEPARATORS, chunks_of, find_encoding, find_separator, has_names_of_rows, preamble

if TYPE_CHECKING:
    import polars as pl

SHEETS = (".xlsx", ".xls", ".ods")
LINES = (".jsonl", ".ndjson")
BY_POLARS = (*SHEETS, ".parquet", *LINES)
RECORDS = ".json"
ENDINGS = (".csv", ".tsv", ".txt", RECORDS, *BY_POLARS)
LARGE = 16 << 20  # bytes; larger files are read by polars if it is installed
MOST_COLUMNS = 10_000
HEAD = 1 << 16  # bytes that tell what a file is
LEVEL = "Level of measurement: nominal, ordinal, interval, ratio, circular, bipolar or set."
ENCODING = "Encoding of a text file, if it is not found out."
SEPARATOR = "Separator of columns, if it is not found out."
"""What the options are that several readers of tables have."""

Only = Callable[[Sequence[str]], set[str] | None]
"""Picks the columns worth reading; None is all."""


class Table(NamedTuple):
    """The columns that were wanted, the names of all, and the line of the file in which each row stands.

    `orders` are the categories in order of columns that say which comes before which.
    """

    file: str
    columns: Mapping[str, Column]
    names: tuple[str, ...]
    row_numbers: NDArray[np.int64]
    notes: tuple[str, ...] = ()
    orders: Mapping[str, tuple[str, ...]] = {}

    @property
    def n_rows(self) -> int:
        """How many rows, the header not counted."""
        return len(self.row_numbers)

    def column(self, name: str) -> Column:
        """The column of that name; one that is not there is an error that suggests the nearest."""
        self.expect(name)
        return self.columns[name]

    def take(self, rows: NDArray[np.int64]) -> "Table":
        """Only these rows."""
        columns = {name: column.take(rows) for name, column in self.columns.items()}
        return self._replace(columns=columns, row_numbers=self.row_numbers[rows])

    def expect(self, name: str) -> None:
        """Refuse a name that is not in the file."""
        if name not in self.names:
            raise InputError("there is no such column", file=self.file, column=name, hint=nearest(name, self.names))


def read_table(
    path: str | Path,
    *,
    only: Only = lambda names: None,
    encoding: str | None = None,
    separator: str | None = None,
    sheet: str | None = None,
) -> Table:
    """Any file that holds a table; `-` is standard input, `sheet` one of a workbook."""
    file = Path(path)
    if str(path) != "-":
        if not file.exists():
            around = [near.name for near in file.parent.iterdir()] if file.parent.is_dir() else []
            raise InputError("there is no such file", file=file, hint=nearest(file.name, around) if around else None)
        if file.is_dir():
            raise InputError("this is a directory", file=file, hint="name a file in it")
    if sheet is not None and file.suffix.lower() not in SHEETS:
        raise InputError("only workbooks have sheets", file=file, hint="leave out --sheet")
    if file.suffix.lower() == RECORDS:
        return _read_records(file)
    if file.suffix.lower() not in BY_POLARS:
        return read_delimited(file, only, encoding, separator)
    notes, first_row = list[str](), 1
    with _explained(file):
        import polars as pl

        if file.suffix.lower() == ".parquet":
            names = list(pl.read_parquet_schema(file))  # column by column: never more of them in memory than one
            return from_polars((pl.read_parquet(file, columns=[name])[name] for name in names), file=str(file))
        if file.suffix.lower() in LINES:
            frame = pl.read_ndjson(file, infer_schema_length=None)
            refuse_repeated_names(file, {one.name: len(one) - one.null_count() for one in frame})
        else:
            refuse_bomb(file)
            frame, notes, first_row = read_sheet(file, sheet)
            names = _header(iter([[str(cell or "") for cell in frame.row(0)]] if frame.height else []), str(file))
            frame = frame[1:].rename(dict(zip(frame.columns, names, strict=True))) if frame.height else frame
    table = from_polars(frame.get_columns(), file=str(file), notes=notes)
    return table._replace(row_numbers=table.row_numbers + first_row - 1)


def _read_records(file: Path) -> Table:
    """A JSON list of flat objects: each is a row."""
    names, rows = records_in(file)
    if not rows:
        raise InputError("the list is empty", file=file)
    columns, said = with_points({name: encode(np.array(cells, dtype=object)) for name, cells in names.items()})
    return Table(str(file), columns, tuple(columns), np.array(rows), tuple(said))


def header(path: Path, head: str) -> set[str]:
    """The names of the columns in small letters, as far as the head of a file tells them; nothing is refused."""
    return {name.casefold() for name in column_names(path, head)}


def column_names(path: Path, head: str) -> list[str]:
    """The names of the columns, as far as the head of a file tells them; nothing is refused."""
    ending, first = path.suffix.lower(), next((line for line in head.splitlines() if line.strip()), "")
    try:
        if ending in LINES:
            record = json.loads(first)
            return list(map(str, record)) if isinstance(record, dict) else []
        if ending == RECORDS:
            return list(map(str, first_of_list(head)))
        names = polars_names(path) if ending in BY_POLARS else re.split(r"[,;\t|]", first)
    except (ConcordantError, ValueError):
        return []
    return [name.strip(' "') for name in names]


def polars_names(path: Path) -> Sequence[str]:
    """The names of the columns of Parquet or a sheet; no more of the file is read than must be, however large it is."""
    with _explained(path):
        import polars as pl

        if path.suffix.lower() == ".parquet":
            return list(pl.read_parquet_schema(path))
        refuse_bomb(path)
        first = read_sheet(path, None, n_rows=2)[0]
        return [str(cell or "") for cell in first.row(0)] if first.height else []


@contextmanager
def _explained(path: Path) -> Iterator[None]:
    """Say what is missing, or what is wrong with the file that polars was given."""
    wrong: tuple[type[Exception], ...] = (OSError, ValueError, RuntimeError)
    try:
        import polars as pl

        wrong = (*wrong, pl.exceptions.PolarsError)
        if path.suffix.lower() in SHEETS:
            from fastexcel import FastExcelError

            wrong = (*wrong, FastExcelError)
    except ModuleNotFoundError:
        pass  # what is missing is said when it is used
    try:
        yield
    except ModuleNotFoundError:
        raise MissingExtra(f"reading {path.suffix} files", "files") from None
    except wrong as error:
        reason = (str(error).strip().splitlines() or [type(error).__name__])[0]
        raise InputError(f"this is not a readable {path.suffix} file ({reason})", file=path) from None


def read_delimited(path: Path, only: Only, encoding: str | None, separator: str | None) -> Table:
    """CSV, TSV and their cousins; a tab that separates may be written as \\t."""
    separator = "\t" if separator == "\\t" else separator
    if separator is not None and (len(separator) != 1 or separator in '\r\n"'):
        raise InputError(f"{separator!r} cannot separate columns", hint="name one character, such as ; or \\t")
    is_file = str(path) != "-"
    file = str(path) if is_file else "standard input"
    with path.open("rb") if is_file else io.BytesIO(sys.stdin.buffer.read()) as stream:
        head = stream.read(HEAD if is_file else -1)
        found, notes = find_encoding(file, head, encoding, stream)
        begin = head.decode(found, errors="ignore")[:HEAD]
        skipped, told = preamble(begin)
        begin = "".join(begin.splitlines(keepends=True)[skipped:])
        sep = separator or told or find_separator(begin, file)
        notes += [f"{counted(skipped, 'line')} above the table not read"] if skipped else []
        if is_file and separator is None and sep != "," and path.suffix.lower() != ".tsv":
            notes.append(f"columns are separated by {SEPARATORS.get(sep, 'blank' if sep == ' ' else repr(sep))}s")
        if (
            is_file
            and not skipped
            and begin[:1] not in "\r\n"  # a blank line is no header
            and "\n" in begin  # and a carriage return alone no end of a line, for polars
            and sep != " "
            and path.stat().st_size > LARGE
            and found in ("utf-8", "utf-8-sig")
            and find_spec("polars")
        ):
            return read_large(path, stream, sep, only, notes)
        stream.seek(0)
        try:
            with io.TextIOWrapper(stream, found, newline="") as text:
                of_rows = has_names_of_rows(begin, sep)
                return read_rows(text, file, sep, only, notes, skipped, of_rows)
        except UnicodeDecodeError as error:
            if encoding is not None:
                raise InputError(f"the file is not in {found}", file=file, hint="leave out --encoding") from error
            tried = "UTF-8 or Windows-1252" if found == "cp1252" else found.upper()
            hint = "save it as UTF-8, or say --encoding"
            raise InputError(f"the file is not in {tried}", file=file, hint=hint) from error


def read_rows(
    stream: IO[str], file: str, separator: str, only: Only, notes: list[str], skipped: int, of_rows: bool = False
) -> Table:
    """Parse with the standard library, below the lines to skip: every row must have as many cells as the header.

    Where the first column has the names `of_rows`, the header says nothing about it.
    """
    csv.field_size_limit(1 << 30)
    for _ in range(skipped):
        stream.readline()
    lines = (" ".join(line.split()) for line in stream) if separator == " " else stream
    rows = csv.reader(lines, delimiter=separator)
    try:
        first = next(filter(None, rows), [])  # below blank lines
        names = _header(iter([["", *first] if of_rows else first]), file)
        notes = [*notes, "the first column has no name: the names of rows, as R writes them"] if of_rows else notes
        wanted = only(names)
        kept = [
            (rows.line_num + skipped, _whole(row, len(names), rows.line_num + skipped, file)) for row in rows if row
        ]
    except csv.Error as error:
        raise InputError(f"not a proper table: {error}", file=file, row=rows.line_num + skipped) from error
    if kept and re.fullmatch(r"(\s*:?-{2,}:?\s*|\s*)+", "".join(kept[0][1])) and "-" in "".join(kept[0][1]):
        kept, notes = kept[1:], [*notes, "the rule below the names of the columns is not read"]
    if not kept:
        raise InputError("the file has a header but no rows", file=file)
    columns = {
        name: encode(np.array(cells, dtype=object))
        for name, cells in zip(names, zip(*(row for _, row in kept), strict=True), strict=True)
        if wanted is None or name in wanted
    }
    columns, said = with_points(columns, separator)
    return Table(file, columns, tuple(names), np.array([line for line, _ in kept]), (*notes, *said))


def _header(rows: Iterator[list[str]], file: str) -> list[str]:
    """The column names, trimmed; one without a name is called by its place; repeated names are refused."""
    names = [name.strip() or f"column {place}" for place, name in enumerate(next(rows, []), 1)]
    if len(names) > MOST_COLUMNS:
        raise InputError(f"the file has over {MOST_COLUMNS:,} columns", file=file, row=1, hint="keep those you need")
    repeated = [name for name in names if names.count(name) > 1] if len(set(names)) < len(names) else []
    if repeated:
        raise InputError("two columns have the same name", file=file, row=1, column=repeated[0], hint="rename one")
    return names


def _whole(row: list[str], width: int, line: int, file: str) -> list[str]:
    """The row, if it has as many cells as the header."""
    if len(row) != width:
        hint = "quote cells that contain the separator"
        raise InputError(f"{len(row)} cells instead of {width}", file=file, row=line, hint=hint)
    return row


def read_large(path: Path, stream: BinaryIO, separator: str, only: Only, notes: list[str]) -> Table:
    """Parse with polars, all columns as text; ragged rows are found first since polars would fill them up.

    Separators are compared with line ends; only if they do not match, or cells are quoted, every row is looked at.
    """
    import polars as pl

    n_separators, n_lines, is_quoted, ends_in_newline = 0, 0, False, False
    for chunk in chunks_of(stream):
        n_separators += chunk.count(separator.encode())
        n_lines += chunk.count(b"\n")
        is_quoted = is_quoted or b'"' in chunk
        ends_in_newline = chunk.endswith(b"\n")
    n_lines += not ends_in_newline
    with path.open(encoding="utf-8-sig", newline="") as text:
        rows = csv.reader(text, delimiter=separator)
        names = _header(filter(None, rows), str(path))
        chosen = only(names)
        if is_quoted or n_separators != n_lines * (len(names) - 1):
            for row in filter(None, rows):
                _whole(row, len(names), rows.line_num, str(path))
    wanted = [i for i, name in enumerate(names) if chosen is None or name in chosen]
    try:
        frame = pl.read_csv(path, separator=separator, infer_schema=False, new_columns=names, columns=wanted)
    except pl.exceptions.PolarsError as error:
        raise InputError(f"not a table: {str(error).splitlines()[0]}", file=path) from None
    return from_polars(frame.get_columns(), file=str(path), notes=notes, separator=separator)._replace(
        names=tuple(names)
    )


def from_polars(series: Iterable["pl.Series"], *, file: str, notes: Sequence[str] = (), separator: str = "") -> Table:
    """A table from columns of polars: numbers stay numbers, everything else is coded by its dictionary."""
    columns, said = with_points({one.name: encode_polars(one, file) for one in series}, separator)
    height = len(next(iter(columns.values()), ()))
    if not height:
        raise InputError("the file has no rows", file=file)
    lines = np.arange(2, height + 2)
    return Table(file=file, columns=columns, names=tuple(columns), row_numbers=lines, notes=(*notes, *said))


def encode_polars(series: "pl.Series", file: str) -> Column:
    """One column; the labels stay in polars until somebody asks for one (there may be millions)."""
    import polars as pl

    if series.dtype.is_float():
        return encode(series.fill_null(float("nan")).to_numpy())
    if series.dtype.is_integer() and series.null_count() == 0:
        return encode(series.to_numpy())
    if isinstance(series.dtype, pl.List) and not series.dtype.inner.is_nested():
        series = series.cast(pl.List(pl.String)).list.join("+")
    if series.dtype.is_nested():
        raise InputError("the cells hold objects, not values", file=file, column=series.name, hint="flatten the table")
    coded = series.cast(pl.String).cast(pl.Categorical(pl.Categories.random()))
    used = coded.drop_nulls().unique()
    labels = used.cast(pl.String).gather(used.to_physical().arg_sort())
    codes = coded.to_physical().cast(pl.Int32).fill_null(-1).to_numpy()
    narrow = codes.astype(np.min_scalar_type(-len(labels) - 1), copy=False)
    column = Column(codes=narrow, labels=Texts(labels) if len(labels) > MANY else labels.to_list())
    return blank_out(column, {""}) if (labels == "").any() else column
