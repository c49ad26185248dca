"""The three examples, from the first link to the export: a real Chromium by keyboard alone, others without any script.

What was typed is written down here, and the coefficients of the export are those of what was typed.
"""

from __future__ import annotations

import csv
import json
import math
import tomllib
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import httpx
import pytest

from concordant.tasks.question import normalised
from tests.barriers import no_barrier
from tests.cli.running import run
from tests.web.conftest import Serving, Watched, serving
from tests.web.driving import all_saved, key, kind, press, ready, steady, text
from tests.web.plain import Plain

if TYPE_CHECKING:
    from playwright.sync_api import Page


pytestmark = pytest.mark.browser

Visit = Callable[..., Watched]
Row = dict[str, str]  # unit, rater, question, value


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """The three examples on one server."""
    with serving(tmp_path_factory.mktemp("examples"), ("features", "preferences", "experiment")) as running:
        yield running


def concordant(server: Serving, *arguments: str) -> str:
    """Run a command as a user does."""
    return run(*arguments, cwd=server.folder).stdout


def coefficients(server: Serving, file: str, *options: str) -> list[dict[str, Any]]:
    """What `concordant measure` says about a file, without names and signatures."""
    said = json.loads(concordant(server, "measure", file, "--ci", "none", "--json", *options))
    kept = ("measure", "question", "value", "observed", "expected", "n_units", "n_judgements")
    results = [{name: result[name] for name in kept} for result in said["results"]]
    return sorted(results, key=lambda result: (result["question"] or "", result["measure"]))


