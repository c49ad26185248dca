"""Two server processes on one PostgreSQL database: what one of them does, the other knows with its next request."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

import httpx
import pytest

from concordant.collection.accounts import Accounts
from concordant.collection.events import now
from concordant.collection.log import Log
from concordant.studio.people import hashed
from tests.web.conftest import Serving, empty_database, free_port
from tests.web.samples import plain_study

PASSWORD = "a long enough password"


@dataclass(frozen=True)
class Pair:
    """The same studies on two ports."""

    one: httpx.Client
    other: httpx.Client
    database: str


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory, postgres: str) -> Iterator[Pair]:
    """Two servers of one folder of studies, started at the same time, and a researcher; every test has its own rater."""
    tmp_path, database = tmp_path_factory.mktemp("pair"), empty_database(postgres)
    (tmp_path / "studies" / "plain").mkdir(parents=True)
    (tmp_path / "studies" / "plain" / "study.toml").write_text(plain_study(is_open=False), encoding="utf-8")
    (tmp_path / "studies" / "plain" / "units.csv").write_text("id,text\nu1,one\nu2,two\nu3,three\n", encoding="utf-8")
    servers = [Serving(tmp_path, ("studies",), database, free_port()) for _ in range(2)]
    try:
        with ThreadPoolExecutor() as threads:
            list(threads.map(lambda server: server.start(), servers))
        with Log.open(database) as log:
            Accounts(log).add_researcher("maria", hashed(PASSWORD))
        addresses = (server.base for server in servers)
        one, other = (httpx.Client(base_url=base, timeout=120) for base in addresses)
        with one, other:
            yield Pair(one, other, database)
    finally:
        for server in servers:
            server.stop()


def researcher(client: httpx.Client) -> dict[str, str]:
    """What the researcher shows."""
    return shown(client.post("/api/keys", json={"name": "maria", "password": PASSWORD}))


def shown(reply: httpx.Response) -> dict[str, str]:
    """The header that shows the key of a reply."""
    assert reply.status_code == 201, reply.text
    return {"authorization": f"Bearer {reply.json()['key']}"}


def invited(pair: Pair, rater: str) -> str:
    """The token of a personal link that the first server has just made."""
    reply = pair.one.post("/api/studies/plain/invitations", json={"raters": [rater]}, headers=researcher(pair.one))
    assert reply.status_code == 201, reply.text
    [link] = [one["link"] for one in reply.json() if one["rater"] == rater]
    return str(urlsplit(link).path).rpartition("/")[2]


def answer(client: httpx.Client, key: dict[str, str], step: int, value: str = "yes") -> httpx.Response:
    """Answer one step."""
    body: dict[str, Any] = {"step": step, "question": "natural", "value": value}
    event = {"id": str(uuid4()), "kind": "answered", "at": now(), "body": body}
    return client.post("/api/studies/plain/events", json={"events": [event]}, headers=key)


def test_a_new_invitation_is_good_everywhere_at_once(pair: Pair) -> None:
    maria = researcher(pair.other)
    pair.other.get("/api/studies/plain/invitations", headers=maria)
    token = invited(pair, "Noa")
    key = shown(pair.other.post("/api/studies/plain/visits", json={"link": token}))
    assert pair.other.get("/api/studies/plain/page", headers=key).json()["kind"] == "judging"
    listed = pair.other.get("/api/studies/plain/invitations", headers=maria).json()
    assert "Noa" in [one["rater"] for one in listed]


def test_a_revoked_rater_is_out_everywhere_at_once(pair: Pair) -> None:
    token = invited(pair, "Ben")
    key = shown(pair.other.post("/api/studies/plain/visits", json={"link": token}))
    assert answer(pair.other, key, 0).status_code == 201
    revoked = pair.one.delete("/api/studies/plain/invitations/Ben", headers=researcher(pair.one))
    assert revoked.status_code == 204
    assert answer(pair.other, key, 1).status_code == 401
    assert pair.other.get("/api/studies/plain/page", headers=key).status_code == 401
    assert pair.other.post("/api/studies/plain/visits", json={"link": token}).status_code == 403
    with Log.open(pair.database) as log:
        assert [given.unit for given in log.answers("plain", "Ben")] == ["u1"]


def test_a_study_made_on_one_server_is_served_by_the_other(pair: Pair) -> None:
    about = {"title": "Words", "name": "words", "questions": [{"ask": "Is it a word?"}], "units": "blick\nbnick"}
    assert pair.one.post("/api/studies", json=about, headers=researcher(pair.one)).status_code == 201
    maria = researcher(pair.other)
    assert pair.other.get("/s/words").status_code == 403  # there, and for invited raters only
    assert pair.other.get("/s/nothing").status_code == 404
    assert {one["name"] for one in pair.other.get("/api/studies", headers=maria).json()} >= {"plain", "words"}


def test_a_colleague_and_a_target_are_known_everywhere_at_once(pair: Pair) -> None:
    maria = researcher(pair.one)
    about = {"name": "pau", "role": "researcher", "password": "another long password"}
    assert pair.one.post("/api/studies/plain/members", json=about, headers=maria).status_code == 201
    pau = shown(pair.other.post("/api/keys", json={"name": "pau", "password": "another long password"}))
    assert pair.other.get("/api/studies/plain/members", headers=pau).status_code == 200
    assert pair.one.delete("/api/studies/plain/members/pau", headers=maria).status_code == 204
    assert pair.other.get("/api/studies/plain/members", headers=pau).status_code == 404


def test_a_rater_between_two_servers_goes_on_where_they_were(pair: Pair) -> None:
    key = shown(pair.one.post("/api/studies/plain/visits", json={"link": invited(pair, "Cleo")}))
    for step, client in enumerate((pair.one, pair.other, pair.one)):
        assert client.get("/api/studies/plain/page", headers=key).json()["step"] == step
        assert answer(client, key, step).status_code == 201
    for client in (pair.other, pair.one):
        assert client.get("/api/studies/plain/page", headers=key).json()["kind"] == "thanks"
    with Log.open(pair.database) as log:
        kinds = [entry.event.kind for entry in log.events("plain", "Cleo")]
    assert kinds.count("completed") == 1


def test_answers_through_another_server_are_heard_of_with_the_next_answer(pair: Pair) -> None:
    """The first server takes answers without reading pages: each transaction tells it what the other has stored."""
    key = shown(pair.one.post("/api/studies/plain/visits", json={"link": invited(pair, "Dara")}))
    assert answer(pair.one, key, 0).status_code == 201
    assert answer(pair.other, key, 1).status_code == 201
    assert answer(pair.one, key, 2).status_code == 201
    with Log.open(pair.database) as log:
        events = [entry.event for entry in log.events("plain", "Dara")]
    assert events[-1].kind == "completed"
    assert len({event.id for event in events}) == len(events)
