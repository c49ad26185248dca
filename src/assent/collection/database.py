"""Opening a database, SQLite or PostgreSQL, and saying in one line what is wrong with it."""

import os
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url, text
from sqlalchemy.exc import ArgumentError, SQLAlchemyError

from assent.collection.tables import metadata
from assent.errors import AssentError, InputError, MissingExtra

FILE = "study.db"
"""Where a study's answers are when no database is named: a file beside the study file."""

LOCK = 0x617373656E74  # "assent": the advisory lock of PostgreSQL that puts the writers of several processes in a row


class LogError(AssentError):
    """The database did not store or deliver something. Whatever was acknowledged before is safe."""


def default_url(folder: Path) -> str:
    """The address of a study's database: what ASSENT_DB says, or the file in the study's folder.

    A study in a folder of studies that are served together has its answers in that folder's file.
    """
    own, shared = folder.absolute() / FILE, folder.absolute().parent / FILE
    is_shared = not own.exists() and shared.exists() and not (shared.parent / "study.toml").exists()
    return os.environ.get("ASSENT_DB") or f"sqlite:///{shared if is_shared else own}"


def has_begun(url: str) -> bool:
    """Whether there is a database at the address; only files can be missing."""
    return not url.startswith("sqlite:///") or Path(url.removeprefix("sqlite:///")).exists()


def open_engine(url: str) -> Engine:
    """Connect, set the database up for safe writing, and make missing tables."""
    engine = _engine(url)
    try:
        with engine.begin() as connection:
            take_turns(connection)
            metadata.create_all(connection)
    except SQLAlchemyError as error:
        raise explained(error, engine) from error
    return engine


def _engine(url: str) -> Engine:
    try:
        engine = create_engine(_with_driver(url), pool_pre_ping=True)
    except ModuleNotFoundError as error:
        raise MissingExtra("PostgreSQL", "postgres") from error
    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", _careful)
        event.listen(engine, "begin", _begin)
    return engine


def _with_driver(url: str) -> URL:
    """The address as SQLAlchemy wants it: psycopg is the driver for PostgreSQL, whatever the address says about it."""
    try:
        parsed = make_url(url)
    except ArgumentError:
        parsed = make_url("unknown://")
    if parsed.get_backend_name() in {"postgresql", "postgres"}:
        return parsed.set(drivername="postgresql+psycopg")
    if parsed.get_backend_name() != "sqlite":
        hint = "use sqlite:///FILE or postgresql://USER@HOST/NAME"
        raise InputError(f"{url!r} is not a database address", hint=hint)
    return parsed


def _careful(connection: Any, record: Any) -> None:
    """Write-ahead log, flushed at every commit: a commit that was acknowledged survives a crash of the machine."""
    connection.isolation_level = None  # the driver starts no transactions of its own; `_begin` does
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "busy_timeout=20000"):
        connection.execute(f"PRAGMA {pragma}")


def _begin(connection: Connection) -> None:
    """A writer takes the lock at once, so that it can never fail half-way because another was first."""
    writes = connection.get_execution_options().get("writes", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def take_turns(connection: Connection) -> None:
    """Let the writers of several processes work one after the other, each until its COMMIT."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": LOCK})


def explained(error: SQLAlchemyError, engine: Engine) -> LogError:
    """What happened, in one line, with what to do."""
    where = engine.url.render_as_string(hide_password=True)
    said = " ".join(str(getattr(error, "orig", None) or error).split())
    for sign, advice in ADVICE.items():
        if sign in said.casefold():
            return LogError(f"{where}: {said}; {advice}")
    return LogError(f"{where}: {said}")


ADVICE = {
    "full": "nothing of this was stored: free some space; browsers keep unsent answers and send them again",
    "no space left": "nothing of this was stored: free some space and try again",
    "unable to open": "check that the folder exists and can be written to",
    "readonly": "the file cannot be written to: check its permissions",
    "not a database": "name another file with --db",
    "malformed": "restore the file from a backup; `assent export` reads what can be read",
    "locked": "another program holds the database: only one `assent serve` may use an SQLite file",
    "connection": "check that the server runs and that the address, the user and the password are right",
    "does not exist": "check the address, the user and the name of the database",
}
