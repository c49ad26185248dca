"""Checking an archive: every file against the list, every number against the data, every difference by its place.

An archive comes from somebody else: names that lead outside, links, files that unpack to more than they say and
settings that name other files of this computer are refused before anything is read.
"""

import csv
import hashlib
import io
import json
import re
import tempfile
import tomllib
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from difflib import SequenceMatcher
from math import isclose
from pathlib import Path, PurePosixPath
from typing import Any

from concordant.about import NAME, VERSION
from concordant.design.named_files import named_outside
from concordant.digits import counted
from concordant.errors import ConcordantError, InputError
from concordant.judging.signatures import verify
from concordant.progress import Progress, silent
from concordant.publication.archiving import FORMAT
from concordant.publication.crate import metadata
from concordant.publication.derived import COEFFICIENTS, FILLED_IN, METADATA, SETTINGS, data_of, derived
from concordant.publication.statement import n_open
from concordant.publication.tables import FOLDER
from concordant.readers.zipped import damages, opened
from concordant.uncertainty.request import CLOSE

MOST_FILES, MOST_BYTES = 100_000, 1 << 30
KINDS_OF_DATA = ("study", "judgements", "spans")
FAULTS = (ConcordantError, KeyError, TypeError, ValueError, AttributeError)
"""What settings or data that somebody changed may end in."""
PIECES = re.compile(r"-?\d+(?:[.,]\d+)*(?:e-?\d+)?|\w+|\s+|.")
DECIMAL = re.compile(r"-?\d*\.\d+(?:e-?\d+)?")
PICTURES = re.compile(r"<svg\b.*?</svg>|data:image/[^\"')]*", re.DOTALL)
WRITTEN = re.compile(r"<(?:text|tspan|title|desc)\b[^>]*>([^<]*)<")


@dataclass(frozen=True, kw_only=True)
class Compared:
    """What differs."""

    differences: tuple[str, ...]

    @property
    def matches(self) -> bool:
        """Whether nothing differs."""
        return not self.differences

    def to_dict(self) -> dict[str, Any]:
        """All of it."""
        return {"matches": self.matches, "differences": list(self.differences)}


@dataclass(frozen=True, kw_only=True)
class Checked(Compared):
    """What of an archive was compared, and what a reader should know besides."""

    n_files: int
    n_numbers: int
    notes: tuple[str, ...]
    digest: str

    def to_dict(self) -> dict[str, Any]:
        """All of it."""
        return Compared.to_dict(self) | {
            "files": self.n_files,
            "coefficients": self.n_numbers,
            "sha256": self.digest,
            "notes": list(self.notes),
        }


def verify_archive(path: str | Path, *, progress: Progress = silent) -> Checked:
    """Compute every number of an archive again from its own data, and compare every file with what it must be."""
    contents, damaged = contents_of(Path(path))
    settings = _settings(contents, Path(path))
    broken = {one.partition(" is damaged")[0] for one in damaged}
    differences = [*damaged, *(one for one in changed(contents) if one.removesuffix(" is missing") not in broken)]
    notes = []
    if settings["version"] == VERSION:
        differences += _differing(contents, settings, progress)
    else:
        differences += _other_coefficients(contents, settings)
        what = "the coefficients were computed again; texts and tables are held to their SHA-256"
        notes.append(f"written by {NAME} {settings['version']}, checked with {VERSION}: {what}")
    if left := n_open(contents, FILLED_IN):
        notes.append(f"{counted(left, 'place')} in it must still be filled in by a person")
    return Checked(
        differences=tuple(differences),
        n_files=len(contents),
        n_numbers=max(contents.get(COEFFICIENTS, b"").count(b"\n") - 1, 0),
        notes=tuple(notes),
        digest=hashlib.sha256(contents.get(METADATA, b"")).hexdigest(),
    )


def changed(contents: Mapping[str, bytes]) -> Iterator[str]:
    """Every file that is not as the list of files says."""
    listed = _listed(contents)
    if not listed:
        yield f"{METADATA} does not list the files"
    for name in sorted({*listed, *contents} - {METADATA}):
        if name not in contents:
            yield f"{name} is missing"
        elif name not in listed:
            yield f"{name} is not in the list of files"
        elif hashlib.sha256(contents[name]).hexdigest() != listed[name]:
            yield f"{name} is not what was archived: its SHA-256 is another"


