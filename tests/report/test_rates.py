"""How often each rater said yes, beside chance: the columns of SAILS, Tables 4.2 and 4.3."""

import csv
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from concordant.measures.result import Agreement
from concordant.model.judgements import Judgements
from concordant.readers import read
from concordant.report.rates import RateTable, compares_agreement, rate_table
from concordant.uncertainty.front import measure
from concordant.uncertainty.studies import measure_study

CELLS = [["yes", "yes"]] * 5 + [["yes", "no"]] * 3 + [["no", "yes"]] + [["no", "no"]]


def test_the_columns_are_worked_out_by_hand() -> None:
    """10 units: A said yes to 8, B to 6, both the same on 6; chance is .8 × .6 + .2 × .4."""
    results = measure_study(Judgements.from_matrix(CELLS, level="nominal"), ["alpha", "kappa", "percent"], ci="none")
    table = rate_table(results)
    assert table is not None
    shown = table.as_grid()
    assert shown.headers[2:] == ("Average: yes", "Chance", "Observed", "Cohen's kappa", "Units")
    assert shown.rows[0] == pytest.approx((0.8, 0.6, 0.7, 0.56, 0.6, (0.6 - 0.56) / 0.44, 10))


@given(st.lists(st.sampled_from(["yes", "no"]), min_size=4, max_size=20), st.integers(1, 5))
def test_chance_is_what_the_rates_say(one: list[str], shift: int) -> None:
    """Kappa's chance follows from the two rates; a table stands whether or not kappa is defined."""
    other = one[shift:] + one[:shift]
    values = [*zip(one, other, strict=True), ("yes", "no")]
    table = rate_table(measure_study(Judgements.from_matrix(values, level="nominal"), ["kappa"], ci="none"))
    assert table is not None
    [row] = table.rows
    a, b = row.rates
    assert a is not None
    assert b is not None
    assert row.result.expected == pytest.approx(a * b + (1 - a) * (1 - b))


def test_no_table_where_nobody_says_yes_or_nothing_is_compared_with_chance() -> None:
    three = Judgements.from_matrix([["a", "b"], ["c", "c"], ["a", "a"]], level="nominal")
    assert rate_table(measure_study(three, ["kappa"], ci="none")) is None
    only_alpha = measure_study(Judgements.from_matrix(CELLS, level="nominal"), ["alpha"], ci="none")
    assert rate_table(only_alpha) is None
    assert rate_table([]) is None


def test_which_coefficients_compare_agreement_with_chance() -> None:
    data = Judgements.from_matrix(CELLS, level="nominal")
    found = {key: compares_agreement(_one(data, key)) for key in ("kappa", "pi", "fleiss", "alpha", "percent")}
    assert found == {"kappa": True, "pi": True, "fleiss": True, "alpha": False, "percent": False}


def _one(data: Judgements, key: str) -> Agreement:
    result: Agreement = measure(data, key, ci="none")
    return result


def sliced(folder: Path, *, n_parts: int = 2, lacking: bool = False) -> RateTable:
    """Two questions judged by two raters on units of two parts or more."""
    rows = [
        {
            "unit": f"u{n}",
            "rater": rater,
            "question": q,
            "value": "yes" if (n * k + (n // 3)) % 4 else "no",
            "kind": kind,
        }
        for n in range(12 * n_parts)
        for kind in [f"k{n % n_parts}"]
        for q in ("first", "second")
        if not (lacking and q == "second" and kind == "k0")
        for k, rater in enumerate(("A", "B"), 2)
    ]
    with (folder / "judged.csv").open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    results = measure_study(read(folder / "judged.csv", attributes=["kind"]), ["kappa"], by=["kind"], ci="none")
    table = rate_table(results)
    assert table is not None
    return table


def test_the_parts_of_one_attribute_stand_beside_each_other(tmp_path: Path) -> None:
    """Every number of the long table is in the wide one, in the row of its question and the column of its part."""
    table = sliced(tmp_path)
    beside = table.side_by_side()
    assert beside is not None
    assert beside.headers[:3] == ("Question", "Average k0", "Average k1")
    assert len(beside.headers) == 1 + 4 * 2
    for row in table.rows:
        question, part = row.place
        [found] = [one for one in beside.rows if one[0] == question]
        told = dict(zip(beside.headers, found, strict=True))
        assert told[f"Average {part}"] == row.average
        assert told[f"Chance {part}"] == row.result.expected
        assert told[f"Observed {part}"] == row.result.observed
        assert told[f"Cohen's kappa {part}"] == row.result.value


def test_what_does_not_fit_beside_each_other_stays_in_rows(tmp_path: Path) -> None:
    assert sliced(tmp_path, n_parts=5).side_by_side() is None, "too many parts for a page"
    assert sliced(tmp_path, lacking=True).side_by_side() is None, "a part without an answer to a question"
    whole = rate_table(measure_study(Judgements.from_matrix(CELLS, level="nominal"), ["kappa"], ci="none"))
    assert whole is not None
    assert whole.side_by_side() is None
