"""The reporting standard: no coefficient without what a reader needs to judge it."""

import pytest

from concordant.engines.tally import tally
from concordant.measures.result import Agreement
from concordant.model.judgements import Judgements
from concordant.model.scale import Level
from concordant.model.study import Study
from concordant.readers.data import as_study
from concordant.report.document import Document, Notice, Paragraph, Points
from concordant.report.facts import JudgementReport, Statement, report_judgements, state
from concordant.report.grid import Grid
from concordant.report.sections.coefficients import NO_SCALE, stated
from concordant.uncertainty.estimate import measure

DATA = Judgements.from_matrix([[1, 1], [1, 2], [2, 2], [3, 3], [3, 2]], level="ordinal")


def grids(document: Document, section: str) -> dict[str, Grid]:
    found = next(one for one in document.sections if one.key == section)
    return {block.title: block for block in found.blocks if isinstance(block, Grid)}


def test_a_coefficient_without_signature_is_not_reported() -> None:
    bare = Agreement(measure="kappa", name="Cohen's kappa", value=0.5)
    with pytest.raises(ValueError, match="Cohen's kappa has no signature"):
        Statement(result=bare, level=Level.NOMINAL, independence="independently", cautions=())


def test_every_coefficient_states_all_of_the_standard(document: Document, study: Study) -> None:
    values, basis = (grids(document, "coefficients")[title] for title in ("Values", "What each coefficient rests on"))
    assert len(values.rows) == len(basis.rows) > 0
    for row in basis.rows:
        told = dict(zip(basis.headers, row, strict=True))
        assert told["Level"] == "ordinal"
        assert told["Units"] == 40
        assert told["Raters"] == 3
        assert told["Raters worked"] == "independently"
        assert " over " in str(told["Interval"])
    for row in values.rows:
        told = dict(zip(values.headers, row, strict=True))
        assert told["Coefficient"]
        assert isinstance(told["95 % low"], float)
        assert told["Reading"] == NO_SCALE or "(" in str(told["Reading"])
    section = next(one for one in document.sections if one.key == "coefficients")
    signatures = next(block for block in section.blocks if isinstance(block, Points) and block.is_code)
    assert len(signatures.items) == len(values.rows)
    assert all("|data:" in str(signature) for signature in signatures.items)


def test_a_measure_that_does_not_suit_the_level_is_warned_of() -> None:
    document = report_judgements(as_study(DATA), JudgementReport(measure=("kappa",), resamples=50))
    section = next(one for one in document.sections if one.key == "coefficients")
    warning = next(block for block in section.blocks if isinstance(block, Notice))
    assert warning.tone == "warning"
    assert warning.text == "Cohen's kappa treats all disagreements alike although the values are ordinal"


def test_disagreement_is_not_taken_for_agreement() -> None:
    whole = tally(DATA)
    told = [state(measure(whole, key, ci="none"), whole, "independently") for key in ("alpha", "percent")]
    notes = next(b for b in stated(told) if isinstance(b, Grid)).notes
    assert any("Krippendorff's alpha (ordinal): observed and expected are disagreement" in note for note in notes)


def test_an_undefined_coefficient_says_why() -> None:
    document = report_judgements(
        as_study(Judgements.from_matrix([[1, 1], [1, 1]], level="nominal")), JudgementReport(measure=("kappa",))
    )
    values = grids(document, "coefficients")["Values"]
    assert values.rows[0][values.headers.index("Value")] == "undefined"
    assert any("Cohen's kappa is undefined: " in note for note in values.notes)


def test_independence_that_nobody_declared_is_asked_for() -> None:
    document = report_judgements(as_study(DATA), JudgementReport(measure=("alpha",), resamples=50))
    methods = next(one for one in document.sections if one.key == "methods")
    first = methods.blocks[0]
    assert isinstance(first, Paragraph)
    assert "[State whether the raters worked independently of each other.]" in first.text
