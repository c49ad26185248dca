"""Every figure of the studies computed again, and what comes out."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from concordant.diagnosis.printed_numbers import Range
from concordant.digits import counted
from concordant.errors import InputError, nearest
from concordant.files import written_whole
from concordant.model.tabular import TabularResult
from concordant.progress import Progress, silent
from concordant.registry import parts
from concordant.report.document import Block, Document, Paragraph, Points, Section
from concordant.report.formats import format_for
from concordant.report.grid import Grid, table
from concordant.reproduction.printed import (
    VERDICTS,
    DataFile,
    Figure,
    PrintedTable,
    PublishedStudy,
    Verdict,
    judge,
    shown,
)

ALL = "all"
HEADERS = ("Row", "Column", "Printed", "Computed", "Verdict", "Why")


def published() -> dict[str, PublishedStudy]:
    """The studies by their keys."""
    return {one.key: one for one in parts("reproduction", "STUDY")}


@dataclass(frozen=True, kw_only=True, repr=False)
class Reproduction(TabularResult):
    """Every figure of one study or several with what was found, remarks on tables, and files that were not there."""

    COLUMNS: ClassVar = {"table": "Table", **{name.lower(): name for name in HEADERS}}

    figures: tuple[Figure, ...]
    remarks: tuple[str, ...]
    missing: tuple[str, ...]

    @property
    def holds(self) -> bool:
        """Whether everything that could be computed is what was printed, or what is recorded."""
        return not any(one.verdict == "differs" for one in self.figures)

    @property
    def counts(self) -> dict[Verdict, int]:
        """How many figures got each verdict."""
        found = Counter(one.verdict for one in self.figures)
        return {verdict: found[verdict] for verdict in VERDICTS if found[verdict]}

    @property
    def notes(self) -> tuple[str, ...]:
        """Remarks on tables, then the files that were not there and where they come from."""
        return (*self.remarks, *self.missing)

    def __repr__(self) -> str:
        """How many figures there are of each kind."""
        found = ", ".join(f"{count:,} {verdict}" for verdict, count in self.counts.items())
        return f"<{counted(len(self.figures), 'figure')}: {found}>"

    def rows(self) -> list[dict[str, Any]]:
        """One for each figure, in the order of print."""
        return [vars(one) for one in self.figures]

    def to_dict(self) -> dict[str, Any]:
        """Everything as JSON can hold it, numbers unrounded."""
        notes = {"remarks": list(self.remarks), "missing": list(self.missing)}
        return {"holds": self.holds, "counts": self.counts, "figures": self.rows(), **notes}


def reproduce(
    study: str = ALL,
    path: str | Path | None = None,
    *,
    data: str | Path | None = None,
    progress: Progress = silent,
) -> Reproduction:
    """Compute the published figures of a study again; with a `path` the comparison is written there as a document.

    `data` is the folder with the files that were published with the studies; they are not part of this program.
    Without it, what follows from other figures in print is computed.

    >>> reproduce("castro").holds
    True
    """
    write = None if path is None else format_for(path).write
    known = published()
    if study not in (*known, ALL):
        raise InputError(f"there is no study {study!r}", hint=nearest(study, (*known, ALL)))
    chosen = list(known.values()) if study == ALL else [known[study]]
    opened, missing = _opened(chosen, None if data is None else Path(data))
    tables = [(one, printed) for one in chosen for printed in one.tables]
    found: list[Figure] = []
    for done, (one, printed) in enumerate(tables):
        progress(done, len(tables))
        found += _figures(one, printed, opened)
    progress(len(tables), len(tables))
    remarks = tuple(f"{one.key}, {printed.name}: {note}" for one, printed in tables for note in printed.notes)
    result = Reproduction(figures=tuple(found), remarks=remarks, missing=missing)
    if write is not None and path is not None:
        with written_whole(path) as beside:
            write(as_document(result), beside)
    return result


def _opened(studies: list[PublishedStudy], folder: Path | None) -> tuple[dict[str, Any], tuple[str, ...]]:
    """What the files hold that are there, and a line for each that is not."""
    wanted = {one.needs.path: one.needs for study in studies for one in study.tables if one.needs is not None}
    if folder is not None and not folder.is_dir():
        raise InputError("there is no such folder", file=folder, hint="give the folder that holds the studies' data")
    here = {path for path in wanted if folder is not None and (folder / path).exists()}
    lines = {path: f"{path} is missing: {file.wanted}" for path, file in wanted.items() if path not in here}
    if folder is not None and wanted and not here:
        raise InputError(
            f"no data of {', '.join(one.key for one in studies)} are here", file=folder, hint=_first(lines)
        )
    opened = {path: wanted[path].open(str(Path(folder or ".") / path)) for path in here}
    return opened, tuple(lines.values())


def _first(lines: Mapping[str, str]) -> str:
    """The first of some lines, and how many more there are."""
    line, *more = lines.values()
    return line + (f" (and {counted(len(more), 'more file')})" if more else "")


def _figures(study: PublishedStudy, printed: PrintedTable, opened: Mapping[str, Any]) -> Iterator[Figure]:
    """Every figure of a table."""
    needs: DataFile | None = printed.needs
    is_here = needs is None or needs.path in opened
    values: Mapping[str, Any] = {}
    if printed.compute is not None and is_here:
        values = printed.compute(*([] if needs is None else [opened[needs.path]]))
    for (row, column), text in printed.cells.items():
        verdict: Verdict
        if column in values.get(row, {}):
            computed = values[row][column]
            verdict, why = judge(printed, (row, column), computed)
            looks = shown(computed, text)
        elif not is_here:
            computed, looks, verdict, why = None, "", "no data", ""
        elif printed.given:
            computed, looks, verdict, why = None, "", "given", printed.given
        elif printed.not_public:
            computed, looks, verdict, why = None, "", "not public", printed.not_public
        else:
            computed, looks, verdict, why = None, "", "differs", "nothing computes it"
        yield Figure(
            study=study.key,
            table=printed.name,
            row=row,
            column=column,
            printed=text,
            computed=None if computed is None or isinstance(computed, Range) else float(computed),
            shown=looks,
            source="print" if needs is None else "data",
            verdict=verdict,
            why=why,
        )


def table_of(figures: list[Figure], title: str) -> Grid:
    """Figures with what was found of them."""
    rows = [(one.row, one.column, one.printed, one.shown, one.verdict, one.why) for one in figures]
    return table(title, HEADERS, rows, n_fixed=2)


def summary(result: Reproduction, study: PublishedStudy) -> Grid:
    """How many figures of each table of a study got each verdict."""
    own = [one for one in result.figures if one.study == study.key]
    columns = [verdict for verdict in VERDICTS if any(one.verdict == verdict for one in own)]
    each: dict[tuple[str, str], Counter[str]] = {}
    for one in own:
        each.setdefault((one.table, one.source), Counter())[one.verdict] += 1
    rows = [(*place, sum(found.values()), *(found[name] or None for name in columns)) for place, found in each.items()]
    return table(study.title, ("Table", "From", "Figures", *(name.capitalize() for name in columns)), rows)


def shown_studies(result: Reproduction) -> list[PublishedStudy]:
    """The studies that a result is about."""
    return [study for study in published().values() if any(one.study == study.key for one in result.figures)]


def verdict_text(result: Reproduction) -> str:
    """What was found, in a sentence."""
    n = result.counts.get("differs", 0)
    said = f"{n:,} differ" if n > 1 else "1 differs" if n else "none differs"
    return f"{counted(len(result.figures), 'figure')}: {said} without an explanation."


def as_document(result: Reproduction) -> Document:
    """All figures of all tables, to be written in any format."""
    studies = shown_studies(result)
    meanings = tuple(f"{verdict}: {VERDICTS[verdict]}" for verdict in result.counts)
    first = (Paragraph(text=verdict_text(result)), Points(items=(*meanings, *result.missing)))
    sections = [Section(key="summary", title="Summary", blocks=(*first, *(summary(result, one) for one in studies)))]
    for study in studies:
        blocks: list[Block] = [Paragraph(text=study.citation)]
        for printed in study.tables:
            own = [one for one in result.figures if (one.study, one.table) == (study.key, printed.name)]
            blocks += [table_of(own, f"{printed.name}: {printed.about}")]
            blocks += [Points(items=printed.notes)] if printed.notes else []
        sections.append(Section(key=study.key, title=study.title, blocks=tuple(blocks)))
    return Document(title="Published figures, computed again", subtitle=str(result)[1:-1], sections=tuple(sections))
