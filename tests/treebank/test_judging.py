"""Treebanks as ordinary judgements."""

from pathlib import Path

import pytest

import assent
from assent.errors import InputError
from assent.treebank import compare
from assent.treebank.judging import read_treebanks
from tests.treebank.made import EXAMPLE, one_sentence, write_profile

BOTH = {"anna": EXAMPLE / "anna", "bruno": EXAMPLE / "bruno"}


def test_units_are_discriminants_and_values_yes_or_no() -> None:
    study = read_treebanks(BOTH, lexicon=EXAMPLE / "lexicon.tsv")
    judged = study.judgements()
    assert judged.raters == ("anna", "bruno")
    assert judged.scale.categories == ("no", "yes")
    assert set(study.attributes) == {"suite", "sentence", "type"}


def test_pooled_agreement_is_that_of_the_comparison() -> None:
    judged = read_treebanks(BOTH, lexicon=EXAMPLE / "lexicon.tsv").judgements()
    rows = [
        row for row in compare(*BOTH.values(), lexicon=EXAMPLE / "lexicon.tsv").sentences if row.subset != "undecided"
    ]
    pooled = sum(row.n_agreed for row in rows) / sum(row.n_options for row in rows)
    assert assent.measure(judged, "percent", ci="none").value == pytest.approx(pooled, abs=0.01)


def test_slices_by_suite() -> None:
    slices = list(read_treebanks(BOTH).slices(["suite"]))
    assert [where["suite"] for where, _ in slices] == ["diaries/SUITE-1-V1", "letters/SUITE-1-V1", "letters/SUITE-2-V1"]


def test_a_treebank_without_decisions(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no decisions in it"):
        read_treebanks({"x": write_profile(tmp_path, one_sentence())})
