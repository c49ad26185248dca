"""What is judged: the rows of a data file, or the sentences of an [incr tsdb()] profile with the parses of its grammar.

Of a data file the study names the columns, media are checked and identical texts merged. Of a profile decisions that it
may hold already are not read: raters begin from nothing.
"""

import csv
import io
import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from concordant.design.schema import Problem, StudyError
from concordant.errors import InputError, nearest
from concordant.tasks.kind import kind_of, problem
from concordant.tasks.question import Media, Question, Unit, normalised
from concordant.treebank.analyses import read_lexicon
from concordant.treebank.disambiguation import Parses
from concordant.treebank.parsed import as_profile, read_parsed
from concordant.treebank.profile import read_profile
from concordant.treebank.relations import Tables, unescape


@dataclass(frozen=True)
class DataRow:
    """One row: its line in the file and its cells by column, all as text."""

    line: int
    cells: Mapping[str, str]


@dataclass(frozen=True)
class DataFile:
    """A data file, read."""

    path: Path
    columns: tuple[str, ...]
    rows: tuple[DataRow, ...]


def read_rows(path: Path) -> DataFile:
    """Read a data file by its ending; a file that cannot be read is one clear problem."""
    try:
        source = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise StudyError([Problem(path, 0, "the file does not exist")]) from None
    except (OSError, UnicodeDecodeError) as error:
        raise StudyError([Problem(path, 0, f"cannot be read ({error})", "save it as UTF-8 text")]) from error
    data = _json_lines(path, source) if path.suffix in {".jsonl", ".ndjson"} else _separated(path, source)
    if not data.rows:
        raise StudyError([Problem(path, 0, "there are no rows")])
    return data


def _separated(path: Path, source: str) -> DataFile:
    # Not `splitlines`: texts may hold other signs that it takes for the end of a line.
    lines_of_file = io.StringIO(source, newline="")
    reader = csv.reader(lines_of_file, delimiter="\t" if path.suffix == ".tsv" else ",", strict=True)
    try:
        lines = [(reader.line_num, cells) for cells in reader]
    except csv.Error as error:
        raise StudyError([Problem(path, reader.line_num, f"not a proper table ({error})")]) from error
    header = tuple(name.strip() for name in lines[0][1]) if lines else ()
    rows = [(line, cells) for line, cells in lines[1:] if any(cell.strip() for cell in cells)]
    for line, cells in rows:
        if len(cells) != len(header):
            fault = f"{len(cells)} cells where the header has {len(header)}"
            raise StudyError([Problem(path, line, fault, "quote texts with commas")])
    return DataFile(path, header, tuple(DataRow(line, dict(zip(header, cells, strict=True))) for line, cells in rows))


def _json_lines(path: Path, source: str) -> DataFile:
    rows = []
    for number, line in enumerate(source.split("\n"), 1):
        if not line.strip():
            continue
        try:
            cells = json.loads(line)
        except ValueError as error:
            raise StudyError([Problem(path, number, f"not JSON ({error})")]) from error
        if not isinstance(cells, dict):
            raise StudyError([Problem(path, number, "expected one object in braces per line")])
        plain = {key: "" if value is None else value for key, value in cells.items()}
        written = {key: json.dumps(one, ensure_ascii=False) for key, one in plain.items() if not isinstance(one, str)}
        rows.append(DataRow(number, {**plain, **written}))
    columns = tuple(dict.fromkeys(column for row in rows for column in row.cells))
    return DataFile(path, columns, tuple(rows))


IMAGES = frozenset({".svg", ".png", ".jpg", ".jpeg", ".gif", ".webp"})
SOUNDS = frozenset({".mp3", ".ogg", ".oga", ".wav", ".m4a", ".flac"})

COLUMNS = ("item", "text", "prompt", "image", "image_alt", "audio", "audio_alt")


