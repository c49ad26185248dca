"""What files say that somebody brought: read, looked at, measured and reported, all of it in a worker process.

Only what a page shows comes back: however large the files are, the server itself holds little of them.
"""

import re
import shutil
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path, PurePosixPath
from typing import Any

from concordant.choices import Choice
from concordant.diagnosis.diagnose import diagnose
from concordant.diagnosis.findings import Finding
from concordant.diagnosis.forensics import examine
from concordant.diagnosis.material import open_case
from concordant.diagnosis.verdict import StudyVerdict, languages, study_verdict
from concordant.errors import ConcordantError, InputError
from concordant.gold.standard import gold
from concordant.measures.result import Agreement
from concordant.model.scale import Level
from concordant.model.spans import SpanTable
from concordant.model.study import Study
from concordant.plots.axis import Axis, axis_of
from concordant.progress import Progress, silent
from concordant.readers import find_format, formats, read_as
from concordant.readers.account import Account, account_of
from concordant.readers.format import LAST
from concordant.readers.joined import joins_of
from concordant.readers.spelling import WordsAmongNumbers
from concordant.readers.zipped import opened, unpacked
from concordant.report.facts import write_report
from concordant.studio.dashboard import SYMBOLS, Line, line_of, span_line, span_means
from concordant.studio.live import SEED
from concordant.studio.measurements import FEW_RATERS, FEW_TEXTS, MEASURES, Block, block_of, lowest_of
from concordant.studio.reports import as_bytes
from concordant.studio.sight import Columns, Sentence, columns_of, sentence_of, ways_out
from concordant.studio.things import DUPLICATES, FEW, LEVEL, Thing, judged_twice, odd_values, things_in, with_way
from concordant.uncertainty.studies import measure_study

MOST_FILES = 2000
MOST_LOOKED_AT = 200_000  # judgements whose raters are compared pair by pair at once
COLUMNS = ("unit", "rater", "value", "question", "text", "begin", "end", "category")
ABOUT_ODD = ("recode", "missing", LEVEL)
READ_AS = ("questions", "raters", "recode", LEVEL)
ABOUT_VALUES = (*READ_AS, "categories", "missing", "duplicates", "case", "empty", "rows")
OFFERED = (*COLUMNS, *ABOUT_VALUES, "layer", "feature", "folders", "encoding", "separator", "sheet")
"""The options of readers that a page offers, where the format has them; those that name files are not among them."""


@dataclass(frozen=True, kw_only=True)
class Asked:
    """Files below a folder, tables of attributes with whose they are, and how all of them are to be read."""

    folder: Path
    files: tuple[Path, ...]
    joined: tuple[tuple[Path, str], ...]
    chosen: Mapping[str, str]


@dataclass(frozen=True, kw_only=True)
class FirstLook:
    """What there is to say at once: the verdict, a row for each question, coefficients, and what to look at first.

    `said` is the verdict by language.
    """

    verdict: StudyVerdict | None = None
    said: Mapping[str, StudyVerdict] = field(default_factory=dict)
    axis: Axis | None = None
    lines: Sequence[Line] = ()
    blocks: Sequence[Block] = ()
    findings: Sequence[Finding] = ()
    note: str = ""


@dataclass(frozen=True, kw_only=True)
class Seen:
    """Files as they were read, or the problem why they were not; `paths` are what was read of the folder.

    `chosen` is how they were read, with what was chosen for whoever brought them. `ways` are choices that settle the
    problem, where it is a question. `fingerprint` is that of the files, whatever is
    chosen about reading them.
    """

    format: str = ""
    paths: tuple[Path, ...] = ()
    chosen: Mapping[str, str] | None = None
    account: Account | None = None
    problem: str = ""
    ways: Sequence[Mapping[str, str]] = ()
    columns: Columns = field(default_factory=Columns)
    sentence: Sentence | None = None
    things: Sequence[Thing] = ()
    look: FirstLook = field(default_factory=FirstLook)
    has_gold: bool = False
    fingerprint: str = ""

    @property
    def offered(self) -> list[Choice]:
        """What can be chosen about the format; of files that were not read about tables, if they are some."""
        name = self.format or ("table" if self.columns.names else "")
        known = formats().get(name)
        return [] if known is None else [one for one in known.options.described() if one.name in OFFERED]


