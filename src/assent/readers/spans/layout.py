"""Folders with one file per rater and text: who marked what is in the path."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Literal, NamedTuple

from assent.errors import InputError

Order = Literal["rater/text", "text/rater"]


class Part(NamedTuple):
    """One rater's file of one text."""

    text: str
    rater: str
    file: Path


def parts(path: str | Path, endings: tuple[str, ...], order: Order) -> list[Part]:
    """The files of a folder: `rater/text.ending`, or `text/rater.ending` as INCEpTION and WebAnno export them.

    Files that lie directly in the folder, or a single file, are one text each of a rater named like the file.
    """
    root = Path(path)
    if not root.exists():
        raise InputError("there is no such file or folder", file=root)
    files = sorted(_files(root, endings)) if root.is_dir() else [root]
    if not files:
        raise InputError(f"there is no file ending in {' or '.join(endings)}", file=root)
    return [_part(root, file, order) for file in files]


def seen(found: list[Part]) -> list[tuple[str, str]]:
    """Which raters looked at which texts, whether or not they marked anything."""
    return [(part.text, part.rater) for part in found]


def _files(root: Path, endings: tuple[str, ...]) -> Iterator[Path]:
    """All files below the folder with one of these endings."""
    return (file for file in root.rglob("*") if file.is_file() and file.suffix.casefold() in endings)


def _part(root: Path, file: Path, order: Order) -> Part:
    """Text and rater from the last two parts of the path."""
    if file.parent == root or file == root:
        return Part(text=root.name if root.is_dir() else file.stem, rater=file.stem, file=file)
    folder, stem = file.parent.name, file.stem
    return Part(stem, folder, file) if order == "rater/text" else Part(folder, stem, file)


def lines(file: Path) -> list[str]:
    """The lines of a UTF-8 file."""
    return text_of(file).splitlines()


def text_of(file: Path) -> str:
    """The text of a UTF-8 file, line ends as they are."""
    try:
        with file.open(encoding="utf-8-sig", newline="") as stream:
            return stream.read()
    except UnicodeDecodeError as error:
        raise InputError(f"not UTF-8 at byte {error.start}", file=file, hint="save it as UTF-8") from error
    except IsADirectoryError as error:
        raise InputError("this is a folder, and the format is one file", file=file, hint="name the file") from error


def number(cell: str, file: Path, row: int | None, kind: Callable[[str], float] = float) -> float:
    """A position in a file."""
    try:
        return kind(cell)
    except ValueError as error:
        raise InputError(f"{cell!r} is not a position", file=file, row=row, hint="give a number") from error
