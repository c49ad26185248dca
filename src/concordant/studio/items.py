"""What a study that is built asks about: files and pasted texts become its items, with a role for every column.

Rows are kept as they came (`source.json`), so that the header and the columns that are used can be chosen again; the
study's own table is written from them. Which column holds what is said by the study file and nowhere else.
"""

import csv
import io
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

from concordant.design.schema import StudyError
from concordant.design.unit_pool import IMAGES, SOUNDS, read_rows
from concordant.errors import InputError
from concordant.studio import known_columns
from concordant.studio.drafts import WorkingDraft
from concordant.tasks.question import normalised

ITEMS, SOURCE, MEDIA = "items.csv", "source.json", "media"
TEXTS, TABLES = (".txt", ".csv", ".tsv", ".tab"), (".xlsx", ".xls", ".ods", ".json", ".jsonl", ".ndjson", ".parquet")
MOST_ITEMS, MOST_SHOWN, MOST_WRONG = 200_000, 5, 20
SINGLE = ("id", "item", "text", "prompt", "image", "image_alt", "audio", "audio_alt")
ROLES = (*SINGLE, "alternative", "attribute", "unused")
"""What a column can be: a key of [units], one of several texts to compare, something to slice by, or nothing."""
KNOWN = {
    "id": ("id", "key", "nr", "no", "number", "unit", "item_id", "text_id"),
    "item": ("item", "picture_id", "document", "doc"),
    "text": ("text", "sentence", "response", "utterance", "summary", "comment", "content", "satz", "antwort", "word"),
    "prompt": ("prompt", "question", "context", "article", "source", "kontext", "frage"),
    "image_alt": ("image_alt", "alt"),
    "audio_alt": ("audio_alt",),
}
PROFILE = frozenset({"item", "parse", "result", "relations"})


@dataclass(frozen=True, kw_only=True)
class ItemRow:
    """A row as it is shown: its number in what was brought, its cells, and what is wrong with it."""

    number: int
    cells: Sequence[str]
    faults: Sequence[str] = ()


@dataclass(frozen=True, kw_only=True)
class Items:
    """The items of a draft: how many there are, the columns with their roles, the first rows and those with faults.

    `n_known` have a known answer and check raters. `same` are the numbers of rows whose text stood before; each such
    text is judged once.
    """

    n_rows: int = 0
    n_units: int = 0
    n_known: int = 0
    columns: Sequence[str] = ()
    roles: Mapping[str, str] = field(default_factory=dict)
    rows: Sequence[ItemRow] = ()
    n_wrong: int = 0
    same: Sequence[int] = ()
    has_header: bool = True
    can_choose_header: bool = False
    file: str = ""
    profile: str = ""
    n_media: int = 0


# ---- taking in ----


def take_rows(draft: WorkingDraft, rows: list[list[str]], *, of: str) -> WorkingDraft:
    """Keep rows as the items, guess what their columns are, and write them."""
    rows = [[cell.strip() for cell in row] for row in rows]
    if not rows or not any(any(row) for row in rows):
        raise InputError("there are no rows", hint="nothing was changed")
    if len(rows) > MOST_ITEMS:
        raise InputError(f"these are {len(rows):,} rows", hint=f"bring {MOST_ITEMS:,} at most; nothing was changed")
    (draft.place / SOURCE).write_text(json.dumps(rows, ensure_ascii=False), encoding="utf-8")
    return laid_out(draft.noted(header=has_header_row(rows, of), unused=None, items_from=of or None))


def has_header_row(rows: Sequence[Sequence[str]], of: str) -> bool:
    """Whether the first row holds the names of the columns: a table of a file does; of lines it is guessed."""
    first, others = rows[0], rows[1:21]
    if Path(of).suffix.lower() in TABLES or not others:
        return bool(others)
    if any(cell.casefold() in names for cell in first for names in KNOWN.values()):
        return True
    if len(first) > 1:
        return (
            len(set(first)) == len(first) and all(first) and not any(re.fullmatch(r"[\d.,]+", cell) for cell in first)
        )
    is_word = " " not in first[0] and len(first[0]) <= 30
    return is_word and sum(" " in row[0] for row in others) > len(others) / 2


