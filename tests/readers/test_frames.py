"""Tables in memory: the index of pandas, records, masked arrays, and arrays whose rows are judgements."""

from typing import Any

import numpy as np
import pandas as pd
import pytest

from concordant.errors import InputError
from concordant.readers.data import as_data
from concordant.readers.frames import as_table, in_python, index_names, is_records

WIDE = {"A": [1, 2, 3, 1], "B": [1, 2, 3, 2]}
RECORDS = [
    {"unit": "a", "rater": "x", "value": 1}, {"unit": "a", "rater": "y", "value": 1},
    {"unit": "b", "rater": "x", "value": 2}, {"unit": "b", "rater": "y", "value": 1},
]  # fmt: skip


def units_and_raters(thing: Any, **options: Any) -> tuple[list[str], list[str]]:
    data = as_data(thing, **options)
    judged = data.judgements() if hasattr(data, "judgements") else data
    return list(judged.unit_names or []), list(judged.raters)


class TestIndex:
    def test_names_of_rows_are_the_units(self) -> None:
        assert units_and_raters(pd.DataFrame(WIDE, index=list("pqrs"))) == (list("pqrs"), ["A", "B"])

    def test_numbers_of_rows_say_nothing(self) -> None:
        assert index_names(pd.DataFrame(WIDE, index=[10, 11, 12, 13])) == {}
        assert units_and_raters(pd.DataFrame(WIDE, index=[10, 11, 12, 13]))[1] == ["A", "B"]

    def test_levels_with_names_are_columns(self) -> None:
        frame = pd.DataFrame(RECORDS).set_index(["unit", "rater"])
        assert units_and_raters(frame) == (["a", "b"], ["x", "y"])
        assert units_and_raters(frame["value"]) == (["a", "b"], ["x", "y"])

    def test_an_index_of_raters_is_no_unit(self) -> None:
        assert units_and_raters(pd.DataFrame(RECORDS).set_index("rater")) == (["a", "b"], ["x", "y"])

    def test_the_index_keeps_its_name_as_the_unit_whatever_it_is_called(self) -> None:
        frame = pd.DataFrame(WIDE, index=pd.Index(list("pqrs"), name="Beleg"))
        assert units_and_raters(frame) == (list("pqrs"), ["A", "B"])

    def test_a_series_without_an_index_that_says_something_is_refused(self) -> None:
        with pytest.raises(InputError, match="Series is nothing that can be read"):
            as_data(pd.Series([1, 2, 3]))


class TestRecords:
    def test_rows_as_mappings_are_a_table(self) -> None:
        assert is_records(RECORDS)
        assert units_and_raters(RECORDS) == (["a", "b"], ["x", "y"])

    def test_a_key_that_some_lack_is_empty_there(self) -> None:
        table = as_table([{"unit": "a", "value": 1}, {"unit": "b"}])
        value = table.columns["value"].as_labels()
        assert (value.labels, list(value.codes)) == (["1"], [0, -1])

    def test_mappings_of_mappings_do_not_say_what_comes_first(self) -> None:
        with pytest.raises(InputError, match="does not say whether raters or units come first"):
            as_data({"a": {"x": 1}, "b": {"x": 2}})


class TestArrays:
    def test_masked_cells_are_missing(self) -> None:
        masked = np.ma.masked_equal(np.array([[1, 1], [2, -1], [2, 2], [1, 1]]), -1)
        data = as_data(masked)
        assert "-1" not in list(data.scale.categories)
        assert data.n_judgements == 7

    @pytest.mark.parametrize(
        ("rows", "why"),
        [
            ([["A", "u1", "x"], ["B", "u1", "x"], ["A", "u2", "y"], ["B", "u2", "y"]], "have no value in common"),
            ([["A", "u1", 1], ["B", "u1", 2], ["A", "u2", 1]], "are some of words and some of numbers"),
        ],
    )
    def test_rows_that_are_judgements_are_refused(self, rows: list[Any], why: str) -> None:
        with pytest.raises(InputError, match=why):
            as_data(rows)
        named = as_data(rows, raters=["p", "q", "r"])
        assert list(named.raters) == ["p", "q", "r"]

    def test_fewer_units_than_raters_are_said(self) -> None:
        assert "2 units × 3 raters" in as_data(np.array([[1, 1, 2], [2, 2, 2]])).notes[-1]
        assert as_data(np.array([[1, 1], [2, 2]])).notes == ()


def test_what_is_refused_is_said_in_words_of_python() -> None:
    assert in_python("say --unit, --rater and --value") == "say unit=, rater= and value="
    with pytest.raises(InputError, match=r"say unit=, rater= and value=") as refused:
        as_data(pd.DataFrame({"note": ["hello", "b", "c"], "q": [1, 2, 3]}))
    assert "--" not in str(refused.value)
