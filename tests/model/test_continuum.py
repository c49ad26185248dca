"""A continuum from a data frame: sorted, checked, shared categories."""

import numpy as np
import polars as pl
import pytest

import concordant
from concordant.errors import InputError
from concordant.model.continuum import Continuum, continua
from concordant.model.spans import SpanTable

ROWS = {
    "text": ["b", "b", "a", "a", "a"],
    "rater": ["Zoe", "Ann", "Ann", "Zoe", "Ann"],
    "begin": [0, 2, 4, 6, 1],
    "end": [9, 5, 8, 7, 3],
    "category": ["x", None, "y", "x", "y"],
    "mood": ["", "free", "free", None, ""],
}


def frame(**changes: object) -> pl.DataFrame:
    return pl.DataFrame({**ROWS, **changes})


def one_text(**changes: object) -> pl.DataFrame:
    return frame(text=["a"] * 5, **changes)


def test_units_are_sorted_by_rater_and_position() -> None:
    made = Continuum.from_frame(one_text())
    assert made.raters == ("Ann", "Zoe")
    assert made.categories == ("", "x", "y")
    assert made.begin.tolist() == [1, 2, 4, 0, 6]
    assert made.rater.tolist() == [0, 0, 0, 1, 1]
    assert made.sizes.tolist() == [3, 2]
    assert made.name == "a"
    with pytest.raises(ValueError, match="read-only"):
        made.begin[0] = 5


def test_the_order_of_rows_does_not_matter() -> None:
    rows = one_text()
    assert Continuum.from_frame(rows).fingerprint == Continuum.from_frame(rows.reverse()).fingerprint
    assert Continuum.from_frame(rows).fingerprint != Continuum.from_frame(rows.head(4)).fingerprint


def test_it_is_a_public_name_and_can_be_measured() -> None:
    made = concordant.Continuum.from_frame(one_text(), length=20)
    result = concordant.measure(made, "gamma", seed=1, samples=50, precision="none")
    assert result.value is not None
    assert "|seed:1|" in result.signature


def test_bounds_are_the_text_or_the_outermost_positions() -> None:
    assert Continuum.from_frame(one_text()).bounds == (0, 9)
    assert Continuum.from_frame(one_text(), length=30).bounds == (0, 30)
    empty = Continuum.from_frame(one_text().clear(), raters=["Ann", "Zoe"], name="none")
    assert (empty.bounds, empty.raters, empty.n_units, empty.name) == ((0, 0), ("Ann", "Zoe"), 0, "none")


def test_features_are_merged_into_the_category() -> None:
    made = Continuum.from_frame(one_text(), features=["mood"])
    assert made.categories == ("mood=free", "x", "y", "y+mood=free")


def test_other_column_names_are_given_by_role() -> None:
    renamed = one_text().rename({"rater": "annotator", "begin": "start"})
    assert Continuum.from_frame(renamed, rater="annotator", begin="start").n_units == 5


def test_columns_may_be_absent() -> None:
    bare = frame().drop("text", "category", "mood")
    made = Continuum.from_frame(bare, name="talk")
    assert made.categories == ("",)
    assert made.name == "talk"


def test_several_texts_are_not_one_continuum() -> None:
    with pytest.raises(InputError, match="there are 2 texts, 'a' and others"):
        Continuum.from_frame(frame())


def test_raters_can_be_chosen() -> None:
    made = Continuum.from_frame(one_text()).only(["Zoe", "nobody"])
    assert made.raters == ("Zoe",)
    assert made.rater.tolist() == [0, 0]


def test_units_can_be_left_out() -> None:
    made = Continuum.from_frame(one_text())
    assert made.keep(made.begin > 1).n_units == 3


def test_continua_share_their_categories() -> None:
    a, b = continua(SpanTable.from_frame(frame()))
    assert (a.name, b.name) == ("a", "b")
    assert a.categories == b.categories == ("", "x", "y")
    assert (a.n_units, b.n_units) == (3, 2)
    assert dict(a.slice) == {"text": "a"}


def test_continua_by_another_column() -> None:
    found = continua(SpanTable.from_frame(frame()), by=["mood"])
    assert [tuple(one.slice.values()) for one in found] == [("", "a"), ("", "b"), ("free", "a"), ("free", "b")]


def test_declared_raters_are_in_every_text() -> None:
    found = continua(
        SpanTable.from_frame(frame().filter(pl.col("text") == "a").head(1).vstack(frame())), raters=["Ann"]
    )
    assert {one.raters for one in found} == {("Ann",)}
    with pytest.raises(InputError, match="no rater 'Anne'; did you mean 'Ann'"):
        continua(SpanTable.from_frame(frame()), raters=["Anne"])


def test_positions_may_be_large() -> None:
    made = Continuum.from_frame(one_text(begin=[3e9, 4e9, 5e9, 6e9, 7e9], end=[3e9 + 1] + [8e9] * 4))
    assert made.end.dtype == np.float64
    assert made.begin[-1] == 6e9
