"""Laws over the whole catalogue and every kind of data, from the public function."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, get_args

import numpy as np
import pytest

from concordant.engines.tally import tally
from concordant.errors import InputError
from concordant.measures.catalogue import CATALOGUE, measures_of
from concordant.model.judgements import Judgements
from concordant.model.measurable import KINDS
from concordant.treebank.comparison import compare
from concordant.treebank.trees import BracketedCorpus, parse_brackets
from concordant.uncertainty.estimate import measure, verify
from concordant.uncertainty.request import Ci
from tests.measures.test_gamma import UNITS, make
from tests.treebank.made import EXAMPLE
from tests.uncertainty.conftest import panel

ONE = "(S (A (N a) (V b)) (C c)) (S (A a) (B (C b) (D c))) (S (A a) (B b)) (S (A (B a) (C b)) (D (E c) (F d)))"
TWO = "(S (A (N a)) (V b) (C c)) (S (A a) (B (C b)) (D c)) (S (A a) (B b)) (S (A a) (C b) (D (E c) (F d)))"
LEVELS = ("nominal", "ordinal", "interval", "set")
MORE: Mapping[str, Mapping[str, Any]] = {
    "weighted_kappa": {"weights": "identity"},
    "gamma": {"samples": 20, "precision": "none"},
    "gamma_cat": {"samples": 20, "precision": "none"},
    "gamma_k": {"samples": 20, "precision": "none", "category": "a"},
}
SPOILT = [(begin + 1, end + 2, "c") for begin, end, _ in UNITS]
CASES = [(kind, key) for kind in KINDS for key in measures_of(kind)]


def brackets(*texts: str, raters: tuple[str, ...] = ("x", "y")) -> BracketedCorpus:
    trees = [parse_brackets(text) for text in texts]
    return BracketedCorpus(raters=raters, sentences=tuple(zip(*trees, strict=True)))


def judged(key: str, cells: np.ndarray[Any, Any]) -> Judgements:
    """Judgements at a level that the measure accepts."""
    for level in LEVELS:
        labels: Any = np.array(["a", "b", "a+b", "c"])[cells - 1] if level == "set" else cells
        data = Judgements.from_matrix(labels, level=level)
        if not CATALOGUE[key].problems(tally(data)):
            return data
    raise AssertionError(f"no level suits {key}")


def example(kind: str, key: str) -> Any:
    """Some data of a kind that the measure has a value on."""
    if kind == "judgements":
        return judged(key, panel(40, 2).astype(int))
    if kind == "spans":
        return make([*UNITS, (50.0, 60.0, "a")], [*UNITS[:3], SPOILT[3], (52.0, 60.0, "a")], length=100.0)
    return compare(EXAMPLE / "anna", EXAMPLE / "bruno") if kind == "profiles" else brackets(ONE, TWO)


def perfect(kind: str, key: str) -> Any:
    """Data on which everybody agrees, and not on one thing only."""
    if kind == "judgements":
        n_raters = CATALOGUE[key].needs.max_raters or 4  # with an even number lambda 4 has equal halves
        return judged(key, np.repeat(np.array([1, 2, 3, 4, 1, 2, 3, 4])[:, None], n_raters, axis=1))
    if kind == "spans":
        return make(UNITS, UNITS, length=100.0)
    return compare(EXAMPLE / "anna", EXAMPLE / "anna") if kind == "profiles" else brackets(ONE, ONE)


def other_order(kind: str, data: Any) -> Any:
    """The same data with units, sentences and raters in another order and by other names."""
    if kind == "spans":
        return replace(data, raters=("p", "q"), rater=1 - data.rater)
    if kind == "profiles":
        return replace(data, a=data.b, b=data.a, sentences=data.sentences[::-1])
    return BracketedCorpus(raters=("p", "q"), sentences=tuple(trees[::-1] for trees in data.sentences[::-1]))


@pytest.mark.parametrize(("kind", "key"), CASES)
def test_every_interval_that_is_offered_works_and_no_other(kind: str, key: str) -> None:
    data = example(kind, key)
    offered = CATALOGUE[key].ci
    for ci in get_args(Ci):
        if ci not in ("auto", *offered):
            with pytest.raises(InputError, match=f"no {ci} interval for {key}; it has {', '.join(offered)}"):
                measure(data, key, ci=ci, **MORE.get(key, {}))
            continue
        found = measure(data, key, ci=ci, seed=1, resamples=30, **MORE.get(key, {}))
        assert found.value is not None or found.reason
        has_none = "none" in (ci, offered[0])
        assert found.value is None or has_none or found.interval is not None or found.notes
        assert verify(found.signature, data).matches


@pytest.mark.parametrize(("kind", "key"), [case for case in CASES if case[0] != "judgements"])
def test_order_and_names_do_not_matter(kind: str, key: str) -> None:
    """Of judgements this is a law of random data, tested beside the measures."""
    data = example(kind, key)
    how: dict[str, Any] = {"seed": 1, "ci": CATALOGUE[key].ci[-1], **MORE.get(key, {})}
    one, two = measure(data, key, **how), measure(other_order(kind, data), key, **how)
    assert one.value is not None
    assert one.value == pytest.approx(two.value, abs=1e-9)


@pytest.mark.parametrize(("kind", "key"), CASES)
def test_perfect_is_one(kind: str, key: str) -> None:
    how: dict[str, Any] = {"seed": 1, "ci": CATALOGUE[key].ci[-1], **MORE.get(key, {})}
    found = measure(perfect(kind, key), key, **how)
    assert found.value == pytest.approx(1), found.reason


@pytest.mark.parametrize(("kind", "key"), CASES)
def test_what_a_measure_does_not_have_is_refused_with_what_it_has(kind: str, key: str) -> None:
    has = [one.name for one in CATALOGUE[key].options.described()]
    with pytest.raises(InputError, match=f"{key} has no option 'nonsense'; .*it has {', '.join(has) or 'none'}"):
        measure(example(kind, key), key, nonsense=1)
    if kind != "judgements":
        for name, value in {"level": "nominal", "permutations": 10, "over": "raters"}.items():
            given: dict[str, Any] = {name: value, **MORE.get(key, {})}
            with pytest.raises(InputError, match=f"{name} is for judgements, and these are {KINDS[kind]}"):
                measure(example(kind, key), key, **given)


@pytest.mark.parametrize("key", sorted(CATALOGUE))
def test_other_kinds_of_data_are_refused(key: str) -> None:
    for kind in KINDS:
        if kind not in CATALOGUE[key].of:
            with pytest.raises(InputError, match=f"{key} needs .*, and these are {KINDS[kind]}; measures of these: "):
                measure(example(kind, measures_of(kind)[0]), key, **MORE.get(key, {}))


def test_what_cannot_be_measured_at_all_is_refused() -> None:
    with pytest.raises(InputError, match="list cannot be measured"):
        measure([1, 2], "kappa")
