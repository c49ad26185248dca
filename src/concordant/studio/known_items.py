"""Items with known answers in a study that is built: those that train raters and those that check them.

They are small tables beside the study, with a column for each question's answer, and are edited cell by cell.
"""

import csv
import io
import re
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from concordant.design.schema import Problem, StudyError
from concordant.design.unit_pool import read_rows
from concordant.errors import InputError
from concordant.readers.table import read_table
from concordant.studio import known_columns
from concordant.studio.drafts import WorkingDraft

FILES = {"training": "training.csv", "gold": "gold.csv"}
MOST = 100
CELL = re.compile(r"known\.(training|gold)\.(\d{1,3})\.(\d{1,3})")


@dataclass(frozen=True, kw_only=True)
class KnownItems:
    """The table of one of them: its columns, its rows, and what is wrong. `is_on` where the study uses it."""

    name: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]] = ()
    is_on: bool = False
    faults: Sequence[Problem] = ()


def look(draft: WorkingDraft, name: str) -> KnownItems:
    """The items as they stand; the columns are those that are shown, one for each question, and an explanation."""
    table = draft.document.get(name)
    is_on = isinstance(table, dict) and "file" in table
    columns, rows = _columns(draft, name), list[list[str]]()
    faults: list[Problem] = []
    if isinstance(table, dict) and is_on:
        file = str(table["file"])
        try:
            data = read_rows(draft.folder / file)
            columns = [*data.columns, *(one for one in columns if one not in data.columns)]
            rows = [[row.cells.get(column, "") for column in columns] for row in data.rows[:MOST]]
        except StudyError:
            pass
        faults = [one for one in draft.problems if one.file.name == Path(file).name]
    return KnownItems(name=name, columns=columns, rows=rows, is_on=is_on, faults=faults)


def _columns(draft: WorkingDraft, name: str) -> list[str]:
    units = draft.document.get("units", {})
    shown = [units.get(key) for key in ("id", "text", "prompt", "image", "audio")]
    shown[0] = shown[0] or "id"
    asked = [str(one.get("id", "")) for one in draft.document.get("questions", ())]
    compared = units.get("alternatives", [])
    explained = ["explanation"] if name == "training" else []
    return list(dict.fromkeys(one for one in (*shown, *compared, *asked, *explained) if one))


def filled(draft: WorkingDraft, form: Sequence[tuple[str, str]], action: str) -> WorkingDraft:
    """What a form says of the cells; a row without any content goes, and a table without rows is taken out."""
    cells: dict[str, dict[int, dict[int, str]]] = {}
    for field, text in form:
        if found := CELL.fullmatch(field):
            cells.setdefault(found[1], {}).setdefault(int(found[2]), {})[int(found[3])] = text.strip()
    for name in FILES:
        before = look(draft, name)
        if name not in cells and action != f"rows:{name}":
            continue
        rows = [
            [row.get(place, "") for place in range(len(before.columns))]
            for _, row in sorted(cells.get(name, {}).items())
        ]
        rows = [
            row for row in rows if any(cell for place, cell in enumerate(row) if before.columns[place] != _id_of(draft))
        ]
        if action == f"rows:{name}":
            rows.append([f"{name}-{len(rows) + 1}" if column == _id_of(draft) else "" for column in before.columns])
        if rows != [list(row) for row in before.rows]:
            known_columns.check_own(draft, name)
            draft = _written(draft, name, before.columns, rows)
    return draft


def _id_of(draft: WorkingDraft) -> str:
    return str(draft.document.get("units", {}).get("id", "id"))


def _written(draft: WorkingDraft, name: str, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> WorkingDraft:
    document = dict(draft.document)
    if not rows:
        document.pop(name, None)
        return draft.changed(document, files_changed=True)
    place, written = columns.index(_id_of(draft)), io.StringIO(newline="")
    taken = {row[place] for row in rows}
    numbers = (f"{name}-{n}" for n in range(1, 10_000) if f"{name}-{n}" not in taken)
    named = [[cell if i != place or cell else next(numbers) for i, cell in enumerate(row)] for row in rows]
    csv.writer(written, lineterminator="\n").writerows([columns, *named])
    (draft.folder / FILES[name]).write_text(written.getvalue(), encoding="utf-8", newline="")
    document[name] = {**document.get(name, {}), "file": FILES[name]}
    return draft.changed(document, files_changed=True)


def bring(draft: WorkingDraft, name: str, called: str, content: IO[bytes]) -> WorkingDraft:
    """Take a table of such items from a file."""
    if name not in FILES:
        raise InputError(f"there are no items called {name!r}", hint=f"there are {' and '.join(FILES)}")
    known_columns.check_own(draft, name)
    file = draft.place / f"brought{Path(called).suffix.lower() or '.csv'}"
    try:
        with file.open("wb") as stream:
            shutil.copyfileobj(content, stream)
        table = read_table(file)
        columns = [table.column(column).text() for column in table.names]
        rows = [[str(cell or "") for cell in row] for row in zip(*columns, strict=True)]
    except InputError as error:
        raise InputError(str(error).replace(str(file), called)) from error
    finally:
        file.unlink(missing_ok=True)
    names = list(table.names)
    if _id_of(draft) not in names:
        names, rows = [_id_of(draft), *names], [["", *row] for row in rows]
    return _written(draft, name, names, rows)
