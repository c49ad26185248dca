"""The page of a sentence and its parses without a script, through the API, and for an adjudicator."""

import io
import re
import shutil
import uuid
import zipfile
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any

import httpx
import pytest

from concordant.collection.events import Answered
from concordant.collection.session import Running
from concordant.design.description import Rater
from concordant.design.examples import STUDIES
from concordant.design.plan import load_plan
from concordant.design.study_file import read
from concordant.studio.people import hashed, personal_link
from concordant.treebank.analyses import Analysis
from concordant.treebank.disambiguation import Choosing, Parses
from concordant.treebank.discriminants import NO_BY_HAND, YES_BY_HAND, Decision, Discriminant
from concordant.treebank.profile import read_profile
from tests.collection.playing import play
from tests.web.plain import Plain
from tests.web.samples import PARSES, RunningServer, running, study, unit

UP, DOWN, ACROSS = "constituent up [0-1]", "constituent down [0-1]", "constituent <b>across</b> [0-1]"
NOW = "2026-01-05T10:00:00Z"
PASSWORD = "a long enough password"


def sample(folder: Path, **more: Any) -> Running:
    """Three sentences for two raters."""
    return study(folder, "parses", raters=(Rater(id="Ada"), Rater(id="Ben")), **more)


@pytest.fixture
def run(tmp_path: Path) -> Iterator[RunningServer]:
    with running(tmp_path, sample(tmp_path)) as answering:
        yield answering


def visitor(run: RunningServer, rater: str = "Ada") -> Plain:
    plain = Plain(run.visitor())
    plain.go(personal_link(run.server, "sample", rater))
    return plain


def standing(plain: Plain) -> str:
    found = re.search(r'class="note standing.*?>(.*?)</p>', plain.html, re.DOTALL)
    assert found is not None
    return " ".join(unescape(found[1]).split())


def stored(run: RunningServer, rater: str = "Ada") -> list[Any]:
    return [event.value for event in run.events("sample", rater) if isinstance(event, Answered)]


def test_marks_undo_take_back_and_reject_without_a_script(run: RunningServer) -> None:
    plain = visitor(run)
    assert standing(plain) == "Parses left: 3 of 3. Open decisions: 6."
    plain.press(f"no {UP}")
    assert standing(plain) == "Parses left: 2 of 3. Open decisions: 4."
    plain.press(f"yes {DOWN}")
    assert standing(plain) == "Decided: parse 1. Go on, or undo."
    plain.press("undo")
    plain.press(f"drop {UP}")
    assert standing(plain) == "Parses left: 3 of 3. Open decisions: 6."
    plain.press("reject")
    assert standing(plain) == "All parses are rejected. Go on, or undo."
    plain.press("next")
    assert plain.page.data["data-n"] == "2"
    values = stored(run)
    assert [value and value["moves"] for value in values] == [
        [f"no {UP}"], [f"no {UP}", f"yes {DOWN}"], [f"no {UP}"], None, ["reject"],
    ]  # fmt: skip
    assert values[1] == Choosing(PARSES).after([f"no {UP}", f"yes {DOWN}"]).as_value()


def test_every_event_has_all_discriminants_with_author_and_time(run: RunningServer) -> None:
    visitor(run).press(f"no {UP}")
    [event] = [event for event in run.events("sample") if isinstance(event, Answered)]
    assert event.rater == "Ada"
    assert event.at.startswith("20")
    assert event.value["states"]["lexical type word [0-1]"] == "yes shared"
    assert set(event.value["states"]) == {key.name for key in PARSES.table.discriminants}


def test_an_undecided_sentence_cannot_be_left(run: RunningServer) -> None:
    plain = visitor(run)
    plain.press(f"no {UP}")
    plain.press("next")
    assert plain.status == 422
    assert "missing" in plain.html


