"""The pages under fire: a researcher, an adjudicator and a rater who press every button with whatever they have typed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, ClassVar
from urllib.parse import urlencode, urljoin, urlsplit

import httpx
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule, run_state_machine_as_test

from concordant.studio.people import personal_link
from tests.web.members import ADJUDICATOR, PASSWORD, RESEARCHER, with_members
from tests.web.plain import Plain
from tests.web.samples import RunningServer
from tests.web.test_api_fuzz import UNLIMITED

NUMBERS = ("", "0", "1", "-1", "nan", "inf", "1e400", "²", "٣", "9" * 4301, "0.2", "abc")
TIMES = ("0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00", "2026-01-05T10:00:00", "yesterday")
TEXTS = (
    "nobody",
    "\0",
    "a\0b",
    "\ud800".encode("utf-8", "replace").decode(),
    "LONG",
    "text\nx",
    'text\n"',
    "=1+1",
    "../..",
    "q1",
)
ODD = st.one_of(st.sampled_from([*NUMBERS, *TIMES, *TEXTS]), st.text(st.characters(codec="utf-8"), max_size=30))
Fill = tuple[str, str]
FILL = st.tuples(st.sampled_from(["type", "type", "choose", "leave out"]), ODD)
NAMES = ("skip", "start", "page", "unit", "question", "rater", "by", "groups", "method", "attribute", "spans", "seq", "look", "lang", "all", "one", "other")  # fmt: skip
STUDY = "/studies/sample"
PATHS = [
    "/", "/researcher", "/researcher/new", "/researcher/account", "/s/sample", "/s/sample/judge", "/s/sample/offline",
    STUDY, *(f"{STUDY}/{tab}" for tab in ("results", "results/next", "results/news", "results/stopping", "disagreements", "build", "raters")),
    *(f"{STUDY}/{tab}" for tab in ("disagreements/unit", "disagreements/decide", "report/gold", "report/gold.csv", "report", "export.csv")),
    "/studies/preferences/report/weights", "/studies/preferences/report/gold.csv",
]  # fmt: skip


@dataclass
class FoundForm:
    """A form of a page: where it goes, its fields with the values they offer."""

    action: str
    method: str
    fields: dict[str, list[str]] = field(default_factory=dict)


class Forms(HTMLParser):
    """Finds the forms and the links of a page."""

    def __init__(self, at: str) -> None:
        """Of the page at this address."""
        super().__init__()
        self.at, self.forms, self.links = at, list[FoundForm](), list[str]()
        self._select = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Collect forms, what can be filled in, and where links lead."""
        values = {key: value or "" for key, value in attrs}
        if tag == "form":
            goal = urljoin(self.at, values.get("action", ""))
            self.forms.append(FoundForm(goal, values.get("method", "get")))
        elif tag == "a" and (goal := urljoin(self.at, values.get("href", ""))).startswith(
            ("/researcher", "/s/", "/studies/", "/jump")
        ):
            self.links.append(goal)
        name = values.get("name", self._select if tag == "option" else "")
        if self.forms and name and tag in {"input", "textarea", "button", "select", "option"}:
            self.forms[-1].fields.setdefault(name, []).append(values.get("value", ""))
        self._select = name if tag == "select" else self._select


