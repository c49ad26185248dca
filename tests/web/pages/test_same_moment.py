"""An adjudicator decides while a rater changes their mind: nothing is lost, and nobody sees the other's work."""

import threading
from pathlib import Path

import httpx

from concordant.collection.events import Answered
from concordant.studio.people import hashed
from tests.web.samples import RunningServer, running, study

PASSWORD = "a long enough password"
TIMES = 30


def change_mind(run: RunningServer, step: int, go: threading.Barrier) -> None:
    """One rater's answer to one unit, again and again."""
    go.wait()
    for turn in range(TIMES):
        value = "yes" if turn % 2 else "no"
        run.server.log.append("sample", [Answered(rater="Ada", step=step, unit="u1", question="binary", value=value)])


def decide(run: RunningServer, key: str, go: threading.Barrier, seen: list[httpx.Response]) -> None:
    """Decisions on the same unit, and a look at the cases after each."""
    with httpx.Client(base_url=f"{run.base}/api", headers={"authorization": f"Bearer {key}"}, timeout=60) as client:
        go.wait()
        for turn in range(TIMES):
            value = "yes" if turn % 2 else "no"
            body = {"unit": "u1", "question": "binary", "value": value, "comment": f"decision {turn}"}
            seen.append(client.post("/studies/sample/decisions", json=body))
            seen.append(client.get("/studies/sample/cases?everything=true"))


def test_both_at_once_lose_nothing_and_show_nothing(tmp_path: Path) -> None:
    with running(tmp_path, study(tmp_path, "binary", n_units=4)) as run:
        run.server.accounts.add_researcher("judge", hashed(PASSWORD), study="sample", role="adjudicator")
        key = run.visitor().post("/api/keys", json={"name": "judge", "password": PASSWORD}).json()["key"]
        steps = {r: run.server.log.enrol(run.server.studies["sample"], r).steps for r in ("Ada", "Ben")}
        for rater in ("Ada", "Ben"):
            first = [Answered(rater=rater, step=int(s["number"]), unit=s["unit"], question="binary", value="no") for s in steps[rater]]  # fmt: skip
            run.server.log.append("sample", first)
        step = next(int(s["number"]) for s in steps["Ada"] if s["unit"] == "u1")
        go, seen = threading.Barrier(2), list[httpx.Response]()
        threads = [
            threading.Thread(target=change_mind, args=(run, step, go)),
            threading.Thread(target=decide, args=(run, key, go, seen)),
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert {reply.status_code for reply in seen} == {200, 201}
        assert not any(name in reply.text for reply in seen for name in ("Ada", "Ben"))
        mine = [e for e in run.events("sample", "Ada") if isinstance(e, Answered) and e.unit == "u1"]
        assert len(mine) == 1 + TIMES
        told = [decision.comment for decision in run.server.adjudication.history("sample")]
        assert told == [f"decision {turn}" for turn in range(TIMES)]
        assert "decision" not in str(run.events("sample", "Ada"))
