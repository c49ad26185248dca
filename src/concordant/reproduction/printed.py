"""A published table: its figures as they were printed, how they are computed, and the differences that are understood.

A figure agrees if it is what the computed number looks like with as many digits. There is no other tolerance: a number
that was cut off, misprinted or means something else is recorded with the right figure and the reason, and what is
recorded is checked too.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from re import split
from typing import Any, Literal

from concordant.diagnosis.printed_numbers import Range, parse

Kind = Literal["rounding", "misprint", "otherwise"]
Verdict = Literal[
    "reproduced", "consistent", "rounding", "misprint", "otherwise", "given", "not public", "no data", "differs"
]
VERDICTS: dict[Verdict, str] = {
    "reproduced": "computed, and the figure printed to its last digit",
    "consistent": "fits other printed figures, of which not all digits are known",
    "rounding": "printed in another way than rounded, as recorded",
    "misprint": "another figure comes out, as recorded",
    "otherwise": "computed otherwise in print, as recorded",
    "given": "others follow from it; it cannot be computed itself",
    "not public": "the data were never published",
    "no data": "needs a file that is not here",
    "differs": "neither what was printed nor what is recorded",
}
"""What is found of a figure, and what it means. Only the last is a failure."""

BLANK, NOTHING = "–", "."
NOISE = Fraction(1, 10**9)  # of floating point: what ends in a 5 may be computed as …4999999
Computed = float | Range | None
Values = Mapping[str, Mapping[str, Computed]]
Place = tuple[str, str]


@dataclass(frozen=True, kw_only=True)
class DataFile:
    """A file that the figures are computed from: where it lies below the folder of data, and where it comes from."""

    path: str
    holds: str
    origin: str
    open: Callable[[str], Any]

    @property
    def wanted(self) -> str:
        """How to get it, in a line."""
        return f"it holds {self.holds}, from {self.origin}"


@dataclass(frozen=True, kw_only=True)
class Known:
    """A difference that is understood: of which kind, the figure that comes out, and why."""

    kind: Kind
    right: str
    why: str


@dataclass(frozen=True, kw_only=True)
class PrintedTable:
    """Figures in rows and columns, set apart by two spaces or more.

    A dash is where a figure should be and none was printed, a point where there is none to be.

    `compute` gets what `needs` holds, or nothing if the figures follow from others in print, and gives the values of
    the cells. Those it does not give are `given` or `not_public`, for this reason. With `cut_off`, a reason, all
    figures were cut off instead of rounded.
    """

    name: str
    about: str
    figures: str
    compute: Callable[..., Values] | None = None
    needs: DataFile | None = None
    known: Mapping[Place, Known] = field(default_factory=dict)
    cut_off: str = ""
    given: str = ""
    not_public: str = ""
    notes: tuple[str, ...] = ()

    @cached_property
    def cells(self) -> dict[Place, str]:
        """The figures by row and column."""
        rows = figures(self.figures).items()
        return {(row, column): text for row, cells in rows for column, text in cells.items() if text != NOTHING}


@dataclass(frozen=True, kw_only=True)
class PublishedStudy:
    """A publication and its tables."""

    key: str
    title: str
    citation: str
    tables: tuple[PrintedTable, ...]


@dataclass(frozen=True, kw_only=True)
class Figure:
    """One figure: as printed, as computed (and from what: a file, or other figures in print), and what that means."""

    study: str
    table: str
    row: str
    column: str
    printed: str
    computed: float | None
    shown: str
    source: str
    verdict: Verdict
    why: str = ""


def figures(text: str) -> dict[str, dict[str, str]]:
    """A table as it was typed: the figures by row and column.

    >>> figures("Set    Total  Kappa\\nCore   1293   0.808")
    {'Core': {'Total': '1293', 'Kappa': '0.808'}}
    """
    head, *lines = (split(r"\s{2,}", line.strip()) for line in text.strip().splitlines())
    return {row: dict(zip(head[1:], cells, strict=True)) for row, *cells in lines}


def stands_for(text: str, how: str = "rounded") -> Range:
    """All numbers that are printed like this if they are `rounded`, or `truncated`."""
    found = parse(text, file="", row=0, column="")
    if found is None:
        raise ValueError(f"{text!r} is not a figure")
    return found.ranges(how)


def agrees(computed: Computed, printed: str, how: str = "rounded") -> bool:
    """Whether a computed number looks like the printed one, with as many digits."""
    if computed is None or printed == BLANK:
        return computed is None and printed == BLANK
    reach = stands_for(printed, how)
    found = computed if isinstance(computed, Range) else Range(low=Fraction(computed), high=Fraction(computed))
    return found.meets(Range(low=reach.low - NOISE, high=reach.high + NOISE))


def shown(computed: Computed, printed: str) -> str:
    """A computed number with one digit more than the printed one; whole numbers as they are."""
    if computed is None:
        return BLANK
    scale, mark = (100, "%") if printed.endswith("%") else (1, "")
    digits = 4 if "/" in printed else len(printed.rstrip("%").partition(".")[2]) + 1
    ends = (computed.low, computed.high) if isinstance(computed, Range) else (computed, computed)
    texts = [f"{float(scale * end):.{digits}f}" for end in ends]
    if digits == 1 and float(ends[0]).is_integer():
        texts[0] = f"{float(ends[0]):.0f}"
    return f"{texts[0]}{mark}" if ends[0] == ends[1] else f"{texts[0]}{mark} … {texts[1]}{mark}"


def judge(table: PrintedTable, place: Place, computed: Computed) -> tuple[Verdict, str]:
    """What is found of a figure, and why it is not the one printed."""
    printed, known = table.cells[place], table.known.get(place)
    if known is not None:
        if agrees(computed, known.right):
            return known.kind, f"{known.right} comes out: {known.why}"
        return "differs", f"{known.right} is recorded for it ({known.why}), and that does not come out either"
    if not agrees(computed, printed, "truncated" if table.cut_off else "rounded"):
        return "differs", "nothing is recorded that explains it"
    if not agrees(computed, printed):
        return "rounding", table.cut_off
    return ("consistent" if isinstance(computed, Range) else "reproduced"), ""