def test_a_contradiction_is_refused_and_said(run: RunningServer) -> None:
    """Another tab has decided meanwhile: the fields say one thing, the button the opposite."""
    plain = visitor(run)
    plain.press(f"no {ACROSS}", {"q:parses": [f"yes {UP}", f"yes {DOWN}"]})
    assert plain.status == 422
    assert "contradicts earlier decisions" in plain.html
    assert stored(run) == []


@pytest.mark.parametrize("move", ["yes nothing", "select 77", "select -1", "jump", "yes", "no " + "x" * 3000])
def test_junk_is_refused(run: RunningServer, move: str) -> None:
    plain = visitor(run)
    plain.press("reject", {"q:parses": [move]})
    assert plain.status == 422
    assert stored(run) == []


def test_everything_is_escaped(run: RunningServer) -> None:
    plain = visitor(run)
    assert "<b>across</b>" not in plain.html
    assert plain.html.count("&lt;b&gt;across&lt;/b&gt;") > 3
    plain.press("reject", {"q:parses": ["<script>alert(1)</script>"]})
    assert "<script>alert" not in plain.html


def test_one_parse_is_accepted_by_going_on(tmp_path: Path) -> None:
    lone = unit(1, parses=Parses([Analysis(4, '(1 word 0 0 1 ("w"))')], {}))
    with running(tmp_path, sample(tmp_path, units=(lone,))) as run:
        plain = visitor(run)
        assert standing(plain) == "Nothing is ambiguous: parse 4. Go on to accept it, or reject it."
        plain.press("next")
        assert plain.kind == "thanks"
        assert stored(run)[0]["result"] == 4


def test_a_sentence_can_be_revised_after_going_back(run: RunningServer) -> None:
    plain = visitor(run)
    plain.press("select 1")
    plain.press("next")
    plain.press("back")
    assert standing(plain) == "Decided: parse 1. Go on, or undo."
    plain.press("undo")
    plain.press("select 0")
    plain.press("next")
    assert [value and value["result"] for value in stored(run)] == [1, None, 0]


def test_raters_do_not_see_each_other(run: RunningServer) -> None:
    visitor(run, "Ada").press(f"no {UP}")
    other = visitor(run, "Ben")
    assert standing(other) == "Parses left: 3 of 3. Open decisions: 6."
    assert "Ada" not in other.html


# ---- large forests ----


def forest(n: int) -> Parses:
    """n parses over nine words: the digits of the parse choose a rule over each word."""
    chains = [
        " ".join(
            f'(1 r{(number >> place) & 1}{place} 0 {place} {place + 1} (2 w{place} 0 {place} {place + 1} ("w{place}")))'
            for place in range(9)
        )
        for number in range(n)
    ]
    return Parses([Analysis(number, f"(1 top 0 0 9 {chain})") for number, chain in enumerate(chains)], {})


def test_five_hundred_parses_stay_usable(tmp_path: Path) -> None:
    with running(tmp_path, sample(tmp_path, units=(unit(1, parses=forest(500)),))) as run:
        plain = visitor(run)
        assert standing(plain) == "Parses left: 500 of 500. Open decisions: 36."
        assert (plain.html.count("<svg"), plain.html.count("data-row")) == (2, 10)
        assert len(plain.html) < 60_000
        first = [value for name, value in plain.page.forms["task"].buttons if value.startswith("yes ")]
        plain.press("10-0")
        second = [value for name, value in plain.page.forms["task"].buttons if value.startswith("yes ")]
        assert len(second) == 10
        assert not set(first) & set(second)
        assert stored(run) == [], "looking is no decision"
        plain.press("10-2")
        assert [value for _, value in plain.page.forms["task"].buttons if value.startswith("select")] == [
            "select 0",
            "select 1",
        ]
        n_decisions = 0
        while standing(plain).startswith("Parses left"):
            n_decisions += 1
            plain.press(next(value for _, value in plain.page.forms["task"].buttons if value.startswith("no ")))
        assert standing(plain).startswith("Decided: parse")
        assert n_decisions <= 9, "each answer halves the forest"


# ---- programs ----


