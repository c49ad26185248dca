"""A study that was collected here, as an archive keeps it: its folder with the log written down, without its people.

The folder in the archive is a study like any other: `concordant measure study` reads it. Every order of pages was
drawn for a rater's name, so the steps that raters were given are written out. Times count from the first event, which
is put at the beginning of the year 2000: durations and orders stay, dates and times of day do not.
"""

import json
import shutil
import tomllib
import uuid
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from concordant.collection.database import FILE as DATABASE
from concordant.collection.disputes import Adjudication, Decision
from concordant.collection.events import Answered, Assigned, Commented, Deferred, Described, Event, Joined, Shown
from concordant.collection.opened_study import open_study
from concordant.collection.projections import Recorded
from concordant.collection.session import Running, steps_of
from concordant.collection.written_log import DECISIONS, LOG, as_lines
from concordant.design.description import Description
from concordant.design.named_files import CARRIED, PROFILES, named_files
from concordant.design.plan import FILE as PLAN
from concordant.design.study_file import FILE, study_path
from concordant.errors import InputError
from concordant.publication.privacy import WITHHELD, Screen, pseudonyms
from concordant.publication.tables import FOLDER
from concordant.readers.study_log import read_log
from concordant.tasks.kind import kind_of

BEGINNING = datetime(2000, 1, 1, tzinfo=UTC)
ENDINGS = ("thanks", "screened_out", "failed_check")


@dataclass(frozen=True, kw_only=True)
class Kept:
    """What is known of a study only while its log is open."""

    screen: Screen
    title: str
    months: tuple[str, str] | None
    guidelines: Mapping[str, int]
    missing_guidelines: tuple[str, ...]


def write_study(
    place: Path,
    root: Path,
    *,
    keep: Sequence[str],
    drop: Sequence[str],
    with_names: bool,
    guidelines: Mapping[str, Path],
) -> Kept:
    """The study's folder in an archive."""
    with open_study(place) as (log, study):
        name, description = study.description.name, study.description
        recorded, history = log.events(name), Adjudication(log).history(name)
    came = {entry.event.rater for entry in recorded}
    names = pseudonyms(
        {*came, *(one.id for one in description.raters)},
        [one.id for one in description.raters if one.kind != "human"],
    )
    screen = Screen({one: one for one in names} if with_names else names, keep=keep, drop=drop)
    writing = Writing(study, recorded, screen)
    goal = root / FOLDER
    _copy_files(description, _document(place), goal)
    (goal / FILE).write_text(as_toml(writing.document(_document(place))), encoding="utf-8")
    _write_lines(goal / LOG, as_lines(writing.events()))
    if history:
        _write_lines(goal / DECISIONS, [asdict(one) for one in writing.decisions(history)])
    _check_same(place, goal, screen)
    shown = Counter(
        entry.event.guidelines for entry in recorded if isinstance(entry.event, Shown) and entry.event.guidelines
    )
    lacking = _write_guidelines(description, guidelines, shown, root / "guidelines")
    months = [entry.received[:7] for entry in recorded]
    return Kept(
        screen=screen,
        title=description.title,
        months=(min(months), max(months)) if months else None,
        guidelines=dict(shown),
        missing_guidelines=lacking,
    )


