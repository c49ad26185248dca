"""Every error a user can meet.

A message is one line that says what is wrong, where (file, row, column) and what to do about it.
The command line prints it after the program's name and ends with exit code 2; nobody sees a traceback.
"""

from difflib import get_close_matches
from pathlib import Path

from concordant.about import NAME


class ConcordantError(Exception):
    """The root of all errors that the user can do something about."""


class InputError(ConcordantError):
    """The data, a file or an option cannot be used as it is."""

    def __init__(
        self,
        what: str,
        *,
        file: str | Path | None = None,
        row: int | None = None,
        column: str | None = None,
        hint: str | None = None,
    ) -> None:
        """Say `what` is wrong and where; `row` counts lines of the file from 1, the header included."""
        place = [
            str(file) if file is not None else "",
            f"row {row}" if row is not None else "",
            f"column {column!r}" if column is not None else "",
        ]
        where = ", ".join(part for part in place if part)
        message = f"{where}: {what}" * bool(where) + what * (not where) + (f"; {hint}" if hint else "")
        super().__init__(" ".join(message.splitlines()))  # names from a file may hold line ends


class MissingExtra(ConcordantError):
    """A feature needs an optional dependency that is not installed."""

    def __init__(self, feature: str, extra: str) -> None:
        """Name the feature and the extra that brings it."""
        super().__init__(f"{feature} needs an optional part: pip install '{NAME}[{extra}]'")


class Undefined(ConcordantError):
    """A coefficient without a value was used as a number."""


def nearest(word: str, known: list[str] | tuple[str, ...]) -> str:
    """A hint naming the known word most like `word`, or all of them when none is alike.

    >>> nearest("kapa", ["alpha", "kappa"])
    "did you mean 'kappa'?"
    """
    close = get_close_matches(word.casefold(), [k.casefold() for k in known], n=1, cutoff=0.5)
    if close:
        return f"did you mean {str(next(k for k in known if k.casefold() == close[0]))!r}?"
    shown = ", ".join(known[:12]) + (", …" if len(known) > 12 else "")
    return f"known: {shown}" if known else "there are none"
