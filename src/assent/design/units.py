"""From the rows of a data file to units: columns named in the study file, media checked, identical texts merged."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from assent.design.answers import problem, settled
from assent.design.description import Media, Question, Unit
from assent.design.problems import Problem
from assent.design.rows import DataFile, DataRow
from assent.design.texts import normalised
from assent.design.values import parse
from assent.errors import InputError, nearest

IMAGES = frozenset({".svg", ".png", ".jpg", ".jpeg", ".gif", ".webp"})
SOUNDS = frozenset({".mp3", ".ogg", ".oga", ".wav", ".m4a", ".flac"})

COLUMNS = ("item", "text", "prompt", "image", "image_alt", "audio", "audio_alt")


class UnitReader:
    """Makes units of one data file and collects what is wrong with it."""

    def __init__(
        self,
        folder: Path,
        columns: Mapping[str, Any],
        data: DataFile,
        sentences: Mapping[str, Unit] | None = None,
    ) -> None:
        """`columns` is the [units] table of the study file: which column holds what.

        With `sentences` (of a profile) the rows name some of them, and only expected answers are read.
        """
        self.problems: list[Problem] = []
        self._folder = folder
        self._columns = {"id": "id", **columns}
        self._data = data
        self._sentences = sentences or {}
        self._alternatives: list[str] = list(columns.get("alternatives", ()))

    def units(self, questions: Sequence[Question] = ()) -> tuple[Unit, ...]:
        """All units; with `questions`, their columns hold expected answers."""
        if not self._has_columns():
            return ()
        rows = self._data.rows
        units = tuple(self._unit(row, questions) for row in rows)
        lines: dict[str, int] = {}
        for row, unit in zip(rows, units, strict=True):
            if unit.id in lines:
                self._report(row.line, f"the id {unit.id!r} was used before, on line {lines[unit.id]}")
            lines.setdefault(unit.id, row.line)
        return units

    def _has_columns(self) -> bool:
        named = [self._columns[name] for name in ("id", *COLUMNS) if self._columns.get(name)] + self._alternatives
        absent = [column for column in named if column not in self._data.columns]
        for column in absent:
            self._report(1, f"there is no column {column!r}", nearest(column, self._data.columns))
        return not absent

    def _unit(self, row: DataRow, questions: Sequence[Question]) -> Unit:
        unit = self._sentence(row, questions) if self._sentences else self._shown(row, questions)
        self._check(row, unit)
        return replace(unit, expected=self._expected(row, unit, questions)) if questions else unit

    def _sentence(self, row: DataRow, questions: Sequence[Question]) -> Unit:
        id = self._cell(row, "id")
        if id not in self._sentences:
            self._report(row.line, f"the profile has no sentence {id!r} with parses")
        known = self._sentences.get(id, Unit(id=id, item=id, text=id))
        return replace(known, explanation=row.cells.get("explanation", "").strip())

    def _shown(self, row: DataRow, questions: Sequence[Question]) -> Unit:
        id = self._cell(row, "id")
        return Unit(
            id=id,
            item=self._cell(row, "item") or id,
            text=self._cell(row, "text"),
            prompt=self._cell(row, "prompt"),
            image=self._media(row, "image", IMAGES),
            audio=self._media(row, "audio", SOUNDS),
            alternatives=self._compared(row),
            copies=(id,),
            attributes=self._attributes(row, questions),
            explanation=row.cells.get("explanation", "").strip() if questions else "",
        )

    def _cell(self, row: DataRow, name: str) -> str:
        column = self._columns.get(name)
        return row.cells.get(column, "").strip() if column else ""

    def _compared(self, row: DataRow) -> dict[str, str]:
        """The texts to compare; two are called A and B, more go by their columns."""
        names = ["A", "B"] if len(self._alternatives) == 2 else self._alternatives
        return {name: row.cells[column].strip() for name, column in zip(names, self._alternatives, strict=True)}

    def _attributes(self, row: DataRow, questions: Sequence[Question]) -> dict[str, str]:
        """Every column that is not shown: something to slice the results by."""
        used = {self._columns.get(name) for name in ("id", *COLUMNS)} | set(self._alternatives)
        used |= {question.id for question in questions} | ({"explanation"} if questions else set())
        return {column: cell.strip() for column, cell in row.cells.items() if column not in used}

    def _media(self, row: DataRow, name: str, endings: frozenset[str]) -> Media | None:
        path = self._cell(row, name)
        if not path:
            return None
        if fault := media_fault(self._folder, path, endings):
            self._report(row.line, f"{name} {path!r} {fault}")
        return Media(path=path, alt=self._cell(row, f"{name}_alt"))

    def _check(self, row: DataRow, unit: Unit) -> None:
        if not unit.id or not unit.id.isprintable() or len(unit.id) > 200:
            self._report(row.line, "the id must be a short name", "use letters, digits and signs without line breaks")
        if any(not text for text in unit.alternatives.values()):
            self._report(row.line, f"unit {unit.id!r}: a text to compare is empty")
        if not (unit.text or unit.media or unit.alternatives):
            self._report(row.line, f"unit {unit.id!r} has nothing to show", "name its columns under [units]")

    def _expected(self, row: DataRow, unit: Unit, questions: Sequence[Question]) -> dict[str, Any]:
        expected = {}
        for question in questions:
            if written := row.cells.get(question.id, "").strip():
                try:
                    expected[question.id] = settled(question, unit, parse(question, written))
                    fault = problem(question, unit, expected[question.id])
                except (ValueError, InputError) as error:
                    fault = str(error)
                if fault:
                    self._report(row.line, f"column {question.id!r}: {fault}")
        if not expected:
            self._report(row.line, f"unit {unit.id!r} has no expected answer", "add a column named like the question")
        return expected

    def _report(self, line: int, what: str, hint: str = "") -> None:
        self.problems.append(Problem(self._data.path, line, what, hint))


def media_fault(folder: Path, path: str, endings: frozenset[str]) -> str | None:
    """What is wrong with a path to a picture or sound, if anything: it must be a file of the right sort inside the
    folder.
    """
    full = (folder / path).resolve()
    if not full.is_relative_to(folder.resolve()):
        return "lies outside the study's folder"
    if full.suffix.lower() not in endings:
        return f"does not end in {', '.join(sorted(endings))}"
    return None if full.is_file() else "does not exist"


def merged(units: Sequence[Unit]) -> tuple[Unit, ...]:
    """One unit for all that show the same: item, prompt, media and text after normalisation. The first row stands for
    all.
    """
    groups: dict[tuple[object, ...], list[Unit]] = defaultdict(list)
    for unit in units:
        alike = normalised(unit.text) if unit.text and not unit.alternatives else unit.id
        groups[(unit.item, unit.prompt, unit.image, unit.audio, alike)].append(unit)
    return tuple(replace(group[0], copies=tuple(unit.id for unit in group)) for group in groups.values())
