"""Numbers as they stand in print: each is rounded or cut off, and stands for a range."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from concordant.errors import InputError

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

    def nearest(self, n: int, how: str) -> Range:
        """The share of n nearest to it."""
        middle = self.ranges(how)
        share = Fraction(round((middle.low + middle.high) / 2 * n), n)
        return Range(low=share, high=share)


def is_printed(text: str) -> bool:
    """Whether a cell is blank or a number as `parse` reads it."""
    plain = FRACTION.sub("", text).strip().rstrip("% ").replace(",", "").replace("−", "-")
    return not plain or bool(NUMBER.match(plain))


def parse(text: str, *, file: str, row: int, column: str) -> Printed | None:
    """A cell as a printed number; None if it is blank. `0.883 (265/300)` keeps its counts, `88.3 %` is a share.

    >>> parse("0.910", file="t", row=2, column="kappa").unit
    Fraction(1, 1000)
    """
    found = FRACTION.search(text)
    counts = None if found is None else (int(found[1]), int(found[2]))
    plain = FRACTION.sub("", text).strip()
    scale = 100 if plain.endswith("%") else 1
    plain = plain.rstrip("% ").replace(",", "").replace("−", "-")
    if not plain and (counts is None or counts[1]):
        return None if counts is None else Printed(text=text, value=Fraction(*counts), unit=Fraction(0), counts=counts)
    if not NUMBER.match(plain):
        raise InputError(f"{text!r} is not a number", file=file, row=row, column=column, hint="leave the cell empty")
    digits = len(plain.partition(".")[2])
    return Printed(text=text, value=Fraction(plain) / scale, unit=Fraction(1, 10**digits * scale), counts=counts)


def shown(found: Range, unit: Fraction) -> str:
    """A range with one digit more than was printed, an exact value with two.

    >>> shown(Range(low=Fraction(1, 3), high=Fraction(1, 2)), Fraction(1, 100))
    '0.333 … 0.500'
    """
    digits = len(str(unit.denominator)) if unit else 4
    if found.low == found.high:
        return f"{float(found.low):.{digits + 1}f}" if found.low.denominator > 1 else str(found.low)
    return f"{float(found.low):.{digits}f} … {float(found.high):.{digits}f}"


def sum_range(cells: Sequence[Printed], divisor: int, how: str) -> Range:
    """The range of the sum of printed numbers, divided."""
    ranges = [cell.ranges(how) for cell in cells]
    low, high = sum((r.low for r in ranges), Fraction(0)), sum((r.high for r in ranges), Fraction(0))
    return Range(low=low / divisor, high=high / divisor)


def extreme_range(cells: Sequence[Printed], pick: Callable[[list[Fraction]], Fraction], how: str) -> Range:
    """The range of the least or largest of printed numbers: it is printed as in its own cell, halves included."""
    ranges, inside = [cell.ranges(how) for cell in cells], max(cell.unit for cell in cells) / 1000
    low, high = (pick([getattr(r, end) for r in ranges]) for end in ("low", "high"))
    return Range(low=low, high=high) if low == high else Range(low=low + inside, high=high - inside)


def deviation_range(cells: Sequence[Printed], how: str) -> Range:
    """The range of their standard deviation, be it of n or of n - 1: from the nearest to the farthest they can be.

    They are nearest where all lie as close as they can to one point, which must be an end of one of them or between two
    such ends; farthest where those above some point are at their high ends and the others at their low ends.
    """
    ranges = [cell.ranges(how) for cell in cells]
    ends = sorted({end for r in ranges for end in (r.low, r.high)})
    points = [*ends, *((a + b) / 2 for a, b in pairwise(ends))]
    near = [_squares([min(max(point, r.low), r.high) for r in ranges]) for point in points]
    for point in points:  # between two ends the best point is the mean of those that cannot reach it
        fixed = [r.low if r.low > point else r.high for r in ranges if r.low > point or r.high < point]
        if fixed:
            mean = sum(fixed, Fraction(0)) / len(fixed)
            near.append(_squares([min(max(mean, r.low), r.high) for r in ranges]))
    n, rising = len(cells), sorted(ranges, key=lambda r: r.low + r.high)
    far = [_squares([r.low if i < below else r.high for i, r in enumerate(rising)]) for below in range(n + 1)]
    low, high = (float(min(near)) / n) ** 0.5, (float(max(far)) / (n - 1)) ** 0.5
    return Range(low=Fraction(low) - Fraction(1, 10**12), high=Fraction(high) + Fraction(1, 10**12))


def _squares(values: list[Fraction]) -> Fraction:
    """The sum of squared distances from the mean."""
    mean = sum(values, Fraction(0)) / len(values)
    return sum(((value - mean) ** 2 for value in values), Fraction(0))