def media_of(draft: WorkingDraft) -> list[Path]:
    """The pictures and sounds that were brought."""
    folder = draft.folder / MEDIA
    return sorted(path for path in folder.iterdir() if path.is_file()) if folder.is_dir() else []


# ---- writing ----


def _source(draft: WorkingDraft) -> list[list[str]] | None:
    file = draft.place / SOURCE
    rows: list[list[str]] | None = json.loads(file.read_text(encoding="utf-8")) if file.exists() else None
    return rows


def _table(rows: Sequence[Sequence[str]], has_header: bool) -> tuple[list[str], list[Sequence[str]]]:
    """The names of the columns and the rows below them; columns without a name are called by their place."""
    width = max(map(len, rows))
    if not has_header:
        return (["text"] if width == 1 else [f"column {n}" for n in range(1, width + 1)]), list(rows)
    names: list[str] = []
    for place, cell in enumerate(rows[0], 1):
        name = cell or f"column {place}"
        names.append(name if name not in names else f"{name} {place}")
    return names, list(rows[1:])


def laid_out(draft: WorkingDraft, roles: Mapping[str, str] | None = None) -> WorkingDraft:
    """Write the table of items, and in the study file which column holds what."""
    source = _source(draft)
    assert source is not None
    names, rows = _table(source, draft.notes.get("header", True))
    roles = dict(roles) if roles is not None else kept_roles(draft, names) or guessed(names, rows)
    media = {path.name: f"{MEDIA}/{path.name}" for path in media_of(draft)}
    hidden = {"unused", *known_columns.roles_for(draft)}
    shown = [place for place, name in enumerate(names) if roles.get(name) not in hidden]
    pictured = {place for place in shown if roles.get(names[place]) in ("image", "audio")}
    id = next((name for name, role in roles.items() if role == "id"), "")
    own = next(name for name in ("id", "item id", "name of the item") if name not in names) if not id else ""
    known = known_columns.known_in(roles)
    known_columns.check_free(draft, known)
    checking, asked = known_columns.rows_with(rows, names, known), [names.index(name) for name in known]
    header = [*([own] if own else []), *(names[place] for place in shown)]
    judged, checks = [header], [[*header, *(role.removeprefix(known_columns.KNOWN) for role in known.values())]]
    for number, row in enumerate(rows):
        cells = [media.get(PurePosixPath(row[p]).name, row[p]) if p in pictured else row[p] for p in shown]
        cells = [*([f"u{number + 1}"] if own else []), *cells]
        (checks if number in checking else judged).append([*cells, *(row[p] for p in asked if number in checking)])
    (draft.folder / ITEMS).write_text(_as_csv(judged), encoding="utf-8", newline="")
    before = draft.document.get("units", {})
    units = {key: before[key] for key in ("merge_identical",) if key in before}
    units = {"file": ITEMS, "id": id or own, **{roles[n]: n for n in names if roles.get(n) in SINGLE[1:]}, **units}
    if compared := [name for name in names if roles.get(name) == "alternative"]:
        units["alternatives"] = compared
    unused = [name for name in names if roles.get(name) == "unused"] or None
    document = {**draft.document, "units": units}
    document = known_columns.with_checks(draft, document, _as_csv(checks) if checking else "")
    return draft.changed(document, unused=unused, known=known or None, files_changed=True)


def _as_csv(rows: Sequence[Sequence[str]]) -> str:
    written = io.StringIO(newline="")
    csv.writer(written, lineterminator="\n").writerows(rows)
    return written.getvalue()


