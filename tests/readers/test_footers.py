"""Lines below a table are no units: left out and said, or told."""

from pathlib import Path

import pytest

from tests.readers.exported import study_of, write

NUMBERS = "unit,A,B,C\n1,1,2,2\n2,3,3,4\n3,5,4,4\n4,2,2,2\n5,1,1,1\n6,4,5,4\n"
NAMES = "unit,A,B,C\n1,b,c,c\n2,a,a,b\n3,c,b,b\n4,c,c,c\n5,b,b,b\n6,b,c,b\n"
NAMELESS = "A,B,C\nb,c,c\na,a,b\nc,b,b\nc,c,c\nb,b,b\nb,c,b\n"


@pytest.mark.parametrize(
    ("text", "left_out"),
    [
        (NUMBERS + "Source: an invented survey,,,\n", ["below the table: 'Source: an invented survey'"]),
        (NAMES + "Quelle: erfunden,,,\nAnmerkung: ohne 7,,,\n", ["'Quelle: erfunden', 'Anmerkung: ohne 7'"]),
        (NAMES + "Total,,,\n\n* two raters were ill,,,\n", ["below the table: 'Total', '* two raters were ill'"]),
        (NUMBERS + "Mean,2.67,2.83,2.83\nNote: rounded,,,\n", ["below", "computed from the rows above: 'Mean'"]),
        (NUMBERS + "Mean score,2.67,2.83,2.83\n", ["computed from the rows above: 'Mean score'"]),
        (NUMBERS + "All,16,17,17\n", ["computed from the rows above: 'All'"]),
        (NAMES + "Agreement,85%,80 %,70%\n", ["computed from the rows above: 'Agreement'"]),
        (NAMES + "Kappa,,0.61,\n", ["computed from the rows above: 'Kappa'"]),
        (NAMELESS + "Total: 6,,\n", ["below the table: 'Total: 6'"]),
    ],
)
def test_lines_below_a_table_are_no_units(tmp_path: Path, text: str, left_out: list[str]) -> None:
    study = study_of(write(tmp_path / "t.csv", text))
    assert len(study.unit.as_labels().labels) == 6
    assert not any("Total" in value or "%" in value for value in study.value.as_labels().labels)
    for (_, reason), said in zip(study.left_out, left_out, strict=True):
        assert said in reason


@pytest.mark.parametrize("last", ["7,3,3,3", "7,10,9,9", "7,2.67,3,3", "Sourdough,3,,", "7,,3,"])
def test_units_at_the_end_stay(tmp_path: Path, last: str) -> None:
    study = study_of(write(tmp_path / "t.csv", f"{NUMBERS}{last}\n"))
    assert len(study.unit.as_labels().labels) == 7
    assert not study.left_out


def test_a_unit_that_nobody_judged_is_told(tmp_path: Path) -> None:
    study = study_of(write(tmp_path / "t.csv", f"{NUMBERS}Survey of spring,,,\n"))
    assert any("nobody judged the last of the units ('Survey of spring')" in note for note in study.notes)
