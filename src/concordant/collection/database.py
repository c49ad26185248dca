"""The database of a study, SQLite or PostgreSQL: its tables, how it is opened, and what is wrong with it in one line.

`events` is the truth and is only ever added to. `answers` and `raters` are projections of it: what holds now. They
are written in the same transaction as the events and can be thrown away and rebuilt. The other tables stand beside the
log: who may come in and work where, what is aimed at, what was decided (a log of its own).

Whoever changes a table adds a module to `collection.migrations`, for the databases that are there already.
"""

import os
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from itertools import chain, count
from pathlib import Path
from typing import IO, Any

from sqlalchemy import (
    URL,
    BigInteger,
    Boolean,
    Column,
    Connection,
    Engine,
    Float,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    create_engine,
    delete,
    event,
    insert,
    inspect,
    make_url,
    select,
    text,
)
from sqlalchemy.exc import ArgumentError, SQLAlchemyError

from concordant.about import NAME
from concordant.collection import migrations
from concordant.errors import ConcordantError, InputError, MissingExtra

metadata = MetaData()


def _keys(*names: str) -> list[Column[str]]:
    """The texts that together say which row it is."""
    return [Column(name, String, primary_key=True) for name in names]


def _texts(*names: str) -> list[Column[str]]:
    """Short texts that every row has."""
    return [Column(name, String, nullable=False) for name in names]


events = Table(
    "events",
    metadata,
    Column("seq", BigInteger().with_variant(Integer, "sqlite"), primary_key=True, autoincrement=False),
    *_texts("study", "rater"),
    Column("id", String(36), nullable=False),
    *_texts("kind", "at", "received"),
    Column("body", Text, nullable=False),
    Column("v", Integer, nullable=False, server_default="1"),
    UniqueConstraint("study", "rater", "id", name="one_event_once"),
    Index("events_of_a_rater", "study", "rater", "seq"),
)

answers = Table(
    "answers",
    metadata,
    *_keys("study", "rater"),
    Column("step", Integer, primary_key=True),
    *_keys("question"),
    *_texts("unit"),
    Column("value", Text, nullable=False),
    Column("seconds", Float),
    *_texts("at"),
    Column("seq", BigInteger, nullable=False),
    Column("n_given", Integer, nullable=False),
)

raters = Table(
    "raters",
    metadata,
    *_keys("study", "rater"),
    Column("set_number", Integer),
    *_texts("first_at", "last_at"),
    Column("completed_at", String),
)

version = Table("schema_version", metadata, Column("version", Integer, primary_key=True, autoincrement=False))
"""One row: the number of the last of `collection.migrations` that this database has been through."""

keys = Table("server_keys", metadata, *_keys("name"), *_texts("value"))

researchers = Table("researchers", metadata, *_keys("name"), *_texts("password_hash", "made_at"))

visits = Table("visits", metadata, *_keys("token_hash"), *_texts("role", "study", "who", "made_at", "expires_at"))

members = Table("members", metadata, *_keys("study", "name"), *_texts("role", "made_at"))

invitations = Table(
    "invitations",
    metadata,
    *_keys("study", "rater"),
    Column("attributes", Text, nullable=False),
    *_texts("made_at"),
    Column("revoked_at", String),
)

targets = Table("targets", metadata, *_keys("study"), Column("width", Float, nullable=False))

decisions = Table(
    "decisions",
    metadata,
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("id", String(36), nullable=False, unique=True),
    Column("study", String, nullable=False, index=True),
    *_texts("unit", "question"),
    Column("value", Text, nullable=False),
    *_texts("adjudicator"),
    Column("comment", Text, nullable=False),
    Column("is_unclear", Boolean, nullable=False),
    Column("seen", BigInteger, nullable=False),
    *_texts("at"),
    Column("cause", Text, nullable=False, server_default=""),
)

checkpoints = Table("checkpoints", metadata, *_keys("study"), Column("about", Text, nullable=False))
"""What was folded of a study's log, and how far: derived, and worth nothing where it does not fit (`checkpoint`)."""