def see(asked: Asked) -> Seen:
    """Read files and look at what is in them; what cannot be read is said with what can be chosen."""
    told = Seen(fingerprint=fingerprint_of(asked.files))
    name = ""
    try:
        paths, found = _recognized(asked)
        name = found.format.name
        asked, data, names = settled(asked, {one.name for one in found.format.options.described()})
        account = account_of(data, found)
    except ConcordantError as error:
        columns = columns_of(asked.files, None, asked.chosen)
        problem, ways = ways_out(str(error))
        return replace(told, format=name, problem=problem, ways=ways, columns=columns)
    study = data if isinstance(data, Study) else None
    things = () if study is None else things_in(study, asked.chosen, names)
    return replace(
        told,
        format=name,
        paths=tuple(paths),
        chosen=asked.chosen,
        account=account,
        columns=columns_of(
            paths, data, asked.chosen, attributes=account.attributes, unused=account.unused, things=things
        ),
        sentence=sentence_of(data, account),
        things=things,
        look=first_look(data),
        has_gold=study is not None or (isinstance(data, SpanTable) and _is_few(data)),
    )


def report_on(asked: Asked, title: str, endings: Sequence[str], progress: Progress = silent) -> dict[str, bytes]:
    """The report of files, read as was chosen, in the formats of these endings."""
    document = write_report(_named(_read(asked), asked.folder), seed=SEED, title=title, progress=progress)
    return {ending: as_bytes(document, ending) for ending in endings}


def _named(data: Any, folder: Path) -> Any:
    """The data without the private folder in their name: nobody finds it later."""
    is_inside = isinstance(data, Study | SpanTable) and Path(data.name).is_relative_to(folder)
    return replace(data, name=Path(data.name).name) if is_inside else data


def gold_in(asked: Asked) -> str:
    """The value that most raters gave to each unit, or the spans that most raters marked, as CSV."""
    return str(gold(_read(asked)).to_csv())


def fingerprint_of(files: Sequence[Path]) -> str:
    """Eight digits by which these files, with their names, are known again."""
    digest = sha256()
    for file in sorted(files, key=lambda one: one.name):
        digest.update(f"{file.name}\0{file.stat().st_size}\0".encode())
        with file.open("rb") as stream:
            for chunk in iter(lambda: stream.read(1 << 20), b""):
                digest.update(chunk)
    return digest.hexdigest()[:8]


def _recognized(asked: Asked) -> tuple[list[Path], Any]:
    paths = paths_of(asked)
    how = {name: asked.chosen.get(name) for name in ("encoding", "separator")}
    return paths, find_format(*paths, format=asked.chosen.get("format"), **how)


def _read(asked: Asked) -> Any:
    paths, found = _recognized(asked)
    known = {one.name: one for one in found.format.options.described()}
    given = {name: value for name, value in asked.chosen.items() if name != "format"}
    listed: dict[str, Any] = {
        name: known[name].listed(value) if name in known else value for name, value in given.items()
    }
    joins = joins_of([str(file) for file, _ in asked.joined], [on for _, on in asked.joined]) if asked.joined else ()
    return read_as(found.format, *paths, joins=joins, **listed)


def settled(asked: Asked, offered: Collection[str]) -> tuple[Asked, Any, Study | None]:
    """Files as they are read, with a choice for what is odd and rare, where nothing was said and the format offers it.

    Words among numbers are read as numbers or left out; of two judgements of a unit by one rater the later one counts.
    What is left to choose from is found in the judgements with every value as a name, which come third.
    """
    names = None
    try:
        data = _read(asked)
        if isinstance(data, Study) and any(map(asked.chosen.get, ("recode", "missing"))):
            names = _as_names(asked)
    except WordsAmongNumbers:
        names, chosen = _as_names(asked) if {*ABOUT_ODD} <= {*offered} else None, asked.chosen
        for one in () if names is None else odd_values(names, chosen):
            chosen = with_way(chosen, one.ways[0].chosen)
        asked = replace(asked, chosen=chosen)
        data = _read(asked)
    if isinstance(data, Study) and data.duplicates == "refuse" and DUPLICATES in offered:
        twice = judged_twice(data, asked.chosen)
        if twice and twice[0].n <= FEW * data.n_rows:
            asked = replace(asked, chosen={**asked.chosen, DUPLICATES: "last"})
            data = _read(asked)
    return asked, data, names


def _as_names(asked: Asked) -> Study | None:
    """The judgements with every value as a name, before anything was said about odd ones, if they are readable."""
    rest = {option: value for option, value in asked.chosen.items() if option not in ABOUT_ODD}
    with suppress(ConcordantError):
        found = _read(replace(asked, chosen={**rest, LEVEL: Level.NOMINAL.value}))
        return found if isinstance(found, Study) else None
    return None


