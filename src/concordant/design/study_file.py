"""Reading a study: the TOML file and its data files become a `Description`, or a list of everything that is wrong.

description = read(Path("features/study.toml"))

Whether settings fit each other and the data is checked in `coherence`.
"""

import dataclasses
import json
import re
import tomllib
from collections.abc import Sequence
from contextlib import suppress
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any

from concordant.about import NAME
from concordant.design import description as described
from concordant.design.assignment import PlanError, assignment_of, members_in
from concordant.design.coherence import Table, check_coherence
from concordant.design.description import Description
from concordant.design.schema import SECTIONS, Problem, Source, StudyError, faults
from concordant.design.unit_pool import IMAGES, DataFile, UnitReader, media_fault, merged, read_rows, sentences
from concordant.tasks.kind import kind_named
from concordant.tasks.question import Media, Option, Pattern, Question, Unit, normalised

FILE = "study.toml"
FORMAT = 1
VERSION = "version.json"


def read(path: Path) -> Description:
    """Read a study from its file or its folder; raises StudyError with all mistakes when there are any."""
    return Reading(study_path(path)).description()


def problems(path: Path) -> tuple[Problem, ...]:
    """Everything that is wrong with a study; empty when it can be used.

    For that all parses are decoded, and where sets are assigned the plan is drawn: only it knows what is in each.
    """
    try:
        description = read(path)
    except StudyError as error:
        return error.problems
    found = []
    for unit in description.unit_by_id.values():
        if unit.parses and (broken := [n for n in unit.parses.results if unit.parses.tree(n) is None]):
            listed = ", ".join(map(str, broken))
            fault = f"sentence {unit.id}: parse {listed} has no derivation that can be read"
            found.append(Problem(study_path(path), 0, fault))
    return (*found, *_undrawable(description, study_path(path)))


def _undrawable(description: Description, path: Path) -> Sequence[Problem]:
    """Why no plan can be drawn of the sets that are assigned."""
    from concordant.design.plan import make_plan  # which reads study files itself

    source = Source(path, path.read_text(encoding="utf-8"))
    if description.assignment is not None:
        try:
            make_plan(description)
        except PlanError as error:
            source.report((error.section,), error.what, error.hint)
    return source.problems


def study_path(path: Path) -> Path:
    """The study file: the path itself, or `study.toml` in the folder it names."""
    return path / FILE if path.is_dir() else path