class Writing:
    """One study on its way into an archive."""

    def __init__(self, study: Running, recorded: Sequence[Recorded], screen: Screen) -> None:
        """Decide at once what may be said about raters."""
        self._study, self._recorded, self._screen = study, recorded, screen
        self._ids = {entry.event.id: str(uuid.UUID(int=n)) for n, entry in enumerate(recorded, 1)}
        self._first = min((_moment(entry.received) for entry in recorded), default=BEGINNING)
        described: dict[str, Mapping[str, str]] = {}
        for entry in recorded:
            if isinstance(entry.event, Described):
                described[entry.event.rater] = entry.event.answers
        invited = {one.id: one.attributes for one in study.description.raters}
        raters = sorted({*described, *(rater for rater, about in invited.items() if about)})
        free = {one.id for one in study.description.participant if one.kind == "text"}
        needed = {one.id for one in study.description.participant if one.accept}
        self._admitted = set(needed)
        columns = {n for about in (*described.values(), *invited.values()) for n in about} | {"comment"}
        for name in sorted(columns - needed - {"comment"}):
            values = [described.get(rater, {}).get(name) or invited.get(rater, {}).get(name, "") for rater in raters]
            if name in free and name not in screen.keep:
                screen.withheld[name] = "participants' own words"
            elif screen.admits(name, values):
                self._admitted.add(name)
        if "comment" not in screen.keep and any(isinstance(entry.event, Commented) for entry in recorded):
            screen.withheld["comment"] = "participants' own words"
        screen.refuse_unknown(columns)

    def document(self, document: dict[str, Any]) -> dict[str, Any]:
        """The study file: raters by their numbers, no codes and addresses of a platform."""
        listed = {one["id"]: one for one in document.get("raters", ())}
        raters = [
            {
                **{key: value for key, value in listed.get(one.id, {}).items() if key != "attributes"},
                "id": self._screen.names[one.id],
                **({"attributes": about} if (about := self._about(one.attributes)) else {}),
            }
            for one in sorted(self._study.description.raters, key=lambda one: one.id)
        ]
        made = {name: value for name, value in document.items() if name not in ("raters", "recruitment")}
        for name in ENDINGS:
            if name in made:
                made[name] = {key: value for key, value in made[name].items() if key not in ("code", "return_url")}
        return made | ({"raters": raters} if raters else {})

    def _about(self, about: Mapping[str, str]) -> dict[str, str]:
        """What may be said about a rater."""
        return {name: self._screen.text(value) for name, value in about.items() if name in self._admitted}

    def events(self) -> Iterator[Recorded]:
        """The log: every event, with what points to people taken out."""
        for number, entry in enumerate(self._recorded, 1):
            event = self._without_people(entry.event)
            given: dict[str, Any] = {
                "id": self._ids[entry.event.id],
                "rater": self._screen.names[event.rater],
                "at": self._shifted(event.at),
            }
            if isinstance(event, Answered | Deferred) and event.revises is not None:
                given["revises"] = [self._ids[id] for id in event.revises if id in self._ids]
            yield replace(entry, seq=number, received=self._shifted(entry.received), event=replace(event, **given))

    def _without_people(self, event: Event) -> Event:
        match event:
            case Joined():
                return replace(event, origin={}, link="personal" if event.link == "personal" else "open")
            case Assigned(layout=layout) if layout is not None:
                steps = [step.to_dict() for step in steps_of(self._study, event)]
                return replace(event, steps=steps, layout=None)
            case Described():
                return replace(event, answers=self._about(event.answers))
            case Commented() if "comment" not in self._screen.keep:
                return replace(event, text=WITHHELD)
            case Commented():
                return replace(event, text=self._screen.text(event.text))
            case Answered():
                return replace(event, value=self._answer(event))
        return event

    def _answer(self, event: Answered) -> Any:
        """Choices as they are, words that somebody wrote without what points to people."""
        asked = self._study.description.question(event.question) if event.question in self._questions else None
        if asked is None or event.value is None:
            return event.value
        if kind_of(asked).is_free_text and isinstance(event.value, str):
            self._screen.read[asked.id] = self._screen.read.get(asked.id, 0) + (len(event.value.split()) > 3)
            return self._screen.text(event.value)[: asked.max_length]
        if asked.patterns and isinstance(event.value, Mapping):
            return {name: self._screen.text(word)[: asked.max_length] for name, word in event.value.items()}
        return event.value

    @property
    def _questions(self) -> set[str]:
        return {question.id for question in self._study.description.questions}

    def decisions(self, history: Sequence[Decision]) -> Iterator[Decision]:
        """What was decided, by whom only as a number; comments may name people."""
        who = {name: f"D{n}" for n, name in enumerate(dict.fromkeys(one.adjudicator for one in history), 1)}
        seen = {entry.seq: n for n, entry in enumerate(self._recorded, 1)}
        for number, one in enumerate(history, 1):
            before = max((n for seq, n in seen.items() if seq <= one.seen), default=0)
            yield replace(
                one,
                adjudicator=who[one.adjudicator],
                comment=self._screen.text(one.comment),
                seen=before,
                id=str(uuid.UUID(int=len(self._ids) + number)),
                at=self._shifted(one.at),
            )

    def _shifted(self, at: str) -> str:
        """A moment counted from the first one."""
        return (BEGINNING + (_moment(at) - self._first)).isoformat(timespec="milliseconds")


def _moment(text: str) -> datetime:
    """A moment as it was logged."""
    found = datetime.fromisoformat(text)
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def _document(place: Path) -> dict[str, Any]:
    path = study_path(place if place.name != DATABASE else place.parent)
    return tomllib.loads(path.read_text(encoding="utf-8"))


