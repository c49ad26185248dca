"""`concordant serve` and `concordant researcher`: what is wrong is one line, and nothing is left behind."""

import socket
from pathlib import Path

import pytest
from click.testing import CliRunner

from concordant.cli.init import command as init
from concordant.cli.researcher import command as researcher
from concordant.collection.accounts import Accounts
from concordant.collection.log import Log
from concordant.errors import InputError
from tests.cli.running import run


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the feature example."""
    CliRunner().invoke(init, [str(tmp_path / "features")], catch_exceptions=False)
    return tmp_path


def refused(folder: Path, *arguments: str) -> str:
    """The one line that a command which cannot start prints."""
    done = run("serve", *arguments, code=2, cwd=folder)
    assert done.stderr.count("\n") == 1
    return done.stderr


def test_a_port_in_use(folder: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        said = refused(folder, "features", "--port", port)
    assert said == (
        f"concordant: cannot listen on 127.0.0.1 port {port}: Address already in use; choose another with --port or --host\n"
    )


def test_a_database_that_cannot_be_reached(folder: Path) -> None:
    said = refused(folder, "features", "--port", "0", "--db", "postgresql://nobody:secret@127.0.0.1:1/none")
    assert "check that the server runs" in said
    assert "secret" not in said


def test_a_folder_that_cannot_be_written_to(folder: Path) -> None:
    assert "unable to open" in refused(folder, "features", "--port", "0", "--db", "sqlite:////nowhere/answers.db")


def test_no_such_study(folder: Path) -> None:
    assert "nothing" in refused(folder, "nothing", "--port", "0")


def test_several_studies_need_a_database_by_name(folder: Path) -> None:
    CliRunner().invoke(init, [str(folder / "preferences"), "--example", "preferences"], catch_exceptions=False)
    assert "--db" in refused(folder, "features", "preferences", "--port", "0")


def test_two_studies_of_one_name(folder: Path) -> None:
    CliRunner().invoke(init, [str(folder / "again")], catch_exceptions=False)
    said = refused(folder, "features", "again", "--port", "0", "--db", "sqlite:///x.db")
    assert "two studies are called 'features'" in said


def test_a_researcher_is_added_once_and_may_get_another_password(folder: Path) -> None:
    arguments = ["maria", str(folder / "features"), "--password", "a long password"]
    assert CliRunner().invoke(researcher, arguments).exit_code == 0
    assert isinstance(CliRunner().invoke(researcher, arguments).exception, InputError)
    assert CliRunner().invoke(researcher, [*arguments, "--change"]).exit_code == 0
    with Log.open(f"sqlite:///{folder}/features/study.db") as log:
        assert Accounts(log).researchers() == ["maria"]
