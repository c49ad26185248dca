"""XLSX workbooks and Parquet and JSON Lines files, read by polars."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from assent.errors import InputError, MissingExtra
from assent.readers.table import Table, from_polars

if TYPE_CHECKING:
    import polars as pl


def read(path: Path, *, only: set[str] | None = None, sheet: str | None = None) -> Table:
    """The table in the file, by its ending."""
    with _explained(path):
        frame = _frame(path, sheet)
    if frame.width == 0 or frame.height == 0:
        raise InputError("the file has no rows", file=path)
    return from_polars(frame, file=str(path), only=only)


def parquet_names(path: Path) -> list[str]:
    """The names of the columns of a Parquet file, without reading them."""
    with _explained(path):
        import polars as pl

        return list(pl.read_parquet_schema(path))


@contextmanager
def _explained(path: Path) -> Iterator[None]:
    """Say what is missing, or what is wrong with the file."""
    try:
        yield
    except ModuleNotFoundError:
        raise MissingExtra(f"reading {path.suffix} files", "files") from None
    except _errors() as error:
        reason = (str(error).strip().splitlines() or [type(error).__name__])[0]
        raise InputError(f"this is not a readable {path.suffix} file ({reason})", file=path) from None


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
