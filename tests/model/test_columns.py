"""Columns: codes and labels, numbers, blanks.

Data frames of any library, through narwhals.
"""

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

from concordant.engines.tally import tally
from concordant.errors import InputError, MissingExtra
from concordant.model.columns import Column, blank_out, encode, label_of, to_frame
from concordant.model.judgements import Judgements
from concordant.model.many_labels import WholeNumbers


def texts(values: Any, **more: Any) -> list[str]:
    """The column read back row by row; blank is the empty text."""
    return [str(text) for text in encode(values, **more).text()]


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (np.array([1, 0, 2], dtype=np.int8), ["1", "0", "2"]),
        (np.array([-100, 100], dtype=np.int8), ["-100", "100"]),
        (np.array([250, 3], dtype=np.uint8), ["250", "3"]),
        (np.arange(200, dtype=np.uint8), [str(i) for i in range(200)]),
        (np.array([10**12, 5, 10**12]), [str(10**12), "5", str(10**12)]),
        (np.array([7, 5, 7]), ["7", "5", "7"]),
        (np.array([True, False]), ["1", "0"]),
        (np.array([2.0, 0.5, np.nan]), ["2", "0.5", ""]),
        (["b", "a", "", "b"], ["b", "a", "", "b"]),
        (np.array(["b", None, 2.0, 3, np.nan], dtype=object), ["b", "", "2", "3", ""]),
        (np.zeros(0, dtype=np.int64), []),
        (np.zeros(0), []),
    ],
)
def test_values_become_labels(values: Any, expected: list[str]) -> None:
    assert texts(values) == expected


@pytest.mark.parametrize(
    ("values", "missing", "expected"),
    [
        (np.array([1, 9, 2], dtype=np.int8), [9], ["1", "", "2"]),
        (np.array([1, 9, 2], dtype=np.int8), ["NA", 9.0], ["1", "", "2"]),
        (np.array([1, 9, 2]), [9.0], ["1", "", "2"]),
        (np.array([1, 10**12, 2]), ["1"], ["", str(10**12), "2"]),
        (np.array([1.0, 9.0]), ["NA", 9], ["1", ""]),
        (["a", "NA", "b"], ["NA"], ["a", "", "b"]),
    ],
)
def test_declared_missing_values_are_blank(values: Any, missing: list[Any], expected: list[str]) -> None:
    assert texts(values, missing=missing) == expected
    assert encode(values, missing=missing).n_blank == expected.count("")


def test_codes_are_small() -> None:
    assert encode(["yes", "no"] * 100).codes.dtype == np.int8
    assert encode(np.arange(1000)).codes.dtype == np.int16


def test_many_values_are_seen_in_a_sample_or_in_all() -> None:
    late = np.concatenate([np.zeros(100), np.arange(20.0)])
    assert encode(np.arange(50.0)).has_many_values(10)
    assert encode(late).has_many_values(10)
    assert not encode(np.zeros(50)).has_many_values(10)
    assert not encode(["a", "b"]).has_many_values(1)


def test_taking_rows_drops_unused_labels() -> None:
    column = encode(["a", "b", "", "c"])
    assert list(column.take(np.array([1, 2])).labels) == ["b"]
    assert column.take(np.array([1, 2])).codes.tolist() == [0, -1]
    assert encode([1.5, 2.5]).take(np.array([1])).text().tolist() == ["2.5"]
    assert column.take(np.arange(len(column))).labels is column.labels


def test_length_and_blanks() -> None:
    assert (len(encode(["a", ""])), encode(["a", ""]).n_blank) == (2, 1)
    assert (len(encode([1.5, np.nan])), encode([1.5, np.nan]).n_blank) == (2, 1)


def test_blanking_out_renumbers() -> None:
    column = blank_out(Column(codes=np.array([0, 1, 2, -1]), labels=["a", "b", "c"]), {"b"})
    assert column.codes.tolist() == [0, -1, 1, -1]
    assert column.labels == ["a", "c"]


def test_labels_of_values() -> None:
    assert [label_of(value) for value in (None, float("nan"), 2.0, 0.1, 3, "x")] == ["", "", "2", "0.1", "3", "x"]


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


def test_rows_become_a_frame_of_the_library_that_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    rows: list[dict[str, Any]] = [{"key": "alpha", "value": 0.5}, {"key": "kappa", "value": None}]
    assert isinstance(to_frame(rows), pd.DataFrame)
    monkeypatch.setitem(sys.modules, "pandas", None)
    assert isinstance(to_frame(rows), pl.DataFrame)
    monkeypatch.setitem(sys.modules, "polars", None)
    with pytest.raises(MissingExtra, match="a data frame needs an optional part"):
        to_frame(rows)


def test_a_library_that_is_broken_says_so_itself(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "pandas.py").write_text("import nothing_of_the_kind\n")
    monkeypatch.delitem(sys.modules, "pandas")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ModuleNotFoundError, match="nothing_of_the_kind"):
        to_frame([{"key": "alpha"}])


def test_very_many_whole_numbers_are_labels_when_asked_for() -> None:
    numbers = np.arange(5, 20_005) * 3
    column = encode(numbers[::-1].copy())
    assert isinstance(column.labels, WholeNumbers)
    assert (column.labels[0], column.labels[-1], len(column.labels)) == ("15", "60012", 20_000)
    assert list(column.labels[:2]) == ["15", "18"]
    assert column.text()[:2].tolist() == ["60012", "60009"]
    assert encode(numbers, missing=[15]).n_blank == 1
    assert next(iter(column.labels)) == "15"
    assert not column.labels.have_blanks_around
