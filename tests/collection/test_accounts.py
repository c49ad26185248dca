"""Accounts and visits live in the database: a restart signs nobody out."""

import base64

import pytest

from concordant.collection.accounts import ADJUDICATOR, ALL, RESEARCHER, Accounts, Member, Membership, Visit
from concordant.collection.log import Log
from concordant.errors import InputError

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


def visit_of(token: str, **more: str) -> Visit:
    return Visit(**{**VISIT.__dict__, "token_hash": token, **more})


def test_only_the_visits_of_one_person_in_one_role_are_ended(log: Log) -> None:
    accounts = Accounts(log)
    for name in ("ada", "bob"):
        accounts.add_researcher(name, f"hash of {name}")
    visits = [
        visit_of("1"), visit_of("2", who="bob"), visit_of("3", role="rater", study="s"),
        visit_of("4", role="rater", study="t"), visit_of("5", role="rater", study="s", who="bob"),
    ]  # fmt: skip
    for visit in visits:
        accounts.begin_visit(visit)

    def left() -> str:
        return "".join(visit.token_hash for visit in visits if accounts.visit(visit.token_hash) == visit)

    assert left() == "12345"
    accounts.set_password("ada", "new")
    assert left() == "2345"
    assert (accounts.password_hash("ada"), accounts.password_hash("bob")) == ("new", "hash of bob")
    accounts.end_visits("rater", "s", "ada")
    assert left() == "245"
    accounts.end_visit("5")
    assert left() == "24"
    assert accounts.researchers() == ["ada", "bob"]


def test_where_somebody_is_signed_in_in_the_order_of_their_coming(log: Log) -> None:
    accounts = Accounts(log)
    for token, more in {
        "late": {"made_at": "2026-03-01"}, "b": {}, "a": {}, "over": {"expires_at": "2000-01-01"},
        "other": {"who": "bob"}, "rater": {"role": "rater"},
    }.items():  # fmt: skip
        accounts.begin_visit(visit_of(token, **more))
    assert [visit.token_hash for visit in accounts.visits_of("researcher", "ada")] == ["a", "b", "late"]
    assert [visit.token_hash for visit in accounts.visits_of("rater", "ada")] == ["rater"]


def test_a_visit_is_over_at_its_end(log: Log, monkeypatch: pytest.MonkeyPatch) -> None:
    accounts = Accounts(log)
    accounts.begin_visit(VISIT)
    monkeypatch.setattr("concordant.collection.accounts.now", lambda: VISIT.expires_at)
    assert accounts.visit("h") is None
    assert accounts.visits_of("researcher", "ada") == []


def test_every_key_of_the_server_is_drawn_by_itself_and_long(log: Log) -> None:
    accounts = Accounts(log)
    links, cookies = accounts.server_key(), accounts.server_key("cookies")
    assert links != cookies
    assert accounts.server_key("links") == links
    assert {len(base64.urlsafe_b64decode(key + "=")) for key in (links, cookies)} == {32}


def test_members_of_one_study_are_not_touched_by_another(log: Log) -> None:
    accounts, membership = Accounts(log), Membership(log)
    accounts.add_researcher("ada", "x")
    accounts.add_researcher("bob", "x", study="s", role=ADJUDICATOR)
    membership.admit("t", "bob")
    membership.admit("s", "eva", ADJUDICATOR)
    assert membership.of("s") == [
        Member(study=ALL, name="ada", role=RESEARCHER),
        Member(study="s", name="bob", role=ADJUDICATOR),
        Member(study="s", name="eva", role=ADJUDICATOR),
    ]
    membership.admit("s", "bob")
    assert [member.role for member in membership.of("s")] == [RESEARCHER, RESEARCHER, ADJUDICATOR]
    assert membership.role("t", "bob") == RESEARCHER
    membership.dismiss("s", "bob")
    assert [member.name for member in membership.of("s")] == ["ada", "eva"]
    assert [member.name for member in membership.of("t")] == ["ada", "bob"]
