"""Files that somebody brings: kept aside for a day, read by a worker process, corrected, reported.

They lie in a private folder until their owner starts over, a day has passed or the server stops; nothing else is kept,
unless their owner says so (`kept_files.py`). How they are read is chosen with the options that commands have. The
choices stand in the address of a page, so that one can go back, and the command that repeats the page is shown with it.
"""

import re
import secrets
import shlex
import shutil
import time
from collections import OrderedDict
from collections.abc import Mapping
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from threading import Lock
from typing import IO
from urllib.parse import urlencode

from concordant.about import NAME
from concordant.design.examples import EXAMPLES
from concordant.errors import InputError
from concordant.model.scale import Level
from concordant.progress import Progress
from concordant.readers import formats
from concordant.readers.joined import OWNERS as OWNERS
from concordant.studio.brought_files import OFFERED, Asked, Seen, gold_in, place_of, report_on, see
from concordant.studio.exports import REPORTS, Product, made_report
from concordant.studio.projects import NotFoundError, Studio
from concordant.studio.workers import MOST, Bounds, Workers

MOST_UPLOADS, MOST_JOINED = 10, 5
DAY = 86_400.0
REPORT_SECONDS = 3600.0
WRITTEN_TOGETHER = (("html", "md", "tex"), ("xlsx",))
"""Formats of a report that are written at once; those with pictures of their own kind take a while."""
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
    "sheet": "Sheet of the workbook",
}
LEVELS = [level.value for level in Level]


@dataclass(frozen=True, kw_only=True)
class Upload:
    """The files that somebody brought at once, below a folder of their own; `title` is given to what is kept."""

    key: str
    owner: str
    folder: Path
    touched: float
    files: list[Path] = field(default_factory=list)
    joined: list[tuple[Path, str]] = field(default_factory=list)  # tables of attributes, and whose they are
    read: "OrderedDict[tuple[tuple[str, str], ...], Future[Seen]]" = field(default_factory=OrderedDict)
    title: str = ""

    @property
    def name(self) -> str:
        """What was brought, in words."""
        return self.title or (self.files[0].name if len(self.files) == 1 else f"{len(self.files)} files")

    def add(self, name: str, content: IO[bytes]) -> None:
        """Store a file under the name that the browser says, whose folders may be raters or texts."""
        goal = place_of(self.folder, name, self.files)
        with goal.open("xb") as stream:
            shutil.copyfileobj(content, stream)
        self.files.append(goal)
        self.read.clear()

    def drop(self, name: str) -> None:
        """Take one of several files away again."""
        for one in [one for one in self.files if str(one.relative_to(self.folder)) == name and len(self.files) > 1]:
            self.files.remove(one)
            one.unlink(missing_ok=True)
        self.read.clear()

    @property
    def beside(self) -> Path:
        """The folder of tables of attributes, which are no judgements."""
        return self.folder.with_name(f"{self.folder.name}-attributes")

    def join(self, name: str, content: IO[bytes], on: str) -> str:
        """Store a table that says more about units or raters; returns the name it goes by."""
        safe = re.sub(r"[\x00-\x1f\\:]", "_", PurePosixPath(name).name).strip()[:150].lstrip(".") or "attributes"
        if any(file.name == safe for file, _ in self.joined) or len(self.joined) >= MOST_JOINED:
            raise InputError("there is a table of this name already, or there are many", hint="remove one")
        goal = self.beside / safe
        goal.parent.mkdir(mode=0o700, exist_ok=True)
        with goal.open("wb") as stream:
            shutil.copyfileobj(content, stream)
        self.joined.append((goal, on))
        self.read.clear()
        return safe

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
    """Everything that was brought to one server; each owner sees their own. Workers read it."""

    def __init__(self, workers: Workers | None = None) -> None:
        """Begin with nothing; the folder is made when something comes."""
        self.workers = workers or Workers()
        self._glimpse: Future[Seen] | None = None
        self._behind = ThreadPoolExecutor(max_workers=MOST, thread_name_prefix=f"{NAME}-files")
        self._place: TemporaryDirectory[str] | None = None
        self._known: OrderedDict[str, Upload] = OrderedDict()
        self._kept: OrderedDict[str, Upload] = OrderedDict()
        self._lock = Lock()

    def expect(self) -> None:
        """Somebody is about to bring files: a worker makes itself ready."""
        self._behind.submit(self.workers.run, Seen)

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

    def remembered(self, upload: Upload) -> Upload:
        """The same files as they were looked at before, if they were: what was read of them is not read again."""
        with self._lock:
            known = self._kept.pop(upload.key, None)
            is_same = known is not None and (known.folder, known.files, known.joined) == (
                upload.folder,
                upload.files,
                upload.joined,
            )
            self._kept[upload.key] = known if known is not None and is_same else upload
            while len(self._kept) > MOST_UPLOADS:
                self._kept.popitem(last=False)
            return self._kept[upload.key]

    def reading(self, upload: Upload, choices: Mapping[str, str]) -> "Reading":
        """Files that are being read as was chosen, or were: each choice once, whoever asks how often."""
        chosen = {name: choices[name].strip() for name in ("format", *OFFERED) if choices.get(name, "").strip()}
        place = tuple(chosen.items())
        with self._lock:
            if place not in upload.read:
                asked = _asked(upload, chosen)
                upload.read[place] = self._behind.submit(self.workers.run, see, asked)
                while len(upload.read) > 4:  # what was read and what is looked at now
                    upload.read.popitem(last=False)
            return Reading(upload=upload, chosen=chosen, future=upload.read[place])

    def glimpse(self) -> Seen:
        """What is said of an example, for those who have brought nothing yet; found once."""
        with self._lock:
            if self._glimpse is None:
                file = Path(str(EXAMPLES / "data" / "ratings.csv"))
                asked = Asked(folder=file.parent, files=(file,), joined=(), chosen={})
                self._glimpse = self._behind.submit(self.workers.run, see, asked)
        return self._glimpse.result()

    def understand(self, upload: Upload, choices: Mapping[str, str]) -> "Understood":
        """Read the files as was chosen; what cannot be read is said with what can be chosen."""
        return self.reading(upload, choices).result()

    def join(self, upload: Upload, name: str, content: IO[bytes], on: str, choices: Mapping[str, str]) -> None:
        """Add a table that says more about units or raters; one that does not fit is not kept."""
        safe = upload.join(name, content, on)
        if problem := self.understand(upload, choices).problem:
            upload.part(safe)
            raise InputError(problem)

    def close(self) -> None:
        """Remove everything, and stop what is being read."""
        self.workers.close()
        self._behind.shutdown(cancel_futures=True)
        with self._lock:
            self._known.clear()
            if self._place is not None:
                self._place.cleanup()
                self._place = None

    def _drop(self, key: str) -> None:
        gone = self._known.pop(key)
        for folder in (gone.folder, gone.beside):
            shutil.rmtree(folder, ignore_errors=True)