class Reading:
    """One reading of one study: the parsed file and what was wrong."""

    def __init__(self, path: Path) -> None:
        """Parse the file; one that is not TOML cannot be read any further."""
        try:
            text = path.read_text(encoding="utf-8")
            self._document = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            found = re.search(r" \(at line (\d+), column \d+\)$", str(error))
            what = str(error)[: found.start()] if found else str(error).removesuffix(" (at end of document)")
            line = int(found[1]) if found else text.count("\n") + 1
            raise StudyError([Problem(path, line, f"not TOML: {what}")]) from error
        except (OSError, UnicodeDecodeError) as error:
            reason = "the file does not exist" if isinstance(error, FileNotFoundError) else f"cannot be read ({error})"
            raise StudyError([Problem(path, 0, reason, f"`{NAME} init DIR` makes a study")]) from error
        self._folder = path.parent
        self._source = Source(path, text)
        self._pool: tuple[Unit, ...] = ()

    def description(self) -> Description:
        """Check the file against the schema, then its contents against each other, then make the description."""
        if type(format := self._document.get("format", FORMAT)) is int and format > FORMAT:
            # Its other settings may mean something else: nothing is said about them.
            fault = f"this file is of format {format}; this version reads up to {FORMAT}"
            self._source.report(("format",), fault, f"update {NAME}")
            self._stop_on_problems()
        self._source.check(self._document)
        units = self._document.get("units")
        if not self._source.problems or (isinstance(units, dict) and not any(faults(SECTIONS["units"], units))):
            self._pool = self._judged_units(units or {})  # say at once what is wrong with the data
        self._stop_on_problems()
        description = self._assembled()
        check_coherence(self._source, description, self._document)
        self._stop_on_problems()
        return description

    def _stop_on_problems(self) -> None:
        if self._source.problems:
            raise StudyError(self._source.problems)

    def _assembled(self) -> Description:
        document, settings = self._document, self._document["units"]
        questions = tuple(question(table) for table in document["questions"])
        known = {
            name: self._units((name, "file"), document[name]["file"], questions) if name in document else ()
            for name in ("training", "gold")
        }
        introduction, training, pairs = (document.get(name) for name in ("introduction", "training", "pairs"))
        # Sentences of a profile that serve for training or gold are not judged.
        taken = {unit.id for units in known.values() for unit in units} if "profile" in settings else set()
        rows = tuple(unit for unit in self._pool if unit.id not in taken)
        sets = self._assignment(rows)
        plain = {key: value for key, value in document.items() if key in {"name", "title", "language", "seed", "open"}}
        return Description(
            **fields_of(plain, open="is_open"),
            folder=self._folder,
            version=_version_in(self._folder),
            questions=questions,
            units=merged(rows) if settings.get("merge_identical", True) else rows,
            rows=rows,
            profile=self._folder / settings["profile"] if "profile" in settings else None,
            raters=tuple(rater(table, sets) for table in document.get("raters", ())),
            assignment=sets,
            **raised_later(document),
            introduction=described.Introduction(**introduction) if introduction is not None else None,
            participant=tuple(participant(table) for table in document.get("participant", ())),
            instructions=self._instructions(),
            training=described.Training(known["training"], training.get("second_try", False)) if training else None,
            comprehension=comprehension(document["comprehension"]) if "comprehension" in document else None,
            thanks=described.Thanks(**fields_of(document.get("thanks", {"text": ""}), comment="asks_comment")),
            screened_out=described.Ending(**document.get("screened_out", {"text": ""})),
            failed_check=described.FailedCheck(**document.get("failed_check", {"text": ""})),
            recruitment=described.Recruitment(**document.get("recruitment", {})),
            guidelines=self._guidelines(),
            presentation=described.Presentation(**document.get("presentation", {})),
            checks=described.Checks(gold=known["gold"], **fields_of(document.get("repeats", {}), count="repeats")),
            sampling=described.Sampling(**document.get("sample", {})),
            n_sets=len(sets.names) if sets else document.get("sets", {}).get("count", 1),
            pairing=described.Pairing(**fields_of(pairs)) if pairs is not None else None,
            cleaning=self._cleaning(),
        )

    def _judged_units(self, settings: Table) -> tuple[Unit, ...]:
        """The units of the data file or, instead, the sentences of the profile."""
        if ("file" in settings) == ("profile" in settings):
            self._source.report(("units",), "'file' or 'profile' is needed, and not both", "name where the units are")
            return ()
        if "file" in settings:
            return self._units(("units", "file"), settings["file"])
        units, found = sentences(self._folder, settings)
        self._source.problems += found
        return units

    def _units(self, place: tuple[str, ...], file: str, questions: tuple[Question, ...] = ()) -> tuple[Unit, ...]:
        data = self._rows(place, file)
        if data is None:
            return ()
        known = {unit.id: unit for unit in self._pool if unit.parses}
        reader = UnitReader(self._folder, self._document["units"], data, known, self._source.problems)
        return reader.units(questions)

    def _rows(self, place: tuple[str, ...], file: str) -> DataFile | None:
        """A data file of the study; a file that cannot be read is reported, and the rest is checked all the same."""
        if not (self._folder / file).exists():
            self._source.report(place, f"the file {file!r} does not exist")
            return None
        try:
            return read_rows(self._folder / file)
        except StudyError as error:
            self._source.problems += error.problems
            return None

    def _instructions(self) -> described.Instructions | None:
        table = self._document.get("instructions")
        if table is None:
            return None
        examples = []
        for number, entry in enumerate(table.get("examples", ())):
            image = entry.get("image")
            if image and (fault := media_fault(self._folder, image, IMAGES)):
                self._source.report(("instructions", "examples", number, "image"), f"image {image!r} {fault}")
            plain = {key: value for key, value in entry.items() if key not in {"image", "image_alt"}}
            picture = Media(path=image, alt=entry.get("image_alt", "")) if image else None
            examples.append(described.Example(**plain, image=picture))
        return described.Instructions(text=table["text"], examples=tuple(examples))

    def _guidelines(self) -> described.Guidelines | None:
        table = self._document.get("guidelines")
        if table is None:
            return None
        text = table.get("text", "")
        if file := table.get("file"):
            try:
                text = (self._folder / file).read_text(encoding="utf-8")
            except (OSError, UnicodeDecodeError) as error:
                self._source.report(("guidelines", "file"), f"the file {file!r} cannot be read ({error})")
        return described.Guidelines(version=table["version"], text=text)

    def _assignment(self, rows: tuple[Unit, ...]) -> described.Assignment | None:
        document = self._document
        table = document.get("assignment")
        data = self._rows(("assignment", "file"), table["file"]) if table and "file" in table else None
        members = {} if data is None else members_in(data, rows, self._source.problems)
        given = [tuple(one["sets"]) for one in document.get("raters", ()) if "sets" in one]
        return assignment_of(table, members, given, rows, document.get("sets", {}).get("count", 1))

    def _cleaning(self) -> described.CleaningRules:
        table = fields_of(self._document.get("cleaning", {}))
        found: dict[str, list[tuple[str, str]]] = {"lexicon": [], "spelling": []}
        for name, (written, meant) in (("lexicon", ("word", "part_of_speech")), ("spelling", ("written", "meant"))):
            file = table.pop(name, None)
            if (data := self._rows(("cleaning", name), file) if file else None) is None:
                continue
            if absent := [column for column in (written, meant) if column not in data.columns]:
                self._source.problems.append(Problem(data.path, 1, f"there is no column {absent[0]!r}"))
                continue
            found[name] = [(normalised(row.cells[written]), row.cells[meant].strip()) for row in data.rows]
        by_word = groupby(sorted(found["lexicon"]), key=itemgetter(0))
        known = {word: frozenset(part_of_speech for _, part_of_speech in group) for word, group in by_word}
        return described.CleaningRules(**table, lexicon=known, spelling=dict(found["spelling"]))


