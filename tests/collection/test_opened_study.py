"""Invitations made and revoked, members admitted and dismissed, targets set."""

from dataclasses import replace

import pytest

from concordant.collection.accounts import ALL, Membership
from concordant.collection.log import Log
from concordant.collection.opened_study import Invitations, refuse_another_plan, with_invited
from concordant.collection.study_progress import DEFAULT_WIDTH, Targets
from concordant.errors import InputError
from concordant.studio.projects import Studio
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


def test_a_study_that_was_changed_under_its_raters_is_refused(log: Log) -> None:
    sample = planned(study())
    changed = planned(replace(sample.description, seed=sample.description.seed + 1))
    refuse_another_plan(log, changed)  # nobody has come
    log.enrol(sample, "A1")
    refuse_another_plan(log, sample)
    with pytest.raises(
        InputError, match=f"under another plan \\({sample.plan.hash}\\) than this \\({changed.plan.hash}\\)"
    ):
        refuse_another_plan(log, changed)
    with pytest.raises(InputError, match="undo what was changed"):
        Studio(log, {"sample": changed})
    refuse_another_plan(log, replace(changed, plan=replace(changed.plan, earlier=(sample.plan.hash,))))


def test_the_last_who_came_is_asked_too(log: Log) -> None:
    sample = planned(study())
    log.enrol(planned(replace(sample.description, seed=sample.description.seed + 1)), "A1")
    log.enrol(sample, "A2")
    with pytest.raises(InputError, match="under another plan"):
        refuse_another_plan(log, sample)


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


@pytest.mark.parametrize(
    ("name", "is_good"), [("x" * 80, True), ("x" * 81, False), ("", False), ("a\x07", False), ("Zoë 2", True)]
)
def test_a_name_is_short_and_printable(log: Log, name: str, is_good: bool) -> None:
    sample, invitations = planned(study()), Invitations(log)
    if is_good:
        invitations.invite(sample, name)
        assert [one.rater for one in invitations.of("sample")] == [name]
        return
    with pytest.raises(InputError, match="use 1 to 80 characters"):
        invitations.invite(sample, name)
    assert invitations.of("sample") == []


def test_an_invitation_keeps_what_is_known_and_concerns_one_rater_of_one_study(log: Log) -> None:
    sample, invitations = planned(study()), Invitations(log)
    other = planned(study(name="other"))
    invitations.invite(sample, "Cleo", {"role": "guest", "age": "3"})
    invitations.invite(sample, "Dora")
    invitations.invite(other, "Cleo")
    merged = with_invited(log, sample)
    invitations.revoke(merged, "Cleo")
    assert {one.rater: (one.attributes, one.revoked_at is None) for one in invitations.of("sample")} == {
        "Cleo": ({"role": "guest", "age": "3"}, False),
        "Dora": ({}, True),
    }
    assert invitations.revoked("other") == frozenset()
    assert with_invited(log, planned(study(name="third"))).description.raters == study().raters
    with pytest.raises(InputError, match="'Cleo' is not invited to 'sample'"):
        log.enrol(sample, "Cleo")
    assert log.enrol(sample, "Dora").rater == "Dora"  # invited on a page of another process a moment ago
    with pytest.raises(InputError, match="not invited"):
        log.enrol(planned(study(name="third")), "Dora")


@pytest.mark.parametrize(
    ("width", "is_good"), [(0, False), (-1, False), (0.01, True), (1, True), (1.99, True), (2.5, False)]
)
def test_an_interval_is_wider_than_0_and_narrower_than_the_whole_scale(log: Log, width: float, is_good: bool) -> None:
    targets = Targets(log)
    targets.aim("other", 0.5)
    if is_good:
        targets.aim("sample", width)
    else:
        with pytest.raises(InputError, match=f"an interval cannot be {width:g} wide; say a number such as 0.2"):
            targets.aim("sample", width)
    assert targets.width("sample") == (width if is_good else 0.2)
    assert targets.width("other") == 0.5
