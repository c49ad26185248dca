"""Who may do what, through the API: every cell of the table is tried, the allowed ones and the refused ones."""

import re
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import httpx
import pytest

from concordant.studio.people import hashed
from concordant.web.api import api
from tests.web.members import (
    ADJUDICATOR,
    EXPERTS,
    NOBODY,
    PASSWORD,
    RATER,
    RESEARCHER,
    STRANGER,
    bearer,
    scores_of_all,
    with_members,
)
from tests.web.samples import RunningServer, running, study

WHO = (NOBODY, RATER, ADJUDICATOR, RESEARCHER, STRANGER)

# What is done, how, and what each answers: nobody, a rater of the study, its adjudicator, its researcher, and the
# researcher of another study, to whom this one looks as if it did not exist.
TABLE: tuple[tuple[str, str, object, tuple[int, int, int, int, int]], ...] = (
    ("GET", "/studies", None, (401, 401, 200, 200, 200)),
    ("POST", "/studies", "{study}", (401, 401, 403, 201, 201)),
    ("POST", "/keys", {"name": RESEARCHER, "password": PASSWORD}, (201, 201, 201, 201, 201)),
    ("GET", "/keys", None, (401, 401, 200, 200, 200)),
    ("DELETE", "/keys/0123456789abcdef", None, (401, 401, 404, 404, 404)),
    ("GET", "/data", None, (401, 401, 200, 200, 200)),
    ("GET", "/data/nothing.md", None, (401, 401, 404, 404, 404)),
    ("GET", "/studies/sample", None, (401, 401, 403, 200, 404)),
    ("GET", "/studies/sample/raters", None, (401, 401, 403, 200, 404)),
    ("GET", "/studies/sample/progress", None, (401, 401, 403, 200, 404)),
    ("GET", "/studies/sample/conflicts", None, (401, 401, 403, 200, 404)),
    ("GET", "/studies/sample/invitations", None, (401, 401, 403, 200, 404)),
    ("GET", "/studies/sample/invitations.csv", None, (401, 401, 403, 200, 404)),
    ("POST", "/studies/sample/invitations", {"raters": ["{new}"]}, (401, 401, 403, 201, 404)),
    ("DELETE", "/studies/sample/invitations/Ben", None, (401, 401, 403, 204, 404)),
    ("GET", "/studies/sample/members", None, (401, 401, 403, 200, 404)),
    ("POST", "/studies/sample/members", {"name": "tom", "role": "adjudicator", "password": PASSWORD}, (401, 401, 403, 201, 404)),
    ("DELETE", "/studies/sample/members/tom", None, (401, 401, 403, 204, 404)),
    ("PUT", "/studies/sample/target", {"width": 0.3}, (401, 401, 403, 200, 404)),
    ("GET", "/studies/sample/stopping", None, (401, 401, 403, 200, 404)),
    ("GET", "/studies/sample/results", None, (401, 401, 403, 200, 404)),
    ("GET", "/studies/sample/agreement", None, (401, 401, 403, 200, 404)),
    ("GET", "/studies/sample/agreement/spans", None, (401, 401, 403, 200, 404)),
    ("GET", "/studies/sample/agreement/twos", None, (401, 401, 403, 200, 404)),
    ("GET", "/studies/sample/disagreements", None, (401, 401, 403, 200, 404)),
    ("GET", "/studies/sample/pairs", None, (401, 401, 403, 200, 404)),
    ("GET", "/studies/sample/disagreements/unit?unit=u1&question=binary", None, (401, 401, 403, 200, 404)),
    ("GET", "/studies/sample/causes", None, (401, 401, 403, 200, 404)),
    ("GET", "/studies/sample/cases", None, (401, 401, 200, 200, 404)),
    ("POST", "/studies/sample/decisions", {"unit": "u1", "question": "binary", "value": "yes"}, (401, 401, 201, 201, 404)),
    ("GET", "/studies/sample/decisions", None, (401, 401, 403, 200, 404)),
    ("GET", "/studies/sample/gold", None, (401, 401, 403, 200, 404)),
    ("GET", "/studies/sample/disagreements?attribute=kind&value=odd", None, (401, 401, 403, 200, 404)),
    ("GET", "/studies/sample/groups", None, (401, 401, 403, 200, 404)),
    ("GET", f"/studies/sample/comparison?{EXPERTS}", None, (401, 401, 403, 200, 404)),
    ("GET", "/studies/sample/models", None, (401, 401, 403, 422, 404)),
    ("GET", "/studies/preferences/weights", None, (401, 401, 403, 200, 404)),
    ("POST", "/studies/preferences/weights/comparison", {"scores": "{all}"}, (401, 401, 403, 200, 404)),
    ("GET", "/studies/preferences/chain", None, (401, 401, 403, 200, 404)),
    ("POST", "/studies/preferences/chain", {"scores": "{all}"}, (401, 401, 403, 200, 404)),
    ("POST", "/studies/preferences/chain/pairs", {"title": "Pairs"}, (401, 401, 403, 422, 404)),
    ("GET", "/studies/sample/report.md", None, (401, 401, 403, 200, 404)),
    ("GET", "/studies/sample/export.xlsx", None, (401, 401, 403, 200, 404)),
    ("GET", "/drafts", None, (401, 401, 200, 200, 200)),
    ("POST", "/drafts", {"title": "A study of mine"}, (401, 401, 403, 201, 201)),
    *[(*one, (401, 401, 403, 422, 404)) for one in (
        ("GET", "/drafts/sample", None), ("GET", "/drafts/sample/preview", None), ("PUT", "/drafts/sample/file", {"text": ""}),
        ("GET", "/drafts/sample/items", None), ("POST", "/drafts/sample/items?name=a.csv", {"text": "a"}),
        ("PUT", "/drafts/sample/items/texts", {"text": "a"}), ("PUT", "/drafts/sample/items/columns", {}),
        ("GET", "/drafts/sample/design", None), ("GET", "/drafts/sample/publication", None), ("POST", "/drafts/sample/publication", {}),
        ("POST", "/drafts/sample/copies", {"title": "T"}), ("DELETE", "/drafts/sample", None),
    )],
    ("GET", "/put-away", None, (401, 401, 200, 200, 200)),
    ("POST", "/studies/sample/put-away", {"shelf": "archived"}, (401, 401, 403, 422, 404)),
    ("POST", "/put-away/nothing/back", None, (401, 401, 404, 404, 404)),
    ("GET", "/files", None, (401, 401, 404, 200, 200)),
    ("POST", "/files?name=judged.csv", {"unit": "a"}, (401, 401, 404, 201, 201)),
    ("GET", "/files/of-somebody-else", None, (401, 401, 404, 404, 404)),
    ("GET", "/files/of-somebody-else/report.md", None, (401, 401, 404, 404, 404)),
    ("GET", "/files/of-somebody-else/gold.csv", None, (401, 401, 404, 404, 404)),
    ("POST", "/files/of-somebody-else/attributes?name=a.csv&on=unit", {"unit": "a"}, (401, 401, 404, 404, 404)),
    ("DELETE", "/files/of-somebody-else/attributes/a.csv", None, (401, 401, 404, 404, 404)),
    ("POST", "/files/of-somebody-else/files?name=a.csv", {"unit": "a"}, (401, 401, 404, 404, 404)),
    ("DELETE", "/files/of-somebody-else/files/a.csv", None, (401, 401, 404, 404, 404)),
    ("POST", "/files/of-somebody-else/keep?title=mine", None, (401, 401, 404, 404, 404)),
    ("GET", "/kept", None, (401, 401, 404, 200, 200)),
    ("DELETE", "/files/of-somebody-else", None, (401, 401, 404, 404, 404)),
    ("POST", "/studies/sample/visits", {}, (201, 201, 201, 201, 201)),
    ("POST", "/studies/sample/events", {"events": []}, (401, 422, 401, 401, 401)),
    ("GET", "/studies/sample/page", None, (401, 200, 401, 401, 401)),
    ("GET", "/studies/sample/answers", None, (401, 200, 401, 401, 401)),
)  # fmt: skip


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    with with_members(tmp_path_factory.mktemp("roles")) as server:
        yield server


