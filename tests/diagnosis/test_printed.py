"""Printed numbers and what they can have been."""

from fractions import Fraction

import pytest

from assent.diagnosis.printed import Range, parse, shown


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
