"""Make pygamma.json: disorders that pygamma-agreement computes, for comparison.

Run with an interpreter that has pygamma-agreement (MIT licence) installed:

    python make_pygamma.py > pygamma.json

The continua are random and made here; nothing of pygamma-agreement's own code or data is stored.
"""

import json
import logging
import sys
from importlib.metadata import version
from typing import Any

import numpy as np
from pyannote.core import Segment
from pygamma_agreement import (
    AbsoluteCategoricalDissimilarity,
    CombinedCategoricalDissimilarity,
    Continuum,
    PrecomputedCategoricalDissimilarity,
    ShuffleContinuumSampler,
    StatisticalContinuumSampler,
)
from sortedcontainers import SortedSet

CATEGORIES = ["a", "b", "c"]
MATRIX = [[0.0, 0.5, 1.0], [0.5, 0.0, 0.25], [1.0, 0.25, 0.0]]
WEIGHTS = [(1.0, 1.0, 1.0), (3.0, 2.0, 1.0), (1.0, 1.0, 2.0)]
SIZES = [(2, 20), (2, 40), (3, 6), (3, 12), (4, 5), (4, 8)]
N_CHANCE = 400


def random_units(random: np.random.Generator, n_raters: int, n_units: int) -> list[list[list[Any]]]:
    """Spans of every rater: begin, end, category; rounded so that JSON holds them exactly."""
    base = np.sort(random.uniform(0, 12 * n_units, n_units))
    raters = []
    for _ in range(n_raters):
        begin = np.round(np.maximum(0, base + random.normal(0, 4, n_units)), 3)
        end = np.round(begin + random.uniform(2, 20, n_units), 3)
        category = random.choice(CATEGORIES, n_units)
        kept = random.random(n_units) < 0.9
        raters.append(
            [[float(b), float(e), str(c)] for b, e, c in zip(begin[kept], end[kept], category[kept], strict=True)]
        )
    return raters


def continuum_of(raters: list[list[list[Any]]]) -> Continuum:
    """The peer's object."""
    made = Continuum()
    for number, units in enumerate(raters):
        for begin, end, category in units:
            made.add(f"r{number}", Segment(begin, end), category)
    return made


def dissimilarity(alpha: float, beta: float, empty: float, kind: str) -> CombinedCategoricalDissimilarity:
    """The peer's dissimilarity; the cost of an empty place is given to the categories too, which it forgets to do."""
    category = AbsoluteCategoricalDissimilarity(delta_empty=empty)
    if kind == "matrix":
        category = PrecomputedCategoricalDissimilarity(SortedSet(CATEGORIES), np.array(MATRIX, dtype=np.float32), empty)
    return CombinedCategoricalDissimilarity(alpha=alpha, beta=beta, delta_empty=empty, cat_dissim=category)


def case(raters: list[list[list[Any]]], alpha: float, beta: float, empty: float, kind: str) -> dict[str, Any]:
    """One continuum with what the peer says."""
    chosen = dissimilarity(alpha, beta, empty, kind)
    alignment = continuum_of(raters).get_best_alignment(chosen)
    return {
        "raters": raters, "alpha": alpha, "beta": beta, "delta_empty": empty, "categorical": kind,
        "disorder": float(alignment.disorder),
        "gamma_cat_disorder": float(alignment.gamma_k_disorder(chosen, None)),
        "gamma_k_disorder": {name: float(alignment.gamma_k_disorder(chosen, name)) for name in CATEGORIES},
    }  # fmt: skip


def chance(raters: list[list[list[Any]]], name: str) -> dict[str, Any]:
    """Disorders of the peer's chance samples."""
    sampler = StatisticalContinuumSampler() if name == "statistical" else ShuffleContinuumSampler("float_pivot")
    sampler.init_sampling(continuum_of(raters))
    chosen = dissimilarity(1.0, 1.0, 1.0, "identity")
    drawn = [sampler.sample_from_continuum for _ in range(N_CHANCE)]
    disorders = [float(sample.get_best_alignment(chosen).disorder) for sample in drawn]
    return {"raters": raters, "sampler": name, "disorders": disorders}


def main() -> None:
    """Write the fixture."""
    logging.disable(logging.CRITICAL)
    np.random.seed(1)  # noqa: NPY002 (the peer draws from numpy's global generator)
    random = np.random.default_rng(20)
    cases = [
        case(random_units(random, n_raters, n_units), alpha, beta, empty, kind)
        for n_raters, n_units in SIZES
        for alpha, beta, empty in WEIGHTS
        for kind in ("identity", "matrix")
    ]
    samples = [
        chance(random_units(random, n, m), name) for n, m in ((2, 15), (3, 6)) for name in ("shuffle", "statistical")
    ]
    about = {
        "tool": "pygamma-agreement", "version": version("pygamma-agreement"), "licence": "MIT",
        "numpy": version("numpy"), "cvxpy": version("cvxpy"), "script": "make_pygamma.py",
    }  # fmt: skip
    json.dump(
        {"about": about, "categories": CATEGORIES, "matrix": MATRIX, "cases": cases, "chance": samples}, sys.stdout
    )


if __name__ == "__main__":
    main()
