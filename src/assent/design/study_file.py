"""Reading a study: the TOML file and its data files become a `Description`, or a list of everything that is wrong.

description = read(Path("features/study.toml"))
"""

import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from assent.design import parts
from assent.design.checking import Source, check_tables, is_sound
from assent.design.coherence import check_coherence
from assent.design.description import (
    Checks,
    CleaningRules,
    Description,
    Guidelines,
    Pairing,
    Presentation,
    Question,
    Sampling,
    Sets,
    Training,
    Unit,
)
from assent.design.problems import Problem, StudyError
from assent.design.rows import DataFile, read_rows
from assent.design.schema import UNITS
from assent.design.sentences import SentenceReader, unreadable
from assent.design.units import UnitReader, merged

FILE = "study.toml"


def read(path: Path) -> Description:
    """Read a study from its file or its folder; raises StudyError with all mistakes when there are any."""
    return _Reading(study_path(path)).description()


def problems(path: Path) -> tuple[Problem, ...]:
    """Everything that is wrong with a study; empty when it can be used."""
    try:
        description = read(path)
    except StudyError as error:
        return error.problems
    found = [fault for unit in description.unit_by_id.values() for fault in unreadable(unit)]
    return tuple(Problem(study_path(path), 0, fault) for fault in found)


def study_path(path: Path) -> Path:
    """The study file: the path itself, or `study.toml` in the folder it names."""
    return path / FILE if path.is_dir() else path


