"""The tables of a study's database, column by column; how it is opened, and what is said when that fails."""

from pathlib import Path

import pytest
from sqlalchemy import Column, create_engine, create_mock_engine, make_url
from sqlalchemy.exc import OperationalError

from concordant.collection.database import (
    ADVICE,
    FILE,
    LOCK,
    VARIABLE,
    default_url,
    explained,
    has_begun,
    metadata,
    open_engine,
    shown,
    with_driver,
)
from concordant.collection.events import Joined
from concordant.collection.log import Log
from concordant.collection.opened_study import open_study
from concordant.errors import InputError
from tests.design.test_study_file import write

TABLES = """
events: seq BIGINT key, study VARCHAR, rater VARCHAR, id VARCHAR(36), kind VARCHAR, at VARCHAR, received VARCHAR, body TEXT, v INTEGER
answers: study VARCHAR key, rater VARCHAR key, step INTEGER key, question VARCHAR key, unit VARCHAR, value TEXT, seconds FLOAT?, at VARCHAR, seq BIGINT, n_given INTEGER
raters: study VARCHAR key, rater VARCHAR key, set_number INTEGER?, first_at VARCHAR, last_at VARCHAR, completed_at VARCHAR?
schema_version: version INTEGER key
server_keys: name VARCHAR key, value VARCHAR
researchers: name VARCHAR key, password_hash VARCHAR, made_at VARCHAR
visits: token_hash VARCHAR key, role VARCHAR, study VARCHAR, who VARCHAR, made_at VARCHAR, expires_at VARCHAR
members: study VARCHAR key, name VARCHAR key, role VARCHAR, made_at VARCHAR
invitations: study VARCHAR key, rater VARCHAR key, attributes TEXT, made_at VARCHAR, revoked_at VARCHAR?
targets: study VARCHAR key, width FLOAT
decisions: seq INTEGER key, id VARCHAR(36) unique, study VARCHAR indexed, unit VARCHAR, question VARCHAR, value TEXT, adjudicator VARCHAR, comment TEXT, is_unclear BOOLEAN, seen BIGINT, at VARCHAR, cause TEXT
checkpoints: study VARCHAR key, about TEXT
folded: study VARCHAR key, rater VARCHAR key, body BYTEA, state BYTEA
"""

POSTGRESQL = create_mock_engine("postgresql+psycopg://", lambda *_: None).dialect


def described(column: Column[object]) -> str:
    marks = {" key": column.primary_key, "?": column.nullable, " unique": column.unique, " indexed": column.index}
    type_ = column.type.compile(dialect=POSTGRESQL)
    return f"{column.name} {type_}{''.join(mark for mark, is_so in marks.items() if is_so)}"


def test_every_table_is_as_databases_have_it() -> None:
    found = [f"{table.name}: {', '.join(map(described, table.columns))}" for table in metadata.tables.values()]
    assert found == TABLES.split("\n")[1:-1]


def test_numbers_are_given_by_the_log_and_not_by_the_database() -> None:
    for table, column in (("events", "seq"), ("schema_version", "version"), ("decisions", "seq")):
        assert metadata.tables[table].c[column].autoincrement is False


@pytest.fixture(autouse=True)
def _no_other_database(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)


def test_answers_are_beside_the_study_or_in_the_folder_of_studies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "study"
    folder.mkdir()
    own, shared = f"sqlite:///{folder}/study.db", f"sqlite:///{tmp_path}/study.db"
    assert default_url(folder) == own
    (tmp_path / FILE).touch()
    assert default_url(folder) == shared  # the studies in a folder are served together
    (tmp_path / "study.toml").touch()
    assert default_url(folder) == own  # that database belongs to a study around this one
    (tmp_path / "study.toml").unlink()
    (folder / FILE).touch()
    assert default_url(folder) == own
    monkeypatch.setenv(VARIABLE, "postgresql://named")
    assert default_url(folder) == "postgresql://named"


def test_only_a_file_can_be_missing(tmp_path: Path) -> None:
    assert not has_begun(f"sqlite:///{tmp_path}/study.db")
    (tmp_path / FILE).touch()
    assert has_begun(f"sqlite:///{tmp_path}/study.db")
    assert has_begun("postgresql://somewhere/else")


