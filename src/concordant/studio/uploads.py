"""Files that somebody brings: what is understood of them, and what can be said of the judgements in them.

They lie in a private folder until their owner starts over, a day has passed or the server stops; nothing else is kept.
How they are read is chosen with the options that commands have. The choices stand in the address of a page, so that
one can go back, and the command that repeats the page is shown with it.
"""

import io
import re
import secrets
import shlex
import shutil
import time
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from threading import Lock
from typing import IO, Any
from urllib.parse import urlencode

from concordant.about import NAME
from concordant.choices import Choice
from concordant.diagnosis.diagnose import diagnose
from concordant.diagnosis.findings import Finding
from concordant.diagnosis.forensics import examine
from concordant.diagnosis.material import open_case
from concordant.diagnosis.verdict import StudyVerdict, study_verdict
from concordant.errors import ConcordantError, InputError
from concordant.gold.standard import gold
from concordant.measures.result import Agreement
from concordant.model.scale import Level
from concordant.model.spans import SpanTable
from concordant.model.study import Study
from concordant.readers import find_format, formats, read_as
from concordant.readers.account import Account, account_of
from concordant.readers.format import LAST
from concordant.readers.joined import OWNERS as OWNERS
from concordant.readers.joined import joins_of
from concordant.readers.table import read_table
from concordant.readers.zipped import opened, unpacked
from concordant.studio.exports import REPORTS, Product, report_of
from concordant.studio.live import SEED
from concordant.studio.measurements import FEW_RATERS, FEW_TEXTS, MEASURES, Block, block_of, lowest_of
from concordant.studio.projects import NotFoundError, Studio
from concordant.uncertainty.studies import measure_study

MOST_FILES, MOST_UPLOADS, MOST_JOINED = 2000, 10, 5
DAY = 86_400.0
MOST_LOOKED_AT = 200_000  # judgements whose raters are compared pair by pair at once
MOST_ROWS = 5
COLUMNS = ("unit", "rater", "value", "question", "text", "begin", "end", "category")
READ_AS = ("questions", "raters", "recode", "level")
ABOUT_VALUES = (*READ_AS, "categories", "missing", "duplicates", "case", "empty", "rows")
OFFERED = (*COLUMNS, *ABOUT_VALUES, "layer", "feature", "folders", "encoding", "separator")
"""The options of readers that a page offers, where the format has them; those that name files are not among them."""
LABELS = {
    "format": "Format",
    "unit": "Column that says what is judged",
    "rater": "Column that says who judged",
    "value": "Column with the judgement",
    "question": "Column that says which question",
    "text": "Column with the text",
    "begin": "Column with the begin",
    "end": "Column with the end",
    "category": "Column with the category",
    "raters": "Columns that are raters (one for each), or only these raters",
    "questions": "Columns that are questions, separated by commas",
    "recode": "Values to read as others, as in rating:n/a=0",
    "level": "Kind of values",
    "categories": "All values in order, separated by commas",
    "missing": "Values that mean “missing”, separated by commas",
    "duplicates": "Several judgements of one unit by one rater",
    "case": "Names that differ only in capitals",
    "empty": "What an empty cell stands for",
    "rows": "What a row of the table is about",
    "layer": "Layer",
    "feature": "Feature that is the category",
    "folders": "What folders are",
    "encoding": "Encoding of the text",
    "separator": "What stands between columns",
}
LEVELS = [level.value for level in Level]
ROLES = {"unit": "what is judged", "rater": "who judged", "value": "the judgement", "question": "the question"}


