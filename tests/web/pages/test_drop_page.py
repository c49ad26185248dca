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
    page.wait_for_selector("h1.understood")
    assert page.inner_text("h1.understood").startswith("5 raters judged 40 units on 2 questions: fluency from 1 to 5")
    verdict = page.locator("p.verdict")
    assert "not reliable yet" in verdict.inner_text() or "is reliable yet" in verdict.inner_text()
    box = verdict.bounding_box()
    assert box is not None
    assert box["y"] + box["height"] < 800
    if script:
        no_barrier(page)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.goto(empty.base + str(page.get_attribute("text=Show the report", "href")))
    page.wait_for_selector("text=Reliability report: ratings.csv", timeout=240_000)
    watched.check(empty.base)


def test_an_example_is_one_click_away(empty: RunningServer, visit: Callable[..., Watched]) -> None:
    page = visit().page
    sign_in(page, empty.base, "maria")
    no_barrier(page)
    page.click("text=Show me an example")
    page.wait_for_url("**/studies/example/results")
    page.wait_for_selector("#verdicts")
    no_barrier(page)
    assert page.locator("#verdicts li").count() > 1
    page.goto(f"{empty.base}/researcher")
    assert "an example" in page.inner_text(".study-rows")
    page.click("text=Show me an example")  # it is made once
    page.wait_for_url("**/studies/example/results")


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
    page.wait_for_selector("select[name=role]")
    no_barrier(page)
    for name, role in (("thing", "unit"), ("person", "rater"), ("mark", "value")):
        if page.input_value(f"select[aria-label='Role of {name}']") != role:
            page.select_option(f"select[aria-label='Role of {name}']", role)
            page.wait_for_selector(
                f"select[aria-label='Role of {name}'] >> option[value={role}]:checked", state="attached"
            )
            page.wait_for_load_state()
    page.click("text=Everything that can be said")
    page.select_option("select[name=level]", "ordinal")
    page.click(".form >> text=Read it so")
    page.wait_for_selector("text=--level ordinal")
    assert "2 raters judged 4 units" in page.inner_text("main")
    page.click("text=How it was read")
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
        if rater == "P":
            page.click("text=How it was read")
        main = page.inner_text("main")
        assert ("none of its rows names a rater" in main) == (rater == "Z")
        assert ("joined from people.csv" in main) == (rater == "P")
    assert page.url.count("level=ordinal") == 1  # how the file is read stays as it was chosen
    page.click("button:has-text('Remove')")
    page.wait_for_load_state()
    page.click("text=How it was read")
    assert "joined from" not in page.inner_text("main")
    page.click("text=Start over")
    page.wait_for_url("**/researcher/files")


ASKED = "text,coder,fluency,tone\n" + "".join(
    f"t{unit},{coder},{'four' if (unit, coder) == (7, 'B') else 1 + (unit + shift) % 5},{'Calm' if unit == 3 else 'calm'}\n"
    for unit in range(12)
    for coder, shift in (("A", 0), ("B", 0), ("C", unit % 3 == 0))
)


