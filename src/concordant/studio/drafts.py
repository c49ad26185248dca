"""Studies that are being built: a draft is a study folder that nobody is served from until it is published.

A draft lies beside the studies, in a folder that no study's name can have. What is in its folder `study` is what a
person with an editor would write, and what is published; the rest are notes of the builder.
"""

import json
import re
import shutil
import tomllib
import unicodedata
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any

from concordant.about import NAME
from concordant.collection.accounts import RESEARCHER
from concordant.collection.session import Running
from concordant.design.examples import STUDIES, example_names
from concordant.design.named_files import named_files, named_outside
from concordant.design.plan import FILE as PLAN
from concordant.design.schema import Problem
from concordant.design.study_file import FILE, VERSION, problems
from concordant.errors import InputError, nearest
from concordant.files import written_whole
from concordant.studio.projects import NotAllowedError, NotFoundError, Studio, can_make
from concordant.studio.toml_text import rewritten

DRAFTS, NOTES = "_drafts", "notes.json"
LONGEST_FILE = 500_000  # characters of a study file
NOT_PUBLISHED = (PLAN, VERSION, "*.db", "*.db-wal", "*.db-shm")


@dataclass(frozen=True, kw_only=True)
class WorkingDraft:
    """A draft at one moment, and the researcher who works on it; `live` is the study that was published of it."""

    studio: Studio
    who: str
    name: str
    place: Path
    live: Running | None

    @property
    def folder(self) -> Path:
        """The folder of the study as it is drafted."""
        return self.place / "study"

    @cached_property
    def text(self) -> str:
        """The study file."""
        return (self.folder / FILE).read_text(encoding="utf-8")

    @cached_property
    def document(self) -> dict[str, Any]:
        """The study file as tables and values; empty while it is no TOML."""
        with suppress(tomllib.TOMLDecodeError):
            return tomllib.loads(self.text)
        return {}

    @cached_property
    def notes(self) -> dict[str, Any]:
        """What the builder remembers beside the study."""
        file = self.place / NOTES
        found: dict[str, Any] = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
        return found

    @cached_property
    def problems(self) -> tuple[Problem, ...]:
        """All that is to mend before it can be published."""
        return problems(self.folder)

    @property
    def title(self) -> str:
        """The title, as far as there is one."""
        return str(self.document.get("title") or self.name)

    @property
    def is_changed(self) -> bool:
        """Whether there is something to publish."""
        return (
            self.live is None or self.notes.get("base") != mark_of(self.folder) or bool(self.notes.get("files_changed"))
        )

    @property
    def is_overtaken(self) -> bool:
        """Whether the study was changed by somebody else since the draft was made of it."""
        if self.live is None:
            return False
        return mark_of(self.live.description.folder) != self.notes.get("base")

    def saved(self, text: str, **notes: Any) -> "WorkingDraft":
        """The draft with another study file, stored."""
        if len(text) > LONGEST_FILE:
            raise InputError(f"a study file has {LONGEST_FILE:,} characters at most", hint="nothing was changed")
        with suppress(tomllib.TOMLDecodeError):
            if one := named_outside(tomllib.loads(text), self.folder):
                raise InputError(f"{one!r} lies outside the study", hint="bring the file; nothing was changed")
        with written_whole(self.folder / FILE) as beside:
            beside.write_text(text, encoding="utf-8", newline="")
        return self.noted(**notes)

    def noted(self, **notes: Any) -> "WorkingDraft":
        """The draft with more to remember; what is None is forgotten."""
        kept = {key: value for key, value in (self.notes | notes).items() if value is not None}
        with written_whole(self.place / NOTES) as beside:
            beside.write_text(json.dumps(kept, ensure_ascii=False), encoding="utf-8")
        return WorkingDraft(studio=self.studio, who=self.who, name=self.name, place=self.place, live=self.live)

    def changed(self, document: Mapping[str, Any], **notes: Any) -> "WorkingDraft":
        """The draft with another content, written so that what is unchanged keeps every byte."""
        if document.get("name") != self.name:
            raise InputError("the name of a study stays as it is", hint="duplicate the study to give it another")
        return self.saved(rewritten(self.text, document), **notes)


def mark_of(folder: Path) -> str:
    """What tells one study from another: its study file, and the texts in files that this names."""
    text = (folder / FILE).read_text(encoding="utf-8")
    found = sha256(text.encode())
    with suppress(tomllib.TOMLDecodeError):
        for file in map(folder.joinpath, named_files(tomllib.loads(text))):
            if file.is_file() and file.stat().st_size <= LONGEST_FILE:
                found.update(file.read_bytes())
    return found.hexdigest()[:16]


def address_of(title: str, taken: set[str]) -> str:
    """A name for addresses, made of a title; with a number where it is taken.

    >>> address_of("Städte & Wörter", {"staedte-woerter"})
    'staedte-woerter-2'
    """
    for letter, written in (("ä", "ae"), ("ö", "oe"), ("ü", "ue"), ("ß", "ss")):
        title = title.replace(letter, written).replace(letter.upper(), written)
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().lower()
    name = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:32].strip("-") or "study"
    return next(one for one in (name, *(f"{name}-{n}" for n in range(2, 10_000))) if one not in taken)


def taken_names(studio: Studio) -> set[str]:
    """The names of all studies and drafts, also of those that were archived or deleted: answers name them."""
    studio.look_around()
    home = _home(studio)
    beside = {
        folder.name.partition("@")[0] for place in home.glob("_*") for folder in place.iterdir() if folder.is_dir()
    }
    return {*studio.studies, *beside, *(folder.name for folder in home.glob("*"))}