@dataclass(frozen=True, kw_only=True)
class Upload:
    """The files that somebody brought at once, below a folder of their own."""

    key: str
    owner: str
    folder: Path
    touched: float
    files: list[Path] = field(default_factory=list)
    joined: list[tuple[Path, str]] = field(default_factory=list)  # tables of attributes, and whose they are
    read: "OrderedDict[tuple[tuple[str, str], ...], Understood]" = field(default_factory=OrderedDict)

    @property
    def name(self) -> str:
        """What was brought, in words."""
        return self.files[0].name if len(self.files) == 1 else f"{len(self.files)} files"

    def add(self, name: str, content: IO[bytes]) -> None:
        """Store a file under the name that the browser says, whose folders may be raters or texts."""
        parts = [re.sub(r"[\x00-\x1f\\:]", "_", part).strip()[:150] for part in PurePosixPath(name).parts]
        kept = [part.lstrip(".") or "_" for part in parts if part.strip("./ ")]
        goal = self.folder.joinpath(*kept[-4:] or ["file"])
        if goal in self.files or len(self.files) >= MOST_FILES:
            why = f"two files are called {name}" if goal in self.files else f"these are more than {MOST_FILES:,} files"
            raise InputError(why, hint="put them into one archive (.zip), or bring fewer")
        goal.parent.mkdir(parents=True, exist_ok=True)
        with goal.open("xb") as stream:
            shutil.copyfileobj(content, stream)
        self.files.append(goal)

    @property
    def beside(self) -> Path:
        """The folder of tables of attributes, which are no judgements."""
        return self.folder.with_name(f"{self.folder.name}-attributes")

    def join(self, name: str, content: IO[bytes], on: str, choices: Mapping[str, str]) -> None:
        """Store a table that says more about units or raters; one that does not fit is not kept."""
        safe = re.sub(r"[\x00-\x1f\\\\:]", "_", PurePosixPath(name).name).strip()[:150].lstrip(".") or "attributes"
        if any(file.name == safe for file, _ in self.joined) or len(self.joined) >= MOST_JOINED:
            raise InputError("there is a table of this name already, or there are many", hint="remove one")
        goal = self.beside / safe
        goal.parent.mkdir(mode=0o700, exist_ok=True)
        with goal.open("wb") as stream:
            shutil.copyfileobj(content, stream)
        self.joined.append((goal, on))
        self.read.clear()
        if problem := understand(self, choices).problem:
            self.part(safe)
            raise InputError(problem)

    def part(self, name: str) -> None:
        """Remove a table of attributes."""
        for one in [one for one in self.joined if one[0].name == name]:
            self.joined.remove(one)
            one[0].unlink(missing_ok=True)
        self.read.clear()

    def plainly(self, text: str) -> str:
        """A message for a page: without places of this server, options by the names of their fields."""
        text = text.replace(f"{self.beside}/", "").replace(f"{self.folder}/", "").replace(str(self.folder), self.name)
        text = re.sub(r" \(say --[a-z]+ to change it\)|; say --[a-z]+ to change it", "", text)
        return re.sub(
            r"--([a-z]+)", lambda option: f"“{LABELS[option[1]]}”" if option[1] in LABELS else option[0], text
        )


class Uploads:
    """Everything that was brought to one server; each owner sees their own."""

    def __init__(self) -> None:
        """Begin with nothing; the folder is made when something comes."""
        self._place: TemporaryDirectory[str] | None = None
        self._known: OrderedDict[str, Upload] = OrderedDict()
        self._lock = Lock()

    def begin(self, owner: str) -> Upload:
        """An empty upload of this owner; the oldest is forgotten when there are many."""
        with self._lock:
            self._place = self._place or TemporaryDirectory(prefix=f"{NAME}-files-")
            key = secrets.token_urlsafe(9)
            folder = Path(self._place.name) / key
            folder.mkdir(mode=0o700)
            made = Upload(key=key, owner=owner, folder=folder, touched=time.monotonic())
            self._known[key] = made
            old = [one.key for one in self._known.values() if one.touched < time.monotonic() - DAY]
            own = [one.key for one in self._known.values() if one.owner == owner]
            for gone in {*old, *own[:-MOST_UPLOADS]}:
                self._drop(gone)
        return made

    def find(self, owner: str, key: str) -> Upload:
        """What this owner brought under a key."""
        found = self._known.get(key)
        if found is None or found.owner != owner or found.touched < time.monotonic() - DAY:
            raise NotFoundError("these files are not here any more: they are kept for a day, and not over a restart")
        return found

    def forget(self, owner: str, key: str) -> None:
        """Remove what this owner brought."""
        with self._lock:
            self._drop(self.find(owner, key).key)

    def of(self, owner: str) -> list[Upload]:
        """What this owner brought, the latest first."""
        return [one for one in reversed(self._known.values()) if one.owner == owner and one.files]

    def close(self) -> None:
        """Remove everything."""
        with self._lock:
            self._known.clear()
            if self._place is not None:
                self._place.cleanup()
                self._place = None

    def _drop(self, key: str) -> None:
        gone = self._known.pop(key)
        for folder in (gone.folder, gone.beside):
            shutil.rmtree(folder, ignore_errors=True)


