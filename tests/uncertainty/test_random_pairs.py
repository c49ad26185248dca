"""The interval of a mean over random rater pairs."""

import numpy as np
import pytest
from scipy import stats

from concordant.engines.tally import Tally, tally, with_raters
from concordant.measures.catalogue import find_measure
from concordant.measures.evaluation import evaluate
from concordant.model.judgements import Judgements
from concordant.randomness import generator
from concordant.uncertainty.random_pairs import draw_pairs, random_pairs, rater_sets, score_pairs


def crowd(n_sets: int = 2, per_set: int = 9, n_units: int = 12) -> Judgements:
    """Each set has its own units and raters; values are sets of classes. Invented."""
    random = generator(4, n_sets)
    rows: list[tuple[str, str, str]] = []
    for number in range(n_sets):
        truth = random.integers(0, 4, n_units)
        for rater in range(per_set):
            said = np.where(random.random(n_units) < 0.6, truth, random.integers(0, 4, n_units))
            rows += [(f"{number}-{u}", f"s{number}r{rater}", ["B", "E", "O", "B+E"][v]) for u, v in enumerate(said)]
    units, raters, values = (list(column) for column in zip(*rows, strict=True))
    return Judgements.from_rows(units, raters, values, level="set")


@pytest.fixture
def data() -> Tally:
    return tally(crowd())


def test_sets_are_found_by_common_units(data: Tally) -> None:
    sets = rater_sets(data)
    assert list(sets) == ["set 1", "set 2"]
    assert sets["set 2"] == [f"s1r{i}" for i in range(9)]


def test_pairs_are_disjoint_and_an_odd_one_is_left_over() -> None:
    raters = [f"r{i}" for i in range(9)]
    pairs = draw_pairs(raters, generator(1))
    members = [rater for pair in pairs for rater in pair]
    assert len(pairs) == 4
    assert len(set(members)) == 8
    left = {next(iter(set(raters) - {r for pair in draw_pairs(raters, generator(s)) for r in pair})) for s in range(60)}
    assert len(left) > 5


def test_the_interval_is_the_papers(data: Tally) -> None:
    """Equation 4 by hand for each set, then the mean of values and ends over sets."""
    result = random_pairs(data, "set_weighted", seed=3)
    sets = score_pairs(data, "set_weighted", seed=3)
    ends, means = [], []
    for one in sets:
        pairs = [r.raters for r in one.results]
        values = np.array([float(evaluate(find_measure("set_weighted"), with_raters(data, pair))) for pair in pairs])
        half = stats.t.ppf(0.975, len(values) - 1) * values.std(ddof=1) / np.sqrt(len(values))
        means.append(values.mean())
        ends.append((values.mean() - half, values.mean() + half))
    assert result.value == pytest.approx(np.mean(means))
    assert result.interval is not None
    assert (result.interval.low, result.interval.high) == pytest.approx(tuple(np.mean(ends, axis=0)))
    assert result.interval.method == "t interval of 8 random rater pairs, averaged over 2 sets"
    assert "2 raters left over by the pairing" in result.notes
    assert (result.details["n_pairs"], result.details["n_sets"]) == (8, 2)


def test_kappa_works_for_many_raters_by_pairs() -> None:
    cells = np.repeat([[1, 2, 1, 2, 2, 1, 1, 2]], 7, axis=0).T
    cells[0, 3] = 2
    result = random_pairs(tally(Judgements.from_matrix(cells, level="nominal")), "kappa", seed=1)
    assert result.name == "Cohen's kappa, mean over random rater pairs"
    assert result.value is not None
    assert result.interval is not None
    assert result.interval.method == "t interval of 3 random rater pairs"
    assert "1 rater left over by the pairing" in result.notes


def test_too_few_pairs_are_said(two_raters: Tally) -> None:
    result = random_pairs(two_raters, "kappa", seed=1)
    assert result.value is None
    assert result.reason == "1 random rater pair, and an interval needs two with a score in a set"