@pytest.fixture(scope="module")
def keys(run: RunningServer) -> dict[str, dict[str, str]]:
    """What each shows of themselves."""
    with httpx.Client(base_url=f"{run.base}/api", timeout=120) as client:
        found = {NOBODY: {}, RATER: bearer(client.post("/studies/sample/visits", json={}))}
        for name in (ADJUDICATOR, RESEARCHER, STRANGER):
            found[name] = bearer(client.post("/keys", json={"name": name, "password": PASSWORD}))
    return found


@pytest.mark.parametrize("who", WHO)
@pytest.mark.parametrize(("method", "path", "body", "expected"), TABLE, ids=[f"{row[0]} {row[1]}" for row in TABLE])
def test_every_cell(
    run: RunningServer, keys: dict[str, dict[str, str]], who: str, method: str, path: str, body: object, expected: tuple[int, ...]
) -> None:  # fmt: skip
    sent = _filled(run, body)
    with httpx.Client(base_url=f"{run.base}/api", timeout=60) as client:
        reply = client.request(method, path, json=sent, headers=keys[who])
    assert reply.status_code == expected[WHO.index(who)], reply.text


def test_every_operation_has_its_row() -> None:
    """A new operation cannot be forgotten here."""
    paths = api().openapi()["paths"]
    tried = [(method, path.split("?")[0]) for method, path, _, _ in TABLE]
    for path, methods in paths.items():
        template = re.compile(re.sub(r"\\{\w+\\}", "[^/]+", re.escape(path)))
        for method in methods:
            assert any(one == method.upper() and template.fullmatch(other) for one, other in tried), (method, path)


