"""Whole studies through a hostile proxy and a server that is killed: what the page calls saved is in the log, once."""

from __future__ import annotations

import random
import re
import threading
import time
import uuid
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import httpx
import pytest

from concordant.collection.events import Answered, Joined
from concordant.collection.log import Log
from tests.web.conftest import Serving, Watched, serving
from tests.web.driving import all_saved, kind, ready, text
from tests.web.hostile import FAULTS, Proxy, proxied
from tests.web.samples import plain_study

if TYPE_CHECKING:
    from playwright.sync_api import Page

Visit = Callable[..., Watched]
VALUES = {"y": "yes", "n": "no"}


def write_study(n_units: int) -> Callable[[Path], None]:
    """A study of so many sentences, in the same order for everybody."""

    def write(folder: Path) -> None:
        (folder / "plain").mkdir()
        (folder / "plain" / "study.toml").write_text(plain_study(is_open=True), encoding="utf-8")
        rows = [f"u{number},Sentence number {number}." for number in range(n_units)]
        (folder / "plain" / "units.csv").write_text("\n".join(["id,text", *rows]), encoding="utf-8")

    return write


def stored(database: str, rater: str | None = None) -> list[Answered]:
    """The answers in the log, of one rater or of whoever came last; no event is there twice."""
    with Log.open(database) as log:
        events = [entry.event for entry in log.events("plain")]
    who = rater or [event.rater for event in events if isinstance(event, Joined)][-1]
    found = [event for event in events if event.rater == who]
    assert max(Counter(event.id for event in found).values()) == 1
    return [event for event in found if isinstance(event, Answered)]


@dataclass
class Rater:
    """Somebody at a browser who answers as the pages come, and remembers what they said about which sentence."""

    page: Page
    said: dict[str, str] = field(default_factory=dict)

    def answer(self, n: int, choose: random.Random) -> None:
        """Answer some screens, waiting for the next one each time (the screens fetched early may be used up)."""
        for _ in range(n):
            if kind(self.page) != "judging":
                return
            sentence, key = text(self.page), choose.choice("yn")
            self.page.keyboard.press(key)
            self.said[sentence] = VALUES[key]
            self.page.wait_for_function(
                "(before) => document.querySelector('.unit')?.innerText !== before"
                " || document.getElementById('content').dataset.kind !== 'judging'",
                arg=sentence,
                timeout=240_000,
            )

    def check(self, server: Serving) -> None:
        """Once the page says that all is saved, the log holds what was said: every answer, and each once."""
        all_saved(self.page)
        found = stored(server.database)
        assert Counter(answer.unit for answer in found) == Counter({unit_of(one): 1 for one in self.said})
        assert {answer.unit: answer.value for answer in found} == {unit_of(one): v for one, v in self.said.items()}


def unit_of(sentence: str) -> str:
    """The unit with this text."""
    found = re.search(r"\d+", sentence)
    assert found
    return f"u{found[0]}"


@pytest.mark.browser
def test_a_whole_study_through_a_hostile_network(tmp_path: Path, visit: Visit) -> None:
    choose = random.Random(1)
    with (
        serving(tmp_path, ("plain",), prepare=write_study(24)) as server,
        proxied(Proxy(server.port, seed=7, share=0.35)) as proxy,
    ):
        watched = visit()
        page, faults, proxy.faults = watched.page, proxy.faults, None
        page.goto(f"http://127.0.0.1:{proxy.port}/s/plain")
        page.get_by_role("button", name="Start").click()
        ready(page)
        page.evaluate("async () => { await navigator.serviceWorker.ready; }")
        proxy.faults, rater = faults, Rater(page)
        rater.answer(6, choose)
        rater.check(server)
        watched.context.set_offline(True)
        rater.answer(2, choose)
        page.wait_for_selector("#saved[data-state=offline]")
        page.reload()  # without the network
        ready(page)
        page.wait_for_selector("main.stage[data-kind=judging]")
        assert page.locator("#saved").inner_text() != "All saved"
        watched.context.set_offline(False)
        rater.answer(4, choose)
        rater.check(server)
        rater.answer(2, choose)
        server.kill()
        server.start()
        rater.answer(30, choose)
        page.wait_for_selector("main.stage[data-kind=thanks]", timeout=240_000)
        rater.check(server)
        assert len(rater.said) == 24
        assert proxy.met.total() > 5


SMALL, BIG = (5, 200, 1), (20, 5000, 4)
"""How many raters, acknowledged answers and kills of the server: for every day, and for the slow suite."""


