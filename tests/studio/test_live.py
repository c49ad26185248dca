"""One engine: the page, the API, the command line and the report print the same digits."""

import json
import re
import threading
from contextlib import closing
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest

from concordant.collection import checkpoint
from concordant.collection.log import Log
from concordant.collection.opened_study import Invitations, with_invited
from concordant.collection.session import Running
from concordant.design.examples import STUDIES
from concordant.design.plan import load_plan
from concordant.design.study_file import read
from concordant.digits import cell_text
from concordant.measures.result import Agreement
from concordant.studio import live as live_module
from concordant.studio.live import Live
from concordant.studio.people import hashed
from concordant.uncertainty.studies import measure_study
from tests.cli.running import run as concordant
from tests.collection.playing import play
from tests.web.samples import running

PASSWORD = "a long enough password"


def example(folder: Path) -> Running:
    """A copy of the study of features with two raters' answers in its own database."""
    import shutil

    shutil.copytree(str(STUDIES / "features"), folder / "features")
    description = read(folder / "features")
    study = Running(description=description, plan=load_plan(description))
    with Log.open(f"sqlite:///{folder}/features/study.db") as log:
        for rater in ("A1", "A2"):
            play(log, study, rater)
    return study


def test_page_api_command_and_report_agree(tmp_path: Path) -> None:
    study = example(tmp_path)
    printed = json.loads(concordant("measure", tmp_path / "features", "--seed", "1", "--json").stdout)["results"]
    with running(tmp_path, study, database=f"sqlite:///{tmp_path}/features/study.db") as run:
        run.server.accounts.add_researcher("ada", hashed(PASSWORD))
        client = run.visitor()
        key = client.post("/api/keys", json={"name": "ada", "password": PASSWORD}).json()["key"]
        client.headers["authorization"] = f"Bearer {key}"
        told = client.get("/api/studies/features/agreement").json()["results"]
        page = client.get("/studies/features/results").text
        report = client.get("/studies/features/report.md").text
    assert told == printed
    cells = re.findall(r'data-measure="(\w+)" data-question="(\w+)">([^<]+)<', page)
    assert cells == [(r["measure"], r["question"], cell_text(r["value"])) for r in printed if r["value"] is not None]
    for result in printed:
        whole = re.sub(r"\|sha256:[0-9a-f]{64}", "", result["signature"])  # which print leaves out
        assert whole in report
        assert len(whole) == len(result["signature"]) - 72


def test_a_snapshot_is_shared_until_something_happens(tmp_path: Path) -> None:
    study = example(tmp_path)
    with Log.open(f"sqlite:///{tmp_path}/features/study.db") as log, closing(Live(log)) as live:
        first = live.measured(study)
        assert live.latest(study) is first
        assert live.measured(study) is first
        assert first.cases is first.cases
        assert first.judgements is not None


def test_invited_raters_do_not_make_it_read_the_log_again(tmp_path: Path) -> None:
    study = example(tmp_path)
    with Log.open(f"sqlite:///{tmp_path}/features/study.db") as log, closing(Live(log)) as live:
        first = live.latest(study)
        Invitations(log).invite(study, "Zoe")
        second = live.latest(with_invited(log, study))
        assert second.progress.count("invited") == first.progress.count("invited") + 1
        assert [one is other for one, other in zip(first.followed, second.followed, strict=True)] == [True, True]


def test_whoever_asks_while_it_is_measured_gets_the_values_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Measuring is made to last until it is told to end, and to be due always: only the first page waits for it."""
    study, may_end = example(tmp_path), threading.Event()

    def lasting(*given: Any, **options: Any) -> list[Agreement]:
        may_end.wait(60)
        return measure_study(*given, **options)

    with Log.open(f"sqlite:///{tmp_path}/features/study.db") as log, closing(Live(log)) as live:
        first = live.measured(study)
        for name, value in {"measure_study": lasting, "SHORTEST": 0.0, "SHARE": 1e9}.items():
            monkeypatch.setattr(live_module, name, value)
        monkeypatch.setattr(live_module, "monotonic", lambda: monotonic() + 3600)
        Invitations(log).invite(study, "A3")
        study = with_invited(log, study)
        play(log, study, "A3")
        begun = monotonic()
        assert live.measured(study) is first
        assert live.latest(study).seq > first.seq, "other pages see every answer meanwhile"
        assert monotonic() - begun < 50, "nobody waited for the measures"
        may_end.set()
        until = monotonic() + 20
        while live.measured(study) is first and monotonic() < until:
            sleep(0.05)
        assert live.measured(study).seq > first.seq


def test_an_empty_study_has_no_coefficients_and_no_errors(tmp_path: Path) -> None:
    study = example(tmp_path)
    with Log.open(f"sqlite:///{tmp_path}/empty.db") as log, closing(Live(log)) as live:
        snapshot = live.measured(study)
    assert (snapshot.judgements, snapshot.results, snapshot.progress.n_begun) == (None, (), 0)


def test_what_somebody_has_watched_is_kept_while_more_comes_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody need look again before a restart; of what nobody has watched nothing is gathered."""
    study = example(tmp_path)
    monkeypatch.setattr(live_module, "FEWEST", 1)
    monkeypatch.setattr(checkpoint, "FEWEST", 1)
    with Log.open(f"sqlite:///{tmp_path}/features/study.db") as log:
        for is_watched in (False, True):
            with closing(Live(log)) as live:
                if is_watched:
                    live.measured(study)
                Invitations(log).invite(study, f"A{3 + is_watched}")
                study = with_invited(log, study)
                play(log, study, f"A{3 + is_watched}")
                live.keep_up([study])
                live._behind.submit(int).result()  # after what was to be done behind
                live._behind.submit(int).result()
                assert (checkpoint.Checkpoint(log, study).load() is not None) is is_watched
        kept = checkpoint.Checkpoint(log, study).load()
        assert kept is not None
        assert "A4" in kept.raters
        assert kept.seq == log.events(study.description.name)[-1].seq
