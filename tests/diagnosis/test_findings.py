"""Findings as JSON, and the words they are made of."""

import json

import numpy as np

from assent.diagnosis.consistency import Verdict
from assent.diagnosis.findings import Finding, Severity, count, named, p_text, plain
from assent.measures.result import Agreement


def test_everything_becomes_plain() -> None:
    result = Agreement(measure="kappa", name="Cohen's kappa", value=0.5)
    found = plain({"a": np.float64(0.25), "b": (np.int64(3), float("nan")), "c": Verdict.AGREE, "d": result})
    assert json.loads(json.dumps(found, allow_nan=False)) == {
        "a": 0.25,
        "b": [3, None],
        "c": "agree and covary",
        "d": result.as_dict(),
    }


def test_a_finding_as_a_dictionary() -> None:
    finding = Finding(kind="k", severity=Severity.NOTE, seen="s", sure="u", advice="a", raters=("J1",))
    assert finding.as_dict()["severity"] == "note"
    assert finding.as_dict()["raters"] == ["J1"]


def test_words() -> None:
    assert count(1, "unit") == "1 unit"
    assert named(("a", "b", "c"), most=2) == "a, b and 1 more"
    assert (p_text(0.0001), p_text(0.031)) == ("p < .001", "p = .031")