@dataclass(frozen=True, kw_only=True)
class Understood:
    """Files as they were read, or why they were not; `columns` are those of a table, with what each was taken for."""

    upload: Upload
    chosen: Mapping[str, str]
    offered: Sequence[Choice]
    columns: Mapping[str, str] = field(default_factory=dict)
    data: Any = None
    account: Account | None = None
    problem: str = ""

    @property
    def query(self) -> str:
        """The choices as an address has them."""
        return urlencode(self.chosen)

    def command(self, what: str = "report", *more: str) -> str:
        """The command that does the same with the files."""
        options = [part for name, value in self.chosen.items() for part in (f"--{name}", value)]
        joined = [("--attributes", file.name, "--on", on) for file, on in self.upload.joined]
        options += [part for one in joined for part in one]
        place = self.upload.folder
        names = [self.upload.name if one == place else str(one.relative_to(place)) for one in paths_of(self.upload)]
        return shlex.join([NAME, what, *names, *options, *more])


def understand(upload: Upload, choices: Mapping[str, str]) -> Understood:
    """Read the files as was chosen; what cannot be read is said with what can be chosen."""
    chosen = {name: choices[name].strip() for name in ("format", *OFFERED) if choices.get(name, "").strip()}
    place = tuple(chosen.items())
    if place not in upload.read:
        upload.read[place] = _understand(upload, chosen)
        while len(upload.read) > 2:  # what was read and what is looked at now
            upload.read.popitem(last=False)
    return upload.read[place]


def _understand(upload: Upload, chosen: dict[str, str]) -> Understood:
    offered: Sequence[Choice] = ()
    try:
        paths, how = paths_of(upload), {name: chosen.get(name) for name in ("encoding", "separator")}
        found = find_format(*paths, format=chosen.get("format"), **how)
        offered = _offered(found.format.name)
        given = {name: value for name, value in chosen.items() if name != "format"}
        listed = given | {c.name: c.listed(given[c.name]) for c in offered if c.name in given}
        joins = joins_of([str(file) for file, _ in upload.joined], [on for _, on in upload.joined])
        data = read_as(found.format, *paths, joins=joins if upload.joined else (), **listed)
        account = account_of(data, found)
    except ConcordantError as error:
        columns = dict.fromkeys(_names(upload), "")
        tables = _offered("table") if columns and not offered else offered
        problem = upload.plainly(str(error))
        return Understood(upload=upload, chosen=chosen, offered=tables, columns=columns, problem=problem)
    columns = _taken_for(data, account) if isinstance(data, Study) else {}
    return Understood(upload=upload, chosen=chosen, offered=offered, columns=columns, data=data, account=account)


def paths_of(upload: Upload) -> list[Path]:
    """What to read: the only file, several files side by side, or the folder; an archive of files is unpacked first."""
    files = upload.files
    if len(files) == 1 and files[0].suffix.casefold() == ".zip":
        with suppress(InputError):
            if find_format(files[0]).confidence > LAST:  # the export of a tool, not just anything that may be a table
                return files
        return [_unpacked(upload, files[0])]
    if len(files) > 1:
        with suppress(InputError):
            if find_format(*files).format.most is None and all(file.parent == upload.folder for file in files):
                return files
        return [upload.folder]
    return files


def _unpacked(upload: Upload, archive: Path) -> Path:
    """The folder that an archive unpacks to; of one that cannot be unpacked whole nothing is left to be read."""
    goal = upload.folder / f"{archive.stem} unpacked"
    if goal.exists():
        return goal
    inside = Upload(key=upload.key, owner=upload.owner, folder=goal, touched=upload.touched)
    try:
        with opened(archive) as whole:
            for name in whole.namelist():
                if not name.endswith("/") and not name.startswith("__MACOSX/"):
                    inside.add(name, io.BytesIO(unpacked(whole, name, archive)))
        if not inside.files:
            raise InputError("there is no file in this archive", file=archive)
    except InputError:
        shutil.rmtree(goal, ignore_errors=True)
        raise
    return goal


def _offered(name: str) -> list[Choice]:
    """What can be chosen about a format."""
    return [one for one in formats()[name].options.described() if one.name in OFFERED]


