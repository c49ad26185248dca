"""The page Models: what may be said, who decides, requirements; for the study's researcher and nobody else."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from concordant.collection.events import Answered
from concordant.design.description import Rater
from concordant.errors import InputError
from concordant.studio.exports import report
from concordant.studio.model_judges import judging_of, models_view
from concordant.studio.people import MemberPlace, hashed, invited, place_of
from concordant.tasks.question import Option, Question
from concordant.web.app import announcement
from tests.web.members import PASSWORD, RESEARCHER, bearer
from tests.web.pages.test_german import words_of
from tests.web.samples import RunningServer, running, study, unit

STARS = Question(id="stars", task="ordinal", ask="How good?", options=tuple(Option(value=v, label=v) for v in "12345"))
PEOPLE = ("Ada", "Ben", "Cem")


def said(place: int, rater: str) -> str:
    """People differ now and then; `good` says what is true, `poor` is a point and more off."""
    true = 1 + (place * 7) % 5
    off = {"Ada": place % 4 == 0, "Ben": place % 4 == 1, "Cem": place % 4 == 2, "good": 0, "poor": 2}[rater]
    return str(true - off if true - off >= 1 else true + off)


def fill(run: RunningServer) -> None:
    log, sample = run.server.log, run.server.studies["sample"]
    run.server.accounts.add_researcher(RESEARCHER, hashed(PASSWORD), study="sample")
    for rater in (*PEOPLE, "good", "poor"):
        steps = log.enrol(sample, rater).steps
        answers = [
            Answered(
                rater=rater, step=s["number"], unit=s["unit"], question="stars", value=said(int(s["unit"][1:]), rater)
            )
            for s in steps
        ]
        log.append("sample", answers)


def signed_in(run: RunningServer) -> httpx.Client:
    """A browser in which the researcher has signed in."""
    client = run.visitor()
    token = re.search(r'name="form_token" value="([^"]+)"', client.get("/researcher/sign-in").text)
    assert token is not None
    fields = {"form_token": token[1], "name": RESEARCHER, "password": PASSWORD}
    reply = client.post("/researcher/sign-in", data=fields, headers={"origin": run.base})
    assert reply.status_code == 303, reply.text
    return client


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    folder: Path = tmp_path_factory.mktemp("models")
    models = tuple(Rater(id=name, kind="model") for name in ("good", "poor", "silent"))
    units = tuple(
        unit(n, image=None, alternatives={}, attributes={"genre": "mail" if n % 2 else "news"}) for n in range(80)
    )
    made = study(folder, questions=(STARS,), units=units, raters=(*(Rater(id=name) for name in PEOPLE), *models))
    with running(folder, made) as run:
        fill(run)
        yield run


@pytest.fixture
def place(server: RunningServer) -> MemberPlace:
    return place_of(server.server, RESEARCHER, "sample")


def test_what_the_page_shows(place: MemberPlace) -> None:
    view = models_view(place, by="genre", require="win_rate>=.5\ngood:flips==0\n")
    good, poor = view.rows
    assert good.found.alt_test.win_rate == 1
    assert good.mark is not None
    assert poor.mark is not None
    assert (good.mark.tone, poor.mark.tone) == ("good", "bad")
    assert poor.mark.point < 50 < good.mark.point
    assert [one.holds for one in view.requirements] == [False, True]
    assert view.command.endswith("--epsilon 0.1 --by genre --require 'win_rate>=.5' --require good:flips==0")
    assert {one.value for one in good.found.slices} == {"mail", "news"}
    assert view.attributes == ("genre",)
    assert "nothing is called" in models_view(place, require="winning>1").fault
    assert "column 'length': there is no such column" in models_view(place, by="length").reason


def test_the_page_and_the_api_say_the_same(server: RunningServer, place: MemberPlace) -> None:
    visitor = server.visitor()
    key = bearer(visitor.post("/api/keys", json={"name": RESEARCHER, "password": PASSWORD}))
    told = visitor.get("/api/studies/sample/models", headers=key).json()
    assert [one["model"] for one in told["judges"]] == ["good", "poor"]
    assert told["judges"][0]["sentence"] == judging_of(place).judges[0].sentence
    assert visitor.get("/api/studies/sample/models").status_code == 401
    assert visitor.get("/studies/sample/report/models").status_code == 303


def test_the_page_speaks_german(server: RunningServer) -> None:
    german = signed_in(server).get("/studies/sample/report/models?by=genre&lang=de").text
    assert "Was sich sagen lässt" in german
    assert [one for one in words_of(german) if "silent" not in one] == []


def test_the_page_itself(server: RunningServer) -> None:
    page = signed_in(server).get("/studies/sample/report/models?by=genre&require=win_rate>=.5").text
    assert "good represents the other people at least as well as a person" in page
    assert "not met" in page
    assert page.count('class="gap-row"') == 2
    assert 'href="/studies/sample/report/models"' in signed_in(server).get("/studies/sample/report").text


def test_a_study_without_models_says_what_to_do(tmp_path: Path) -> None:
    made = study(tmp_path, questions=(STARS,))
    with running(tmp_path, made) as run:
        run.server.accounts.add_researcher(RESEARCHER, hashed(PASSWORD), study="sample")
        place = place_of(run.server, RESEARCHER, "sample")
        assert "no rater of this study is a model" in models_view(place).reason
        with pytest.raises(InputError, match='kind = "model"'):
            judging_of(place)
        assert "/report/models" not in signed_in(run).get("/studies/sample/report").text


def test_the_study_s_report_has_a_section_on_models(place: MemberPlace, tmp_path: Path) -> None:
    report(place, "md").write(tmp_path / "report.md")
    text = (tmp_path / "report.md").read_text(encoding="utf-8")
    assert "## Models beside people" in text
    assert judging_of(place).judges[0].sentence in text


def test_nobody_gets_a_link_to_answer_in_a_model_s_name(tmp_path: Path) -> None:
    raters = (Rater(id="Ada"), Rater(id="gpt", kind="model"))
    made = study(tmp_path, "binary", raters=raters)
    with running(tmp_path, made) as run:
        run.server.accounts.add_researcher(RESEARCHER, hashed(PASSWORD), study="sample")
        place = place_of(run.server, RESEARCHER, "sample")
        links = {one.progress.rater: one.link for one in invited(place, "http://x")}
        assert links["Ada"].startswith("http://x/s/sample/as/")
        assert links["gpt"] == ""
        page = signed_in(run).get("/studies/sample/raters").text
        assert page.count(">model<") == 1
        assert set(re.findall(r"/s/sample/as/[\w.-]+", page)) == {links["Ada"].removeprefix("http://x")}
        assert "gpt" not in "\n".join(line for line in announcement(run.server, "http://x") if "/as/" in line)
