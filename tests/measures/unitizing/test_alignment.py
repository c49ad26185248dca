"""The best alignment is the true optimum: brute force, an independent integer program, and every path of the solver."""

import sys
from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

from concordant.errors import MissingExtra
from concordant.measures.unitizing import alignment, relaxation, sources
from concordant.measures.unitizing import alignment as module
from concordant.measures.unitizing.alignment import Alignment, alignment_rows, best_alignment, heaviest_matching
from concordant.measures.unitizing.cliques import all_cliques, quick_packing, space_of
from concordant.measures.unitizing.units import Dissimilarity, Pairs, Units, neighbours
from concordant.model.continuum import Continuum
from tests.measures.unitizing.oracles import brute_force, integer_program, random_continuum

MATRIX = np.array([[0.0, 0.5, 1.0], [0.5, 0.0, 0.25], [1.0, 0.25, 0.0]])
SETTINGS = [
    Dissimilarity(),
    Dissimilarity(alpha=3, beta=2),
    Dissimilarity(alpha=0.3, beta=0),
    Dissimilarity(delta_empty=2.5),
    Dissimilarity(delta_empty=0.4, matrix=MATRIX),
    Dissimilarity(place="linear"),
    Dissimilarity(place="linear", alpha=0.4, delta_empty=1.7, matrix=MATRIX),
]


def disorder(continuum: Continuum, dissimilarity: Dissimilarity) -> float:
    return float(best_alignment(Units.of(continuum), dissimilarity).disorders(dissimilarity)[0])


@pytest.mark.parametrize(("n_raters", "most", "seeds"), [(2, 6, 250), (3, 4, 150), (4, 3, 70), (5, 2, 50)])
@pytest.mark.parametrize("setting", range(len(SETTINGS)))
def test_equals_brute_force(n_raters: int, most: int, seeds: int, setting: int) -> None:
    dissimilarity = SETTINGS[setting]
    for seed in range(seeds):
        continuum = random_continuum(seed * 7 + setting, n_raters, most)
        expected = brute_force(Units.of(continuum), dissimilarity)
        assert disorder(continuum, dissimilarity) == pytest.approx(expected, abs=1e-12), seed


