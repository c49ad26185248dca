"""`concordant report` and `concordant plot` as a user types them."""

from pathlib import Path

import pytest

from tests.cli.test_main import EXAMPLES, run

RATINGS, TREEBANKS = EXAMPLES / "ratings.csv", EXAMPLES.parent / "treebank"


@pytest.mark.parametrize("ending", ["html", "xlsx", "tex", "md"])
def test_report_is_written(tmp_path: Path, ending: str) -> None:
    goal = tmp_path / f"report.{ending}"
    done = run("report", RATINGS, "-o", goal, "--resamples", "50", "--independent")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"{goal} written\n"
    assert goal.stat().st_size > 5000


@pytest.mark.parametrize(
    ("name", "words", "complaint"),
    [
        ("report.doc", [], "a report ends in .html, .xlsx, .tex, .md, not '.doc'"),
        ("nowhere/report.html", [], "there is no such folder"),
        ("report.html", ["--measure", "kapa"], "unknown measure 'kapa'; did you mean 'kappa'?"),
        ("report.html", ["--by", "genre"], "there is no such column"),
    ],
)
def test_what_cannot_be_written_is_one_line(tmp_path: Path, name: str, words: list[str], complaint: str) -> None:
    done = run("report", RATINGS, "-o", tmp_path / name, *words)
    assert done.returncode == 2
    assert done.stderr.startswith("concordant: ")
    assert complaint in done.stderr
    assert done.stderr.count("\n") == 1
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("kind", ["scores", "distribution", "coincidence", "entropy", "pairs"])
def test_plot_says_in_words_what_it_drew(tmp_path: Path, kind: str) -> None:
    goal = tmp_path / f"{kind}.svg"
    done = run("plot", kind, RATINGS, "--where", "question=fluency", "-o", goal)
    assert (done.returncode, done.stderr) == (0, "")
    assert any(character.isdigit() for character in done.stdout)
    assert goal.read_text("utf-8").startswith("<?xml")


def test_plot_coefficients_of_all_questions(tmp_path: Path) -> None:
    done = run("plot", "coefficients", RATINGS, "--measure", "alpha", "--resamples", "50", "-o", tmp_path / "x.pdf")
    assert done.stdout.startswith("Coefficients with intervals: Krippendorff's alpha")


@pytest.mark.parametrize(("words", "complaint"), [
    (["plots"], "unknown kind of picture 'plots'"),
    (["scores"], "this picture shows one question"),
    (["scores", "-o", "x.gif"], "a picture ends in .png, .svg, .pdf, not '.gif'"),
])  # fmt: skip
def test_plot_refuses_in_one_line(tmp_path: Path, words: list[str], complaint: str) -> None:
    kind, *more = words
    done = run("plot", kind, RATINGS, *(more or ["-o", str(tmp_path / "x.svg")]))
    assert done.returncode == 2
    assert complaint in done.stderr
    assert done.stderr.count("\n") == 1


def test_help_teaches_the_kinds() -> None:
    shown = run("plot", "--help").stdout
    for kind in ("scores", "distribution", "contingency", "coincidence", "entropy", "coefficients", "pairs"):
        assert f"  {kind} " in shown


def test_report_of_two_treebanks(tmp_path: Path) -> None:
    goal = tmp_path / "report.md"
    anna, bruno = TREEBANKS / "anna", TREEBANKS / "bruno"
    done = run("report", anna, bruno, "-o", goal, "--no-edm", "--resamples", "0", "--title", "Ours")
    assert (done.returncode, done.stdout) == (0, f"{goal} written\n")
    assert goal.read_text("utf-8").startswith("# Ours\n")


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ([RATINGS, "--lexicon", "x.tsv"], "--lexicon says nothing about judgements"),
        ([RATINGS, "--alpha", "2"], "--alpha says nothing about judgements"),
        ([EXAMPLES / "spans.csv", "--ci", "none"], "--ci says nothing about spans"),
        ([TREEBANKS / "anna", TREEBANKS / "bruno", "--by", "genre"], "--by says nothing about treebanks"),
    ],
)
def test_an_option_of_other_data_is_not_ignored(tmp_path: Path, words: list[str | Path], complaint: str) -> None:
    done = run("report", *words, "-o", tmp_path / "report.md")
    assert (done.returncode, complaint in done.stderr) == (2, True)
