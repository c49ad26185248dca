"""Printed numbers: what a number in a table can have been before it was rounded or cut off."""

import re
from dataclasses import dataclass
from fractions import Fraction

from assent.errors import InputError

NUMBER = re.compile(r"^[-−+]?(\d+(\.\d*)?|\.\d+)$")
FRACTION = re.compile(r"\(?\s*(\d+)\s*/\s*(\d+)\s*\)?")


@dataclass(frozen=True, kw_only=True)
class Range:
    """All values from low to high."""

    low: Fraction
    high: Fraction

    def meets(self, other: "Range") -> bool:
        """Whether the two have a value in common."""
        return self.low <= other.high and other.low <= self.high

    def __add__(self, other: "Range") -> "Range":
        return Range(low=self.low + other.low, high=self.high + other.high)

    def over(self, divisor: int) -> "Range":
        """Divided by a positive number."""
        return Range(low=self.low / divisor, high=self.high / divisor)


@dataclass(frozen=True, kw_only=True)
class Printed:
    """A number as printed: its text, its value, one unit of its last digit, and the counts printed beside it."""

    text: str
    value: Fraction
    unit: Fraction
    counts: tuple[int, int] | None = None

    @property
    def rounded(self) -> Range:
        """What it can have been if it was rounded (both ends: conventions for halves differ)."""
        half = self.unit / 2
        return Range(low=self.value - half, high=self.value + half)

    @property
    def truncated(self) -> Range:
        """What it can have been if the digits after the last were cut off."""
        low, high = (self.value - self.unit, self.value) if self.value < 0 else (self.value, self.value + self.unit)
        return Range(low=low, high=high)

    @property
    def is_whole(self) -> bool:
        """Whether it has no decimals."""
        return self.unit == 1

    def ranges(self, how: str) -> Range:
        """Its range if numbers were `rounded` or `truncated`; whole numbers are counts and exact."""
        if self.is_whole:
            return Range(low=self.value, high=self.value)
        return self.rounded if how == "rounded" else self.truncated


def is_printed(text: str) -> bool:
    """Whether a cell is blank or a number as `parse` reads it."""
    plain = FRACTION.sub("", text).strip().rstrip("% ").replace(",", "").replace("−", "-")
    return not plain or bool(NUMBER.match(plain))


def parse(text: str, *, file: str, row: int, column: str) -> Printed | None:
    """A cell as a printed number; None if it is blank. `0.883 (265/300)` keeps its counts, `88.3 %` is a share.

    >>> parse("0.910", file="t", row=2, column="kappa").unit
    Fraction(1, 1000)
    """
    counts = FRACTION.search(text)
    plain = FRACTION.sub("", text).strip()
    is_share = plain.endswith("%")
    plain = plain.rstrip("% ").replace(",", "").replace("−", "-")
    if not plain and counts is None:
        return None
    if not plain and counts is not None:
        value = Fraction(int(counts[1]), int(counts[2]))
        return Printed(text=text, value=value, unit=Fraction(0), counts=(int(counts[1]), int(counts[2])))
    if not NUMBER.match(plain):
        raise InputError(f"{text!r} is not a number", file=file, row=row, column=column, hint="leave the cell empty")
    digits = len(plain.partition(".")[2])
    scale = 100 if is_share else 1
    beside = None if counts is None else (int(counts[1]), int(counts[2]))
    return Printed(text=text, value=Fraction(plain) / scale, unit=Fraction(1, 10**digits * scale), counts=beside)


def shown(found: Range, unit: Fraction) -> str:
    """A range with one digit more than was printed, an exact value with two.

    >>> shown(Range(low=Fraction(1, 3), high=Fraction(1, 2)), Fraction(1, 100))
    '0.333 … 0.500'
    """
    digits = len(str(unit.denominator)) if unit else 4
    if found.low == found.high:
        return f"{float(found.low):.{digits + 1}f}" if found.low.denominator > 1 else str(found.low)
    return f"{float(found.low):.{digits}f} … {float(found.high):.{digits}f}"
