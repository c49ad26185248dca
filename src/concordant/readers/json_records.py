"""JSON and JSON Lines as other tools write them, with one clear line for what cannot be read."""

import json
import re
import textwrap
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from concordant.errors import InputError
from concordant.readers.rater_files import text_of

FRAME = re.compile(
    r'\s*\{\s*"[^"]*"\s*:\s*(?:\{\s*"0"\s*:|\[\s*(?:"|-?\d|true|false|null|\{))|\s*\{\s*"schema"\s*:\s*\{\s*"fields"\s*:\s*\['
)

LONGEST = 40  # characters of a value in a message

KEY = re.compile(r'"([^"\\]{1,40})"\s*:')  # a name in an object


def document(file: Path) -> Any:
    """What a JSON file holds."""
    return _parsed(text_of(file), file)


def documents(file: Path) -> list[tuple[int, dict[str, Any]]]:
    """The objects of a file with their numbers: a JSON list, one object, or one object in each line."""
    text = text_of(file)
    if text.lstrip().startswith("["):
        return [(row, _expected(one, file, row)) for row, one in enumerate(_parsed(text, file), start=1)]
    if "\n" in text.strip() and not is_whole(text.partition("\n")[0]):
        return [(1, _expected(_parsed(text, file), file, 1))]
    return list(lines_of(text, file))


