"""The verdict: the low end decides, causes are tested, sentences fit, and every door says the same."""

from dataclasses import replace
from pathlib import Path

import pytest

from concordant.diagnosis.diagnose import diagnose
from concordant.diagnosis.verdict import LONGEST, MAIN, Word, study_verdict, word_for
from concordant.measures.result import Agreement, Interval
from concordant.model.judgements import Judgements
from concordant.report.facts import write_report
from concordant.uncertainty.estimate import measure
from tests.cli.running import run

ALPHA = measure(Judgements.from_matrix([[1, 1], [2, 2], [2, 1]] * 20), MAIN, seed=1)


def with_ends(low: float, high: float, *, n_units: int = 100, question: str | None = None) -> Agreement:
    """A coefficient with this interval."""
    assert ALPHA.interval is not None
    interval: Interval = replace(ALPHA.interval, low=low, high=high)
    return replace(ALPHA, value=(low + high) / 2, interval=interval, n_units=n_units, question=question)


@pytest.mark.parametrize(
    ("low", "high", "n_units", "word"),
    [
        (0.8, 0.9, 100, Word.RELIABLE),
        (0.7999, 0.95, 100, Word.WITH_CARE),
        (0.667, 0.7, 100, Word.WITH_CARE),
        (0.6669, 0.99, 100, Word.NOT_YET),
        (0.6669, 0.99, 29, Word.TOO_EARLY),
        (0.1, 0.79, 10, Word.NOT_YET),
    ],
)
def test_the_low_end_of_the_interval_decides(low: float, high: float, n_units: int, word: Word) -> None:
    assert word_for(with_ends(low, high, n_units=n_units)) is word


def test_without_an_interval_or_a_value() -> None:
    assert word_for(replace(ALPHA, interval=None)) is Word.TOO_EARLY
    undefined = replace(ALPHA, value=None, interval=None, reason="everybody always said the same " * 9)
    assert word_for(undefined) is Word.UNDEFINED
    [one] = study_verdict([undefined], []).questions
    assert len(one.sentence) == LONGEST
    assert one.sentence.endswith("…")


def test_no_sentence_says_that_a_limit_is_reached_which_is_not() -> None:
    [one] = study_verdict([with_ends(0.7999, 0.95)], []).questions
    assert ".79," in one.sentence
    assert "can be used with care" in one.sentence


def test_the_headline_counts_and_names() -> None:
    results = [with_ends(0.85, 0.9, question="a"), with_ends(0.7, 0.9, question="b"), with_ends(0.1, 0.2, question="c")]
    found = study_verdict(results, [])
    assert (
        found.sentence == "Of three questions one is reliable, one is to be used with care and one is not reliable yet."
    )
    assert study_verdict(results[:1] * 2, []).sentence == "Both questions are reliable."
    assert study_verdict(results[2:] * 2, []).sentence == "Neither question is reliable yet."
    assert study_verdict(results[2:] * 5, []).sentence == "None of the five questions is reliable yet."
    assert study_verdict(results[:1] * 13, []).sentence == "All 13 questions are reliable."
    assert study_verdict([], []).sentence == "Nothing was judged by two raters yet."


def stricter(n: int) -> list[list[int]]:
    """Three raters who order alike; the last is a point lower throughout."""
    return [[level, level, level - 1] for level in (2, 3, 4)] * n


def test_a_cause_that_was_tested_is_named_and_no_other() -> None:
    found = diagnose(Judgements.from_matrix(stricter(12), raters=["A", "B", "C"], level="ordinal"))
    assert found.verdict.sentence == "The question is not reliable yet: C is 1.0 points stricter than the others."
    too_few = diagnose(Judgements.from_matrix(stricter(1), raters=["A", "B", "C"], level="ordinal"))
    assert not any(one.cause for one in too_few.verdict.questions)


def test_raters_who_turned_the_scale_round() -> None:
    rows = [[level, level, 6 - level] for level in (1, 2, 3, 4, 5)] * 8
    found = diagnose(Judgements.from_matrix(rows, raters=["A", "B", "C"], level="ordinal"))
    assert "A and C use the scale in opposite directions" in found.verdict.sentence


def test_report_and_command_say_the_same_sentence(tmp_path: Path) -> None:
    file = tmp_path / "scores.csv"
    lines = [f"u{i},{','.join(map(str, row))}" for i, row in enumerate(stricter(10))]
    file.write_text("unit,A,B,C\n" + "\n".join(lines) + "\n")
    said = diagnose(file, level="ordinal").verdict.sentence
    assert said in " ".join(run("diagnose", str(file), "--level", "ordinal").stdout.split())
    write_report(file, tmp_path / "report.md", level="ordinal")
    text = (tmp_path / "report.md").read_text("utf-8")
    assert said in text
    assert text.index(said) < text.index("at a glance")
