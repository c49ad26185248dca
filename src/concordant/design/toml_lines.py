"""Where things stand in a TOML file: the line of every table and key.

The parser of the standard library does not say on which line a key stands. The scanner here follows headers (`[a.b]`,
`[[a]]`) and keys at the start of a line and skips what a value spreads over several lines. It is only ever asked about
files that the real parser has accepted.
"""

import re
from collections import Counter
from collections.abc import Mapping

Place = tuple[str | int, ...]

HEADER = re.compile(r"\s*(\[\[?)\s*([^\]]+?)\s*\]\]?\s*(#.*)?$")
KEY = re.compile(r"""\s*((?:[A-Za-z0-9_-]+|"[^"]*"|'[^']*')(?:\s*\.\s*(?:[A-Za-z0-9_-]+|"[^"]*"|'[^']*'))*)\s*=(.*)""")
STRINGS = re.compile(
    r'"""(?:\\.|[^\\])*?(?:"{3,5}|\Z)|\'\'\'.*?(?:\'{3,5}|\Z)|"(?:\\.|[^"\\\n])*"|\'[^\'\n]*\'|#[^\n]*', re.DOTALL
)


def line_of(lines: Mapping[Place, int], place: Place) -> int:
    """The line of a place, or of the nearest table around it; 0 when nothing is near."""
    return next((lines[place[:n]] for n in range(len(place), 0, -1) if place[:n] in lines), 0)


def key_lines(source: str) -> dict[Place, int]:
    """The line of every table and key, by its place: `("questions", 0, "task")` is the task of the first question."""
    lines: dict[Place, int] = {}
    counts: Counter[Place] = Counter()
    table: Place = ()
    for number, line in logical_lines(source):
        if header := HEADER.match(line):
            table, names = (), bare_names(header[2])
            for i, name in enumerate(names):
                # The last entry of every list of tables on the way; `[[...]]` begins another one.
                table = (*table, name)
                counts[table] += header[1] == "[[" and i == len(names) - 1
                if counts[table]:
                    table = (*table, counts[table] - 1)
            lines.setdefault(table, number)
        elif key := KEY.match(line):
            lines.setdefault(table + bare_names(key[1]), number)
    return lines


def bare_names(dotted: str) -> tuple[str, ...]:
    """The names of a dotted key without their quotes."""
    return tuple(part.strip().strip("\"'") for part in dotted.split("."))


def logical_lines(source: str) -> list[tuple[int, str]]:
    """The lines that start a header or a key; the inside of multi-line strings, arrays and comments is blanked out."""
    blank = STRINGS.sub(lambda found: re.sub(r"[^\n]", "\x00", found[0]), source)
    depth, starts = 0, []
    for number, (line, original) in enumerate(zip(blank.split("\n"), source.split("\n"), strict=True), 1):
        if depth == 0 and line.strip(" \x00"):
            starts.append((number, original))
        depth += line.count("[") + line.count("{") - line.count("]") - line.count("}")  # a header closes what it opens
    return starts