def contents_of(path: Path) -> tuple[dict[str, bytes], list[str]]:
    """Every file of an archive by its name, and those that are damaged; what could do harm is refused."""
    found: dict[str, bytes] = {}
    damaged = []
    with opened(path) as archive:
        entries = archive.infolist()
        if len(entries) > MOST_FILES:
            raise InputError(f"the archive holds {len(entries):,} files", file=path, hint="this is no archive of ours")
        left = MOST_BYTES
        for entry in entries:
            _refuse_harmful(entry, found, path)
            if entry.is_dir():
                continue
            try:
                with archive.open(entry) as stream:
                    content = stream.read(left + 1)
            except damages() as error:
                damaged.append(f"{entry.filename} is damaged: {error}")
                continue
            left -= len(content)
            if left < 0:
                raise InputError(f"it unpacks to more than {MOST_BYTES >> 20:,} MB", file=path, hint="do not unpack it")
            found[entry.filename] = content
    return found, damaged


def _refuse_harmful(entry: zipfile.ZipInfo, found: Mapping[str, bytes], path: Path) -> None:
    """A name that leads out of a folder, a link, or a name that is there twice."""
    name = entry.filename
    parts = PurePosixPath(name).parts
    is_bad = not parts or name.startswith("/") or ".." in parts or "\\" in name or ":" in name or "\x00" in name
    if is_bad or entry.external_attr >> 16 & 0o170000 == 0o120000:
        raise InputError(f"the archive holds {name!r}, which leads out of it", file=path, hint="do not unpack it")
    if name.casefold() in {one.casefold() for one in found}:
        raise InputError(f"the archive holds {name!r} twice", file=path, hint="do not unpack it")


def _settings(contents: Mapping[str, bytes], path: Path) -> dict[str, Any]:
    """What the numbers were computed with; a file without it is no archive of ours."""
    hint = f"it is written by `{NAME} archive`"
    try:
        found = json.loads(contents[SETTINGS])
        wrong = [name for name in NEEDED if not isinstance(found[name], NEEDED[name])]
    except (KeyError, ValueError, TypeError) as error:
        raise InputError(f"this is not an archive of a study ({SETTINGS}: {error})", file=path, hint=hint) from None
    if found["format"] > FORMAT:
        raise InputError(f"the archive is of form {found['format']}", file=path, hint=f"update {NAME}")
    if wrong or found["data"] not in KINDS_OF_DATA:
        raise InputError(f"{SETTINGS} does not say {', '.join(wrong) or 'which data there are'}", file=path, hint=hint)
    return dict(found)


NEEDED: dict[str, type] = {"format": int, "version": str, "data": str, "reading": dict, "report": dict, "given": list}


def _listed(contents: Mapping[str, bytes]) -> dict[str, str]:
    """The SHA-256 of every file in the list."""
    try:
        graph = json.loads(contents[METADATA])["@graph"]
        return {one["@id"]: one["sha256"] for one in graph if one.get("@type") == "File"}
    except (KeyError, ValueError, TypeError, AttributeError):
        return {}


def _differing(contents: Mapping[str, bytes], settings: Mapping[str, Any], progress: Progress) -> Iterator[str]:
    """Make everything that follows from the sources again, and name where it differs."""
    with _sources(contents, settings) as root:
        try:
            _refuse_outside(root)
            made = derived(root, settings, progress)
        except FAULTS as error:
            yield _not_computed(error, root)
            return
        there = {**made, **contents}
        made[METADATA] = metadata(root, settings, there).encode()
    sources = {name for name in contents if is_source(name, settings)}
    for name in sorted({*made, *contents} - sources):
        if name not in made:
            yield f"{name} does not follow from the data"
        elif name in contents and (found := first_difference(contents[name], made[name])):
            yield f"{name}, {found}"


