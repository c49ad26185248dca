"""Tables in memory: the index of pandas, records, masked arrays, and arrays whose rows are judgements."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import concordant
from concordant.errors import InputError
from concordant.model.scale import Level
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
        assert not any("taken for units" in note for note in as_data(np.array([[1, 1], [2, 2]])).notes)

    def test_what_is_doubtful_is_said_as_of_a_table(self) -> None:
        rows = [[1, -99], [1, 1], [2, 2], [3, 3], [2, 1], [5, 4]]
        said = concordant.measure(rows, "alpha", ci="none").notes
        assert any("-99 (once) lies far from all others" in note and "missing=-99" in note for note in said)
        assert any("level of measurement guessed: ordinal" in note for note in said)
        assert concordant.measure(rows, "alpha", ci="none", missing=[-99], level="ordinal").n_units == 5
        codes = np.array([[0, -1], [1, 1], [2, 2], [3, 3]])  # what pandas makes of missing cells
        assert any("-1 (once) is the only one below zero" in note for note in as_data(codes).notes)
        poles = np.array([[-1, -1], [1, 1], [0, 1]])
        assert not any("below zero" in note for note in as_data(poles).notes)

    def test_words_among_numbers_are_missing_or_refused(self) -> None:
        found = as_data([[1, "n/a"], [2, 2], [3, 3], [4, " 4"]])
        assert found.scale.categories == ("1", "2", "3", "4")
        assert any("'n/a' (once) is taken for missing" in note for note in found.notes)
        with pytest.raises(InputError, match="numbers, but for 'see mail'; say missing="):
            as_data([[1, "see mail"], [2, 2], [3, 3], [4, 4]])
        assert as_data([[1, "see mail"], [2, 2], [3, 3]], level="nominal").n_judgements == 6

    @pytest.mark.parametrize("cells", [[[1, np.inf], [1, 1], [2, 2]], [[0.5, -np.inf], [0.25, 0.5], [0.1, 2.0]]])
    def test_infinity_is_no_judgement(self, cells: list[list[float]]) -> None:
        with pytest.raises(InputError, match="a value is infinite"):
            as_data(np.array(cells))

    def test_sets_are_judgements_of_several_categories(self) -> None:
        rows = [[{"a"}, {"a", "b"}], [{"b"}, {"b"}], [{"b", "a"}, set()]]
        data = as_data(rows)
        assert data.scale.level is Level.SET
        assert set(data.scale.categories) == {"a", "b", "a+b", "∅"}
        given = [one for row in rows for one in row]
        long: dict[str, list[Any]] = {"unit": [1, 1, 2, 2, 3, 3], "rater": list("ABABAB"), "value": given}
        expected = concordant.measure(rows, "alpha", ci="none").value
        for frame in (pd.DataFrame(long), long):
            assert concordant.measure(frame, "alpha", ci="none").value == expected
        lists = pl.DataFrame({**long, "value": [sorted(one) for one in given]})
        assert concordant.measure(lists, "alpha", ci="none").value == expected


def test_numbers_in_texts_are_read_as_in_a_file() -> None:
    shares = [["10%", "20%"], ["30%", "30%"], ["50%", "60%"]]
    assert as_data(shares).scale.categories == ("10", "20", "30", "50", "60")
    frame = pd.DataFrame(shares, columns=["A", "B"])
    assert as_data(frame, raters=["A", "B"]).judgements().scale.categories == ("10", "20", "30", "50", "60")
    choices = as_data([["1,5", "2,5"], ["3,0", "3,5"], ["4,0", "4,0"]])
    assert any("may have a decimal comma or be two choices" in note for note in choices.notes)


def test_numbers_and_texts_in_one_column_are_names_of_values() -> None:
    mixed = pd.DataFrame({"unit": [1, 1, 2, 2], "rater": list("ABAB"), "value": ["a", 1, "a", "b"]})
    assert as_data(mixed).judgements().scale.categories == ("1", "a", "b")


def test_columns_with_names_of_several_levels_are_refused() -> None:
    columns = pd.MultiIndex.from_tuples([("q", "A"), ("q", "B")])
    with pytest.raises(InputError, match="names of several levels; give each one name"):
        as_data(pd.DataFrame([[1, 2], [2, 2]], columns=columns))


def test_two_columns_of_one_name_are_refused() -> None:
    with pytest.raises(InputError, match="two columns are called 'A'"):
        concordant.measure(pd.DataFrame([[1, 1], [2, 2]], columns=["A", "A"]), "alpha")


def test_labels_of_two_raters_are_no_two_arguments() -> None:
    with pytest.raises(InputError, match=r"the second argument names measures; .*measure\({'A': first, 'B': second}"):
        concordant.measure([1, 2, 1], [1, 2, 2])  # type: ignore[list-item]


def test_what_was_understood_stands_in_the_notes_of_one_result(tmp_path: Path) -> None:
    file = tmp_path / "ratings.csv"
    file.write_text("unit,A,B\n1,1,-99\n2,1,1\n3,2,2\n4,3,3\n5,2,1\n6,5,4\n", encoding="utf-8")
    alone = concordant.measure(file, "alpha", ci="none")
    together = concordant.measure(file, ["alpha"], ci="none")
    assert any("lies far from all others" in note for note in alone.notes)
    assert any("lies far from all others" in note for note in together.notes)
    assert not any("--" in note for note in (*alone.notes, *together.notes))


def test_what_is_refused_is_said_in_words_of_python() -> None:
    assert in_python("say --unit, --rater and --value") == "say unit=, rater= and value="
    with pytest.raises(InputError, match=r"say unit=, rater= and value=") as refused:
        as_data(pd.DataFrame({"note": ["hello", "b", "c"], "q": [1, 2, 3]}))
    assert "--" not in str(refused.value)
