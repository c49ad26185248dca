"""Praat TextGrid, long or short form: the interval's mark is the category, the tier a feature (see `tiers`).

Intervals without a mark are gaps, not units; point tiers are left out, and said.
"""

import re
from pathlib import Path

from concordant.errors import InputError
from concordant.readers.tiers import Recording, Tier, tier_format

TOKEN = r'"((?:[^"]|"")*)"|(?<![\w.])(-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)(?![\w.:\]])'


def of_file(file: Path) -> Recording:
    """The tiers of one file: both forms have the same values in the same order.

    Praat writes UTF-8 or UTF-16 with a byte order mark.
    """
    raw = file.read_bytes()
    encoding = "utf-16" if raw[:2] in {b"\xff\xfe", b"\xfe\xff"} else "utf-8-sig"
    try:
        content = raw.decode(encoding)
    except UnicodeDecodeError as error:
        raise InputError(f"not {encoding} at byte {error.start}", file=file, hint="save it as UTF-8") from error
    if "ooTextFile" not in content[:200] or "TextGrid" not in content[:200]:
        raise InputError("this is not a TextGrid", file=file)
    values = Values(file, content.partition('"TextGrid"')[2])
    values.number()
    end = values.number()
    tiers, n_points = [], 0
    for _ in range(values.count()):
        kind, name = values.text(), values.text()
        values.number()
        values.number()
        n = values.count()
        if kind == "IntervalTier":
            intervals = [(values.number(), values.number(), values.text().strip()) for _ in range(n)]
            tiers.append(Tier(name, [interval for interval in intervals if interval[2]]))
        else:
            n_points += n
            for _ in range(n):
                values.number()
                values.text()
    return Recording(tiers, end, left_out=[(n_points, "points have no extent")] if n_points else [])


class Values:
    """The quoted texts and the numbers of a TextGrid, one after the other; everything else is decoration."""

    def __init__(self, file: Path, content: str) -> None:
        """Find all values."""
        self._file = file
        self._found = re.finditer(TOKEN, content)

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


FORMAT = tier_format(
    of_file,
    name="textgrid",
    help="Praat TextGrid: the folder or the file is the rater, a tier if that is said.",
    endings=(".textgrid",),
)
