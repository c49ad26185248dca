"""Accounts of researchers from the command line."""

from pathlib import Path

from concordant.collection.accounts import Accounts
from concordant.collection.log import Log
from concordant.studio.people import is_right
from tests.cli.running import run

PASSWORD, OTHER = "a long enough password", "another long password"


def test_an_account_is_made_beside_the_study_and_its_password_changed(tmp_path: Path) -> None:
    run("init", tmp_path / "features", "--example", "features")
    made = run("researcher", "maria", tmp_path / "features", "--password", PASSWORD)
    assert made.stdout == "maria can sign in at /researcher.\n"
    run("researcher", "maria", tmp_path / "features", "--change", "--password", OTHER)
    (database,) = (tmp_path / "features").glob("*.db")
    with Log.open(f"sqlite:///{database}") as log:
        stored = Accounts(log).password_hash("maria")
    assert is_right(stored, OTHER)
    assert not is_right(stored, PASSWORD)
