"""[incr tsdb()] profiles, written: what somebody decided beside what a grammar gave.

All tables of the parsed profile are taken over as they are; `tree`, `decision` and `preference` are written anew, with
every discriminant in the `decision` table. A discriminant that nobody had to decide (all parses share it, or the
sentence was left or rejected before) is void. Of a packed forest `result` gets the chosen analysis, since it stands
nowhere else.
"""

import os
import secrets
import shutil
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from concordant.errors import InputError
from concordant.treebank.disambiguation import REJECT, SELECT, State
from concordant.treebank.discriminants import REJECTION, SELECTION, Discriminant
from concordant.treebank.parsed import as_profile, read_parsed
from concordant.treebank.profile import Profile
from concordant.treebank.relations import Tables, delphin

_VERDICTS = {"accepted": 1, "rejected": 0}
_BY_VERDICT = {SELECT: SELECTION, REJECT: REJECTION}

# The columns that are written, each with its kind; a profile whose schema has no such table gets these.
_WRITTEN: Mapping[str, str] = {
    "tree": "parse-id:integer:key t-version:integer t-active:integer:key t-author:string t-start:date t-end:date"
    " t-comment:string",
    "decision": "parse-id:integer:key t-version:integer d-state:integer d-type:integer d-key:string d-value:string"
    " d-start:integer d-end:integer d-date:date",
    "preference": "parse-id:integer:key t-version:integer result-id:integer",
}


@dataclass(frozen=True, kw_only=True)
class Treebanked:
    """A sentence as somebody left it: the value that the log keeps, and since when each discriminant is as it is."""

    value: Mapping[str, Any]
    dates: Mapping[str, datetime]
    begun: datetime
    ended: datetime
    author: str
    comment: str = ""
    version: int = 1


@contextmanager
def folder_written_whole(goal: Path) -> Iterator[Path]:
    """A folder beside `goal` to write into; it becomes `goal` when the block ends well, else it is removed."""
    if goal.exists() and (not goal.is_dir() or any(goal.iterdir())):
        raise InputError("is there already", file=goal, hint="name a new folder; nothing was written")
    beside = goal.with_name(f".{goal.name}-{secrets.token_hex(4)}")
    try:
        beside.mkdir()
        yield beside
        os.replace(beside, goal)
    except OSError as error:
        raise InputError(f"cannot be written ({error.strerror})", file=goal, hint="nothing was changed") from error
    finally:
        shutil.rmtree(beside, ignore_errors=True)


def write_profile(
    source: Path, target: Path, done: Mapping[str, Treebanked], *, only: Collection[str] | None = None
) -> None:
    """Write the profile at `source` to the new folder `target` with what was `done`, by sentence.

    `only` leaves all other sentences out. The source may be what ACE printed; its parses are written as a profile.
    """
    target.mkdir()
    with as_profile(source) as folder:
        _write(folder, target, done, only)


def _write(source: Path, target: Path, done: Mapping[str, Treebanked], only: Collection[str] | None) -> None:
    tsdb = delphin("tsdb")
    schema = dict(tsdb.read_schema(source))
    columns = {name: [column.split(":") for column in text.split()] for name, text in _WRITTEN.items()}
    for name, wanted in columns.items():
        known = {field.name for field in schema.get(name, ())}
        if not {column for column, *_ in wanted if column not in ("t-start", "t-end")} <= known:
            made = [(column, [f":{part}" for part in kinds]) for column, *kinds in wanted]
            schema[name] = [tsdb.Field(column, kind, flags) for column, (kind, *flags) in made]
    parsed = read_parsed(source)
    parses = {id: annotation.parse for id, annotation in parsed.annotations.items()}
    copied = schema.keys() - _WRITTEN.keys() - ({"result"} if parsed.packed else set())
    for file in source.iterdir():
        name = file.name.removesuffix(".gz")
        if file.is_file() and name in copied and only is None:
            shutil.copyfile(file, target / file.name)
        elif file.is_file() and name in copied:
            names = [field.name for field in schema[name]]
            _copy_some(Tables(source), name, names, target, set(only or ()), {str(parses[id]) for id in only or ()})
    tsdb.write_schema(target, schema)
    if parsed.packed:
        _write_results(source, target, schema["result"], parsed, done)
    for name, rows in _ROWS.items():
        names, fields = [column for column, *_ in columns[name]], schema[name]
        found = [
            dict(zip(names, (parses[id], one.version, *row), strict=True))
            for id, one in done.items()
            for row in rows(one)
        ]
        tsdb.write(target, name, [tsdb.make_record(record, fields) for record in found], fields)


def _copy_some(
    tables: Tables, name: str, names: list[str], target: Path, sentences: set[str], parses: set[str]
) -> None:
    """The lines of a table that are about some sentences, or some parses; all of one that is about neither."""
    key = next((one for one in ("parse-id", "i-id") if one in names), None)
    wanted = parses if key == "parse-id" else sentences
    with (target / name).open("w", encoding="utf-8", newline="") as file:
        for line in tables.lines(name):
            if key is None or line.rstrip("\n").split("@")[names.index(key)] in wanted:
                file.write(line)


def _write_results(source: Path, target: Path, fields: Any, parsed: Profile, done: Mapping[str, Treebanked]) -> None:
    """The listed analyses as they are, but of a packed forest the one that was chosen."""
    names = [field.name for field in fields]
    with (target / "result").open("w", encoding="utf-8", newline="") as file:
        for line in Tables(source).lines("result"):
            if int(line.split("@")[names.index("parse-id")]) not in parsed.packed:
                file.write(line)
        for id, one in done.items():
            annotation, result = parsed.annotations[id], one.value["result"]
            if annotation.parse in parsed.packed and result is not None:
                chosen = next(analysis for analysis in annotation.analyses if analysis.result == result)
                told = {"parse-id": str(annotation.parse), "result-id": str(result), "derivation": chosen.derivation}
                empty = {field.name: "-1" if field.datatype == ":integer" else "" for field in fields}
                file.write("@".join({**empty, **told}.values()) + "\n")


def tree_rows(one: Treebanked) -> Iterator[tuple[Any, ...]]:
    """`t-active`: 0 for a rejection, 1 for an accepted parse, else how many are left."""
    active = _VERDICTS.get(one.value["verdict"], one.value["n_left"])
    yield active, one.author, one.begun, one.ended, one.comment


def decision_rows(one: Treebanked) -> Iterator[tuple[Any, ...]]:
    """A line for each discriminant; for a selected tree and a rejection one more, whose state is -1."""
    verb, _, result = (one.value["moves"] or [""])[-1].partition(" ")
    if verb in _BY_VERDICT:
        yield -1, _BY_VERDICT[verb], "", result, 0, 0, one.ended
    for name, state in one.value["states"].items():
        known = Discriminant.named(name)
        yield State(state).code, known.type, known.key, "", known.start, known.end, one.dates[name]


def preference_rows(one: Treebanked) -> Iterator[tuple[Any, ...]]:
    """The parse that was chosen, if one was."""
    if one.value["result"] is not None:
        yield (one.value["result"],)


_ROWS = {"tree": tree_rows, "decision": decision_rows, "preference": preference_rows}
