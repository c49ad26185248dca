"""Accounts and visits live in the database: a restart signs nobody out."""

import pytest

from assent.collection.accounts import Accounts, Visit
from assent.collection.log import Log
from assent.errors import InputError

VISIT = Visit(
    token_hash="h", role="researcher", study="", who="ada", made_at="2026-01-01", expires_at="2999-01-01T00:00:00+00:00"
)


def test_researchers_are_added_once_and_change_their_password(log: Log) -> None:
    accounts = Accounts(log)
    accounts.add_researcher("ada", "hash 1")
    with pytest.raises(InputError, match="already a researcher 'ada'"):
        accounts.add_researcher("ada", "hash 2")
    accounts.begin_visit(VISIT)
    accounts.set_password("ada", "hash 3")
    assert accounts.password_hash("ada") == "hash 3"
    assert accounts.visit("h") is None  # a new password ends old visits
    assert accounts.password_hash("bob") is None
    assert accounts.researchers() == ["ada"]
    with pytest.raises(InputError, match="no researcher 'bob'"):
        accounts.set_password("bob", "x")


def test_visits_survive_a_restart_and_end(url: str) -> None:
    with Log.open(url) as log:
        accounts = Accounts(log)
        key = accounts.server_key()
        accounts.begin_visit(VISIT)
        accounts.begin_visit(Visit(**{**VISIT.__dict__, "token_hash": "old", "expires_at": "2000-01-01"}))
    with Log.open(url) as log:
        accounts = Accounts(log)
        assert accounts.server_key() == key
        assert accounts.visit("h") == VISIT
        assert accounts.visit("old") is None
        accounts.end_visit("h")
        assert accounts.visit("h") is None