def raised_later(document: Table) -> dict[str, Any]:
    """What of the design may change while answers come in: the rounds that are open, and how units are allocated."""
    allocated = described.Allocation(**document["allocation"]) if "allocation" in document else None
    return {"open_rounds": document.get("assignment", {}).get("open_rounds"), "allocation": allocated}


def _version_in(folder: Path) -> str:
    """The number of the published version, which the study builder writes beside the study."""
    with suppress(OSError, ValueError, KeyError, TypeError):
        return str(json.loads((folder / VERSION).read_text(encoding="utf-8"))["number"])
    return ""


def fields_of(table: Table, **names: str) -> dict[str, Any]:
    """A table whose keys are called as our fields are, and whose lists are fixed."""
    return {names.get(key, key): tuple(one) if isinstance(one, list) else one for key, one in table.items()}


def question(table: Table) -> Question:
    """A question, with the options its kind has by itself when none are given."""
    kind = kind_named(table["task"])
    fields = {field.name for field in dataclasses.fields(Question)}
    given = fields_of(table, optional="is_optional")
    own = {key: setting.default for key, setting in kind.settings.items() if key not in fields}
    given["options"] = options(table.get("options")) or kind.options
    given["patterns"] = tuple(Pattern(**{"category": entry["id"], **entry}) for entry in table.get("patterns", ()))
    return Question(
        **{key: value for key, value in given.items() if key in fields},
        more={**own, **{key: value for key, value in given.items() if key not in fields}},
    )


def options(entries: list[Any] | None) -> tuple[Option, ...]:
    """Options written as texts or as tables; without a key of their own the first nine get 1 to 9."""
    tables = [{"value": entry} if isinstance(entry, str) else entry for entry in entries or ()]
    return tuple(
        Option(**{"label": table["value"], "key": str(i) if i < 10 else "", **table})
        for i, table in enumerate(tables, 1)
    )


def rater(table: Table, sets: described.Assignment | None) -> described.Rater:
    """An invited rater; sets are numbered from 1 in the file and from 0 inside, after them those made for raters."""
    number = table["set"] - 1 if "set" in table else None
    if sets is not None and (named := tuple(table.get("sets", ()))):
        number = (*((name,) for name in sets.names), *sets.joined).index(named)
    return described.Rater(**{key: value for key, value in table.items() if key != "sets"} | {"set": number})


def participant(table: Table) -> described.ParticipantQuestion:
    """A question about the participant."""
    given = {**fields_of(table, required="is_required"), "options": options(table.get("options"))}
    return described.ParticipantQuestion(**given)


def comprehension(table: Table) -> described.Comprehension:
    """The check whether the instructions were understood."""
    asked = [{**entry, "options": options(entry["options"])} for entry in table["questions"]]
    return described.Comprehension(**{**table, "questions": tuple(described.CheckQuestion(**one) for one in asked)})