def _asked(upload: Upload, chosen: Mapping[str, str]) -> Asked:
    return Asked(folder=upload.folder, files=tuple(upload.files), joined=tuple(upload.joined), chosen=dict(chosen))


@dataclass(frozen=True, kw_only=True)
class Reading:
    """Files that are being read."""

    upload: Upload
    chosen: Mapping[str, str]
    future: "Future[Seen]"

    def is_made(self, within: float) -> bool:
        """Whether they are read, or are in so many seconds."""
        return bool(wait([self.future], timeout=within).done)

    def result(self) -> "Understood":
        """What was understood; what took too long, or ended its process, is said as any problem is."""
        try:
            seen = self.future.result()
        except InputError as error:
            seen = Seen(problem=str(error))
        chosen = self.chosen if seen.chosen is None else seen.chosen
        return Understood(upload=self.upload, asked=self.chosen, chosen=chosen, seen=seen)


@dataclass(frozen=True, kw_only=True)
class Understood:
    """Files with how they were read, or why they were not: as was asked, and with what was chosen for whoever asked."""

    upload: Upload
    asked: Mapping[str, str]
    chosen: Mapping[str, str]
    seen: Seen

    @property
    def problem(self) -> str:
        """Why nothing was read, in words for a page."""
        return self.upload.plainly(self.seen.problem)

    @property
    def query(self) -> str:
        """The choices as an address has them."""
        return urlencode(self.chosen)

    def with_choices(self, chosen: Mapping[str, str]) -> str:
        """Other choices as an address has them."""
        return urlencode({name: value for name, value in chosen.items() if value})

    def command(self, what: str = "report", *more: str) -> str:
        """The command that does the same with the files."""
        options = [part for name, value in self.chosen.items() for part in (f"--{name}", value)]
        joined = [("--attributes", file.name, "--on", on) for file, on in self.upload.joined]
        options += [part for one in joined for part in one]
        place, paths = self.upload.folder, self.seen.paths or tuple(self.upload.files)
        folder = self.upload.title or f"{len(self.upload.files)} files"
        names = [folder if one == place else str(one.relative_to(place)) for one in paths]
        return shlex.join([NAME, what, *names, *options, *more])


def report(studio: Studio, uploads: Uploads, found: Understood, ending: str) -> Product:
    """The report of what was read, made by a worker."""
    if ending not in REPORTS or found.seen.account is None:
        raise NotFoundError(found.problem or f"a report is one of {', '.join(REPORTS)}")
    upload, asked = found.upload, _asked(found.upload, found.chosen)
    name = upload.files[0].stem if len(upload.files) == 1 else upload.title or "files"
    title, longer = f"Reliability report: {upload.name}", Bounds(seconds=REPORT_SECONDS)
    endings = next(group for group in WRITTEN_TOGETHER if ending in group)

    def written(progress: Progress) -> Mapping[str, bytes]:
        return uploads.workers.run_long(report_on, asked, title, endings, bounds=longer, follow=progress)

    making = studio.reports.of((found.seen.fingerprint, str(asked), endings), title, written)
    return made_report(making, re.sub(r"[^\w.-]", "_", name), ending)


def gold_table(uploads: Uploads, found: Understood) -> str:
    """The value that most raters gave to each unit, or the spans that most raters marked, as CSV."""
    if not found.seen.has_gold:
        raise NotFoundError(found.problem or "a gold standard is made of judgements, or of spans in few texts")
    return uploads.workers.run(gold_in, _asked(found.upload, found.chosen))


def format_names() -> list[tuple[str, str]]:
    """All formats with what they are, by name."""
    return [(name, f"{name}: {one.help.partition('.')[0]}") for name, one in sorted(formats().items())]
