"""The public function."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from concordant.engines.tally import Tally, tally
from concordant.errors import InputError
from concordant.measures.catalogue import CATALOGUE, measures_of
from concordant.measures.spec import OF_JUDGEMENTS
from concordant.model.judgements import Judgements
from concordant.model.scale import Level, make_scale
from concordant.randomness import generator
from concordant.uncertainty.estimate import at_level, measure, verify
from concordant.uncertainty.request import Ci
from concordant.uncertainty.resampling import Over
from concordant.uncertainty.suitability import suitable
from tests.uncertainty.conftest import panel

KEYS = sorted(measures_of("judgements"))


def test_castro_table_3_1() -> None:
    """Castro (2011), Table 3.1: 100 utterances; S 0.5, pi 0.467, kappa 0.468."""
    data = Judgements.from_contingency([[25, 15], [10, 50]], ["Stat", "Ireq"])
    for key, printed in (("s", "0.5"), ("pi", "0.467"), ("kappa", "0.468")):
        result = measure(data, key, seed=1)
        half = 0.5 * 10 ** -len(printed.partition(".")[2])
        assert result.value == pytest.approx(float(printed), abs=half)
        assert result.interval is not None
        assert result.interval.low < float(result) < result.interval.high


def test_judgements_and_their_tally_give_the_same(two_raters: Tally) -> None:
    data = Judgements.from_matrix(panel(100, 2), level="nominal")
    assert measure(data, "kappa", seed=3) == measure(two_raters, "kappa", seed=3)


def test_without_a_seed_one_is_drawn_and_said(two_raters: Tally) -> None:
    first, second = (measure(two_raters, "kappa", resamples=20) for _ in range(2))
    assert first.signature != second.signature
    assert verify(first.signature, two_raters).matches


@pytest.mark.parametrize(("key", "ci"), [(key, ci) for key in KEYS for ci in CATALOGUE[key].ci])
@pytest.mark.parametrize("level", ["nominal", "interval", "set"])
def test_every_measure_has_an_interval_or_says_why_not_and_verifies(key: str, ci: Ci, level: str) -> None:
    cells = panel(30, 4, missing=0.05)
    labels = np.array(["", "a", "b", "a+b", "c"])[np.nan_to_num(cells).astype(int)]
    data = tally(
        Judgements.from_matrix(np.where(np.isnan(cells), None, labels), level=level)
        if level == "set"
        else Judgements.from_matrix(cells, level=level)
    )
    given: dict[str, Any] = {"weights": "identity"} if key == "weighted_kappa" else {}
    result = measure(data, key, ci=ci, resamples=40, seed=1, **given)
    if result.value is not None and ci != "none":
        assert result.interval is not None or result.notes
    if result.value is None:
        assert result.interval is None
    assert verify(result.signature, data).matches


@settings(max_examples=40)
@given(st.data())
def test_no_problem_means_no_exception_and_the_signature_reproduces(data: st.DataObject) -> None:
    n_raters = data.draw(st.integers(1, 4))
    cell = st.one_of(st.none(), st.integers(1, 4))
    cells = data.draw(st.lists(st.lists(cell, min_size=n_raters, max_size=n_raters), min_size=1, max_size=8))
    level = data.draw(st.sampled_from(["nominal", "ordinal", "interval"]))
    ci: Ci = data.draw(st.sampled_from(OF_JUDGEMENTS))
    judged = tally(Judgements.from_matrix(np.array(cells, dtype=object), level=level))
    for one in suitable(judged):
        if not one.problems and one.measure.key != "weighted_kappa" and ci in ("auto", *one.measure.ci):
            result = measure(judged, one.measure.key, ci=ci, resamples=10, seed=1)
            assert (result.value is None) == (result.reason is not None)
            assert verify(result.signature, judged).matches


@pytest.mark.parametrize("key", ["alpha", "conger"])
@pytest.mark.parametrize(
    ("ci", "over"),
    [("bootstrap", "units"), ("bootstrap", "raters"), ("bca", "both"), ("jackknife", "raters"), ("pairs", "units")],
)
def test_the_order_of_rows_does_not_matter(key: str, ci: Ci, over: Over) -> None:
    cells = panel(60, 12, missing=0.6)
    unit, rater = np.nonzero(~np.isnan(cells))
    rows = np.stack([unit, rater, cells[unit, rater].astype(int)], axis=1)
    shuffled = generator(1).permutation(rows)
    given, other = (Judgements.from_rows(*table.T, level="nominal") for table in (rows, shuffled))
    assert verify(measure(given, key, ci=ci, over=over, resamples=50, seed=1).signature, other).matches


def test_only_some_raters(five_raters: Tally) -> None:
    result = measure(five_raters, "kappa", ci="none", raters=["rater 2", "rater 4"])
    assert result.raters == ("rater 2", "rater 4")


def test_another_level(two_raters: Tally) -> None:
    ordinal = measure(two_raters, "alpha", level="ordinal", ci="none")
    assert ordinal.name == "Krippendorff's alpha (ordinal)"
    assert ordinal.value != measure(two_raters, "alpha", ci="none").value


def test_names_have_no_order_of_their_own() -> None:
    data = Judgements.from_matrix([["no", "yes"], ["yes", "yes"]])
    with pytest.raises(InputError, match="no natural order"):
        measure(data, "alpha", level="ordinal")


def test_a_declared_order_is_kept() -> None:
    scale = make_scale(["low", "high"], categories=["low", "mid", "high"])
    assert at_level(scale, Level.ORDINAL).categories == ("low", "mid", "high")
    assert not at_level(scale, scale.level).is_guessed


def test_very_many_numbers_can_be_interval_or_ratio_only() -> None:
    data = Judgements.from_matrix(np.arange(1.0, 2401.0).reshape(-1, 2) ** 1.1)
    assert measure(data, "alpha", level="ratio", ci="none").value is not None
    with pytest.raises(InputError, match="read the data with level=ordinal"):
        measure(data, "alpha", level="ordinal", ci="none")


def wrong(**choices: Any) -> dict[str, Any]:
    """What a script without types may pass."""
    return choices


def test_unknown_things_are_refused_with_the_nearest(two_raters: Tally) -> None:
    with pytest.raises(InputError, match="did you mean 'kappa'"):
        measure(two_raters, "kapa")
    with pytest.raises(InputError, match="did you mean 'bootstrap'"):
        measure(two_raters, "kappa", **wrong(ci="bootstrapp"))
    with pytest.raises(InputError, match="did you mean 'raters'"):
        measure(two_raters, "kappa", **wrong(over="rater"))
    with pytest.raises(InputError, match="not between 0 and 1"):
        measure(two_raters, "kappa", confidence=95)
    with pytest.raises(InputError, match="too few"):
        measure(two_raters, "kappa", resamples=0)
    with pytest.raises(InputError, match="negative"):
        measure(two_raters, "kappa", seed=-1)
    with pytest.raises(InputError, match="list cannot be measured"):
        measure([[1, 2]], "kappa")


def test_a_declared_order_that_is_the_alphabets_is_kept_too() -> None:
    data = Judgements.from_matrix([["a", "b"], ["b", "c"], ["c", "c"]], level="ordinal", categories=["a", "b", "c"])
    found = measure(data, "alpha", level="circular", ci="none")
    assert found.value is not None
    assert "level:circular" in found.signature
