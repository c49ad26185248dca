"""Reports and data to take away: the same files as the commands `report` and `export` write."""

import zipfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from concordant.collection.collected import collected_of
from concordant.collection.export import written
from concordant.model.study import Study
from concordant.progress import Progress
from concordant.readers.study_log import with_causes
from concordant.report.document import Document
from concordant.report.facts import write_report
from concordant.studio.live import SEED, Snapshot
from concordant.studio.measurements import marked_questions, spans_of
from concordant.studio.model_judges import models_beside
from concordant.studio.people import MemberPlace
from concordant.studio.projects import NotFoundError, Studio
from concordant.studio.reports import Making
from concordant.studio.twos import treebankers
from concordant.tasks.question import Question

ARCHIVE = "application/zip"
MEDIA_TYPES = {
    "html": "text/html; charset=utf-8",
    "tex": "application/x-tex",
    "md": "text/markdown; charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "csv": ARCHIVE,
    "profile": ARCHIVE,
}
REPORTS, EXPORTS = ("html", "tex", "md", "xlsx"), ("xlsx", "csv", "profile")


@dataclass(frozen=True)
class Product:
    """A file that can be made: its name without ending, what it is, and how to write it to `name.ending` somewhere.

    `making` says how far what it is written from is.
    """

    name: str
    ending: str
    write: Callable[[Path], object]
    making: Making | None = None

    @property
    def media_type(self) -> str:
        """What a browser takes it for."""
        return MEDIA_TYPES[self.ending]

    @property
    def file_name(self) -> str:
        """What somebody who keeps it sees."""
        return f"{self.name}.{'zip' if self.media_type == ARCHIVE else self.ending}"


def reportable(place: MemberPlace) -> tuple[bool, list[Question]]:
    """Whether there are judgements to report, and the questions to which spans were marked."""
    snapshot = place.latest()
    return snapshot.judgements is not None, marked_questions(snapshot)


def report(place: MemberPlace, ending: str, *, spans: str = "") -> Product:
    """The report of a study: of its judgements, or of the spans of one question."""
    if ending not in REPORTS:
        raise NotFoundError(f"a report is one of {', '.join(REPORTS)}")
    snapshot = place.latest()
    if spans and spans not in [question.id for question in marked_questions(snapshot)]:
        raise NotFoundError("no spans were marked for such a question")
    data = spans_of(snapshot, spans) if spans else _adjudicated(place, snapshot)
    if data is None:
        raise NotFoundError("there are no judgements to report yet")
    both = None if spans else models_beside(place)
    parses = [] if spans else treebankers(place, snapshot)
    more: dict[str, Any] = ({} if both is None else {"beside": both}) | ({"treebankers": parses} if parses else {})
    title = place.study.description.title
    return report_of(place.studio, data, title, f"{place.name}-{spans or 'report'}", ending, **more)


def _adjudicated(place: MemberPlace, snapshot: Snapshot) -> Study | None:
    """The judgements with the causes of disagreement that adjudicators have named since."""
    judgements = snapshot.judgements
    if judgements is None:
        return None
    return with_causes(judgements, snapshot.study.description, place.decided().values())


def report_of(studio: Studio, data: Any, about: str, name: str, ending: str, **more: Any) -> Product:
    """The report of some data, made once for all who ask; `more` is what else is known, as `report` takes it."""
    title = f"Reliability report: {about}"
    make = partial(_document, data, title=title, **more)
    return made_report(studio.reports.of((data, more.get("beside")), title, make), name, ending)


def export(place: MemberPlace, ending: str, *, is_raw: bool = False) -> Product:
    """All tables of a study as a workbook, or as CSV files in one archive; or an archive with everybody's profile."""
    if ending not in EXPORTS:
        raise NotFoundError(f"an export is one of {', '.join(EXPORTS)}")
    name = f"{place.name}-{'raw' if is_raw else 'cleaned'}"
    return Product(name, ending, partial(_write_export, place, place.latest(), is_raw=is_raw))


def dataset(studio: Studio, name: str, ending: str) -> Product:
    """The report of a finished data set."""
    path = studio.datasets.get(name)
    if path is None or ending not in REPORTS:
        raise NotFoundError("there is no such report")
    said = (str(path), path.stat().st_mtime_ns)
    making = studio.reports.of(said, name, lambda progress: _document(path, progress))
    return made_report(making, name, ending)


def _document(data: Any, progress: Progress, **options: Any) -> Document:
    return write_report(data, seed=SEED, progress=progress, **options)


def made_report(making: Making, name: str, ending: str) -> Product:
    """A report in one of its formats; the others are written from the same document."""
    return Product(name, ending, lambda goal: goal.write_bytes(making.as_file(ending)), making)


def _write_export(place: MemberPlace, snapshot: Snapshot, goal: Path, *, is_raw: bool) -> None:
    what = collected_of(snapshot.study, snapshot.followed), place.decisions(), place.studio.log
    if goal.suffix == ".profile":
        folder = goal.with_name("profiles")
        profiles = written(*what, folder, format="profile", is_raw=is_raw).files
        _zip(goal, [file for profile in profiles for file in sorted(profile.iterdir())], folder)
    elif goal.suffix == ".xlsx":
        written(*what, goal, format="table", is_raw=is_raw)
    else:
        found = written(*what, goal.with_name("judgements.csv"), format="table", is_raw=is_raw).files
        _zip(goal, found, goal.parent)


def _zip(goal: Path, files: Sequence[Path], folder: Path) -> None:
    """Put files into an archive under their paths below `folder`."""
    with zipfile.ZipFile(goal, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in files:
            archive.write(file, file.relative_to(folder))
