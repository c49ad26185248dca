"""Gamma, gamma-cat and gamma-k as a user meets them: laws, undefined cases, intervals, notes, variants."""

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from concordant.errors import InputError
from concordant.measures import gamma as module
from concordant.measures.evaluation import evaluate
from concordant.measures.gamma import VARIANTS, GammaOptions, as_precision, gamma, gamma_cat, options
from concordant.measures.result import Agreement
from concordant.measures.unitizing.evidence import Evidence, dissimilarity_of, gather, required_samples
from concordant.model.continuum import Continuum, by_groups
from concordant.uncertainty.estimate import measure
from tests.measures.unitizing.oracles import measure_all, random_continuum

QUICK = options("mathet", samples=60, precision="none", seed=1)


def value(continuum: Continuum, chosen: GammaOptions = QUICK, key: str = "gamma") -> Agreement:
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
    json.dumps(result.to_dict(), allow_nan=False)


def test_the_slides_table() -> None:
    for observed, expected, gamma_ in [
        (0.5, 0.25, -1),
        (0.5, 0.5, 0),
        (0.5, 0.75, 1 / 3),
        (0.25, 0.5, 0.5),
        (0.75, 0.5, -0.5),
    ]:
        found = evaluate(gamma, evidence(observed, [expected, expected]))
        assert found.value == pytest.approx(gamma_)


