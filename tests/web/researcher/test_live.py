"""One engine: the page, the API, the command line and the report print the same digits."""

import json
import re
from pathlib import Path

from assent.cli.init import STUDIES
from assent.collection.log import Log
from assent.collection.session import Study
from assent.design.planning import load_plan
from assent.design.study_file import read
from assent.report.tables import cell_text
from assent.web.researcher.live import Live
from assent.web.researcher.passwords import hashed
from tests.cli.running import run as assent
from tests.collection.playing import play
from tests.web.samples import running

PASSWORD = "a long enough password"


def example(folder: Path) -> Study:
    """A copy of the study of features with two raters' answers in its own database."""
    import shutil

    shutil.copytree(str(STUDIES / "features"), folder / "features")
    description = read(folder / "features")
    study = Study(description=description, plan=load_plan(description))
    with Log.open(f"sqlite:///{folder}/features/study.db") as log:
        for rater in ("A1", "A2"):
            play(log, study, rater)
    return study


def test_page_api_command_and_report_agree(tmp_path: Path) -> None:
    study = example(tmp_path)
    printed = json.loads(assent("measure", tmp_path / "features", "--seed", "1", "--json").stdout)["results"]
    with running(tmp_path, study, database=f"sqlite:///{tmp_path}/features/study.db") as run:
        run.server.accounts.add_researcher("ada", hashed(PASSWORD))
        client = run.visitor()
        key = client.post("/api/keys", json={"name": "ada", "password": PASSWORD}).json()["key"]
        client.headers["authorization"] = f"Bearer {key}"
        told = client.get("/api/studies/features/agreement").json()["results"]
        page = client.get("/researcher/studies/features/agreement").text
        report = client.get("/researcher/studies/features/report.md").text
    assert told == printed
    cells = re.findall(r'data-measure="(\w+)" data-question="(\w+)">([^<]+)<', page)
    assert cells == [(r["measure"], r["question"], cell_text(r["value"])) for r in printed if r["value"] is not None]
    for result in printed:
        assert result["signature"] in report


def test_a_snapshot_is_shared_until_something_happens(tmp_path: Path) -> None:
    study = example(tmp_path)
    with Log.open(f"sqlite:///{tmp_path}/features/study.db") as log:
        live = Live(log)
        first = live.snapshot(study)
        assert live.snapshot(study, at_once=True) is first
        assert first.cases is first.cases
        assert first.judgements is not None


def test_an_empty_study_has_no_coefficients_and_no_errors(tmp_path: Path) -> None:
    study = example(tmp_path)
    with Log.open(f"sqlite:///{tmp_path}/empty.db") as log:
        snapshot = Live(log).snapshot(study)
    assert (snapshot.judgements, snapshot.results, snapshot.progress.n_begun) == (None, (), 0)
