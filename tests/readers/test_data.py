"""Whatever people have as data becomes the right kind."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

from concordant.engines.tally import tally
from concordant.errors import InputError
from concordant.model.continuum import Continuum, continua
from concordant.model.judgements import Judgements
from concordant.model.spans import SpanTable
from concordant.model.study import Study
from concordant.readers.data import as_data

LONG: dict[str, Any] = {
    "item": ["a", "a", "b", "b"], "who": ["x", "y", "x", "y"], "score": [1, 2, 2, 2], "genre": ["p", "p", "q", "q"],
}  # fmt: skip
ROLES: dict[str, Any] = {"unit": "item", "rater": "who", "value": "score"}
SPANS: dict[str, Any] = {
    "text": ["t", "t"], "rater": ["Ida", "Jon"], "begin": [0, 1], "end": [3, 4], "category": ["A", "B"],
}  # fmt: skip


def arrow(columns: dict[str, Any]) -> Any:
    return pl.DataFrame(columns).to_arrow()


def fingerprint(data: Any) -> str:
    judged = data.judgements() if isinstance(data, Study) else data
    return tally(judged).fingerprint


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, pl.LazyFrame, arrow, dict])
class TestFrames:
    def test_long_frames_are_studies(self, make: Any, tmp_path: Path) -> None:
        study = as_data(make(LONG), **ROLES, level="ordinal", where={"genre": ["p", "q"]})
        pl.DataFrame(LONG).write_csv(tmp_path / "long.csv")
        assert fingerprint(study) == fingerprint(as_data(tmp_path / "long.csv", **ROLES, level="ordinal"))
        assert list(study.attributes) == ["genre"]

    def test_wide_frames_are_studies(self, make: Any) -> None:
        study = as_data(make({"id": ["a", "b"], "x": [1, 2], "y": [2, 2]}))
        assert study.raters == ("x", "y")
        assert fingerprint(study) == fingerprint(as_data([[1, 2], [2, 2]], raters=["x", "y"]))

    def test_frames_of_spans_are_spans(self, make: Any) -> None:
        table = as_data(make(SPANS), raters=["Ida"])
        assert isinstance(table, SpanTable)
        assert table.category.tolist() == ["A"]

    def test_a_frame_that_may_be_either_is_a_question(self, make: Any) -> None:
        both = make({**SPANS, "unit": ["a", "a"], "value": ["1", "2"]})
        with pytest.raises(InputError, match='say format="table" or format="long"'):
            as_data(both)
        assert isinstance(as_data(both, format="table"), Study)
        assert isinstance(as_data(both, holds="spans"), SpanTable)

    def test_options_of_the_other_kind_are_refused(self, make: Any) -> None:
        with pytest.raises(InputError, match="a table of judgements has no option 'begin'"):
            as_data(make(LONG), begin="score")


class TestOrderedCategories:
    ORDER = ("low", "middle", "high", "none")
    CELLS = ("high", "low", "middle", "low")

    def frame(self, *, ordered: bool = True) -> pd.DataFrame:
        values = pd.Categorical(self.CELLS, categories=self.ORDER, ordered=ordered)
        return pd.DataFrame({"unit": ["a", "a", "b", "b"], "rater": ["x", "y", "x", "y"], "value": values})

    def test_an_ordered_categorical_of_pandas_is_ordinal_in_its_order(self) -> None:
        study = as_data(self.frame())
        assert (
            study.judgements().scale == as_data(self.frame(), level="ordinal", categories=self.ORDER).judgements().scale
        )
        assert study.judgements().scale.level == "ordinal"
        assert study.judgements().scale.categories == self.ORDER
        assert study.notes == ("the values are ordered categories (low < middle < high < none): read as ordinal",)
        assert as_data(self.frame(), missing=["none"]).judgements().scale.categories == self.ORDER[:3]

    def test_what_is_said_counts_more(self) -> None:
        assert as_data(self.frame(), level="nominal").judgements().scale.level == "nominal"
        assert as_data(self.frame(), level="ordinal").judgements().scale.categories == self.ORDER
        other = self.ORDER[::-1]
        assert as_data(self.frame(), level="ordinal", categories=other).judgements().scale.categories == other

    def test_others_have_no_order(self) -> None:
        assert as_data(self.frame(ordered=False)).judgements().scale.level == "nominal"
        assert as_data(pl.from_pandas(self.frame())).judgements().scale.level == "nominal"

    def test_raters_side_by_side_share_it(self) -> None:
        cells = {name: pd.Categorical(self.CELLS, categories=self.ORDER, ordered=True) for name in ("x", "y")}
        assert as_data(pd.DataFrame({"unit": list("abcd"), **cells})).judgements().scale.categories == self.ORDER
        cells["y"] = pd.Categorical(self.CELLS, categories=self.ORDER[::-1], ordered=True)
        assert as_data(pd.DataFrame({"unit": list("abcd"), **cells})).judgements().scale.level == "nominal"

    def test_judgements_made_of_a_frame_have_it_too(self) -> None:
        made = Judgements.from_frame(self.frame(), missing=["none"])
        assert (made.scale.level, made.scale.categories) == ("ordinal", self.ORDER[:3])
        assert Judgements.from_frame(self.frame(), level="nominal").scale.level == "nominal"
        assert Judgements.from_frame(self.frame(ordered=False)).scale.level == "nominal"


@pytest.mark.parametrize("rows", [[[1, 2], [2, 2]], ((1, 2), (2, 2)), np.array([[1, 2], [2, 2]])])
def test_arrays_have_units_in_rows(rows: Any) -> None:
    data = as_data(rows, raters=["x", "y"], level="ordinal", categories=[1, 2, 3])
    assert isinstance(data, Judgements)
    assert data.scale.categories == ("1", "2", "3")
    with pytest.raises(InputError, match="an array has no option 'unit'"):
        as_data(rows, unit="x")
    with pytest.raises(InputError, match="no columns to choose rows by"):
        as_data(rows, where={"x": ["1"]})


def test_masked_cells_and_declared_values_are_missing() -> None:
    masked = np.ma.masked_equal(np.array([[1, 2], [2, 9]]), 9)
    assert as_data(masked).n_judgements == 3
    assert as_data([[1, 2], [2, 9]], missing=[9]).n_judgements == 3


class TestOwnData:
    def test_a_study_takes_what_may_be_declared(self) -> None:
        study = as_data(LONG, **ROLES)
        declared = as_data(study, level="ordinal", categories=["1", "2", "3"], missing=[1], where={"genre": ["q"]})
        assert declared.judgements().scale.categories == ("1", "2", "3")
        assert as_data(study, missing=[1]).value.n_blank == 1
        assert as_data(study, raters=["x"]).raters == ("x",)
        assert fingerprint(as_data(study)) == fingerprint(study)
        with pytest.raises(InputError, match="a study has no option 'unit'"):
            as_data(study, unit="item")

    def test_judgements_and_spans_take_raters(self) -> None:
        data, spans = as_data([[1, 2], [2, 2]], raters=["x", "y"]), as_data(SPANS)
        assert as_data(data) is data
        assert as_data(data, raters=["y"]).raters == ("y",)
        assert as_data(spans, raters=["Jon"]).raters == ("Jon",)
        with pytest.raises(InputError, match="Judgements has no option 'level' any more"):
            as_data(data, level="ordinal")
        with pytest.raises(InputError, match="SpanTable has no option 'begin' any more"):
            as_data(spans, begin="x")

    def test_continua_stay_what_they_are(self) -> None:
        (one,) = texts = continua(as_data(SPANS))
        assert as_data(one) is one
        assert as_data(texts) == texts
        with pytest.raises(InputError, match="Continuum has no option 'where' any more"):
            as_data(texts, where={"text": ["t"]})
        assert isinstance(one, Continuum)


def test_paths_are_read(tmp_path: Path) -> None:
    for name in ("gold.mrg", "test.mrg"):
        (tmp_path / name).write_text("(S (NP (D the) (N cat)) (VP (V sat)))\n")
    trees = as_data([tmp_path / "gold.mrg", str(tmp_path / "test.mrg")])
    assert trees.raters == ("gold", "test")
    pl.DataFrame(SPANS).write_csv(tmp_path / "spans.csv")
    assert isinstance(as_data(str(tmp_path / "spans.csv")), SpanTable)


@pytest.mark.parametrize(
    ("thing", "words"),
    [(7, "int is nothing that can be read"), ({}, "no columns"), ({"unit": [1], "rater": [1, 2]}, "differ in length")],
)
def test_what_is_no_data_is_refused(thing: Any, words: str) -> None:
    with pytest.raises(InputError, match=words):
        as_data(thing)
