"""Gamma, gamma-cat and gamma-k as a user meets them: laws, undefined cases, intervals, notes."""

import json

import numpy as np
import pytest

from assent.errors import InputError
from assent.measures.result import Agreement
from assent.measures.unitizing import gamma as module
from assent.measures.unitizing.corpus import measure_all
from assent.measures.unitizing.evidence import Evidence, dissimilarity_of, gather, required_samples
from assent.measures.unitizing.gamma import gamma, gamma_cat
from assent.measures.unitizing.variants import Options, options
from assent.model.continuum import Continuum
from tests.measures.unitizing.oracles import random_continuum

QUICK = options("mathet", samples=60, precision="none", seed=1)


def value(continuum: Continuum, chosen: Options = QUICK, key: str = "gamma") -> Agreement:
    return measure_all(continuum, [key], chosen)[0]


def make(*raters: list[tuple[float, float, str]], length: float | None = None) -> Continuum:
    categories = tuple(sorted({unit[2] for units in raters for unit in units}))
    return Continuum(
        raters=tuple(f"r{number}" for number in range(len(raters))),
        categories=categories,
        rater=np.repeat(np.arange(len(raters)), [len(units) for units in raters]),
        begin=np.array([unit[0] for units in raters for unit in units]),
        end=np.array([unit[1] for units in raters for unit in units]),
        category=np.array([categories.index(unit[2]) for units in raters for unit in units], dtype=np.int64),
        length=length,
    )


UNITS = [(0.0, 5.0, "a"), (8.0, 12.0, "b"), (20.0, 31.0, "a"), (40.0, 41.0, "c")]


@pytest.mark.parametrize("n_raters", [2, 3])
def test_identical_raters_have_gamma_one(n_raters: int) -> None:
    result = value(make(*[UNITS] * n_raters))
    assert result.value == 1
    assert result.observed == 0
    assert result.interval is not None
    assert (result.interval.low, result.interval.high) == (1, 1)


@pytest.mark.parametrize("sampler", ["shuffle", "statistical"])
def test_raters_by_chance_have_gamma_about_zero(sampler: str) -> None:
    values = [
        value(
            random_continuum(seed, 2, 30, least=30, width=300), options(samples=60, precision="none", sampler=sampler)
        ).value
        for seed in range(0, 60, 2)
    ]
    assert abs(np.mean([found for found in values if found is not None])) < 0.1


def moved(continuum: Continuum, scale: float, shift: float) -> Continuum:
    return Continuum(
        raters=continuum.raters, categories=continuum.categories, rater=continuum.rater, category=continuum.category,
        begin=continuum.begin * scale + shift, end=continuum.end * scale + shift,
    )  # fmt: skip


@pytest.mark.parametrize("sampler", ["shuffle", "statistical"])
@pytest.mark.parametrize("n_raters", [2, 3])
def test_shifting_and_scaling_positions_changes_nothing(n_raters: int, sampler: str) -> None:
    continuum = random_continuum(8, n_raters, 12, least=6)
    chosen = options(samples=40, precision="none", sampler=sampler)
    before, after = value(continuum, chosen), value(moved(continuum, 4.0, 2.0**20), chosen)
    assert after.value == pytest.approx(before.value, abs=1e-9)


def test_order_of_rows_and_names_change_nothing() -> None:
    continuum = random_continuum(8, 3, 12, least=6)
    order = np.random.default_rng(1).permutation(continuum.n_units)
    renamed = Continuum(
        raters=("x", "y", "z"),
        categories=("three", "two", "one"),
        rater=2 - continuum.rater[order],
        begin=continuum.begin[order],
        end=continuum.end[order],
        category=2 - continuum.category[order],
    )
    assert value(renamed).value == pytest.approx(value(continuum).value, abs=1e-12)


def test_workers_do_not_change_the_result() -> None:
    continuum = random_continuum(8, 4, 20, least=18, width=200)
    one = value(continuum, options(samples=40, precision="none", seed=5, workers=1))
    two = value(continuum, options(samples=40, precision="none", seed=5, workers=2))
    assert one.details["samples"] == two.details["samples"]
    assert one.value == two.value


def test_a_seed_repeats_and_another_does_not() -> None:
    continuum = random_continuum(8, 2, 12, least=6)
    assert value(continuum, options(seed=1)).expected == value(continuum, options(seed=1)).expected
    assert value(continuum, options(seed=1)).expected != value(continuum, options(seed=2)).expected


