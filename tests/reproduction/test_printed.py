"""Figures as printed: when a number agrees, and what is said of one that does not."""

from decimal import ROUND_DOWN, ROUND_HALF_EVEN, Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from concordant.diagnosis.printed_numbers import Range
from concordant.reproduction.printed import BLANK, Known, PrintedTable, PublishedStudy, agrees, figures, judge, shown
from concordant.reproduction.verdicts import published

NUMBERS = st.decimals(min_value=-99, max_value=99, places=9)
PLACES = st.integers(1, 6)


def written(number: Decimal, places: int, how: str) -> str:
    return str(number.quantize(Decimal(1).scaleb(-places), rounding=how))


@given(NUMBERS, PLACES)
def test_a_number_agrees_with_itself_rounded(number: Decimal, places: int) -> None:
    assert agrees(float(number), written(number, places, ROUND_HALF_EVEN))


@given(NUMBERS, PLACES)
def test_a_number_agrees_with_itself_cut_off(number: Decimal, places: int) -> None:
    text = written(number, places, ROUND_DOWN)
    if Decimal(text):  # -0.00 has lost its sign: nobody can tell on which side of 0 it was
        assert agrees(float(number), text, "truncated")


@given(NUMBERS, PLACES, st.sampled_from([-1, 1]))
def test_one_unit_of_the_last_digit_off_is_off(number: Decimal, places: int, side: int) -> None:
    unit = Decimal(1).scaleb(-places)
    text = written(number.quantize(unit) + side * unit, places, ROUND_HALF_EVEN)
    distance = abs(Decimal(text) - number)
    assert agrees(float(number), text) == (distance <= unit / 2 + Decimal("1e-9"))


def test_zeros_at_the_end_are_digits() -> None:
    assert agrees(0.904, "0.9")
    assert not agrees(0.904, "0.900")


def test_a_whole_number_is_a_count() -> None:
    assert agrees(2155.0, "2155")
    assert not agrees(2155.4, "2155")


def test_shares_and_fractions() -> None:
    assert agrees(0.3881, "39%")
    assert agrees(2 / 3, "2/3")
    assert not agrees(0.666, "2/3")


def test_nothing_agrees_with_nothing_only() -> None:
    assert agrees(None, BLANK)
    assert not agrees(None, "0.0")
    assert not agrees(0.0, BLANK)


def test_a_range_agrees_where_it_meets() -> None:
    reach = Range(low=Fraction(1, 4), high=Fraction(1, 3))
    assert agrees(reach, "0.30")
    assert agrees(reach, "0.34") is False


@pytest.mark.parametrize(
    ("computed", "printed", "text"),
    [
        (0.85166, "0.872", "0.8517"),
        (2155, "2155", "2155"),
        (2.4, "2", "2.4"),
        (2 / 3, "2/3", "0.6667"),
        (0.3881, "42%", "38.8%"),
        (None, "1.00", BLANK),
        (Range(low=Fraction(1, 4), high=Fraction(1, 3)), "0.30", "0.250 … 0.333"),
    ],
)
def test_computed_numbers_show_a_digit_more(computed: float, printed: str, text: str) -> None:
    assert shown(computed, printed) == text


def test_a_table_as_typed() -> None:
    assert figures("Set  Core Event  Total\nNon native  0.9  –") == {"Non native": {"Core Event": "0.9", "Total": "–"}}
    with pytest.raises(ValueError, match="shorter"):
        figures("Set  A  B\nx  1")


class TestVerdicts:
    known = Known(kind="misprint", right="0.852", why="one digit is wrong")
    table = PrintedTable(name="T", about="", figures="Set  A  B\nx  0.872  .", known={("x", "A"): known})
    cut = PrintedTable(name="T", about="", figures="Set  A\nx  0.87", cut_off="cut off")

    def test_a_point_is_no_figure(self) -> None:
        assert list(self.table.cells) == [("x", "A")]

    def test_what_is_recorded_must_come_out(self) -> None:
        assert judge(self.table, ("x", "A"), 0.8517) == ("misprint", "0.852 comes out: one digit is wrong")

    @pytest.mark.parametrize("computed", [0.872, 0.8529, None])
    def test_anything_else_differs_even_the_printed_figure(self, computed: float | None) -> None:
        assert judge(self.table, ("x", "A"), computed)[0] == "differs"

    @pytest.mark.parametrize(
        ("computed", "verdict"), [(0.871, "reproduced"), (0.8799, "rounding"), (0.8801, "differs"), (0.868, "differs")]
    )
    def test_a_table_that_is_cut_off_is_cut_off_everywhere(self, computed: float, verdict: str) -> None:
        assert judge(self.cut, ("x", "A"), computed)[0] == verdict


@pytest.mark.parametrize("study", published().values(), ids=published())
def test_what_is_recorded_is_about_figures_that_exist_and_says_why(study: PublishedStudy) -> None:
    for table in study.tables:
        assert set(table.known) <= set(table.cells), table.name
        assert all(known.why and known.right != table.cells[place] for place, known in table.known.items()), table.name
        assert table.about
