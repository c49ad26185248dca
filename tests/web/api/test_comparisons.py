"""Groups of raters, a system's scores, filters and keys through the API: the numbers are those of the pages."""

import re
from collections.abc import Iterator

import httpx
import pytest

from tests.web.members import EXPERTS, PASSWORD, RESEARCHER, STRANGER, bearer, scores_of_all, with_members
from tests.web.samples import RunningServer

SAMPLE, PREFERENCES = "/api/studies/sample", "/api/studies/preferences"


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """A server with answers and members."""
    with with_members(tmp_path_factory.mktemp("comparisons")) as server:
        yield server


@pytest.fixture(scope="module")
def client(run: RunningServer) -> Iterator[httpx.Client]:
    """A researcher's program."""
    with httpx.Client(base_url=run.base, timeout=60) as made:
        made.headers.update(bearer(made.post("/api/keys", json={"name": RESEARCHER, "password": PASSWORD})))
        yield made


def test_experts_against_participants(client: httpx.Client) -> None:
    assert client.get(f"{SAMPLE}/groups").json() == {"rater_group": ["expert", "participant"]}
    told = client.get(f"{SAMPLE}/comparison?{EXPERTS}").json()
    counted = dict(zip(told["categories"], told["table"], strict=True))
    first = told["categories"].index
    assert (counted["no"][first("yes")], counted["yes"][first("no")]) == (2, 0)
    assert (counted["no"][first("no")], counted["yes"][first("yes")]) == (3, 3)
    assert (told["n_units"], told["n_only"], told["names"]) == (8, [0, 0], ["expert", "participant"])
    assert told["largest"] == [{"first": "no", "second": "yes", "n_units": 2, "share": 1.0}]
    assert told["results"][0]["measure"] == "kappa"
    assert told["results"][0]["value"] == pytest.approx((6 / 8 - 30 / 64) / (1 - 30 / 64))
    page = client.get("/studies/sample/report/gold?groups=rater_group=expert=participant").text
    assert "<b>0.529</b>" in page


@pytest.mark.parametrize(
    ("query", "status"),
    [
        (EXPERTS.replace("expert", "nobody"), 404),
        (EXPERTS.replace("rater_group", "kind"), 404),
        (f"{EXPERTS}&question=none", 404),
        ("attribute=rater_group", 422),
        (EXPERTS.replace("participant", "expert"), 422),
    ],
)
def test_groups_that_do_not_exist_are_refused(client: httpx.Client, query: str, status: int) -> None:
    reply = client.get(f"{SAMPLE}/comparison?{query}")
    assert (reply.status_code, list(reply.json())) == (status, ["problem"])


def test_scores_as_text_and_as_rows_give_what_the_page_shows(run: RunningServer, client: httpx.Client) -> None:
    text = scores_of_all(run)
    rows = [{"unit": unit, "score": float(score)} for unit, score in re.findall(r"^(\S+),(\d+)$", text, re.MULTILINE)]
    told = client.post(f"{PREFERENCES}/weights/comparison", json={"scores": text}).json()
    assert told == client.post(f"{PREFERENCES}/weights/comparison", json={"scores": rows}).json()
    assert told["whole"]["n_units"] == len(rows)
    assert len(told["items"]) == len({one["item"] for one in client.get(f"{PREFERENCES}/weights").json()["ranking"]})
    ranking = {one["unit"]: one["score"] for one in client.get(f"{PREFERENCES}/weights").json()["ranking"]}
    same = [{"unit": unit, "score": score} for unit, score in ranking.items()]
    itself = client.post(f"{PREFERENCES}/weights/comparison", json={"scores": same}).json()
    assert itself["whole"]["spearman"]["value"] == pytest.approx(1)


@pytest.mark.parametrize(
    "scores", ["", "u,1", "u,1\nu,2", [], [{"unit": "x", "score": 1}, {"unit": "x", "score": 2}], 5]
)
def test_scores_that_lack_units_are_refused(client: httpx.Client, scores: object) -> None:
    reply = client.post(f"{PREFERENCES}/weights/comparison", json={"scores": scores})
    assert (reply.status_code, list(reply.json())) == (422, ["problem"])


@pytest.mark.parametrize(
    ("query", "units"),
    [
        ("", ["u1", "u2"]),
        ("attribute=kind&value=odd", ["u1"]),
        ("attribute=kind&value=none", []),
        ("one=yes&other=no&rater=Ada", ["u1", "u2"]),
        ("one=yes&other=maybe", []),
    ],
)
def test_disagreements_are_filtered_as_in_the_explorer(client: httpx.Client, query: str, units: list[str]) -> None:
    assert [one["unit"] for one in client.get(f"{SAMPLE}/disagreements?{query}").json()] == units


@pytest.mark.parametrize(("query", "status"), [("attribute=x", 404), ("rater=x", 404), ("question=x", 404), ("value=odd", 422)])  # fmt: skip
def test_filters_by_what_does_not_exist_are_refused(client: httpx.Client, query: str, status: int) -> None:
    assert client.get(f"{SAMPLE}/disagreements?{query}").status_code == status


def test_a_revoked_key_opens_nothing_and_nobody_elses_can_be_revoked(run: RunningServer, client: httpx.Client) -> None:
    before = {one["id"] for one in client.get("/api/keys").json()}
    second = bearer(client.post("/api/keys", json={"name": RESEARCHER, "password": PASSWORD}))
    (new,) = {one["id"] for one in client.get("/api/keys").json()} - before
    stranger = bearer(client.post("/api/keys", json={"name": STRANGER, "password": PASSWORD}))
    assert new not in client.get("/api/keys", headers=stranger).text
    assert client.delete(f"/api/keys/{new}", headers=stranger).status_code == 404
    assert client.get("/api/studies", headers=second).status_code == 200
    assert client.delete(f"/api/keys/{new}").status_code == 204
    assert client.get("/api/studies", headers=second).status_code == 401
    assert client.delete(f"/api/keys/{new}").status_code == 404
    assert second["authorization"].removeprefix("Bearer ") not in client.get("/api/keys").text
