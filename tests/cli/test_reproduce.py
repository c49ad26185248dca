"""`concordant reproduce`: what it prints, writes and refuses."""

import json
from pathlib import Path

from tests.cli.running import run
from tests.reproduction.invented import invented_sails


def test_figures_that_came_out_otherwise_are_listed_and_nothing_else() -> None:
    done = run("reproduce", "castro", environment={"COLUMNS": "110"})
    assert "113 figures: none differs without an explanation." in done.stdout
    assert "0.914 comes out" in done.stdout
    assert "binóculos" not in done.stdout


def test_all_figures_on_demand() -> None:
    assert "binóculos" in run("reproduce", "castro", "--cells").stdout


def test_remarks_and_missing_files_are_told() -> None:
    shown = " ".join(run("reproduce", "amidei").stdout.split())
    assert "What is printed is Cohen's κ" in shown
    assert "qgstec/judgements.csv is missing: it holds" in shown


def test_json_has_every_figure() -> None:
    found = json.loads(run("reproduce", "all", "--json").stdout)
    assert found["holds"] is True
    assert len(found["figures"]) == 1717
    weight = next(one for one in found["figures"] if (one["row"], one["column"]) == ("Weight", "Verif"))
    assert (weight["printed"], weight["verdict"], weight["source"]) == ("0.263", "misprint", "print")
    assert weight["computed"] == 415 / 1581


def test_an_unexplained_difference_is_exit_code_1(tmp_path: Path) -> None:
    done = run("reproduce", "sails", "--data", invented_sails(tmp_path), code=1)
    assert "differ without an explanation" in done.stdout


def test_a_missing_file_is_one_line(tmp_path: Path) -> None:
    done = run("reproduce", "sails", "--data", tmp_path, code=2)
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert "corpus/*_master_anno.csv of https://github.com/sailscorpus/sails" in done.stderr


def test_a_workbook_is_written(tmp_path: Path) -> None:
    done = run("reproduce", "catalan", "-o", tmp_path / "figures.xlsx")
    assert done.stdout.endswith(f"Report written to {tmp_path / 'figures.xlsx'}\n")
    assert (tmp_path / "figures.xlsx").stat().st_size > 5000