@pytest.mark.parametrize(("n_raters", "most"), [(2, 20), (3, 8), (4, 5)])
def test_equals_an_independent_integer_program(n_raters: int, most: int) -> None:
    for seed in range(12):
        continuum = random_continuum(seed, n_raters, most, least=most // 2, width=6.0 * most)
        expected = integer_program(Units.of(continuum), SETTINGS[0])
        assert disorder(continuum, SETTINGS[0]) == pytest.approx(expected, abs=1e-7), seed


@pytest.mark.parametrize("n_raters", [3, 4, 5])
def test_searching_cliques_by_price_gives_the_same(n_raters: int, monkeypatch: pytest.MonkeyPatch) -> None:
    continua = [random_continuum(seed, n_raters, 14, least=8, width=60) for seed in range(5)]
    listed = [disorder(continuum, SETTINGS[0]) for continuum in continua]
    monkeypatch.setattr(module, "MOST_CLIQUES", 0)
    assert [disorder(continuum, SETTINGS[0]) for continuum in continua] == pytest.approx(listed, abs=1e-12)
    monkeypatch.setattr(sources, "PIECE", 7)
    assert [disorder(continuum, SETTINGS[0]) for continuum in continua] == pytest.approx(listed, abs=1e-12)


def test_integer_programs_replace_a_search_that_is_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    continua = [random_continuum(seed, 3, 30, least=30, width=40) for seed in range(8)]
    searched = [disorder(continuum, SETTINGS[0]) for continuum in continua]
    monkeypatch.setattr(relaxation, "MOST_NODES", 2)
    assert [disorder(continuum, SETTINGS[0]) for continuum in continua] == pytest.approx(searched, abs=1e-9)


def test_a_poor_first_guess_is_mended(monkeypatch: pytest.MonkeyPatch) -> None:
    continua = [random_continuum(seed, 3, 20, least=20, width=50) for seed in range(8)]
    usual = [disorder(continuum, SETTINGS[0]) for continuum in continua]
    monkeypatch.setattr(relaxation, "FIRST_GUESS", 1e-12)
    assert [disorder(continuum, SETTINGS[0]) for continuum in continua] == pytest.approx(usual, abs=1e-12)


@pytest.mark.parametrize("share", [0.0, 0.3, 1.0])
def test_settling_more_or_less_of_a_text_first_gives_the_same(share: float, monkeypatch: pytest.MonkeyPatch) -> None:
    continua = [agreeing(seed, n_raters) for seed in range(20) for n_raters in (3, 4)]
    usual = [disorder(continuum, SETTINGS[0]) for continuum in continua]
    monkeypatch.setattr(sources, "MOST_OPEN", share)
    assert [disorder(continuum, SETTINGS[0]) for continuum in continua] == pytest.approx(usual, abs=1e-12)


def agreeing(seed: int, n_raters: int) -> Continuum:
    """Raters who marked the same events with errors, so that most of the text is settled and some is not."""
    random = np.random.default_rng(seed)
    begin = np.cumsum(random.exponential(8, 30) + 3)
    n = 30 * n_raters
    first = np.tile(begin, n_raters) + random.normal(0, 2, n)
    return Continuum(
        raters=tuple(f"r{i}" for i in range(n_raters)),
        categories=("a", "b", "c"),
        rater=np.repeat(np.arange(n_raters), 30),
        begin=first,
        end=first + np.maximum(1, np.tile(random.uniform(4, 14, 30), n_raters) + random.normal(0, 2, n)),
        category=np.where(
            random.random(n) < 0.2, random.integers(0, 3, n), np.tile(random.integers(0, 3, 30), n_raters)
        ),
    ).keep(random.random(n) < 0.9)


def test_a_quick_packing_is_disjoint_and_cannot_be_added_to() -> None:
    for seed in range(10):
        space = space_of(Units.of(random_continuum(seed, 4, 12, least=8)), SETTINGS[0])
        cliques = all_cliques(space, 10**6)
        assert cliques is not None
        packed = cliques.take(quick_packing(cliques, cliques.gain, len(space.units)))
        units = packed.members[packed.members >= 0].tolist()
        assert len(units) == len(set(units))
        assert all(set(row[row >= 0].tolist()) & set(units) for row in cliques.members)


@pytest.mark.parametrize("n_raters", [2, 3, 5])
def test_every_unit_is_covered_exactly_once(n_raters: int) -> None:
    for seed in range(30):
        continuum = random_continuum(seed, n_raters, 12)
        rows = best_alignment(Units.of(continuum), SETTINGS[0]).rows()
        assert sorted(rows[rows >= 0].tolist()) == list(range(continuum.n_units))
        rater = np.where(rows >= 0, continuum.rater[rows], np.arange(n_raters))
        assert (rater == np.arange(n_raters)).all()


@pytest.mark.parametrize("n_raters", [2, 3, 4])
def test_blocks_are_aligned_as_if_each_were_alone(n_raters: int) -> None:
    parts = [Units.of(random_continuum(seed, n_raters, 9, shift=1e4 * seed)) for seed in range(20)]
    alone = [float(best_alignment(part, SETTINGS[0]).disorders(SETTINGS[0])[0]) for part in parts]
    together = best_alignment(joined(parts), SETTINGS[0]).disorders(SETTINGS[0])
    assert together.tolist() == pytest.approx(alone, abs=1e-12)


def joined(parts: list[Units]) -> Units:
    """Several continua as blocks, the last one without units."""
    columns = ("rater", "begin", "end", "category")
    flat = {name: np.concatenate([getattr(part, name) for part in parts]) for name in columns}
    block = np.repeat(np.arange(len(parts)), [len(part) for part in parts])
    order = np.argsort(flat["rater"], kind="stable")
    return Units(
        n_raters=parts[0].n_raters,
        n_blocks=len(parts),
        block=block[order],
        **{name: values[order] for name, values in flat.items()},
    )


def test_a_block_without_units_has_no_disorder() -> None:
    units = Units.of(random_continuum(1, 2, 5))
    widened = Units(
        n_raters=2, n_blocks=2, rater=units.rater, begin=units.begin, end=units.end, category=units.category,
        block=units.block,
    )  # fmt: skip
    assert best_alignment(widened, SETTINGS[0]).disorders(SETTINGS[0])[1] == 0


def test_units_too_far_apart_stay_alone() -> None:
    for n_raters in (2, 3):
        continuum = Continuum(
            raters=("a", "b", "c")[:n_raters],
            categories=("x",),
            rater=np.arange(n_raters),
            begin=np.array([0.0, 1e6, 2e6])[:n_raters],
            end=np.array([1.0, 1e6 + 1, 2e6 + 1])[:n_raters],
            category=np.zeros(n_raters, dtype=np.int64),
        )
        found = best_alignment(Units.of(continuum), SETTINGS[0])
        assert found.members.shape == (0, n_raters)
        assert found.disorders(SETTINGS[0])[0] == n_raters


def test_positions_beyond_a_thousand_million_keep_their_precision() -> None:
    near = disorder(random_continuum(5, 3, 20, least=10), SETTINGS[0])
    far = disorder(random_continuum(5, 3, 20, least=10, shift=2.0**31), SETTINGS[0])
    assert far == pytest.approx(near, abs=1e-12)


def test_more_than_127_categories_stay_apart() -> None:
    n = 300
    begin = np.arange(n) * 10.0
    units = Units(
        n_raters=2,
        n_blocks=1,
        rater=np.repeat([0, 1], n),
        begin=np.tile(begin, 2),
        end=np.tile(begin + 5, 2),
        category=np.concatenate([np.arange(n), (np.arange(n) + 128) % n]),
        block=np.zeros(2 * n, dtype=np.int64),
    )
    assert best_alignment(units, SETTINGS[0]).disorders(SETTINGS[0])[0] == pytest.approx(1.0)


def test_an_alignment_lists_its_pairs() -> None:
    units = Units.of(random_continuum(3, 3, 4, least=4))
    found = Alignment(units, np.array([[0, 4, 8], [1, -1, 9]]))
    u, v, row = found.pairs()
    assert set(zip(u.tolist(), v.tolist(), row.tolist(), strict=True)) == {(0, 4, 0), (0, 8, 0), (4, 8, 0), (1, 9, 1)}


def test_long_and_short_units_are_neighbours_too() -> None:
    random = np.random.default_rng(3)
    n = 140
    begin = random.uniform(0, 2000, 2 * n)
    continuum = Continuum(
        raters=("a", "b"),
        categories=("x",),
        rater=np.repeat([0, 1], n),
        begin=begin,
        end=begin + 2.0 ** random.uniform(-3, 9, 2 * n),
        category=np.zeros(2 * n, dtype=np.int64),
    )
    units = Units.of(continuum)
    u, v = np.divmod(np.arange(n * n), n)
    cost = np.minimum(SETTINGS[0].combined(units, u, v + n), 2.0).reshape(n, n)
    assert disorder(continuum, SETTINGS[0]) == pytest.approx(cost[linear_sum_assignment(cost)].sum() / n, abs=1e-12)


def test_a_missing_solver_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "highspy", None)
    with pytest.raises(MissingExtra, match=r"concordant\[spans\]"):
        disorder(random_continuum(3, 3, 4, least=4), SETTINGS[0])
    assert disorder(random_continuum(3, 2, 4, least=4), SETTINGS[0]) > 0


