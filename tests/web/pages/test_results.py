"""The page that a study opens on: the verdict first, on one axis; what to do next; nothing moves while one reads."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from concordant.collection.events import Answered
from concordant.design.description import Rater
from concordant.diagnosis.diagnose import diagnose
from concordant.studio import dashboard, measurements
from concordant.studio.people import hashed, place_of
from concordant.tasks.question import Option, Question
from tests.barriers import no_barrier
from tests.studio.test_rounds import changed_between
from tests.web.conftest import Watched
from tests.web.members import PASSWORD, RESEARCHER, bearer
from tests.web.plain import Plain
from tests.web.samples import RunningServer, running, study, unit

if TYPE_CHECKING:
    from playwright.sync_api import Page

FIVE = tuple(str(n) for n in range(1, 6))
TITLES = ("Fluency", "Tone", "Coverage", "Faithfulness", "<b>Hedges</b>")
HOSTILE = "<script>window.hacked = 1</script>"


def asked(number: int) -> Question:
    """One question with five points."""
    points = tuple(Option(value=value, label=value) for value in FIVE)
    return Question(id=f"q{number}", task="ordinal", title=TITLES[number], ask="How good is it?", options=points)


def said(question: int, place: int, rater: str) -> str:
    """Ada, Ben and Cem order alike, Cem is a point stricter on the first question; on the second all agree."""
    true = 2 + (place * 7 + question) % 4
    if question == 0 and rater == "Cem":
        return str(true - 1)
    return str(true if question < 2 or rater != "Ben" or place % 5 else min(5, max(1, true + (1 if place % 2 else -1))))


def fill(run: RunningServer) -> None:
    """Three raters have judged forty texts."""
    log, sample = run.server.log, run.server.studies["sample"]
    run.server.accounts.add_researcher(RESEARCHER, hashed(PASSWORD), study="sample")
    for rater in ("Ada", "Ben", "Cem"):
        steps = log.enrol(sample, rater).steps
        log.append(
            "sample",
            [
                Answered(rater=rater, step=int(step["number"]), unit=step["unit"], question=one.id, value=said(number, int(step["unit"][1:]), rater), seconds=4.0)
                for step in steps
                for number, one in enumerate(sample.description.questions)
                if one.id in step["questions"]
            ],
        )  # fmt: skip


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """Five questions about forty texts, some of them hostile."""
    folder: Path = tmp_path_factory.mktemp("results")
    kinds = ("news", "blog", "letter", "talk")
    units = tuple(
        unit(
            n, text=f"{HOSTILE} Text {n} of the mayor.", image=None, alternatives={}, attributes={"kind": kinds[n % 4]}
        )
        for n in range(1, 41)
    )
    raters = tuple(Rater(id=name) for name in ("Ada", "Ben", "Cem"))
    questions = tuple(asked(number) for number in range(5))
    sample = study(folder, "ordinal", units=units, raters=raters, questions=questions)
    with running(folder, sample) as server:
        fill(server)
        yield server


def test_the_sentences_are_those_of_the_diagnosis(run: RunningServer) -> None:
    place = place_of(run.server, RESEARCHER, "sample")
    found = dashboard.results(place)
    told = diagnose(place.latest().judgements).verdict
    assert found.headline == told.sentence
    assert [line.sentence for line in found.lines] == [one.sentence for one in told.questions]
    assert "Fluency: Cem is 1.0 points stricter than the others." in found.headline
    german = dashboard.results(place, language="de")
    assert "Cem urteilt um 1.0 Punkte strenger als die anderen" in german.headline
    assert german.axis == found.axis


def test_no_sentence_holds_a_key_a_flag_or_is_too_long(run: RunningServer) -> None:
    place = place_of(run.server, RESEARCHER, "sample")
    for language in ("en", "de"):
        for line in dashboard.results(place, language=language).lines:
            assert len(line.sentence) <= 140
            assert "--" not in line.sentence
            assert not {"alpha", "ac1", "tau_b", "u1", "q0"} & set(line.sentence.replace(".", " ").split())


def test_what_to_do_next_starts_with_the_worst_and_never_says_stop(run: RunningServer) -> None:
    place = place_of(run.server, RESEARCHER, "sample")
    steps = dashboard.results(place).steps
    assert (steps[0].kind, steps[0].values["rater"]) == ("recalibrate", "Cem")
    without = float(str(steps[0].values["then"]))
    assert without > float(str(steps[0].values["now"]))
    assert len(steps) <= 3
    assert "stop" not in {one.kind for one in steps}
    measurements.aim(place, 1.9)
    assert "stop" not in {one.kind for one in dashboard.results(place).steps}
    assert "leave" in {one.kind for one in dashboard.results(place).steps}


def test_a_category_has_one_colour_and_levels_one_axis(run: RunningServer) -> None:
    found = dashboard.results(place_of(run.server, RESEARCHER, "sample"), question="q0", by="kind")
    assert [one.tone for one in found.legend] == ["o1", "o2", "o3", "o4", "o5"]
    colours = {(share.label, share.tone) for split in found.splits for share in split.shares}
    assert colours <= {(one.label, one.tone) for one in found.legend}
    assert sorted(one.label for one in found.slices) == ["blog", "letter", "news", "talk"]
    [strict] = [one for one in found.raters if one.remark]
    assert (strict.rater, strict.remark, strict.by) == ("Cem", "stricter", "1.0")
    assert found.heat is not None
    assert found.heat.n_all == found.n_disputed == 40


def test_programs_get_the_same(run: RunningServer) -> None:
    client = run.visitor()
    client.headers.update(bearer(client.post("/api/keys", json={"name": RESEARCHER, "password": PASSWORD})))
    told = client.get("/api/studies/sample/results?question=q1").json()
    assert told["headline"] == dashboard.results(place_of(run.server, RESEARCHER, "sample")).headline
    assert told["question"] == "q1"
    assert client.get("/api/studies/sample/results?question=nothing").status_code == 404


def sign_in(page: Page, base: str) -> None:
    page.goto(f"{base}/researcher/sign-in")
    page.fill("input[name=name]", RESEARCHER)
    page.fill("input[name=password]", PASSWORD)
    page.press("input[name=password]", "Enter")
    page.wait_for_url("**/researcher")


@pytest.mark.browser
@pytest.mark.parametrize(
    ("width", "height", "scheme"), [(1280, 800, "light"), (1280, 800, "dark"), (390, 844, "light")]
)
def test_the_verdict_is_seen_without_scrolling(
    run: RunningServer, visit: Callable[..., Watched], width: int, height: int, scheme: str
) -> None:
    watched = visit(width=width, height=height, color_scheme=scheme)
    page = watched.page
    sign_in(page, run.base)
    page.goto(f"{run.base}/studies/sample/results")
    no_barrier(page)
    assert page.evaluate("window.hacked") is None
    lows = page.evaluate(
        "() => [...document.querySelectorAll('#verdicts li')].map(one => one.getBoundingClientRect().bottom)"
    )
    assert len(lows) == 5
    tall = page.evaluate("document.documentElement.scrollHeight")
    if width == 1280:
        assert max(lows) <= 800
        assert tall <= 2000
    else:
        assert tall <= 4000
        assert page.locator("#verdicts .drawn svg >> nth=0").is_visible()
    for narrow in (320, width):
        page.set_viewport_size({"width": narrow, "height": height})
        assert page.evaluate("document.documentElement.scrollWidth") <= narrow
    box = page.locator(".tabs [aria-current]").bounding_box()
    assert box is not None
    assert 0 <= box["x"] <= width
    page.goto(f"{run.base}/studies/sample/results?by=kind&question=q0&lang=de")
    no_barrier(page)
    assert "Was als Nächstes zu tun ist" in page.inner_text("main")
    assert page.evaluate("document.documentElement.scrollHeight") <= (2800 if width == 1280 else 4800)
    watched.check(run.base)


@pytest.mark.browser
def test_jumping_by_key(run: RunningServer, visit: Callable[..., Watched]) -> None:
    page = visit().page
    sign_in(page, run.base)
    page.goto(f"{run.base}/studies/sample/report")
    page.keyboard.press("Control+k")
    page.wait_for_selector("#jump li")
    page.keyboard.type("sample")
    page.wait_for_selector("#jump a.sub")
    no_barrier(page)
    page.keyboard.type(" tone")
    page.wait_for_function("() => document.querySelectorAll('#jump li').length === 1")
    page.keyboard.press("Enter")
    page.wait_for_url("**/disagreements?question=q1")


def test_old_addresses_lead_on(run: RunningServer) -> None:
    client = run.visitor()
    for old, new in (
        ("", ""),
        ("/agreement", "/results"),
        ("/adjudication", "/disagreements"),
        ("/gold", "/report/gold"),
        ("/report", "/report"),
    ):
        reply = client.get(f"/researcher/studies/sample{old}?x=1")
        assert (reply.status_code, reply.headers["location"].split("?")[0]) == (
            308,
            f"/studies/sample{new}".replace("/disagreements", "/disagreements/decide"),
        )


def test_a_page_of_a_study_weighs_little(run: RunningServer) -> None:
    client = run.visitor()
    client.headers.update(bearer(client.post("/api/keys", json={"name": RESEARCHER, "password": PASSWORD})))
    scripts = sum(len(client.get(f"/static/{name}").content) for name in ("studio.js", "tasks.js"))
    assert scripts <= 60_000
    for tab in ("build", "raters", "results", "disagreements", "report"):
        assert len(client.get(f"/studies/sample/{tab}").content) < 200_000


def test_rounds_are_compared_where_guidelines_changed(
    tmp_path_factory: pytest.TempPathFactory, visit: Callable[..., Watched]
) -> None:
    home = tmp_path_factory.mktemp("rounds")
    with running(home, home=home) as server:
        house = server.server
        house.accounts.add_researcher(RESEARCHER, hashed(PASSWORD))
        changed_between(house, RESEARCHER)
        browser = visit()
        page = browser.page
        page.goto(f"{server.base}/studies/saetze/results")
        page.get_by_label("Name").fill(RESEARCHER)
        page.get_by_label("Password").fill(PASSWORD)
        with page.expect_navigation():
            page.get_by_role("button", name="Sign in").click()
        page.goto(f"{server.base}/studies/saetze/results")
        said = page.locator("#rounds").inner_text()
        assert "Quality: guidelines 1 → 2. Agreement is higher since the change." in said
        assert "95 % interval +" in said
        page.goto(f"{server.base}/studies/saetze/build/guidelines")
        assert page.locator("#wordings ins").inner_text().strip() == "*very*"
        assert page.locator("#wordings del").count() == 0
        browser.check(server.base)


def signed_in(server: RunningServer, path: str) -> str:
    """A page as the researcher sees it."""
    visitor = Plain(server.visitor())
    visitor.go("/researcher")
    form = {**dict(visitor.page.forms[""].fields), "name": RESEARCHER, "password": PASSWORD}
    visitor.client.post("/researcher/sign-in", data=form, follow_redirects=True)
    visitor.go(path)
    return visitor.html


def test_rates_of_yes_stand_side_by_side_for_the_parts_of_an_attribute(tmp_path: Path) -> None:
    """SAILS, Table 4.3: a row for each question, what each group said beside each other under every heading."""
    units = tuple(unit(n, attributes={"writer": ("native", "learner")[n % 2]}) for n in range(1, 17))
    raters = tuple(Rater(id=name) for name in ("Ada", "Ben"))
    options = (Option(value="yes", label="Yes"), Option(value="no", label="No"))
    questions = tuple(
        Question(id=id, task="binary", title=id.title(), ask="Is it?", options=options) for id in ("true", "clear")
    )
    sample = study(tmp_path, "binary", units=units, raters=raters, questions=questions)
    with running(tmp_path, sample) as server:
        server.server.accounts.add_researcher(RESEARCHER, hashed(PASSWORD), study="sample")
        for rater in ("Ada", "Ben"):
            for step in server.server.log.enrol(sample, rater).steps:
                place, [question] = int(step["unit"][1:]), step["questions"]
                word = "yes" if (place // 2 + (rater == "Ben" and place % 5 == 0)) % 3 else "no"
                answer = Answered(
                    rater=rater, step=int(step["number"]), unit=step["unit"], question=question, value=word
                )
                server.server.log.append("sample", [answer])
        parts = measurements.parts(place_of(server.server, RESEARCHER, "sample"), by="writer")
        [whole, apart] = parts.rates
        assert whole.side_by_side() is None
        beside = apart.side_by_side()
        assert beside is not None
        assert [row[0] for row in beside.rows] == ["True", "Clear"]
        assert {"Average native", "Observed learner"} < set(beside.headers)
        page = signed_in(server, "/studies/sample/results?by=writer")
        assert "<h3>writer side by side</h3>" in page
        assert "Cohen&#39;s kappa native" in page
