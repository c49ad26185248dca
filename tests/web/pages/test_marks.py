"""Spans from marking to the gold standard: measured as the command line does, decided by mouse and key."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from concordant.collection.events import Answered, Continued
from concordant.studio.people import hashed
from tests.cli.running import run as concordant
from tests.web.conftest import Watched
from tests.web.members import PASSWORD, RESEARCHER, bearer
from tests.web.samples import RunningServer, running, study

if TYPE_CHECKING:
    from playwright.sync_api import Page


# Ana planted tree number 1 in Lisbon.
ANA, TREE, LISBON = (0, 3, "PER"), (12, 16, "PER"), (29, 35, "LOC")
MARKED = {"Ada": [ANA, LISBON], "Ben": [ANA, TREE, LISBON], "Cem": [ANA, LISBON]}


@pytest.fixture
def run(tmp_path: Path) -> Iterator[RunningServer]:
    """Three raters have marked two texts; one of them marks a word more."""
    with running(tmp_path, study(tmp_path, "spans", n_units=2)) as server:
        server.server.accounts.add_researcher(RESEARCHER, hashed(PASSWORD))
        for rater, spans in MARKED.items():
            _mark(server, rater, [{"begin": begin, "end": end, "category": name} for begin, end, name in spans])
        yield server


def _mark(run: RunningServer, rater: str, spans: list[dict[str, object]]) -> None:
    for step in run.server.log.enrol(run.server.studies["sample"], rater).steps:
        number = int(step["number"])
        said = Answered(rater=rater, step=number, unit=step["unit"], question="spans", value=spans, seconds=3.0)
        run.server.log.append("sample", [said, Continued(rater=rater, page="judging", step=number)])


def test_spans_are_measured_as_the_command_line_does(run: RunningServer, tmp_path: Path) -> None:
    client = run.visitor()
    client.headers.update(bearer(client.post("/api/keys", json={"name": RESEARCHER, "password": PASSWORD})))
    rows = [
        f"{unit},{rater},{begin},{end},{category}"
        for unit in ("u1", "u2")
        for rater, spans in MARKED.items()
        for begin, end, category in spans
    ]
    exported = tmp_path / "spans.csv"
    exported.write_text("text,rater,begin,end,category\n" + "\n".join(rows) + "\n", encoding="utf-8")
    keys = [part for key in ("gamma", "gamma_cat", "alpha_u") for part in ("--measure", key)]
    printed = json.loads(concordant("measure", exported, *keys, "--seed", "1", "--json").stdout)["results"]
    (told,) = client.get("/api/studies/sample/agreement/spans").json()
    values = {(one["measure"], one["slice"]["text"]): one["value"] for one in told["results"]}
    assert values == {(one["measure"], one["slice"]["text"]): one["value"] for one in printed}
    page = " ".join(client.get("/studies/sample/results").text.split()).replace("\xa0", " ")
    assert "Marked spans" in page
    [first, *_] = [one["interval"] for one in printed if one["measure"] == "gamma"]
    assert f"({first['low']:.3f} … {first['high']:.3f})" in page


def test_the_mean_over_ten_texts_has_an_interval(tmp_path: Path) -> None:
    """Every second text Ben marks a word more, so texts differ."""
    with running(tmp_path, study(tmp_path, "spans", n_units=10)) as server:
        server.server.accounts.add_researcher(RESEARCHER, hashed(PASSWORD))
        for rater in ("Ada", "Ben"):
            for step in server.server.log.enrol(server.server.studies["sample"], rater).steps:
                more = [TREE] if rater == "Ben" and int(step["number"]) % 2 else []
                spans = [{"begin": b, "end": e, "category": c} for b, e, c in sorted([ANA, LISBON, *more])]
                number, unit = int(step["number"]), step["unit"]
                said = Answered(rater=rater, step=number, unit=unit, question="spans", value=spans, seconds=3.0)
                server.server.log.append("sample", [said, Continued(rater=rater, page="judging", step=number)])
        client = server.visitor()
        client.headers.update(bearer(client.post("/api/keys", json={"name": RESEARCHER, "password": PASSWORD})))
        (told,) = client.get("/api/studies/sample/agreement/spans").json()
        interval, mean = told["intervals"]["Mathet's gamma"], told["summary"]["Mathet's gamma"]["Mean"]
        assert interval["method"] == "jackknife over 10 texts"
        assert interval["low"] < mean < interval["high"]
        asked = client.get("/studies/sample/results").text
        assert "10 texts were marked. How far raters agree on them is measured below." in asked
        assert "Measure the spans" in asked
        assert "10 Texte wurden markiert" in client.get("/studies/sample/results?lang=de").text
        shown = " ".join(client.get("/studies/sample/results?spans=yes&lang=en").text.split())
        assert f"<b>{mean:.3f}</b> ({interval['low']:.3f} … {interval['high']:.3f})" in shown.replace("\xa0", " ")
        assert "In brackets the 95 % interval of the mean, a jackknife over texts" in shown


def test_spans_have_a_report(run: RunningServer) -> None:
    client = run.visitor()
    client.headers.update(bearer(client.post("/api/keys", json={"name": RESEARCHER, "password": PASSWORD})))
    report = client.get("/api/studies/sample/report.md?spans=spans", timeout=120)
    assert "Mathet's gamma" in report.text
    assert client.get("/api/studies/sample/report.md?spans=nothing").status_code == 404
    assert client.get("/api/studies/sample/report.md").status_code == 404
    assert "report.md?spans=spans" in client.get("/studies/sample/report").text


def sign_in(page: Page, base: str) -> None:
    page.goto(f"{base}/researcher/sign-in")
    page.fill("input[name=name]", RESEARCHER)
    page.fill("input[name=password]", PASSWORD)
    page.press("input[name=password]", "Enter")
    page.wait_for_url("**/researcher")


@pytest.mark.browser
def test_spans_are_decided_by_mouse_and_by_key(run: RunningServer, visit: Callable[..., Watched]) -> None:
    page = visit().page
    sign_in(page, run.base)
    page.goto(f"{run.base}/studies/sample/disagreements/decide?unit=u1&question=spans")
    assert "Ana (Person), Lisbon (Place)" in page.inner_text(".given")
    page.wait_for_selector(".token")
    page.drag_and_drop(".token >> nth=0", ".token >> nth=0")
    page.keyboard.press("1")
    page.locator(".passage").focus()
    for _ in range(5):
        page.keyboard.press("ArrowRight")
    page.keyboard.press("2")
    assert page.locator("[data-marks] li").count() == 2
    page.click("button:text-is('Decide')")
    page.wait_for_selector("text=1 decided")
    (decision,) = run.server.adjudication.history("sample")
    assert decision.value[0] == {"begin": 0, "end": 3, "category": "PER"}
    assert len(decision.value) == 2


@pytest.mark.browser
def test_a_decision_can_start_from_an_answer(run: RunningServer, visit: Callable[..., Watched]) -> None:
    page = visit().page
    sign_in(page, run.base)
    page.goto(f"{run.base}/studies/sample/disagreements/decide?unit=u2&question=spans")
    page.click(".given li:has-text('tree') >> text=start from this")
    page.wait_for_selector("[data-marks] li >> nth=2")
    page.click("[data-marks] li:has-text('tree') button")
    page.click("button:text-is('Decide')")
    page.wait_for_selector("text=1 decided")
    page.goto(f"{run.base}/studies/sample/report/gold?question=spans&method=adjudicated")
    assert "Ana (Person), Lisbon (Place)" in page.inner_text("tr:has(th:has-text('tree number 2'))")
