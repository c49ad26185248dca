"""Views: dense and sparse ways give the same numbers; resampled raters never meet their own copies."""

import numpy as np
import pytest

from concordant.engines import views
from concordant.engines.tally import Tally, tally
from concordant.engines.views import Counts, count_view, ratio
from concordant.measures.pair_means import pair_mean
from concordant.measures.spec import DEFAULTS
from concordant.model.judgements import Judgements
from concordant.randomness import generator


@pytest.fixture
def data() -> Tally:
    random = np.random.default_rng(5)
    matrix = random.integers(1, 5, size=(60, 4)).astype(float)
    matrix[random.random(matrix.shape) < 0.2] = np.nan
    return tally(Judgements.from_matrix(matrix, level="ordinal"))


def all_sums(counts: Counts) -> list[np.ndarray]:
    weights = np.stack([counts.weights, counts.weights * 2])
    closeness = 1 - np.abs(np.subtract.outer(np.arange(4), np.arange(4))) / 3
    batch = counts.reweighted(weights)
    return [
        counts.totals(only_paired=True),
        batch.totals(only_paired=False),
        counts.sums(counts.positions),
        batch.sums(np.stack([counts.positions, counts.positions**2])),
        counts.agreeing(closeness),
        counts.agreeing(None),
    ]


def test_sums_over_entries_equal_sums_over_a_dense_matrix(data: Tally, monkeypatch: pytest.MonkeyPatch) -> None:
    dense = all_sums(count_view(data.patterns, data.positions, np.ones(4)))
    monkeypatch.setattr(views, "DENSE_CELLS", 0)
    sparse = all_sums(count_view(data.patterns, data.positions, np.ones(4)))
    for one, two in zip(dense, sparse, strict=True):
        np.testing.assert_allclose(one, two)


def test_equal_counts_become_one_pattern(data: Tally, monkeypatch: pytest.MonkeyPatch) -> None:
    merged, apart = data.counts, count_view(data.patterns, data.positions, np.ones(4))
    assert merged.n_patterns < apart.n_patterns
    assert merged.weights.sum() == apart.weights.sum() == data.n_judged
    monkeypatch.setattr(views, "DENSE_CELLS", 0)  # large, but each count vector is one number
    again = count_view(data.patterns, data.positions)
    assert again.weights.tolist() == merged.weights.tolist()
    assert again.code.tolist() == merged.code.tolist()
    monkeypatch.setattr(views, "MOST_MERGED", 0)
    assert count_view(data.patterns, data.positions).n_patterns == apart.n_patterns


def test_counts_of_many_categories_are_merged_row_by_row(monkeypatch: pytest.MonkeyPatch) -> None:
    """With 70 categories a count vector is no number of 62 bits."""
    cells = generator(1).integers(0, 70, (40, 2))
    data = tally(Judgements.from_matrix([*cells, *cells[:, ::-1]], level="nominal", categories=list(range(70))))
    apart = count_view(data.patterns, data.positions, np.ones(2))
    assert data.counts.n_patterns < apart.n_patterns
    monkeypatch.setattr(views, "DENSE_CELLS", 0)
    assert count_view(data.patterns, data.positions).n_patterns == apart.n_patterns


def test_a_rater_drawn_twice_does_not_agree_with_themself() -> None:
    two = tally(Judgements.from_matrix([[1, 2], [2, 1]], level="nominal"))
    drawn = count_view(two.patterns, two.positions, np.array([2.0, 1.0]))
    assert drawn.agreeing(None).tolist() == [0, 0]
    assert drawn.pairs.tolist() == [4, 4]


def test_pair_tables_margins_and_agreement(data: Tally) -> None:
    pairs = data.pairs
    tables = pairs.tables()
    assert tables.shape == (6, 4, 4)
    np.testing.assert_array_equal(pairs.n_units, tables.sum(axis=(1, 2)))
    np.testing.assert_array_equal(pairs.margins()[0], tables.sum(axis=2))
    np.testing.assert_array_equal(pairs.margins()[1], tables.sum(axis=1))
    np.testing.assert_array_equal(pairs.closeness_sums(None), np.trace(tables, axis1=1, axis2=2))
    batch = pairs.reweighted(np.stack([pairs.weights, pairs.weights]))
    np.testing.assert_array_equal(batch.tables()[1], tables)
    assert pairs.agreement(None) == pytest.approx(pairs.agreement(np.eye(4)))


def test_pairs_of_raters_who_were_not_drawn_do_not_count(data: Tally) -> None:
    drawn = data.pairs.with_rater_weights(np.array([1.0, 2.0, 0.0, 0.0]))
    assert drawn.pair_weights.tolist() == [2, 0, 0, 0, 0, 0]
    each = np.array([0.5, np.nan, np.nan, np.nan, np.nan, np.nan])
    assert float(pair_mean(drawn, each, drawn.n_units, DEFAULTS)) == 0.5
    nobody = data.pairs.with_rater_weights(np.zeros(4))
    assert np.isnan(pair_mean(nobody, np.ones(6), nobody.n_units, DEFAULTS))


def test_the_panel_has_the_complete_units(data: Tally) -> None:
    complete = int(data.patterns.weights[data.patterns.sizes == 4].sum())
    assert data.panel.weights.sum() == complete
    assert data.panel.scores.shape[1] == 4


def test_ratio_is_undefined_where_it_divides_by_nothing() -> None:
    np.testing.assert_array_equal(ratio(np.array([1.0, 1.0]), np.array([2.0, 0.0])), [0.5, np.nan])


def test_sums_at_places_are_the_same_by_table_and_by_entries(monkeypatch: pytest.MonkeyPatch) -> None:
    random = generator(3)
    weights = random.integers(0, 5, (4, 3, 20)).astype(np.float64)
    pattern, place = random.integers(0, 20, 60), random.integers(0, 7, 60)
    amounts = random.random(60)
    by_table = views.sums_at(weights, pattern, place, amounts, 7)
    monkeypatch.setattr(views, "TABLE_CELLS", 0)
    by_entries = views.sums_at(weights, pattern, place, amounts, 7)
    assert by_table.shape == (4, 3, 7)
    np.testing.assert_allclose(by_table, by_entries, rtol=1e-13)
    np.testing.assert_allclose(views.sums_at(weights[1, 2], pattern, place, amounts, 7), by_entries[1, 2], rtol=1e-13)


def test_sums_of_no_patterns_are_zero() -> None:
    nothing = np.zeros(0, dtype=np.int64)
    assert views.sums_at(np.zeros((3, 0)), nothing, nothing, np.zeros(0), 2).tolist() == [[0.0, 0.0]] * 3
    assert views.sums_at(np.zeros(0), nothing, nothing, np.zeros(0), 2).tolist() == [0.0, 0.0]