def paths_of(asked: Asked) -> list[Path]:
    """What to read: the only file, several files side by side, or the folder; an archive of files is unpacked first."""
    files = list(asked.files)
    if len(files) == 1 and files[0].suffix.casefold() == ".zip":
        with suppress(InputError):
            if find_format(files[0]).confidence > LAST:  # the export of a tool, not just anything that may be a table
                return files
        return [_unpacked(asked.folder, files[0])]
    if len(files) > 1:
        with suppress(InputError):
            found = find_format(*files).format
            is_flat = all(file.parent == asked.folder for file in files)
            if is_flat and (found.most is None or not found.in_folders):
                return files
        return [asked.folder]
    return files


def _unpacked(folder: Path, archive: Path) -> Path:
    """The folder that an archive unpacks to; of one that cannot be unpacked whole nothing is left to be read."""
    goal = folder / f"{archive.stem} unpacked"
    if goal.exists():
        return goal
    inside: list[Path] = []
    try:
        with opened(archive) as whole:
            for name in whole.namelist():
                if not name.endswith("/") and not name.startswith("__MACOSX/"):
                    inside.append(place_of(goal, name, inside))
                    inside[-1].write_bytes(unpacked(whole, name, archive))
        if not inside:
            raise InputError("there is no file in this archive", file=archive)
    except InputError:
        shutil.rmtree(goal, ignore_errors=True)
        raise
    return goal


def place_of(folder: Path, name: str, known: Sequence[Path]) -> Path:
    """Where a file of this name goes, whose folders may be raters or texts; never outside of the folder."""
    parts = [re.sub(r"[\x00-\x1f\\:]", "_", part).strip()[:150] for part in PurePosixPath(name).parts]
    kept = [part.lstrip(".") or "_" for part in parts if part.strip("./ ")]
    goal = folder.joinpath(*kept[-4:] or ["file"])
    if goal in known or len(known) >= MOST_FILES:
        why = f"two files are called {name}" if goal in known else f"these are more than {MOST_FILES:,} files"
        raise InputError(why, hint="put them into one archive (.zip), or bring fewer")
    goal.parent.mkdir(parents=True, exist_ok=True)
    return goal


def first_look(data: Any) -> FirstLook:
    """Measure what was read; raters are compared pair by pair where that does not take long."""
    if isinstance(data, SpanTable) and not _is_few(data):
        return FirstLook(note="There are many texts, and aligning them takes a while: the report has all coefficients.")
    try:
        results = measure_study(data, MEASURES if isinstance(data, SpanTable) else (), seed=SEED)
    except ConcordantError as error:
        return FirstLook(note=str(error))
    parts: dict[str, list[Agreement]] = {}
    for one in results:
        place = " · ".join(filter(None, (one.question, *(one.slice or {}).values())))
        parts.setdefault(place or "Coefficients", []).append(one)
    lowest = lowest_of(results)
    blocks = [block_of(place, "", group, lowest) for place, group in parts.items()]
    if not isinstance(data, Study):
        means = span_means(results)
        axis = replace(axis_of(means), bands=())  # no scale calls Gamma good or bad
        drawn = tuple(span_line(axis, [one], one.measure, SYMBOLS[one.measure]) for one in means)
        return FirstLook(axis=axis, lines=drawn, blocks=blocks)
    if data.n_rows <= MOST_LOOKED_AT and len(data.raters) <= FEW_RATERS:
        diagnosis = diagnose(data, by=[], seed=SEED)
        verdict, findings = diagnosis.verdict, diagnosis.findings
        consistencies = [one.consistency for one in diagnosis.questions]
    else:
        consistencies = []
        verdict = study_verdict(results, [], titles=data.titles)
        findings = tuple(examine(open_case(data))[0])
    main = [one.result for one in verdict.questions]
    said = {code: study_verdict(main, consistencies, titles=data.titles, language=code) for code in languages()}
    axis = axis_of([one.result for one in verdict.questions])
    lines = tuple(line_of(axis, one, one.question or one.title, None) for one in verdict.questions)
    return FirstLook(verdict=verdict, said=said, axis=axis, lines=lines, blocks=blocks, findings=findings)


def _is_few(data: SpanTable) -> bool:
    return len(set(data.text.tolist())) <= FEW_TEXTS
