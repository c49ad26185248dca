"""Two tabs, two devices, two servers of one rater: nothing newer is replaced in silence, and researchers are told."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from concordant.collection.events import Answered, Event
from concordant.collection.log import Log
from tests.web.conftest import ENVIRONMENT, Serving, Watched, free_port
from tests.web.driving import all_saved, press, ready, text, until
from tests.web.members import PASSWORD, RESEARCHER, bearer, with_members
from tests.web.plain import Plain
from tests.web.rater.test_receipts import AHEAD
from tests.web.samples import RunningServer, plain_study, running, study, unit

Visit = Callable[..., Watched]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """One question to a page, and two."""
    folder = tmp_path_factory.mktemp("conflicts")
    sentences = tuple(unit(number, parses=None) for number in range(1, 7))
    one = study(folder, "binary", name="one", units=sentences)
    with running(folder, one, study(folder, "ordinal", "text", name="two", passes=False)) as server:
        yield server


def begun(watched: Watched, server: RunningServer, name: str) -> None:
    """A new rater."""
    watched.page.goto(f"{server.base}/s/{name}")
    watched.page.get_by_role("button", name="Start").click()
    ready(watched.page)
    until(watched.page, AHEAD)


def newest(server: RunningServer, name: str) -> tuple[list[Event], dict[tuple[int, str], object]]:
    """The events of the rater who came last, and their answers as they stand."""
    rater = [event.rater for event in server.events(name) if event.kind == "joined"][-1]
    answers = server.server.log.answers(name, rater)
    return server.events(name, rater), {(one.step, one.question): one.value for one in answers if one.value is not None}


@pytest.mark.browser
def test_not_sure_in_a_tab_that_is_out_of_date_deletes_no_answer(server: RunningServer, visit: Visit) -> None:
    watched = visit()
    begun(watched, server, "one")
    other = watched.context.new_page()
    other.goto(f"{server.base}/s/one/judge")
    ready(other)
    until(other, AHEAD)
    assert text(other) == text(watched.page)
    press(watched.page, "y")
    all_saved(watched.page)
    press(other, "u")
    all_saved(other)
    events, answers = newest(server, "one")
    assert answers == {(0, "binary"): "yes"}
    assert [event.kind for event in events if event.kind in {"answered", "deferred"}] == ["answered", "deferred"]
    assert other.locator("#count").inner_text().startswith("2/")  # the answer stands: what follows is shown


@pytest.mark.browser
def test_what_comes_late_from_a_telephone_does_not_replace_what_is_newer(server: RunningServer, visit: Visit) -> None:
    phone = visit(width=390, height=844)
    begun(phone, server, "one")
    desk = visit(storage_state=phone.context.storage_state())
    phone.context.set_offline(True)
    press(phone.page, "n")
    press(phone.page, "n")
    desk.page.goto(f"{server.base}/s/one/judge")
    ready(desk.page)
    press(desk.page, "y")
    all_saved(desk.page)
    phone.context.set_offline(False)
    all_saved(phone.page)
    events, answers = newest(server, "one")
    assert answers == {(0, "binary"): "yes", (1, "binary"): "no"}
    assert [event.value for event in events if isinstance(event, Answered)] == ["yes", "no", "no"]


@pytest.mark.browser
def test_leaving_a_page_undoes_nothing_that_was_not_touched_on_it(server: RunningServer, visit: Visit) -> None:
    watched = visit()
    page = watched.page
    begun(watched, server, "two")
    page.locator("label.choice").nth(1).click()
    all_saved(page)
    other = watched.context.new_page()
    other.goto(f"{server.base}/s/two/judge")
    ready(other)
    page.locator("label.choice").nth(3).click()
    page.locator("label.choice").nth(4).click()  # one after the other on one page is no conflict
    all_saved(page)
    other.locator("textarea").fill("In other words")
    press(other, "Control+Enter")
    all_saved(other)
    events, answers = newest(server, "two")
    assert answers == {(0, "ordinal"): "5", (0, "text"): "In other words"}
    given = [event for event in events if isinstance(event, Answered) and event.question == "ordinal"]
    assert [event.value for event in given] == ["2", "4", "5"]
    assert [set(event.revises or ()) for event in given] == [set(), {given[0].id}, {given[0].id, given[1].id}]


def test_a_page_without_a_script_says_what_it_has_shown(server: RunningServer) -> None:
    visitor = Plain(server.visitor())
    visitor.go("/s/one")
    visitor.start()
    out_of_date = dict(visitor.page.forms["task"].fields)
    visitor.press("yes")
    visitor.client.post(visitor.path, data={**out_of_date, "action": "defer"})
    events, answers = newest(server, "one")
    assert (answers, events[-1].kind) == ({(0, "binary"): "yes"}, "deferred")


def test_researchers_see_conflicts(tmp_path: Path) -> None:
    with with_members(tmp_path) as server:
        [given] = [answer for answer in server.server.log.answers("sample", "Ada") if answer.step == 0]
        early = Answered(
            rater="Ada", at="2020-01-01T00:00:00.000+00:00", step=0, unit=given.unit, question="binary",
            value="yes" if given.value == "no" else "no", revises=[],
        )  # fmt: skip
        server.server.log.append("sample", [early])
        client = server.visitor()
        key = bearer(client.post("/api/keys", json={"name": RESEARCHER, "password": PASSWORD}))
        assert client.get("/api/studies/sample/progress", headers=key).json()["n_conflicts"] == 1
        [told] = client.get("/api/studies/sample/conflicts", headers=key).json()
        assert (told["rater"], told["kept"]["value"], told["other"]["id"]) == ("Ada", given.value, early.id)
        page = client.get("/studies/sample/raters", headers=key).text
        assert "Conflicting answers: 1" in page


def test_a_second_server_on_one_sqlite_file_is_refused_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "plain").mkdir()
    (tmp_path / "plain" / "study.toml").write_text(plain_study(is_open=True), encoding="utf-8")
    (tmp_path / "plain" / "units.csv").write_text("id,text\nu1,one\n", encoding="utf-8")
    database = f"sqlite:///{tmp_path}/answers.db"
    first = Serving(tmp_path, ("plain",), database, free_port())
    first.start()
    assert first.process is not None
    command = [sys.executable, "-m", "concordant", "serve", "plain", "--port", str(free_port()), "--db", database]
    try:
        second = subprocess.run(command, cwd=tmp_path, env=ENVIRONMENT, capture_output=True, text=True, timeout=240)
        said = f"process {first.process.pid} is serving this database already; stop it first, or use PostgreSQL"
        assert (second.returncode, second.stdout, len(second.stderr.splitlines())) == (2, "", 1)
        assert said in second.stderr
        with Log.open(database) as log:  # whoever only looks is welcome
            assert log.events("plain") == []
    finally:
        os.kill(first.process.pid, signal.SIGKILL)
        first.process.wait()
        first.stop()
    first.start()  # the lock has ended with the process
    first.stop()
