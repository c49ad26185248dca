"""Columns: codes and labels, numbers, blanks."""

from typing import Any

import numpy as np
import pytest

from assent.model.columns import Column, blank_out, compact, encode, label_of


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
    assert compact(column) is column


def test_length_and_blanks() -> None:
    assert (len(encode(["a", ""])), encode(["a", ""]).n_blank) == (2, 1)
    assert (len(encode([1.5, np.nan])), encode([1.5, np.nan]).n_blank) == (2, 1)


def test_blanking_out_renumbers() -> None:
    column = blank_out(Column(codes=np.array([0, 1, 2, -1]), labels=["a", "b", "c"]), {"b"})
    assert column.codes.tolist() == [0, -1, 1, -1]
    assert column.labels == ["a", "c"]


def test_labels_of_values() -> None:
    assert [label_of(value) for value in (None, float("nan"), 2.0, 0.1, 3, "x")] == ["", "", "2", "0.1", "3", "x"]
