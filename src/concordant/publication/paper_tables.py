"""Checking a paper's table: signatures in a text are computed again, and in LaTeX the digits of their rows with them.

A row of a LaTeX table carries its signature unseen, in a comment behind it. Every number of the row that is written
with decimals must be one of the result, rounded as it is printed: a value, an end of an interval, observed or expected
agreement. Cells with words in them, and whole numbers, are not looked at.
"""

import html
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from pathlib import Path
from typing import Any

from concordant.about import NAME
from concordant.digits import counted
from concordant.errors import ConcordantError, InputError
from concordant.judging.signatures import verify
from concordant.publication.checking import MOST_BYTES, Compared
from concordant.report.document import SIGNED

SIGNATURE = re.compile(r"[a-z][a-z0-9_]*\|(?:[^\s|<>&\"`]+(?: [^|<>&\"`\n]+)*\|)+v:[0-9][\w.]*")
NUMBER = re.compile(r"(?<![\w.])[-+]?(?:\d+)?\.\d+(?![\w.])")
LATEX = re.compile(r"\\(?:textbf|textit|emph|bfseries|small|footnotesize|num|,|;|!)|[{}$]|\\ ")


@dataclass(frozen=True, kw_only=True)
class PrintedChecked(Compared):
    """What was found in a text: how many signatures, in how many rows digits were compared, and in how many not."""

    n_signatures: int
    n_rows: int
    n_unsigned: int = 0

    def to_dict(self) -> dict[str, Any]:
        """All of it."""
        return Compared.to_dict(self) | {
            "signatures": self.n_signatures,
            "rows": self.n_rows,
            "rows_without_signature": self.n_unsigned,
        }


def verify_printed(path: str | Path, data: Any, **how: Any) -> PrintedChecked:
    """Compute every signature in a text again on the data; in LaTeX the digits beside it must be those of the result.

    `how` is what `verify` takes: matrices, lexicon, attributes, on.
    """
    text = _read(Path(path))
    found = list(_signed_lines(text))
    if not found:
        hint = f"tables of `{NAME} report DATA -o table.tex` carry them; keep what stands behind % in their rows"
        raise InputError("there is no signature in this file", file=path, hint=hint)
    differences: list[str] = []
    known: dict[str, Any] = {}
    n_rows = 0
    for number, signature, row in found:
        if signature not in known:
            try:
                known[signature] = verify(signature, data, **how)
            except ConcordantError as error:
                known[signature] = error
        same = known[signature]
        if isinstance(same, ConcordantError):
            differences.append(f"line {number}: {same}")
            continue
        differences += [f"line {number}: {one}" for one in same.differences]
        if row is not None:
            n_rows += 1
            differences += [f"line {number}: {one}" for one in _wrong_digits(row, numbers_of(same.result))]
    unsigned = sum(map(_is_unsigned, text.splitlines()))
    return PrintedChecked(
        differences=tuple(differences), n_signatures=len(known), n_rows=n_rows, n_unsigned=unsigned if n_rows else 0
    )


def told(checked: PrintedChecked, path: str | Path) -> str:
    """The verdict in a line."""
    rows = f", and the digits of {counted(checked.n_rows, 'row')}" if checked.n_rows else ""
    unread = "" if checked.n_rows else "; the digits printed around them are compared in LaTeX only"
    if checked.n_unsigned:
        unread = f"; not compared, since without a signature: {counted(checked.n_unsigned, 'row')} with decimals"
    return f"{path}: the data give {counted(checked.n_signatures, 'signature')}{rows}{unread}"


def _read(path: Path) -> str:
    try:
        content = path.read_bytes()
    except OSError as error:
        raise InputError(f"cannot be read ({error.strerror})", file=path) from None
    if len(content) > MOST_BYTES:
        raise InputError("this file is too large to be a report", file=path)
    return content.decode("utf-8", errors="replace")


def _signed_lines(text: str) -> Iterator[tuple[int, str, str | None]]:
    """Every signature with the number of its line, and the row that it stands behind if there is one."""
    for number, line in enumerate(text.splitlines(), 1):
        row, mark, signature = line.partition(SIGNED)
        if mark:
            yield number, signature.strip(), row
        else:
            for match in SIGNATURE.finditer(html.unescape(line)):
                yield number, match[0], None


def _is_unsigned(line: str) -> bool:
    """Whether this is a row of a LaTeX table that prints decimals with no signature behind them.

    >>> _is_unsigned(r"fluency & 0.595 & 40 \\\\"), _is_unsigned(r"fluency & 40 \\\\"), _is_unsigned("0.5 & 0.6")
    (True, False, False)
    """
    is_row = "&" in line and line.rstrip().endswith(r"\\")
    return is_row and any(NUMBER.search(cell) for cell in _cells(line))


def numbers_of(result: Any) -> dict[str, float]:
    """All numbers of a result that a table may print, by what they are."""
    told: dict[str, float | None] = {name: getattr(result, name, None) for name in ("value", "observed", "expected")}
    for name in ("interval", "observed_interval"):
        if (ends := getattr(result, name, None)) is not None:
            told |= {f"{name}.low": ends.low, f"{name}.high": ends.high}
    details: Mapping[str, Any] = getattr(result, "details", {})
    told["p"] = details.get("chance_test", {}).get("p")
    told["precision"] = details.get("precision")
    return {name: float(number) for name, number in told.items() if number is not None}


def _wrong_digits(row: str, known: Mapping[str, float]) -> Iterator[str]:
    """Every number of a row that is none of the result; and the value, if it is not in the row."""
    printed = [number for cell in _cells(row) for number in NUMBER.findall(cell)]
    for number in printed:
        if not any(_is_rounded(number, value) for value in known.values()):
            near = min(known, key=lambda name: abs(known[name] - float(number)), default=None)
            told = "" if near is None else f"; the nearest is {near} = {known[near]:.6g}"
            yield f"{number} is printed, and no number of the result is that{told}"
    value = known.get("value")
    if printed and value is not None and not any(_is_rounded(number, value) for number in printed):
        yield f"the value {value:.6g} is not in this row"


def _cells(row: str) -> Sequence[str]:
    """The cells of a row that hold numbers only, without the commands around them."""
    bare = [
        LATEX.sub("", cell.replace(r"\\", "").replace("{-}", "-").replace("−", "-").replace("--", " "))
        for cell in row.split("&")
    ]
    return [cell for cell in bare if not re.search(r"[^\W\d_]", cell)]


def _is_rounded(printed: str, value: float) -> bool:
    """Whether a printed number is this value, rounded in either way where it is half.

    >>> _is_rounded(".60", 0.5951), _is_rounded("0.59", 0.5951)
    (True, False)
    """
    shown = Decimal(printed)
    step = Decimal(1).scaleb(int(shown.as_tuple().exponent))
    exact = Decimal(repr(value))
    near = {exact.quantize(step, rounding=way) for way in (ROUND_FLOOR, ROUND_CEILING)}
    return shown in near and abs(shown - exact) <= step / 2 + Decimal("1e-12")
