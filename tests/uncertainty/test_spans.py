"""Measuring and verifying a continuum from Python; interrupted corpora."""

from dataclasses import replace
from typing import Any

import pytest

import concordant
from concordant.errors import InputError
from concordant.model.continuum import Continuum
from concordant.model.judgements import Judgements
from concordant.progress import Progress
from concordant.uncertainty import studies
from concordant.uncertainty.estimate import estimates, measure, verify
from concordant.uncertainty.request import Request
from concordant.uncertainty.studies import measure_study
from concordant.uncertainty.suitability import suitable
from tests.measures.unitizing.oracles import Impatient, random_continuum

QUICK: dict[str, Any] = {"samples": 30, "precision": "none"}


def text(seed: int = 8) -> Continuum:
    return random_continuum(seed, 2, 10, least=6)


@pytest.mark.parametrize("key", ["gamma", "gamma_cat", "alpha_u"])
def test_a_continuum_is_measured_like_anything_else(key: str) -> None:
    result = concordant.measure(text(), key, seed=1, **(QUICK if key != "alpha_u" else {}))
    assert result.measure == key
    assert verify(result.signature, text()).matches


def test_options_change_the_value_and_are_signed() -> None:
    plain = concordant.measure(text(), "gamma", seed=1, **QUICK)
    other = concordant.measure(text(), "gamma", seed=1, **QUICK, variant="pygamma", alpha=3)
    assert plain.observed != other.observed
    assert "variant:pygamma" in other.signature
    assert "alpha:3.0" in other.signature


def test_gamma_k_needs_a_category() -> None:
    result = concordant.measure(text(), "gamma_k", seed=1, **QUICK, category="c1")
    assert result.slice == {"category": "c1"}
    assert verify(result.signature, text()).matches
    with pytest.raises(InputError, match="gamma_k has a value for each category; name one: category=…"):
        measure(text(), "gamma_k", seed=1, **QUICK)
    every = concordant.measure(text(), "gamma_k", seed=1, **QUICK)
    assert [one.slice for one in every] == [{"category": name} for name in text().categories]


def test_judgement_measures_are_refused() -> None:
    with pytest.raises(InputError, match="kappa needs judgements of given units, and these are spans"):
        concordant.measure(text(), "kappa")


def test_raters_and_slices_are_passed_on() -> None:
    three = random_continuum(8, 3, 10, least=6)
    result = concordant.measure(replace(three, slice={"text": "t"}), "gamma", seed=1, raters=["r0", "r2"], **QUICK)
    assert result.raters == ("r0", "r2")
    assert result.slice == {"text": "t"}
    assert verify(result.signature, three).matches


def test_spans_suit_their_own_measures() -> None:
    fitting = [one.measure.key for one in suitable(text()) if not one.problems]
    assert fitting[:4] == ["gamma", "gamma_cat", "gamma_k", "alpha_u"]


def interrupted_at(monkeypatch: pytest.MonkeyPatch, number: int) -> list[Continuum]:
    """Texts of which one is interrupted."""
    texts = [text(seed) for seed in (8, 9, 10)]

    def impatient(continuum: Continuum, requests: list[Request], progress: Progress) -> object:
        if continuum is texts[number]:
            raise KeyboardInterrupt
        return estimates(continuum, requests, progress)

    monkeypatch.setattr(studies, "estimates", impatient)
    return texts


def test_an_interrupt_keeps_the_texts_done(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = interrupted_at(monkeypatch, 2)
    results = measure_study(texts, ["gamma"], **QUICK)
    assert len(results) == 2
    assert "interrupted: 1 of 3 texts were not measured" in results[-1].notes
    assert not results[0].details.get("interrupted")


def test_an_interrupt_inside_a_later_text_counts_those_behind_it(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [text(8), random_continuum(1, 3, 16, least=16, width=40), text(9), text(10)]

    def impatient(continuum: Continuum, requests: list[Request], progress: Progress) -> object:
        return estimates(continuum, requests, Impatient(30) if continuum is texts[1] else progress)

    monkeypatch.setattr(studies, "estimates", impatient)
    results = measure_study(texts, ["gamma"], seed=1, samples=2000)
    assert len(results) == 2
    assert "interrupted: 2 of 4 texts were not measured" in results[-1].notes


def test_an_interrupt_in_the_first_text_is_passed_on(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = interrupted_at(monkeypatch, 0)
    with pytest.raises(KeyboardInterrupt):
        measure_study(texts, ["gamma"], **QUICK)


def test_progress_runs_over_the_whole_corpus() -> None:
    seen: list[tuple[int, int]] = []
    measure_study([text(8), text(9)], ["gamma"], progress=lambda done, total: seen.append((done, total)), **QUICK)
    assert seen == sorted(seen)
    assert seen[-1] == (2000, 2000)


def test_an_interrupt_inside_a_text_keeps_what_is_known_of_it() -> None:
    texts = [random_continuum(1, 3, 16, least=16, width=40)] * 2
    (early,) = measure_study(texts, ["gamma"], seed=1, samples=2000, progress=Impatient(2))
    (later,) = measure_study(texts, ["gamma"], seed=1, samples=2000, progress=Impatient(30))
    assert (early.value, early.signature) == (None, "")
    assert later.value is not None
    assert later.details["n_drawn"] < 2000
    assert verify(later.signature, texts[0]).matches
    assert "interrupted: 1 of 2 texts were not measured" in later.notes


@pytest.mark.parametrize(("reports", "signed"), [(1, True), (3, False)])
def test_samples_that_cannot_be_drawn_again_by_their_number_are_not_signed(reports: int, signed: bool) -> None:
    small = random_continuum(8, 2, 4, least=3)
    [result] = measure_study(small, ["gamma"], seed=1, samples=40, precision=0.001, progress=Impatient(reports))
    assert result.details["n_drawn"] == 40 * reports
    assert bool(result.signature) == signed
    assert not signed or verify(result.signature, small).matches


def test_raters_of_judgements_are_chosen_too_and_never_ignored() -> None:
    cells = [["x", "y", "y"], ["y", "y", "x"], ["x", "x", "x"], ["y", "x", "y"], ["x", "x", "y"]]
    data = Judgements.from_matrix(cells, level="nominal", raters=["ann", "bob", "cem"])
    result = concordant.measure(data, "kappa", seed=1, ci="none", raters=["ann", "cem"])
    alone = concordant.measure(data.with_raters(["ann", "cem"]), "kappa", seed=1, ci="none")
    assert (result.raters, result.value) == (("ann", "cem"), alone.value)
    assert "|pair:ann,cem|" in result.signature
    with pytest.raises(InputError, match="there is no rater 'dan'"):
        concordant.measure(data, "kappa", raters=["ann", "dan"])
    with pytest.raises(InputError, match="raters and pairs cannot be asked for together"):
        concordant.measure(data, "kappa", raters=["ann", "cem"], pairs=True)
