"""What a reader says of itself: its name, what it reads, what may be chosen, and how it knows its files."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal, NamedTuple

from concordant.choices import Choices

Holds = Literal["judgements", "spans", "profiles", "brackets"]

SURE = 1.0  # what the file says can hardly be anything else
LIKELY = 0.8  # the ending is that of the format
POSSIBLE = 0.5  # the ending is that of files of several kinds
LAST = 0.1  # nothing speaks for it, and nothing against it


class Format(NamedTuple):
    """One kind of file. `read(path, options=...)` reads it; where every rater has a file of their own, several paths.

    `sniff(path, head)` says how sure it is (0 to 1) that the path is of this kind, `head` being the first characters of
    the file, and empty for a folder; without it the ending decides. A module of this folder that says `endings=(…)` is
    not even imported for files that end otherwise, so where what is in a file can tell, it says none; the endings of a
    module with several formats count together. `in_folders` says that a folder of such files is read too. `most` is how
    many paths make one set of data, None any number. `options` are what may be chosen. `is_slow` says that `read` takes
    a `progress` too, and reports to it.
    """

    name: str
    holds: Holds
    help: str
    read: Callable[..., Any]
    endings: tuple[str, ...] = ()
    options: type[Choices] = Choices
    sniff: Callable[[Path, str], float] | None = None
    in_folders: bool = False
    most: int | None = 1
    is_slow: bool = False

    def confidence(self, path: Path, head: str) -> float:
        """How sure this format is of a file, from 0 (it is none of mine) to 1."""
        if self.sniff is not None:
            return self.sniff(path, head)
        return LIKELY * (path.suffix.casefold() in self.endings)


class Recognized(NamedTuple):
    """The format of some data, how sure that is (0 to 1), and why it was chosen."""

    format: Format
    confidence: float
    why: str

    @classmethod
    def by(cls, found: Format, path: Path, confidence: float) -> "Recognized":
        """What was recognized by the ending of a path or by what is in it."""
        if path.is_dir():
            why = "by the files in it"
        elif confidence <= POSSIBLE:
            why = "as any table may be" if confidence == POSSIBLE else "nothing speaks for another format"
        else:
            by_ending = confidence == LIKELY and path.suffix.casefold() in found.endings
            why = "by its ending" if by_ending else "by what is in it"
        return cls(found, confidence, why)
