"""Passwords and keys of researchers, who may work on which study, and the personal links of raters."""

import pytest

from concordant.collection.accounts import Visit
from concordant.errors import InputError
from concordant.studio.people import (
    DECIDERS,
    MemberPlace,
    admit,
    hashed,
    invite,
    invited,
    is_right,
    known_keys,
    knows,
    owner_mark,
    personal_link,
    place_of,
    rater_in,
    revoke,
    visit_with,
)
from concordant.studio.projects import NotAllowedError, NotFoundError, Studio
from tests.web.members import ADJUDICATOR, PASSWORD, RESEARCHER, STRANGER


def test_passwords(filled: Studio) -> None:
    assert knows(filled, RESEARCHER, PASSWORD)
    assert not knows(filled, RESEARCHER, "a wrong password")
    assert not knows(filled, "nobody", "the password of nobody")
    assert not is_right("no hash", PASSWORD)
    with pytest.raises(InputError, match="9 characters; use 10"):
        hashed("too short")


def test_keys_are_named_without_opening_anything(studio: Studio) -> None:
    visits = [
        Visit(
            token_hash=f"{n}" * 64,
            role="researcher",
            study="",
            who=RESEARCHER,
            made_at=f"2026-01-0{n}",
            expires_at="9999-01-01",
        )
        for n in (1, 2)
    ]
    for visit in visits:
        studio.accounts.begin_visit(visit)
    found = known_keys(studio, RESEARCHER, visits[0])
    assert [(one.id, one.is_here) for one in found] == [("2" * 16, False), ("1" * 16, True)]
    assert visit_with(studio, RESEARCHER, "2" * 16) == visits[1]
    with pytest.raises(NotFoundError, match="no such key"):
        visit_with(studio, "stranger", "2" * 16)


def test_a_place_is_for_members_with_the_role(filled: Studio) -> None:
    assert place_of(filled, RESEARCHER, "sample").role == "researcher"
    assert place_of(filled, ADJUDICATOR, "sample", DECIDERS).role == "adjudicator"
    with pytest.raises(NotAllowedError, match="this is for researchers"):
        place_of(filled, ADJUDICATOR, "sample")


@pytest.mark.parametrize(("who", "name"), [(STRANGER, "sample"), (RESEARCHER, "other"), (RESEARCHER, "nothing")])
def test_to_others_a_study_does_not_exist(filled: Studio, who: str, name: str) -> None:
    with pytest.raises(NotFoundError, match="there is no such study"):
        place_of(filled, who, name, DECIDERS)


def test_somebody_without_an_account_needs_a_password(changing: MemberPlace) -> None:
    with pytest.raises(InputError, match="0 characters"):
        admit(changing, "Zoe", "adjudicator", "")
    admit(changing, "Zoe", "adjudicator", "a password of hers")
    admit(changing, STRANGER, "researcher", "")
    roles = {one.name: one.role for one in changing.studio.membership.of("sample")}
    assert (roles["Zoe"], roles[STRANGER]) == ("adjudicator", "researcher")
    with pytest.raises(InputError, match="a name and a role"):
        admit(changing, "Zoe", "king", "")


def test_whom_the_study_got_is_in_the_place_that_inviting_returns(changing: MemberPlace) -> None:
    renewed = invite(changing, ["Zoe"])
    assert "Zoe" not in {one.id for one in changing.study.description.raters}
    assert "Zoe" in {one.id for one in renewed.study.description.raters}


def token(place: MemberPlace, rater: str) -> str:
    return personal_link(place.studio, "sample", rater).rpartition("/")[2]


def test_a_link_names_its_rater_in_its_study_only(sample: MemberPlace) -> None:
    good = token(sample, "Ada")
    assert rater_in(sample.studio, "sample", good) == "Ada"
    assert rater_in(sample.studio, "other", good) is None
    assert rater_in(sample.studio, "sample", good[:-1]) is None
    assert rater_in(sample.studio, "sample", "") is None


def test_who_is_invited_has_a_link_until_it_is_revoked(changing: MemberPlace) -> None:
    renewed = invite(changing, ["Zoe", "Yan"])
    found = {one.progress.rater: one for one in invited(renewed, "http://here")}
    assert set(found) == {"Ada", "Ben", "Yan", "Zoe"}
    assert found["Zoe"].link == "http://here" + personal_link(changing.studio, "sample", "Zoe")
    good = token(changing, "Zoe")
    revoke(renewed, "Zoe")
    gone = {one.progress.rater: one for one in invited(renewed, "")}["Zoe"]
    assert (gone.link, gone.is_revoked) == ("", True)
    assert rater_in(changing.studio, "sample", good) is None
    with pytest.raises(InputError, match="not invited"):
        revoke(changing, "nobody")


def test_marks_of_raters_differ_and_tell_nothing(sample: MemberPlace) -> None:
    marks = {owner_mark(sample.studio, study, rater) for study in ("sample", "other") for rater in ("Ada", "Ben")}
    assert len(marks) == 4
    assert not any("Ada" in mark for mark in marks)