def test_pairs_without_a_score_are_said() -> None:
    cells = np.array([[1, 1, 1, 1, 1, 2, 1, 1], [1, 1, 1, 1, 2, 1, 1, 2], [1, 1, 1, 1, 2, 2, 1, 2]])
    data = tally(Judgements.from_matrix(cells, level="nominal"))
    found = [random_pairs(data, "kappa", seed=seed) for seed in range(40)]
    said = {note for result in found if result.value is not None for note in result.notes if "without a score" in note}
    assert said == {"1 random pair without a score left out", "2 random pairs without a score left out"}
    undefined = random_pairs(tally(Judgements.from_matrix(np.ones((3, 4)), level="nominal")), "kappa", seed=1)
    assert undefined.reason is not None
    assert "0/0" in undefined.reason


def test_sets_too_small_are_said() -> None:
    rows = [(f"a{u}", f"r{r}", (u + (r == u)) % 2) for u in range(6) for r in range(6)]
    rows += [(f"b{u}", f"q{r}", u % 2) for u in range(3) for r in range(2)]
    unit, rater, value = zip(*rows, strict=True)
    result = random_pairs(tally(Judgements.from_rows(unit, rater, value, level="nominal")), "percent", seed=1)
    assert "1 set with fewer than two scored pairs left out: set 1 …" in result.notes
    rows += [(f"c{u}", f"s{r}", (u + (r == u)) % 2) for u in range(4) for r in range(4)]  # two pairs are enough
    unit, rater, value = zip(*rows, strict=True)
    more = random_pairs(tally(Judgements.from_rows(unit, rater, value, level="nominal")), "percent", seed=1)
    assert more.notes == result.notes


def test_what_was_observed_has_an_interval_too(data: Tally) -> None:
    found = random_pairs(data, "kappa", seed=1)
    assert found.observed is not None
    ends = found.details["observed_interval"]
    assert ends["low"] < found.observed < ends["high"]
    nothing = random_pairs(tally(Judgements.from_matrix(np.ones((3, 4)), level="nominal")), "kappa", seed=1)
    assert "observed_interval" not in nothing.details


def test_no_raters_at_all() -> None:
    result = random_pairs(tally(Judgements.from_matrix([[np.nan, np.nan]], level="nominal")), "kappa", seed=1)
    assert result.reason == "0 random rater pairs, and an interval needs two with a score in a set"


def test_the_seed_chooses_the_pairs(data: Tally) -> None:
    assert random_pairs(data, "set_full", seed=1) == random_pairs(data, "set_full", seed=1)
    assert random_pairs(data, "set_full", seed=1).value != random_pairs(data, "set_full", seed=2).value


def test_units_that_one_rater_judged_are_counted_as_dropped() -> None:
    cells = np.array([[1, 1, 2, 1], [2, 2, 2, 1], [1, 2, 1, 1], [3, 3, 3, 1], [2, np.nan, np.nan, np.nan]])
    found = random_pairs(tally(Judgements.from_matrix(cells, level="nominal")), "kappa", seed=1)
    assert (found.n_units, found.n_raters, found.n_judgements, found.n_dropped) == (4, 4, 16, 1)


def test_two_pairs_of_a_set_are_enough() -> None:
    """Four raters make two pairs: mean ± t(1) · s / √2."""
    cells = np.array([[1, 1, 2, 2], [2, 2, 1, 1], [1, 2, 1, 1], [2, 1, 2, 1], [1, 1, 2, 1], [2, 2, 1, 2]])
    data = tally(Judgements.from_matrix(cells, level="nominal"))
    found = random_pairs(data, "percent", seed=1)
    values = np.array([one.value for one in score_pairs(data, "percent", seed=1)[0].results])
    assert found.value == pytest.approx(values.mean())
    assert found.observed == pytest.approx(values.mean())
    assert found.interval is not None
    half = stats.t.ppf(0.975, 1) * values.std(ddof=1) / np.sqrt(2)
    assert found.interval.width / 2 == pytest.approx(half)
    assert found.interval.level == 0.95
    wider = random_pairs(data, "percent", seed=1, confidence=0.99).interval
    assert wider is not None
    assert wider.width > found.interval.width
