"""Slices and groups of raters that differ are told from those that do not."""

from typing import Any

import numpy as np
import pytest

import assent
from assent.model.columns import encode
from assent.model.study import Study
from assent.uncertainty.differences import Difference, differences
from tests.measures.unitizing.oracles import random_continuum
from tests.uncertainty.conftest import panel


def study() -> Study:
    """Eight raters and 120 units: all agree on news and guess on blogs; four of them agree among themselves anyway."""
    news, blogs = panel(60, 8, right=0.95), panel(60, 8, right=0.1, seed=9)
    cells = np.vstack([news, blogs])
    unit, rater = np.indices(cells.shape)
    return Study(
        name="made up",
        unit=encode([f"u{number}" for number in unit.ravel()]),
        rater=encode([f"r{number}" for number in rater.ravel()]),
        value=encode([str(int(value)) for value in cells.ravel()]),
        question=None,
        attributes={
            "genre": encode(["news" if number < 60 else "blogs" for number in unit.ravel()]),
            "half": encode([str(number % 2) for number in unit.ravel()]),
            "team": encode(["x" if number < 4 else "y" for number in rater.ravel()]),
        },
        row_numbers=np.arange(2, unit.size + 2),
    )


def test_slices_of_units() -> None:
    [apart] = differences(study(), ["alpha"], by=["genre"], permutations=300, seed=1)
    assert {apart.first, apart.second} == {"news", "blogs"}
    assert abs(apart.difference or 0) > 0.5
    assert (apart.p or 1) < 0.01
    assert (apart.permutations, apart.seed, apart.reason) == (300, 1, None)
    [alike] = differences(study(), ["alpha"], by=["half"], permutations=300, seed=1)
    assert (alike.p or 0) > 0.05


def test_every_two_slices_are_compared_and_usual_measures_are_taken() -> None:
    seen: list[tuple[int, int]] = []
    found = differences(
        study(), by=["genre", "half"], permutations=20, seed=1, progress=lambda *step: seen.append(step)
    )
    assert len({(one.first, one.second) for one in found}) == 6
    assert found[0].first == "news · 0"
    assert {one.measure for one in found} >= {"alpha"}
    assert seen[-1] == (6, 6)


def test_raters_are_not_units() -> None:
    [found] = differences(study(), ["alpha"], by=["team"], permutations=20, seed=1)
    assert found.p is None
    assert "'team' is not an attribute of units" in str(found.reason)


def groups(n: int) -> dict[str, tuple[str, ...]]:
    return {"x": tuple(f"r{i}" for i in range(n)), "y": tuple(f"r{i}" for i in range(4, 4 + n))}


def found_for(n: int, key: str = "alpha") -> list[Difference]:
    return differences(study(), [key], by=["genre"], groups=groups(n), permutations=50, seed=1)


def test_groups_of_raters_in_every_slice() -> None:
    assert [(one.first, one.second) for one in found_for(4)] == [
        ("news · x", "news · y"),
        ("blogs · x", "blogs · y"),
    ]
    assert all(one.p is not None for one in found_for(4))


def test_few_raters_cannot_give_a_small_p_value() -> None:
    assert "only 6 ways" in str(found_for(2)[0].note)
    assert found_for(4)[0].note == "there are only 70 ways to divide these raters, so p cannot be small"


def test_a_measure_without_rater_pairs_says_so() -> None:
    assert "kendall_w cannot compare groups of raters" in str(found_for(4, "kendall_w")[0].reason)


def test_an_undefined_slice_says_so() -> None:
    made = study()
    constant = encode(["1"] * 60 * 8 + [str(i % 2) for i in range(60 * 8)])
    [found] = differences(Study(**{**vars(made), "value": constant}), ["alpha"], by=["genre"], permutations=20, seed=1)
    assert found.reason == "alpha is undefined in one of the groups; each group needs units that vary"


def test_p_values_are_in_the_details_and_signed() -> None:
    data = study().where("genre", ["news"]).judgements(None)
    result = assent.measure(data, "alpha", ci="none", permutations=99, seed=4)
    assert result.details["chance_test"]["p"] == pytest.approx(0.02)
    assert "|permutations:99|seed:4|" in result.signature
    assert "|p:0.02|" in result.signature
    assert assent.verify(result.signature, data).matches
    forged = result.signature.replace("|p:0.02|", "|p:0.9|")
    assert assent.verify(forged, data).differences == ("p: 0.9 in the signature, 0.02 computed",)


def test_where_every_permutation_is_undefined_there_is_a_note() -> None:
    cells = np.array([[1, 1], [2, 2], [2, None], [2, None], [2, None], [2, None]], dtype=object)
    data = assent.Judgements.from_matrix(cells, level="ordinal")
    tested = [assent.measure(data, "tau_b", ci="none", permutations=1, seed=seed) for seed in range(20)]
    without = [result for result in tested if "chance_test" not in result.details]
    assert 0 < len(without) < 20  # two in three permutations leave the first rater with one value for both common units
    assert without[0].notes[-1].startswith("no p-value: every permutation is undefined")
    assert assent.verify(without[0].signature, data).matches


def test_only_judgements_are_permuted() -> None:
    with pytest.raises(assent.InputError, match="gamma is not of judgements"):
        assent.measure(random_continuum(1, 2, 5, least=3), "gamma", permutations=10)


def test_questions_are_compared_each_with_itself() -> None:
    made = study()
    question = encode(["clear" if i % 2 else "true" for i in range(made.n_rows)])
    found = differences(
        Study(**{**vars(made), "question": question}), ["percent"], by=["genre"], permutations=9, seed=1
    )
    assert [one.question for one in found] == ["true", "clear"]


@pytest.mark.parametrize(
    ("choices", "message"),
    [
        ({"permutations": -1}, "-1 permutations cannot be made"),
        ({"permutations": 10**9}, "permutations cannot be made"),
        ({"permutations": 10, "ci": "pairs"}, "no permutation test"),
    ],
)
def test_what_cannot_be_permuted_is_refused(choices: dict[str, Any], message: str) -> None:
    data = study().judgements(None)
    with pytest.raises(assent.InputError, match=message):
        assent.measure(data, "alpha", **choices)
