"""A new study from a form: the study file and its units are written as if by hand, checked, and planned."""

import csv
import json
import re
import shutil
from dataclasses import dataclass
from pathlib import Path

from assent.collection.session import Study
from assent.collection.studies import read_study
from assent.design.study_file import FILE
from assent.errors import AssentError, InputError

UNITS = "units.csv"
TASKS = ("binary", "categorical", "ordinal", "multilabel")
NAME = re.compile(r"[a-z0-9]([a-z0-9-]{0,40}[a-z0-9])?")


@dataclass(frozen=True, kw_only=True)
class Draft:
    """What the form asks for. `units` has one unit on each line, or is a CSV table with a column `text`."""

    title: str = ""
    name: str = ""
    ask: str = ""
    task: str = "binary"
    options: str = ""
    units: str = ""
    guidelines: str = ""


def make_study(home: Path, draft: Draft, *, taken: set[str]) -> Study:
    """Write the study into a folder of its own under `home`; nothing is left there when something is wrong."""
    _check(draft, taken)
    folder = home / draft.name
    if folder.exists():
        raise InputError(f"there is already a folder {draft.name!r}", hint="choose another name")
    folder.mkdir(parents=True)
    try:
        _write_units(folder / UNITS, draft.units)
        (folder / FILE).write_text(study_file(draft), encoding="utf-8")
        return read_study(folder)
    except AssentError:
        shutil.rmtree(folder)
        raise


def _check(draft: Draft, taken: set[str]) -> None:
    if not draft.title.strip() or not draft.ask.strip() or not draft.units.strip():
        raise InputError("a title, a question and units are needed", hint="fill in the fields with a star")
    if not NAME.fullmatch(draft.name):
        raise InputError(f"{draft.name!r} cannot be part of an address", hint="use small letters, digits and hyphens")
    if draft.name in taken:
        raise InputError(f"there is already a study {draft.name!r}", hint="choose another name")
    if draft.task not in TASKS:
        raise InputError(f"there is no task {draft.task!r}", hint=f"use one of {', '.join(TASKS)}")


def study_file(draft: Draft) -> str:
    """The study file as somebody would write it."""
    lines = [
        f"name = {_quoted(draft.name)}",
        f"title = {_quoted(draft.title.strip())}",
        "open = false",
        "",
        "[units]",
        f"file = {_quoted(UNITS)}",
        'id = "id"',
        'text = "text"',
        "",
        "[[questions]]",
        'id = "question"',
        f"task = {_quoted(draft.task)}",
        f"ask = {_quoted(draft.ask.strip())}",
    ]
    if draft.task != "binary":
        values = [value.strip() for value in draft.options.splitlines() if value.strip()]
        lines.append(f"options = [{', '.join(_quoted(value) for value in values)}]")
    if draft.guidelines.strip():
        lines += ["", "[guidelines]", 'version = "1"', f"text = {_quoted(draft.guidelines.strip())}"]
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    """A TOML string: JSON's escapes are TOML's."""
    return json.dumps(text, ensure_ascii=False)


def _write_units(path: Path, text: str) -> None:
    lines = [line for line in text.strip().splitlines() if line.strip()]
    header = next(csv.reader([lines[0]]))
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        if "text" in header:
            rows = list(csv.reader(lines))
            numbered = [["id", *header]] if "id" not in header else [header]
            writer.writerows(numbered)
            writer.writerows([str(n), *row] if "id" not in header else row for n, row in enumerate(rows[1:], start=1))
        else:
            writer.writerow(["id", "text"])
            writer.writerows([f"u{n}", line.strip()] for n, line in enumerate(lines, start=1))