def is_source(name: str, settings: Mapping[str, Any]) -> bool:
    """Whether a file is one that others follow from."""
    return (
        name in (SETTINGS, "PRIVACY.md", *map(str, settings["given"]))
        or name.startswith((f"{FOLDER}/", "guidelines/"))
        or name == f"data/{settings['data']}.csv"
    )


def _refuse_outside(root: Path) -> None:
    """A study file of somebody else must not name files of this computer."""
    path = root / FOLDER / "study.toml"
    if not path.exists():
        return
    if one := named_outside(tomllib.loads(path.read_text(encoding="utf-8")), path.parent):
        raise InputError(f"the study file names {one!r}, which lies outside")


def first_difference(ours: bytes, made: bytes) -> str:
    """Where two texts differ first, with what stands in the archive and what was computed; nothing if they do not.

    Computers may differ in the last digits of a sum, and in how they draw: numbers are compared to nine digits, and
    lines of pictures in a page are left to their SHA-256; what is written in a picture is compared.

    >>> first_difference(b"alpha\\n0.595 of 40", b"alpha\\n0.596 of 40")
    'line 2: 0.595 in the archive, 0.596 computed'
    """
    if ours == made:
        return ""
    one, two = (_without_lines(side.decode(errors="replace")).splitlines() for side in (ours, made))
    for number, (a, b) in enumerate(zip(one, two, strict=False), 1):
        if a != b and (found := _pieces(a, b)):
            return f"line {number}: {found}"
    return "" if len(one) == len(two) else f"{counted(len(one), 'line')} in the archive, {len(two)} computed"


def _without_lines(page: str) -> str:
    """A page with the words of its pictures in place of them."""
    return PICTURES.sub(lambda picture: " ".join(" ".join(WRITTEN.findall(picture[0])).split()), page)


def _same(x: str, y: str) -> bool:
    """Whether two pieces are the same word, or numbers with a point that differ in their last digits only."""
    are_numbers = DECIMAL.fullmatch(x) is not None and DECIMAL.fullmatch(y) is not None
    return x == y or (are_numbers and isclose(float(x), float(y), rel_tol=CLOSE))


def _pieces(a: str, b: str) -> str:
    """The numbers or words in which two lines differ first; nothing if they differ in last digits only."""
    ours, theirs = PIECES.findall(a), PIECES.findall(b)
    if len(ours) == len(theirs) and all(map(_same, ours, theirs)):
        return ""
    start = next((i for i, (x, y) in enumerate(zip(ours, theirs, strict=False)) if x != y), min(len(ours), len(theirs)))
    matcher = SequenceMatcher(None, ours[start : start + 40], theirs[start : start + 40], autojunk=False)
    _, i, j, k, m = next(one for one in (*matcher.get_opcodes(), ("end", 0, 40, 0, 40)) if one[0] != "equal")
    here, again = "".join(ours[start + i : start + j]), "".join(theirs[start + k : start + m])
    return f"{here[:80] or 'nothing'} in the archive, {again[:80] or 'nothing'} computed"


def _other_coefficients(contents: Mapping[str, bytes], settings: Mapping[str, Any]) -> Iterator[str]:
    """What an archive of another version claims, computed again signature by signature."""
    with _sources(contents, settings) as root:
        try:
            _refuse_outside(root)
            data = data_of(root, settings)
            rows = list(csv.DictReader(io.StringIO(contents.get(COEFFICIENTS, b"").decode())))
            for number, row in enumerate(rows, 2):
                for one in verify(row["signature"], data).differences:
                    yield f"{COEFFICIENTS}, line {number}: {one}"
        except FAULTS as error:
            yield _not_computed(error, root)


@contextmanager
def _sources(contents: Mapping[str, bytes], settings: Mapping[str, Any]) -> Iterator[Path]:
    """The sources of an archive in a folder that is gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="verify-") as place:
        root = Path(place)
        for name in (name for name in contents if is_source(name, settings)):
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_bytes(contents[name])
        yield root


def _not_computed(error: Exception, root: Path) -> str:
    """Why nothing could be computed, without the folder that is gone when it is read."""
    return f"the numbers cannot be computed again: {str(error).replace(f'{root}/', '')}"