def lines_of(text: str, file: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    for row, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            yield row, _expected(_parsed(line, file, row), file, row)


def as_json(text: str, file: Path | str, row: int | None = None) -> Any:
    """What a text in JSON says; a name with two values in one object is refused, since one would be lost."""

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        made = dict(pairs)
        if len(made) < len(pairs):
            for name, value in pairs:
                if made[name] != value:
                    what = f"{name!r} stands twice in one object: {_short(value)} and {_short(made[name])}"
                    raise InputError(what, file=file, row=row, hint="keep one of them")
        return made

    return json.loads(text, object_pairs_hook=once)


def _short(value: Any) -> str:
    return textwrap.shorten(json.dumps(value, ensure_ascii=False), LONGEST)


def refuse_repeated_names(file: Path, columns: Mapping[str, int]) -> None:
    """Refuse JSON Lines in which a name stands twice in one object, which polars does not say.

    `columns` are the names with how often each has a value: only if more names are written, lines are looked at.
    """
    written = 0
    with file.open("rb") as stream:
        while chunk := stream.read(1 << 24):
            whole = chunk + stream.readline()
            written += whole.count(b'":') + whole.count(b'" :')
    if written <= sum(columns.values()):
        return
    import polars as pl

    lines = pl.read_csv(
        file,
        separator="\x01",
        quote_char=None,
        has_header=False,
        new_columns=["line"],
        infer_schema=False,
        truncate_ragged_lines=True,
    ).with_row_index("row", offset=1)
    wanted = [pl.col("line").str.count_matches(f'"{re.escape(json.dumps(name)[1:-1])}"\\s*:') > 1 for name in columns]
    for row, line in lines.filter(pl.any_horizontal(wanted)).iter_rows():
        as_json(line, file, row)


def _expected(record: Any, file: Path, row: int) -> dict[str, Any]:
    if not isinstance(record, dict):
        raise InputError("this is not an object", file=file, row=row, hint="one {…} for each text or task")
    return record


def is_whole(line: str) -> bool:
    try:
        json.loads(line)
    except (ValueError, RecursionError):
        return False
    return True


def _parsed(text: str, file: Path, row: int | None = None) -> Any:
    """Text as JSON; what is too deep or too long a number is refused like what is no JSON."""
    try:
        return as_json(text, file, row)
    except json.JSONDecodeError as error:
        what = f"not JSON: {error.msg}"
        raise InputError(what, file=file, row=row or error.lineno, hint="export it again") from None
    except RecursionError:
        raise InputError("the JSON is nested too deeply", file=file, row=row) from None
    except ValueError:  # a number of thousands of digits
        raise InputError("a number has more than 4,300 digits", file=file, row=row, hint="mend or quote it") from None


def first_records(head: str, most: int = 20) -> list[dict[str, Any]]:
    """The objects in the first lines of JSON Lines, as far as they are whole; nothing is refused."""
    found = []
    for line in head.splitlines()[:most]:
        if line.lstrip().startswith("{"):
            try:
                record = json.loads(line)
            except (ValueError, RecursionError):
                continue
            if isinstance(record, dict):
                found.append(record)
    return found


def first_of_list(head: str) -> dict[str, Any]:
    """The first object of a JSON list, if it is flat and stands whole in the head of a file; nothing is refused."""
    begin = head.lstrip("\ufeff \t\r\n")
    if not begin.startswith("["):
        return {}
    try:
        first, _ = json.JSONDecoder(parse_int=str).raw_decode(begin[1:].lstrip())  # numbers may be too long
    except (ValueError, RecursionError):
        return {}
    is_flat = isinstance(first, dict) and not any(_is_nested(value) for value in first.values())
    return first if is_flat else {}


def names_of_first(head: str) -> list[str]:
    """The names in the first object of a JSON list, flat or not; nothing is refused.

    Of an object that does not end in the head of the file they are those seen.
    """
    begin = head.lstrip("\ufeff \t\r\n")
    try:
        first, _ = json.JSONDecoder(parse_int=str).raw_decode(begin[1:].lstrip()) if begin[:1] == "[" else ({}, 0)
    except (ValueError, RecursionError):
        return KEY.findall(begin)
    return list(first) if isinstance(first, dict) else []


def _is_nested(value: Any) -> bool:
    """Whether a value is an object, or a list that holds more than values."""
    return isinstance(value, dict) or (isinstance(value, list) and any(isinstance(one, dict | list) for one in value))


def is_of_columns(head: str) -> bool:
    """Whether JSON begins as a data frame may be written: a column with its rows, `columns`, or records under a name.

    >>> is_of_columns('{"unit":{"0":"a"'), is_of_columns('{"columns":["unit"'), is_of_columns('{"task":"x"')
    (True, True, False)
    """
    return FRAME.match(head.lstrip("\ufeff")) is not None


def of_frame(content: Any, file: Path) -> list[tuple[int, dict[str, Any]]]:
    """The records of a data frame, in one of the forms of pandas."""
    rows: Any = None
    if isinstance(content, dict) and content:
        cells = list(content.values())
        lists = [one for one in cells if isinstance(one, list) and one and isinstance(one[0], dict)]
        if content.keys() >= {"columns", "data"}:
            rows = [dict(zip(content["columns"], row, strict=True)) for row in content["data"]]
        elif all(isinstance(one, dict) and one.keys() == cells[0].keys() for one in cells):
            rows = [{name: column[key] for name, column in content.items()} for key in cells[0]]
        elif all(isinstance(one, list) and len(one) == len(cells[0]) for one in cells) and not lists:
            rows = [dict(zip(content, row, strict=True)) for row in zip(*cells, strict=True)]
        elif len(lists) == 1:
            rows = lists[0]
    if not rows:
        what = "this JSON is no table"
        raise InputError(what, file=file, hint="give a list of flat objects, one for each judgement or unit")
    return [(row, _expected(one, file, row)) for row, one in enumerate(rows, start=1)]


def records_in(file: Path) -> tuple[dict[str, list[Any]], list[int]]:
    """The columns of a JSON list of flat objects, and the number of each; a list of values is joined by +."""
    text = text_of(file)
    try:
        found = of_frame(_parsed(text, file), file) if is_of_columns(text) else documents(file)
    except (TypeError, ValueError):
        raise InputError("the rows differ in length", file=file, hint="give a list of flat objects") from None
    names = dict.fromkeys(str(name) for _, record in found for name in record)
    for row, record in found:
        if wrong := next((name for name, value in record.items() if _is_nested(value)), None):
            what = "the value is an object, not a number or a text"
            raise InputError(what, file=file, row=row, column=wrong, hint="flatten the records")
    return {name: [_plain(record.get(name)) for _, record in found] for name in names}, [row for row, _ in found]


def _plain(value: Any) -> Any:
    if isinstance(value, bool):
        return str(value).lower()
    return "+".join(sorted(map(str, value))) if isinstance(value, list) else value
