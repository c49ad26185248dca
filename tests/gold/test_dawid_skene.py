"""Models of raters: the published example, what they learn, and what they refuse."""

import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from assent.errors import InputError
from assent.gold.dawid_skene import dawid_skene, estimate
from assent.gold.mace import mace
from assent.gold.posterior import Posterior, Votes
from assent.model.judgements import Judgements
from assent.randomness import generator


def published() -> dict[str, Any]:
    return tomllib.loads((Path(__file__).parent / "dawid_skene_1979.toml").read_text(encoding="utf-8"))


def patients(text: str) -> Votes:
    said = [
        (patient, observer, int(category) - 1)
        for patient, line in enumerate(text.strip().splitlines())
        for observer, cell in enumerate(line.split())
        for category in cell
    ]
    unit, rater, value = np.array(said).T
    names = tuple(str(n) for n in range(1, 46))
    return Votes(units=names, raters=tuple("12345"), categories=tuple("1234"), unit=unit, rater=rater, value=value)


def printed(cells: Any) -> NDArray[np.float64]:
    """A printed table as numbers."""
    return np.array(cells, dtype=float)


HALF_A_DIGIT = 0.005


def test_the_published_estimates() -> None:
    table = published()
    found = estimate(patients(table["patients"]))
    np.testing.assert_allclose(found.shares, printed(table["shares"]), atol=HALF_A_DIGIT)
    np.testing.assert_allclose(found.errors, printed(table["observers"]), atol=HALF_A_DIGIT)
    assert "".join(found.values) == table["categories"]
    certain = np.eye(4)[[int(category) - 1 for category in table["categories"]]]
    for patient, row in table["posterior"].items():
        certain[int(patient) - 1] = printed(row)
    np.testing.assert_allclose(found.probabilities, certain, atol=HALF_A_DIGIT)
    np.testing.assert_allclose(found.probabilities.sum(axis=1), 1)


def crowd(seed: int) -> tuple[Judgements, list[int]]:
    """Three careful raters and three who toss a coin with a bias."""
    random = generator(seed)
    truth = random.integers(0, 2, 200)
    careful = [np.where(random.random(200) < 0.92, truth, 1 - truth) for _ in range(3)]
    careless = [(random.random(200) < 0.85).astype(int) for _ in range(3)]
    return Judgements.from_matrix(np.column_stack([*careful, *careless])), truth.tolist()


@pytest.mark.parametrize("model", [dawid_skene, mace])
def test_careless_raters_are_found_out(model: Callable[[Judgements], Posterior]) -> None:
    data, truth = crowd(5)
    found = model(data)
    right = np.mean([int(value) == true for value, true in zip(found.values, truth, strict=True)])
    votes = np.mean([(sum(row) > 3) == true for row, true in zip(_rows(data), truth, strict=True)])
    assert right > 0.95 > votes
    assert found.competences[:3].min() > found.competences[3:].max()


def _rows(data: Judgements) -> list[list[int]]:
    return data.rows().value.reshape(200, 6).tolist()


def test_numbers_are_refused() -> None:
    data = Judgements.from_matrix(np.linspace(0, 1, 400).reshape(200, 2), level="interval")
    if data.scale.is_continuous:
        with pytest.raises(InputError, match="needs categories"):
            dawid_skene(data)
