"""Published numbers. They are kept as strings: half a unit of the last printed digit is the tolerance."""

import tomllib
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from concordant.engines.tally import tally
from concordant.measures.catalogue import find_measure
from concordant.measures.evaluation import evaluate
from concordant.measures.spec import Options
from concordant.model.judgements import Judgements

HERE = Path(__file__).parent
TABLES = {path.stem: tomllib.loads(path.read_text(encoding="utf-8")) for path in sorted(HERE.glob("*.toml"))}
CASES = [
    pytest.param(
        table,
        expected,
        id=f"{name}: {expected['measure']} {expected.get('level', '')}",
        marks=[pytest.mark.data] * ("patterns" in table),
    )
    for name, table in TABLES.items()
    for expected in table["values"]
]


def tolerance(printed: str) -> float:
    """Half a unit of the last printed digit."""
    return float(Decimal((0, (5,), int(Decimal(printed).as_tuple().exponent) - 1))) * (1 + 1e-9)


def read(table: dict[str, Any], level: str, request: pytest.FixtureRequest) -> Judgements:
    """The data of a table: a contingency table, a matrix, or patterns with counts in a file that is not ours."""
    if "table" in table:
        return Judgements.from_contingency(table["table"], table["categories"], level=level)
    if "matrix" in table:
        return Judgements.from_matrix(table["matrix"], level=level)
    folder = request.getfixturevalue("data_dir")
    counted = np.loadtxt(folder / table["patterns"], delimiter=",", skiprows=1, dtype=np.int64)
    return Judgements.from_matrix(np.repeat(counted[:, :-1], counted[:, -1], axis=0), level=level)


@pytest.mark.parametrize(("table", "expected"), CASES)
def test_published_number(table: dict[str, Any], expected: dict[str, Any], request: pytest.FixtureRequest) -> None:
    data = tally(read(table, expected.get("level", table["level"]), request))
    result = evaluate(find_measure(expected["measure"]), data, Options(**expected.get("options", {})))
    for part in ("value", "observed", "expected"):
        if part in expected:
            printed = expected[part]
            assert getattr(result, part) == pytest.approx(float(printed), abs=tolerance(printed)), table["source"]


def test_tolerance_is_half_a_unit_of_the_last_digit() -> None:
    assert tolerance(".467") == pytest.approx(0.0005)
    assert tolerance("0.53125") == pytest.approx(0.000005)


@pytest.mark.data
def test_gamma_falls_when_sorted_slots_are_shuffled(data_dir: Path) -> None:
    """About .880 instead of .989 when the three sorted columns are put in random order."""
    counted = np.loadtxt(data_dir / "flickr8k_patterns.csv", delimiter=",", skiprows=1, dtype=np.int64)
    rows = np.repeat(counted[:, :-1], counted[:, -1], axis=0)
    shuffled = np.random.default_rng(1).permuted(rows, axis=1)
    gamma = evaluate(find_measure("gk_gamma"), tally(Judgements.from_matrix(shuffled, level="ordinal")))
    assert float(gamma) == pytest.approx(0.880, abs=0.01)
