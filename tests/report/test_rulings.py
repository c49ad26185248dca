"""The adjudicator's workbook goes round: written, filled in, read back, and a new report says what is settled."""

import shutil
import subprocess
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from concordant.errors import InputError
from concordant.report.facts import TreebankReport, treebank_facts
from concordant.report.rulings import read_rulings
from concordant.treebank import compare
from concordant.treebank.suites import commit_file
from tests.cli.running import run
from tests.treebank.made import EXAMPLE, one_sentence, write_profile

ANNA, BRUNO = EXAMPLE / "anna", EXAMPLE / "bruno"
LEXICON = EXAMPLE / "lexicon.tsv"


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("first") / "report.xlsx"
    run("treebank", ANNA, BRUNO, "--lexicon", LEXICON, "--resamples", "0", "-o", path)
    return path


def filled(source: Path, target: Path, cells: dict[int, tuple[Any, Any]]) -> Path:
    """The workbook with a decision and a comment in some rows of the divergent sentences."""
    book = openpyxl.load_workbook(source)
    sheet = book["Divergent"]
    header = [cell.value for cell in sheet[1]]
    for row, written in cells.items():
        for name, value in zip(("Decision", "Comments"), written, strict=True):
            sheet.cell(row, header.index(name) + 1, value)
    book.save(target)
    return target


def sheet(path: Path, name: str) -> list[tuple[Any, ...]]:
    return list(openpyxl.load_workbook(path)[name].iter_rows(values_only=True))


def test_an_empty_workbook_rules_nothing(first: Path) -> None:
    assert read_rulings(first) == {}


def test_what_was_written_stands_in_the_next_report_and_goes_round_again(tmp_path: Path, first: Path) -> None:
    done = {2: ("Anna", "in the yard"), 3: ("accepted 2", None), 4: (None, "why?"), 5: (7, None)}
    path = filled(first, tmp_path / "filled.xlsx", done)
    for source, target in ((path, tmp_path / "second.xlsx"), (tmp_path / "second.xlsx", tmp_path / "third.xlsx")):
        words = (
            "treebank",
            ANNA,
            BRUNO,
            "--lexicon",
            LEXICON,
            "--resamples",
            "0",
            "--adjudicated",
            source,
            "-o",
            target,
        )
        assert "adjudicated: 3 settled, 2 divergent without a decision" in run(*words).stdout
        written = [row[-2:] for row in sheet(target, "Divergent")[1:]]
        assert written == [
            ("accepted 0", "in the yard"), ("accepted 2", None), (None, "why?"), ("accepted 7", None), (None, None),
        ]  # fmt: skip
        counts = dict(row[:2] for row in sheet(target, "Adjudication") if row[0])
        assert counts["Settled"] == 3
        assert counts["Settled: right was anna"] == 2
        assert counts["Settled: right was neither"] == 1
        assert counts["Commented, not decided"] == 1
        assert counts["Divergent, nothing decided yet"] == 2


def test_rulings_about_sentences_that_are_gone_or_agreed_on_are_told_apart(tmp_path: Path, first: Path) -> None:
    """The earlier treebanks: what was decided on sentences of today's is there, divergent or not."""
    path = filled(first, tmp_path / "filled.xlsx", dict.fromkeys(range(2, 7), ("rejected", None)))
    earlier = compare(EXAMPLE / "earlier" / "anna" / "letters", EXAMPLE / "earlier" / "bruno" / "letters")
    facts = treebank_facts(earlier, TreebankReport(resamples=0, adjudicated=path))
    assert facts.rulings is not None
    assert len(facts.rulings) == 5
    assert not any(one.is_there for one in facts.rulings), "there the suites have no corpus above them"


@pytest.mark.parametrize(
    ("decision", "said"),
    [("carla", "'carla' in row 2 of the workbook is no decision; write anna, bruno"), ("accepted", "is no decision")],
)
def test_a_decision_that_means_nothing_is_refused(tmp_path: Path, first: Path, decision: str, said: str) -> None:
    path = filled(first, tmp_path / "filled.xlsx", {2: (decision, None)})
    told = run("treebank", ANNA, BRUNO, "--adjudicated", path, "-o", tmp_path / "next.xlsx", code=2)
    assert said in told.stderr
    assert not (tmp_path / "next.xlsx").exists()


