"""A new study from a form: the study file and its units are written as if by hand, checked, and planned."""

import csv
import json
import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from assent.collection.session import Study
from assent.collection.studies import read_study
from assent.design.description import CHOOSING, Task
from assent.design.problems import StudyError
from assent.design.study_file import FILE
from assent.errors import AssentError, InputError

UNITS = "units.csv"
TASKS = (Task.BINARY, Task.CATEGORICAL, Task.ORDINAL, Task.MULTILABEL, Task.SLIDER, Task.SPANS, Task.TEXT)
NAME = re.compile(r"[a-z0-9]([a-z0-9-]{0,40}[a-z0-9])?")


@dataclass(frozen=True, kw_only=True)
class DraftQuestion:
    """A question: its short name (made up if empty), how it is answered, and the options, one on each line."""

    ask: str = ""
    name: str = ""
    task: str = Task.BINARY
    options: str = ""

    @property
    def is_empty(self) -> bool:
        """Whether nothing was filled in."""
        return not (self.ask.strip() or self.name.strip() or self.options.strip())

    @property
    def choices(self) -> list[str]:
        """What can be chosen; Yes and No need not be said."""
        lines = [line.strip() for line in self.options.splitlines() if line.strip()]
        return lines if self.task in CHOOSING and self.task != Task.BINARY else []


@dataclass(frozen=True, kw_only=True)
class Draft:
    """What the form asks for. `units` has one unit on each line, or is a CSV table with a column `text`.

    With `passes` one question is asked about all units, then the next; otherwise all are on one page.
    """

    title: str = ""
    name: str = ""
    questions: tuple[DraftQuestion, ...] = (DraftQuestion(),)
    passes: bool = True
    is_open: bool = False
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
        return _written(folder, draft)
    except AssentError as error:
        shutil.rmtree(folder)
        raise InputError(_without_place(error), hint="nothing was made") from error


def _written(folder: Path, draft: Draft) -> Study:
    _write_units(folder / UNITS, draft.units)
    (folder / FILE).write_text(study_file(draft), encoding="utf-8")
    return read_study(folder)


def _without_place(error: AssentError) -> str:
    """What is wrong; the files it was found in are not the reader's."""
    return error.problems[0].what if isinstance(error, StudyError) else str(error)


def _check(draft: Draft, taken: set[str]) -> None:
    if not draft.title.strip() or not draft.units.strip() or not draft.questions:
        raise InputError("a title, a question and units are needed", hint="fill in the fields with a star")
    if not NAME.fullmatch(draft.name):
        raise InputError(f"{draft.name!r} cannot be part of an address", hint="use small letters, digits and hyphens")
    if draft.name in taken:
        raise InputError(f"there is already a study {draft.name!r}", hint="choose another name")
    for number, question in enumerate(draft.questions, start=1):
        _check_question(number, question)


def _check_question(number: int, question: DraftQuestion) -> None:
    if not question.ask.strip():
        raise InputError(f"question {number} has no words", hint="write what raters shall read")
    if question.task not in TASKS:
        raise InputError(f"there is no task {question.task!r}", hint=f"use one of {', '.join(TASKS)}")
    if question.task in CHOOSING and question.task != Task.BINARY and not question.choices:
        raise InputError(
            f"question {number} has nothing to choose", hint="write categories or points, one on each line"
        )


def study_file(draft: Draft) -> str:
    """The study file as somebody would write it."""
    return "\n".join(_lines(draft)) + "\n"


def _lines(draft: Draft) -> Iterator[str]:
    yield f"name = {_quoted(draft.name)}"
    yield f"title = {_quoted(draft.title.strip())}"
    yield f"open = {_truth(draft.is_open)}"
    yield from ("", "[units]", f"file = {_quoted(UNITS)}", 'id = "id"', 'text = "text"')
    yield from ("", "[presentation]", f"passes = {_truth(draft.passes)}")
    for number, question in enumerate(draft.questions, start=1):
        yield from _question_lines(number, question)
    if draft.guidelines.strip():
        yield from ("", "[guidelines]", 'version = "1"', f"text = {_quoted(draft.guidelines.strip())}")


def _question_lines(number: int, question: DraftQuestion) -> Iterator[str]:
    name = question.name.strip()
    slug = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")
    yield from ("", "[[questions]]", f"id = {_quoted(slug or f'q{number}')}")
    if name and name != slug:
        yield f"title = {_quoted(name)}"
    yield f"task = {_quoted(question.task)}"
    yield f"ask = {_quoted(question.ask.strip())}"
    if question.choices:
        yield f"options = [{', '.join(_quoted(value) for value in question.choices)}]"


def _truth(value: bool) -> str:
    return "true" if value else "false"


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