def test_a_search_with_too_many_sets_starts_again_higher(monkeypatch: pytest.MonkeyPatch) -> None:
    continua = [random_continuum(seed, 4, 12, least=8, width=60) for seed in range(3)]
    listed = [disorder(continuum, SETTINGS[0]) for continuum in continua]
    monkeypatch.setattr(module, "MOST_CLIQUES", 0)
    monkeypatch.setattr(sources, "MOST_PARTIAL", 5)
    assert [disorder(continuum, SETTINGS[0]) for continuum in continua] == pytest.approx(listed, abs=1e-12)


def test_a_long_text_is_matched_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    continua = [random_continuum(seed, 2, 80, least=40, width=900) for seed in range(10)]
    whole = [disorder(continuum, SETTINGS[0]) for continuum in continua]
    monkeypatch.setattr(module, "PART", 5)
    assert [disorder(continuum, SETTINGS[0]) for continuum in continua] == pytest.approx(whole, abs=1e-12)


@pytest.mark.parametrize("delta_empty", [1e-13, 1e-6, 1e12])
@pytest.mark.parametrize(("n_raters", "most"), [(2, 60), (3, 12), (4, 8)])
def test_the_unit_of_cost_does_not_matter(n_raters: int, most: int, delta_empty: float) -> None:
    for seed in range(8):
        continuum = random_continuum(seed, n_raters, most, least=most // 2, width=5.0 * most)
        scaled = disorder(continuum, Dissimilarity(delta_empty=delta_empty)) / delta_empty
        assert scaled == pytest.approx(disorder(continuum, Dissimilarity()), abs=1e-12), seed


def test_pairs_of_two_raters_and_of_many_are_listed_alike() -> None:
    units = Units.of(random_continuum(3, 2, 4, least=4))
    u, v, row = Alignment(units, np.array([[0, 4], [2, 7]])).pairs()
    assert (u.tolist(), v.tolist(), row.tolist()) == ([0, 2], [4, 7], [0, 1])
    four = Units.of(random_continuum(3, 4, 3, least=3))
    u, v, row = Alignment(four, np.array([[0, 3, 6, 9], [1, -1, 7, -1]])).pairs()
    found = sorted(zip(row.tolist(), u.tolist(), v.tolist(), strict=True))
    assert found == [(0, 0, 3), (0, 0, 6), (0, 0, 9), (0, 3, 6), (0, 3, 9), (0, 6, 9), (1, 1, 7)]


@pytest.mark.parametrize("n_raters", [2, 3, 4])
@pytest.mark.parametrize("setting", range(len(SETTINGS)))
def test_the_rows_of_an_alignment_add_up_to_its_disorder(n_raters: int, setting: int) -> None:
    """Each row is the mean over the pairs of raters; the whole is their sum over the mean number of units."""
    dissimilarity = SETTINGS[setting]
    continuum = random_continuum(setting, n_raters, 7, least=4)
    units = Units.of(continuum)
    found = best_alignment(units, dissimilarity)
    rows = alignment_rows(found, continuum, dissimilarity)
    each = []
    for row in found.rows():
        costs = [
            dissimilarity.delta_empty
            if row[a] < 0 or row[b] < 0
            else float(dissimilarity.combined(units, row[[a]], row[[b]])[0])
            for a in range(n_raters)
            for b in range(a)
        ]
        each.append(np.mean(costs))
    assert [row["disorder"] for row in rows] == pytest.approx(each)
    mean_units = continuum.n_units / n_raters
    assert found.disorders(dissimilarity)[0] == pytest.approx(sum(each) / mean_units)
    begins = [min(unit["begin"] for unit in row["units"].values() if unit) for row in rows]
    assert begins == sorted(begins)


def test_blocks_may_lie_anywhere() -> None:
    """Later blocks before earlier ones, and blocks on top of each other."""
    for step in (-1e4, 0.0, 3.0):
        parts = [Units.of(random_continuum(seed, 3, 9, shift=step * seed)) for seed in range(20)]
        alone = [float(best_alignment(part, SETTINGS[0]).disorders(SETTINGS[0])[0]) for part in parts]
        together = best_alignment(joined(parts), SETTINGS[0]).disorders(SETTINGS[0])
        assert together.tolist() == pytest.approx(alone, abs=1e-12)


def test_a_continuum_is_one_block() -> None:
    continuum = random_continuum(1, 3, 9, least=4)
    units = Units.of(continuum)
    assert (units.n_blocks, units.block_sizes.tolist()) == (1, [continuum.n_units])
    assert best_alignment(units, SETTINGS[0]).disorders(SETTINGS[0]).shape == (1,)
    two = units.pair(2, 0)
    assert (two.n_raters, len(two)) == (2, int((units.rater != 1).sum()))
    assert two.begin.tolist() == [*units.begin[units.rater == 2], *units.begin[units.rater == 0]]


@pytest.mark.parametrize("lengths", [(1.0, 3.0), (1.0, 3.0, 9.0)])
def test_units_of_a_few_lengths_find_each_other(lengths: tuple[float, ...]) -> None:
    """More than 128 units with two or three lengths: as many groups, all of which are searched."""
    random = np.random.default_rng(4)
    n = 150
    begin = random.uniform(0, 900, 2 * n)
    units = Units(
        n_raters=2,
        n_blocks=1,
        rater=np.repeat([0, 1], n),
        begin=begin,
        end=begin + random.choice(lengths, 2 * n),
        category=np.zeros(2 * n, dtype=np.int64),
        block=np.zeros(2 * n, dtype=np.int64),
    )
    found = neighbours(units, 0, 1, SETTINGS[0], 2.0)
    u, v = np.divmod(np.arange(n * n), n)
    d = SETTINGS[0].combined(units, u, v + n)
    near = set(zip(u[d < 2].tolist(), (v + n)[d < 2].tolist(), strict=True))
    assert set(zip(found.u.tolist(), found.v.tolist(), strict=True)) == near
    assert len(found.u) == len(near)
    assert (np.diff(found.u) >= 0).all()


def test_a_rater_without_units_has_no_neighbours() -> None:
    continuum = random_continuum(4, 2, 8, least=4)
    units = Units.of(continuum.keep(continuum.rater == 0))
    assert [len(part) for part in neighbours(units, 0, 1, SETTINGS[0], 2.0)] == [0, 0, 0]
    assert [len(part) for part in neighbours(units, 1, 0, SETTINGS[0], 2.0)] == [0, 0, 0]


def test_blocks_may_be_tiny() -> None:
    """A thousandth of a position each, so that the gaps between blocks are all that keeps them apart."""
    parts = [Units.of(random_continuum(seed, 3, 9)) for seed in range(20)]
    small = [replace(part, begin=part.begin / 1e5, end=part.end / 1e5) for part in parts]
    alone = [float(best_alignment(part, SETTINGS[0]).disorders(SETTINGS[0])[0]) for part in parts]
    together = best_alignment(joined(small), SETTINGS[0]).disorders(SETTINGS[0])
    assert together.tolist() == pytest.approx(alone, abs=1e-9)


def test_the_least_disorder_is_the_mean_over_the_best_alignments_of_two() -> None:
    """Where nothing is known of the gain: every pair of raters by itself, by brute force."""
    for seed in range(10):
        units = Units.of(random_continuum(seed, 3, 4, least=2))
        pairs = [units.pair(a, b) for a, b in ((0, 1), (0, 2), (1, 2))]
        whole = sum(brute_force(two, SETTINGS[0]) * len(two) / 2 for two in pairs) / 3
        least = module.least_disorder(units, SETTINGS[0], 1e9)
        assert least == pytest.approx(whole * 3 / len(units))
        assert least <= brute_force(units, SETTINGS[0]) + 1e-12


LIMIT = 2.0


def candidates(seed: int) -> Pairs:
    """Random candidates; every third time the dissimilarities are few, so that many matchings save the same."""
    random = np.random.default_rng(seed)
    rows, columns = random.integers(1, 9, 2)
    chosen = np.flatnonzero(random.random(rows * columns) < random.uniform(0.1, 1))
    d = random.integers(0, 4, len(chosen)) / 2 if seed % 3 == 0 else random.uniform(0, LIMIT, len(chosen))
    return Pairs(chosen // columns * 5, 100 + chosen % columns * 3, np.minimum(d, 1.999))


def saved(found: Pairs) -> dict[tuple[int, int], float]:
    """What each candidate saves."""
    return dict(zip(zip(found.u.tolist(), found.v.tolist(), strict=True), (LIMIT - found.d).tolist(), strict=True))


@pytest.mark.parametrize("few", [0, 64], ids=["scipy", "augmenting paths"])
def test_nothing_saves_more(few: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(alignment, "FEW", few)
    for seed in range(600):
        given = candidates(seed)
        if len(given.u) == 0:
            continue
        table = np.zeros((9, 9))
        table[given.u // 5, (given.v - 100) // 3] = LIMIT - given.d
        u, v = heaviest_matching(given, LIMIT)
        assert len(set(u)) == len(u) == len(set(v)) == len(v)
        total = sum(saved(given)[int(a), int(b)] for a, b in zip(u, v, strict=True))
        assert total == pytest.approx(table[linear_sum_assignment(table, maximize=True)].sum(), abs=1e-12), seed
