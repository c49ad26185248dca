"""Our values against those of other tools (JSON made by make_fixtures.py): equal to 1e-9, or different and said why."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from concordant.engines.tally import Tally, tally
from concordant.measures.catalogue import find_measure
from concordant.measures.evaluation import evaluate
from concordant.measures.spec import Options
from concordant.model.judgements import Judgements

HERE = Path(__file__).parent
DATASETS: dict[str, list[list[float | None]]] = json.loads((HERE / "datasets.json").read_text(encoding="utf-8"))
NAMES = ("scikit-learn", "statsmodels", "nltk", "krippendorff", "irrCAC", "scipy", "pingouin")
TOOLS = [json.loads((HERE / f"{name}.json").read_text(encoding="utf-8")) for name in NAMES]
CASES = [
    pytest.param(case, id=f"{tool['tool']}: {case['call']} on {case['data']} as {case['measure']}")
    for tool in TOOLS
    for case in tool["cases"]
]


def tallied(case: dict[str, Any]) -> Tally:
    """The data set of a case at the case's level of measurement."""
    return tally(Judgements.from_matrix(np.array(DATASETS[case["data"]], dtype=float), level=case["level"]))


@pytest.mark.parametrize("case", CASES)
def test_same_value_or_a_reason(case: dict[str, Any]) -> None:
    result = evaluate(find_measure(case["measure"]), tallied(case), Options(**case["options"]))
    ours = result.details[case["detail"]] if "detail" in case else float(result)
    if case["relation"] == "equal":
        assert ours == pytest.approx(case["value"], abs=1e-9)
    else:
        assert case["note"]
        assert abs(ours - case["value"]) > 1e-3


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool["tool"])
def test_every_fixture_says_where_it_comes_from(tool: dict[str, Any]) -> None:
    assert tool["version"]
    assert tool["licence"]
    assert "make_fixtures.py" in tool["command"]
    assert tool["cases"]
