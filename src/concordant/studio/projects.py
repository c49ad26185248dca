"""The studies of one house with all that is kept about them, the list that a researcher sees, and new studies.

A new study is made from a form: the study file and its units are written as if by hand, checked, and planned.
"""

import csv
import io
import json
import re
import shutil
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path

from concordant.about import NAME
from concordant.collection.accounts import ADJUDICATOR, RESEARCHER, Accounts, Membership, Visit
from concordant.collection.database import default_url
from concordant.collection.disputes import Adjudication
from concordant.collection.log import Log
from concordant.collection.opened_study import Invitations, read_study, refuse_another_plan, with_invited
from concordant.collection.session import Running
from concordant.collection.study_progress import Targets
from concordant.design.coherence import SHORT_NAME
from concordant.design.description import Description
from concordant.design.schema import StudyError
from concordant.design.study_file import FILE
from concordant.diagnosis.verdict import MAIN, study_verdict
from concordant.errors import ConcordantError, InputError
from concordant.measures.result import Agreement
from concordant.studio.live import Live, Snapshot
from concordant.studio.reports import Reports
from concordant.tasks.kind import kinds

UNITS = "units.csv"
LONGEST_CELL = 131_072  # characters of one cell in a table of units
ADDRESS = re.compile(r"[a-z0-9]([a-z0-9-]{0,40}[a-z0-9])?")


class NotFoundError(ConcordantError):
    """What was asked for is not there, or not for the one who asks."""


class NotAllowedError(ConcordantError):
    """A member may not do this."""


class Studio:
    """The studies by name and the stores of their database; `secret` is the same after a restart.

    `home` is the folder where new studies are kept; None where none can be made. `datasets` are files of finished
    judgements whose reports are offered beside the studies. `media` are the files that pages of a study show, the only
    ones of its folder that are served. `visits` are those asked for a moment ago.
    """

    def __init__(
        self,
        log: Log,
        studies: Mapping[str, Running],
        *,
        home: Path | None = None,
        datasets: Mapping[str, Path] | None = None,
    ) -> None:
        """Take these studies, with everybody who was invited to them."""
        self.log, self.home, self.datasets = log, home, datasets or {}
        self.accounts, self.membership, self.invitations = Accounts(log), Membership(log), Invitations(log)
        self.adjudication, self.targets, self.live = Adjudication(log), Targets(log), Live(log)
        self.reports = Reports()
        self.secret = self.accounts.server_key()
        self.studies: dict[str, Running] = {}
        self.media: dict[str, frozenset[str]] = {}
        self.visits: OrderedDict[str, tuple[Visit, float]] = OrderedDict()
        for study in studies.values():
            self.take(study)

    def take(self, study: Running) -> None:
        """Keep a study, with everybody who was invited to it; one with answers under another plan is refused."""
        name = study.description.name
        refuse_another_plan(self.log, study)
        self.studies[name] = with_invited(self.log, study)
        self.media[name] = shown_files(study.description)

    def study(self, name: str) -> Running | None:
        """The study of this name; one that another process made a moment ago is taken up when it is whole."""
        folder = self.home / name if self.home is not None and SHORT_NAME.fullmatch(name) else None
        known = self.studies.get(name)
        if folder is not None and known is not None and known.description.folder == folder and not folder.exists():
            del self.studies[name]  # another process has put it away
        if name not in self.studies and folder is not None and (folder / FILE).exists():
            with suppress(ConcordantError):
                found = read_study(folder)
                if found.description.name == name:
                    self.take(found)
        return self.studies.get(name)

    def current(self, name: str) -> Running | None:
        """The study of this name with everybody who is invited by now, also by another process."""
        if self.study(name) is not None:
            self.studies[name] = with_invited(self.log, self.studies[name])
        return self.studies.get(name)

    def look_around(self) -> list[Running]:
        """All studies, with those that other processes made since."""
        for file in self.home.glob(f"*/{FILE}") if self.home is not None else ():
            self.study(file.parent.name)
        return list(self.studies.values())


def shown_files(description: Description) -> frozenset[str]:
    """The paths of all pictures and sounds that pages of a study show."""
    examples = description.instructions.examples if description.instructions else ()
    of_units = {medium.path for unit in description.unit_by_id.values() for medium in unit.media}
    return frozenset(of_units | {example.image.path for example in examples if example.image})


def load(paths: Sequence[Path]) -> dict[str, Running]:
    """Read studies and their plans; two of the same name are refused. A folder of studies stands for all in it."""
    home, studies = home_in(paths), dict[str, Running]()
    inside = sorted(file.parent for file in home.glob(f"*/{FILE}")) if home else []
    for path in [*(path for path in paths if path != home), *inside]:
        study = read_study(path)
        name = study.description.name
        if name in studies:
            raise InputError(f"two studies are called {name!r}", file=path, hint="change `name` in one of them")
        studies[name] = study
    return studies


def home_in(paths: Sequence[Path]) -> Path | None:
    """The folder of studies among the paths, where new ones can be made: a folder that is no study itself."""
    return next((path for path in paths if path.is_dir() and not (path / FILE).exists()), None)


