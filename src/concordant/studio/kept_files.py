"""Files of judgements that somebody asked to keep: with a title, how they are read, their verdict, and every version.

A version is known by the fingerprint of its files and is never changed. They lie in the folder of the studio, below a
name that no study has, and are their owner's alone.
"""

import json
import re
import shutil
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from urllib.parse import urlencode

from concordant.collection.events import now
from concordant.errors import InputError
from concordant.studio.projects import NotFoundError, Studio
from concordant.studio.uploads import Understood, Upload, Uploads

PLACE, ABOUT, PREFIX = "_files", "about.json", "kept."
MOST_KEPT, LONGEST_TITLE = 500, 200
KEY = re.compile(r"kept\.([a-z0-9-]{1,60})(?:\.([0-9a-f]{8}))?")


@dataclass(frozen=True, kw_only=True)
class Version:
    """Files as they were at one time: how they were read, and what was said of them then."""

    fingerprint: str
    at: str
    files: tuple[str, ...]
    joined: tuple[tuple[str, str], ...]
    chosen: Mapping[str, str]
    verdict: str
    n_judgements: int
    n_raters: int
    said: Mapping[str, str] = field(default_factory=dict)  # the verdict by language


@dataclass(frozen=True, kw_only=True)
class Kept:
    """Files that are kept, the latest version last."""

    name: str
    title: str
    owner: str
    versions: tuple[Version, ...]

    @property
    def latest(self) -> Version:
        """The version that is shown."""
        return self.versions[-1]

    @property
    def key(self) -> str:
        """By which its page is found."""
        return f"{PREFIX}{self.name}"

    @property
    def address(self) -> str:
        """Its page, read as it was when it was kept."""
        return f"/researcher/files/{self.key}?{urlencode(dict(self.latest.chosen))}"

    def address_of(self, version: Version) -> str:
        """The page of one of its versions."""
        return f"/researcher/files/{self.key}.{version.fingerprint}?{urlencode(dict(version.chosen))}"


def keep(studio: Studio, found: Understood, title: str, *, into: str = "") -> Kept:
    """Keep files that were understood, under a title, or as the next version of what is kept under a name."""
    home, seen, upload = _home(studio), found.seen, found.upload
    if seen.account is None:
        raise InputError(found.problem, hint="nothing was kept")
    before = None if not into else find(studio, upload.owner, into)
    title = before.title if before else title.strip()[:LONGEST_TITLE] or upload.name
    name = before.name if before else free_name(home, title)
    said = seen.look.verdict.sentence if seen.look.verdict else ""
    made = Version(
        fingerprint=seen.fingerprint,
        at=now(),
        files=tuple(str(file.relative_to(upload.folder)) for file in upload.files),
        joined=tuple((file.name, on) for file, on in upload.joined),
        chosen=dict(found.chosen),
        verdict=said,
        n_judgements=seen.account.n_judgements or seen.account.n_spans or 0,
        n_raters=seen.account.n_raters,
        said={code: one.sentence for code, one in seen.look.said.items()},
    )
    others = [one for one in before.versions if one.fingerprint != made.fingerprint] if before else []
    kept = Kept(name=name, title=title, owner=upload.owner, versions=(*others, made))
    try:
        store(home / name, upload, kept)
    except OSError as error:
        if before is None:
            shutil.rmtree(home / name, ignore_errors=True)
        raise InputError(f"the files could not be kept ({error.strerror})", hint="nothing was kept") from error
    return kept


def store(folder: Path, upload: Upload, kept: Kept) -> None:
    """Copy the files beside those of other versions, then say that they are there."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    goal = folder / kept.latest.fingerprint
    if not goal.exists():
        part = folder / f"{goal.name}.part"
        shutil.rmtree(part, ignore_errors=True)
        for file in upload.files:
            place = part / file.relative_to(upload.folder)
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, place)
        part.rename(goal)
    for file, _ in upload.joined:
        beside = folder / f"{goal.name}-attributes"
        beside.mkdir(exist_ok=True)
        if beside / file.name != file:
            shutil.copyfile(file, beside / file.name)
    draft = folder / f"{ABOUT}.part"
    draft.write_text(json.dumps(asdict(kept), ensure_ascii=False, indent=1), encoding="utf-8")
    draft.replace(folder / ABOUT)


def kept_by(studio: Studio, who: str) -> list[Kept]:
    """What somebody keeps, the latest first."""
    if studio.home is None:
        return []
    found = (_read(file) for file in sorted((studio.home / PLACE).glob(f"*/{ABOUT}")))
    return sorted((one for one in found if one.owner == who), key=lambda one: one.latest.at, reverse=True)


def find(studio: Studio, who: str, name: str) -> Kept:
    """What somebody keeps under a name."""
    found = next((one for one in kept_by(studio, who) if one.name == name), None)
    if found is None:
        raise NotFoundError("no such files are kept")
    return found


def forget(studio: Studio, who: str, name: str) -> None:
    """Delete what somebody keeps, all of its versions."""
    shutil.rmtree(_home(studio) / find(studio, who, name).name)


def is_kept(key: str) -> bool:
    """Whether a key is one of files that are kept."""
    return KEY.fullmatch(key) is not None


def upload_of(studio: Studio, uploads: Uploads, who: str, key: str) -> tuple[Kept, Upload]:
    """Files that are kept as those that were just brought: the latest version, or the one that the key names."""
    told = KEY.fullmatch(key)
    if told is None:
        raise NotFoundError("no such files are kept")
    kept = find(studio, who, told[1])
    version = next((one for one in kept.versions if one.fingerprint == (told[2] or kept.latest.fingerprint)), None)
    if version is None:
        raise NotFoundError("there is no such version")
    folder = _home(studio) / kept.name / version.fingerprint
    beside = folder.with_name(f"{folder.name}-attributes")
    made = Upload(
        key=key,
        owner=who,
        folder=folder,
        touched=time.monotonic(),
        title=kept.title,
        files=[folder / name for name in version.files],
        joined=[(beside / name, on) for name, on in version.joined],
    )
    return kept, uploads.remembered(made)


def _read(file: Path) -> Kept:
    told = json.loads(file.read_text(encoding="utf-8"))
    versions: Sequence[Mapping[str, object]] = told.pop("versions")
    return Kept(**told, versions=tuple(version_of(one) for one in versions))


def version_of(told: Mapping[str, object]) -> Version:
    made: dict[str, object] = dict(told)
    made["files"] = tuple(told["files"])  # type: ignore[arg-type]
    made["joined"] = tuple((name, on) for name, on in told["joined"])  # type: ignore[attr-defined]
    return Version(**made)  # type: ignore[arg-type]


def _home(studio: Studio) -> Path:
    if studio.home is None:
        raise InputError("this server has no folder to keep files in", hint="start it with a folder of studies")
    return studio.home / PLACE


def free_name(home: Path, title: str) -> str:
    """A name for a folder that is not taken."""
    slug = re.sub(r"[^a-z0-9]+", "-", title.casefold()).strip("-")[:40].strip("-") or "files"
    names = [slug, *(f"{slug}-{n}" for n in range(2, MOST_KEPT))]
    free = next((name for name in names if not (home / name).exists()), None)
    if free is None:
        raise InputError("very many files are kept under this title", hint="choose another")
    return free
