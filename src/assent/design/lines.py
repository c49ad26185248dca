"""Finding the line of a TOML key: the parser of the standard library does not say.

The scanner follows headers (`[a.b]`, `[[a]]`) and keys at the start of a line and skips what a value spreads over
several lines. It is only ever asked about files that the real parser has accepted.
"""

import re
from collections import Counter

Path = tuple[str | int, ...]

HEADER = re.compile(r"\s*(\[\[?)\s*([^\]]+?)\s*\]\]?\s*(#.*)?$")
KEY = re.compile(r"""\s*((?:[A-Za-z0-9_-]+|"[^"]*"|'[^']*')(?:\s*\.\s*(?:[A-Za-z0-9_-]+|"[^"]*"|'[^']*'))*)\s*=(.*)""")
STRINGS = re.compile(
    r'"""(?:\\.|[^\\])*?(?:"{3,5}|\Z)|\'\'\'.*?(?:\'{3,5}|\Z)|"(?:\\.|[^"\\\n])*"|\'[^\'\n]*\'|#[^\n]*', re.DOTALL
)


def key_lines(source: str) -> dict[Path, int]:
    """The line of every table and key, by its path: `("questions", 0, "task")` is the task of the first question."""
    lines: dict[Path, int] = {}
    counts: Counter[Path] = Counter()
    table: Path = ()
    for number, line in _logical_lines(source):
        if header := HEADER.match(line):
            table = _table(header[1], _names(header[2]), counts)
            lines.setdefault(table, number)
        elif key := KEY.match(line):
            lines.setdefault(table + _names(key[1]), number)
    return lines


def line_of(lines: dict[Path, int], path: Path) -> int:
    """The line of a path, or of the nearest table around it; 0 when nothing is near."""
    return next((lines[path[:n]] for n in range(len(path), 0, -1) if path[:n] in lines), 0)


def _table(bracket: str, names: Path, counts: "Counter[Path]") -> Path:
    """The path of a header: the last entry of every list of tables on the way, a new entry for `[[...]]`."""
    path: Path = ()
    for i, name in enumerate(names):
        path = (*path, name)
        if bracket == "[[" and i == len(names) - 1:
            counts[path] += 1
        if counts[path]:
            path = (*path, counts[path] - 1)
    return path


def _names(dotted: str) -> Path:
    return tuple(part.strip().strip("\"'") for part in dotted.split("."))


def _logical_lines(source: str) -> list[tuple[int, str]]:
    """The lines that start a header or a key; the inside of multi-line strings, arrays and comments is blanked out."""
    blank = STRINGS.sub(lambda found: _hollow(found[0]), source)
    depth, starts = 0, []
    for number, (line, original) in enumerate(zip(blank.split("\n"), source.split("\n"), strict=True), 1):
        is_header = depth == 0 and HEADER.match(original) is not None
        if depth == 0 and line.strip(" \x00"):
            starts.append((number, original))
        if not is_header:
            depth += line.count("[") + line.count("{") - line.count("]") - line.count("}")
    return starts


def _hollow(text: str) -> str:
    """A string or comment with its characters hidden and its line breaks kept."""
    return re.sub(r"[^\n]", "\x00", text)