def test_other_files_are_refused_in_one_line(tmp_path: Path, first: Path) -> None:
    with pytest.raises(InputError, match="no such workbook"):
        read_rulings(tmp_path / "none.xlsx")
    with pytest.raises(InputError, match="cannot be read as a workbook"):
        read_rulings(LEXICON)
    book = openpyxl.load_workbook(first)
    book["Divergent"].cell(1, len([*book["Divergent"][1]]) - 1, "Verdict")
    book.save(tmp_path / "renamed.xlsx")
    with pytest.raises(InputError, match="no column 'Decision'"):
        read_rulings(tmp_path / "renamed.xlsx")
    twice = openpyxl.load_workbook(filled(first, tmp_path / "twice.xlsx", {2: ("anna", None), 3: ("anna", None)}))
    for column in (1, 2):
        twice["Divergent"].cell(3, column, twice["Divergent"].cell(2, column).value)
    twice.save(tmp_path / "twice.xlsx")
    with pytest.raises(InputError, match="stands there twice"):
        read_rulings(tmp_path / "twice.xlsx")


def git(folder: Path, *words: str) -> str:
    settings = ("-c", "user.name=Ana", "-c", "user.email=ana@example.org")
    return subprocess.run(("git", *settings, *words), cwd=folder, capture_output=True, text=True, check=True).stdout


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
def test_a_report_is_committed_and_nothing_else(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    git(tmp_path, "config", "user.name", "Ana")
    git(tmp_path, "config", "user.email", "ana@example.org")
    (tmp_path / "other").write_text("not asked for")
    goal = tmp_path / "report.md"
    run("treebank", ANNA, BRUNO, "--resamples", "0", "-o", goal, "--commit", "Report of March")
    assert git(tmp_path, "show", "--format=%s", "--name-only").split("\n") == ["Report of March", "", "report.md", ""]
    with pytest.raises(InputError, match="was written, but cannot be committed"):
        commit_file(goal, "nothing changed")


@pytest.mark.skipif(shutil.which("svnadmin") is None, reason="Subversion is not installed")
def test_a_report_is_committed_to_subversion(tmp_path: Path) -> None:
    subprocess.run(("svnadmin", "create", "store"), cwd=tmp_path, check=True)
    subprocess.run(("svn", "checkout", "-q", f"{(tmp_path / 'store').as_uri()}", "copy"), cwd=tmp_path, check=True)
    (tmp_path / "copy" / "report.md").write_text("a report", encoding="utf-8")
    commit_file(tmp_path / "copy" / "report.md", "Report of March")
    log = ("svn", "log", "-v", (tmp_path / "store").as_uri())
    said = subprocess.run(log, capture_output=True, text=True, check=True).stdout
    assert "Report of March" in said
    assert "/report.md" in said


def test_a_report_that_cannot_be_committed_is_said(tmp_path: Path) -> None:
    (tmp_path / "report.md").write_text("a report", encoding="utf-8")
    with pytest.raises(InputError, match="lies in no Git or Subversion working copy"):
        commit_file(tmp_path / "report.md", "Report")
    told = run("treebank", ANNA, BRUNO, "--commit", "Report", code=2)
    assert "there is no report to commit" in told.stderr


@pytest.fixture
def thinned(tmp_path: Path) -> Path:
    """A report on two thinned profiles: each has its own analysis of the sentence, and both are number 0."""
    for name, node in (("one", "np"), ("two", "pp")):
        tables = one_sentence(
            decisions=[(1, 1, 3, node, 0, 1)],
            trees=[(1, 1, 1, "x", "")],
            preferences=[(1, 1, 0)],
            results=[
                (1, 0, f'(root (1 s 0 0 2 (2 {node} 0 0 1 (3 n 0 0 1 ("a"))) (4 vp 0 1 2 (5 v 0 1 2 ("b")))))', "")
            ],
        )
        write_profile(tmp_path / name, tables)
    run("treebank", tmp_path / "one", tmp_path / "two", "--resamples", "0", "-o", tmp_path / "report.xlsx")
    return tmp_path


def test_a_name_stays_a_name_where_both_number_another_analysis_alike(thinned: Path) -> None:
    """Read as `accepted 0`, the decision for one of them would be a decision for both."""
    words = ("treebank", thinned / "one", thinned / "two", "--resamples", "0", "--adjudicated")
    source = filled(thinned / "report.xlsx", thinned / "filled.xlsx", {2: ("TWO", None)})
    for target in (thinned / "second.xlsx", thinned / "third.xlsx"):
        assert "adjudicated: 1 settled, 0 divergent without a decision" in run(*words, source, "-o", target).stdout
        assert sheet(target, "Divergent")[1][-2] == "two"
        counts = dict(row[:2] for row in sheet(target, "Adjudication") if row[0])
        assert counts["Settled: right was two"] == 1
        source = target


def test_a_number_that_means_two_analyses_is_refused(thinned: Path) -> None:
    source = filled(thinned / "report.xlsx", thinned / "filled.xlsx", {2: ("accepted 0", None)})
    words = ("treebank", thinned / "one", thinned / "two", "--adjudicated", source, "-o", thinned / "next.xlsx")
    assert "can be either of two analyses" in (told := run(*words, code=2).stderr)
    assert "write one or two" in told
