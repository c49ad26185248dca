"""An answer leaves the device only with the server's receipt for it; whatever else comes back, it stays and is sent again."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import uuid4

import pytest

from concordant.collection.events import Answered
from tests.web.conftest import Watched
from tests.web.driving import all_saved, changed, press, ready, text, until
from tests.web.hostile import FAULTS, Proxy, proxied
from tests.web.plain import Plain
from tests.web.samples import RunningServer, running, study, unit

if TYPE_CHECKING:
    from playwright.sync_api import Page

Visit = Callable[..., Watched]
N_UNITS = 30
HARMLESS = {"delay", "twice"}  # they end with a receipt at the first try


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """Sentences to be judged by one key, and pages with several questions."""
    folder = tmp_path_factory.mktemp("receipts")
    sentences = tuple(unit(number, parses=None) for number in range(1, N_UNITS + 1))
    one = study(folder, "binary", name="one", units=sentences)
    long = study(folder, "spans", name="long", units=(unit(1, text="word " * 900, parses=None),))
    with running(folder, one, study(folder, "binary", "text", name="two", passes=False), long) as server:
        yield server


@pytest.fixture
def proxy(server: RunningServer) -> Iterator[Proxy]:
    """A proxy that passes everything on until it is told otherwise."""
    with proxied(Proxy(int(server.base.rpartition(":")[2]), share=1.0, faults=None)) as proxy:
        yield proxy


def begun(watched: Watched, proxy: Proxy, name: str = "one") -> Page:
    """A new rater behind the proxy."""
    watched.page.goto(f"http://127.0.0.1:{proxy.port}/s/{name}")
    watched.page.get_by_role("button", name="Start").click()
    ready(watched.page)
    all_saved(watched.page)
    until(watched.page, AHEAD)
    return watched.page


def given(server: RunningServer, name: str = "one") -> list[Answered]:
    """The answers of the rater who came last; every event is in the log once."""
    rater = [event.rater for event in server.events(name) if event.kind == "joined"][-1]
    events = server.events(name, rater)
    assert max(Counter(event.id for event in events).values()) == 1
    return [event for event in events if isinstance(event, Answered)]


@pytest.mark.browser
def test_nothing_but_a_receipt_empties_the_outbox(server: RunningServer, proxy: Proxy, visit: Visit) -> None:
    page, pressed = begun(visit(), proxy), []
    for number, fault in enumerate(FAULTS):
        proxy.faults = [fault]
        key = "yn"[number % 2]
        press(page, key)
        pressed.append({"y": "yes", "n": "no"}[key])
        while not proxy.met[fault]:
            page.wait_for_timeout(20)
        if fault not in HARMLESS:
            page.wait_for_selector("#saved[data-state=offline]:text('1 answer waits to be sent')")
        proxy.faults = None
        all_saved(page)
        assert [answer.value for answer in given(server)] == pressed, fault


@pytest.mark.browser
def test_a_refused_answer_is_in_sight_with_its_reason_and_the_way_back(
    server: RunningServer, proxy: Proxy, visit: Visit
) -> None:
    page = begun(visit(), proxy)
    sentence = text(page)
    page.evaluate("() => { document.querySelector('button[value=yes]').value = 'perhaps'; }")
    press(page, "y")
    press(page, "n")
    tray = page.locator("#tray")
    tray.get_by_text("'perhaps' is not an option of 'binary'").wait_for()
    page.wait_for_selector("#saved[data-state=refused]:text('1 answer was not accepted')")
    assert tray.locator("strong").inner_text().startswith(f"1/{N_UNITS}")
    assert [answer.value for answer in given(server)] == ["no"]
    changed(page, lambda: tray.get_by_role("button", name="Back to the question").click())
    assert text(page) == sentence
    page.reload()
    ready(page)
    tray.get_by_text("'perhaps' is not an option of 'binary'").wait_for()  # still there
    assert page.locator("#saved").inner_text() == "1 answer was not accepted"
    press(page, "y")
    all_saved(page)
    assert tray.is_hidden()  # it was answered again
    assert [answer.value for answer in given(server)] == ["no", "yes"]


@pytest.mark.browser
def test_a_refused_change_leads_back_to_a_finished_question(server: RunningServer, proxy: Proxy, visit: Visit) -> None:
    page = begun(visit(), proxy)
    sentence = text(page)
    press(page, "y")
    press(page, "n")
    press(page, "Backspace")
    press(page, "Backspace")
    assert text(page) == sentence
    page.evaluate("() => { document.querySelector('button[value=no]').value = 'never'; }")
    press(page, "n")
    page.locator("#tray").get_by_text("'never' is not an option").wait_for()
    press(page, "y")  # the one after
    assert text(page) != sentence
    changed(page, lambda: page.get_by_role("button", name="Back to the question").click())
    assert text(page) == sentence
    press(page, "n")
    all_saved(page)
    assert [answer.value for answer in given(server)] == ["yes", "no", "yes", "no"]


@pytest.mark.browser
def test_what_is_unsent_can_be_taken_along(server: RunningServer, proxy: Proxy, visit: Visit, tmp_path: Path) -> None:
    page = begun(visit(), proxy, "two")
    proxy.faults = ["portal"]
    page.locator("label.choice").first.click()
    page.locator("textarea").fill("In other words")
    page.locator("textarea").blur()
    page.locator("#tray-copy").wait_for()
    assert page.locator("#tray-title").inner_text() == "2 answers wait to be sent"
    with page.expect_download() as download:
        page.locator("#tray-copy").click()
    download.value.save_as(tmp_path / "copy.json")
    copy = json.loads((tmp_path / "copy.json").read_text(encoding="utf-8"))
    fields = [dict(map(tuple, entry["fields"])) for entry in copy["entries"]]
    assert [entry["state"] for entry in copy["entries"]] == ["waiting", "waiting"]
    assert fields[0]["q:binary"] == "yes"
    assert fields[1]["q:text"] == "In other words"
    assert not {"form_token", "who"} & {name for found in fields for name in found}
    proxy.faults = None
    all_saved(page)
    assert page.locator("#tray").is_hidden()


@pytest.mark.browser
def test_a_worker_that_comes_first_does_not_spoil_the_outbox(server: RunningServer, proxy: Proxy, visit: Visit) -> None:
    """Both ways in which a device may have got a database without the outbox's place in it."""
    for version in (None, 1, 2):
        watched = visit()
        watched.page.goto(f"http://127.0.0.1:{proxy.port}/s/one")
        if version is not None:
            watched.page.evaluate(
                "(version) => new Promise((resolve) => { const asked = indexedDB.open('rater', version);"
                " asked.onsuccess = () => { asked.result.close(); resolve(); }; })",
                version,
            )
        page = begun(watched, proxy)
        press(page, "y")
        all_saved(page)
        assert page.evaluate(OUTBOX) == []
        assert [answer.value for answer in given(server)] == ["yes"]