class Visitor(RuleBasedStateMachine):
    """Somebody who goes where links lead, asks for odd addresses and sends forms with odd answers."""

    client: ClassVar[httpx.Client]

    def __init__(self) -> None:
        """At the front page."""
        super().__init__()
        self.page = Forms("/")
        self._read(self.client.get("/"))

    @rule(
        path=st.sampled_from(PATHS),
        asked=st.dictionaries(st.sampled_from(NAMES), ODD.filter(lambda text: len(text) < 9000), max_size=3),
    )
    def open(self, path: str, asked: dict[str, str]) -> None:
        self._read(self.client.get(path + (f"?{urlencode(asked)}" if asked else ""), follow_redirects=True))

    @rule(number=st.integers(0, 100))
    def follow(self, number: int) -> None:
        if self.page.links:
            self._read(self.client.get(self.page.links[number % len(self.page.links)], follow_redirects=True))

    @rule(number=st.integers(0, 20), fills=st.lists(FILL, min_size=1, max_size=8))
    def send(self, number: int, fills: list[Fill]) -> None:
        if not self.page.forms or "sign-out" in (form := self.page.forms[number % len(self.page.forms)]).action:
            return
        filled = {name: offered[0] for name, offered in form.fields.items() if name in {"form_token", "who"}}
        for place, (name, offered) in enumerate(form.fields.items()):
            what, text = fills[place % len(fills)]
            if name not in filled and what != "leave out":
                filled[name] = text if what == "type" else offered[len(text) % len(offered)]
        filled = {name: "x" * 131_073 if text == "LONG" else text for name, text in filled.items()}
        if form.method.lower() == "post":
            self._read(self.client.post(form.action, data=filled, follow_redirects=True))
        else:
            self.open(urlsplit(form.action).path, {name: text[:2000] for name, text in filled.items()})

    def _read(self, reply: httpx.Response) -> None:
        assert reply.status_code < 500, f"{reply.request.method} {reply.request.url}\n{reply.request.content[:500]!r}"
        self.page = Forms(reply.url.path)
        if "text/html" in reply.headers.get("content-type", ""):
            self.page.feed(reply.text)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """Studies with members and answers, and nobody is stopped for asking often."""
    with with_members(tmp_path_factory.mktemp("studies")) as server:
        server.server.limits = UNLIMITED
        yield server


def signed_in(run: RunningServer, who: str) -> httpx.Client:
    """The browser of a member, or of a rater."""
    client = run.visitor()
    if who == "Ada":
        client.get(personal_link(run.server, "sample", who))
        return client
    page = Plain(client)
    page.go("/researcher/sign-in")
    fields: dict[str, Any] = dict(next(iter(page.page.forms.values())).fields)
    reply = client.post("/researcher/sign-in", data={**fields, "name": who, "password": PASSWORD})
    assert reply.status_code == 303
    return client


@pytest.mark.parametrize("who", [RESEARCHER, ADJUDICATOR, "Ada"])
def test_no_form_and_no_address_breaks_a_page(run: RunningServer, who: str) -> None:
    machine = type("Visiting", (Visitor,), {"client": signed_in(run, who)})
    once = settings(
        max_examples=12, stateful_step_count=15, deadline=None, database=None, suppress_health_check=list(HealthCheck)
    )
    run_state_machine_as_test(machine, settings=once)
    assert run.visitor().get("/health").status_code == 200


@pytest.mark.parametrize("path", [f"{STUDY}/target?width=abc", f"{STUDY}/invitations/revoke?rater=nobody"])
def test_what_is_refused_says_why_on_a_page(run: RunningServer, path: str) -> None:
    client = signed_in(run, RESEARCHER)
    page = Plain(client)
    page.go(STUDY)
    token = dict(next(iter(page.page.forms.values())).fields)["form_token"]
    address, _, asked = path.partition("?")
    name, _, value = asked.partition("=")
    reply = client.post(address, data={"form_token": token, name: value})
    assert reply.status_code == 422
    assert "text/html" in reply.headers["content-type"]
    assert value in reply.text
    told = client.post(address, data={"form_token": token, name: value}, headers={"accept": "application/json"})
    assert value in told.json()["problem"]


def test_items_that_cannot_be_taken_leave_the_draft_as_it_was(run: RunningServer, tmp_path: Path) -> None:
    client = signed_in(run, RESEARCHER)
    page = Plain(client)
    page.go("/researcher/new")
    token = dict(next(iter(page.page.forms.values())).fields)["form_token"]
    made = client.post("/researcher/new", data={"form_token": token, "title": "T"})
    assert made.status_code == 303
    items = made.headers["location"].replace("questions.0", "items")
    for pasted in ("text,kind\nfine,a\nbad\n" + "good,b\n" * 30, 'text,kind\n"' + "x" * 200_000 + ",a"):
        reply = client.post(items, data={"form_token": token, "pasted": pasted})
        assert reply.status_code == 422
        assert "Nothing to judge yet" in client.get(items).text
    assert client.post(items, data={"form_token": token, "pasted": "fine\nbetter"}).status_code == 303
    assert "2 items." in client.get(items).text


def test_gold_before_answers_is_one_line(run: RunningServer) -> None:
    client = signed_in(run, "stranger")
    reply = client.get("/studies/other/report/gold.csv")
    assert reply.status_code == 422
    assert "wait for answers" in reply.text