def keyed(run: RunningServer, rater: str) -> httpx.Client:
    client = run.visitor()
    token = personal_link(run.server, "sample", rater).rsplit("/", 1)[1]
    client.headers["authorization"] = (
        f"Bearer {client.post('/api/studies/sample/visits', json={'link': token}).json()['key']}"
    )
    return client


def send(client: httpx.Client, value: Any) -> httpx.Response:
    page = client.get("/api/studies/sample/page").json()
    body = {"step": page["step"], "unit": page["unit"]["id"], "question": "parses", "value": value}
    event = {"id": str(uuid.uuid4()), "kind": "answered", "at": NOW, "body": body}
    return client.post("/api/studies/sample/events", json={"events": [event]})


def test_a_program_sends_moves_and_the_rest_follows(run: RunningServer) -> None:
    client = keyed(run, "Ada")
    [asked] = client.get("/api/studies/sample/page").json()["questions"]
    assert asked["parses"]["left"] == [0, 1, 2]
    assert set(asked["parses"]["open"]) >= {UP, DOWN}
    assert send(client, {"moves": [f"yes {UP}"]}).status_code == 201
    assert stored(run) == [Choosing(PARSES).after([f"yes {UP}"]).as_value()]
    assert client.get("/api/studies/sample/page").json()["questions"][0]["parses"]["verdict"] == "accepted"


@pytest.mark.parametrize(
    "value",
    ["accepted 0", {"moves": "reject"}, {"moves": ["jump"]}, {"moves": [f"yes {UP}"], "result": 2}, {"states": {}}, [], 3,
     {"moves": ["reject"], "more": 1}],
)  # fmt: skip
def test_a_program_cannot_store_what_does_not_follow(run: RunningServer, value: Any) -> None:
    assert send(keyed(run, "Ada"), value).status_code == 422
    assert stored(run) == []


# ---- researchers ----


@pytest.fixture
def disputed(run: RunningServer) -> RunningServer:
    """Two raters who differ on the first sentence, and agree on the others."""
    run.server.accounts.add_researcher("maria", hashed(PASSWORD), study="sample")
    for rater, moves in (("Ada", [f"yes {UP}"]), ("Ben", ["select 2"])):
        plain = visitor(run, rater)
        while plain.kind == "judging":
            is_first = plain.page.classes["unit"].startswith("Ana planted tree number 1 ")
            plain.press("next", {"q:parses": moves if is_first else ["select 1"]})
    return run


def researcher(run: RunningServer) -> Plain:
    plain = Plain(run.visitor())
    plain.go("/researcher")
    fields = dict(next(iter(plain.page.forms.values())).fields)
    plain._read(
        plain.client.post(plain.path, data={**fields, "name": "maria", "password": PASSWORD}, follow_redirects=True)
    )
    return plain


def test_live_agreement_counts_discriminants_and_verdicts(disputed: RunningServer) -> None:
    plain = researcher(disputed)
    plain.go("/studies/sample/results")
    assert "accepted or rejected" in plain.html
    assert "choices among parses: 6 judgements given" in plain.html


def test_the_explorer_draws_what_was_chosen(disputed: RunningServer) -> None:
    plain = researcher(disputed)
    plain.go("/studies/sample/disagreements/unit?unit=u1&question=parses")
    assert plain.status == 200
    assert plain.html.count("<svg") == 2
    assert {"Parse 0", "Parse 2"} <= set(re.findall(r"<b>(.*?)</b>", plain.html))


def test_an_adjudicator_sees_both_choices_and_decides(disputed: RunningServer) -> None:
    plain = researcher(disputed)
    plain.go("/studies/sample/disagreements/decide")
    assert "Ada" not in plain.html
    assert "Ben" not in plain.html
    assert plain.html.count("Take parse") >= 4, "the two that were chosen, and the trees of the sentence"
    plain.press("yes", form="decide")
    assert plain.status == 422
    assert "not complete" in plain.html
    plain.press(f"no {UP}", form="decide")
    assert standing(plain) == "Parses left: 2 of 3. Open decisions: 4."
    plain.press("undo", form="decide")
    plain.press("select 2", form="decide")
    plain.press("yes", {"comment": "across it is"}, form="decide")
    assert "Nothing to decide" in plain.html
    [decision] = disputed.server.adjudication.history("sample")
    assert (decision.value, decision.comment) == (Choosing(PARSES).after(["select 2"]).as_value(), "across it is")