@pytest.mark.browser
def test_signing_out_makes_no_database_where_there_is_none(server: RunningServer, proxy: Proxy, visit: Visit) -> None:
    watched = visit()
    page = begun(watched, proxy)
    page.evaluate("async () => { await navigator.serviceWorker.ready; }")
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    elsewhere = f"http://127.0.0.1:{proxy.port}/static/mark.svg"
    page.goto(elsewhere)
    page.evaluate("() => new Promise((done) => { indexedDB.deleteDatabase('rater').onsuccess = done; })")
    watched.context.clear_cookies()
    page.goto(f"http://127.0.0.1:{proxy.port}/s/one/judge")
    page.get_by_role("heading", name="By invitation").wait_for()
    assert page.evaluate("async () => (await indexedDB.databases()).map(({ name }) => name)") == []


AHEAD = """async () => {
  const kept = await (await import('/static/outbox.js')).inStore('screens', 'readonly', (store) => store.getAll());
  return kept.length === 1 && kept[0].fetched.length > 0;
}"""
OUTBOX = "async () => (await import('/static/outbox.js')).inStore('outbox', 'readonly', (store) => store.getAll())"


def test_a_reply_says_what_became_of_the_form_it_names(server: RunningServer) -> None:
    visitor = Plain(server.visitor())
    visitor.go("/s/one")
    visitor.start()
    asked = dict(visitor.page.forms["task"].fields)

    def post(**fields: str) -> tuple[int, dict[str, str]]:
        reply = visitor.client.post(visitor.path, data={**asked, **fields}, headers={"accept": "application/json"})
        return reply.status_code, reply.json()["receipt"]

    first, second = str(uuid4()), str(uuid4())
    assert post(**{"event": first, "q:binary": "yes"}) == (200, {"id": first, "state": "stored"})
    assert post(**{"event": first, "q:binary": "yes"}) == (200, {"id": first, "state": "known"})
    status, refused = post(**{"event": second, "q:binary": "perhaps"})
    assert (status, refused["id"], refused["state"]) == (422, second, "refused")
    assert refused["reason"] == "'perhaps' is not an option of 'binary'"
    status, refused = post(**{"event": first, "q:binary": "no"})  # another answer under the same id
    assert (status, refused["state"]) in {(422, "refused"), (200, "known")}


def test_every_word_of_a_long_text_may_be_marked(server: RunningServer) -> None:
    visitor = Plain(server.visitor())
    visitor.go("/s/long")
    visitor.start()
    marks = [f"{5 * word}:{5 * word + 4}:PER" for word in range(900)]
    visitor.press("next", {"q:spans": marks})
    assert visitor.status == 200
    assert [len(answer.value) for answer in given(server, "long")] == [900]


def test_what_is_too_large_is_refused_by_a_receipt_and_holds_up_nothing(server: RunningServer) -> None:
    visitor = Plain(server.visitor())
    visitor.go("/s/long")
    visitor.start()
    asked, id = dict(visitor.page.forms["task"].fields), str(uuid4())
    headers = {"accept": "application/json", "x-event": id}
    body = {**asked, "event": id, "action": "next"}
    for more in ({"q:spans": ["0:4:PER"] * 30_000}, {"q:spans": "x" * 1_100_000}):
        reply = visitor.client.post(visitor.path, data={**body, **more}, headers=headers)
        assert reply.status_code in {400, 413}
        receipt = reply.json()["receipt"]
        assert (receipt["id"], receipt["state"]) == (id, "refused")
        assert "more than one answer can hold" in receipt["reason"]
    assert given(server, "long") == []


@pytest.mark.browser
def test_a_form_that_waited_is_sent_with_the_token_of_today(server: RunningServer, proxy: Proxy, visit: Visit) -> None:
    watched = visit()
    page = begun(watched, proxy)
    proxy.faults = ["drop"]
    press(page, "y")
    page.wait_for_selector("#saved[data-state=offline]")
    watched.context.clear_cookies(
        name="concordant-form"
    )  # it has run out; the page that is opened next gets another one
    page.goto(page.url)
    ready(page)
    proxy.faults = None
    all_saved(page)
    assert [answer.value for answer in given(server)] == ["yes"]
