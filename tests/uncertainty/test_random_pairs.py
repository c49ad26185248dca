"""Random pairs (Boleda, Schulte im Walde & Badia 2009)."""

import numpy as np
import pytest
from scipy import stats

from assent.engines.subset import with_raters
from assent.engines.tally import Tally, tally
from assent.errors import InputError
from assent.measures.catalogue import find_measure
from assent.measures.evaluation import evaluate
from assent.model.judgements import Judgements
from assent.randomness import generator
from assent.uncertainty.random_pairs import agreement_table, draw_pairs, random_pairs, rater_sets, score_pairs


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


def test_sets_can_be_given(data: Tally) -> None:
    by_parity = {rater: "even" if int(rater[-1]) % 2 == 0 else "odd" for rater in data.raters}
    assert {name: len(raters) for name, raters in rater_sets(data, by_parity).items()} == {"even": 10, "odd": 8}
    with pytest.raises(InputError, match="in no set"):
        rater_sets(data, {"s0r0": "a"})


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
    assert result.details == {"n_pairs": 8, "n_sets": 2}


def test_table_iv_has_three_definitions_twice(data: Tally) -> None:
    rows = agreement_table(data, seed=3)
    assert [(row.agreement, row.statistic) for row in rows] == [
        ("full", "p_o"),
        ("full", "kappa"),
        ("weighted", "p_o"),
        ("weighted", "kappa"),
        ("overlapping", "p_o"),
        ("overlapping", "kappa"),
    ]
    observed = [row.mean for row in rows if row.statistic == "p_o"]
    assert observed == sorted(observed)
    assert all(row.interval.low < row.mean < row.interval.high for row in rows)


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
    with pytest.raises(InputError, match="no set has two rater pairs"):
        agreement_table(tally(crowd(n_sets=1, per_set=3)), seed=1)


def test_pairs_without_a_score_are_said() -> None:
    cells = np.array([[1, 1, 1, 1, 1, 2, 1, 1], [1, 1, 1, 1, 2, 1, 1, 2], [1, 1, 1, 1, 2, 2, 1, 2]])
    data = tally(Judgements.from_matrix(cells, level="nominal"))
    found = [random_pairs(data, "kappa", seed=seed) for seed in range(40)]
    assert any("without a score left out" in " ".join(result.notes) for result in found if result.value is not None)
    undefined = random_pairs(tally(Judgements.from_matrix(np.ones((3, 4)), level="nominal")), "kappa", seed=1)
    assert undefined.reason is not None
    assert "0/0" in undefined.reason


def test_sets_too_small_are_said() -> None:
    rows = [(f"a{u}", f"r{r}", (u + (r == u)) % 2) for u in range(6) for r in range(6)]
    rows += [(f"b{u}", f"q{r}", u % 2) for u in range(3) for r in range(2)]
    unit, rater, value = zip(*rows, strict=True)
    result = random_pairs(tally(Judgements.from_rows(unit, rater, value, level="nominal")), "percent", seed=1)
    assert "1 set with fewer than two scored pairs left out: set 1 …" in result.notes


def test_no_raters_at_all() -> None:
    result = random_pairs(tally(Judgements.from_matrix([[np.nan, np.nan]], level="nominal")), "kappa", seed=1)
    assert result.reason == "0 random rater pairs, and an interval needs two with a score in a set"


def test_the_seed_chooses_the_pairs(data: Tally) -> None:
    assert random_pairs(data, "set_full", seed=1) == random_pairs(data, "set_full", seed=1)
    assert random_pairs(data, "set_full", seed=1).value != random_pairs(data, "set_full", seed=2).value