def test_the_profiles_can_be_taken_away(tmp_path: Path) -> None:
    shutil.copytree(str(STUDIES / "treebank"), tmp_path / "treebank")
    description = read(tmp_path / "treebank")
    made = Running(description=description, plan=load_plan(description))
    with running(tmp_path, made) as run:
        for rater in ("A1", "A2"):
            play(run.server.log, made, rater)
        run.server.accounts.add_researcher("maria", hashed(PASSWORD), study="treebank")
        plain = researcher(run)
        plain.go("/studies/treebank/report")
        assert "/export.profile" in plain.html
        reply = plain.client.get("/studies/treebank/export.profile")
    with zipfile.ZipFile(io.BytesIO(reply.content)) as archive:
        archive.extractall(tmp_path / "out")
    assert {one.status for one in read_profile(tmp_path / "out" / "A2").annotations.values()} >= {"accepted"}


def test_a_study_without_parses_has_no_profiles_to_take_away(tmp_path: Path) -> None:
    with running(tmp_path, study(tmp_path, "binary")) as run:
        run.server.accounts.add_researcher("maria", hashed(PASSWORD), study="sample")
        plain = researcher(run)
        plain.go("/studies/sample/report")
        assert "/export.profile" not in plain.html
        assert plain.client.get("/studies/sample/export.profile").status_code == 422


def test_the_gold_standard_takes_decisions_discriminant_by_discriminant(disputed: RunningServer) -> None:
    plain = researcher(disputed)
    plain.go("/studies/sample/disagreements/decide")
    plain.press("select 2", form="decide")
    plain.press("yes", form="decide")
    reply = plain.client.get("/studies/sample/report/gold.csv?question=parses&method=adjudicated")
    rows = dict(line.split(",")[:2] for line in reply.text.splitlines()[1:])
    assert (rows[f"u1 {UP}"], rows[f"u1 {ACROSS}"], rows[f"u2 {DOWN}"]) == ("no", "yes", "yes")
    assert "u1" not in rows


# ---- decisions carried over from an earlier treebank ----


def carried_over(*moves: str) -> Parses:
    """The three parses, with what somebody had decided before."""
    earlier = []
    for move in moves:
        word, _, name = move.partition(" ")
        earlier.append(Decision(YES_BY_HAND if word == "yes" else NO_BY_HAND, Discriminant.named(name)))
    return Parses(PARSES._analyses, PARSES.lexicon, earlier)


def test_a_sentence_begins_with_what_was_carried_over(tmp_path: Path) -> None:
    """What survives stands there and can be taken back; what the new parses do not know is left out."""
    begun = unit(1, parses=carried_over(f"no {UP}", "yes constituent gone [0-1]"))
    with running(tmp_path, sample(tmp_path, units=(begun,))) as run:
        plain = visitor(run)
        assert "1 decision was carried over from an earlier treebank" in plain.html
        assert standing(plain) == "Parses left: 2 of 3. Open decisions: 4."
        assert stored(run) == [], "nobody has decided anything here yet"
        plain.press(f"drop {UP}")
        assert standing(plain) == "Parses left: 3 of 3. Open decisions: 6."
        assert "carried over" not in plain.html
        plain.press("select 0")
        plain.press("next")
        assert stored(run)[-1]["result"] == 0


def test_what_is_carried_over_is_part_of_the_answer(tmp_path: Path) -> None:
    begun = unit(1, parses=carried_over(f"no {UP}"))
    with running(tmp_path, sample(tmp_path, units=(begun,))) as run:
        plain = visitor(run)
        plain.press("select 1")
        assert stored(run)[-1]["moves"] == [f"no {UP}", "select 1"]
