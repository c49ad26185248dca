"""Treebanking from the first link to the coefficients: two raters in a real Chromium, and what they decided elsewhere.

What a rater decides is written down here as moves; everything that the log, the exports and the coefficients say must
follow from them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Any

import pytest

from concordant.design.description import Description
from concordant.design.study_file import read
from concordant.studio.people import personal_link
from concordant.treebank.disambiguation import Choosing, Parses
from concordant.treebank.profile import read_profile
from tests.barriers import no_barrier
from tests.web.conftest import Serving, Watched, serving
from tests.web.driving import all_saved, kind, press, ready, steady, text
from tests.web.pages.test_flow import PASSWORD, sign_in
from tests.web.samples import running, unit
from tests.web.test_examples_in_browser import Row, check_export, concordant
from tests.web.test_treebanking import forest, sample

if TYPE_CHECKING:
    from playwright.sync_api import Page


pytestmark = pytest.mark.browser

Visit = Callable[..., Watched]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """The example on a server."""
    with serving(tmp_path_factory.mktemp("treebank"), ("treebank",)) as running:
        yield running


@pytest.fixture(scope="module")
def description(server: Serving) -> Description:
    """The example as it was served."""
    return read(server.folder / "treebank")


def parses_of(description: Description, sentence: str) -> Parses:
    found = next(unit.parses for unit in description.unit_by_id.values() if unit.text == sentence)
    assert found is not None
    return found


def current(page: Page) -> str:
    """The name of the discriminant that Y and N are about."""
    return str(page.locator("li.current button").first.get_attribute("value")).removeprefix("yes ")


def standing(page: Page) -> str:
    return page.locator(".standing").inner_text()


def decide(page: Page, rater: str, parses: Parses) -> list[str]:
    """Decide one sentence with the keyboard: reject it, take the second drawn tree, or answer until one parse is left."""
    way = steady(rater, text(page)) % 6
    if way == 0:
        press(page, "r")
        return ["reject"]
    if way == 1 and len(parses) > 1:
        second = page.locator("button[data-key='2']").get_attribute("value")
        press(page, "2")
        return [str(second)]
    moves: list[str] = []
    wanted = steady(rater if way == 2 else "both", text(page)) % len(parses)
    while page.locator("li.current").count():
        name = current(page)
        answer = "yes" if parses.table.holds[parses.rows[name], wanted] else "no"
        moves.append(f"{answer} {name}")
        press(page, answer[0])
    return moves


def treebank(page: Page, rater: str, description: Description) -> dict[str, Choosing]:
    """Decide every sentence; what was decided, by sentence."""
    given: dict[str, Choosing] = {}
    checked: set[tuple[str, bool]] = set()
    while kind(page) in {"training", "feedback", "judging"}:
        look = (kind(page), "of 10" in page.content())
        if look not in checked:
            checked.add(look)
            no_barrier(page)
        if kind(page) == "feedback":
            press(page, "Enter")
            continue
        parses = parses_of(description, text(page))
        choosing = Choosing(parses).after(decide(page, rater, parses))
        assert choosing.verdict != "undecided"
        no_barrier(page)
        if kind(page) == "judging":
            given[text(page)] = choosing
        press(page, "Enter")
    return given


@pytest.fixture(scope="module")
def given() -> dict[str, dict[str, Choosing]]:
    """What each rater decided, by sentence."""
    return {}


@pytest.mark.parametrize(("rater", "width"), [("A1", 1280), ("A2", 375)])
def test_deciding_by_keyboard_on_a_desk_and_on_a_phone(
    server: Serving,
    visit: Visit,
    description: Description,
    given: dict[str, dict[str, Choosing]],
    rater: str,
    width: int,
) -> None:
    watched = visit(width=width)
    page = watched.page
    page.goto(server.links["treebank", rater])
    ready(page)
    no_barrier(page)
    press(page, "Enter")
    given[rater] = treebank(page, rater, description)
    assert kind(page) == "thanks"
    all_saved(page)
    watched.check(server.base)
    assert len(given[rater]) == 9
    assert {choosing.verdict for choosing in given[rater].values()} == {"accepted", "rejected"}


def judgements(description: Description, given: dict[str, dict[str, Choosing]]) -> list[Row]:
    """What was decided, as ordinary judgements."""
    numbers = {unit.text: unit.id for unit in description.units}
    rows: list[Row] = []
    for rater, choices in given.items():
        for sentence, choosing in choices.items():
            about = {"rater": rater, "question": "reading"}
            decided = {key: state.answer for key, state in choosing.states.items() if state.answer}
            rows += [
                {"unit": f"{numbers[sentence]} {key.name}", **about, "value": value} for key, value in decided.items()
            ]
            verdict = {"question": "reading-verdict", "value": choosing.verdict}
            rows.append({"unit": numbers[sentence], "rater": rater, **verdict})
    return rows


def test_the_export_holds_what_was_decided_with_the_same_coefficients(
    server: Serving, description: Description, given: dict[str, dict[str, Choosing]]
) -> None:
    assert len(given) == 2, "the tests above come first"
    check_export(server, "treebank", judgements(description, given))


def kappa_of_marks(given: dict[str, dict[str, Choosing]]) -> float:
    """Y-Option Kappa by its definition: the mean over sentences of (A_o − .5) / .5 over what both have decided."""
    values = []
    for sentence in given["A1"]:
        a, b = ({key: state.answer for key, state in given[rater][sentence].states.items()} for rater in ("A1", "A2"))
        both = [(a[key], b[key]) for key in a if a[key] and b[key]]
        if both:
            values.append((fmean(x == y for x, y in both) - 0.5) / 0.5)
    return fmean(values)


def test_the_profiles_are_read_back_with_the_y_option_kappa_of_the_marks(
    server: Serving, description: Description, given: dict[str, dict[str, Choosing]]
) -> None:
    said = concordant(server, "export", "treebank", "--db", server.database, "-o", "profiles", "--format", "profile")
    assert "Wrote profiles/A1, profiles/A2." in said
    results = json.loads(concordant(server, "treebank", "profiles/A1", "profiles/A2", "--json"))["results"]
    by_measure: dict[str, Any] = {result["measure"]: result for result in results}
    assert by_measure["y_option"]["value"] == pytest.approx(kappa_of_marks(given), abs=1e-12)
    numbers = {unit.id: unit.text for unit in description.units}
    for rater, choices in given.items():
        profile = read_profile(server.folder / "profiles" / rater)
        assert (profile.author, profile.broken) == (rater, ())
        for id, sentence in numbers.items():
            annotation, choosing = profile.annotations[id], choices[sentence]
            assert annotation.status == choosing.verdict
            assert (annotation.chosen.result if annotation.chosen else None) == choosing.as_value()["result"]
            codes = {decision.discriminant: decision.state for decision in annotation.decisions}
            assert codes == {key: state.code for key, state in choosing.states.items() if state.answer}


def test_pydelphin_reads_the_profiles(server: Serving) -> None:
    from delphin import itsdb

    suite = itsdb.TestSuite(server.folder / "profiles" / "A1")
    assert len(suite["item"]) == 10
    decisions = list(suite["decision"].select("d-state", "d-date"))
    for name in ("item", "decision"):
        suite[name].close()
    assert {1, 3, 4, 5} <= {state for state, _ in decisions}
    assert all(date.year >= 2024 for _, date in decisions)


def test_a_folder_that_is_there_is_not_overwritten(server: Serving) -> None:
    with pytest.raises(AssertionError, match="is there already"):
        concordant(server, "export", "treebank", "--db", server.database, "-o", "profiles", "--format", "profile")
    assert [path.name for path in server.folder.glob(".profiles-*")] == []


def test_no_request_left_the_server_and_the_folder_is_as_it_was(server: Serving) -> None:
    """The profile that the study shows is only ever read."""
    fresh = server.folder / "fresh"
    concordant(server, "init", str(fresh), "--example", "treebank")
    for file in (fresh / "profile").iterdir():
        assert (server.folder / "treebank" / "profile" / file.name).read_bytes() == file.read_bytes()
    assert Path(server.folder / "treebank" / "plan.json").exists()


# ---- the keys that the raters above did not need, on a large forest ----


def test_the_arrow_keys_undo_and_focus_on_a_large_forest(tmp_path: Path, visit: Visit) -> None:
    large = sample(tmp_path, units=(unit(1, parses=forest(500)), unit(2)))
    with running(tmp_path, large) as run:
        watched = visit()
        page = watched.page
        page.goto(run.base + personal_link(run.server, "sample", "Ada"))
        ready(page)
        if "of 500" not in standing(page):
            press(page, "r")
            press(page, "Enter")
        no_barrier(page)
        first = current(page)
        page.keyboard.press("ArrowDown")
        second = current(page)
        assert second != first
        page.keyboard.press("ArrowUp")
        assert current(page) == first
        press(page, "ArrowRight")
        assert current(page) not in (first, second)
        assert page.locator("[data-row]").count() == 10
        press(page, "ArrowLeft")
        page.keyboard.press("ArrowDown")
        press(page, "n")
        assert page.locator(".decided li").count() == 1
        assert page.evaluate("document.activeElement.classList.contains('standing')"), "the news is read out"
        no_barrier(page)
        press(page, "z")
        assert standing(page) == "Parses left: 500 of 500. Open decisions: 36."
        press(page, "1")
        page.keyboard.press("Enter")
        page.wait_for_function(
            "document.querySelector('main').dataset.n !== '1' || document.querySelector('main').dataset.kind === 'thanks'"
        )
        all_saved(page)
        watched.check(run.base)


def test_a_page_reloaded_in_the_middle_shows_what_was_decided(tmp_path: Path, visit: Visit) -> None:
    with running(tmp_path, sample(tmp_path)) as run:
        page = visit().page
        page.goto(run.base + personal_link(run.server, "sample", "Ada"))
        ready(page)
        press(page, "n")
        said = standing(page)
        all_saved(page)
        page.reload()
        ready(page)
        assert standing(page) == said
        page.keyboard.press("Enter")
        page.wait_for_selector("[data-complaint]")
        assert "reject them all" in page.locator("[data-complaint]").inner_text()


# ---- the adjudicator ----


def test_an_adjudicator_decides_and_the_export_has_it(
    server: Serving, visit: Visit, given: dict[str, dict[str, Choosing]]
) -> None:
    disputed = [s for s in given["A1"] if given["A1"][s].as_value()["result"] != given["A2"][s].as_value()["result"]]
    assert disputed
    concordant(server, "researcher", "maria", "treebank", "--db", server.database, "--password", PASSWORD)
    watched = visit()
    page = watched.page
    sign_in(page, server.base, "maria")
    for name in ("agreement", "disagreements", "gold", "report"):
        page.goto(f"{server.base}/studies/treebank/{name}")
        no_barrier(page)
    page.goto(f"{server.base}/studies/treebank/disagreements/decide")
    no_barrier(page)
    assert "A1" not in page.inner_text("main")
    while page.locator("#decide").count():
        if "Nothing is ambiguous" not in standing(page):
            page.keyboard.press("r")
            page.wait_for_selector(".standing.warn")
        page.click("button[name=decide]")
        page.wait_for_load_state()
    no_barrier(page)
    concordant(server, "export", "treebank", "--db", server.database, "-o", "decided", "--format", "profile")
    found = read_profile(server.folder / "decided" / "adjudicated").annotations.values()
    texts = {one.text: one.status for one in found if one.has_trace}
    assert len(texts) == 9
    assert all(texts[s] == "rejected" for s in disputed if len(given["A1"][s].parses) > 1)
    watched.check(server.base)
