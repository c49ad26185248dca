"""A kind of question that another package brings: one module, one template (and a script, if it likes), nothing else."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import polars
import pytest

from concordant import registry
from concordant.about import NAME
from concordant.collection.database import FILE
from concordant.collection.events import Answered
from concordant.collection.opened_study import read_study
from concordant.design.schema import sections
from concordant.studio.projects import offered
from concordant.tasks.kind import kinds
from concordant.web.markup import templates
from tests.cli.running import run
from tests.web.plain import Plain
from tests.web.samples import running

MODULE = '''
"""A rating in stars."""
from concordant.model.scale import Level
from concordant.tasks.kind import Kind
from concordant.tasks.question import WHOLE, Setting


class Stars(Kind):
    key, label, level = "stars", "some stars", Level.ORDINAL
    settings = {"most": Setting(WHOLE, "how many stars there are", 5, low=2)}

    def problem(self, question, unit, value):
        most = question.more["most"]
        return None if type(value) is int and 1 <= value <= most else f"expected one to {most} stars"

    def parse(self, question, written):
        return len(written.strip())

    def from_form(self, form, name, question, unit):
        written = super().from_form(form, name, question, unit)
        return int(written) if written and written.isdigit() else written


KIND = Stars()
'''
TEMPLATE = """<div data-script="{{ static('tasks/stars.js') }}">
  <input type="range" name="{{ asked.field }}" min="1" max="{{ asked.question.more.most }}" aria-labelledby="ask-{{ asked.id }}">
</div>
"""
STUDY = """
name = "rated"
title = "Rated"
open = true
[units]
file = "units.csv"
text = "text"
[[questions]]
id = "liked"
task = "stars"
ask = "How many stars?"
most = 4
"""
CACHES = [*(one for one in vars(registry).values() if hasattr(one, "cache_clear")), kinds, sections, templates]


@pytest.fixture
def _brought(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The package is installed while a test runs."""
    place = tmp_path / "site"
    about = place / "stars-1.0.dist-info"
    about.mkdir(parents=True)
    (place / "stars_task.py").write_text(MODULE, encoding="utf-8")
    (place / "stars.html").write_text(TEMPLATE, encoding="utf-8")
    (place / "stars.js").write_text("export function prepare() {}\n", encoding="utf-8")
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: stars\nVersion: 1.0\n", encoding="utf-8")
    (about / "entry_points.txt").write_text(f"[{NAME}.tasks]\nstars = stars_task\n", encoding="utf-8")
    monkeypatch.syspath_prepend(str(place))
    for cached in CACHES:
        cached.cache_clear()
    yield
    sys.modules.pop("stars_task", None)
    for cached in CACHES:
        cached.cache_clear()


@pytest.fixture
def study(tmp_path: Path) -> Path:
    """A study that asks in the new way."""
    folder = tmp_path / "rated"
    folder.mkdir()
    (folder / "study.toml").write_text(STUDY, encoding="utf-8")
    (folder / "units.csv").write_text("id,text\nu1,A tree.\nu2,A house.\n", encoding="utf-8")
    return folder


@pytest.mark.usefixtures("_brought")
def test_its_study_is_checked_with_its_own_settings(study: Path) -> None:
    assert "liked (stars)" in run("check", study).stdout
    assert offered()["stars"] == "some stars"
    file = study / "study.toml"
    file.write_text(STUDY.replace("most = 4", "most = 1"), encoding="utf-8")
    assert "most: expected 2 or more, found 1" in run("check", study, code=2).stderr
    file.write_text(STUDY.replace('task = "stars"', 'task = "text"'), encoding="utf-8")
    assert "'most' means nothing for the task text; it is for stars" in run("check", study, code=2).stderr


@pytest.mark.usefixtures("_brought")
def test_it_is_shown_answered_stored_exported_and_measured(study: Path, tmp_path: Path) -> None:
    database = f"sqlite:///{study / FILE}"
    with running(study, read_study(study), database=database) as served:
        for stars in ("3", "4"):
            rater = Plain(served.visitor())
            rater.go("/s/rated")
            rater.start()
            assert 'max="4"' in rater.html
            assert "/static/tasks/stars.js" in rater.html
            rater.press("next", {"q:liked": "5"})
            assert "expected one to 4 stars" in rater.html
            rater.press("next", {"q:liked": stars})
            rater.press("next", {"q:liked": "3"})
            assert rater.kind == "thanks"
        client = served.visitor()
        assert client.get("/static/tasks/stars.js").text == "export function prepare() {}\n"
        assert client.get("/static/tasks/stars_task.js").status_code == 404
        assert '"tasks/stars.js"' in client.get("/s/rated/worker.js").text
        given = [event.value for event in served.events("rated") if isinstance(event, Answered)]
    assert sorted(given) == [3, 3, 3, 4]
    run("export", study, "-o", tmp_path / "out.csv")
    exported = polars.read_csv(next(tmp_path.glob("out*judgements*.csv"), tmp_path / "out.csv"))
    assert sorted(exported["value"].cast(str).to_list()) == ["3", "3", "3", "4"]
    told = json.loads(run("measure", study, "--measure", "alpha", "--json").stdout)
    assert "ordinal" in json.dumps(told)


def test_without_the_package_the_study_is_refused_in_one_line(study: Path) -> None:
    assert "task: 'stars' is not one of" in run("check", study, code=2).stderr