def _names(upload: Upload) -> Sequence[str]:
    """The names of the columns of the only file, if it is a table at all."""
    with suppress(ConcordantError):
        if len(upload.files) == 1:
            return read_table(upload.files[0]).names
    return ()


def _taken_for(study: Study, account: Account) -> dict[str, str]:
    """Every column with what it was taken for: in a wide table each rater is one."""
    is_long = "value" in study.role_of.values()
    raters = {} if is_long else dict.fromkeys(study.raters, "the judgements of a rater")
    roles = {name: ROLES.get(role, role) for name, role in study.role_of.items()}
    others = dict.fromkeys(account.attributes, "an attribute, to slice by")
    return roles | raters | others | {name: f"not used: {why}" for name, why in account.unused}


@dataclass(frozen=True, kw_only=True)
class FirstLook:
    """What there is to say at once: the verdict, coefficients question by question, and what to look at first."""

    verdict: StudyVerdict | None = None
    blocks: Sequence[Block] = ()
    findings: Sequence[Finding] = ()
    note: str = ""


def first_look(found: Understood) -> FirstLook:
    """Measure what was read; raters are compared pair by pair where that does not take long."""
    data = found.data
    if isinstance(data, SpanTable) and len(set(data.text.tolist())) > FEW_TEXTS:
        return FirstLook(note="There are many texts, and aligning them takes a while: the report has all coefficients.")
    try:
        results = measure_study(data, MEASURES if isinstance(data, SpanTable) else (), seed=SEED)
    except ConcordantError as error:
        return FirstLook(note=found.upload.plainly(str(error)))
    parts: dict[str, list[Agreement]] = {}
    for one in results:
        place = " · ".join(filter(None, (one.question, *(one.slice or {}).values())))
        parts.setdefault(place or "Coefficients", []).append(one)
    lowest = lowest_of(results)
    blocks = [block_of(place, "", group, lowest) for place, group in parts.items()]
    if not isinstance(data, Study):
        return FirstLook(blocks=blocks)
    if data.n_rows <= MOST_LOOKED_AT and len(data.raters) <= FEW_RATERS:
        diagnosis = diagnose(data, by=[], seed=SEED)
        return FirstLook(verdict=diagnosis.verdict, blocks=blocks, findings=diagnosis.findings)
    return FirstLook(verdict=study_verdict(results, []), blocks=blocks, findings=examine(open_case(data))[0])


def preview(found: Understood) -> tuple[list[str], list[list[str]]]:
    """The first judgements or spans as they were read: columns and rows."""
    data = found.data
    if isinstance(data, Study):
        shown = {"unit": data.unit, "rater": data.rater, "question": data.question, "value": data.value}
        columns = {name: column for name, column in shown.items() if column is not None}
        n = min(MOST_ROWS, data.n_rows)
        cells = {name: column.as_labels() for name, column in columns.items()}
        rows = [[_cell(column, i) for column in cells.values()] for i in range(n)]
        return list(columns), rows
    if isinstance(data, SpanTable):
        names = ["text", "rater", "begin", "end", "category"]
        kept = [getattr(data, name)[:MOST_ROWS] for name in names]
        return names, [[str(cell) for cell in row] for row in zip(*kept, strict=True)]
    return [], []


def _cell(column: Any, row: int) -> str:
    code = int(column.codes[row])
    return column.labels[code] if code >= 0 else ""


def report(studio: Studio, found: Understood, ending: str) -> Product:
    """The report of what was read."""
    if ending not in REPORTS or found.data is None:
        raise NotFoundError(found.problem or f"a report is one of {', '.join(REPORTS)}")
    name = found.upload.files[0].stem if len(found.upload.files) == 1 else "files"
    return report_of(studio, found.data, found.upload.name, re.sub(r"[^\w.-]", "_", name), ending)


def gold_table(found: Understood) -> str:
    """The value that most raters gave to each unit, or the spans that most raters marked, as CSV."""
    few = isinstance(found.data, SpanTable) and len(set(found.data.text.tolist())) <= FEW_TEXTS
    if not (few or isinstance(found.data, Study)):
        raise NotFoundError(found.problem or "a gold standard is made of judgements, or of spans in few texts")
    return str(gold(found.data).to_csv())


def format_names() -> list[tuple[str, str]]:
    """All formats with what they are, by name."""
    return [(name, f"{name}: {one.help.partition('.')[0]}") for name, one in sorted(formats().items())]
