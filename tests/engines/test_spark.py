"""Spark counts the same patterns; slow, because a session takes long to start and Spark is a large download."""

from pathlib import Path

import pytest

import assent
from assent.engines.out_of_core import open_table, tally_table
from assent.engines.tally import tally

RATINGS = Path(__file__).parents[2] / "src" / "assent" / "examples" / "data" / "ratings.csv"


@pytest.mark.slow
@pytest.mark.filterwarnings("default")
def test_spark_gives_the_same_fingerprint_as_memory() -> None:
    roles = {"unit": "unit", "rater": "rater", "value": "value", "question": "question"}
    table = open_table("spark", str(RATINGS), level="ordinal", **roles)
    study = assent.read(RATINGS, level="ordinal")
    for question in study.questions:
        counted = tally_table(table.where("question", [question]))
        assert counted.fingerprint == tally(study.judgements(question)).fingerprint
