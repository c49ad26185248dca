"""Many texts: groups of raters and the matrix of the slides."""

import pytest

from assent.errors import InputError
from assent.measures.result import Agreement
from assent.measures.unitizing.corpus import by_groups, matrix, measure_all
from assent.measures.unitizing.variants import options
from assent.model.groups import named_groups
from tests.measures.unitizing.oracles import random_continuum


def result(text: str, guideline: str, value: float | None) -> Agreement:
    reason = "too short" if value is None else None
    return Agreement(
        measure="gamma", name="gamma", value=value, reason=reason, slice={"guideline": guideline, "text": text}
    )


def test_the_matrix_has_the_shape_of_the_slides() -> None:
    cells = [
        result("Kafka", "S1", 0.2),
        result("Storm", "S1", 0.4),
        result("Kafka", "S2", None),
        result("Tieck", "S2", 0.5),
    ]
    found = matrix(cells)
    assert found.texts == ("Kafka", "Storm", "Tieck")
    first, second = found.columns
    assert first.cells == (0.2, 0.4, None)
    assert second.reasons == ("too short", "not in the data", None)
    assert first.summary == pytest.approx({"Min": 0.2, "Mean": 0.3, "Max": 0.4, "Stddev": 0.1414213562})
    assert second.summary == {"Min": 0.5, "Mean": 0.5, "Max": 0.5, "Stddev": None}


def test_an_empty_column_has_no_summary() -> None:
    (column,) = matrix([result("Kafka", "S1", None)]).columns
    assert set(column.summary.values()) == {None}


def test_results_without_a_slice_are_one_cell() -> None:
    bare = Agreement(measure="gamma", name="gamma", value=0.5)
    assert matrix([bare]).columns[0].title == ""


def test_groups_of_raters_are_compared() -> None:
    text = random_continuum(1, 4, 5, least=2)
    made = by_groups([text], named_groups(["own=r0,r1", "foreign=r2,student=r3"]))
    chosen = {one.slice["raters"]: one.raters for one in made}
    assert chosen == {
        "all": ("r0", "r1", "r2", "r3"),
        "own vs foreign": ("r0", "r1", "r2"),
        "own vs student": ("r0", "r1", "r3"),
        "foreign vs student": ("r2", "r3"),
        "own": ("r0", "r1"),
    }


def test_one_group_is_too_few() -> None:
    with pytest.raises(InputError, match="only one group"):
        by_groups([random_continuum(1, 4, 5, least=2)], {"own": ("r0",)})


def test_unknown_raters_are_refused() -> None:
    with pytest.raises(InputError, match="no rater 'r9'"):
        by_groups([random_continuum(1, 2, 5)], {"own": ["r0"], "foreign": ["r9"]})


def test_all_keys_in_one_go() -> None:
    text = random_continuum(1, 2, 8, least=4, n_categories=2)
    results = measure_all(text, ["alpha_u", "gamma", "gamma_cat"], options(samples=20, precision="none"))
    assert [one.measure for one in results] == ["gamma", "gamma_cat", "alpha_u"]
    assert [one.measure for one in measure_all(text, ["alpha_u"], options())] == ["alpha_u"]
