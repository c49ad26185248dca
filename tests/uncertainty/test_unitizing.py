"""Measuring and verifying a continuum from Python; interrupted corpora."""

from typing import Any

import pytest

import assent
from assent.errors import InputError
from assent.measures.unitizing.variants import options
from assent.model.continuum import Continuum
from assent.uncertainty import unitizing
from assent.uncertainty.suitability import suitable
from assent.uncertainty.unitizing import measure_continuum, measure_corpus, verify_spans
from tests.measures.unitizing.oracles import Impatient, random_continuum

QUICK: dict[str, Any] = {"samples": 30, "precision": "none"}


def text(seed: int = 8) -> Continuum:
    return random_continuum(seed, 2, 10, least=6)


@pytest.mark.parametrize("key", ["gamma", "gamma_cat", "alpha_u"])
def test_a_continuum_is_measured_like_anything_else(key: str) -> None:
    result = assent.measure(text(), key, seed=1, gamma=QUICK)
    assert result.measure == key
    assert verify_spans(result.signature, text()).matches


def test_options_change_the_value_and_are_signed() -> None:
    plain = assent.measure(text(), "gamma", seed=1, gamma=QUICK)
    other = assent.measure(text(), "gamma", seed=1, gamma={**QUICK, "variant": "pygamma", "alpha": 3.0})
    assert plain.observed != other.observed
    assert "variant:pygamma" in other.signature
    assert "alpha:3.0" in other.signature


def test_gamma_k_needs_a_category() -> None:
    result = assent.measure(text(), "gamma_k", seed=1, gamma={**QUICK, "category": "c1"})
    assert result.slice == {"category": "c1"}
    assert verify_spans(result.signature, text()).matches
    with pytest.raises(InputError, match="computed for one category"):
        assent.measure(text(), "gamma_k", seed=1, gamma=QUICK)


def test_judgement_measures_are_refused() -> None:
    with pytest.raises(InputError, match="kappa measures judgements of given units"):
        assent.measure(text(), "kappa")


def test_raters_and_slices_are_passed_on() -> None:
    three = random_continuum(8, 3, 10, least=6)
    result = assent.measure(three, "gamma", seed=1, gamma=QUICK, raters=["r0", "r2"], slice={"text": "t"})
    assert result.raters == ("r0", "r2")
    assert result.slice == {"text": "t"}


def test_spans_suit_their_own_measures() -> None:
    fitting = [one.measure.key for one in suitable(text()) if not one.problems]
    assert fitting[:4] == ["gamma", "gamma_cat", "gamma_k", "alpha_u"]


def interrupted_at(monkeypatch: pytest.MonkeyPatch, number: int) -> list[Continuum]:
    """Texts of which one is interrupted."""
    texts = [text(seed) for seed in (8, 9, 10)]

    def impatient(continuum: Continuum, *arguments: Any) -> object:
        if continuum is texts[number]:
            raise KeyboardInterrupt
        return measure_continuum(continuum, *arguments)

    monkeypatch.setattr(unitizing, "measure_continuum", impatient)
    return texts


def test_an_interrupt_keeps_the_texts_done(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = interrupted_at(monkeypatch, 2)
    results = measure_corpus(texts, ["gamma"], options(**QUICK))
    assert len(results) == 2
    assert "interrupted: 1 of 3 texts were not measured" in results[-1].notes


def test_an_interrupt_in_the_first_text_is_passed_on(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = interrupted_at(monkeypatch, 0)
    with pytest.raises(KeyboardInterrupt):
        measure_corpus(texts, ["gamma"], options(**QUICK))


def test_progress_runs_over_the_whole_corpus() -> None:
    seen: list[tuple[int, int]] = []
    measure_corpus([text(8), text(9)], ["gamma"], options(**QUICK), lambda done, total: seen.append((done, total)))
    assert seen == sorted(seen)
    assert seen[-1] == (2000, 2000)


def test_an_interrupt_inside_a_text_keeps_what_is_known_of_it() -> None:
    texts = [random_continuum(1, 3, 16, least=16, width=40)] * 2
    (early,) = measure_corpus(texts, ["gamma"], options(seed=1, samples=2000), Impatient(2))
    (later,) = measure_corpus(texts, ["gamma"], options(seed=1, samples=2000), Impatient(30))
    assert (early.value, early.signature) == (None, "")
    assert later.value is not None
    assert later.details["n_drawn"] < 2000
    assert verify_spans(later.signature, texts[0]).matches
    assert "interrupted: 1 of 2 texts were not measured" in later.notes


@pytest.mark.parametrize(("reports", "signed"), [(1, True), (3, False)])
def test_samples_that_cannot_be_drawn_again_by_their_number_are_not_signed(reports: int, signed: bool) -> None:
    small, chosen = random_continuum(8, 2, 4, least=3), options(samples=40, precision=0.001, seed=1)
    [result] = measure_corpus([small], ["gamma"], chosen, Impatient(reports))
    assert result.details["n_drawn"] == 40 * reports
    assert bool(result.signature) == signed
    assert not signed or verify_spans(result.signature, small).matches
