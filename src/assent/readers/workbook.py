"""XLSX workbooks and Parquet and JSON Lines files, read by polars."""

from pathlib import Path
from typing import TYPE_CHECKING

from assent.errors import InputError, MissingExtra
from assent.readers.table import Table, from_polars

if TYPE_CHECKING:
    import polars as pl


def read(path: Path, *, only: set[str] | None = None, sheet: str | None = None) -> Table:
    """The table in the file, by its ending."""
    try:
        frame = _frame(path, sheet)
    except ModuleNotFoundError:
        raise MissingExtra(f"reading {path.suffix} files", "files") from None
    except _errors() as error:
        reason = (str(error).strip().splitlines() or [type(error).__name__])[0]
        raise InputError(f"this is not a readable {path.suffix} file ({reason})", file=path) from None
    if frame.width == 0 or frame.height == 0:
        raise InputError("the file has no rows", file=path)
    return from_polars(frame, file=str(path), only=only)


def _errors() -> tuple[type[Exception], ...]:
    """What the libraries raise on a file that is not what its ending says."""
    import polars as pl

    known: tuple[type[Exception], ...] = (pl.exceptions.PolarsError, OSError, ValueError, RuntimeError)
    try:
        from fastexcel import FastExcelError
    except ModuleNotFoundError:
        return known
    return (*known, FastExcelError)


def _frame(path: Path, sheet: str | None) -> "pl.DataFrame":
    """The file as a polars frame."""
    import polars as pl

    ending = path.suffix.lower()
    if ending == ".parquet":
        return pl.read_parquet(path)
    if ending in (".jsonl", ".ndjson"):
        return pl.read_ndjson(path, infer_schema_length=None)
    return pl.read_excel(path, sheet_name=sheet) if sheet else pl.read_excel(path)
