"""The tables of an [incr tsdb()] profile as rows of cells.

PyDelphin finds the files (plain or .gz), knows their columns and undoes their escapes. Only the columns asked for
are touched: dates and the parser's statistics are most of a profile and agreement has no use for them.
"""

import gzip
import io
import zlib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from concordant.errors import InputError, MissingExtra

# Bytes that are not UTF-8 show as U+FFFD rather than end the reading.
_TEXT: dict[str, Any] = {"encoding": "utf-8", "errors": "replace", "newline": "\n"}


class Tables:
    """The tables of one profile; `broken` names the lines that could not be read."""

    def __init__(self, path: Path) -> None:
        """Read the schema of the profile at `path`."""
        self._tsdb = delphin("tsdb")
        self.path = path
        self.broken: list[str] = []
        if not is_profile(path):
            raise InputError("not a profile: it has no file 'relations'", file=path, hint="name a profile's directory")
        try:
            self._schema = self._tsdb.read_schema(path)
        except (self._tsdb.TSDBError, UnicodeDecodeError, AttributeError) as error:  # a line without a field's type
            raise InputError(f"the schema cannot be read: {error}", file=path / "relations") from error

    def rows(self, name: str, columns: tuple[str, ...]) -> Iterator[tuple[int, list[str]]]:
        """(line number, the wanted cells) of each line of a table; cells are as in the file, not unescaped."""
        fields = [known.name for known in self._schema.get(name, ())]
        missing = sorted(set(columns) - set(fields))
        if missing:
            self.broken.append(f"{self.path / 'relations'}: table {name!r} has no column {', '.join(missing)}")
            return
        picks, width = [fields.index(column) for column in columns], len(fields)
        for number, line in enumerate(self.lines(name), start=1):
            cells = line.rstrip("\n").split("@")
            if len(cells) == width:
                yield number, [cells[pick] for pick in picks]
            else:
                self.broken.append(f"{self.place(name, number)}: {len(cells)} fields instead of {width}")

    def place(self, name: str, number: int) -> str:
        """How a message calls a line of a table. Made when needed: tables have 100,000 lines and few are broken."""
        return f"{self._tsdb.get_path(self.path, name)}, line {number}"

    def lines(self, name: str) -> Iterator[str]:
        """The lines of a table; a table without a file has none."""
        try:
            file = self._tsdb.get_path(self.path, name)
        except self._tsdb.TSDBError:
            return
        try:
            with (
                gzip.open(file) if file.suffix == ".gz" else file.open("rb") as binary,
                io.TextIOWrapper(binary, **_TEXT) as lines,
            ):
                yield from lines
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise InputError(f"damaged .gz file: {error}", file=file, hint="fetch or compress it again") from error


def is_profile(path: Path) -> bool:
    """Whether `path` is a directory with a `relations` file."""
    return path.is_dir() and (path / "relations").is_file()


def read_text(file: Path, what: str) -> str:
    """The text of a file that must be there, in UTF-8; `what` it should be is said if it is not."""
    if not file.is_file():
        raise InputError(f"there is no such {what}", file=file)
    try:
        return file.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise InputError("not UTF-8 text", file=file, hint="convert it first") from error


def unescape(cell: str) -> str:
    """A cell's text: `\\s` stands for the `@` between fields. Raises ValueError for an unknown escape.

    PyDelphin's own function goes through a cell letter by letter, which took a fifth of a comparison's time, since
    derivations are full of escaped quotation marks. Here a NUL, which no table holds, keeps the place of `\\\\`.
    """
    if "\\" not in cell:
        return cell
    text = cell.replace("\\\\", "\0").replace("\\s", "@").replace("\\n", "\n")
    if "\\" in text:
        raise ValueError(f"unknown escape in {cell[:60]!r}")
    return text.replace("\0", "\\")


def escape(text: str) -> str:
    """A text as a cell; `unescape` gives it back.

    >>> unescape(escape("a@b"))
    'a@b'
    """
    return text.replace("\\", "\\\\").replace("@", "\\s").replace("\n", "\\n")


@cache
def delphin(module: str) -> Any:
    """A module of PyDelphin, imported when first needed."""
    from importlib import import_module

    try:
        return import_module(f"delphin.{module}")
    except ImportError as error:
        raise MissingExtra("reading profiles", "treebank") from error
