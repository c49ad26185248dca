"""Numbers as people read them: the one place where they are rounded.

Whatever a report, a picture, a page or the terminal shows of a number is written here; results themselves keep every
digit. And the other way round: a whole number that somebody typed.
"""

import math
from typing import Any, Protocol

BLANK = "–"


class Ends(Protocol):
    """Anything with two ends, such as an interval."""

    @property
    def low(self) -> float: ...

    @property
    def high(self) -> float: ...


def decimal(number: float, places: int = 3) -> str:
    """A number with so many decimals.

    >>> decimal(0.46666), decimal(-1234.5, 0)
    ('0.467', '-1234')
    """
    return f"{number:.{places}f}"


def coefficient(number: float) -> str:
    """A coefficient as a sentence says it: two decimals, cut rather than rounded so that no limit seems reached.

    >>> coefficient(0.7996), coefficient(-0.031), coefficient(1.0)
    ('.79', '-.04', '1.00')
    """
    shown = f"{math.floor(round(number * 100, 9)) / 100:.2f}"
    return shown.replace("0.", ".", 1) if abs(number) < 1 else shown


def thousands(number: float, places: int = 0) -> str:
    """A large number, its thousands set apart.

    >>> thousands(1234567.8), thousands(1234.56, 1)
    ('1,234,568', '1,234.6')
    """
    return f"{number:,.{places}f}"


def brief(number: float, digits: int = 6, *, is_large: bool = False) -> str:
    """A number with at most so many digits and no zeros at the end, as people type settings.

    >>> brief(0.05), brief(2.0), brief(0.123456, 2), brief(12345.5, is_large=True)
    ('0.05', '2', '0.12', '12,345.5')
    """
    return f"{number:,.{digits}g}" if is_large else f"{number:.{digits}g}"


def percent(share: float, places: int = 0) -> str:
    """A share of one in per cent.

    >>> percent(0.456), percent(0.4567, 1)
    ('46%', '45.7%')
    """
    return f"{100 * share:.{places}f}%"


def per_cent(share: float, places: int = 1) -> str:
    """A share of one in per cent, the sign set apart as in running text.

    >>> per_cent(0.4567), per_cent(0.5, 0)
    ('45.7 %', '50 %')
    """
    return f"{100 * share:.{places}f} %"


def level(share: float) -> str:
    """A confidence level.

    >>> level(0.95), level(0.999)
    ('95 %', '99.9 %')
    """
    return f"{brief(100 * share)} %"


def p_text(p: float) -> str:
    """A p-value in words.

    >>> p_text(0.0000001), p_text(0.0312)
    ('p < .001', 'p = .031')
    """
    return "p < .001" if p < 0.001 else f"p = {p:.3f}".replace("0.", ".", 1)


def p_cell(p: float | None, error: float | None) -> float | str | None:
    """A p-value as a cell shows it: near the usual limits with its Monte Carlo error, where it has one.

    >>> p_cell(0.0431, 0.0046), p_cell(0.2, 0.009), p_cell(0.0431, 0.0), p_cell(None, None)
    ('0.043 ± 0.005', 0.2, 0.0431, None)
    """
    return f"{decimal(p)} ± {decimal(error)}" if p is not None and error and 0.01 < p < 0.1 else p


def ends(interval: Ends | None, between: str) -> str:
    """Both ends with three decimals, or nothing."""
    return "" if interval is None else f"{decimal(interval.low)}{between}{decimal(interval.high)}"


def interval_text(interval: Ends | None) -> str:
    """Both ends as a cell shows them; a dash for none."""
    return ends(interval, "\u00a0…\u00a0") or BLANK


def cell_text(cell: Any) -> str:
    """One cell of a table: reals with three decimals, counts with thousands, nothing as a dash, the rest as it is.

    >>> cell_text(0.46666), cell_text(0.00002), cell_text(-0.0), cell_text(1234), cell_text(None), cell_text("B+E")
    ('0.467', '<0.001', '0.000', '1,234', '–', 'B+E')
    """
    if cell is None:
        return BLANK
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, float):
        return f"{cell + 0.0:,.3f}" if cell == 0 or abs(cell) >= 0.0005 else "<0.001" if cell > 0 else ">-0.001"
    return f"{cell:,}" if isinstance(cell, int) else str(cell)


def counted(n: int, what: str) -> str:
    """A number with its noun.

    >>> counted(1, "unit"), counted(1234, "category")
    ('1 unit', '1,234 categories')
    """
    if n == 1:
        return f"1 {what}"
    return f"{n:,} {what[:-1]}ies" if what.endswith("y") else f"{n:,} {what}s"


def whole_number(written: object) -> int | None:
    """The whole number from 0 that somebody typed or an address holds, None for anything else, however odd.

    >>> whole_number("12"), whole_number("²"), whole_number("9" * 5000), whole_number("-1")
    (12, None, None, None)
    """
    is_good = isinstance(written, str) and written.isascii() and written.isdigit() and len(written) < 10
    return int(str(written)) if is_good else None
