"""One engine: the page, the API, the command line and the report print the same digits."""

import json
import re
import threading
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest

from concordant.collection import checkpoint
from concordant.collection.folding import LiveFold
from concordant.collection.log import Log
from concordant.collection.opened_study import Invitations, with_invited
from concordant.collection.session import Running
from concordant.design.examples import STUDIES
from concordant.design.plan import load_plan
from concordant.design.study_file import read
from concordant.digits import cell_text
from concordant.measures.result import Agreement
from concordant.studio import live as live_module
from concordant.studio.live import Live, Watched
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


def quiet(live: Live) -> None:
    """After what was to be done behind."""
    for executor in (live._behind, live._when_quiet, live._behind):
        executor.submit(int).result()


def is_kept(log: Log, study: Running) -> bool:
    """Whether the checkpoint goes to the end of the log."""
    kept = checkpoint.Checkpoint(log, study).load()
    return kept is not None and kept.seq >= log.events(study.description.name)[-1].seq


def test_what_comes_in_is_kept_whether_or_not_somebody_watches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody need look again before a restart; what nobody has watched waits until nothing comes in, and is let go."""
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
                quiet(live)
                assert is_kept(log, study) is is_watched
                live.keep_up([study])
                quiet(live)
                assert is_kept(log, study)
                assert bool(live._watched) is is_watched
                assert not live._unwatched
                live.keep_up([study])
                assert live._heard[study.description.name] == 0, "nothing is looked at again before more comes in"
        kept = checkpoint.Checkpoint(log, study).load()
        assert kept is not None
        assert "A4" in kept.raters


def test_unwatched_studies_are_read_one_at_a_time_and_only_where_it_is_due(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_module, "FEWEST", 1)
    monkeypatch.setattr(checkpoint, "FEWEST", 1)
    one = example(tmp_path)
    other = replace(one, description=replace(one.description, name="other"))
    studies, gathered = [one, other], list[str]()
    usual = Watched.keep_latest

    def told(watched: Watched, study: Running) -> None:
        gathered.append(study.description.name)
        usual(watched, study)

    monkeypatch.setattr(Watched, "keep_latest", told)
    with Log.open(f"sqlite:///{tmp_path}/features/study.db") as log:
        for study in studies:
            Invitations(log).invite(study, "A3")
            play(log, with_invited(log, study), "A3")
        for start in range(2):  # the second process finds nothing to do
            with closing(Live(log)) as live:
                for turn in (1, 2, 3):
                    live.keep_up(studies)
                    quiet(live)
                    assert len(gathered) == (min(turn, 2) if start == 0 else 2)
        assert gathered == [study.description.name for study in studies]
        assert all(is_kept(log, study) for study in studies)


def test_whoever_begins_to_watch_goes_on_with_what_is_being_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_module, "FEWEST", 1)
    monkeypatch.setattr(checkpoint, "FEWEST", 1)
    study, may_go_on, has_begun = example(tmp_path), threading.Event(), threading.Event()
    usual, n_updates = LiveFold.update, list[LiveFold]()

    def slow(fold: LiveFold) -> frozenset[str]:
        n_updates.append(fold)
        has_begun.set()
        may_go_on.wait(60)
        return usual(fold)

    monkeypatch.setattr(LiveFold, "update", slow)
    with Log.open(f"sqlite:///{tmp_path}/features/study.db") as log, closing(Live(log)) as live:
        Invitations(log).invite(study, "A3")
        study = with_invited(log, study)
        play(log, study, "A3")
        live._heard_to = log.arrived(0)[1]
        live.keep_up([study])
        assert has_begun.wait(60)
        assert not live.is_read(study)
        may_go_on.set()
        assert "A3" in {one.person.rater for one in live.latest(study).followed}
        quiet(live)
        assert len(set(map(id, n_updates))) == 1
        assert list(live._watched) == [study.description.name]
