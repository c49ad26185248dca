"""Measures of treebanks: Y-Option Kappa, Parseval, Leaf-Ancestor and EDM as results."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import concordant
from concordant.errors import InputError
from concordant.measures.catalogue import CATALOGUE, measures_of
from concordant.measures.evaluation import prepared, resample
from concordant.measures.result import Agreement
from concordant.measures.spec import Asked
from concordant.measures.treebanks import MEASURES, Bracketing, Sentences
from concordant.model.judgements import Judgements
from concordant.treebank import Comparison, Sentence, compare
from concordant.treebank.sentences import READINGS, Choice, Reading
from concordant.treebank.trees import BracketedCorpus, Counts, parse_brackets, read_bracketed
from concordant.uncertainty.estimate import measure, verify
from concordant.uncertainty.request import read_signature
from tests.treebank.made import EXAMPLE

ANNA, BRUNO, LEXICON = EXAMPLE / "anna", EXAMPLE / "bruno", EXAMPLE / "lexicon.tsv"
ACCEPTED = Choice("accepted", 1)


def y_option(comparison: Comparison) -> Agreement:
    return measure(comparison, "y_option", ci="none")


def corpus(key: str, *rows: Counts | None) -> Comparison:
    """Two treebanks of which only these counts are known."""
    sentences = []
    for n, row in enumerate(rows):
        known: dict[str, Any] = {key: row}
        sentences.append(Sentence(sentence=str(n), text="", n_parses=2, a=ACCEPTED, b=ACCEPTED, subset="both", **known))
    return Comparison(a="a", b="b", reading="resolved", expected="half", sentences=tuple(sentences))


ROWS = (Counts(15, 17, 17), Counts(2, 2, 4), None)


@pytest.mark.parametrize("key", [entry.key for entry in MEASURES])
def test_every_key_is_listed_and_explained(key: str) -> None:
    assert key in CATALOGUE
    told = concordant.explain(key)
    assert "When not to use it" in told
    assert "Made for" in told


@pytest.mark.parametrize("key", [entry.key for entry in MEASURES])
def test_judgements_are_refused(key: str) -> None:
    with pytest.raises(InputError, match=f"{key} needs .*, and these are judgements of given units; measures of these"):
        measure(Judgements.from_matrix([[1, 1], [2, 1]]), key)


def test_kinds_of_trees_have_their_measures() -> None:
    assert measures_of("profiles") == ("y_option", "parseval", "leaf_ancestor", "edm")
    assert measures_of("brackets") == ("parseval", "leaf_ancestor")


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
    assert "no sentence has a forest" in str(y_option(empty).reason)


@pytest.mark.parametrize("reading", READINGS)
def test_every_sentence_drawn_once_gives_the_value(reading: Reading) -> None:
    comparison = compare(ANNA, BRUNO, reading=reading, lexicon=LEXICON)
    chosen = CATALOGUE["y_option"]
    rows = prepared(chosen, comparison, Asked())
    assert isinstance(rows, Sentences)
    drawn = resample(chosen, rows.reweighted(np.ones((2, len(rows.weights)))), rows)
    assert drawn.tolist() == pytest.approx([y_option(comparison).value] * 2, abs=1e-12)
    assert y_option(comparison).value == comparison.kappa


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


def test_micro_macro_precision_recall_and_coverage() -> None:
    found = measure(corpus("parseval", *ROWS), "parseval", ci="none")
    assert found.value == pytest.approx(2 * 17 / 40)
    assert found.details["macro"] == pytest.approx((15 / 17 + 4 / 6) / 2)
    assert (found.details["precision"], found.details["recall"]) == (pytest.approx(17 / 21), pytest.approx(17 / 19))
    assert found.details["coverage"] == pytest.approx(2 / 3)
    assert (found.n_units, found.n_dropped) == (2, 1)
    assert found.notes == ("sentences left out because they lack two comparable analyses: 1",)


def test_leaf_ancestor_pools_words() -> None:
    found = measure(corpus("leaf_ancestor", Counts(1.5, 2, 2), Counts(8, 8, 8)), "leaf_ancestor", ci="none")
    assert found.value == pytest.approx(9.5 / 10)
    assert found.details["macro"] == pytest.approx((0.75 + 1) / 2)
    assert "precision" not in found.details


@pytest.mark.parametrize("key", ["parseval", "leaf_ancestor", "edm"])
def test_nothing_to_compare_is_undefined_with_the_reason(key: str) -> None:
    for rows in ((None, None), ()):
        found = measure(corpus(key, *rows), key, seed=1)
        assert (found.value, found.reason) == (None, "no sentence has two analyses that can be compared")
        assert found.details["micro"] is None


def test_the_same_seed_gives_the_same_signature_and_another_one_does_not() -> None:
    data = corpus("parseval", *(Counts(float(n % 3), 3, 3) for n in range(30)))
    one, again, other = (measure(data, "parseval", seed=seed) for seed in (1, 1, 2))
    assert one == again
    assert one.interval != other.interval
    assert one.signature.startswith("parseval|units:30|raters:2|dropped:0|ci:bootstrap,95%,units|B:2000|seed:1|data:")


def test_the_interval_is_over_sentences() -> None:
    data = corpus("parseval", *(Counts(float(n % 3), 3, 3) for n in range(60)))
    found = measure(data, "parseval", seed=1, resamples=4000)
    error = np.array([n % 3 / 3 for n in range(60)]).std() / np.sqrt(60)
    assert found.interval is not None
    assert found.interval.low == pytest.approx(1 / 3 - 1.96 * error, abs=0.15 * error)
    assert found.interval.high == pytest.approx(1 / 3 + 1.96 * error, abs=0.15 * error)
    assert found.interval.method == "percentile bootstrap over sentences, 4,000 resamples"
    jackknife = measure(data, "parseval", ci="jackknife")
    assert jackknife.interval is not None
    assert jackknife.interval.method == "jackknife over sentences"
    assert jackknife.interval.width == pytest.approx(found.interval.width, rel=0.1)


def test_one_sentence_has_no_interval() -> None:
    found = measure(corpus("parseval", Counts(1, 2, 2)), "parseval", seed=1)
    assert found.interval is None
    assert "one unit cannot be resampled" in found.notes[-1]


def test_brackets_are_measured_and_the_signature_says_which_nodes_counted(tmp_path: Path) -> None:
    for name, noun in (("ann", "N"), ("ben", "NN")):
        lines = [f"(S (NP ({noun} Ida)) (VP (V sleeps)))", "(S (NP (N Jon)) (VP (V waits)))"]
        (tmp_path / f"{name}.mrg").write_text("\n".join(lines), encoding="utf-8")
    trees = read_bracketed([tmp_path / "ann.mrg", tmp_path / "ben.mrg"])
    plain = measure(trees, "parseval", seed=1, resamples=20)
    found = measure(trees, "parseval", seed=1, resamples=20, preterminals=False, ignore=frozenset({"VP"}))
    assert plain.value == pytest.approx(0.9)
    assert found.value == 1
    fields = read_signature(found.signature).fields
    assert (fields["preterminals"], fields["ignore"]) == ("no", "VP")
    assert verify(found.signature, trees).matches
    assert read_signature(found.signature).request({}).options == Bracketing(
        preterminals=False, ignore=frozenset({"VP"})
    )


def test_what_trees_cannot_answer() -> None:
    comparison = compare(ANNA, BRUNO, edm=False)
    [tree] = parse_brackets("(S (N a))")
    brackets = BracketedCorpus(raters=("x", "y"), sentences=((tree, tree),))
    assert measure(brackets, "leaf_ancestor", seed=1).value == 1
    with pytest.raises(InputError, match="kappa needs judgements of given units, and these are two annotators' tree"):
        measure(comparison, "kappa")
    with pytest.raises(InputError, match="no analytic interval for edm; it has bootstrap, bca, jackknife, none"):
        measure(comparison, "edm", ci="analytic")
    with pytest.raises(InputError, match=r"edm needs two annotators' .* and these are trees in brackets"):
        measure(brackets, "edm")
    with pytest.raises(InputError, match="parseval of profiles counts every node"):
        measure(comparison, "parseval", preterminals=False)
    with pytest.raises(InputError, match="leaf_ancestor has no option 'preterminals'; it has none"):
        measure(brackets, "leaf_ancestor", preterminals=False)
    with pytest.raises(InputError, match="raters is for judgements"):
        measure(brackets, "parseval", raters=["x"])


def test_of_several_broken_lines_the_first_is_named() -> None:
    comparison = compare(ANNA / "letters", BRUNO / "letters")
    changed = replace(comparison, broken=("letters, row 3", "letters, row 9"))
    assert "broken lines left out: 2, the first in letters, row 3" in y_option(changed).notes