def _home(studio: Studio) -> Path:
    if studio.home is None:
        hint = f"serve a folder of studies: `{NAME} serve FOLDER`, or `{NAME} studio`"
        raise InputError("studies cannot be built on this server", hint=hint)
    return studio.home


def begin(studio: Studio, who: str, title: str, *, example: str = "") -> WorkingDraft:
    """A new draft: an empty study with one question, or a copy of an example."""
    home = _home(studio)
    if not can_make(studio, who):
        raise NotAllowedError("adjudicators decide; studies are made by researchers")
    title = " ".join(title.split())
    if not title or len(title) > 200:
        raise InputError("a title is needed", hint="use 1 to 200 characters; it can be changed later")
    if example and example not in example_names():
        raise InputError(f"there is no example {example!r}", hint=nearest(example, example_names()))
    name = address_of(title, taken_names(studio))
    first = {"id": "q1", "task": "binary", "ask": ""}
    document = {"name": name, "title": title, "open": False, "questions": [first]}
    if not example:
        return _made(studio, who, home, name, None, rewritten("", document))
    text = (STUDIES / example / FILE).read_text(encoding="utf-8")
    return _made(studio, who, home, name, Path(str(STUDIES / example)), _renamed(text, name, title))


def _renamed(text: str, name: str, title: str) -> str:
    return rewritten(text, {**tomllib.loads(text), "name": name, "title": title})


def _made(studio: Studio, who: str, home: Path, name: str, of: Path | None, text: str, **notes: Any) -> WorkingDraft:
    """A draft in its folder, with the files of another study if it is made of one."""
    place = home / DRAFTS / name
    draft = WorkingDraft(studio=studio, who=who, name=name, place=place, live=studio.studies.get(name))
    if of is None:
        draft.folder.mkdir(parents=True)
    else:
        shutil.copytree(of, draft.folder, ignore=shutil.ignore_patterns("__pycache__", *NOT_PUBLISHED))
    if studio.membership.role(name, who) is None:
        studio.membership.admit(name, who)
    return draft.saved(text, **notes)


def draft_of(studio: Studio, who: str, name: str) -> WorkingDraft:
    """The draft of this name, made of the study where there is none; one that nobody changed follows the study."""
    live = studio.current(name)
    home = studio.home
    place = home / DRAFTS / name if home is not None else None
    role = studio.membership.role(name, who)
    if role is None or (live is None and (place is None or not (place / "study" / FILE).exists())):
        raise NotFoundError("there is no such study on this server")
    if role != RESEARCHER:
        raise NotAllowedError("this is for researchers")
    home = _home(studio)
    if live is not None and not is_built_here(studio, live):
        raise InputError("this study is not in the folder of the studio", hint="change it in its study file")
    found = WorkingDraft(studio=studio, who=who, name=name, place=home / DRAFTS / name, live=live)
    if live is None:
        return found
    is_there = (found.folder / FILE).exists()
    if is_there and (found.is_changed or not found.is_overtaken):
        return found
    shutil.rmtree(found.place, ignore_errors=True)
    text = (live.description.folder / FILE).read_text(encoding="utf-8")
    return _made(studio, who, home, name, live.description.folder, text, base=mark_of(live.description.folder))


def is_built_here(studio: Studio, live: Running) -> bool:
    """Whether a study can be changed in the studio: those that are served from folders of their own cannot."""
    return studio.home is not None and live.description.folder.resolve().parent == studio.home.resolve()


def drafts_of(studio: Studio, who: str) -> list[WorkingDraft]:
    """The drafts of studies that were never published, by name."""
    if studio.home is None:
        return []
    folders = sorted(file.parent.parent for file in studio.home.glob(f"{DRAFTS}/*/study/{FILE}"))
    names = [folder.name for folder in folders if studio.study(folder.name) is None]
    return [draft_of(studio, who, name) for name in names if studio.membership.role(name, who) == RESEARCHER]


def duplicate(studio: Studio, who: str, name: str, title: str) -> WorkingDraft:
    """A draft of another study that begins as this one is drafted; no answers and no raters come with it."""
    source = draft_of(studio, who, name)
    if not can_make(studio, who):
        raise NotAllowedError("adjudicators decide; studies are made by researchers")
    title = " ".join(title.split()) or source.title
    fresh = address_of(title, taken_names(studio))
    made = _made(studio, who, _home(studio), fresh, source.folder, _renamed(source.text, fresh, title))
    if (source.place / "source.json").exists():
        shutil.copyfile(source.place / "source.json", made.place / "source.json")
    kept = {key: source.notes[key] for key in ("header", "unused", "items_from") if key in source.notes}
    return made.noted(**kept)


def discard(draft: WorkingDraft) -> None:
    """Forget what was changed since the last version; a study that was never published is gone with it."""
    shutil.rmtree(draft.place, ignore_errors=True)


def with_text(draft: WorkingDraft, text: str) -> WorkingDraft:
    """The draft with a study file that somebody typed: TOML of the same name, which may still have mistakes."""
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"this is not TOML: {error}", hint="nothing was changed") from error
    if document.get("name") != draft.name:
        raise InputError(f"the name of this study is {draft.name!r}", hint="duplicate the study to give it another")
    return draft.saved(text)