def test_more_samples_are_drawn_until_the_precision_is_reached() -> None:
    continuum = random_continuum(8, 2, 6, least=4)
    few = value(continuum, options(samples=20, precision="none"))
    many = value(continuum, options(samples=20, precision=0.01))
    assert few.details["n_samples"] == 20
    assert many.details["n_samples"] > 300
    assert many.details["precision"] == pytest.approx(0.01, rel=0.25)
    assert many.details["samples"][:20] == few.details["samples"]


def test_the_interval_covers_the_value_of_infinitely_many_samples() -> None:
    continuum = random_continuum(8, 2, 10, least=6, width=60)
    true = value(continuum, options(samples=40_000, precision="none", seed=999)).value
    assert true is not None
    hits = 0
    for seed in range(300):
        found = value(continuum, options(samples=40, precision="none", seed=seed)).interval
        assert found is not None
        hits += found.low <= true <= found.high
    assert 0.91 <= hits / 300 <= 0.985


def test_the_sampler_is_named_in_every_output() -> None:
    result = value(random_continuum(8, 2, 12, least=6), options(sampler="statistical"))
    assert "statistical" in result.notes[0]
    assert result.details["sampler"] == "statistical"
    assert result.interval is not None
    assert "statistical" in result.interval.method


def test_the_result_keeps_alignment_and_samples_and_is_json() -> None:
    continuum = make(UNITS, UNITS[:3])
    result = value(continuum)
    rows = result.details["alignment"]
    assert [row["disorder"] for row in rows] == [0, 0, 0, 1]
    assert rows[3]["units"] == {"r0": {"begin": 40.0, "end": 41.0, "category": "c"}, "r1": None}
    assert len(result.details["samples"]) == 60
    json.dumps(result.as_dict(), allow_nan=False)


def test_the_slides_table() -> None:
    for observed, expected, gamma_ in [
        (0.5, 0.25, -1),
        (0.5, 0.5, 0),
        (0.5, 0.75, 1 / 3),
        (0.25, 0.5, 0.5),
        (0.75, 0.5, -0.5),
    ]:
        found = gamma(evidence(observed, [expected, expected]))
        assert found.value == pytest.approx(gamma_)


def evidence(observed: float, chance: list[float], *, interrupted: bool = False) -> Evidence:
    gathered = gather(make(UNITS, UNITS), QUICK)
    return Evidence(
        continuum=gathered.continuum,
        options=QUICK,
        alignment=gathered.alignment,
        observed=observed,
        observed_categories=gathered.observed_categories,
        chance=np.array(chance),
        chance_categories=gathered.chance_categories,
        interrupted=interrupted,
    )


def test_chance_without_disorder_leaves_gamma_undefined() -> None:
    result = gamma(evidence(0.0, [0.0, 0.0]))
    assert result.reason == module.NO_CHANCE


def test_chance_that_might_have_no_disorder_leaves_no_interval() -> None:
    assert gamma(evidence(0.5, [0.01, 1.0])).interval is None


def test_an_interrupt_is_said() -> None:
    assert any("interrupted" in note for note in gamma(evidence(0.5, [1.0, 1.1], interrupted=True)).notes)


@pytest.mark.parametrize(
    ("continuum", "words"),
    [
        (make(UNITS), "a single rater (r0)"),
        (make(UNITS, []), "rater 'r1' marked no unit"),
        (make(UNITS, [(3.0, 3.0, "a")]), "zero length"),
        (make(UNITS, [(3.0, 3.0, "a"), (4.0, 4.0, "a")]), "2 spans have zero length"),
        (make(UNITS, [(0.0, 41.0, "a")]), "length is not known"),
        (make(UNITS, [(0.0, 41.0, "a")], length=41.0), "spans the whole text,"),
    ],
)
def test_undefined_cases_say_why(continuum: Continuum, words: str) -> None:
    for key in ("gamma", "gamma_cat", "gamma_k"):
        result = value(continuum, key=key)
        assert result.value is None
        assert result.reason is not None
        assert words in result.reason


def test_a_unit_over_all_units_of_a_longer_text_can_be_shuffled() -> None:
    assert value(make(UNITS, [(0.0, 41.0, "a")], length=100.0)).value is not None


