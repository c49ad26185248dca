"""Published tables checked against themselves: SAILS Tables 4.2, 4.5, 4.6, AMIDEI Table 5."""

from pathlib import Path

import pytest

from assent.diagnosis.recheck import recheck
from assent.errors import InputError

# SAILS Table 4.2
TABLE_4_2 = """Set,Total,A1Yes,A2Yes,AvgYes,Chance,Observed,Kappa
Intransitive,2155,0.863,0.855,0.859,0.758,0.978,0.910
Transitive,2155,0.780,0.774,0.777,0.653,0.949,0.853
Ditransitive,2155,0.812,0.786,0.799,0.678,0.924,0.764
Targeted,3390,0.829,0.818,0.824,0.709,0.949,0.823
Untargeted,3075,0.806,0.790,0.798,0.678,0.952,0.872
Core Event,1293,0.733,0.717,0.725,0.601,0.923,0.808
Answerhood,1293,0.834,0.831,0.833,0.721,0.982,0.936
Grammaticality,1293,0.861,0.872,0.866,0.768,0.960,0.827
Interpretability,1293,0.818,0.787,0.802,0.682,0.919,0.744
Verifiability,1293,0.845,0.817,0.831,0.719,0.968,0.884
"""
# SAILS Table 4.6
TABLE_4_6 = """Feature,Tot. Pref.,Tot. Dispref.,Net Pref.,Weight
Core,944,367,577,0.365
Answer,807,660,147,0.093
Grammar,910,822,88,0.056
Interpret,1021,667,354,0.224
Verif,1026,611,415,0.263
Total,4708,3127,1581,1.0
"""


def checked(tmp_path: Path, text: str) -> tuple[list[tuple[str, str]], list[tuple[str, str]], int]:
    """The inconsistent cells, those that fit only cut off, and the number of checks."""
    path = tmp_path / "table.csv"
    path.write_text(text, encoding="utf-8")
    found = recheck(path)
    cells = [sorted({(p.row, p.column) for p in part}) for part in (found.problems, found.truncated)]
    return cells[0], cells[1], found.n_checks


def test_sails_table_4_2_has_one_impossible_cell(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_text(TABLE_4_2, encoding="utf-8")
    found = recheck(path)
    (problem,) = found.problems
    assert (problem.row, problem.column, problem.printed, problem.line) == ("Untargeted", "Kappa", "0.872", 6)
    assert problem.suggestion == "0.852 differs in one digit"
    assert found.truncated == ()
    assert found.n_checks == 70


def test_sails_table_4_6_has_one_impossible_weight(tmp_path: Path) -> None:
    problems, truncated, _ = checked(tmp_path, TABLE_4_6)
    assert problems == [("Verif", "Weight")]
    assert truncated == []


def test_a_number_with_its_counts_beside_it(tmp_path: Path) -> None:
    # SAILS Table 4.5
    table = "Set,Chance Agree,Observed Agree,Kappa\npreference,0.621,{},0.692\n"
    assert checked(tmp_path, table.format("0.883 (265/300)")) == ([], [], 2)
    assert checked(tmp_path, table.format("0.893 (265/300)"))[0][0] == ("preference", "Kappa")


def test_averages_of_rounded_cells_are_forgiven(tmp_path: Path) -> None:
    # AMIDEI Table 5, native speakers: the mean of the printed kappas is .4575, printed .45
    table = (
        "Criteria,Kappa,Gamma\nSyntactic,0.59,0.86\nComprehensibility,0.63,1\nFluency,0.39,1\nPertinence,0.22,0.47\n"
    )
    assert checked(tmp_path, table + "Average,0.45,0.83\n")[0] == []
    assert checked(tmp_path, table + "Average,0.48,0.83\n")[0] == [("Average", "Kappa")]


def test_truncated_numbers_are_told_from_wrong_ones(tmp_path: Path) -> None:
    wide = "row,agreed,total,observed\na,2,3,{}\n"
    assert checked(tmp_path, wide.format("0.667"))[:2] == ([], [])
    assert checked(tmp_path, wide.format("0.666"))[:2] == ([], [("a", "observed")])
    assert checked(tmp_path, wide.format("0.656"))[0] == [("a", "observed")]


def test_a_rate_must_be_possible_for_its_total(tmp_path: Path) -> None:
    table = "row,total,yes1,yes2,average\na,20,{},0.50,0.46\n"
    assert checked(tmp_path, table.format("0.43"))[0] == [("a", "average"), ("a", "yes1")]


def test_coefficients_from_the_four_counts(tmp_path: Path) -> None:
    # CASTRO Table 3.1
    table = "row,yesyes,yesno,noyes,nono,observed,chance,kappa\na,25,15,10,50,0.75,0.53,{}\n"
    assert checked(tmp_path, table.format("0.468"))[0] == []
    assert checked(tmp_path, table.format("0.486"))[0] == [("a", "kappa")]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("row,observed,chance,kappa\na,much,0.5,0.4\n", "row 2, column 'observed': 'much' is not a number"),
        ("row,colour\na,0.3\n", "nothing in this table can be checked"),
    ],
)
def test_unusable_tables(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "table.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=message):
        recheck(path)
