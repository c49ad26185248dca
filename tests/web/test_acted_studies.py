"""One whole study for each source: acted through the real pages, its figures computed again from the raw log alone.

The raters know only what stands on their pages. What the commands say afterwards is compared with plain arithmetic on the
events, written here and nowhere else.
"""

import csv
import json
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from html import unescape
from itertools import combinations, permutations
from pathlib import Path
from shutil import copytree
from statistics import fmean
from typing import Any

import pytest

from concordant import log
from concordant.collection.session import Running
from concordant.design.examples import STUDIES
from concordant.design.plan import make_plan
from concordant.design.study_file import read
from concordant.studio.people import personal_link
from tests.cli.running import run
from tests.web.driving import steady
from tests.web.plain import Plain
from tests.web.samples import RunningServer, running

pytestmark = pytest.mark.slow

Answer = Callable[[str, str, str], tuple[str, dict[str, str | list[str]]]]
"""From rater, question and what stands on the page: the button to press, and the fields to fill in."""


@contextmanager
def opened(folder: Path) -> Iterator[tuple[RunningServer, Running]]:
    """The study in a folder, planned and served; its answers lie where the commands look for them."""
    description = read(folder)
    study = Running(description=description, plan=make_plan(description))
    with running(folder, study, database=f"sqlite:///{folder / 'study.db'}") as answering:
        yield answering, study
        answering.server.log.close()


def act(visitor: Plain, rater: str, answer: Answer, study: Running) -> None:
    """Go from the first page to the last."""
    about = {
        f"p:{one.id}": one.options[0].value if one.options else "30" if one.kind == "number" else "Catalan"
        for one in study.description.participant
    }
    for _ in range(600):
        match visitor.kind:
            case "thanks":
                return
            case "introduction":
                visitor.press("consent", {"consent": "yes"})
            case "participant":
                visitor.press("describe", {**about})
            case "judging":
                button, fields = answer(
                    rater, visitor.page.question, visitor.page.classes.get("unit", "").strip() or visitor.html
                )
                visitor.press(button, fields)
            case "training":
                button, fields = answer(
                    rater, visitor.page.question, visitor.page.classes.get("unit", "").strip() or visitor.html
                )
                visitor.press(button, fields)
            case _:
                visitor.press("continue")
        assert visitor.status == 200, (visitor.kind, visitor.html[:2000])
    raise AssertionError(f"no end: {visitor.kind}")


def act_all(folder: Path, answer: Answer) -> Running:
    """Every invited rater takes part."""
    with opened(folder) as (answering, study):
        for rater in study.description.raters:
            visitor = Plain(answering.visitor())
            visitor.go(personal_link(answering.server, study.description.name, rater.id))
            act(visitor, rater.id, answer, study)
    return study


def given(folder: Path) -> dict[tuple[str, str], dict[str, Any]]:
    """By question and unit what each rater said: the last of what stands at the first step at which they saw it.

    What was for practice is left out, and identical texts were judged once and stand for each of them.
    """
    found: dict[tuple[str, str], dict[str, Any]] = defaultdict(dict)
    step: dict[tuple[str, str, str], int] = {}
    study = read(folder)
    copies = {unit.id: unit.copies for unit in study.units}
    practised = {unit.id for unit in study.training.units} if study.training else set()
    for event in log(folder):
        if event["kind"] == "answered" and event["unit"] not in practised:
            place = event["question"], event["unit"], event["rater"]
            if step.setdefault(place, event["step"]) == event["step"]:
                for copy in copies.get(event["unit"]) or (event["unit"],):
                    found[event["question"], copy][event["rater"]] = event["value"]
    return found


def cohen(pairs: Sequence[tuple[Hashable, Hashable]]) -> float | None:
    """Cohen's kappa, as anybody would work it out on paper."""
    n = len(pairs)
    a, b = Counter(one for one, _ in pairs), Counter(two for _, two in pairs)
    observed = Fraction(sum(one == two for one, two in pairs), n)
    expected = sum((Fraction(a[c] * b[c], n * n) for c in a), Fraction(0))
    return None if expected == 1 else float((observed - expected) / (1 - expected))


