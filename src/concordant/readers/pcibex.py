"""Results files of PCIbex and Ibex: lines of cells under comments (`# 4. Item number.`) that name the columns.

The names change in the middle of a file, as other controllers begin to write. A participant is who sent the results at
one moment from one address, or a column that names them. In PCIbex an answer is a choice on a Scale, a Selector, a
DropDown or a Key, and the question is the element's name; in Ibex it is the answer to a Question. If an element logged
several choices, the last is the answer. A comma inside a cell is written %2C; where one was not, its cell is found by
the cells around it, else the line is refused.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote

from concordant.choices import choice
from concordant.errors import InputError
from concordant.model.study import Study
from concordant.readers.answers import Answer, AnswerOptions, Answers
from concordant.readers.format import SURE, Format
from concordant.readers.rater_files import lines

NAMED = re.compile(r"#\s*(\d+)\.\s+(.*?)\.?\s*")
TIME, ADDRESS = ("Results reception time", "Time results were received"), "MD5 hash of participant's IP address"
NUMBER = ("Order number of item", "Item number")
TYPE = ("Label", "Type")
ELEMENT, NAME, PARAMETER, VALUE, EVENT = "PennElementType", "PennElementName", "Parameter", "Value", "EventTime"
CHOSEN = {"Scale": ("Choice",), "Selector": ("Selection",), "DropDown": ("Selected",), "Key": ("PressedKey",)}
QUESTION, ANSWER = "Question (NULL if none)", "Answer"
PERSON = re.compile(r"(participant|subject|subj|worker|rater|user|prolific)([ _]?(id|pid|code|nr|name))?|pid", re.I)
ITEM = re.compile(r"(item|stimulus|stim|sentence|target|picture|audio|video)([ _]?(id|nr|number|name|no))?", re.I)
OWN = {*TIME, ADDRESS, "Controller name", *NUMBER, "Inner element number", "Element number", *TYPE,
       "Latin Square Group", "Group", ELEMENT, NAME, PARAMETER, VALUE, EVENT, "Comments", QUESTION, ANSWER,
       "Whether or not answer was correct (NULL if N/A)", "Time taken to answer"}  # fmt: skip


class ResultOptions(AnswerOptions):
    """Which columns name the item and the participant; None is to be found out."""

    unit: str | None = choice(None, "Column that names the unit (what is judged).")
    rater: str | None = choice(None, "Column that names the rater.")


class Line(NamedTuple):
    """One line of results: its number, and its cells by name."""

    row: int
    cells: Mapping[str, str]

    def first(self, *names: str) -> str:
        """The first of these cells that says something."""
        return next((self.cells[name] for name in names if self.cells.get(name) not in (None, "", "NULL")), "")


def read(path: str | Path, options: ResultOptions) -> Study:
    """The answers in a results file."""
    file = Path(path)
    found = list(lines_of(file))
    names = list(dict.fromkeys(name for line in found for name in line.cells))
    unit, rater = options.unit or column_like(ITEM, names), options.rater or column_like(PERSON, names)
    for name in (options.unit, options.rater):
        if name is not None and name not in names:
            raise InputError("there is no such column", file=file, column=name, hint=f"columns: {', '.join(names)}")
    answers = Answers(file)
    known: dict[str, str] = {}
    for line in found:  # who somebody is may be written in one line only
        if rater and line.first(rater):
            known.setdefault(sent(line), line.first(rater))
    last: dict[tuple[str, str, str], Answer] = {}
    for line in found:
        if (said := answer_in(line)) is None:
            answers.left_out["lines that are no answers to a question"] += 1
            continue
        question, value = said
        who = known.get(sent(line), sent(line))
        item = line.first(unit) if unit else ""
        what = item or "/".join(part for part in (line.first(*TYPE), line.first(*NUMBER)) if part)
        key = (sent(line) + "/" + line.first(*NUMBER), what, question)
        answers.left_out["choices that were changed later in the same trial"] += key in last
        last[key] = Answer(what, who, question, value, line.row)
        about = {name: line.first(name) for name in names if name not in OWN and name not in (unit, rater)}
        answers.about.setdefault(what, about)
    answers.given = list(last.values())
    answers.notes.append(
        f"the unit is {f'column {unit!r}' if unit else 'the label and number of the item'} (say --unit)"
    )
    answers.notes.append(
        f"the rater is {f'column {rater!r}' if rater else 'who sent results at one moment'} (say --rater)"
    )
    answers.unused |= {name: "about the trial, not an answer" for name in names if name in OWN - {VALUE, ANSWER}}
    return answers.study(options)


def column_like(pattern: re.Pattern[str], names: list[str]) -> str | None:
    """The first column of the experiment's own that is called so."""
    return next((name for name in names if name not in OWN and pattern.fullmatch(name)), None)


def sent(line: Line) -> str:
    """Who sent the line: an address may be shared by many, so its moment belongs to it."""
    return f"{line.first(ADDRESS)[:8]}@{line.first(*TIME)}"


def answer_in(line: Line) -> tuple[str, str] | None:
    """The question and the answer of a line; None if it has none."""
    if ELEMENT in line.cells:
        if line.first(PARAMETER) in CHOSEN.get(line.first(ELEMENT), ()) and line.first(VALUE):
            return line.first(NAME), line.first(VALUE)
        return None
    if ANSWER in line.cells and line.first(ANSWER):
        return line.first("Controller name") or "answer", line.first(ANSWER)
    return None


def lines_of(file: Path) -> Iterator[Line]:
    """The lines with their cells, by the names that hold where they stand."""
    names: dict[int, str] = {}
    for row, text in enumerate(lines(file), start=1):
        if named := NAMED.fullmatch(text.strip()):
            place = int(named[1])
            names = {at: name for at, name in names.items() if at < place} | {place: named[2]}
        elif text.strip() and not text.lstrip().startswith("#"):
            if sorted(names) != list(range(1, len(names) + 1)) or not names:
                hint = "give the results file as PCIbex writes it, with its comments"
                raise InputError("no comment names the columns of this line", file=file, row=row, hint=hint)
            yield Line(row, cells_of(text, list(names.values()), file, row))


def cells_of(text: str, names: list[str], file: Path, row: int) -> dict[str, str]:
    """The cells of a line; commas that were not written %2C belong to the value, whose neighbour is a time."""
    cells = text.split(",")
    extra = len(cells) - len(names)
    if extra < 0 and extra >= -1 and names[-1] == "Comments":
        cells, extra = [*cells, ""], 0
    if extra > 0 and VALUE in names and EVENT in names:
        place = names.index(VALUE)
        joined = [*cells[:place], ",".join(cells[place : place + extra + 1]), *cells[place + extra + 1 :]]
        if joined[names.index(EVENT)].isdecimal() or joined[names.index(EVENT)] == "Never":
            cells, extra = joined, 0
    if extra:
        hint = "write commas inside cells as %2C"
        raise InputError(f"{len(cells)} cells instead of {len(names)}", file=file, row=row, hint=hint)
    return {name: unquote(cell.strip()) for name, cell in zip(names, cells, strict=True)}


def sniff(path: Path, head: str) -> float:
    """The comments that name columns as both programs do."""
    return SURE * (head.lstrip().startswith("#") and f". {ADDRESS}" in head and "Controller name" in head)


FORMAT = Format(
    name="pcibex",
    holds="judgements",
    help="Results files of PCIbex and Ibex.",
    read=read,
    options=ResultOptions,
    sniff=sniff,
)
