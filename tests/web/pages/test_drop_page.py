"""A real Chromium: from an empty studio to the report of a file, at both sizes, by clicks and without script."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib.resources import files
from pathlib import Path

import httpx
import pytest

from concordant.studio.people import hashed
from concordant.web.demonstration import datasets
from tests.barriers import no_barrier
from tests.web.conftest import Watched
from tests.web.pages.test_flow import PASSWORD, sign_in
from tests.web.samples import RunningServer, running

pytestmark = pytest.mark.browser
EXAMPLES = files("concordant") / "examples" / "data"
NASTY = "<script>alert(1)</script>"


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """A server without studies, with the example files and one researcher."""
    folder = tmp_path_factory.mktemp("files")
    with running(folder, home=folder / "studies", datasets=datasets()) as run:
        run.server.accounts.add_researcher("maria", hashed(PASSWORD))
        yield run


@pytest.mark.parametrize(("width", "script"), [(1280, True), (390, True), (1280, False)])
def test_from_an_empty_studio_to_a_report(
    empty: RunningServer, visit: Callable[..., Watched], width: int, script: bool
) -> None:
    watched = visit(width=width, java_script_enabled=script)
    page = watched.page
    sign_in(page, empty.base, "maria")
    page.click("text=I have judgements")
    page.set_input_files("input[name=files]", str(EXAMPLES / "ratings.csv"))
    page.click("text=Read them")
    page.wait_for_url("**/researcher/files/*")
    verdict = page.locator("h2.verdict")
    assert "not reliable yet" in verdict.inner_text() or "is reliable yet" in verdict.inner_text()
    box = verdict.bounding_box()
    assert box is not None
    assert box["y"] + box["height"] < 800
    if script:
        no_barrier(page)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.goto(empty.base + str(page.get_attribute("text=Open the report", "href")))
    page.wait_for_selector("text=Reliability report: ratings.csv", timeout=240_000)
    watched.check(empty.base)


def test_an_example_is_one_click_away(empty: RunningServer, visit: Callable[..., Watched]) -> None:
    page = visit().page
    sign_in(page, empty.base, "maria")
    no_barrier(page)
    page.click("text=Show me an example")
    page.wait_for_url("**/researcher/files/*")
    assert "J5 is 1.0 points stricter" in page.inner_text("main")


def test_a_wrong_reading_is_corrected_on_the_page(
    empty: RunningServer, visit: Callable[..., Watched], tmp_path: Path
) -> None:
    file = tmp_path / f"{NASTY.replace('/', '')}.csv"
    rows = [f"{unit},{rater},{mark},{NASTY}" for unit in "abcd" for rater, mark in (("P", 1), ("Q", 2))]
    file.write_text(f"thing,person,mark,{NASTY}\n" + "\n".join(rows) + "\n")
    page = visit().page
    sign_in(page, empty.base, "maria")
    page.goto(f"{empty.base}/researcher/files")
    no_barrier(page)
    page.set_input_files("input[name=files]", str(file))
    page.click("text=Read them")
    page.wait_for_url("**/researcher/files/*")
    page.wait_for_load_state()
    no_barrier(page)
    if not page.locator("select[name=unit]").is_visible():
        page.click("text=Not right?")
    for name, column in (("unit", "thing"), ("rater", "person"), ("value", "mark"), ("level", "ordinal")):
        page.select_option(f"select[name={name}]", column)
    page.click("text=Read it so")
    page.wait_for_load_state()
    assert "4 units × 2 raters, 8 judgements, level ordinal" in page.inner_text("main")
    assert NASTY in page.content().replace("&lt;", "<").replace("&gt;", ">")
    people = tmp_path / "people.csv"
    for rater in ("Z", "P"):
        people.write_text(f"rater,training\n{rater},yes\n")
        if rater == "Z":
            page.click("text=Is more known of units or raters")
        page.set_input_files("input[name=table]", str(people))
        page.select_option("select[name=on]", "rater")
        page.click("text=Add it")
        page.wait_for_load_state()
        no_barrier(page)
        main = page.inner_text("main")
        assert ("none of its rows names a rater" in main) == (rater == "Z")
        assert ("joined from people.csv" in main) == (rater == "P")
    assert page.url.count("level=ordinal") == 1  # how the file is read stays as it was chosen
    page.click("button:has-text('Remove')")
    page.wait_for_load_state()
    assert "joined from" not in page.inner_text("main")
    page.click("text=Start over")
    page.wait_for_url("**/researcher/files")


def test_files_are_for_researchers_and_their_own(empty: RunningServer) -> None:
    with httpx.Client(base_url=empty.base, timeout=120) as stranger:
        assert stranger.get("/researcher/files").headers["location"] == "/researcher/sign-in"
        assert stranger.post("/researcher/files", content=b"x" * 2_000_000).status_code in (303, 413)
        assert stranger.get("/api/files").status_code == 401


def test_programs_bring_files_too(empty: RunningServer) -> None:
    with httpx.Client(base_url=f"{empty.base}/api", timeout=60) as program:
        key = program.post("/keys", json={"name": "maria", "password": PASSWORD}).json()["key"]
        program.headers["authorization"] = f"Bearer {key}"
        sent = program.post("/files", params={"name": "ratings.csv"}, content=(EXAMPLES / "ratings.csv").read_bytes())
        assert sent.status_code == 201
        assert program.post("/files", params={"name": "empty.csv"}).status_code == 422
        place = f"/files/{sent.json()['key']}"
        look = program.get(place, params={"level": "ordinal"}).json()
        assert (look["account"]["n_units"], look["problem"]) == (40, "")
        assert look["verdict"]["questions"][0]["word"] == "not yet"
        assert "--level ordinal" in look["command"]
        assert program.get(f"{place}/gold.csv").text.startswith("question,unit")
        assert b"Reliability report" in program.get(f"{place}/report.md").content
        assert program.get("/files").json()[0]["name"] == "ratings.csv"
        assert program.delete(place).status_code == 204
        assert program.get(place).status_code == 404
