"""Findings as JSON, and the words they are made of."""

import json

import numpy as np
import pytest

from concordant.diagnosis.consistency import Verdict
from concordant.diagnosis.findings import Finding, Severity, holm, named
from concordant.digits import counted, p_text
from concordant.measures.result import Agreement
from concordant.model.tabular import plain


def test_everything_becomes_plain() -> None:
    result = Agreement(measure="kappa", name="Cohen's kappa", value=0.5)
    found = plain({"a": np.float64(0.25), "b": (np.int64(3), float("nan")), "c": Verdict.AGREE, "d": result})
    assert json.loads(json.dumps(found, allow_nan=False)) == {
        "a": 0.25,
        "b": [3, None],
        "c": "agree and covary",
        "d": result.to_dict(),
    }


def test_a_finding_as_a_dictionary() -> None:
    finding = Finding(kind="k", severity=Severity.NOTE, seen="s", sure="u", advice="a", raters=("J1",))
    assert finding.to_dict()["severity"] == "note"
    assert finding.to_dict()["raters"] == ["J1"]


def test_words() -> None:
    assert counted(1, "unit") == "1 unit"
    assert named(("a", "b", "c"), most=2) == "a, b and 1 more"
    assert (p_text(0.0001), p_text(0.031)) == ("p < .001", "p = .031")


def test_holm_is_monotone_and_at_most_one() -> None:
    assert holm([0.01, 0.02, 0.5, 0.9]) == [pytest.approx(0.04), pytest.approx(0.06), pytest.approx(1.0), 1.0]
    assert holm([]) == []
