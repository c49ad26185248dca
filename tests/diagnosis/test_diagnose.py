"""The whole diagnosis: silent on clean studies, complete as JSON."""

import json
from typing import Any, cast

import numpy as np
import pytest

from assent.diagnosis.diagnose import diagnose
from assent.diagnosis.findings import Finding, Severity, by_severity, plain
from assent.model.scale import Level
from assent.randomness import generator
from tests.diagnosis.simulated import clean_study, honest, study_of


def alarms(seeds: range) -> list[tuple[int, str]]:
    """Everything that is found in clean studies."""
    return [(seed, finding.kind) for seed in seeds for finding in diagnose(clean_study(seed)).findings]


def test_no_false_alarm_on_clean_studies() -> None:
    assert alarms(range(40)) == []


@pytest.mark.slow
def test_no_false_alarm_on_200_clean_studies() -> None:
    assert alarms(range(200)) == []


def test_json_holds_everything() -> None:
    found = plain(diagnose(clean_study(3)))
    text = json.dumps(found, allow_nan=False)
    assert json.loads(text)["questions"][0]["consistency"]["agreement"]["value"] is not None
    assert set(found) >= {"findings", "questions", "slices", "groups", "batches", "stability", "refused", "seed"}


def test_a_slice_with_low_agreement_is_found() -> None:
    random = generator(4)
    quality = random.normal(0, 1, 200)
    cells = np.column_stack([honest(random, quality, 5) for _ in range(2)])
    cells[:100, 1] = random.integers(1, 6, 100)
    found = diagnose(study_of(cells, unit_attributes={"group": np.repeat(["hard", "easy"], 100)}))
    (slice_,) = [f for f in found.findings if f.kind == "slice"]
    assert slice_.evidence["slice"] == {"group": "hard"}


def test_entropy_by_attribute_is_found_with_many_raters() -> None:
    random = generator(6)
    cells = np.where(random.random((80, 8)) < 0.5, "a", "b")
    cells[40:] = "a"
    cells[40:50, 0] = "b"
    found = diagnose(study_of(cells, level=Level.NOMINAL, unit_attributes={"kind": np.repeat(["hard", "easy"], 40)}))
    assert any(f.kind == "entropy" and f.evidence["attribute"] == "kind" for f in found.findings)


def test_direction_of_binary_disagreement_is_found() -> None:
    cells = np.array([["yes", "yes"]] * 150 + [["no", "no"]] * 120 + [["yes", "no"]] * 24 + [["no", "yes"]] * 2)
    found = diagnose(study_of(cells, level=Level.NOMINAL))
    (direction,) = [f for f in found.findings if f.kind == "direction"]
    assert "only J1 says" in direction.seen


def test_the_same_seed_gives_the_same_diagnosis() -> None:
    one, two = (plain(diagnose(clean_study(5), seed=9)) for _ in range(2))
    assert one == two


def test_findings_are_sorted_by_severity() -> None:
    made = [
        Finding(kind=kind, severity=severity, seen="", sure="", advice="")
        for kind, severity in (("a", Severity.NOTE), ("b", Severity.SERIOUS), ("c", Severity.WARNING))
    ]
    assert [finding.kind for finding in by_severity(made)] == ["b", "c", "a"]


@pytest.mark.parametrize("cells", [np.array([["a", "a"]] * 3), np.array([["a", ""], ["", "b"]]), np.array([["", ""]])])
def test_degenerate_studies_are_diagnosed_too(cells: np.ndarray[tuple[int, int], np.dtype[np.str_]]) -> None:
    found = diagnose(study_of(cells, level=Level.NOMINAL))
    json.dumps(plain(found), allow_nan=False)


def test_judgements_are_diagnosed_like_a_study() -> None:
    import assent

    cells = np.column_stack([np.arange(40) % 4, np.arange(40) % 4])
    found = assent.diagnose(assent.Judgements.from_matrix(cells, level="ordinal"))
    assert found.questions[0].consistency.agreement.value == pytest.approx(1.0)
    with pytest.raises(assent.InputError, match="a study or judgements are needed, not list"):
        diagnose(cast(Any, [1, 2]))
