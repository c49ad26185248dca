"""Questions made ready, and what is known of their units."""

import numpy as np
import pytest
from numpy.typing import ArrayLike

from concordant.diagnosis.material import grouping_attributes, materials, pooled_material, unit_shares
from concordant.errors import InputError
from concordant.model.judgements import Judgements
from concordant.model.scale import Level
from concordant.readers import read
from concordant.readers.data import as_study
from tests.diagnosis.simulated import study_of


def test_each_question_is_one_material_and_pooled_all_are_one() -> None:
    from importlib.resources import files

    study = read(str(files("concordant") / "examples" / "data" / "features.csv"))
    parts = list(materials(study))
    assert [part.question for part in parts] == list(study.questions)
    assert all(part.judgements.n_units == 60 for part in parts)
    pooled = pooled_material(study)
    assert pooled.judgements.n_units == 300
    assert pooled.unit_attributes["question"].labels == list(study.questions)


def test_attributes_that_sort_units_into_groups() -> None:
    cells = np.column_stack([np.arange(40) % 2] * 2)
    attributes: dict[str, ArrayLike] = {
        "group": np.repeat(["a", "b"], 20),
        "constant": ["x"] * 40,
        "id": [str(i) for i in range(40)],
        "rare": ["y"] * 38 + ["z"] * 2,
    }
    part = next(materials(study_of(cells, unit_attributes=attributes, columns={"time": np.arange(80).reshape(40, 2)})))
    assert grouping_attributes(part) == ("group",)
    assert "time" not in part.unit_attributes


@pytest.mark.parametrize("level", ["ordinal", "nominal"])
def test_judgements_become_a_study_and_back(level: str) -> None:
    data = Judgements.from_matrix([[1, 2], [2, 2], [3, 1]], level=level)
    again = as_study(data).judgements()
    assert again.scale.level is Level(level)
    assert (again.rows().value == data.rows().value).all()


def test_counts_shares_ties_and_unjudged_units() -> None:
    data = Judgements.from_matrix(np.array([["a", "b", ""], ["b", "b", "a"], ["", "", ""]]), level="nominal")
    found = unit_shares(data)
    assert found.units == ("1", "2")
    assert found.counts.tolist() == [[1, 1], [1, 2]]
    assert found.is_tied.tolist() == [True, False]
    assert found.shares[1] == pytest.approx([1 / 3, 2 / 3])


def test_coincidences_are_krippendorffs() -> None:
    # a unit with m judgements adds m to the total; pairs of one unit are weighted by 1 / (m - 1)
    data = Judgements.from_matrix(np.array([["a", "a", "b"], ["b", "b", ""]]), level="nominal")
    found = unit_shares(data).coincidences()
    assert found == pytest.approx(np.array([[1.0, 1.0], [1.0, 2.0]]))


def test_continuous_scales_have_none() -> None:
    data = Judgements.from_matrix(np.linspace(0, 1, 3000).reshape(1500, 2))
    with pytest.raises(InputError, match="continuous"):
        unit_shares(data)