def files_of(description: Description, document: Mapping[str, Any]) -> Iterator[str]:
    """Every file that the study names, under its folder; what lies outside is refused."""
    named = [*named_files(document)]
    units = {id(unit): unit for unit in (*description.rows, *description.units, *description.unit_by_id.values())}
    media = [one.path for unit in units.values() for one in (unit.image, unit.audio) if one is not None]
    examples = description.instructions.examples if description.instructions else ()
    shown = [one.image.path for one in examples if one.image is not None]
    folders = {name: document.get("units", {}).get(name) for name in PROFILES}
    inside = description.folder.resolve()
    for name, folder in folders.items():
        whole = [] if folder is None else sorted((inside / folder).rglob("*"))
        told = [path for path in whole if path.is_file() and path.name[0] != "."]
        if name == CARRIED:  # its table `tree` says who decided; the decisions themselves are enough to begin with
            told = [path for path in told if path.name.removesuffix(".gz") != "tree"]
        named += [str(path.relative_to(inside)) for path in told]
    for file in dict.fromkeys([*named, *media, *shown]):
        if not (inside / file).resolve().is_relative_to(inside):
            fault = f"{file!r} lies outside the study's folder"
            raise InputError(fault, file=description.folder / FILE, hint="copy it into the folder")
        yield file


def _copy_files(description: Description, document: Mapping[str, Any], goal: Path) -> None:
    """The study's files, and its plan."""
    for file in (*files_of(description, document), PLAN):
        (goal / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(description.folder / file, goal / file)


def _write_guidelines(
    description: Description, given: Mapping[str, Path], shown: Mapping[str, int], goal: Path
) -> tuple[str, ...]:
    """Every version of the guidelines that there is; returns those that were shown and are not here."""
    texts = {version: path.read_bytes() for version, path in given.items()}
    if description.guidelines is not None:
        texts.setdefault(description.guidelines.version, description.guidelines.text.encode())
    for version, text in texts.items():
        goal.mkdir(exist_ok=True)
        safe = "".join(c if c.isalnum() or c in "-_." else "_" for c in version)
        (goal / f"{safe.lstrip('.') or 'version'}.md").write_bytes(text)
    return tuple(version for version in shown if version not in texts)


def _write_lines(path: Path, lines: Sequence[Mapping[str, Any]]) -> None:
    path.write_text("".join(json.dumps(one, ensure_ascii=False) + "\n" for one in lines), encoding="utf-8")


def _check_same(place: Path, goal: Path, screen: Screen) -> None:
    """The folder must give the same judgements as the study does: else its numbers would be others."""
    found: list[object] = []
    for one in (place, goal):
        try:
            study = read_log(one, attributes=[])
        except InputError:
            found.append(None)  # nothing was judged that can be measured
            continue
        names = study.raters if one is goal else tuple(screen.names[name] for name in study.raters)
        rows = zip(study.unit.text(), study.rater.codes.tolist(), study.value.text(), strict=True)
        asked = [] if study.question is None else study.question.text().tolist()
        found.append((names, list(rows), asked))
    if found[0] != found[1]:
        raise InputError("the archived log does not give the same judgements", file=place, hint="report this")


def as_toml(document: Mapping[str, Any]) -> str:
    """The document as TOML; comments and the layout of the original are not kept.

    >>> print(as_toml({"name": "x", "units": {"file": "u.csv"}, "raters": [{"id": "R1"}]}), end="")
    name = "x"
    <BLANKLINE>
    [units]
    file = "u.csv"
    <BLANKLINE>
    [[raters]]
    id = "R1"
    """
    plain = {key: value for key, value in document.items() if not _is_table(value) and not _is_tables(value)}
    parts = [_settings(plain)]
    for key, value in document.items():
        if _is_table(value):
            parts.append(f"[{_key(key)}]\n{_settings(value)}")
        elif _is_tables(value):
            parts += [f"[[{_key(key)}]]\n{_settings(one)}" for one in value]
    return "\n".join(parts)


def _is_table(value: object) -> bool:
    return isinstance(value, Mapping)


def _is_tables(value: object) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(one, Mapping) for one in value)


def _settings(table: Mapping[str, Any]) -> str:
    return "".join(f"{_key(key)} = {_value(value)}\n" for key, value in table.items())


def _key(name: str) -> str:
    return name if name.replace("_", "").replace("-", "").isalnum() and name.isascii() else _value(name)


def _value(value: object) -> str:
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_key(key)} = {_value(one)}" for key, one in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(_value, value)) + "]"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, bool):
        return "true" if value else "false"
    return repr(value) if isinstance(value, int | float) else str(value)  # what is left are dates and times
