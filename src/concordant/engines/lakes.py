"""Tables that have a name or a log: those of a catalogue or of a database of DuckDB, Delta and Iceberg.

Parquet files of Delta and Iceberg are never read as they lie there: some hold rows that were replaced or deleted since.
"""

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from concordant.errors import InputError

LAKES = {"delta": "_delta_log", "iceberg": "metadata/*.metadata.json"}
"""What each kind of table has in its folder."""
NAMED, DATABASE = "table", ".duckdb"
"""How a table of a catalogue is written, `table:catalog.schema.judged`, and how a database of DuckDB ends."""


def lake_of(path: str) -> tuple[str, str] | None:
    """The kind of a table and where it is: by its folder, or as `delta:s3://…` says; None for anything else.

    >>> lake_of("delta:s3://bucket/judged"), lake_of("answers.duckdb")
    (('delta', 's3://bucket/judged'), ('table', 'answers.duckdb'))
    """
    kind, _, place = path.partition(":")
    if kind in (*LAKES, NAMED):
        return kind, place
    if path.endswith(DATABASE):
        return NAMED, path
    return next(((kind, path) for kind, mark in LAKES.items() if any(Path(path).glob(mark))), None)


def only_lake(paths: Sequence[str]) -> tuple[str, str] | None:
    """The kind and place of a table that is kept so, if that is what is to be read."""
    found = [lake_of(path) for path in paths]
    if any(found) and len(paths) > 1:
        first = next(path for path, lake in zip(paths, found, strict=True) if lake)
        raise InputError("such a table is read alone", file=first, hint="give one table")
    return found[0] if found else None


def in_duckdb(connection: Any, kind: str, place: str) -> Any:
    """The rows that are in the table now, as a relation: by DuckDB's own extension, or for Delta by deltalake."""
    import duckdb

    if kind == NAMED:
        return _of_database(connection, place)
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


def _of_database(connection: Any, place: str) -> Any:
    """A table of a database of DuckDB, as `answers.duckdb:judged`; its only one needs no name."""
    file, ending, name = place.partition(DATABASE)
    if not ending or not Path(file + ending).is_file():
        hint = f"write table:FILE{DATABASE}:NAME, or use --engine spark for tables of its catalogue"
        raise InputError("DuckDB has no such database here", file=place, hint=hint)
    connection.execute(f"ATTACH '{(file + ending).replace(chr(39), chr(39) * 2)}' AS given (READ_ONLY)")
    found = connection.execute("SELECT schema, name FROM (SHOW ALL TABLES) WHERE database = 'given'").fetchall()
    known = {name if schema == "main" else f"{schema}.{name}": (schema, name) for schema, name in sorted(found)}
    chosen = name.removeprefix(":") or (next(iter(known)) if len(known) == 1 else "")
    if chosen not in known:
        some = f"its tables are {', '.join(known)}" if known else "it has no table"
        raise InputError(f"there is no table {chosen!r}" if chosen else "it has several tables", file=place, hint=some)
    schema, table = known[chosen]
    return connection.table(f'given."{schema}"."{table}"')