def evidence(observed: float, chance: list[float], *, interrupted: bool = False) -> Evidence:
    gathered = gather(make(UNITS, UNITS), QUICK)
    return Evidence(
        given=gathered.given,
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
    result = evaluate(gamma, evidence(0.0, [0.0, 0.0]))
    assert result.reason == module.NO_CHANCE


def test_chance_that_might_have_no_disorder_leaves_no_interval() -> None:
    assert evaluate(gamma, evidence(0.5, [0.01, 1.0])).interval is None


def test_an_interrupt_is_said() -> None:
    assert any("interrupted" in note for note in evaluate(gamma, evidence(0.5, [1.0, 1.1], interrupted=True)).notes)


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
    result = value(continuum, options(zero_length="drop", samples=50, precision="none"))
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
    result = evaluate(gamma_cat, gather(apart, QUICK))
    assert result.reason == module.NO_PAIR


def test_gamma_cat_needs_pairs_by_chance_too() -> None:
    gathered = evidence(0.5, [1.0, 1.0])
    bare = Evidence(**{**vars(gathered), "chance_categories": np.full((2, 4), np.nan)})
    assert evaluate(gamma_cat, bare).reason == module.NO_CHANCE_PAIR


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


def test_the_interval_is_students_on_the_expected_disorder() -> None:
    """Three samples with mean 0.8 and deviation 0.1: t with two degrees of freedom is 4.30265."""
    found = evaluate(gamma, evidence(0.2, [0.7, 0.8, 0.9]))
    margin = 4.302652729911275 * 0.1 / np.sqrt(3)
    assert found.value == pytest.approx(0.75)
    assert (found.observed, found.expected) == pytest.approx((0.2, 0.8))
    assert found.interval is not None
    ends = (1 - 0.2 / (0.8 - margin), 1 - 0.2 / (0.8 + margin))
    assert (found.interval.low, found.interval.high) == pytest.approx(ends)
    assert found.details["precision"] == pytest.approx(margin / 0.8)
    assert (
        found.notes[0] == f"expected disorder from 3 chance samples (shuffle), so it is known to ± {margin / 0.8:.2%}"
    )


def test_two_samples_are_enough_and_an_interrupt_before_is_said() -> None:
    assert evaluate(gamma, evidence(0.5, [1.0, 1.1], interrupted=True)).value is not None
    one = evaluate(gamma, evidence(0.5, [1.0], interrupted=True))
    assert one.reason == "interrupted before two chance samples were drawn"
    assert one.observed == 0.5
    assert one.details["interrupted"] is True
    whole = evaluate(gamma, evidence(0.5, [1.0, 1.1]))
    assert "interrupted" not in whole.details
    ended = evaluate(gamma, evidence(0.5, [1.0, 1.1], interrupted=True))
    assert (ended.details["interrupted"], ended.details["n_drawn"]) == (True, 2)
    assert ended.notes[-1] == "interrupted: only 2 samples were drawn"


def test_gamma_cat_weighs_pairs_by_their_nearness() -> None:
    """Two aligned pairs by hand: one in place with another category, one shifted with the same."""
    continuum = make([(0.0, 4.0, "a"), (10.0, 14.0, "b")], [(0.0, 4.0, "b"), (11.0, 15.0, "b")], length=40.0)
    found = value(continuum, key="gamma_cat")
    shifted = 1 - (2 / 8) ** 2
    assert found.observed == pytest.approx(1 / (1 + shifted))
    per_category = {(one.slice or {})["category"]: one.observed for one in measure_all(continuum, ["gamma_k"], QUICK)}
    assert per_category["a"] == pytest.approx(1)
    assert per_category["b"] == pytest.approx(1 / (1 + shifted))


def test_no_samples_require_none() -> None:
    assert required_samples(np.zeros(0), options(precision=0.02)) == 0
    assert required_samples(np.array([1.0, 1.0]), options(precision=0.02)) == 0


def test_units_left_alone_are_charged_by_the_program() -> None:
    """One aligned pair with different categories, and a unit alone, which weighs De and costs De: (De + De²) / (1 + De)."""
    continuum = make([(0.0, 4.0, "a"), (10.0, 14.0, "b")], [(0.0, 4.0, "b")], length=40.0)
    for empty in (1.0, 2.0, 0.5):
        chosen = options("pygamma", samples=20, delta_empty=empty, seed=1)
        found = value(continuum, chosen, key="gamma_cat")
        assert found.observed == pytest.approx((empty + empty**2) / (1 + empty))


def test_of_several_spans_of_zero_length_the_first_is_named() -> None:
    result = value(make(UNITS, [(3.0, 3.0, "a"), (4.0, 4.0, "a")]))
    assert result.reason == (
        "2 spans have zero length (the first: rater 'r1' at 3), and dissimilarity divides by length;"
        " --zero-length drop leaves them out"
    )


def test_variants_are_those_of_the_specification() -> None:
    assert list(VARIANTS) == ["mathet", "pygamma", "santa"]
    mathet, pygamma, santa = (options(name) for name in VARIANTS)
    assert (pygamma.sampler, pygamma.samples, pygamma.distance) == ("statistical", 30, 0.5)
    assert (mathet.sampler, mathet.distance) == ("shuffle", 1.0)
    assert (santa.alpha, santa.beta, santa.delta_empty) == (1, 1, 1)


def test_what_differs_from_the_variant_is_signed_and_read_back() -> None:
    assert "distance" not in options("pygamma").signed()
    changed = options("pygamma", distance=2.0, precision="none", order=("a", "b"))
    assert changed.signed()["distance"] == "2.0"
    assert GammaOptions.claimed("gamma", changed.signed(), {}) == changed


def test_an_option_changes_one_convention_and_none_changes_nothing() -> None:
    changed = options("pygamma", alpha=3.0, beta=None)
    assert (changed.alpha, changed.beta, changed.sampler) == (3.0, 1.0, "statistical")
    assert changed.conventions["pivot_distance"] is None
    assert options().conventions["pivot_distance"] == 1.0


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"variant": "mathe"}, "did you mean 'mathet'"),
        ({"sampler": "shufle"}, "did you mean 'shuffle'"),
        ({"samples": 1}, "at least 2"),
        ({"samples": 10**12}, "not millions"),
        ({"seed": -1}, "the seed -1 is negative"),
        ({"positional": "cubic"}, "unknown positional 'cubic'; use squared or linear"),
        ({"precision": 2}, "between 0 and 1"),
        ({"precision": "hihg"}, "did you mean 'high'"),
        ({"confidence": 95.0}, "between 0 and 1"),
        ({"workers": 0}, "1 or more"),
    ],
)
def test_what_cannot_be_computed_is_refused(given: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError, match=words):
        options(**given)


def test_precisions_have_names() -> None:
    assert [as_precision(word) for word in ("high", "medium", "low", "none", "0.05")] == [0.01, 0.02, 0.1, None, 0.05]


