"""Invitations made and revoked, members admitted and dismissed, targets set."""

import pytest

from assent.collection.invitations import Invitations, with_invited
from assent.collection.log import Log
from assent.collection.membership import ALL, Membership
from assent.collection.targets import DEFAULT_WIDTH, Targets
from assent.errors import InputError
from tests.collection.playing import planned
from tests.design.samples import study


def test_an_invited_rater_is_a_rater_of_the_study(log: Log) -> None:
    sample, invitations = planned(study()), Invitations(log)
    invitations.invite(sample, " Cleo ", {"role": "guest"})
    merged = with_invited(log, sample)
    assert [rater.id for rater in merged.description.raters] == ["A1", "A2", "Cleo"]
    assert merged.description.raters[-1].attributes == {"role": "guest"}
    assert log.enrol(merged, "Cleo").rater == "Cleo"
    with pytest.raises(InputError, match="invited already"):
        invitations.invite(merged, "Cleo")
    with pytest.raises(InputError, match="cannot be the name"):
        invitations.invite(merged, "  ")


def test_anybody_can_be_revoked_and_let_in_again(log: Log) -> None:
    sample, invitations = planned(study()), Invitations(log)
    invitations.revoke(sample, "A1")
    assert invitations.revoked("sample") == {"A1"}
    assert invitations.revoked("another") == frozenset()
    assert len(with_invited(log, sample).description.raters) == 2
    invitations.invite(sample, "A1")
    assert invitations.revoked("sample") == frozenset()
    with pytest.raises(InputError, match="not invited"):
        invitations.revoke(sample, "nobody")


def test_what_is_said_for_a_study_goes_before_what_is_said_for_all(log: Log) -> None:
    membership = Membership(log)
    membership.admit(ALL, "ada")
    membership.admit("sample", "ada", "adjudicator")
    assert membership.role("sample", "ada") == "adjudicator"
    assert membership.role("other", "ada") == "researcher"
    assert membership.role("sample", "ben") is None
    membership.dismiss("sample", "ada")
    assert membership.role("sample", "ada") == "researcher"
    with pytest.raises(InputError, match="no role"):
        membership.admit("sample", "ada", "owner")


def test_targets(log: Log) -> None:
    targets = Targets(log)
    assert targets.width("sample") == DEFAULT_WIDTH
    targets.aim("sample", 0.1)
    targets.aim("sample", 0.15)
    assert targets.width("sample") == 0.15
    with pytest.raises(InputError, match="cannot be"):
        targets.aim("sample", 2)
