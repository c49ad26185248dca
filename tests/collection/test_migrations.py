"""Databases of every released version are opened, brought up to date and read; newer ones are refused."""

import hashlib
import json
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy
from sqlalchemy import text

from concordant.collection import migrations
from concordant.collection.accounts import Accounts, Membership
from concordant.collection.database import LogError, open_engine
from concordant.collection.disputes import Adjudication
from concordant.collection.events import Answered
from concordant.collection.log import Log
from concordant.collection.opened_study import Invitations
from concordant.collection.study_progress import Targets
from concordant.errors import InputError
from tests.cli.running import run

DATABASES = Path(__file__).parent / "databases"
VERSIONS = sorted(folder.name for folder in DATABASES.iterdir() if folder.is_dir())
STUDIES = ("experiment", "features", "preferences", "tasks", "treebank")


def tables_of(url: str) -> dict[str, list[Any]]:
    """Everything in a database, table by table."""
    engine = sqlalchemy.create_engine(url)
    with engine.connect() as connection:
        known = sorted(sqlalchemy.inspect(connection).get_table_names())
        found = {name: sorted(map(repr, connection.execute(text(f"SELECT * FROM {name}")))) for name in known}
    engine.dispose()
    return found


def old_sqlite(version: str, path: Path) -> str:
    """The stored SQLite database of a version."""
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript((DATABASES / version / "sqlite.sql").read_text(encoding="utf-8"))
    return f"sqlite:///{path}"


def old_postgresql(version: str, url: str, path: Path) -> str:
    """The tables as that version made them in PostgreSQL, with the rows of its SQLite database."""
    engine = sqlalchemy.create_engine(url)
    old_sqlite(version, path)
    with engine.begin() as connection, closing(sqlite3.connect(path)) as source:
        connection.exec_driver_sql((DATABASES / version / "postgresql.sql").read_text(encoding="utf-8"))
        made = sqlalchemy.MetaData()
        made.reflect(connection)
        for table in made.sorted_tables:
            names = [column.name for column in table.columns]
            rows = source.execute(f"SELECT {', '.join(names)} FROM {table.name}").fetchall()
            kinds = {column.name: column.type.python_type for column in table.columns}
            if rows:
                values = [dict(zip(names, row, strict=True)) for row in rows]
                for value in values:
                    value.update((name, bool(value[name])) for name in names if kinds[name] is bool)
                connection.execute(table.insert(), values)
    engine.dispose()
    path.unlink()
    return url


@pytest.fixture(params=VERSIONS)
def version(request: pytest.FixtureRequest) -> str:
    """Every released version."""
    return str(request.param)


@pytest.fixture
def old(version: str, url: str, tmp_path: Path) -> str:
    """The address of a database that the version made."""
    if url.startswith("sqlite"):
        return old_sqlite(version, tmp_path / "study.db")
    return old_postgresql(version, url, tmp_path / "rows.db")


@pytest.fixture
def home(version: str, tmp_path: Path) -> Path:
    """A folder with the studies of the version; a database called study.db in it is found by all of them."""
    for name in STUDIES:
        shutil.copytree(DATABASES / version / name, tmp_path / name)
    return tmp_path


