"""What is wrong with a study file, and where. All mistakes are collected, so that one `assent check` shows them all."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from assent.errors import AssentError


@dataclass(frozen=True, order=True)
class Problem:
    """One mistake: the file, the line (0 when it concerns the whole file), what is wrong and what to do."""

    file: Path
    line: int
    what: str
    hint: str = ""

    def __str__(self) -> str:
        """`file:line: what; hint`, which editors and terminals turn into a link."""
        place = f"{self.file}:{self.line}" if self.line else str(self.file)
        return f"{place}: {self.what}" + (f"; {self.hint}" if self.hint else "")


class StudyError(AssentError):
    """A study file with mistakes cannot be used."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        """Show the first mistake, and how to see the others."""
        self.problems = tuple(sorted(set(problems)))
        more = len(self.problems) - 1
        rest = f" (and {more} more: `assent check` shows all)" if more else ""
        super().__init__(f"{self.problems[0]}{rest}")