def default_database(studies: Mapping[str, Running], home: Path | None = None) -> str:
    """The file beside the study, or in the folder of studies; several studies need a database that is named."""
    if home is not None:
        return default_url(home)
    if len(studies) != 1:
        raise InputError("several studies need one database", hint="name it, as in --db sqlite:///answers.db")
    return default_url(next(iter(studies.values())).description.folder)


@dataclass(frozen=True, kw_only=True)
class Card:
    """One study as the list shows it; `snapshot` is None for adjudicators."""

    study: Running
    role: str
    state: str
    snapshot: Snapshot | None
    n_decided: int

    @property
    def headlines(self) -> list[Agreement]:
        """The main coefficient of the first questions."""
        results = self.snapshot.results if self.snapshot else ()
        return [result for result in results if result.measure == MAIN][:3]

    def verdict_in(self, language: str) -> str:
        """One sentence on how far people agree, once there is something to say."""
        if not self.snapshot or not self.snapshot.results:
            return ""
        titles = self.snapshot.judgements.titles if self.snapshot.judgements else {}
        return study_verdict(self.snapshot.results, (), titles=titles, language=language).sentence

    @property
    def path(self) -> str:
        """Where its pages begin."""
        return f"/studies/{self.study.description.name}"


def studies_of(studio: Studio, who: str) -> list[tuple[Running, str]]:
    """The studies that somebody works on, with their role in each."""
    roles = ((study, studio.membership.role(study.description.name, who)) for study in studio.look_around())
    return [(study, role) for study, role in roles if role is not None]


@dataclass(frozen=True, kw_only=True)
class Destination:
    """Somewhere to jump to: a study, or a question of one; `tab` is the page of the study."""

    study: str
    title: str
    question: str = ""
    asked: str = ""


MOST_PLACES = 40  # that a list to jump from shows


def places(studio: Studio, who: str, words: str) -> list[Destination]:
    """The studies of somebody, then the questions, whose names or texts have all these words."""
    wanted, studies = words.casefold().split(), [study.description for study, _ in studies_of(studio, who)]
    every = [Destination(study=one.name, title=one.title) for one in studies]
    every += [
        Destination(study=one.name, title=one.title, question=asked.id, asked=asked.title or asked.ask or asked.id)
        for one in studies
        for asked in one.questions
    ]
    told = ((one, f"{one.study} {one.title} {one.question} {one.asked}".casefold()) for one in every)
    return [one for one, text in told if all(word in text for word in wanted)][:MOST_PLACES]


def cards(studio: Studio, who: str) -> list[Card]:
    """The same with how far each is."""
    found = []
    for study, role in studies_of(studio, who):
        n_decided = len(studio.adjudication.current(study.description.name))
        snapshot = None if role == ADJUDICATOR else studio.live.measured(study)
        state = "" if snapshot is None else state_of(snapshot, n_decided)
        found.append(Card(study=study, role=role, state=state, snapshot=snapshot, n_decided=n_decided))
    return found


def state_of(snapshot: Snapshot, n_decided: int) -> str:
    """Designed, collecting, finished or adjudicated."""
    progress = snapshot.progress
    if not progress.n_begun:
        return "designed"
    if progress.count("working") or progress.count("invited"):
        return "collecting"
    return "adjudicated" if n_decided else "finished"


def offered() -> dict[str, str]:
    """The kinds of questions that a form is enough to describe, with their names for people."""
    return {key: kind.label for key, kind in kinds().items() if kind.label}


def needs_options(task: str) -> bool:
    """Whether the form must say what can be chosen; Yes and No need not be said."""
    return task in kinds() and "options" in kinds()[task].settings and not kinds()[task].options


@dataclass(frozen=True, kw_only=True)
class DraftQuestion:
    """A question: its short name (made up if empty), how it is answered, and the options, one on each line."""

    ask: str = ""
    name: str = ""
    task: str = "binary"
    options: str = ""

    @property
    def is_empty(self) -> bool:
        """Whether nothing was filled in."""
        return not (self.ask.strip() or self.name.strip() or self.options.strip())

    @property
    def choices(self) -> list[str]:
        """What can be chosen; Yes and No need not be said."""
        lines = [line.strip() for line in self.options.splitlines() if line.strip()]
        return lines if needs_options(self.task) else []


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


def make_study(home: Path, draft: Draft, *, taken: set[str]) -> Running:
    """Write the study into a folder of its own under `home`; nothing is left there when something is wrong."""
    _check(draft, taken)
    folder = home / draft.name
    if folder.exists():
        raise InputError(f"there is already a folder {draft.name!r}", hint="choose another name")
    units = _units_table(draft.units)
    with ExitStack() as failing:
        failing.callback(shutil.rmtree, folder, ignore_errors=True)
        try:
            folder.mkdir(parents=True)
            (folder / UNITS).write_text(units, encoding="utf-8", newline="")
            (folder / FILE).write_text(study_file(draft), encoding="utf-8")
            study = read_study(folder)
        except (ConcordantError, OSError, UnicodeEncodeError) as error:
            # the files it was found in are not the reader's
            said = error.problems[0].what if isinstance(error, StudyError) else str(error)
            raise InputError(said, hint="nothing was made") from error
        failing.pop_all()
    return study


