"""Intervals over sentences."""

import numpy as np
import pytest

import assent
from assent.errors import InputError
from assent.measures.over_sentences import ratio
from assent.treebank import compare
from assent.treebank.bracketed import BracketedCorpus
from assent.treebank.trees import Counts, parse_brackets
from assent.uncertainty.over_sentences import Resampling, measure_trees, percentile_interval
from assent.uncertainty.request import Ci
from tests.treebank.made import EXAMPLE


def test_the_interval_of_a_mean_is_that_of_its_normal_theory() -> None:
    values = np.random.default_rng(1).normal(0.7, 0.1, 400)
    found = percentile_interval(ratio(values, np.ones(400)), 400, Resampling(n=4000, seed=3))
    assert found is not None
    error = values.std() / 20
    assert found.low == pytest.approx(values.mean() - 1.96 * error, abs=0.15 * error)
    assert found.high == pytest.approx(values.mean() + 1.96 * error, abs=0.15 * error)


def test_one_sentence_or_no_draws_give_no_interval() -> None:
    statistic = ratio(np.ones(1), np.ones(1))
    assert percentile_interval(statistic, 1, Resampling()) is None
    assert percentile_interval(ratio(np.ones(5), np.ones(5)), 5, Resampling(n=0)) is None


def test_the_same_seed_gives_the_same_signature_and_another_one_does_not() -> None:
    rows = [Counts(float(n % 3), 3, 3) for n in range(30)]
    one, again, other = (measure_trees("parseval", rows, ("a", "b"), Resampling(seed=seed)) for seed in (1, 1, 2))
    assert one == again
    assert one.interval != other.interval
    assert one.signature.startswith("parseval|units:30|raters:2|dropped:0|ci:bootstrap,95%,units|B:2000|seed:1|data:")


def test_assent_measure_answers_on_comparisons_and_brackets() -> None:
    comparison = compare(EXAMPLE / "anna", EXAMPLE / "bruno", lexicon=EXAMPLE / "lexicon.tsv")
    assert assent.measure(comparison, "y_option", seed=1).value == comparison.kappa
    assert assent.measure(comparison, "edm", ci="none").interval is None
    [tree] = parse_brackets("(S (N a))")
    corpus = BracketedCorpus(raters=("x", "y"), sentences=((tree, tree),))
    assert assent.measure(corpus, "leaf_ancestor", seed=1).value == 1


@pytest.mark.parametrize(
    ("key", "ci", "message"), [("kappa", "none", "no measure of"), ("edm", "bca", "no bca interval")]
)
def test_what_trees_cannot_answer(key: str, ci: Ci, message: str) -> None:
    comparison = compare(EXAMPLE / "anna", EXAMPLE / "bruno", edm=False)
    with pytest.raises(InputError, match=message):
        assent.measure(comparison, key, ci=ci)


def test_a_statistic_that_is_undefined_in_some_draw_has_no_interval() -> None:
    how = Resampling(n=5, seed=1, level=0.95)
    assert percentile_interval(lambda weights: np.where(weights[:, 0] > 1, np.nan, 1.0), 3, how) is None
