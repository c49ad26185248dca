"""The whole diagnosis: silent on clean studies, complete as JSON."""

import json
from importlib.resources import files
from typing import Any

import numpy as np
import pytest

from concordant.diagnosis.consistency import consistency_of
from concordant.diagnosis.diagnose import diagnose, on_scatter
from concordant.diagnosis.findings import Finding, Severity, by_severity
from concordant.diagnosis.material import materials
from concordant.errors import InputError
from concordant.model.judgements import Judgements
from concordant.model.scale import Level
from concordant.model.tabular import plain
from concordant.randomness import generator
from concordant.readers import read
from concordant.readers.data import as_study
from tests.cli.test_main import EXAMPLES
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


@pytest.mark.parametrize(
    ("asked", "method"),
    [({"ci": "bca", "resamples": 200}, "BCa"), ({"ci": "none"}, "hull"), ({"ci": "pivots"}, "hull")],
)
def test_the_verdict_has_the_interval_that_was_asked_for(asked: dict[str, Any], method: str) -> None:
    units = generator(5).normal(size=(30, 1))
    study = as_study(units + generator(6).normal(size=(30, 3)), level="interval")
    found = diagnose(study, interval={"confidence": 0.9, **asked}).verdict.questions[0].result.interval
    assert found is not None
    assert found.level == 0.9
    assert found.method.startswith(method)


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
    import concordant

    cells = np.column_stack([np.arange(40) % 4, np.arange(40) % 4])
    found = diagnose(concordant.Judgements.from_matrix(cells, level="ordinal"))
    assert found.questions[0].consistency.agreement.value == pytest.approx(1.0)
    with pytest.raises(concordant.InputError, match="judgements are needed, not SpanTable"):
        diagnose(concordant.read(str(files("concordant") / "examples/data/spans.csv")))


def test_a_diagnosis_is_short_and_has_its_views() -> None:
    found = diagnose(read(EXAMPLES / "ratings.csv"))
    lines = repr(found).splitlines()
    assert lines[0] == found.verdict.sentence
    assert lines[1].endswith("385 judgements of 40 units by 5 raters")
    assert len(lines) == 2 + len(found.findings)
    assert len(found.to_frame()) == len(found.findings)
    assert "What to do" in found._repr_html_()
    assert found.findings[0].seen[:20] in found.findings[0]._repr_html_().replace("&#x27;", "'")
    assert found.to_dict()["n_units"] == 40


def test_scatter_is_said_once_for_all_questions() -> None:
    cells = np.array([["y", "y"]] * 60 + [["n", "n"]] * 30 + [["y", "n"]] * 16 + [["n", "y"]] * 14)
    part = consistency_of(next(materials(study_of(cells, level=Level.NOMINAL))))
    (found,) = on_scatter([part, part])
    assert found.kind == "scatter"
    assert "75% of the units get the same value" in found.seen
    assert "2 of 2 comparisons" in found.seen


def test_repeats_are_stability_and_the_first_counts() -> None:
    rows = [(f"u{i}", rater, str((i + (rater == "B" and i % 5 == 0)) % 3)) for i in range(12) for rater in "AB"]
    rows += [(f"u{i}", "A", str(i % 3 if i else 1)) for i in range(6)]
    table = dict(zip(("unit", "rater", "value"), map(list, zip(*rows, strict=True)), strict=True))
    found = diagnose(table)
    assert found.stability[0].n_repeated == 6
    assert found.n_judgements == 24
    assert any("6 units judged again by the same rater" in note for note in found.notes)


def test_values_are_read_on_the_scales_that_are_named() -> None:
    """As `measure` reads them: what a scale was not made for has no reading on it."""
    data = Judgements.from_matrix([["a", "a"], ["b", "b"], ["a", "b"], ["c", "c"]] * 5, level="nominal")
    [usual] = diagnose(data).questions
    [chosen] = diagnose(data, read_on="fleiss").questions
    [other] = diagnose(data, read_on=["rosenthal"]).questions
    assert [one.benchmark for one in usual.consistency.agreement.readings()] == ["Landis & Koch 1977"]
    assert [one.benchmark for one in chosen.consistency.agreement.readings()] == ["Fleiss 1981"]
    assert other.consistency.agreement.readings() == []
    with pytest.raises(InputError, match="unknown benchmark 'nobody'"):
        diagnose(data, read_on="nobody")
