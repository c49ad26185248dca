"""Praat TextGrid, long or short form: positions in seconds, the interval's mark is the category.

In a folder `rater/text.TextGrid` the tiers are a feature named `tier`; in a single file every interval tier is a rater.
Intervals without a mark are gaps, not units; point tiers are left out.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from assent.errors import InputError
from assent.model.spans import Mark, SpanTable
from assent.readers.spans.layout import Part, parts, seen

TOKEN = re.compile(r'"((?:[^"]|"")*)"|(?<![\w.])(-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)(?![\w.:\]])')


class Tier(NamedTuple):
    """One interval tier."""

    name: str
    intervals: list[tuple[float, float, str]]


def read(path: str | Path) -> SpanTable:
    """The spans of a folder of raters' folders, or of one file."""
    is_single = not Path(path).is_dir()
    lengths: dict[str, float] = {}
    marks: list[Mark] = []
    found = parts(path, (".textgrid",), "rater/text")
    for part in found:
        tiers, lengths[part.text] = _tiers(part.file)
        marks += _marks(part, tiers, is_single=is_single)
    return SpanTable.from_marks(str(path), marks, lengths=lengths, seen=() if is_single else seen(found))


def _marks(part: Part, tiers: list[Tier], *, is_single: bool) -> Iterator[Mark]:
    """The marked intervals of one file."""
    for tier in tiers:
        for begin, end, category in tier.intervals:
            if category.strip():
                rater = tier.name if is_single else part.rater
                yield Mark(part.text, rater, begin, end, category.strip(), {} if is_single else {"tier": tier.name})


def _tiers(file: Path) -> tuple[list[Tier], float]:
    """The interval tiers and the end of the recording: both forms have the same values in the same order."""
    content = _decoded(file)
    if "ooTextFile" not in content[:200] or "TextGrid" not in content[:200]:
        raise InputError("this is not a TextGrid", file=file)
    values = _Values(file, content.partition('"TextGrid"')[2])
    values.number()
    end = values.number()
    found = [tier for _ in range(values.count()) if (tier := _tier(values)) is not None]
    return found, end


def _tier(values: "_Values") -> Tier | None:
    """The next tier; None for a tier of points."""
    kind, name = values.text(), values.text()
    values.number()
    values.number()
    n = values.count()
    if kind != "IntervalTier":
        for _ in range(n):
            values.number()
            values.text()
        return None
    return Tier(name, [(values.number(), values.number(), values.text()) for _ in range(n)])


class _Values:
    """The quoted texts and the numbers of a TextGrid, one after the other; everything else is decoration."""

    def __init__(self, file: Path, content: str) -> None:
        """Find all values."""
        self._file = file
        self._found = TOKEN.finditer(content)

    def _next(self, group: int) -> str:
        """The next value, which must be of this kind."""
        found = next(self._found, None)
        if found is None or found.group(group) is None:
            raise InputError("the TextGrid breaks off or is out of order", file=self._file)
        return found.group(group)

    def text(self) -> str:
        """The next value, a text."""
        return self._next(1).replace('""', '"')

    def number(self) -> float:
        """The next value, a number."""
        return float(self._next(2))

    def count(self) -> int:
        """The next value, a whole number."""
        text = self._next(2)
        if not text.isdecimal():
            raise InputError(f"{text!r} is not a number of tiers or intervals", file=self._file)
        return int(text)


def _decoded(file: Path) -> str:
    """Praat writes UTF-8 or UTF-16 with a byte order mark."""
    content = file.read_bytes()
    encoding = "utf-16" if content[:2] in {b"\xff\xfe", b"\xfe\xff"} else "utf-8-sig"
    try:
        return content.decode(encoding)
    except UnicodeDecodeError as error:
        raise InputError(f"not {encoding} at byte {error.start}", file=file, hint="save it as UTF-8") from error