def _filled(run: RunningServer, body: object) -> object:
    """The body of a row with a new name, a new study, or a score for every unit, where the table says so."""
    if body == {"raters": ["{new}"]}:
        return {"raters": [f"new {uuid4()}"]}
    if body == "{study}":
        return {"title": "New", "name": f"new-{uuid4().hex[:8]}", "questions": [{"ask": "Is it?"}], "units": "one\ntwo"}
    return {"scores": scores_of_all(run)} if body == {"scores": "{all}"} else body


def test_a_wrong_password_gives_no_key(run: RunningServer) -> None:
    with httpx.Client(base_url=f"{run.base}/api", timeout=120) as client:
        assert client.post("/keys", json={"name": RESEARCHER, "password": "something else"}).status_code == 403


def test_adjudicators_see_no_names(run: RunningServer, keys: dict[str, dict[str, str]]) -> None:
    with httpx.Client(base_url=run.base, headers=keys[ADJUDICATOR], timeout=60) as client:
        shown = client.get("/api/studies/sample/cases?everything=true").text
        page = client.get("/studies/sample/disagreements/decide?all=yes").text
    assert "u3" in shown
    for name in ("Ada", "Ben"):
        assert name not in shown
        assert name not in page


def test_strangers_see_neither_study_nor_pictures(run: RunningServer, keys: dict[str, dict[str, str]]) -> None:
    with httpx.Client(base_url=run.base, headers=keys[STRANGER], timeout=60) as client:
        assert not {"sample", "preferences"} & {one["name"] for one in client.get("/api/studies").json()}
        for path in (
            "",
            "/results",
            "/disagreements",
            "/disagreements/decide",
            "/report/gold",
            "/report",
            "/report.html",
            "/export.csv",
        ):
            assert client.get(f"/studies/sample{path}").status_code == 404
        assert client.get("/s/sample/media/picture.svg").status_code == 401
        assert client.get("/s/other/media/picture.svg").status_code == 200


def test_a_revoked_link_stops_working_at_once(tmp_path: Path) -> None:
    with running(tmp_path, study(tmp_path, "binary", is_open=False)) as run:
        run.server.accounts.add_researcher(RESEARCHER, hashed(PASSWORD))
        client = run.visitor()
        key = bearer(client.post("/api/keys", json={"name": RESEARCHER, "password": PASSWORD}))
        made = client.post("/api/studies/sample/invitations", json={"raters": ["Cleo"]}, headers=key).json()
        link = next(one["link"] for one in made if one["rater"] == "Cleo")
        cleo = run.visitor()
        assert cleo.get(link, follow_redirects=True).status_code == 200
        assert client.delete("/api/studies/sample/invitations/Cleo", headers=key).status_code == 204
        assert cleo.get("/api/studies/sample/answers").status_code == 401
        assert run.visitor().get(link).status_code == 403


def test_an_adjudicator_makes_no_study(tmp_path: Path) -> None:
    new = {"title": "T", "name": "t", "questions": [{"ask": "Is it?"}], "units": "one\ntwo"}
    with with_members(tmp_path) as run:
        for who, code in ((ADJUDICATOR, 403), (RESEARCHER, 201)):
            client = run.visitor()
            key = bearer(client.post("/api/keys", json={"name": who, "password": PASSWORD}))
            assert client.post("/api/studies", json=new, headers=key).status_code == code
            assert client.get("/researcher/new", headers=key).status_code == (404 if code == 403 else 200)
            assert ("/researcher/new" in client.get("/researcher", headers=key).text) == (code == 201)