def test_the_export_is_the_same_byte_for_byte(version: str, old: str, home: Path) -> None:
    made = home / "made"
    made.mkdir()
    for name in STUDIES:
        run("export", home / name, "--db", old, "-o", made / f"{name}.csv")
    run("export", home / "treebank", "--db", old, "-o", made / "profiles", "--format", "profile")
    files = sorted(path for path in made.rglob("*") if path.is_file())
    sums = {str(path.relative_to(made)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}
    for kept in sorted((DATABASES / version / "export").iterdir()):
        assert (made / kept.name).read_text(encoding="utf-8") == kept.read_text(encoding="utf-8"), kept.name
    lines = (DATABASES / version / "SHA256SUMS").read_text(encoding="utf-8").splitlines()
    assert sums == {name: sum for sum, name in (line.split("  ") for line in lines)}


def test_the_agreement_is_the_same(version: str, home: Path) -> None:
    old_sqlite(version, home / "study.db")
    known = json.loads((DATABASES / version / "agreement.json").read_text(encoding="utf-8"))
    for name in STUDIES:  # that version had a convention for single judgements of its own for each measure
        paired, everything = (
            json.loads(run("measure", home / name, "--ci", "none", "--shares", shares, "--json").stdout)["results"]
            for shares in ("paired", "all")
        )
        for expected, found, other in zip(known[name], paired, everything, strict=True):
            values = [pytest.approx(result["value"], abs=1e-12) for result in (found, other)]
            assert expected["value"] in values
            signed = [part for part in found["signature"].split("|") if part.startswith("data:")]
            same = {key: found[key] for key in expected if key not in ("data", "value")}
            assert {**same, "value": expected["value"], "data": signed} == expected


def test_every_event_answer_and_account_is_there(version: str, old: str) -> None:
    before = tables_of(old)
    with Log.open(old) as log:
        after = tables_of(old)
        assert {name: len(rows) for name, rows in after.items() if name in before} == {
            name: len(rows) for name, rows in before.items()
        }
        told = [row.removesuffix(", '')") + ")" for row in after["decisions"]]  # a decision says why since then
        assert {
            name: rows for name, rows in (after | {"decisions": told}).items() if name in before and name != "events"
        } == {name: rows for name, rows in before.items() if name != "events"}
        answers = {name: log.answers(name) for name in STUDIES}
        assert log.rebuild() == len(before["events"])  # every event of the old form is read
        assert {name: log.answers(name) for name in STUDIES} == answers
        assert Accounts(log).researchers() == ["ada", "ben"]
        assert Membership(log).role("tasks", "ben") == "adjudicator"
        assert Invitations(log).revoked("features") == {"Dan"}
        assert Targets(log).width("features") == 0.15
        assert [one.is_unclear for one in Adjudication(log).history("features")].count(True) == 1


def test_collecting_goes_on(old: str) -> None:
    with Log.open(old) as log:
        last = log.events("tasks")[-1]
        more = Answered(rater="t4", step=0, unit="u", question="clear", value="yes", seconds=1.0)
        (seq,) = log.append("tasks", [more])
        assert log.events("tasks", after=last.seq)[-1].event == more
    with Log.open(old) as again:
        assert again.events("tasks", "t4")[-1].seq == seq
        with pytest.raises(sqlalchemy.exc.IntegrityError), again.engine.begin() as connection:
            connection.execute(text("INSERT INTO events SELECT * FROM events"))


def test_a_copy_is_kept_and_one_line_says_where(
    version: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    url = old_sqlite(version, tmp_path / "study.db")
    before = tables_of(url)
    Log.open(url).close()
    copy = tmp_path / "study.db.version-0"
    assert capsys.readouterr().err == (
        f"{url}: made by an earlier version and brought up to date; the database as it was is kept in {copy}\n"
    )
    assert tables_of(f"sqlite:///{copy}") == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["study.db", "study.db.version-0"]
    Log.open(url).close()
    assert capsys.readouterr().err == ""
    old_sqlite(version, tmp_path / "other.db").removeprefix("sqlite:///")
    (tmp_path / "other.db.version-0").write_text("somebody else's")
    Log.open(f"sqlite:///{tmp_path}/other.db").close()
    assert (tmp_path / "other.db.version-0").read_text() == "somebody else's"
    assert (tmp_path / "other.db.version-0-2").exists()


def test_without_a_copy_nothing_is_changed(version: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    url = old_sqlite(version, tmp_path / "study.db")
    before = tables_of(url)
    (tmp_path / "study.db.version-0.part").mkdir()  # where the copy would be made
    with pytest.raises(LogError, match=r"cannot be copied before .*; nothing was changed"):
        open_engine(url)
    assert tables_of(url) == before


Migration = Callable[[str, str], None]


@pytest.fixture
def migration(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Migration]:
    """Adds a migration as another file of the folder."""
    folder = tmp_path / "more migrations"
    folder.mkdir()
    monkeypatch.setattr(migrations, "__path__", [*migrations.__path__, str(folder)])
    names = []

    def add(name: str, body: str) -> None:
        lines = "".join(f"    {line}\n" for line in body.splitlines())
        (folder / f"{name}.py").write_text(f"from sqlalchemy import text\ndef upgrade(connection):\n{lines}")
        names.append(f"{migrations.__name__}.{name}")

    yield add
    for name in names:
        sys.modules.pop(name, None)


def test_a_migration_is_found_by_itself_and_runs_once(
    old: str, migration: Migration, capsys: pytest.CaptureFixture[str]
) -> None:
    open_engine(old).dispose()
    migration("0003_targets_have_a_reason", "connection.execute(text('ALTER TABLE targets ADD COLUMN reason TEXT'))")
    assert migrations.latest() == 3
    for _ in range(2):
        open_engine(old).dispose()
    found = tables_of(old)
    assert found["schema_version"] == ["(3,)"]
    assert found["targets"] == ["('features', 0.15, None)"]
    assert len(capsys.readouterr().err.splitlines()) == 2


def test_an_upgrade_that_fails_half_way_leaves_the_database_as_it_was(
    old: str, migration: Migration, tmp_path: Path
) -> None:
    before = tables_of(old)
    half = "connection.execute(text('DELETE FROM answers'))\nconnection.execute(text('DROP TABLE visits'))\n"
    migration("0003_fails", half + "raise RuntimeError('half-way')")
    with pytest.raises(RuntimeError, match="half-way"):
        open_engine(old)
    assert tables_of(old) == before
    assert not list(tmp_path.glob("*.version-*"))
    migration("0004_never_reached", "pass")
    (tmp_path / "more migrations" / "0003_fails.py").unlink()
    sys.modules.pop(f"{migrations.__name__}.0003_fails")
    migration("0003_mended", half + "connection.execute(text('no such statement'))")
    with pytest.raises(LogError, match="syntax error"):
        open_engine(old)
    assert tables_of(old) == before


def test_a_new_database_has_the_latest_version_and_says_nothing(url: str, capsys: pytest.CaptureFixture[str]) -> None:
    open_engine(url).dispose()
    assert tables_of(url)["schema_version"] == [f"({migrations.latest()},)"]
    assert capsys.readouterr().err == ""


def test_upgraded_and_new_databases_have_the_same_tables(version: str, old: str, tmp_path: Path) -> None:
    def columns(address: str) -> Any:
        engine = open_engine(address)
        known = sqlalchemy.inspect(engine)
        found = {
            table: {(column["name"], str(column["type"]), column["nullable"]) for column in known.get_columns(table)}
            for table in known.get_table_names()
        }
        engine.dispose()
        return found

    fresh = f"sqlite:///{tmp_path}/new.db"
    if not old.startswith("sqlite"):
        engine = sqlalchemy.create_engine(old, isolation_level="AUTOCOMMIT")
        upgraded = columns(old)
        with engine.connect() as connection:
            connection.execute(text("DROP SCHEMA public CASCADE"))
            connection.execute(text("CREATE SCHEMA public"))
        engine.dispose()
        assert columns(old) == upgraded
    else:
        assert columns(old) == columns(fresh)


def test_a_newer_database_is_refused_in_one_line(url: str, tmp_path: Path) -> None:
    engine = open_engine(url)
    with engine.begin() as connection:
        connection.execute(text("UPDATE schema_version SET version = 99"))
    engine.dispose()
    before = tables_of(url)
    shutil.copytree(DATABASES / VERSIONS[0] / "tasks", tmp_path / "tasks")
    study = str(tmp_path / "tasks")
    for command in (["export", study, "-o", f"{study}.csv"], ["log", "show", study]):
        refused = run(*command, "--db", url, code=2).stderr
        assert len(refused.splitlines()) == 1
        assert "this database is of version 99, made by a newer concordant; this one reads versions up to 2" in refused
    assert tables_of(url) == before


def test_two_processes_that_start_at_once_upgrade_once(old: str) -> None:
    program = f"from concordant.collection.log import Log; Log.open({old!r}).close()"
    both = [subprocess.Popen([sys.executable, "-c", program], stderr=subprocess.PIPE, text=True) for _ in range(3)]
    said = [process.communicate(timeout=60)[1] for process in both]
    assert [process.returncode for process in both] == [0, 0, 0], said
    assert sorted(len(lines.splitlines()) for lines in said) == [0, 0, 1]
    assert tables_of(old)["schema_version"] == ["(2,)"]


def test_an_event_of_a_newer_form_is_refused_in_one_line(log: Log) -> None:
    log.append("sample", [Answered(rater="A1", step=0, unit="u", question="q", value="yes")])
    assert tables_of(log.engine.url.render_as_string(hide_password=False))["events"][0].endswith(", 2)")
    with log.engine.begin() as connection:
        connection.execute(text("UPDATE events SET v = 3"))
    with pytest.raises(
        InputError, match=r"was written by a newer version \(form 3; this one reads up to 2\)"
    ) as refused:
        log.events("sample")
    assert "\n" not in str(refused.value)
