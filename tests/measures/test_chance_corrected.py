"""Percent, S, pi, AC1, AC2, Brennan-Prediger: identities and options."""

import pytest

from assent.engines.tally import Tally, tally
from assent.measures.catalogue import CATALOGUE
from assent.measures.evaluation import evaluate
from assent.measures.spec import Options
from assent.model.judgements import Judgements

MATRIX = [["a", "a", "b"], ["b", "b", "b"], ["c", "a", "c"], ["a", "a", "a"], ["c", "c", ""]]


def on(level: str = "nominal", **more: list[str]) -> Tally:
    return tally(Judgements.from_matrix(MATRIX, level=level, **more))


def value(key: str, data: Tally, options: Options | None = None) -> float:
    return float(evaluate(CATALOGUE[key], data, options or Options()))


def test_pi_and_fleiss_are_one_function_named_by_the_raters() -> None:
    assert evaluate(CATALOGUE["pi"], on()).name == "Fleiss' kappa"
    two = tally(Judgements.from_matrix([["a", "b"], ["b", "b"]], level="nominal"))
    assert evaluate(CATALOGUE["fleiss"], two).name == "Scott's pi"
    assert value("pi", on()) == value("fleiss", on())


def test_brennan_prediger_without_weights_is_s() -> None:
    assert value("brennan_prediger", on()) == pytest.approx(value("s", on()))


def test_unused_categories_count_for_s_and_ac1() -> None:
    wide = on(categories=["a", "b", "c", "d", "e"])
    assert value("s", wide) > value("s", on())
    assert value("ac1", wide) > value("ac1", on())
    assert value("pi", wide) == pytest.approx(value("pi", on()))


def test_ac2_with_identity_weights_is_ac1() -> None:
    assert value("ac2", on(), Options(weights="identity")) == pytest.approx(value("ac1", on()))
    assert value("ac2", on()) == pytest.approx(value("ac1", on()))


def test_weights_enter_observed_and_expected() -> None:
    data = on("ordinal", categories=["a", "b", "c"])
    weighted = evaluate(CATALOGUE["fleiss"], data, Options(weights="linear"))
    plain = evaluate(CATALOGUE["fleiss"], data)
    assert weighted.observed is not None
    assert plain.observed is not None
    assert weighted.observed > plain.observed
    assert weighted.expected is not None
    assert plain.expected is not None
    assert weighted.expected > plain.expected


def test_sets_get_partial_credit_by_masi() -> None:
    data = tally(Judgements.from_matrix([["a", "a+b"], ["b", "b"], ["a+b", "a+b"]], level="set"))
    assert value("ac2", data) == pytest.approx(value("ac2", data, Options(weights="masi")))
