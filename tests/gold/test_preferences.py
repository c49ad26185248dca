"""Preference pairs from a file."""

from pathlib import Path

import pytest

from assent.errors import InputError
from assent.gold.preferences import differences, read_preferences


def test_choices_and_features(tmp_path: Path) -> None:
    path = tmp_path / "pairs.csv"
    path.write_text("pair,choice,A_x,B_x,A_y,B_y\n1,A,1,0,0,1\n2,b,0,1,1,1\n3,Same,1,1,0,0\n", encoding="utf-8")
    found = read_preferences(path)
    assert found.features == ("x", "y")
    assert found.choice.tolist() == [1, -1, 0]
    assert found.preferred.tolist() == [[1, 0], [1, 1]]
    assert found.dispreferred.tolist() == [[0, 1], [0, 1]]
    difference, is_first = differences(found)
    assert difference.tolist() == [[1, -1], [-1, 0]]
    assert is_first.tolist() == [True, False]
    with pytest.raises(InputError, match="no column 'rater'"):
        found.by("A1")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("pair,A_x,B_x\n1,1,0\n", "column 'choice': there is no such column"),
        ("pair,choice,A_x\n1,A,1\n", "no column B_x"),
        ("pair,choice\n1,A\n", "no features were found"),
        ("pair,choice,A_x,B_x\n1,C,1,0\n", "row 2, column 'choice': the choice 'C' is unknown"),
        ("pair,choice,A_x,B_x\n1,A,yes,0\n", "row 2, column 'A_x': 'yes' is not a number"),
        ("pair,choice,A_x,B_x\n1,A,1,0\n2,,1,0\n", "row 3, column 'choice': the choice is blank"),
    ],
)
def test_bad_pairs(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "pairs.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=message):
        read_preferences(path)


def test_what_was_shown_and_attributes_in_words_are_no_features(tmp_path: Path) -> None:
    path = tmp_path / "pairs.csv"
    header = "pair,choice,A_unit,A_text,A_group,A_x,B_unit,B_text,B_group,B_x"
    path.write_text(f"{header}\n1,A,u1,one,native,1,u2,two,other,0\n", encoding="utf-8")
    assert read_preferences(path).features == ("x",)
