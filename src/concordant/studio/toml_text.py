"""Study files written by a program without spoiling what people wrote: comments, order and spelling stay.

What is unchanged keeps every byte. A value that was changed is written anew, and only that.
"""

import tomllib
from collections.abc import Mapping, Sequence
from typing import Any

import tomlkit

LONGEST_LINE = 100
"""Longer lists are written with one entry on each line."""


def rewritten(text: str, wanted: Mapping[str, Any]) -> str:
    """The same file with these contents.

    >>> print(rewritten('name = "a"  # short\\nseed = 1\\n', {"name": "a", "seed": 2}), end="")
    name = "a"  # short
    seed = 2
    """
    if tomllib.loads(text) == wanted:
        return text
    document = tomlkit.parse(text)
    _make_same(document, wanted)
    made: str = document.as_string()
    # Whatever a file looks like, what comes out says what was wanted.
    return made if _says(made, wanted) else str(tomlkit.dumps(wanted))


def _says(text: str, wanted: Mapping[str, Any]) -> bool:
    try:
        return tomllib.loads(text) == wanted
    except tomllib.TOMLDecodeError:
        return False


def _make_same(table: Any, wanted: Mapping[str, Any]) -> None:
    """Change a table of the document into the wanted one, key by key."""
    for key in [key for key in table if key not in wanted]:
        del table[key]
    for key, value in wanted.items():
        old = table.get(key)
        plain = _plain(old)
        if old is not None and plain == value and type(plain) is type(value):
            continue
        if isinstance(old, dict) and isinstance(value, Mapping):
            _make_same(old, value)
        elif _is_tables(old) and _is_tables(value):
            _make_list_same(old, value)
        else:
            table[key] = _item(value, in_table=key)


def _plain(value: Any) -> Any:
    """The value without what the file says around it."""
    return value.unwrap() if hasattr(value, "unwrap") else value


def _is_tables(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(entry, Mapping) for entry in value)


def _make_list_same(tables: Any, wanted: Sequence[Mapping[str, Any]]) -> None:
    """Change a list of tables; those at the begin and at the end that are as wanted are not touched."""
    plain = tables.unwrap()
    same = 0
    while same < min(len(plain), len(wanted)) and plain[-1 - same] == wanted[-1 - same]:
        same += 1
    kept = min(len(plain), len(wanted)) if len(plain) <= len(wanted) else len(wanted) - same
    for _ in range(len(plain) - len(wanted)):
        del tables[kept]
    for old, new in zip(list(tables), wanted, strict=False):
        _make_same(old, new)
    for entry in wanted[len(plain) :]:
        made = _table(entry)
        made.add(tomlkit.nl())
        tables.append(made)


def _item(value: Any, in_table: str = "") -> Any:
    """A value as it is written: lists of tables with headers of their own, but for options, which stay in one place."""
    if isinstance(value, Mapping):
        return _table(value)
    if _is_tables(value) and in_table != "options":
        tables = tomlkit.aot()
        for entry in value:
            tables.append(_table(entry))
        return tables
    if isinstance(value, list):
        made = tomlkit.array()
        for entry in value:
            made.append(_inline(entry) if isinstance(entry, Mapping) else entry)
        return made.multiline(len(made.as_string()) > LONGEST_LINE or _is_tables(value))
    if isinstance(value, str) and "\n" in value and "\r" not in value:
        return tomlkit.string(value, multiline=True)
    return tomlkit.item(value)


def _table(entry: Mapping[str, Any]) -> Any:
    table = tomlkit.table()
    for key, value in entry.items():
        table.add(key, _item(value, in_table=key))
    return table


def _inline(entry: Mapping[str, Any]) -> Any:
    made = tomlkit.inline_table()
    made.update(entry)
    return made