@dataclass
class Sender:
    """A rater without a browser who keeps the rules of one: an answer is sent until its receipt has come.

    Every answer revises the last one; now and then an old tab says "not sure" about a page it saw unanswered.
    """

    port: int
    n: int
    seed: int
    acknowledged: list[str] = field(default_factory=list)
    newest: dict[int, tuple[str, str]] = field(default_factory=dict)
    n_tries: int = 0
    refusals: list[str] = field(default_factory=list)
    rater: str = ""

    def run(self) -> None:
        """Come in, and answer page after page, again and again."""
        choose = random.Random(self.seed)
        with httpx.Client(base_url=f"http://127.0.0.1:{self.port}", timeout=20) as client:
            fields, n_steps = self._begin(client)
            for number in range(self.n):
                step, value = number % n_steps, choose.choice(["yes", "no"])
                seen = [self.newest[step][0]] if step in self.newest else [""]
                form = {"step": str(step), "saw:natural": seen, "q:natural": value}
                id = self._deliver(client, {**fields, **form})
                self.acknowledged.append(id)
                self.newest[step] = (str(uuid.uuid5(uuid.UUID(id), "answered natural")), value)
                if choose.random() < 0.02:  # a tab from before the first answer
                    self._deliver(client, {**fields, "step": str(step), "saw:natural": "", "action": "defer"})

    def _begin(self, client: httpx.Client) -> tuple[dict[str, str], int]:
        while True:
            try:
                token = re.search(r'name="form_token" value="([^"]+)"', client.get("/s/plain").text)
                client.post("/s/plain", data={"form_token": token[1] if token else ""})
                page = client.get("/s/plain/judge").text
                names = ("form_token", "who", "page")
                found = {name: re.search(rf'name="{name}" value="([^"]*)"', page) for name in names}
                total = re.search(r'data-total="(\d+)"', page)
                if total and all(found.values()):
                    return {name: one[1] for name, one in found.items() if one}, int(total[1])
            except httpx.HTTPError:
                pass
            time.sleep(0.2)

    def _deliver(self, client: httpx.Client, form: dict[str, object]) -> str:
        id = str(uuid.uuid4())
        body = {**form, "event": id, "at": datetime.now(UTC).isoformat()}
        while True:
            self.n_tries += 1
            try:
                reply = client.post("/s/plain/judge", data=body, headers={"accept": "application/json"})
                receipt = reply.json()["receipt"]
                if receipt["id"] == id:
                    self.refusals += [receipt["reason"]] if receipt["state"] == "refused" else []
                    return id
            except (httpx.HTTPError, ValueError, KeyError, TypeError):
                pass
            time.sleep(0.05)


@pytest.mark.parametrize("size", [SMALL, pytest.param(BIG, marks=pytest.mark.slow)], ids=["small", "big"])
@pytest.mark.parametrize("kind_of_database", ["sqlite", "postgresql"])
def test_raters_through_a_hostile_network_and_a_server_that_is_killed(
    kind_of_database: str, size: tuple[int, int, int], tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    n_raters, n_answers, n_kills = size
    is_shared = kind_of_database == "postgresql"
    database = request.getfixturevalue("fresh_postgres") if is_shared else f"sqlite:///{tmp_path}/answers.db"
    faults = [fault for fault in FAULTS if fault != "late"] + ["late"] * 3
    with (
        serving(tmp_path, ("plain",), database, prepare=write_study(min(50, n_answers // n_raters))) as server,
        proxied(Proxy(server.port, seed=3, share=0.3, faults=faults)) as proxy,
    ):
        senders = [Sender(proxy.port, n_answers // n_raters + 10, seed) for seed in range(n_raters)]
        threads = [threading.Thread(target=sender.run) for sender in senders]
        for thread in threads:
            thread.start()
        for number in range(1, n_kills + 1):
            while sum(len(sender.acknowledged) for sender in senders) < number * n_answers / (n_kills + 1):
                time.sleep(0.1)
            server.kill()
            server.start()
        for thread in threads:
            thread.join()
        time.sleep(3.5)  # what the proxy still holds back
        server.stop()
        assert account(server, senders, proxy) >= n_answers


def account(server: Serving, senders: list[Sender], proxy: Proxy) -> int:
    """Nothing lost, nothing doubled, nothing stale, of so many answers; and in numbers what nothing was lost by."""
    with Log.open(server.database) as log:
        ids = Counter(entry.event.id for entry in log.events("plain"))
        held = [(answer.rater, answer.step, answer.value) for answer in log.answers("plain")]
    expected = {str(uuid.uuid5(uuid.UUID(id), "answered natural")) for one in senders for id in one.acknowledged}
    lost = [id for id in expected if id not in ids]
    doubled = [id for id, n in ids.items() if n > 1]
    said = Counter(str(sorted((step, value) for step, (_, value) in one.newest.items())) for one in senders)
    found: dict[str, list[tuple[int, object]]] = {}
    for rater, step, value in held:
        found.setdefault(rater, []).append((step, value))
    n_stale = (said - Counter(str(sorted(answers)) for answers in found.values())).total()
    n_tries = sum(sender.n_tries for sender in senders)
    print(
        f"{server.database.split(':')[0]}: {len(senders)} raters, {len(expected)} acknowledged answers, {n_tries} forms sent, "
        f"{proxy.met.total()} faults met; lost {len(lost)}, doubled {len(doubled)}, stale {n_stale}"
    )
    assert [one.refusals for one in senders] == [[]] * len(senders)
    assert (lost, doubled, n_stale) == ([], [], 0)
    return len(expected)
