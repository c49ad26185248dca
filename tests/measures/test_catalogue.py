"""The catalogue: complete, and every measure explained."""

import importlib
import pkgutil

import pytest

import assent.measures
from assent.errors import InputError
from assent.measures.catalogue import CATALOGUE, FAMILIES, find_measure
from assent.measures.explanation import advice, citation, data_needed, explain
from assent.measures.spec import Measure

CONTRACT = [
    "percent",
    "s",
    "pi",
    "fleiss",
    "kappa",
    "conger",
    "light",
    "weighted_kappa_linear",
    "weighted_kappa_quadratic",
    "weighted_kappa",
    "alpha",
    "ac1",
    "ac2",
    "brennan_prediger",
    "set_full",
    "set_weighted",
    "set_overlapping",
    "gk_gamma",
    "tau_b",
    "tau_c",
    "somers_d",
    "spearman",
    "pearson",
    "kendall_w",
    "lin_ccc",
    "icc1",
    "icc1k",
    "icc_a1",
    "icc_ak",
    "icc_c1",
    "icc_ck",
    "cronbach_alpha",
]


def test_the_keys_of_the_public_contract_are_there() -> None:
    assert set(CONTRACT) <= set(CATALOGUE)


def test_every_measure_that_is_defined_is_listed() -> None:
    defined = set()
    for found in pkgutil.walk_packages(assent.measures.__path__, "assent.measures."):
        module = importlib.import_module(found.name)
        defined |= {value.key for value in vars(module).values() if isinstance(value, Measure)}
    assert defined == set(CATALOGUE)
    assert len(CATALOGUE) == sum(len(family.MEASURES) for family in FAMILIES)


def test_an_unknown_measure_suggests_the_nearest() -> None:
    assert find_measure("kappa").name == "Cohen's kappa"
    with pytest.raises(InputError, match="unknown measure 'kapa'; did you mean 'kappa'"):
        find_measure("kapa")


@pytest.mark.parametrize("key", CATALOGUE)
def test_every_measure_is_explained(key: str) -> None:
    measure = CATALOGUE[key]
    assert measure.doc.strip()
    assert measure.cite
    assert all(citation(source) for source in measure.cite)
    assert all(advice(key)[part].strip() for part in ("when_not", "elsewhere", "example"))
    text = explain(key)
    assert text.startswith(f"{measure.name} ({key})")
    assert data_needed(measure).split(";")[0] in text.replace("\n  ", " ")
    for heading in ("When not to use it:", "In other tools:", "Reading:", "Source:"):
        assert heading in text


def test_explanations_name_what_nltk_calls_them() -> None:
    assert "`multi_kappa`" in explain("conger")
    assert "not Fleiss" in explain("fleiss")