def check_export(server: Serving, study: str, typed: list[Row], *options: str) -> None:
    """The export holds what was typed, and has the same coefficients."""
    concordant(server, "export", study, "--db", server.database, "-o", f"{study}.csv")
    with (server.folder / f"{study}-typed.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, ["unit", "rater", "question", "value"])
        writer.writeheader()
        writer.writerows(typed)
    with (server.folder / f"{study}.csv").open(encoding="utf-8", newline="") as file:
        exported = [
            {name: row[name] for name in ("unit", "rater", "question", "value")}
            for row in csv.DictReader(file)
            if row["kind"] == "main"
        ]
    assert sorted(exported, key=str) == sorted(typed, key=str)
    expected = coefficients(server, f"{study}-typed.csv", *options)
    assert expected
    found = coefficients(server, f"{study}.csv", "--where", "kind=main", *options)
    assert len(found) == len(expected)
    assert all(is_same(one[name], other[name]) for one, other in zip(found, expected, strict=True) for name in one)


def is_same(one: Any, other: Any) -> bool:
    """Equal; numbers but for the last bits, which the order of rows may change in a sum."""
    if isinstance(one, float) and isinstance(other, float):
        return math.isclose(one, other, rel_tol=1e-12)
    return bool(one == other)


def rows_of(server: Serving, study: str, file: str) -> list[Row]:
    """A data file of a study."""
    with (server.folder / study / file).open(encoding="utf-8", newline="") as opened:
        return list(csv.DictReader(opened))


# ---- features: yes and no, some put aside first ----


def feature_answer(rater: str, question: str, response: str) -> str:
    """What a rater thinks of a response."""
    return "yes" if steady(rater if steady(response) % 4 == 0 else "both", question, response) % 3 else "no"


def features_in_chromium(page: Page, rater: str) -> dict[tuple[str, str], str]:
    """Answer every response of every pass with Y and N, some after "Not sure"."""
    given: dict[tuple[str, str], str] = {}
    put_aside: set[str] = set()
    while kind(page) == "judging":
        question, response = str(page.locator(".asked").get_attribute("data-question")), text(page)
        if steady(response, question) % 11 == 0 and key(page) not in put_aside:
            put_aside.add(key(page))
            press(page, "u")
            continue
        given[question, response] = feature_answer(rater, question, response)
        press(page, given[question, response][0])
    assert put_aside
    return given


def features_without_script(server: Serving, rater: str) -> dict[tuple[str, str], str]:
    """The same without a script."""
    given: dict[tuple[str, str], str] = {}
    with httpx.Client(base_url=server.base, timeout=120) as client:
        plain = Plain(client)
        plain.go(server.links["features", rater])
        plain.press("continue")
        while plain.kind == "judging":
            question, response = plain.page.question, plain.page.classes["unit"]
            given[question, response] = feature_answer(rater, question, response)
            plain.press(given[question, response])
    return given


def test_features_from_the_link_to_the_coefficients(server: Serving, visit: Visit) -> None:
    watched = visit()
    page = watched.page
    page.goto(server.links["features", "A1"])
    ready(page)
    no_barrier(page)
    press(page, "Enter")
    no_barrier(page)
    given = {"A1": features_in_chromium(page, "A1"), "A2": features_without_script(server, "A2")}
    assert kind(page) == "thanks"
    all_saved(page)
    no_barrier(page)
    watched.check(server.base)
    shown = {normalised(response): response for _, response in given["A1"]}
    typed = [
        {
            "unit": row["id"],
            "rater": rater,
            "question": question,
            "value": answers[question, shown[normalised(row["response"])]],
        }
        for rater, answers in given.items()
        for question in sorted({question for question, _ in answers})
        for row in rows_of(server, "features", "responses.csv")
    ]
    check_export(server, "features", typed)


# ---- preferences: the two texts change places, what is stored does not ----


def preferred(rater: str, responses: tuple[str, ...]) -> str:
    """The response a rater prefers, or "same", whatever the order they are shown in."""
    first, second = sorted(responses)
    return [first, second, "same"][steady(rater if steady(first) % 3 == 0 else "both", first, second) % 3]


def preferences_in_chromium(page: Page, rater: str) -> dict[frozenset[str], str]:
    """Choose with the arrow keys, or S."""
    given: dict[frozenset[str], str] = {}
    while kind(page) == "judging":
        shown = tuple(page.locator("button.response span").all_inner_texts())
        choice = given[frozenset(shown)] = preferred(rater, shown)
        press(page, "s" if choice == "same" else ["ArrowLeft", "ArrowRight"][shown.index(choice)])
    return given


def test_preferences_from_the_link_to_the_coefficients(server: Serving, visit: Visit) -> None:
    given = {}
    for rater, width in (("A1", 1280), ("A2", 375)):
        watched = visit(width=width)
        watched.page.goto(server.links["preferences", rater])
        ready(watched.page)
        press(watched.page, "Enter")
        no_barrier(watched.page)
        given[rater] = preferences_in_chromium(watched.page, rater)
        all_saved(watched.page)
        watched.check(server.base)
    texts = {row["id"]: row["response"] for row in rows_of(server, "preferences", "responses.csv")}
    plan = json.loads((server.folder / "preferences" / "plan.json").read_text(encoding="utf-8"))
    typed = [
        {"unit": pair["id"], "rater": rater, "question": "better", "value": value}
        for rater, choices in given.items()
        for pair in plan["pairs"]
        for choice in [choices[frozenset((texts[pair["a"]], texts[pair["b"]]))]]
        for value in ["same" if choice == "same" else "A" if choice == texts[pair["a"]] else "B"]
    ]
    assert len(typed) == 48
    check_export(server, "preferences", typed)


# ---- the experiment: words in patterns ----

GIVEN: dict[str, dict[str, list[str]]] = {}  # what each participant of the experiment filled in, in the order they came
PATTERNS = ("similar", "related", "active", "possible", "result")


def patterns_for(rater: str, adjective: str) -> list[str]:
    """The one or two patterns that a participant fills in."""
    first = steady(adjective) % 5
    return [PATTERNS[first], PATTERNS[(first + 1) % 5]][: 1 + steady(rater, adjective) % 2]


def through_opening(page: Page) -> None:
    """Consent, describe oneself and read the instructions, with the keyboard."""
    page.locator("[name=consent]").focus()
    page.keyboard.press("Space")
    page.keyboard.press("Tab")
    press(page, "Enter")
    assert kind(page) == "participant"
    no_barrier(page)
    page.keyboard.press("Tab")
    page.keyboard.type("33")
    press(page, "Enter")
    assert kind(page) == "instructions"
    no_barrier(page)
    press(page, "Enter")


def experiment_in_chromium(page: Page, rater: str) -> dict[str, list[str]]:
    """Fill in patterns by typing into them and press Enter."""
    given: dict[str, list[str]] = {}
    checked: set[str] = set()
    while kind(page) in {"training", "feedback", "judging"}:
        if kind(page) not in checked:
            checked.add(kind(page))
            no_barrier(page)
        if kind(page) != "feedback":
            adjective = text(page)
            for pattern in patterns_for(rater, adjective):
                page.locator(f"[name='q:definition:{pattern}']").focus()
                page.keyboard.type("word")
            given |= {adjective: patterns_for(rater, adjective)} if kind(page) == "judging" else {}
        press(page, "Enter")
    return given


def experiment_without_script(server: Serving, rater: str) -> dict[str, list[str]]:
    """The same without a script."""
    given: dict[str, list[str]] = {}
    with httpx.Client(base_url=server.base, timeout=120) as client:
        plain = Plain(client)
        plain.go("/s/experiment")
        plain.start()
        plain.press("consent", {"consent": "yes"})
        plain.press("describe", {"p:age": "50"})
        plain.press("continue")
        while plain.kind in {"training", "feedback", "judging"}:
            adjective = plain.page.classes["unit"]
            filled: dict[str, str | list[str]] = {f"q:definition:{p}": "word" for p in patterns_for(rater, adjective)}
            if plain.kind == "judging":
                given[adjective] = patterns_for(rater, adjective)
            plain.press(*(("continue",) if plain.kind == "feedback" else ("next", filled)))
    return given


@pytest.mark.parametrize("width", [1280, 375])
def test_experiment_on_a_desk_and_on_a_phone(server: Serving, visit: Visit, width: int) -> None:
    watched = visit(width=width, has_touch=width < 500)
    page = watched.page
    page.goto(server.links["experiment", "open to everybody"])
    no_barrier(page)
    page.locator("button.main").focus()
    page.keyboard.press("Enter")
    ready(page)
    no_barrier(page)
    through_opening(page)
    given = experiment_in_chromium(page, f"width {width}")
    assert len(given) == 30
    assert kind(page) == "thanks"
    all_saved(page)
    no_barrier(page)
    watched.check(server.base)
    GIVEN[f"width {width}"] = given


def test_experiment_from_the_link_to_the_coefficients(server: Serving) -> None:
    assert len(GIVEN) == 2, "the two tests above come first"
    for rater in ("plain 1", "plain 2"):
        GIVEN[rater] = experiment_without_script(server, rater)
    study = tomllib.loads((server.folder / "experiment" / "study.toml").read_text(encoding="utf-8"))
    category = {pattern["id"]: pattern["category"] for pattern in study["questions"][0]["patterns"]}
    classes = list(dict.fromkeys(category.values()))
    ids = {row["adjective"]: row.get("id", row["adjective"]) for row in rows_of(server, "experiment", "adjectives.csv")}
    concordant(server, "export", "experiment", "--db", server.database, "-o", "order.csv")
    order = list(
        dict.fromkeys(
            row["rater"] for row in sorted(rows_of(server, ".", "order.raters.csv"), key=lambda row: row["first_at"])
        )
    )
    typed = [
        {
            "unit": ids[adjective],
            "rater": rater,
            "question": "definition",
            "value": "+".join(c for c in classes if c in {category[p] for p in patterns}),
        }
        for rater, given in zip(order, GIVEN.values(), strict=True)
        for adjective, patterns in given.items()
    ]
    assert len(typed) == 120
    check_export(server, "experiment", typed, "--level", "set")