def _check(draft: Draft, taken: set[str]) -> None:
    if not draft.title.strip() or not draft.units.strip() or not draft.questions:
        raise InputError("a title, a question and units are needed", hint="fill in the fields with a star")
    if not ADDRESS.fullmatch(draft.name):
        raise InputError(f"{draft.name!r} cannot be part of an address", hint="use small letters, digits and hyphens")
    if draft.name in taken:
        raise InputError(f"there is already a study {draft.name!r}", hint="choose another name")
    known = offered()
    for number, question in enumerate(draft.questions, start=1):
        if not question.ask.strip():
            raise InputError(f"question {number} has no words", hint="write what raters shall read")
        if question.task not in known:
            raise InputError(f"there is no task {question.task!r}", hint=f"use one of {', '.join(known)}")
        if needs_options(question.task) and not question.choices:
            hint = "write categories or points, one on each line"
            raise InputError(f"question {number} has nothing to choose", hint=hint)


def study_file(draft: Draft) -> str:
    """The study file as somebody would write it."""
    lines = [f"name = {_written(draft.name)}", f"title = {_written(draft.title.strip())}"]
    lines += [f"open = {_written(draft.is_open)}", "", "[units]", f"file = {_written(UNITS)}"]
    lines += ['id = "id"', 'text = "text"', "", "[presentation]", f"passes = {_written(draft.passes)}"]
    for number, question in enumerate(draft.questions, start=1):
        name = question.name.strip()
        slug = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")
        lines += ["", "[[questions]]", f"id = {_written(slug or f'q{number}')}"]
        lines += [f"title = {_written(name)}"] if name and name != slug else []
        lines += [f"task = {_written(question.task)}", f"ask = {_written(question.ask.strip())}"]
        lines += [f"options = {_written(question.choices)}"] if question.choices else []
        lines += ["minimum = 0"] if kinds()[question.task].marks_spans else []  # there may be nothing to mark
    if draft.guidelines.strip():
        lines += ["", "[guidelines]", 'version = "1"', f"text = {_written(draft.guidelines.strip())}"]
    return "\n".join(lines) + "\n"


def _written(value: str | bool | list[str]) -> str:
    """A TOML value: JSON writes texts, truths and lists of texts as TOML does."""
    return json.dumps(value, ensure_ascii=False)


def rows_of(text: str, separator: str = ",", *, strict: bool = False) -> list[list[str]]:
    """The rows of a table that somebody pasted, without blank ones; a quote that is not closed is refused.

    Such a cell goes on to the end. It is found by its length, and not by the limit that Python's reader has: that is
    one number for the whole process, which readers of large files raise.
    """
    csv.field_size_limit(1 << 30)
    try:
        rows = [
            row for row in csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=strict) if any(row)
        ]
    except csv.Error as error:
        raise InputError(f"this is not a proper table ({error})", hint="look for a quote that is not closed") from error
    if any(len(cell) > LONGEST_CELL for row in rows for cell in row):
        what = f"a cell of this table has more than {LONGEST_CELL:,} characters"
        raise InputError(what, hint="look for a quote that is not closed")
    return rows


def _units_table(text: str) -> str:
    """The units as a CSV table with ids, of a table with a column `text` or of one unit on each line."""
    lines = [line.strip() for line in text.strip().split("\n") if line.strip()]
    if "text" in next(iter(rows_of(lines[0])), []):
        rows = rows_of(text.strip(), strict=True)
        rows = rows if "id" in rows[0] else [[str(n) if n else "id", *row] for n, row in enumerate(rows)]
    else:
        rows = [["id", "text"], *([f"u{n}", line] for n, line in enumerate(lines, start=1))]
    written = io.StringIO(newline="")
    csv.writer(written, lineterminator="\n").writerows(rows)
    return written.getvalue()


def can_make(studio: Studio, who: str) -> bool:
    """Whether somebody may make studies here."""
    return studio.home is not None and is_researcher(studio, who)


def is_researcher(studio: Studio, who: str) -> bool:
    """Whether somebody is a researcher anywhere, or not yet a member of any study; adjudicators only decide."""
    roles = studio.membership.roles(who)
    return RESEARCHER in roles or not roles


def made(studio: Studio, who: str, draft: Draft) -> Running:
    """A new study of this researcher, kept from now on."""
    if studio.home is None:
        raise InputError(
            "studies cannot be made on this server", hint=f"serve a folder of studies: `{NAME} serve FOLDER`"
        )
    if not can_make(studio, who):
        raise NotAllowedError("adjudicators decide; studies are made by researchers")
    study = make_study(studio.home, draft, taken=set(studio.studies))
    studio.membership.admit(study.description.name, who)
    studio.take(study)
    return studio.studies[study.description.name]