def goodman_kruskal(pairs: Sequence[tuple[int, int]]) -> float | None:
    """Gamma: concordant less discordant pairs of units, of those that are either."""
    signs = [(a - c) * (b - d) for (a, b), (c, d) in combinations(pairs, 2)]
    up, down = sum(one > 0 for one in signs), sum(one < 0 for one in signs)
    return None if up + down == 0 else (up - down) / (up + down)


def measured(folder: Path, *words: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(run("measure", folder, *words, "--json").stdout)["results"]
    return found


def test_sails_from_features_to_ranks(tmp_path: Path) -> None:
    """Features are judged, then pairs; vectors, weights of each rater, scores and ranks follow from the answers."""
    features = Path(copytree(Path(str(STUDIES)) / "features", tmp_path / "features"))

    def judge(rater: str, question: str, text: str) -> tuple[str, dict[str, str | list[str]]]:
        truth = steady(text, question) % 3 > 0
        return ("yes" if truth != (rater == "A2" and steady(question, text) % 5 == 0) else "no"), {}

    act_all(features, judge)
    answers = given(features)
    results = {one["question"]: one for one in measured(features, "--measure", "kappa", "--ci", "none")}
    assert len(results) == 5
    for question, result in results.items():
        pairs = [(said["A1"], said["A2"]) for (asked, _), said in answers.items() if asked == question]
        assert len(pairs) == result["n_units"] > 20
        assert result["value"] == pytest.approx(cohen(pairs))

    preferences = made_of(features, tmp_path / "preferences")
    with (preferences / "responses.csv").open(encoding="utf-8") as stream:
        rows = {row["id"]: row for row in csv.DictReader(stream)}
    judged = {(question, unit): said["A1"] for (question, unit), said in answers.items()}
    names = [one.id for one in read(features).questions]
    for (name, unit), said in judged.items():
        assert rows[unit][name] == ("1" if said == "yes" else "0")

    liked = {row["text"]: sum(int(row[name]) for name in names) for row in rows.values()}

    def prefer(rater: str, question: str, page: str) -> tuple[str, dict[str, str | list[str]]]:
        """What has more features, mostly; now and then the other one, or neither."""
        slots = dict(re.findall(r'<button[^>]*value="([AB])"[^>]*>\s*<span>(.*?)</span>', page, re.DOTALL))
        worth = {slot: liked[unescape(text)] for slot, text in slots.items()}
        whim = steady(rater, *sorted(slots.values())) % 6
        return ("same" if whim == 0 else (min if whim == 1 else max)(worth, key=lambda slot: worth[slot])), {}

    study = act_all(preferences, prefer)
    sides = {pair.id: {"A": pair.a, "B": pair.b} for pair in study.plan.pairs}
    nets: dict[str, Counter[str]] = {rater: Counter() for rater in ("A1", "A2")}
    for (_, unit), given_by in given(preferences).items():
        shown = sides[unit]
        for rater, choice in given_by.items():
            if choice in shown:
                better, worse = shown[choice], shown["B" if choice == "A" else "A"]
                for name in names:
                    nets[rater][name] += (judged[name, better] == "yes") - (judged[name, worse] == "yes")
    systems = tmp_path / "systems.csv"
    systems.write_text("id,length\n" + "".join(f"{id},{len(row['text'])}\n" for id, row in rows.items()), "utf-8")
    words = ("--values", "A1", "--only", "A1", "--scores", systems, "--resamples", "5", "--json")
    found = json.loads(run("chain", features, preferences, *words).stdout)
    for rater, own in nets.items():
        assert {one["feature"]: one["net"] for one in found["weights"][rater]["features"]} == {n: own[n] for n in names}

    whole = sum(nets["A1"].values())
    scores = {id: sum(Fraction(nets["A1"][n], whole) for n in names if judged[n, id] == "yes") for id in rows}
    ranked = {one["unit"]: one for one in found["ranking"]["responses"]}
    assert set(ranked) == set(rows)
    for id, row in rows.items():
        apart = [scores[other] - scores[id] for other in rows if rows[other]["item"] == row["item"]]
        assert ranked[id]["score"] == pytest.approx(float(scores[id]), abs=0.01), "weights are rounded to sum to 1"
        assert sum(gap > 0.01 for gap in apart) < ranked[id]["rank"] <= sum(gap >= -0.01 for gap in apart)
    [system] = found["ranking"]["systems"]
    assert (system["system"], len(system["items"])) == ("length", 3)


def made_of(features: Path, folder: Path) -> Path:
    """A preference test of the responses whose features were judged, as A1 said."""
    copytree(Path(str(STUDIES)) / "preferences", folder)
    run("vectors", features, "--values", "A1", "-o", folder / "responses.csv")
    toml = (folder / "study.toml").read_text(encoding="utf-8")
    toml = re.sub(r'^(item|text|prompt) = "[a-z]*"$', r'\1 = "\1"', toml, flags=re.MULTILINE)
    (folder / "study.toml").write_text(toml, encoding="utf-8")
    return folder


def test_catalan_a_crowd_defines_adjectives(tmp_path: Path) -> None:
    """Participants fill in patterns; kappa of every two of one set, with sets of classes as categories."""
    folder = Path(copytree(Path(str(STUDIES)) / "experiment", tmp_path / "experiment"))
    patterns = {one.id: one.category for one in read(folder).questions[0].patterns}
    with opened(folder) as (answering, study):
        for number in range(6):
            visitor = Plain(answering.visitor())
            visitor.go(f"/s/{study.description.name}")
            visitor.start()

            def define(rater: str, question: str, text: str) -> tuple[str, dict[str, str | list[str]]]:
                chosen = list(patterns)[steady(text, (steady(text) % 4 and "all") or rater) % len(patterns)]
                return "next", {f"q:{question}:{chosen}": "big"}

            act(visitor, f"participant {number}", define, study)
    answers = given(folder)
    results = measured(folder, "--measure", "kappa", "--pairs", "--ci", "none")
    checked = 0
    for result in results:
        one, two = result["raters"]
        pairs = [
            (frozenset(patterns[id] for id in said[one]), frozenset(patterns[id] for id in said[two]))
            for said in answers.values()
            if one in said and two in said
        ]
        if pairs:
            assert (len(pairs), result["value"]) == (result["n_units"], pytest.approx(cohen(pairs)))
            checked += 1
    assert checked >= 6


RATINGS = """
name = "ratings"
title = "Generated questions"
[units]
file = "units.csv"
text = "text"
[[questions]]
id = "fluency"
task = "ordinal"
ask = "How fluent is it?"
options = [{ value = "1" }, { value = "2" }, { value = "3" }, { value = "4" }, { value = "5" }]
[[questions]]
id = "relevance"
task = "ordinal"
ask = "How relevant is it?"
options = [{ value = "1" }, { value = "2" }, { value = "3" }, { value = "4" }, { value = "5" }]
[[raters]]
id = "J1"
[[raters]]
id = "J2"
[[raters]]
id = "J3"
"""


def test_amidei_judges_rate_generated_questions(tmp_path: Path) -> None:
    """Kappa and Goodman and Kruskal's gamma of every two judges by criterion."""
    texts = [f"Which town has bridge number {n * 7 % 13}?" for n in range(14)]
    (tmp_path / "study.toml").write_text(RATINGS, encoding="utf-8")
    (tmp_path / "units.csv").write_text("id,text\n" + "".join(f"u{n},{t}\n" for n, t in enumerate(texts)), "utf-8")

    def rate(rater: str, question: str, text: str) -> tuple[str, dict[str, str | list[str]]]:
        level = steady(text, question) % 5 + steady(rater, text, question) % 2
        return str(min(max(level, 1), 5)), {}

    act_all(tmp_path, rate)
    answers = given(tmp_path)
    results = measured(tmp_path, "--measure", "kappa", "--measure", "gk_gamma", "--pairs", "--ci", "none")
    assert len(results) == 2 * 2 * 3
    for result in results:
        one, two = result["raters"]
        pairs = [
            (int(said[one]), int(said[two])) for (asked, _), said in answers.items() if asked == result["question"]
        ]
        expected = cohen(pairs) if result["measure"] == "kappa" else goodman_kruskal(pairs)
        assert (result["n_units"], result["value"]) == (len(pairs), pytest.approx(expected))


SPANS = """
name = "narrative"
title = "Levels of narration"
[units]
file = "texts.csv"
text = "text"
[[questions]]
id = "levels"
task = "spans"
ask = "Mark the levels."
options = [{ value = "frame" }, { value = "inner" }]
[[raters]]
id = "own"
[[raters]]
id = "foreign"
"""

Span = tuple[int, int, str]


def disorder(one: Sequence[Span], two: Sequence[Span]) -> float:
    """Gamma's observed disorder of two annotators: the cheapest of all alignments, tried one after the other."""

    def apart(a: Span, b: Span) -> float:
        gap = (abs(a[0] - b[0]) + abs(a[1] - b[1])) / (a[1] - a[0] + b[1] - b[0])
        return float(gap * gap) + (a[2] != b[2])

    few, many = sorted((one, two), key=len)
    slots = [*range(len(many)), *[-1] * len(few)]
    best: float = min(
        sum(1.0 if slot < 0 else apart(unit, many[slot]) for unit, slot in zip(few, chosen, strict=True))
        + (len(many) - sum(slot >= 0 for slot in chosen))
        for chosen in permutations(slots, len(few))
    )
    return best / fmean((len(one), len(two)))


def test_santa_narrative_levels_are_marked(tmp_path: Path) -> None:
    """The observed disorder of every text is that of the cheapest alignment of the marks in the log."""
    texts = [f"He told of ship {n}. She told that the crew had told of gold. Then ship {n} sank." for n in range(4)]
    (tmp_path / "study.toml").write_text(SPANS, encoding="utf-8")
    (tmp_path / "texts.csv").write_text("id,text\n" + "".join(f"t{n},{t}\n" for n, t in enumerate(texts)), "utf-8")
    quotes = ("He told of ship", "She told that the crew", "the crew had told of gold", "sank")

    def mark(rater: str, question: str, text: str) -> tuple[str, dict[str, str | list[str]]]:
        number = int(re.findall(r"ship (\d)", text)[0])
        kept = [one for i, one in enumerate(quotes) if (i + number) % 3 != (rater == "own")]
        fields: dict[str, str | list[str]] = {}
        for row, quote in enumerate(kept, 1):
            fields[f"q:{question}:quote:{row}"] = quote
            fields[f"q:{question}:category:{row}"] = "inner" if steady(quote, rater) % 3 else "frame"
        return "next", fields

    act_all(tmp_path, mark)
    goal = tmp_path / "spans.csv"
    run("export", tmp_path, "-o", goal)
    expected = {}
    for (_, unit), said in given(tmp_path).items():
        one, two = ([(s["begin"], s["end"], s["category"]) for s in said[name]] for name in ("own", "foreign"))
        expected[unit] = disorder(one, two)
    results = measured(tmp_path / "spans.spans.csv", "--measure", "gamma", "--samples", "2", "--ci", "chance")
    found = {(one["slice"] or {})["text"]: one["observed"] for one in results if (one["slice"] or {}).get("text")}
    assert found == {unit: pytest.approx(value) for unit, value in expected.items()}
    assert len(set(map(str, expected.values()))) > 1


def test_castro_two_treebankers_choose_parses(tmp_path: Path) -> None:
    """Y-Option Kappa in the reading `resolved`: by sentence, over what either log decides, against a coin."""
    folder = Path(copytree(Path(str(STUDIES)) / "treebank", tmp_path / "treebank"))
    study = read(folder)
    numbers = {unit.text: unit for unit in (*study.units, *(study.training.units if study.training else ()))}

    def choose(rater: str, question: str, text: str) -> tuple[str, dict[str, str | list[str]]]:
        unit = next(unit for shown, unit in numbers.items() if shown in text)
        assert unit.parses is not None
        parse = unit.parses.results[steady(text, rater) % min(2, len(unit.parses))]
        return "next", {f"q:{question}": [f"select {parse}"]}

    act_all(folder, choose)
    kappas = []
    for said in given(folder).values():
        first, second = ({key: state[:3].strip() for key, state in one["states"].items() if state not in ("open", "yes shared")}
                         for one in said.values())  # fmt: skip
        if first or second:
            observed = fmean(first[key] == second[key] for key in first | second)
            kappas.append((observed - 0.5) / 0.5)
    [result] = measured(folder, "--measure", "y_option", "--ci", "none")
    assert result["value"] == pytest.approx(fmean(kappas))
    assert result["n_units"] == len(kappas) > 5
    assert fmean(kappas) < 1