folded = Table(
    "folded",
    metadata,
    *_keys("study", "rater"),
    Column("body", LargeBinary, nullable=False),
    Column("state", LargeBinary, nullable=False),
)
"""The raters of a checkpoint."""

PROJECTIONS, CHECKPOINTS = (answers, raters), (checkpoints, folded)


FILE = "study.db"
"""Where a study's answers are when no database is named: a file beside the study file."""

VARIABLE = f"{NAME.upper()}_DB"
"""The environment variable that names another database."""

LOCK = int.from_bytes(NAME[:6].encode())
"""The advisory lock of PostgreSQL that puts the writers of several processes in a row."""


class LogError(ConcordantError):
    """The database did not store or deliver something. Whatever was acknowledged before is safe."""


def default_url(folder: Path) -> str:
    """The address of a study's database: what `VARIABLE` says, or the file in the study's folder.

    A study in a folder of studies that are served together has its answers in that folder's file.
    """
    own, shared = folder.absolute() / FILE, folder.absolute().parent / FILE
    is_shared = not own.exists() and shared.exists() and not (shared.parent / "study.toml").exists()
    return os.environ.get(VARIABLE) or f"sqlite:///{shared if is_shared else own}"


def has_begun(url: str) -> bool:
    """Whether there is a database at the address; only files can be missing."""
    return not url.startswith("sqlite:///") or Path(url.removeprefix("sqlite:///")).exists()


def open_engine(url: str) -> Engine:
    """Connect, set the database up for safe writing, make its tables or bring them up to date.

    When a database of an earlier version was changed, one line on standard error says so, and where the copy is.
    """
    try:
        engine = create_engine(with_driver(url), pool_pre_ping=True)
    except ModuleNotFoundError as error:
        raise MissingExtra("PostgreSQL", "postgres") from error
    if engine.dialect.name == "sqlite":
        _keep_private(engine)
        event.listen(engine, "connect", _careful)
        event.listen(engine, "begin", _begin)
    with ExitStack() as failing:
        failing.callback(engine.dispose)
        try:
            with engine.begin() as connection:
                is_ready = _version(connection) == migrations.latest()
            if not is_ready:
                _make_ready(engine)
        except SQLAlchemyError as error:
            raise explained(error, engine) from error
        failing.pop_all()
    return engine


def _keep_private(engine: Engine) -> None:
    """Make the file, or narrow who may read it: it holds answers, and the key that links and cookies are signed with.

    SQLite gives its write-ahead log the permissions of the file.
    """
    file = engine.url.database
    if file and file != ":memory:" and not file.startswith("file:"):
        with suppress(OSError):  # somebody else's, or a folder that is not there: opening it will say so
            os.close(os.open(file, os.O_RDWR | os.O_CREAT, 0o600))
            os.chmod(file, 0o600)


def with_driver(url: str) -> URL:
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


def _version(connection: Connection) -> int | None:
    """The version of a database: None when it has no tables yet, 0 when it was made before versions were kept."""
    known = inspect(connection)
    if not known.has_table(events.name):
        return None
    found = connection.scalar(select(version.c.version)) if known.has_table(version.name) else None
    if (found or 0) > migrations.latest():
        where, up_to = shown(connection.engine), f"this one reads versions up to {migrations.latest()}: update it"
        raise LogError(f"{where}: this database is of version {found}, made by a newer {NAME}; {up_to}")
    return found or 0


