"""Databases for the tests: every test of the log runs on SQLite and on PostgreSQL."""

import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy

from concordant.collection.log import Log


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The address of an empty database."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path}/study.db"
        return
    server = sqlalchemy.make_url(request.getfixturevalue("postgres")).set(drivername="postgresql+psycopg")
    name = f"concordant_{uuid.uuid4().hex}"
    engine = sqlalchemy.create_engine(server, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(sqlalchemy.text(f"CREATE DATABASE {name}"))
    yield server.set(database=name).render_as_string(hide_password=False)
    with engine.connect() as connection:
        connection.execute(sqlalchemy.text(f"DROP DATABASE {name} WITH (FORCE)"))
    engine.dispose()


@pytest.fixture
def log(url: str) -> Iterator[Log]:
    """An empty log."""
    with Log.open(url) as opened:
        yield opened