def test_the_observed_disorder_is_given_even_where_chance_is_undefined() -> None:
    result = value(make([(0.0, 10.0, "a")], [(0.0, 10.0, "b")]))
    assert result.reason is not None
    assert result.observed == 1


def test_no_rater_at_all_is_undefined() -> None:
    assert "no rater" in str(value(make()).reason)


def test_zero_length_spans_can_be_left_out() -> None:
    continuum = make([*UNITS, (3.0, 3.0, "a")], UNITS)
    result = value(continuum, options(drop_zero_length=True, samples=50, precision="none"))
    assert result.value == 1
    assert result.n_dropped == 1
    assert any("1 span of zero length left out" in note for note in result.notes)


def test_duplicates_count_each() -> None:
    doubled = make([*UNITS, UNITS[0]], UNITS)
    assert doubled.n_units == 9
    assert value(doubled).observed == pytest.approx(1 / 4.5)


def test_unlabelled_units_are_like_each_other_and_unlike_the_rest() -> None:
    both = make([(0.0, 5.0, ""), (10.0, 15.0, "a")], [(0.0, 5.0, ""), (10.0, 15.0, "")])
    assert value(both).observed == pytest.approx(0.5)


def test_more_than_127_categories() -> None:
    units = [(10.0 * i, 10.0 * i + 5, f"c{i:03}") for i in range(150)]
    other = [(b, e, f"c{(i + 128) % 150:03}") for i, (b, e, _) in enumerate(units)]
    assert value(make(units, other)).observed == pytest.approx(1.0)


def test_an_empty_place_costs_what_is_asked() -> None:
    continuum = make(UNITS, UNITS[:2])
    assert value(continuum, options(delta_empty=3.0, samples=10)).observed == pytest.approx(2 * 3.0 / 3)


def test_gamma_cat_sees_categories_only() -> None:
    shifted = [(b + 0.2, e + 0.2, c) for b, e, c in UNITS]
    assert value(make(UNITS, shifted), key="gamma_cat").value == 1
    relabelled = [(b, e, {"a": "b", "b": "c", "c": "a"}[c]) for b, e, c in UNITS]
    found = value(make(UNITS, relabelled), key="gamma_cat").value
    assert found is not None
    assert found < 0


def test_gamma_k_has_a_value_for_each_category() -> None:
    relabelled = [*UNITS[:3], (40.0, 41.0, "a")]
    results = measure_all(make(UNITS, relabelled), ["gamma_k"], QUICK)
    found = {(result.slice or {})["category"]: result.value for result in results}
    assert list(found) == ["a", "b", "c"]
    assert found["b"] == 1
    assert found["a"] is not None
    assert found["a"] < 1


def test_gamma_cat_needs_aligned_pairs() -> None:
    apart = make([(0.0, 1.0, "a")], [(100.0, 101.0, "a")], length=200.0)
    result = gamma_cat(gather(apart, QUICK))
    assert result.reason == module.NO_PAIR


def test_gamma_cat_needs_pairs_by_chance_too() -> None:
    gathered = evidence(0.5, [1.0, 1.0])
    bare = Evidence(**{**vars(gathered), "chance_categories": np.full((2, 4), np.nan)})
    assert gamma_cat(bare).reason == module.NO_CHANCE_PAIR


def test_an_ordinal_dissimilarity_does_not_care_about_the_alphabet() -> None:
    order = ("low", "middle", "high")
    chosen = options(matrix="ordinal", order=order)
    matrix = dissimilarity_of(make([(0.0, 1.0, name) for name in order], []), chosen).matrix
    assert matrix is not None
    assert matrix.tolist() == [[0, 1, 0.5], [1, 0, 0.5], [0.5, 0.5, 0]]


def test_a_category_without_a_place_in_the_order_is_refused() -> None:
    with pytest.raises(InputError, match="'c' has no place in the order"):
        dissimilarity_of(make(UNITS, UNITS), options(matrix="ordinal", order=("a", "b")))


def test_required_samples_follow_the_variation() -> None:
    disorders = np.array([0.9, 1.1] * 50)
    assert required_samples(disorders, options(precision=0.02)) == 97
    assert required_samples(disorders, options(precision="none")) == 100
    assert required_samples(np.zeros(5), options(precision=0.02)) == 5