@pytest.mark.parametrize(
    ("inside", "outside"),
    [
        ({"samples": 2}, {"samples": 1}),
        ({"samples": 1_000_000}, {"samples": 1_000_001}),
        ({"seed": 0}, {"seed": -1}),
        ({"precision": 1e-9}, {"precision": 0.0}),
        ({"precision": 0.999}, {"precision": 1.0}),
        ({"confidence": 1e-9}, {"confidence": 0.0}),
        ({"confidence": 0.999}, {"confidence": 1.0}),
        ({"workers": 1}, {"workers": 0}),
    ],
)
def test_both_sides_of_every_limit(inside: dict[str, Any], outside: dict[str, Any]) -> None:
    [(name, given)] = inside.items()
    assert getattr(options(**inside), name) == given
    with pytest.raises(InputError):
        options(**outside)


def test_what_the_paper_and_the_program_use_when_nothing_is_said() -> None:
    mathet, pygamma = options(), options("pygamma")
    assert (mathet.alpha, mathet.beta, mathet.delta_empty, mathet.positional) == (1, 1, 1, "squared")
    assert (mathet.samples, mathet.precision, mathet.confidence, mathet.workers) == (300, 0.02, 0.95, 1)
    assert (mathet.from_zero, mathet.charge_unaligned) == (False, False)
    assert (pygamma.from_zero, pygamma.charge_unaligned, pygamma.precision) == (True, True, None)


def alternating() -> Continuum:
    """A and B alike, C and D alike: ten units each, never at the same place nor of the same category."""
    x = [(20.0 * i, 20.0 * i + 8, "x") for i in range(10)]
    y = [(20.0 * i + 9, 20.0 * i + 13, "y") for i in range(10)]
    return replace(make(x, x, y, y), raters=("A", "B", "C", "D"))


def across(text: Continuum, first: Sequence[str], second: Sequence[str], key: str = "gamma") -> Agreement:
    own, both, *_ = by_groups([text], {"own": first, "foreign": second})
    assert own.slice["raters"] == "all"
    assert both.slice["raters"] == "own × foreign"
    return measure(both, key, seed=1)


def test_across_groups_only_pairs_of_both_count() -> None:
    found = across(alternating(), ["A", "B"], ["C", "D"])
    assert found.value == pytest.approx(-0.5646, abs=5e-5)
    assert found.observed == pytest.approx(2.0)
    assert found.expected == pytest.approx(1.2783, abs=5e-5)
    assert len(found.details["pairs"]) == 4
    assert float(measure(alternating(), "gamma", seed=1)) == pytest.approx(-0.0308, abs=5e-5)
    assert found.interval is not None
    assert found.signature


def test_laws_of_gamma_across_groups() -> None:
    text = random_continuum(3, 4, 6, least=3)
    one = across(text, ["r0"], ["r1"])
    plain = measure(text.only(["r0", "r1"]), "gamma", seed=1)
    assert float(one) == pytest.approx(float(plain), abs=1e-12)
    there, back = across(text, ["r0", "r2"], ["r1", "r3"]), across(text, ["r1", "r3"], ["r0", "r2"])
    assert float(there) == pytest.approx(float(back), abs=1e-12)
    assert float(across(alternating(), ["A"], ["B"])) == 1
    copied, alone = across(alternating(), ["A", "B"], ["C"]), across(alternating(), ["A"], ["C"])
    assert float(copied) == pytest.approx(float(alone), abs=1e-12)


def test_pairs_without_a_value_are_left_out_and_named_or_too_many() -> None:
    some = [[(10.0 * i, 10.0 * i + 5 + n % 3, "x") for i in range(6)] for n in range(10)]
    text = make(*some, [(0.0, 60.0, "x")], length=60)
    named = across(text, ["r0"], [f"r{n}" for n in range(1, 11)])
    assert named.value is not None
    assert named.details["left_out"][0].startswith("r0 & r10: ")
    assert any("without r0 & r10" in note for note in named.notes)
    assert "1 of 2 pairs of raters have no value" in str(across(text, ["r0"], ["r1", "r10"]).reason)
    absent = replace(text.only(["r0", "r1"]), across=(("r0",), ("r9",)))
    assert "only one of the two groups" in str(measure(absent, "gamma", seed=1).reason)


def test_an_interrupt_across_groups_leaves_no_value(monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("concordant.measures.unitizing.evidence.Job.run", stop)
    found = across(alternating(), ["A"], ["C"])
    assert "interrupted" in str(found.reason)
    assert found.signature == ""


def test_other_measures_are_not_defined_across_groups() -> None:
    for key in ("gamma_cat", "alpha_u"):
        assert "not defined across groups" in str(across(alternating(), ["A", "B"], ["C"], key).reason)
