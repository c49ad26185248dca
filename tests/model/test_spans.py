"""Tables of spans: messages that name file, row and column."""

import polars as pl
import pytest

from concordant.errors import InputError
from concordant.model.spans import Mark, SpanTable
from tests.model.test_continuum import frame


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"begin": [10, 2, 4, 6, 1]}, r"file.csv, row 2: the span 10-9 of rater 'Zoe' in 'b' begins after its end"),
        ({"begin": [0, 2, -4, 6, 1]}, "row 4: the span -4-8 of rater 'Ann' in 'a' begins before 0"),
        ({"begin": [0, None, 4, 6, 1]}, r"row 3, column 'begin': '' is not a position"),
        ({"begin": ["0", "two", "4", "6", "1"]}, r"row 3, column 'begin': 'two' is not a position; give a number"),
        ({"end": [9.0, 5.0, float("inf"), 7.0, 3.0]}, r"row 4, column 'end': 'inf' is not a position"),
        ({"rater": ["Zoe", "Ann", None, "Zoe", "Ann"]}, r"row 4, column 'rater': the cell is empty"),
    ],
)
def test_what_cannot_be_is_one_clear_line(changes: dict[str, list[object]], words: str) -> None:
    with pytest.raises(InputError, match=words):
        SpanTable.from_frame(frame(**changes), name="file.csv")


def test_spans_past_the_texts_end_are_refused() -> None:
    with pytest.raises(InputError, match="row 2: the span 0-9 of rater 'Zoe' in 'b' ends past the text's end"):
        SpanTable.from_frame(frame(), lengths={"b": 7.0}, name="file.csv")


def test_a_missing_column_is_named_with_those_there_are() -> None:
    with pytest.raises(InputError, match="there is no column 'rater'; the columns are text, begin, end"):
        SpanTable.from_frame(frame().drop("rater", "category", "mood"))


def test_marks_become_a_table_with_features() -> None:
    table = SpanTable.from_marks("x", [Mark("t", "r", 0, 3, "a", {"f": "1"}), Mark("t", "s", 1, 4, "b")])
    assert len(table) == 2
    assert table.features["f"].tolist() == ["1", ""]
    with pytest.raises(InputError, match="x: the span 3-1 of rater 'r'"):
        SpanTable.from_marks("x", [Mark("t", "r", 3, 1, "a")])
    with pytest.raises(InputError, match="has no position"):
        SpanTable.from_marks("x", [Mark("t", "r", float("nan"), 1, "a")])


def test_rows_are_chosen_by_value() -> None:
    table = SpanTable.from_frame(frame()).where("text", ["a"])
    assert table.rows is not None
    assert table.rows.tolist() == [4, 5, 6]
    marks = SpanTable.from_marks("x", [Mark("t", "r", 0, 3, "a"), Mark("u", "s", 1, 4, "b")])
    assert marks.where("category", ["b"]).text.tolist() == ["u"]


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [("mod", "free", "did you mean 'mood'"), ("mood", "fre", "no span has the value 'fre'; did you mean 'free'")],
)
def test_unknown_names_and_values_are_refused(name: str, value: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        SpanTable.from_frame(frame()).where(name, [value])


def test_numbers_as_text_are_read() -> None:
    table = SpanTable.from_frame(pl.DataFrame({"rater": ["a"], "begin": ["1.5"], "end": ["2"]}))
    assert table.begin.tolist() == [1.5]