def kept_roles(draft: WorkingDraft, names: Sequence[str]) -> dict[str, str]:
    """The roles of before, where the same columns come again."""
    units = draft.document.get("units", {})
    columns = [value for key, value in units.items() if key in SINGLE and value in names]
    if (
        units.get("file") != ITEMS
        or not any(units.get(key) in names for key in ("text", "image", "audio"))
        or not columns
    ):
        return {}
    roles = {value: key for key, value in units.items() if key in SINGLE and value in names}
    return {**dict.fromkeys(names, "attribute"), **dict.fromkeys(units.get("alternatives", ()), "alternative"), **roles}


def guessed(names: Sequence[str], rows: Sequence[Sequence[str]]) -> dict[str, str]:
    """What each column is taken for, by its name and by what is in it.

    >>> guessed(["nr", "sentence", "speaker"], [["1", "He left.", "Ada"], ["2", "She stayed.", "Ben"]])
    {'nr': 'id', 'sentence': 'text', 'speaker': 'attribute'}
    """
    cells = {name: [row[place] for row in rows[:500] if place < len(row)] for place, name in enumerate(names)}
    roles: dict[str, str] = {}
    for name in names:
        filled = [cell for cell in cells[name] if cell]
        endings = {Path(cell).suffix.lower() for cell in filled}
        if filled and endings <= IMAGES:
            roles[name] = "image"
        elif filled and endings <= SOUNDS:
            roles[name] = "audio"
    for role, known in KNOWN.items():
        for name in names:
            is_free = name not in roles and role not in roles.values()
            is_unique = len(set(cells[name])) == len(cells[name]) and all(cells[name])
            if is_free and name.casefold() in known and (role != "id" or is_unique):
                roles[name] = role
    left = [name for name in names if name not in roles]
    if "text" not in roles.values() and left:
        length = {name: sum(map(len, cells[name])) for name in left}
        longest = max(left, key=lambda name: length[name])
        has_media = {"image", "audio"} & set(roles.values())
        if not has_media or length[longest] > 15 * max(1, len(cells[longest])):
            roles[longest] = "text"
    return {name: roles.get(name, "attribute") for name in names}


def roles_of(draft: WorkingDraft) -> tuple[str, ...]:
    """What a column of this draft can be: known answers to each of its questions, too."""
    return (*ROLES, *known_columns.roles_for(draft))


def set_roles(draft: WorkingDraft, roles: Mapping[str, str]) -> WorkingDraft:
    """Say what the columns are; a role that only one column can have goes to the last that was given it."""
    before = look(draft)
    if unknown := next((name for name in roles if name not in before.columns), None):
        raise InputError(f"the items have no column {unknown!r}", hint="nothing was changed")
    there = roles_of(draft)
    if wrong := next((role for role in roles.values() if role not in there), None):
        raise InputError(f"a column cannot be {wrong!r}", hint=f"there are {', '.join(there)}")
    merged = dict(before.roles)
    for name, role in roles.items():
        if (role in SINGLE or role.startswith(known_columns.KNOWN)) and merged[name] != role:
            merged = {other: "attribute" if had == role else had for other, had in merged.items()}
        merged[name] = role
    if before.profile:
        return draft
    if _source(draft) is None:
        draft = imported(draft)
    return laid_out(draft, merged)


def set_header(draft: WorkingDraft, has_header: bool) -> WorkingDraft:
    """Say whether the first row holds the names of the columns."""
    if _source(draft) is None:
        raise InputError("the header of this file cannot be chosen", hint="bring the file again")
    source = _source(draft) or []
    names, rows = _table(source, has_header)
    return laid_out(draft.noted(header=has_header, unused=None), guessed(names, rows))


def imported(draft: WorkingDraft) -> WorkingDraft:
    """The table that a study file names, kept as if it had been brought."""
    data = read_rows(draft.folder / draft.document["units"]["file"])
    rows = [list(data.columns), *([row.cells.get(name, "") for name in data.columns] for row in data.rows)]
    (draft.place / SOURCE).write_text(json.dumps(rows, ensure_ascii=False), encoding="utf-8")
    return draft.noted(header=True, items_from=draft.document["units"]["file"])


