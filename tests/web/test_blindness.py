"""A rater sees and changes only their own work, and learns nothing about the others: asked through pages and API alike."""

import re
import uuid
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from concordant.collection.events import Answered
from concordant.design.description import Rater
from concordant.studio.people import personal_link
from tests.web.samples import RunningServer, running, study

NAMES = ("Ada Lovelace", "Ben Okri")
NOW = "2026-01-05T10:00:00Z"


def keyed(run: RunningServer, rater: str, name: str = "sample") -> httpx.Client:
    """A program signed in with a rater's personal link."""
    client = run.visitor()
    token = personal_link(run.server, name, rater).rsplit("/", 1)[1]
    key = client.post(f"/api/studies/{name}/visits", json={"link": token}).json()["key"]
    client.headers["authorization"] = f"Bearer {key}"
    return client


def answer(client: httpx.Client, value: str, **more: object) -> httpx.Response:
    """Answer the first step."""
    page = client.get("/api/studies/sample/page").json()
    body = {"step": page["step"], "unit": page["unit"]["id"], "question": page["questions"][0]["id"], "value": value}
    event = {"id": str(uuid.uuid4()), "kind": "answered", "at": NOW, "body": body, **more}
    return client.post("/api/studies/sample/events", json={"events": [event]})


@pytest.fixture
def run(tmp_path: Path) -> Iterator[RunningServer]:
    """A study with two raters who are known by name, not open to others."""
    raters = tuple(Rater(id=name) for name in NAMES)
    with running(tmp_path, study(tmp_path, "binary", raters=raters, is_open=False)) as answering:
        yield answering


def test_each_has_their_own_answers(run: RunningServer) -> None:
    ada, ben = keyed(run, NAMES[0]), keyed(run, NAMES[1])
    assert answer(ada, "yes").status_code == 201
    assert [given["value"] for given in ada.get("/api/studies/sample/answers").json()] == ["yes"]
    assert ben.get("/api/studies/sample/answers").json() == []
    assert answer(ben, "no").status_code == 201
    assert [given["value"] for given in ada.get("/api/studies/sample/answers").json()] == ["yes"]


def test_nobody_can_answer_for_another(run: RunningServer) -> None:
    ada = keyed(run, NAMES[0])
    assert answer(ada, "yes", rater=NAMES[1]).status_code == 422
    assert {event.rater for event in run.events("sample")} == {NAMES[0]}


def test_an_id_of_anothers_event_changes_nothing_of_theirs(run: RunningServer) -> None:
    ada, ben = keyed(run, NAMES[0]), keyed(run, NAMES[1])
    same = str(uuid.uuid4())
    assert answer(ada, "yes", id=same).status_code == 201
    assert answer(ben, "no", id=same).status_code == 201
    assert [given["value"] for given in ada.get("/api/studies/sample/answers").json()] == ["yes"]


def test_no_reply_to_a_rater_names_another_rater(run: RunningServer) -> None:
    ada, ben = keyed(run, NAMES[0]), keyed(run, NAMES[1])
    answer(ben, "no")
    replies = [
        answer(ada, "yes"),
        *(ada.get(f"/api/studies/sample{path}") for path in ("/page", "/answers", "/raters", "")),
    ]
    replies += [ada.get(path) for path in ("/", "/api/studies", "/api/openapi.json", "/researcher", "/s/sample")]
    browser = run.visitor()
    browser.get(personal_link(run.server, "sample", NAMES[0]), follow_redirects=True)
    replies += [browser.get("/s/sample/judge"), browser.get("/s/sample/judge", headers={"accept": "application/json"})]
    assert [reply.url.path for reply in replies if "Okri" in reply.text] == []


def test_a_raters_key_opens_no_researchers_page(run: RunningServer) -> None:
    ada = keyed(run, NAMES[0])
    assert ada.get("/api/studies").status_code == 401
    assert ada.get("/api/studies/sample/raters").status_code == 401
    assert ada.get("/researcher").headers["location"] == "/researcher/sign-in"


def test_checks_and_expected_answers_stay_hidden(tmp_path: Path) -> None:
    with running(tmp_path, study(tmp_path, "binary", pages=True, training=None)) as run:
        client = run.visitor()
        client.headers["authorization"] = f"Bearer {client.post('/api/studies/sample/visits', json={}).json()['key']}"
        opening = [
            ("consented", {"text": "x"}),
            ("described", {"answers": {}}),
            ("continued", {"page": "instructions"}),
        ]
        events = [{"id": str(uuid.uuid4()), "kind": kind, "at": NOW, "body": body} for kind, body in opening]
        assert client.post("/api/studies/sample/events", json={"events": events}).status_code == 201
        pages = []
        for _ in range(4):
            pages.append(client.get("/api/studies/sample/page"))
            answer(client, "yes")
        given = client.get("/api/studies/sample/answers")
        answered = [event.unit for event in run.events("sample") if isinstance(event, Answered)]
    marks = [page.json()["unit"]["id"] for page in pages]
    assert "g1" in answered  # the log has the true ids
    assert not set(marks) & set(answered)
    assert [one["unit"] for one in given.json()] == marks
    assert all(re.fullmatch("[0-9a-f]{16}", mark) for mark in marks)
    for page in (*pages, given):
        assert not re.search(f"gold|expected|picture.svg|{'|'.join(answered)}", page.text), page.text


def test_a_guessed_id_is_as_wrong_as_any(run: RunningServer) -> None:
    ada = keyed(run, NAMES[0])
    page = ada.get("/api/studies/sample/page").json()
    assigned = run.server.log.enrol(run.server.studies["sample"], NAMES[0])
    for unit in (assigned.steps[0]["unit"], "made-up"):
        body = {"step": page["step"], "unit": unit, "question": page["questions"][0]["id"], "value": "yes"}
        event = {"id": str(uuid.uuid4()), "kind": "answered", "at": NOW, "body": body}
        reply = ada.post("/api/studies/sample/events", json={"events": [event]})
        assert (reply.status_code, "no such step" in reply.text) == (422, True)


def test_marks_are_of_one_rater_and_one_step(run: RunningServer) -> None:
    pages = [keyed(run, name).get("/api/studies/sample/page").json() for name in (*NAMES, NAMES[0])]
    assert pages[0]["unit"]["id"] == pages[2]["unit"]["id"]
    assert pages[0]["unit"]["id"] != pages[1]["unit"]["id"]


def test_a_forged_or_foreign_link_opens_nothing(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    first.mkdir()
    second.mkdir()
    with running(
        tmp_path, study(first, "binary", is_open=False), study(second, "binary", name="other", is_open=False)
    ) as run:
        token = personal_link(run.server, "sample", "Ada").rsplit("/", 1)[1]
        visitor = run.visitor()
        for path in (f"/s/other/as/{token}", f"/s/sample/as/{token[:-2]}xx", "/s/sample/as/WyJzYW1wbGUiLCJBZGEiXQ.x"):
            assert visitor.get(path).status_code == 403
        assert visitor.get("/s/sample/judge").status_code == 401
        assert visitor.post("/api/studies/other/visits", json={"link": token}).status_code == 403
        assert visitor.post("/api/studies/other/visits", json={}).status_code == 403
        assert visitor.get(f"/s/sample/as/{token}").status_code == 303
        assert visitor.get("/s/other/judge").status_code == 401


def test_a_cookie_alone_changes_nothing_through_the_api(run: RunningServer) -> None:
    browser = run.visitor()
    browser.get(personal_link(run.server, "sample", NAMES[0]), follow_redirects=True)
    assert browser.get("/api/studies/sample/page").status_code == 200
    assert answer(browser, "yes").status_code == 403
