"""Published tables checked against themselves: SAILS Tables 4.2, 4.5, 4.6, AMIDEI Table 5."""

from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from concordant.diagnosis.printed_numbers import Range, deviation_range, parse, shown
from concordant.diagnosis.recheck import recheck
from concordant.errors import InputError

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
        ("row,observed,chance,kappa\na,3/0,0.5,0.4\n", "row 2, column 'observed': '3/0' is not a number"),
        ("row,colour\na,0.3\n", "nothing in this table can be checked"),
    ],
)
def test_unusable_tables(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "table.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=message):
        recheck(path)


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("0.910", "91/100", "1/1000"),
        (".5", "1/2", "1/10"),
        ("88.3 %", "883/1000", "1/1000"),
        ("−0.05", "-1/20", "1/100"),
    ],
)
def test_printed_numbers(text: str, value: str, unit: str) -> None:
    found = parse(text, file="t", row=1, column="c")
    assert found is not None
    assert (found.value, found.unit) == (Fraction(value), Fraction(unit))


def test_cutting_off_goes_towards_zero() -> None:
    found = parse("-0.05", file="t", row=1, column="c")
    assert found is not None
    assert found.truncated == Range(low=Fraction("-0.06"), high=Fraction("-0.05"))
    assert shown(found.rounded, found.unit) == "-0.055 … -0.045"


def test_a_recheck_is_short_and_has_its_views() -> None:
    table = {"set": ["a", "b"], "observed": ["0.952", "0.75"], "chance": ["0.678", "0.53"], "kappa": ["0.872", "0.47"]}
    found = recheck(table)
    first, problem = repr(found).splitlines()
    assert first.endswith("2 checks in 2 rows, 1 inconsistent>")
    assert problem == found.problems[0].text
    assert "2 checks in 2 rows" in found._repr_html_()
    assert "0.872" in found._repr_html_()
    assert found.to_dict()["problems"][0]["printed"] == "0.872"
    assert list(found.to_frame()["if_truncated"]) == [False]


def test_disorders_and_gamma(tmp_path: Path) -> None:
    """The examples on a slide of the SANTA workshop (Reiter 2018): the first two rows have their disorders exchanged."""
    rows = [
        ("1", "0.99", "0.01", "0.98"),
        ("2", "0.01", "0.99", "-98"),
        ("3", "0.5", "0.25", "-1"),
        ("4", "0.5", "0.5", "0"),
        ("5", "0.5", "0.75", "0.33"),
        ("6", "0.25", "0.5", "0.5"),
        ("7", "0.75", "0.5", "-0.5"),
    ]
    text = "row,δ_o,δ_e,γ\n" + "\n".join(",".join(row) for row in rows)
    problems, truncated, n = checked(tmp_path, text)
    assert problems == [("1", "γ"), ("2", "γ")]
    assert truncated == []
    assert n == 7
    plain = "text,observed,expected,gamma\na,0.80,1.20,0.33\nb,0.80,1.20,0.43\n"
    assert checked(tmp_path, plain)[0] == [("b", "gamma")]
    for expected in ("expected", "expected disorder"):  # what was observed may be called the disorder
        assert checked(tmp_path, plain.replace("observed,expected", f"disorder,{expected}"))[0] == [("b", "gamma")]


SANTA = """text,G1,G2
a,0.25,0.40
b,0.30,
c,0.11,0.20
Min,0.11,0.20
Mean,0.22,0.30
Max,0.30,0.40
Stddev,0.10,0.14
"""


def test_rows_of_least_mean_largest_and_deviation(tmp_path: Path) -> None:
    assert checked(tmp_path, SANTA) == ([], [], 8)
    for right, wrong, row in (
        ("Min,0.11", "Min,0.12", "Min"),
        ("Max,0.30", "Max,0.31", "Max"),
        ("Stddev,0.10", "Stddev,0.14", "Stddev"),
        ("Mean,0.22", "Mean,0.24", "Mean"),
    ):
        assert checked(tmp_path, SANTA.replace(right, wrong))[0] == [(row, "G1")]


def test_a_deviation_can_be_of_n_or_of_one_less(tmp_path: Path) -> None:
    values = [0.25, 0.30, 0.11]
    mean = sum(values) / 3
    squares = sum((value - mean) ** 2 for value in values)
    for n in (2, 3):
        text = SANTA.replace("Stddev,0.10", f"Stddev,{(squares / n) ** 0.5:.2f}")
        assert checked(tmp_path, text)[0] == []


@given(st.lists(st.integers(0, 100), min_size=2, max_size=8), st.data())
@settings(max_examples=50, deadline=None)
def test_no_numbers_that_print_alike_have_a_deviation_out_of_the_range(cells: list[int], data: st.DataObject) -> None:
    printed = [parse(f"{cell / 100:.2f}", file="", row=0, column="") for cell in cells]
    kept = [one for one in printed if one is not None]
    found = deviation_range(kept, "rounded")
    real = [float(one.value) + data.draw(st.floats(-0.005, 0.005)) for one in kept]
    mean = sum(real) / len(real)
    squares = sum((value - mean) ** 2 for value in real)
    assert float(found.low) - 1e-9 <= (squares / len(real)) ** 0.5
    assert (squares / (len(real) - 1)) ** 0.5 <= float(found.high) + 1e-9


def test_kappa_from_tables_of_counts(tmp_path: Path) -> None:
    """Nine counts: observed .75, chance (45 · 43 + 30 · 27 + 25 · 30) / 10,000 = .3495, kappa .6157."""
    counts = "n11,n12,n13,n21,n22,n23,n31,n32,n33"
    text = f"study,{counts},observed,kappa\none,35,5,5,5,20,5,3,2,20,0.75,{{}}\n"
    assert checked(tmp_path, text.format("0.616"))[0] == []
    assert checked(tmp_path, text.format("0.661"))[0] == [("one", "kappa")]
    square = ",a,b,c\na,35,5,5\nb,5,20,5\nc,3,2,20\nobserved,0.75,,\nkappa,{},,\n"
    assert checked(tmp_path, square.format("0.616"))[0] == []
    assert checked(tmp_path, square.format("0.661"))[0] == [("table", "kappa")]
    with pytest.raises(InputError, match="nothing in this table"):
        checked(tmp_path, square.replace("35", "").format("0.6"))
    assert checked(tmp_path, "text,u,v\nu,1,2\nv,3,4\nMax,3,4\n")[:2] == ([], [])