@pytest.mark.parametrize(("width", "script"), [(1280, True), (390, True), (1280, False)])
def test_one_question_things_to_look_at_and_a_second_file(
    empty: RunningServer, visit: Callable[..., Watched], tmp_path: Path, width: int, script: bool
) -> None:
    first, second, other = tmp_path / "first.csv", tmp_path / "second.csv", tmp_path / "other.csv"
    first.write_text(ASKED)
    second.write_text("text,coder,fluency,tone\nt20,A,1,calm\nt20,B,1,calm\n")
    other.write_text("text,person,fluency,tone\nt20,A,1,calm\n")
    watched = visit(width=width, java_script_enabled=script)
    page = watched.page
    sign_in(page, empty.base, "maria")
    page.goto(f"{empty.base}/researcher/files")
    page.set_input_files("input[name=files]", str(first))
    page.click("text=Read them")
    page.wait_for_selector("select[name=role]")
    for name, role in (("text", "unit"), ("coder", "rater"), ("fluency", "value"), ("tone", "value")):
        if page.input_value(f"select[aria-label='Role of {name}']") != role:
            page.select_option(f"select[aria-label='Role of {name}']", role)
            if script:
                page.wait_for_load_state()
                page.wait_for_timeout(300)
                page.wait_for_selector("select[name=role]")
    if not script:
        page.click("[data-roles] button")
    page.wait_for_selector("text=3 raters judged 12 units on 2 questions")
    things = page.locator(".problems li")
    assert "fluency: “four” stands among numbers, once." in things.nth(0).inner_text()
    row = 2 + ASKED.splitlines()[1:].index("t7,B,four,calm")
    assert f"Row {row}." in things.nth(0).inner_text()
    assert "“Calm” is written 3 times and “calm” 33 times." in things.nth(1).inner_text()
    things.nth(0).get_by_text("Read as 4").click()
    page.wait_for_selector("text=fluency from 1 to 5")
    page.get_by_text("One", exact=True).click()
    page.wait_for_selector("text=tone in 1 kind")
    command = page.inner_text(".cmd")
    assert "--questions fluency,tone --recode fluency:four=4 --case fold" in " ".join(command.split())
    if script:
        no_barrier(page)
    for file, told in (
        (other, "this is not the same table as first.csv: it has no column 'coder'"),
        (second, "13 units"),
    ):
        page.click("text=Add a file")
        page.set_input_files(".add input[name=files]", str(file))
        page.click(".add button")
        page.wait_for_selector(f"text={told}")
        if file == other:  # what does not fit stays until it is taken away
            page.click("button:has-text('Remove other.csv')")
            page.wait_for_selector("text=12 units")
    assert "concordant report first.csv second.csv --unit text" in " ".join(page.inner_text(".cmd").split())
    watched.check(empty.base)


def test_files_are_kept_listed_renewed_and_deleted(
    empty: RunningServer, visit: Callable[..., Watched], tmp_path: Path
) -> None:
    page = visit().page
    sign_in(page, empty.base, "maria")
    title = f"Tone {NASTY}"
    for turn, extra in enumerate(("", "q41,J1,native,fluency,3\nq41,J2,native,fluency,3\n")):
        file = tmp_path / f"round{turn}.csv"
        file.write_text((EXAMPLES / "ratings.csv").read_text() + extra)
        page.set_input_files("input[name=files]", str(file)) if turn else page.goto(f"{empty.base}/researcher/files")
        page.set_input_files("input[name=files]", str(file))
        page.click("text=Read them")
        page.wait_for_selector("h1.understood")
        if not turn:
            page.click("text=Keep as a study")
            page.fill("input[name=title]", title)
        no_barrier(page)
        page.click(".keep button.main")
        page.wait_for_url("**/researcher/files/kept.*")
        page.wait_for_selector("h1.understood")
        no_barrier(page)
        page.goto(f"{empty.base}/researcher")
        row = page.locator(".study-rows > li", has_text="Tone")
        assert title in row.inner_text()
        assert ("385 judgements" in row.inner_text()) == (turn == 0)
        assert ("2 versions" in row.inner_text()) == (turn == 1)
        no_barrier(page)
        row.locator("h3 a").click()
        page.wait_for_selector("h1.understood")
        if not turn:
            page.click("text=Bring the next version")
            assert f"The next version of {title}" in page.inner_text("main")
    page.click("text=2 versions")
    page.locator("details a", has_text="version").nth(1).click()
    page.wait_for_selector("text=40 units")
    page.click("text=Delete these files")
    page.click("text=Delete for good")
    page.wait_for_url("**/researcher")
    assert "Tone" not in page.inner_text("main")


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
        again = program.post("/files", params={"name": "a.csv"}, content=b"unit,rater,value\na,P,1\na,Q,1\n").json()[
            "key"
        ]
        assert (
            program.post(
                f"/files/{again}/files", params={"name": "b.csv"}, content=b"unit,rater,value\nb,P,1\nb,Q,2\n"
            ).status_code
            == 201
        )
        kept = program.post(f"/files/{again}/keep", params={"title": "Two", "level": "ordinal"}).json()
        assert program.get("/kept").json()[0] == kept
        assert program.get(f"/files/{kept['key']}").json()["account"]["n_units"] == 2
        assert program.delete(f"/files/{kept['key']}").status_code == 204
        assert program.get("/kept").json() == []
