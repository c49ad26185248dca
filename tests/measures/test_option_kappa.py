"""Y-Option Kappa as a result."""

from dataclasses import replace

import numpy as np
import pytest

from assent.measures.option_kappa import kappa_statistic, y_option
from assent.treebank import compare
from assent.treebank.sentences import READINGS, Reading
from tests.treebank.made import EXAMPLE

ANNA, BRUNO, LEXICON = EXAMPLE / "anna", EXAMPLE / "bruno", EXAMPLE / "lexicon.tsv"


def test_the_result_says_what_was_used_and_what_was_not() -> None:
    found = y_option(compare(ANNA, BRUNO, lexicon=LEXICON))
    assert (found.n_units, found.n_raters, found.n_dropped, found.raters) == (19, 2, 5, ("anna", "bruno"))
    assert found.expected == 0.5
    assert found.value is not None
    assert found.observed is not None
    assert found.value == pytest.approx(2 * found.observed - 1)
    assert found.details["subsets"] == {"both": 17, "rejected": 3, "no options": 2, "undecided": 1}
    assert (found.details["n_same_tree"], found.details["n_both_trees"]) == (16, 19)
    assert any("lost sentences left out: 1" in note for note in found.notes)


def test_nothing_in_common_is_undefined_with_the_reason() -> None:
    comparison = compare(ANNA / "letters", BRUNO / "letters")
    empty = type(comparison)(a="x", b="y", reading="resolved", expected="forest", sentences=())
    found = y_option(empty)
    assert found.value is None
    assert found.reason is not None
    assert "no sentence has a forest" in found.reason


@pytest.mark.parametrize("reading", READINGS)
def test_the_statistic_of_every_sentence_once_is_the_value(reading: Reading) -> None:
    comparison = compare(ANNA, BRUNO, reading=reading, lexicon=LEXICON)
    once = np.ones((1, len(comparison.scored)))
    assert kappa_statistic(comparison)(once)[0] == pytest.approx(comparison.kappa)


def test_forest_differs_from_half_where_analyses_are_kept() -> None:
    half = y_option(compare(ANNA, BRUNO, lexicon=LEXICON))
    forest = y_option(compare(ANNA, BRUNO, lexicon=LEXICON, expected="forest"))
    assert forest.expected is not None
    assert forest.expected != half.expected
    assert forest.n_units == half.n_units


def test_notes_name_what_was_left_out_or_vacuous() -> None:
    comparison = compare(ANNA / "letters", BRUNO / "letters")
    first, *rest = comparison.sentences
    changed = replace(comparison, sentences=(replace(first, n_vacuous=2), *rest), broken=("letters, row 3",))
    notes = y_option(changed).notes
    assert any("share no discriminant on them: 2" in note for note in notes)
    assert any("broken lines left out: 1, the first in letters, row 3" in note for note in notes)
    empty = replace(comparison, sentences=())
    assert "no sentence has a discriminant" in str(y_option(empty).reason)