def _make_ready(engine: Engine) -> None:
    """Make the tables, or upgrade them, in one transaction while every other process waits."""
    copy: Path | None = None
    try:
        with engine.execution_options(writes=True).begin() as connection:
            take_turns(connection)
            found = _version(connection)  # again: another process may just have done it
            if found == migrations.latest():
                return
            if found is not None:
                copy = _copied(engine, found)
                for number, upgrade in migrations.upgrades().items():
                    if number > found:
                        upgrade(connection)
            metadata.create_all(connection)
            connection.execute(delete(version))
            connection.execute(insert(version), [{"version": migrations.latest()}])
    except BaseException:  # the transaction was undone: the database is its own copy
        if copy is not None:
            copy.unlink(missing_ok=True)
        raise
    if found is not None:
        kept = f"the database as it was is kept in {copy}" if copy else "in one transaction, no answer was touched"
        sys.stderr.write(f"{shown(engine)}: made by an earlier version and brought up to date; {kept}\n")


def _copied(engine: Engine, found: int) -> Path | None:
    """A copy of an SQLite file as it is before the upgrade; only who holds the writer's lock may call this."""
    if engine.dialect.name != "sqlite" or not engine.url.database:
        return None
    file = Path(engine.url.database)
    plain = f"{file.name}.version-{found}"
    names = chain([plain], (f"{plain}-{number}" for number in count(2)))
    goal = next(goal for name in names if not (goal := file.with_name(name)).exists())
    part = goal.with_name(goal.name + ".part")
    try:
        part.unlink(missing_ok=True)
        with closing(sqlite3.connect(file)) as source, closing(sqlite3.connect(part)) as target:
            source.backup(target)
        os.replace(part, goal)
    except (sqlite3.Error, OSError) as error:
        with suppress(OSError):
            part.unlink()
        fault = f"must be brought up to date and cannot be copied before ({error}); nothing was changed"
        raise LogError(f"{file}: {fault}") from error
    return goal


def _careful(connection: Any, record: Any) -> None:
    """Write-ahead log, flushed at every commit: a commit that was acknowledged survives a crash of the machine."""
    connection.isolation_level = None  # the driver starts no transactions of its own; `_begin` does
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "busy_timeout=20000"):
        connection.execute(f"PRAGMA {pragma}")


def _begin(connection: Connection) -> None:
    """A writer takes the lock at once, so that it can never fail half-way because another was first."""
    writes = connection.get_execution_options().get("writes", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


@contextmanager
def alone(engine: Engine) -> Iterator[None]:
    """Be the only server process of an SQLite file, which remembers where raters stand; a second one is refused.

    The lock is on a file beside the database and ends with the process, however that ends. Commands that only read or
    add an account need no lock, and a PostgreSQL database may have several servers.
    """
    if engine.dialect.name != "sqlite" or not engine.url.database:
        yield
        return
    file = Path(engine.url.database).resolve()
    with file.with_name(f"{file.name}.serving").open("a+", encoding="utf-8") as held:
        try:
            _lock(held)
        except OSError as error:
            held.seek(0)
            raise InputError(
                f"process {held.read().strip() or 'of somebody else'} is serving this database already",
                file=file,
                hint="stop it first, or use PostgreSQL for several servers",
            ) from error
        held.truncate(0)
        held.write(f"{os.getpid()}\n")
        held.flush()
        yield


def _lock(held: IO[str]) -> None:
    if sys.platform == "win32":
        import msvcrt

        msvcrt.locking(held.fileno(), msvcrt.LK_NBLCK, 1)
    else:
        import fcntl

        fcntl.lockf(held, fcntl.LOCK_EX | fcntl.LOCK_NB)


def take_turns(connection: Connection) -> None:
    """Let the writers of several processes work one after the other, each until its COMMIT."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": LOCK})


def shown(engine: Engine) -> str:
    """The address of a database as it may be printed."""
    return engine.url.render_as_string(hide_password=True)


def explained(error: SQLAlchemyError, engine: Engine) -> LogError:
    """What happened, in one line, with what to do."""
    where = shown(engine)
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
    "malformed": f"restore the file from a backup; `{NAME} export` reads what can be read",
    "locked": f"another program holds the database: only one `{NAME} serve` may use an SQLite file",
    "connection": "check that the server runs and that the address, the user and the password are right",
    "does not exist": "check the address, the user and the name of the database",
}
