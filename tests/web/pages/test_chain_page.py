"""The page of the chain: what it says of two studies, and what it makes of a form."""

import re
from collections.abc import Iterator

import httpx
import pytest

from tests.web.members import PASSWORD, RESEARCHER, bearer, scores_of_all, with_members
from tests.web.samples import RunningServer

CHAIN = "/studies/preferences/chain"


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    with with_members(tmp_path_factory.mktemp("chain")) as server:
        yield server


@pytest.fixture
def client(run: RunningServer) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=run.base, timeout=60) as visitor:
        visitor.headers.update(bearer(visitor.post("/api/keys", json={"name": RESEARCHER, "password": PASSWORD})))
        yield visitor


def test_the_steps_and_the_next_one(client: httpx.Client) -> None:
    page = client.get(CHAIN).text
    assert "5 of 6 steps are done. Next: Systems compared." in page
    assert re.findall(r'<li id="(\w+)"', page) == ["features", "vectors", "preferences", "weights", "ranks", "systems"]
    assert "The features came with the items of this study." in page
    assert CHAIN in client.get("/studies/preferences/report").text


def test_german_pages_speak_german(client: httpx.Client) -> None:
    page = client.get(f"{CHAIN}?lang=de").text
    assert "5 von 6 Schritten sind getan. Als Nächstes: Systeme verglichen." in page
    assert not re.search(
        r"\b(steps|weights|ranked|features)\b", re.sub(r"<[^>]+>|/\S+", " ", page.partition("<main")[2])
    )


def test_scores_are_compared_and_shown_as_text(run: RunningServer, client: httpx.Client) -> None:
    table = scores_of_all(run).replace("unit,score", "unit,<b>=mine</b>")
    reply = client.post(CHAIN, data={"scores": table}, headers={"origin": run.base})
    assert reply.status_code == 200
    assert "All steps are done" in reply.text
    assert "&lt;b&gt;=mine&lt;/b&gt;" in reply.text
    assert "<b>=mine" not in reply.text
    lacking = client.post(CHAIN, data={"scores": "unit,mine\nr01,1"}, headers={"origin": run.base})
    assert lacking.status_code == 422
    assert "there is no score for" in lacking.text


def test_the_api_says_what_the_page_says(client: httpx.Client) -> None:
    found = client.get(f"/api{CHAIN}").json()
    assert found["studies"] == {"features": None, "preferences": "preferences"}
    assert found["states"]["ranks"] == "done"
    best = max(found["weights"]["all"]["features"], key=lambda one: one["weight"])
    assert f"{best['feature']} counts most: {best['rounded']}." in client.get(CHAIN).text
