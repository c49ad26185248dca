"""The section on models: the figures of `judges`, its methods and source; none of it where no model judged."""

from pathlib import Path
from typing import Any

import pytest

import concordant as cc
from concordant.readers.data import as_study
from concordant.report.document import Document, Notice, Paragraph, Points, Section
from concordant.report.facts import JudgementReport, report_judgements
from concordant.report.grid import Grid
from tests.cli.running import run
from tests.judging.test_judges import invented

TEST = "alternative annotator test"


def section(document: Document, key: str) -> Section | None:
    return next((one for one in document.sections if one.key == key), None)


def words(document: Document, key: str) -> str:
    found = section(document, key)
    assert found is not None
    told: list[Any] = [one.text for one in found.blocks if isinstance(one, Paragraph | Notice)]
    told += [item for one in found.blocks if isinstance(one, Points) for item in one.items]
    return "\n".join(map(str, told))


@pytest.fixture(scope="module")
def both() -> Document:
    document: Document = cc.report(invented(), resamples=100, by="size")
    return document


def test_the_section_has_the_figures_of_judges(both: Document) -> None:
    asked = cc.judges(invented(), by="size")
    told, found = words(both, "models"), section(both, "models")
    assert found is not None
    for one in asked.judges:
        assert one.sentence in told
        assert one.signature in told
    titles = {block.title for block in found.blocks if isinstance(block, Grid)}
    assert {"Alternative annotator test", "The human ceiling", "How it differs", "Slices"} <= titles
    assert "Requirements" not in titles, "tables without rows are left out"


def test_methods_and_references_say_what_was_done(both: Document) -> None:
    assert TEST in words(both, "methods")
    assert "Calderon" in words(both, "references")
    assert "2 models left out: good, poor" in "\n".join(words(both, one.key) for one in both.sections)


def test_nothing_where_no_model_judged() -> None:
    people = {name: cells[: 4 * 120] for name, cells in invented().items()}
    document = cc.report(people, resamples=100)
    assert section(document, "models") is None
    assert TEST not in words(document, "methods")
    assert "Calderon" not in words(document, "references")


def test_a_study_that_was_read_without_models_has_no_section() -> None:
    """Their judgements are not there any more; a study with all of them has the section."""
    whole = as_study(invented(), kind="all")
    assert section(cc.report(whole, resamples=100), "models") is not None
    assert section(cc.report(as_study(invented()), resamples=100), "models") is None


def test_what_cannot_be_judged_is_said_in_its_place() -> None:
    few = invented(units=6, people=1)
    study = as_study(few, kind="all")
    alone = study.where("rater", ["h0", "good"])
    document = report_judgements(study.where("rater", ["h0"]), JudgementReport(beside=alone, resamples=100))
    found = section(document, "models")
    assert found is not None
    assert isinstance(found.blocks[0], Notice)
    assert TEST not in words(document, "methods")


def test_the_command_reads_models_again_and_its_report_is_verified(tmp_path: Path) -> None:
    data = tmp_path / "answers.csv"
    columns = invented(units=60)
    rows = [",".join(columns), *(",".join(row) for row in zip(*columns.values(), strict=True))]
    data.write_text("\n".join(rows) + "\n", encoding="utf-8")
    written = tmp_path / "report.md"
    short = ("--resamples", "100")
    run("report", data, "-o", written, *short)
    assert "## Models beside people" in written.read_text(encoding="utf-8")
    assert "judges|model:good" in written.read_text(encoding="utf-8")
    run("verify", written, data)
    run("report", data, "-o", written, *short, "--where", "rater=h0,h1,h2,h3")
    assert "## Models beside people" not in written.read_text(encoding="utf-8")