def test_postgresql_is_spoken_to_with_one_driver_however_the_address_is_written() -> None:
    for address in ("postgres://u@h/n", "postgresql://u@h/n", "postgresql+psycopg2://u@h/n"):
        assert str(with_driver(address)) == "postgresql+psycopg://u@h/n"
    assert str(with_driver("sqlite:///a.db")) == "sqlite:///a.db"
    for address in ("mysql://u@h/n", "no address"):
        with pytest.raises(InputError, match="use sqlite:///FILE or postgresql://USER@HOST/NAME"):
            with_driver(address)


def test_a_commit_is_flushed_and_writers_wait_for_each_other(tmp_path: Path) -> None:
    engine = open_engine(f"sqlite:///{tmp_path}/study.db")
    with engine.connect() as connection:
        found = {
            name: connection.exec_driver_sql(f"PRAGMA {name}").scalar()
            for name in ("journal_mode", "synchronous", "busy_timeout")
        }
    assert found == {"journal_mode": "wal", "synchronous": 2, "busy_timeout": 20000}
    with (
        engine.execution_options(writes=True).begin(),
        open_engine(f"sqlite:///{tmp_path}/study.db").connect() as other,
    ):
        other.exec_driver_sql("PRAGMA busy_timeout=0")
        assert other.exec_driver_sql("SELECT count(*) FROM events").scalar() == 0  # readers never wait
        with pytest.raises(OperationalError, match="locked"):
            other.exec_driver_sql("INSERT INTO server_keys VALUES ('a', 'b')")
    engine.dispose()


def test_the_lock_of_all_processes_stays_what_it_was() -> None:
    """Servers of two versions may share a database while one is updated."""
    assert int.from_bytes(b"concor", "big") == LOCK


@pytest.mark.parametrize(
    ("said", "advice"),
    [
        ("database or disk is FULL", "full"), ("No space left on device", "no space left"),
        ("attempt to write a readonly database", "readonly"), ("database disk image is malformed", "malformed"),
        ("database is locked", "locked"), ("connection refused", "connection"),
        ('database "x" does not exist', "does not exist"), ("something else", None),
    ],
)  # fmt: skip
def test_what_happened_is_one_line_with_what_to_do_and_no_password(said: str, advice: str | None) -> None:
    engine = create_engine(make_url("postgresql+psycopg://ann:secret@host/name"))
    error = explained(OperationalError("SELECT 1", {}, Exception(f"{said}\n  really")), engine)
    told = f"postgresql+psycopg://ann:***@host/name: {said} really"
    assert str(error) == (f"{told}; {ADVICE[advice]}" if advice else told)
    assert shown(engine) == "postgresql+psycopg://ann:***@host/name"


def test_a_study_is_opened_by_its_folder_its_file_or_its_database(tmp_path: Path) -> None:
    folder = tmp_path / "study"
    folder.mkdir()
    write(folder)
    with pytest.raises(InputError) as refused, open_study(folder):
        pass
    told = f"{folder / FILE}: nothing was collected yet; run `concordant serve {folder}`, or name the database in {VARIABLE}"
    assert str(refused.value) == told
    assert not (folder / FILE).exists()
    with Log.open(f"sqlite:///{folder}/study.db") as log:
        log.append("small", [Joined(rater="own")])
    for path in (folder, folder / "study.toml", folder / FILE):
        with open_study(path) as (log, study):
            assert [entry.event.rater for entry in log.events(study.description.name)] == ["own"]
    with open_study(folder, f"sqlite:///{tmp_path}/new.db") as (log, study):  # a named database is made
        assert log.events(study.description.name) == []


def test_a_connection_that_was_cut_is_made_again(url: str) -> None:
    """A database server that was started anew does not cost the server of a study anything."""
    with Log.open(url) as log, Log.open(url) as other:
        log.append("s", [Joined(rater="a")])
        if other.is_shared:
            cut = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            cut += " WHERE pid <> pg_backend_pid() AND datname = current_database()"
            other.write(lambda connection: connection.exec_driver_sql(cut).fetchall()).result()
        assert [entry.seq for entry in log.events("s")] == [1]
        assert log.append("s", [Joined(rater="a")]) == [2]


def test_only_its_owner_may_read_the_file(tmp_path: Path) -> None:
    file = tmp_path / "study.db"
    with Log.open(f"sqlite:///{file}") as log:
        log.append("s", [Joined(rater="Ada")])
        kept = sorted(tmp_path.iterdir())
        assert [oct(one.stat().st_mode & 0o777) for one in kept] == ["0o600"] * len(kept)
        assert len(kept) > 1  # the write-ahead log too
    file.chmod(0o644)
    with Log.open(f"sqlite:///{file}"):
        assert file.stat().st_mode & 0o077 == 0