# ---- looking ----


def look(draft: WorkingDraft) -> Items:
    """The items as they stand."""
    units = draft.document.get("units")
    if not isinstance(units, dict):
        return Items(n_media=len(media_of(draft)))
    if "profile" in units:
        return Items(profile=str(units["profile"]), n_media=len(media_of(draft)))
    source = _source(draft)
    try:
        data = read_rows(draft.folder / str(units.get("file", "")))
    except StudyError:
        return Items(file=str(units.get("file", "")), n_media=len(media_of(draft)))
    roles = _roles_in(units)
    if source is None:
        columns, cells = list(data.columns), [[row.cells.get(name, "") for name in data.columns] for row in data.rows]
        lines = [row.line for row in data.rows]
    else:
        columns, rows = _table(source, draft.notes.get("header", True))
        cells = [[*row, *[""] * (len(columns) - len(row))] for row in rows]
        lines = [number + bool(draft.notes.get("header", True)) for number in range(1, len(rows) + 1)]
        roles |= dict.fromkeys(draft.notes.get("unused", ()), "unused") | known_columns.noted(draft)
    known = known_columns.rows_with(cells, columns, known_columns.known_in(roles))
    judged = (n for n in range(len(cells)) if n not in known)
    place_of = dict(zip((row.line for row in data.rows), judged, strict=False))
    faults = faults_of_rows(draft, str(units.get("file")), place_of)
    shown = [*range(min(MOST_SHOWN, len(cells))), *sorted(n for n in faults if n >= MOST_SHOWN)[:MOST_WRONG]]
    same = same_rows(cells, columns, roles) if units.get("merge_identical", True) else []
    return Items(
        n_rows=len(cells),
        n_units=len(cells) - len(same),
        n_known=len(known),
        columns=tuple(columns),
        roles={name: roles.get(name, "attribute") for name in columns},
        rows=[ItemRow(number=lines[n], cells=cells[n], faults=faults.get(n, ())) for n in shown],
        n_wrong=len(faults),
        same=[lines[n] for n in same],
        has_header=draft.notes.get("header", True),
        can_choose_header=source is not None,
        file=str(draft.notes.get("items_from") or units.get("file", "")),
        n_media=len(media_of(draft)),
    )


def _roles_in(units: Mapping[str, Any]) -> dict[str, str]:
    """The columns that a study file names, with their roles."""
    roles = {value: key for key, value in units.items() if key in SINGLE and isinstance(value, str)}
    roles = {"id": "id"} | roles if "id" not in units else roles
    return roles | dict.fromkeys(units.get("alternatives", ()), "alternative")


def faults_of_rows(draft: WorkingDraft, file: str, number_of: Mapping[int, int]) -> dict[int, list[str]]:
    """What is wrong with rows, by their place."""
    found: dict[int, list[str]] = {}
    for problem in draft.problems:
        if problem.file.name == file and problem.line in number_of:
            found.setdefault(number_of[problem.line], []).append(problem.what)
    return found


def same_rows(cells: Sequence[Sequence[str]], columns: Sequence[str], roles: Mapping[str, str]) -> list[int]:
    """The places of rows that show what a row before shows."""
    telling = [place for place, name in enumerate(columns) if roles.get(name) in ("item", "prompt", "image", "audio")]
    texts = [place for place, name in enumerate(columns) if roles.get(name) == "text"]
    if not texts or "alternative" in roles.values():
        return []
    seen, found = set[tuple[Any, ...]](), list[int]()
    has_item = "item" in roles.values()
    for place, row in enumerate(cells):
        key = (normalised(row[texts[0]]), *(row[other] for other in telling))
        if not has_item or not row[texts[0]]:
            continue
        if key in seen:
            found.append(place)
        seen.add(key)
    return found
