"""Participants whom a platform sends: one person on every device, let in or not, sent back with the right code."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest

from concordant.collection.collected import clean
from concordant.collection.events import Ended, Event, Joined, Resumed
from concordant.collection.export_tables import tables
from concordant.collection.folding import collect
from concordant.design.description import (
    CheckQuestion,
    Checks,
    Comprehension,
    Ending,
    FailedCheck,
    ParticipantQuestion,
    Recruitment,
    Thanks,
)
from concordant.design.plan import make_plan
from concordant.studio.people import MemberPlace, hashed, revoke
from tests.web.members import PASSWORD, bearer
from tests.web.plain import Plain
from tests.web.samples import YES_NO, RunningServer, running, study, unit

PID = "PROLIFIC_PID"
RATERS = "/researcher/studies/sample/raters"
BACK = "https://platform.example/back?id={participant}&code="


def platform_study(folder: Path, **more: Any) -> Any:
    """Two sets of two units; native speakers who have understood, as a platform sends them."""
    values: dict[str, Any] = {
        "n_units": 4,
        "raters": (),
        "recruitment": Recruitment(participant=PID, gone_after=2),
        "participant": (
            ParticipantQuestion(
                id="native", ask="Are you native?", kind="choice", options=YES_NO, is_required=True, accept=("yes",)
            ),
        ),
        "comprehension": Comprehension(
            questions=(CheckQuestion(id="c1", ask="What is asked?", options=YES_NO, right="yes"),), tries=2
        ),
        "thanks": Thanks(text="Thanks.", code="{personal}", return_url=BACK + "DONE"),
        "screened_out": Ending(text="Not for you.", code="OUT", return_url=BACK + "OUT"),
        "failed_check": FailedCheck(text="Not understood.", code="FAILED", return_url=BACK + "FAILED", min_gold=0.5),
        "checks": Checks(gold=(unit(91, id="g1", expected={"binary": "yes"}),)),
        "guidelines": None,
        "n_sets": 2,
    }
    made = study(folder, "binary", **{**values, **more})
    return replace(made, plan=make_plan(made.description))


@pytest.fixture
def run(tmp_path: Path) -> Iterator[RunningServer]:
    """A server with such a study."""
    with running(tmp_path, platform_study(tmp_path)) as server:
        yield server


def come(run: RunningServer, query: str, client: httpx.Client | None = None) -> Plain:
    """Somebody opens the link, and presses Start where there is a button."""
    page = Plain(client or run.visitor())
    page.go(f"/s/sample?{query}")
    if "Start" in page.html:
        fields = dict(page.page.forms[""].fields)
        page.client.post(f"/s/sample?{query}", data=fields)
        page.go("/s/sample/judge")
    return page


def kinds(run: RunningServer, kind: type[Event]) -> list[Event]:
    """The events of a kind."""
    return [event for event in run.events("sample") if isinstance(event, kind)]


def begin(page: Plain) -> None:
    """Answer the questions before judging as wanted."""
    page.press("describe", {"p:native": "yes"})
    page.press("check", {"c:c1": "yes"})


def sent_again(page: Plain, fields: dict[str, str]) -> None:
    """A form that is not on the page any more, as the button Back brings it."""
    known = dict(page.page.forms["task"].fields)
    page.client.post("/s/sample/judge", data={**known, **fields})


def judge(page: Plain, answer: str = "yes") -> None:
    """Answer everything in the same way."""
    while page.kind == "judging":
        page.press(answer)


def test_one_person_is_one_rater_on_every_device(run: RunningServer) -> None:
    first = come(run, f"{PID}=abc1&SESSION_ID=s1")
    begin(first)
    first.press("yes")
    there = first.page.classes["unit"]
    second = come(run, f"{PID}=abc1&SESSION_ID=s2")
    assert (second.kind, second.page.classes["unit"]) == ("judging", there)
    come(run, f"{PID}=abc2")
    [one, other] = kinds(run, Joined)
    assert isinstance(one, Joined)
    assert isinstance(other, Joined)
    assert one.origin == {PID: "abc1", "SESSION_ID": "s1"}
    assert one.rater != other.rater
    assert "abc1" not in one.rater
    assert [event.rater for event in kinds(run, Resumed)] == [one.rater]


def test_a_participant_of_an_open_study_can_be_revoked_and_keeps_the_answers(run: RunningServer) -> None:
    first, other = come(run, f"{PID}=abc1"), come(run, f"{PID}=abc2")
    for page in (first, other):
        begin(page)
        page.press("yes")
    rater = kinds(run, Joined)[0].rater
    run.server.accounts.add_researcher("maria", hashed(PASSWORD))
    client = run.visitor()
    client.headers.update(bearer(client.post("/api/keys", json={"name": "maria", "password": PASSWORD})))
    client.follow_redirects = True
    assert f'value="{rater}"' in client.get(RATERS).text
    assert client.delete("/api/studies/sample/invitations/nobody").status_code == 422
    assert client.delete(f"/api/studies/sample/invitations/{rater}").status_code == 204
    assert first.client.get("/s/sample/judge").status_code == 401
    for pid in ("abc1", "abc9"):  # in the same browser nobody is somebody else
        assert first.client.get(f"/s/sample?{PID}={pid}").status_code == 403
    again = Plain(run.visitor())
    again.go(f"/s/sample?{PID}=abc1")
    assert again.status == 403
    assert "Your answers are kept" in again.html
    again.go(f"/s/sample?{PID}=abc5")
    refused = again.client.post(f"/s/sample?{PID}=abc1", data=dict(again.page.forms[""].fields))
    assert refused.status_code == 403
    assert "Your answers are kept" in refused.text
    told = run.visitor().post("/api/studies/sample/visits", json={"origin": {PID: "abc1"}})
    assert (told.status_code, "your answers are kept" in told.text) == (403, True)
    assert other.client.get("/s/sample/judge").status_code == 200
    assert len([answer for answer in run.server.log.answers("sample") if answer.rater == rater]) == 1
    listed = client.get(RATERS).text
    assert "revoked" in listed
    assert f'value="{rater}"' not in listed


@pytest.mark.parametrize("comes_anew", [False, True])
def test_whoever_is_revoked_does_not_come_back_as_somebody_new(tmp_path: Path, *, comes_anew: bool) -> None:
    """In a study that is open to everybody only the browser can tell, unless the study says that many share it."""
    with running(tmp_path, platform_study(tmp_path, recruitment=Recruitment(comes_anew=comes_anew))) as run:
        first, other = come(run, ""), come(run, "")
        rater, stays = (event.rater for event in kinds(run, Joined))
        assert rater not in str(first.client.cookies)
        place = MemberPlace(studio=run.server, study=run.server.studies["sample"], who="maria", role="researcher")
        revoke(place, rater)
        token = dict(first.page.forms["task"].fields)["form_token"]
        for reply in (
            first.client.get("/s/sample"),
            first.client.post("/s/sample", data={"form_token": token}, follow_redirects=True),
        ):
            assert reply.status_code == (200 if comes_anew else 403)
            assert ("Your part has ended" in reply.text) is not comes_anew
        assert come(run, "", other.client).kind == "participant"
        assert come(run, "").kind == "participant"
        assert {event.rater for event in kinds(run, Joined)} >= {rater, stays}
        assert len(kinds(run, Joined)) == 3 + comes_anew


def test_on_a_shared_computer_the_next_person_is_another(run: RunningServer) -> None:
    client = run.visitor()
    first = come(run, f"{PID}=abc1", client)
    begin(first)
    second = come(run, f"{PID}=abc2", client)
    assert second.kind == "participant"
    back = come(run, f"{PID}=abc1", client)
    assert back.kind == "judging"


@pytest.mark.parametrize(
    "query",
    [
        "",
        f"{PID}=",
        f"{PID}=%7B%7B%25PROLIFIC_PID%25%7D%7D",
        f"{PID}={'x' * 201}",
        "workerId=A1",
        f"{PID}=%25SURVEY_CODE%25",
    ],
)
def test_nobody_comes_in_without_a_name(run: RunningServer, query: str) -> None:
    client = run.visitor()
    reply = client.get(f"/s/sample?{query}")
    assert reply.status_code == 403
    assert PID in reply.text
    assert "Start" not in reply.text
    assert not run.events("sample")
    origin = dict(httpx.QueryParams(query))
    told = client.post("/api/studies/sample/visits", json={"origin": origin})
    assert told.status_code == 422
    assert not run.events("sample")


def test_programs_are_one_person_too(run: RunningServer) -> None:
    client = run.visitor()
    keys = [client.post("/api/studies/sample/visits", json={"origin": {PID: "abc"}}).json()["key"] for _ in range(2)]
    assert len(set(keys)) == 2
    assert len(kinds(run, Joined)) == 1


def test_without_a_declared_parameter_known_platforms_are_known(tmp_path: Path) -> None:
    with running(tmp_path, platform_study(tmp_path, recruitment=Recruitment())) as run:
        for query in ("workerId=A1", "workerId=A1", "PROLIFIC_PID=A1", "", ""):
            come(run, query)
        assert len(kinds(run, Joined)) == 4  # a worker, a participant of Prolific, and two of whom nothing is known


def test_no_link_can_name_an_invited_rater(tmp_path: Path) -> None:
    with running(tmp_path, platform_study(tmp_path, recruitment=Recruitment())) as run:
        come(run, "workerId=Ada")
        assert kinds(run, Joined)[0].rater != "Ada"


def test_who_is_not_accepted_is_screened_out_for_good(run: RunningServer) -> None:
    page = come(run, f"{PID}=abc")
    page.press("describe", {"p:native": "no"})
    assert page.kind == "ended"
    assert "Not for you." in page.html
    assert "OUT" in page.html
    assert "https://platform.example/back?id=abc&amp;code=OUT" in page.html
    [ended] = kinds(run, Ended)
    assert isinstance(ended, Ended)
    assert ended.reason == "screened out"
    again = come(run, f"{PID}=abc")  # on another device, and with another answer
    assert again.kind == "ended"
    sent_again(again, {"action": "describe", "p:native": "yes"})
    again.go("/s/sample/judge")
    assert again.kind == "ended"
    assert len(kinds(run, Ended)) == 1


def test_so_many_tries_and_no_more(run: RunningServer) -> None:
    page = come(run, f"{PID}=abc")
    page.press("describe", {"p:native": "yes"})
    assert page.kind == "comprehension"
    assert "2 tries" in page.html
    page.press("check", {"c:c1": "no"})
    assert page.kind == "comprehension"
    assert "last try" in page.html
    page.press("check")  # nothing chosen is no try
    assert page.kind == "comprehension"
    page.press("check", {"c:c1": "no"})
    assert page.kind == "ended"
    assert "FAILED" in page.html
    sent_again(page, {"action": "check", "c:c1": "yes"})
    page.go("/s/sample/judge")
    assert page.kind == "ended"


def test_a_second_try_that_is_right_lets_in(run: RunningServer) -> None:
    page = come(run, f"{PID}=abc")
    page.press("describe", {"p:native": "yes"})
    page.press("check", {"c:c1": "no"})
    page.press("check", {"c:c1": "yes"})
    assert page.kind == "judging"


def test_gold_decides_between_thanks_and_a_failed_check(run: RunningServer) -> None:
    for pid, answer in (("good", "yes"), ("bad", "no")):
        page = come(run, f"{PID}={pid}")
        begin(page)
        judge(page, answer)
        assert page.kind == {"good": "thanks", "bad": "ended"}[pid]
        assert f"id={pid}&amp;code={'DONE' if pid == 'good' else 'FAILED'}" in page.html


def test_the_account_of_them(run: RunningServer) -> None:
    for pid, native, understood, answer in (
        ("good", "yes", "yes", "yes"), ("bad", "yes", "yes", "no"), ("lost", "yes", "no", ""), ("out", "no", "", ""),
    ):  # fmt: skip
        page = come(run, f"{PID}={pid}")
        page.press("describe", {"p:native": native})
        for _ in range(2):
            if page.kind == "comprehension":
                page.press("check", {"c:c1": understood})
        judge(page, answer)
        if pid == "good":
            mine = page.html
    collected = collect(run.server.log, run.server.studies["sample"])
    cleaned = clean(collected)
    assert [(step.reason, step.n_left_out) for step in cleaned.flow] == [
        ("came", 0),
        ("screened out", 1),
        ("failed the check", 2),
        ("answered nothing", 0),
    ]
    [table] = [table for table in tables(collected, cleaned) if table.name == "recruitment"]
    rows = {row[3]: row for row in table.rows}
    assert table.columns == ("rater", "outcome", "personal_code", f"sent_{PID}")
    assert {pid: row[1] for pid, row in rows.items()} == {
        "good": "completed",
        "bad": "failed the check",
        "lost": "failed the check",
        "out": "screened out",
    }
    assert str(rows["good"][2]) in mine
    states = {one.state for one in run.server.live.latest(run.server.studies["sample"]).progress.raters}
    assert states == {"completed", "failed the check", "screened out"}


def test_the_place_of_who_failed_is_given_again(run: RunningServer) -> None:
    for pid in ("one", "two", "three"):
        page = come(run, f"{PID}={pid}")
        begin(page)
        judge(page, "no")  # fails the gold item
        standing = run.server.log.standings("sample")
        assert [one.set_number for one in standing] == [None] * len(standing)
    people = collect(run.server.log, run.server.studies["sample"]).people
    assert all(person.set_number is not None for person in people)  # what they saw stays known
    before = run.server.log.standings("sample")
    run.server.log.rebuild()
    assert run.server.log.standings("sample") == before
