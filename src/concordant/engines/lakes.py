"""Tables that are kept as folders of files with a log: Delta and Iceberg.

Their Parquet files are never read as they lie there: some of them hold rows that were replaced or deleted since.
"""

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from concordant.errors import InputError

LAKES = {"delta": "_delta_log", "iceberg": "metadata/*.metadata.json"}
"""What each kind of table has in its folder."""


def lake_of(path: str) -> tuple[str, str] | None:
    """The kind of a table and where it is: by its folder, or as `delta:s3://…` says; None for anything else.

    >>> lake_of("delta:s3://bucket/judged")
    ('delta', 's3://bucket/judged')
    """
    kind, _, place = path.partition(":")
    if kind in LAKES:
        return kind, place
    return next(((kind, path) for kind, mark in LAKES.items() if any(Path(path).glob(mark))), None)


def only_lake(paths: Sequence[str]) -> tuple[str, str] | None:
    """The kind and place of a table that is kept so, if that is what is to be read."""
    found = [lake_of(path) for path in paths]
    if any(found) and len(paths) > 1:
        first = next(path for path, lake in zip(paths, found, strict=True) if lake)
        raise InputError("such a table is read alone", file=first, hint="give one Delta or Iceberg table")
    return found[0] if found else None


def in_duckdb(connection: Any, kind: str, place: str) -> Any:
    """The rows that are in the table now, as a relation: by DuckDB's own extension, or for Delta by deltalake."""
    import duckdb

    if kind == "delta" and find_spec("deltalake"):
        from deltalake import DeltaTable

        return connection.from_arrow(DeltaTable(place).to_pyarrow_dataset())
    try:
        connection.execute("SET autoinstall_known_extensions=false")
        connection.load_extension(kind)
    except duckdb.Error:
        other = " (or `pip install deltalake`)" if kind == "delta" else ""
        hint = f"install it once with DuckDB's `INSTALL {kind}`{other}, or use --engine spark"
        what = f"this is a table of {kind.capitalize()}, and DuckDB has no extension for it here"
        raise InputError(what, file=place, hint=hint) from None
    return connection.table_function(f"{kind}_scan", [place])
