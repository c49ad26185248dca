"""Against pygamma-agreement (fixture made by reference/make_pygamma.py): equal to its single precision."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.stats import ks_2samp

from concordant.measures.unitizing.alignment import best_alignment, category_disorders
from concordant.measures.unitizing.evidence import sampler_of
from concordant.measures.unitizing.units import Dissimilarity, Units
from concordant.model.continuum import Continuum
from concordant.randomness import generator

FIXTURE: dict[str, Any] = json.loads((Path(__file__).parent / "reference" / "pygamma.json").read_text())


def continuum_of(raters: list[list[list[Any]]]) -> Continuum:
    units = [(number, *unit) for number, own in enumerate(raters) for unit in own]
    return Continuum(
        raters=tuple(f"r{number}" for number in range(len(raters))),
        categories=tuple(FIXTURE["categories"]),
        rater=np.array([unit[0] for unit in units]),
        begin=np.array([unit[1] for unit in units]),
        end=np.array([unit[2] for unit in units]),
        category=np.array([FIXTURE["categories"].index(unit[3]) for unit in units]),
    )


def test_the_fixture_says_where_it_comes_from() -> None:
    assert FIXTURE["about"]["tool"] == "pygamma-agreement"
    assert FIXTURE["about"]["licence"] == "MIT"
    assert FIXTURE["about"]["version"]


@pytest.mark.parametrize("number", range(len(FIXTURE["cases"])))
def test_disorders_equal_the_peers(number: int) -> None:
    case = FIXTURE["cases"][number]
    matrix = np.array(FIXTURE["matrix"]) if case["categorical"] == "matrix" else None
    chosen = Dissimilarity(alpha=case["alpha"], beta=case["beta"], delta_empty=case["delta_empty"], matrix=matrix)
    alignment = best_alignment(Units.of(continuum_of(case["raters"])), chosen)
    assert alignment.disorders(chosen)[0] == pytest.approx(case["disorder"], rel=1e-6)
    categories = category_disorders(alignment, chosen, 3, charge_unaligned=True)[0]
    expected = [case["gamma_cat_disorder"], *(case["gamma_k_disorder"][name] for name in FIXTURE["categories"])]
    assert categories.tolist() == pytest.approx(expected, rel=1e-5)


@pytest.mark.parametrize("number", range(len(FIXTURE["chance"])))
def test_chance_disorders_have_the_peers_distribution(number: int) -> None:
    case = FIXTURE["chance"][number]
    continuum = continuum_of(case["raters"])
    sampler = sampler_of(case["sampler"], continuum, distance=0.5, bounds=(0.0, continuum.bounds[1]))
    chosen = Dissimilarity()
    ours = best_alignment(sampler.draw(1500, generator(3)), chosen).disorders(chosen)
    assert ks_2samp(ours, case["disorders"]).pvalue > 0.01