class _Reading:
    """One reading of one study: the parsed file and what was wrong."""

    def __init__(self, path: Path) -> None:
        text = _text(path)
        self._document = _parsed(path, text)
        self._folder = path.parent
        self._source = Source(path, text)
        self._faults: list[Problem] = []
        self._pool: tuple[Unit, ...] = ()

    def description(self) -> Description:
        """Check the file against the schema, then its contents against each other, then make the description."""
        check_tables(self._source, self._document)
        if not self._source.problems or is_sound(UNITS, self._document.get("units")):
            self._pool = self._judged_units()  # say at once what is wrong with the data
        self._stop_on_problems()
        description = self._assembled()
        check_coherence(self._source, description, self._document)
        self._stop_on_problems()
        return description

    def _stop_on_problems(self) -> None:
        if found := [*self._source.problems, *self._faults]:
            raise StudyError(found)

    def _assembled(self) -> Description:
        document = self._document
        questions = tuple(parts.question(self._source, i, table) for i, table in enumerate(document["questions"]))
        training, checks = self._training(questions), self._checks(questions)
        rows = self._left_in_pool(training, checks)
        merges = document["units"].get("merge_identical", True)
        return Description(
            name=document["name"],
            title=document["title"],
            folder=self._folder,
            language=document.get("language", "en"),
            seed=document.get("seed", 1),
            is_open=document.get("open", False),
            questions=questions,
            units=merged(rows) if merges else rows,
            rows=rows,
            profile=self._folder / document["units"]["profile"] if "profile" in document["units"] else None,
            raters=tuple(parts.rater(table) for table in document.get("raters", ())),
            introduction=parts.introduction(document.get("introduction")),
            participant=tuple(parts.participant(table) for table in document.get("participant", ())),
            instructions=parts.instructions(self._source, self._folder, document.get("instructions")),
            training=training,
            thanks=parts.thanks(document.get("thanks", {"text": ""})),
            guidelines=self._guidelines(),
            presentation=Presentation(**document.get("presentation", {})),
            checks=checks,
            sampling=Sampling(**document.get("sample", {})),
            sets=Sets(**document.get("sets", {})),
            pairing=_pairing(document.get("pairs")),
            cleaning=self._cleaning(),
        )

    def _rows(self, place: tuple[str, ...], file: str) -> DataFile | None:
        """A data file of the study; a file that cannot be read is reported, and the rest is checked all the same."""
        if not (self._folder / file).exists():
            self._source.report(place, f"the file {file!r} does not exist")
            return None
        try:
            return read_rows(self._folder / file)
        except StudyError as error:
            self._faults += error.problems
            return None

    def _judged_units(self) -> tuple[Unit, ...]:
        """The units of the data file or, instead, the sentences of the profile."""
        settings = self._document["units"]
        if ("file" in settings) == ("profile" in settings):
            self._source.report(("units",), "'file' or 'profile' is needed, and not both", "name where the units are")
            return ()
        if "file" in settings:
            return self._units(("units", "file"), settings["file"])
        reader = SentenceReader(self._folder, settings)
        units = reader.units()
        self._faults += reader.problems
        return units

    def _left_in_pool(self, training: Training | None, checks: Checks) -> tuple[Unit, ...]:
        """The units that are judged: sentences of a profile that serve for training or gold are not among them."""
        if "profile" not in self._document["units"]:
            return self._pool
        taken = {unit.id for unit in (*(training.units if training else ()), *checks.gold)}
        return tuple(unit for unit in self._pool if unit.id not in taken)

    def _units(self, place: tuple[str, ...], file: str, questions: tuple[Question, ...] = ()) -> tuple[Unit, ...]:
        data = self._rows(place, file)
        if data is None:
            return ()
        sentences = {unit.id: unit for unit in self._pool if unit.parses}
        reader = UnitReader(self._folder, self._document["units"], data, sentences)
        units = reader.units(questions)
        self._faults += reader.problems
        return units

    def _training(self, questions: tuple[Question, ...]) -> Training | None:
        table = self._document.get("training")
        if table is None:
            return None
        units = self._units(("training", "file"), table["file"], questions)
        return Training(units=units, second_try=table.get("second_try", False))

    def _checks(self, questions: tuple[Question, ...]) -> Checks:
        gold = self._document.get("gold")
        repeats = self._document.get("repeats", {})
        return Checks(
            gold=self._units(("gold", "file"), gold["file"], questions) if gold else (),
            repeats=repeats.get("count", 0),
            gap=repeats.get("gap", 10),
        )

    def _guidelines(self) -> Guidelines | None:
        table = self._document.get("guidelines")
        if table is None:
            return None
        text = table.get("text", "")
        if "file" in table:
            text = self._read_text(("guidelines", "file"), table["file"])
        return Guidelines(version=table["version"], text=text)

    def _read_text(self, place: tuple[str, ...], file: str) -> str:
        try:
            return (self._folder / file).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            self._source.report(place, f"the file {file!r} cannot be read ({error})")
            return ""

    def _cleaning(self) -> CleaningRules:
        table = dict(self._document.get("cleaning", {}))
        lexicon, spelling = table.pop("lexicon", None), table.pop("spelling", None)
        table["allowed_phrases"] = tuple(table.get("allowed_phrases", ()))
        return CleaningRules(
            **table,
            lexicon=self._lookup("lexicon", lexicon, parts.lexicon, ("word", "part_of_speech")),
            spelling=self._lookup("spelling", spelling, parts.spelling, ("written", "meant")),
        )

    def _lookup(
        self, name: str, file: str | None, make: Callable[[DataFile], Mapping[str, Any]], columns: tuple[str, ...]
    ) -> Mapping[str, Any]:
        data = self._rows(("cleaning", name), file) if file else None
        if data is None:
            return {}
        if absent := [column for column in columns if column not in data.columns]:
            self._faults.append(Problem(data.path, 1, f"there is no column {absent[0]!r}"))
            return {}
        return make(data)


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = "the file does not exist" if isinstance(error, FileNotFoundError) else f"cannot be read ({error})"
        raise StudyError([Problem(path, 0, reason, "`assent init DIR` makes a study")]) from error


def _parsed(path: Path, text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        what, line = parts.split_toml_message(str(error), text)
        raise StudyError([Problem(path, line, f"not TOML: {what}")]) from error


def _pairing(table: Mapping[str, Any] | None) -> Pairing | None:
    if table is None:
        return None
    within = tuple(table.get("within", ("item",)))
    return Pairing(vector=tuple(table["vector"]), per_group=table["per_group"], within=within)
