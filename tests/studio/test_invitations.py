"""Many invitations at once: what pasted lines say, tables that no spreadsheet runs, links for platforms, the QR code."""

import csv
import io
from dataclasses import replace

import pytest

from concordant.design.description import Recruitment
from concordant.errors import InputError
from concordant.studio.invitations import (
    Guest,
    code_to_scan,
    guests_in,
    invite_all,
    platform_links,
    table_of,
)
from concordant.studio.people import MemberPlace, place_of, revoke, sent_as
from concordant.studio.projects import NotFoundError, Studio
from tests.web.members import RESEARCHER

BASE = "https://judge.example"


@pytest.fixture
def place(studio: Studio) -> MemberPlace:
    return place_of(studio, RESEARCHER, "sample")


def with_recruitment(place: MemberPlace, participant: str) -> MemberPlace:
    described = replace(place.study.description, is_open=True, recruitment=Recruitment(participant=participant))
    return replace(place, study=replace(place.study, description=described))


def rows(text: str) -> dict[str, dict[str, str]]:
    return {row["rater"]: row for row in csv.DictReader(io.StringIO(text))}


@pytest.mark.parametrize(
    "pasted",
    [
        "Cem Kaya <cem@example.org>\nDora <Dora@example.org>",
        "Cem Kaya\tcem@example.org\r\n\r\nDora\tdora@example.org",
        "cem@example.org; Cem Kaya\ndora@example.org, Dora",
        'cem@example.org "Cem Kaya"\ndora@example.org Dora',
        "Cem Kaya <cem@example.org>, Dora <dora@example.org>",
    ],
)  # fmt: skip
def test_names_with_addresses(place: MemberPlace, pasted: str) -> None:
    assert guests_in(place, pasted) == [
        Guest(rater="Cem Kaya", address="cem@example.org"),
        Guest(rater="Dora", address="dora@example.org"),
    ]


def test_names_alone_stay_as_they_are(place: MemberPlace) -> None:
    assert [one.rater for one in guests_in(place, "Smith, John\n R7 \nR7\n")] == ["Smith, John", "R7"]


def test_an_address_alone_is_a_code_and_always_the_same(place: MemberPlace) -> None:
    first, second = guests_in(place, "cem@example.org\ndora@example.org")
    assert guests_in(place, "CEM@example.org") == [first]
    assert first.rater != second.rater
    assert "cem" not in first.rater
    assert "example" not in first.rater


@pytest.mark.parametrize(
    ("pasted", "said"),
    [
        (" \n", "0 people"),
        ("name,address\nCem,cem@example.org", "'name,address' has no address"),
        ("Cem <cem@example.org>\nCem <other@example.org>", "'Cem' has two addresses"),
        ("\n".join(f"R{n}" for n in range(5001)), "5001 people"),
    ],
)
def test_what_cannot_be_understood_is_refused(place: MemberPlace, pasted: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        guests_in(place, pasted)


def test_all_are_invited_or_none(place: MemberPlace) -> None:
    with pytest.raises(InputError, match="cannot be the name"):
        invite_all(place, [Guest(rater="Cem"), Guest(rater="x" * 500)])
    assert "Cem" not in rows(table_of(place, BASE))
    place, n_new = invite_all(place, [Guest(rater="Cem"), Guest(rater="Ada")])
    assert n_new == 1
    assert rows(table_of(place, BASE))["Cem"]["link"].startswith(f"{BASE}/s/sample/as/")


def test_the_table_says_how_far_everybody_is_and_runs_nothing(place: MemberPlace) -> None:
    guests = [Guest(rater="=HYPERLINK(1)", address="cem@example.org"), Guest(rater="Dora", address="dora@example.org")]
    place, _ = invite_all(place, guests)
    mailed = rows(table_of(place, BASE, guests=guests))
    assert list(mailed) == ["'=HYPERLINK(1)", "Dora"]
    assert mailed["Dora"]["address"] == "dora@example.org"
    everybody = rows(table_of(place, BASE))
    assert everybody["Ada"]["answered"] == everybody["Ada"]["asked"] == "8"
    assert "example.org" not in table_of(place, BASE)
    assert set(rows(table_of(place, BASE, is_open=True))) == {"'=HYPERLINK(1)", "Dora"}
    revoke(place, "Dora")
    assert rows(table_of(place, BASE))["Dora"]["state"] == "revoked"
    assert "Dora" not in rows(table_of(place, BASE, is_open=True))


def test_links_of_platforms_name_one_person(place: MemberPlace) -> None:
    link = f"{BASE}/s/sample"
    assert list(platform_links(with_recruitment(place, ""), link)) == ["Prolific", "Mechanical Turk", "SONA"]
    assert list(platform_links(with_recruitment(place, "survey_code"), link)) == ["SONA"]
    assert platform_links(with_recruitment(place, "pool"), link) == {"pool": f"{link}?pool="}
    came = [sent_as(place.studio, place.study, {"survey_code": code}) for code in ("77", "77", "78")]
    assert came[0] == came[1] != came[2]
    with pytest.raises(InputError, match="does not name a participant"):
        sent_as(place.studio, place.study, {"survey_code": "%SURVEY_CODE%"})


def test_the_code_is_for_studies_that_are_open(place: MemberPlace) -> None:
    closed = replace(place.study, description=replace(place.study.description, is_open=False))
    with pytest.raises(NotFoundError, match="only invited"):
        code_to_scan(replace(place, study=closed), BASE, "scan")
    assert "<title>a &lt;b&gt;</title>" in code_to_scan(with_recruitment(place, ""), BASE, "a <b>")
