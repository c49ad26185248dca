"""Rater pairs in words, disputed units, and one unit with changes of mind, through the API as on the pages."""

from collections.abc import Iterator

import httpx
import pytest

from concordant.collection.events import Answered
from tests.web.members import PASSWORD, RESEARCHER, bearer, with_members
from tests.web.samples import RunningServer


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    with with_members(tmp_path_factory.mktemp("differences")) as server:
        _change_mind(server, "Ada", "u1")
        yield server


def _change_mind(run: RunningServer, rater: str, unit: str) -> None:
    """Say yes, then no again."""
    steps = run.server.log.enrol(run.server.studies["sample"], rater).steps
    step = next(int(step["number"]) for step in steps if step["unit"] == unit)
    for value in ("yes", "no"):
        event = Answered(rater=rater, step=step, unit=unit, question="binary", value=value, seconds=1.0)
        run.server.log.append("sample", [event])


@pytest.fixture
def client(run: RunningServer) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=run.base, timeout=60) as visitor:
        visitor.headers.update(bearer(visitor.post("/api/keys", json={"name": RESEARCHER, "password": PASSWORD})))
        yield visitor


def test_pairs_are_told_in_the_words_of_the_page(client: httpx.Client) -> None:
    (found,) = client.get("/api/studies/sample/pairs").json()
    (pair,) = found["pairs"]
    assert pair["raters"] == ["Ada", "Ben"]
    assert found["verdicts"] == {pair["verdict"]: 1}
    page = client.get("/studies/sample/results").text
    assert pair["verdict"] in page
    assert pair["explanation"] in page.replace("&#39;", "'")


def test_changes_of_mind(client: httpx.Client) -> None:
    address = "disagreements/unit?unit=u1&question=binary"
    found = client.get(f"/api/studies/sample/{address}").json()
    by_value = {one["value"]: one for one in found["answers"]}
    assert by_value["no"]["changes"] == ["No", "Yes", "No"]
    assert by_value["yes"]["changes"] == []
    assert found["unit"]["attributes"] == {"kind": "odd"}
    assert found["entropy"] == 1
    assert "No → Yes → No" in client.get(f"/studies/sample/{address}").text


def test_names_are_hidden_until_asked_for(client: httpx.Client) -> None:
    address = "/api/studies/sample/disagreements/unit?unit=u1&question=binary"
    assert {one["rater"] for one in client.get(address).json()["answers"]} == {"Rater 1", "Rater 2"}
    assert {one["rater"] for one in client.get(f"{address}&names=true").json()["answers"]} == {"Ada", "Ben"}


def test_a_unit_that_nobody_judged_is_not_found(client: httpx.Client) -> None:
    assert client.get("/api/studies/sample/disagreements/unit?unit=u99&question=binary").status_code == 404