@dataclass(frozen=True)
class UnitReader:
    """Makes units of one data file and collects what is wrong with it in `problems`.

    `settings` is the [units] table of the study file: which column holds what. With `sentences` (of a profile) the rows
    name some of them, and only expected answers are read.
    """

    folder: Path
    settings: Mapping[str, Any]
    data: DataFile
    sentences: Mapping[str, Unit]
    problems: list[Problem]

    def units(self, questions: Sequence[Question] = ()) -> tuple[Unit, ...]:
        """All units; with `questions`, their columns hold expected answers."""
        named = [column for name in ("id", *COLUMNS) if (column := self._column(name))]
        named += self.settings.get("alternatives", ())
        absent = [column for column in named if column not in self.data.columns]
        for column in absent:
            self._report(1, f"there is no column {column!r}", nearest(column, self.data.columns))
        if absent:
            return ()
        units, lines = [], dict[str, int]()
        for row in self.data.rows:
            unit = self._sentence(row) if self.sentences else self._shown(row, questions)
            if not unit.id or not unit.id.isprintable() or len(unit.id) > 200:
                hint = "use letters, digits and signs without line breaks"
                self._report(row.line, "the id must be a short name", hint)
            if any(not text for text in unit.alternatives.values()):
                self._report(row.line, f"unit {unit.id!r}: a text to compare is empty")
            if not (unit.text or unit.media or unit.alternatives):
                self._report(row.line, f"unit {unit.id!r} has nothing to show", "name its columns under [units]")
            units.append(replace(unit, expected=self._expected(row, unit, questions)) if questions else unit)
            if unit.id in lines:
                self._report(row.line, f"the id {unit.id!r} was used before, on line {lines[unit.id]}")
            lines.setdefault(unit.id, row.line)
        return tuple(units)

    def _sentence(self, row: DataRow) -> Unit:
        id = self._cell(row, "id")
        if id not in self.sentences:
            self._report(row.line, f"the profile has no sentence {id!r} with parses")
        known = self.sentences.get(id, Unit(id=id, item=id, text=id))
        return replace(known, explanation=row.cells.get("explanation", "").strip())

    def _shown(self, row: DataRow, questions: Sequence[Question]) -> Unit:
        id = self._cell(row, "id")
        # Two texts to compare are called A and B, more go by their columns; every column that is not shown is an
        # attribute, something to slice the results by.
        compared = self.settings.get("alternatives", ())
        names = ["A", "B"] if len(compared) == 2 else compared
        used = {*map(self._column, ("id", *COLUMNS)), *compared}
        used |= {question.id for question in questions} | ({"explanation"} if questions else set())
        return Unit(
            id=id,
            item=self._cell(row, "item") or id,
            text=self._cell(row, "text"),
            prompt=self._cell(row, "prompt"),
            image=self._media(row, "image", IMAGES),
            audio=self._media(row, "audio", SOUNDS),
            alternatives={name: row.cells[by].strip() for name, by in zip(names, compared, strict=True)},
            copies=(id,),
            attributes={column: cell.strip() for column, cell in row.cells.items() if column not in used},
            explanation=row.cells.get("explanation", "").strip() if questions else "",
        )

    def _cell(self, row: DataRow, name: str) -> str:
        column = self._column(name)
        return row.cells.get(column, "").strip() if column else ""

    def _column(self, name: str) -> str | None:
        """The column that holds something; ids have one even where the study file does not say so."""
        found: str | None = self.settings.get(name, "id" if name == "id" else None)
        return found

    def _media(self, row: DataRow, name: str, endings: frozenset[str]) -> Media | None:
        path = self._cell(row, name)
        if not path:
            return None
        if fault := media_fault(self.folder, path, endings):
            self._report(row.line, f"{name} {path!r} {fault}")
        return Media(path=path, alt=self._cell(row, f"{name}_alt"))

    def _expected(self, row: DataRow, unit: Unit, questions: Sequence[Question]) -> dict[str, Any]:
        expected = {}
        for question in questions:
            if written := row.cells.get(question.id, "").strip():
                try:
                    kind = kind_of(question)
                    expected[question.id] = kind.settled(question, unit, kind.parse(question, written))
                    fault = problem(question, unit, expected[question.id])
                except (ValueError, InputError) as error:
                    fault = str(error)
                if fault:
                    self._report(row.line, f"column {question.id!r}: {fault}")
        if not expected:
            self._report(row.line, f"unit {unit.id!r} has no expected answer", "add a column named like the question")
        return expected

    def _report(self, line: int, what: str, hint: str = "") -> None:
        self.problems.append(Problem(self.data.path, line, what, hint))


def sentences(folder: Path, settings: Mapping[str, Any]) -> tuple[tuple[Unit, ...], list[Problem]]:
    """The sentences of the profile that the [units] table names, in its order, and what is wrong with them.

    Those without parses, or with more than can be shown, are left out or are mistakes. Instead of a profile's folder a
    file with what ACE printed may be named.
    """
    path, units = folder / settings["profile"], []
    try:
        lexicon = read_lexicon(folder / settings["lexicon"]) if settings.get("lexicon") else {}
        profile = read_parsed(path, most=settings.get("most_parses"))
        before = read_profile(folder / settings["carried"]).annotations if settings.get("carried") else {}
        with as_profile(path) as read:
            texts = {id: unescape(text).strip() for _, (id, text) in Tables(read).rows("item", ("i-id", "i-input"))}
    except InputError as error:
        return (), [Problem(path, 0, str(error).removeprefix(f"{path}: "))]
    problems = [Problem(path, 0, line) for line in profile.broken]
    if not texts:
        problems.append(Problem(path, 0, "there are no sentences", "fill its table 'item'"))
    for id, text in texts.items():
        found = profile.annotations.get(id)
        if found is not None and found.analyses:
            earlier = [one for one in before[id].decisions if one.is_manual] if id in before else []
            parses = Parses(found.analyses, lexicon, earlier)
            about = {"parses": str(len(parses))}
            units.append(Unit(id=id, item=id, text=text, copies=(id,), attributes=about, parses=parses))
        elif not settings.get("parsed_only"):
            hint = "take it out of the profile, or write parsed_only = true under [units]"
            n = found.n_parses if found is not None else 0
            what = f"{n:,} parses, more than are unpacked" if n else "no parses"
            hint = f"raise most_parses under [units], or {hint}" if n else hint
            problems.append(Problem(path, 0, f"sentence {id} has {what}", hint))
    return tuple(units), problems


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
