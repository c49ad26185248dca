"""Writing an archive: the data without their people, everything that follows from them, and the list of it all.

    archive("my-study", "study.zip", authors=["…"], licence="CC-BY-4.0")

The same data and options give the same archive to the last byte, but for the day.
"""

import hashlib
import json
import tempfile
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path, PurePath
from typing import Any

from concordant.about import NAME, VERSION
from concordant.digits import counted
from concordant.errors import InputError, MissingExtra
from concordant.files import refuse_unwritable, written_whole
from concordant.model.spans import SpanTable
from concordant.model.study import Study
from concordant.progress import Progress, silent
from concordant.publication import tables
from concordant.publication.crate import files
from concordant.publication.derived import CITATION, FILLED_IN, METADATA, SETTINGS, STATEMENT, derived
from concordant.publication.privacy import Screen, pseudonyms
from concordant.publication.statement import n_open
from concordant.readers.data import as_data, as_paths, as_study
from concordant.readers.study_folder import is_study

FORMAT = 1
DAY_ONE = (1980, 1, 1, 0, 0, 0)  # so that the same contents are the same bytes


@dataclass(frozen=True, kw_only=True)
class Archived:
    """What was written: where, what is in it, what was done for people, and what a person must still do."""

    path: Path
    names: tuple[str, ...]
    digest: str
    n_open: int
    withheld: Mapping[str, str]
    replaced: Mapping[str, int]
    to_read: Mapping[str, int]

    def __repr__(self) -> str:
        """One line."""
        return f"<{self.path}: {counted(len(self.names), 'file')}, sha256 {self.digest[:16]}…>"


def archive(
    data: Any,
    output: str | Path,
    *,
    title: str | None = None,
    authors: Sequence[str] = (),
    licence: str = "",
    data_version: str = "1",
    keep: Sequence[str] = (),
    drop: Sequence[str] = (),
    with_names: bool = False,
    statement: str | Path | None = None,
    citation: str | Path | None = None,
    guidelines: Mapping[str, str | Path] | None = None,
    report: Mapping[str, Any] | None = None,
    progress: Progress = silent,
    **reading: Any,
) -> Archived:
    """Write one file that proves its numbers: data, codebook, guidelines, plan, log, report, signatures, descriptions.

    `data` is a study's folder or whatever `measure` takes. Raters are numbered and what points to people is withheld or
    replaced, unless `keep` (columns) or `with_names` say otherwise; `drop` withholds further columns. `statement` and
    `citation` are files that people have filled in, `guidelines` earlier versions by their names, `report` the options
    of the report (measure, seed, independent …). The rest says how to read the data.
    """
    goal = Path(output)
    if goal.suffix.lower() != ".zip":
        raise InputError("an archive ends in .zip", file=goal, hint=f"write {goal.stem}.zip")
    refuse_unwritable(goal)
    given = {name: file for name, file in ((STATEMENT, statement), (CITATION, citation)) if file is not None}
    with tempfile.TemporaryDirectory(prefix="archive-") as place:
        root = Path(place)
        told, screen = _sources(data, root, reading, keep, drop, with_names, guidelines or {})
        for name, file in given.items():
            (root / name).write_bytes(Path(file).read_bytes())
        (root / "PRIVACY.md").write_text(screen.account(with_names), encoding="utf-8")
        settings = {
            "format": FORMAT,
            "program": NAME,
            "version": VERSION,
            "made": f"{datetime.now(UTC):%Y-%m-%d}",
            **told,
            **({"title": title} if title else {}),
            "authors": list(authors),
            "licence": licence,
            "data_version": data_version,
            "given": sorted(given),
            "report": {"seed": 1, **(report or {})},
        }
        settings["report"].setdefault("title", f"Reliability report: {settings['title']}")
        (root / SETTINGS).write_text(json.dumps(settings, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        made = derived(root, settings, progress)
        found = {**files(root, made), METADATA: made[METADATA]}
    with written_whole(goal) as beside:
        write_zip(beside, found)
    return Archived(
        path=goal,
        names=tuple(found),
        digest=hashlib.sha256(found[METADATA]).hexdigest(),
        n_open=n_open(found, FILLED_IN),
        withheld=dict(screen.withheld),
        replaced={what: n for what, n in screen.found.items() if n},
        to_read=dict(screen.read),
    )


def _sources(
    data: Any,
    root: Path,
    reading: Mapping[str, Any],
    keep: Sequence[str],
    drop: Sequence[str],
    with_names: bool,
    guidelines: Mapping[str, str | Path],
) -> tuple[dict[str, Any], Screen]:
    """Write the data as the archive keeps them; returns what else must be known, and what was taken out."""
    if isinstance(data, str | Path) and is_study(data):
        if reading:
            raise InputError(f"a study is archived whole: {', '.join(reading)} says nothing", hint="leave it out")
        try:
            from concordant.publication import nameless_study
        except ModuleNotFoundError as error:
            raise MissingExtra("archiving a study", "web") from error
        texts = {version: Path(file) for version, file in guidelines.items()}
        kept = nameless_study.write_study(
            Path(data), root, keep=keep, drop=drop, with_names=with_names, guidelines=texts
        )
        said = f"A study of human judgements: {kept.title}"
        known: dict[str, Any] = {"months": kept.months and list(kept.months), "guidelines": dict(kept.guidelines)}
        known |= {"missing_guidelines": list(kept.missing_guidelines)}
        about = {"data": "study", "name": _name(kept.title), "title": kept.title, "description": said, "reading": {}}
        return {**about, **known}, kept.screen
    if guidelines:
        raise InputError("only a study has guidelines that raters saw", hint="leave them out")
    read = as_data(data, **reading)
    if isinstance(read, SpanTable):
        screen = _screen(read.raters, (), keep, drop, with_names)
        screen.refuse_unknown(list(read.features))
        about = {"data": "spans", "reading": tables.write_spans(read, root, screen)}
    else:
        study: Study = as_study(read)
        screen = _screen(study.raters, study.models, keep, drop, with_names)
        screen.refuse_unknown(list(study.attributes))
        about = {"data": "judgements", "reading": tables.write_judgements(study, root, screen)}
    source = PurePath(getattr(read, "name", "") or (str(as_paths(data)[0]) if as_paths(data) else "judgements"))
    told = {"name": _name(source.stem), "title": source.stem, "description": f"Human judgements: {source.stem}"}
    return {**about, **told, "months": None, "guidelines": {}, "missing_guidelines": []}, screen


def _screen(
    raters: Sequence[str], models: Sequence[str], keep: Sequence[str], drop: Sequence[str], with_names: bool
) -> Screen:
    names = pseudonyms(raters, models)
    return Screen({one: one for one in names} if with_names else names, keep=keep, drop=drop)


def _name(title: str) -> str:
    """A short name of small letters, digits and hyphens.

    >>> _name("What adjectives mean")
    'what-adjectives-mean'
    """
    return "-".join("".join(c if c.isalnum() and c.isascii() else " " for c in title.lower()).split()) or "data"


def write_zip(path: Path, found: Mapping[str, bytes]) -> None:
    """The files in their order, each as if it were of the same day."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as whole:
        for name, content in found.items():
            entry = zipfile.ZipInfo(name, DAY_ONE)
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
            whole.writestr(entry, content)
