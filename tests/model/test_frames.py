"""Data frames of any library, through narwhals."""

from typing import Any

import pandas as pd
import polars as pl
import pytest

from assent.engines.tally import tally
from assent.errors import InputError
from assent.model.judgements import Judgements

ROWS: dict[str, list[Any]] = {
    "unit": ["u", "u", "v", "v", "w"],
    "rater": ["a", "b", "a", "b", "a"],
    "value": ["yes", "no", "yes", "yes", None],
    "score": [1, 2, 2, 2, None],
    "place": [1, 2, 2, 2, 9],
}


@pytest.mark.parametrize(
    "frame", [pd.DataFrame(ROWS), pl.DataFrame(ROWS), pl.LazyFrame(ROWS)], ids=["pandas", "polars", "lazy"]
)
def test_every_frame_gives_the_same_judgements(frame: Any) -> None:
    expected = Judgements.from_rows(ROWS["unit"][:4], ROWS["rater"][:4], ROWS["value"][:4])
    found = Judgements.from_frame(frame)
    assert tally(found).fingerprint == tally(expected).fingerprint
    assert found.n_blank == 1
    assert Judgements.from_frame(frame, value="score").scale.categories == ("1", "2")
    assert Judgements.from_frame(frame, value="place", missing=[9]).n_blank == 1


def test_a_missing_column_suggests_the_nearest() -> None:
    with pytest.raises(InputError, match=r"column 'valeu': .* did you mean 'value'"):
        Judgements.from_frame(pl.DataFrame(ROWS), value="valeu")
