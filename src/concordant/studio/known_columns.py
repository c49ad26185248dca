"""A column of the items that holds known answers: rows that have one become check items, the others are judged.

Which columns those are is noted with the draft. The check items are written like those that are made cell by cell
(`known_items.py`), and are changed in the column alone while they come from there.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from concordant.errors import InputError
from concordant.studio.drafts import WorkingDraft

KNOWN = "known:"
NOTE, TABLE, FILE = "known", "gold", "gold.csv"


def roles_for(draft: WorkingDraft) -> list[str]:
    """The roles of columns with known answers: one for each question."""
    asked = draft.document.get("questions", ())
    return [f"{KNOWN}{one['id']}" for one in asked if isinstance(one, dict) and one.get("id")]


def noted(draft: WorkingDraft) -> dict[str, str]:
    """The columns that hold known answers, with their roles; those of questions that are gone are none."""
    there = roles_for(draft)
    return {name: role for name, role in (draft.notes.get(NOTE) or {}).items() if role in there}


def known_in(roles: Mapping[str, str]) -> dict[str, str]:
    """The columns of these roles that hold known answers.

    >>> known_in({"sentence": "text", "right": "known:natural"})
    {'right': 'known:natural'}
    """
    return {name: role for name, role in roles.items() if role.startswith(KNOWN)}


def rows_with(rows: Sequence[Sequence[str]], names: Sequence[str], known: Mapping[str, str]) -> frozenset[int]:
    """The places of rows that have a known answer; an error when nothing would be left to judge.

    >>> sorted(rows_with([["He left.", "yes"], ["She left.", ""]], ["sentence", "right"], {"right": "known:natural"}))
    [0]
    """
    columns = [place for place, name in enumerate(names) if name in known]
    found = frozenset(n for n, row in enumerate(rows) if any(row[p].strip() for p in columns if p < len(row)))
    if found and len(found) == len(rows):
        raise InputError("every row has a known answer", hint="leave some to be judged; nothing was changed")
    return found


def check_free(draft: WorkingDraft, known: Mapping[str, str]) -> None:
    """Check items that somebody made cell by cell are not written over."""
    if known and TABLE in draft.document and not draft.notes.get(NOTE):
        raise InputError("there are check items already", hint="take them out under training and checks first")


def check_own(draft: WorkingDraft, name: str) -> None:
    """Check items that come from a column are not changed cell by cell: the column would write over them."""
    if name == TABLE and (columns := list(noted(draft))):
        raise InputError(f"the check items come from the column {columns[0]!r} of the items", hint="change them there")


def with_checks(draft: WorkingDraft, document: dict[str, Any], written: str) -> dict[str, Any]:
    """The document with the check items of the columns, `written` as a table; without them where there are none."""
    if written:
        (draft.folder / FILE).write_text(written, encoding="utf-8", newline="")
        return {**document, TABLE: {**document.get(TABLE, {}), "file": FILE}}
    if draft.notes.get(NOTE):
        (Path(draft.folder) / FILE).unlink(missing_ok=True)
        return {key: value for key, value in document.items() if key != TABLE}
    return document
