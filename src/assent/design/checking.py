"""A study file against its schema: unknown settings, missing ones, wrong types, values out of range."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from assent.design import schema
from assent.design.lines import key_lines, line_of
from assent.design.problems import Problem
from assent.design.schema import SECTIONS, Section, Setting
from assent.errors import nearest

Place = tuple[str | int, ...]


class Source:
    """The text of a study file: where things stand in it, and what was found wrong with it."""

    def __init__(self, path: Path, text: str) -> None:
        """Find the line of every key."""
        self.path = path
        self.problems: list[Problem] = []
        self._lines = key_lines(text)

    def report(self, place: Place, what: str, hint: str = "") -> None:
        """Note a mistake at a place like `("questions", 0, "task")`."""
        self.problems.append(Problem(self.path, line_of(self._lines, place) or 1, what, hint))


def check_tables(source: Source, document: Mapping[str, Any]) -> None:
    """Report everything in the file that the schema does not allow."""
    for place, name, table in _tables(source, document):
        _check_table(source, place, SECTIONS[name], table)


def _tables(source: Source, document: Mapping[str, Any]) -> Iterator[tuple[Place, str, Mapping[str, Any]]]:
    """All tables of the file that have a section in the schema; lists of plain texts are left to their setting."""
    yield (), "", document
    for name in SECTIONS:
        if name:
            for place, value in _at(document, tuple(name.split("."))):
                if isinstance(value, dict):
                    yield place, name, value


def _at(value: Any, names: tuple[str, ...], place: Place = ()) -> Iterator[tuple[Place, Any]]:
    """Every value under the names, going through lists."""
    if isinstance(value, list):
        for i, entry in enumerate(value):
            yield from _at(entry, names, (*place, i))
    elif not names:
        yield place, value
    elif isinstance(value, dict) and names[0] in value:
        yield from _at(value[names[0]], names[1:], (*place, names[0]))


def is_sound(section: Section, table: Any) -> bool:
    """Whether a table is as its section wants it."""
    return isinstance(table, dict) and not any(_faults(section, table))


def _check_table(source: Source, place: Place, section: Section, table: Mapping[str, Any]) -> None:
    for key, what, hint in _faults(section, table):
        source.report((*place, key), what, hint)


def _faults(section: Section, table: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    """The key, what is wrong, what to do. A missing key has no line of its own, so its table's is shown."""
    for key, value in table.items():
        if key not in section:
            yield key, f"there is no setting {key!r} here", nearest(key, list(section))
        elif fault := _fault(section[key], value):
            yield key, f"{key}: {fault}", ""
    for key, setting in section.items():
        if setting.is_required and key not in table:
            yield key, f"{key!r} is missing", f"it is {setting.meaning}"


def _fault(setting: Setting, value: Any) -> str | None:
    if not IS_OF[setting.type](value):
        return f"expected {setting.type}, found {value!r}"
    if setting.choices and value not in setting.choices:
        return f"{value!r} is not one of {', '.join(setting.choices)}; {nearest(value, setting.choices)}"
    if setting.low is not None and value < setting.low:
        return f"expected {setting.low:g} or more, found {value:g}"
    return None


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(entry, str) for entry in value)


IS_OF: dict[str, Callable[[Any], bool]] = {
    schema.TEXT: lambda value: isinstance(value, str),
    schema.NUMBER: _is_number,
    schema.WHOLE: lambda value: isinstance(value, int) and not isinstance(value, bool),
    schema.YES_NO: lambda value: isinstance(value, bool),
    schema.TEXTS: _is_texts,
    schema.TABLE: lambda value: isinstance(value, dict),
    schema.TABLES: lambda value: isinstance(value, list) and all(isinstance(entry, dict | str) for entry in value),
    schema.WORDS: lambda value: isinstance(value, dict) and all(isinstance(entry, str) for entry in value.values()),
}
