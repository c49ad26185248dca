"""Studies that are put away: archived, or deleted with thirty days to think it over. Answers stay in the database.

A study that is put away is served to nobody. Its name stays taken, so that no other study inherits its answers.
"""

import json
import shutil
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from concordant.collection.accounts import RESEARCHER
from concordant.collection.events import now
from concordant.errors import InputError
from concordant.studio.drafts import DRAFTS, is_built_here
from concordant.studio.people import MemberPlace
from concordant.studio.projects import NotAllowedError, NotFoundError, Studio

ARCHIVED, DELETED, MARK = "_archived", "_deleted", ".put-away.json"
DAYS = 30


@dataclass(frozen=True, kw_only=True)
class PutAway:
    """A study that was put away: where it is, since when, and for a deleted one how many days are left."""

    name: str
    title: str
    shelf: str
    at: str
    days_left: int | None = None


def put_away(place: MemberPlace, shelf: str, typed: str = "") -> None:
    """Archive or delete a study; one with answers is deleted only when its name was typed."""
    studio, name = place.studio, place.name
    if shelf not in (ARCHIVED, DELETED):
        raise InputError("a study is archived or deleted", hint="choose one")
    if studio.home is None or not is_built_here(studio, place.study):
        raise InputError("this study is not in the folder of the studio", hint="move its folder yourself")
    if shelf == DELETED and place.latest().progress.n_answered and typed.strip() != name:
        raise InputError(f"this study has answers: type its name, {name}, to delete it", hint="nothing was deleted")
    goal = studio.home / shelf / name
    goal.parent.mkdir(exist_ok=True)
    about = {"title": place.study.description.title, "at": now()}
    (place.study.description.folder / MARK).write_text(json.dumps(about, ensure_ascii=False), encoding="utf-8")
    shutil.move(place.study.description.folder, goal)
    studio.studies.pop(name, None)


def put_away_by(studio: Studio, who: str) -> list[PutAway]:
    """What somebody may take back, by name; what was deleted long enough ago is removed now."""
    found = []
    for shelf in (ARCHIVED, DELETED):
        for file in sorted(studio.home.glob(f"{shelf}/*/{MARK}")) if studio.home is not None else ():
            told = json.loads(file.read_text(encoding="utf-8"))
            since = datetime.now(UTC) - datetime.fromisoformat(told["at"])
            if shelf == DELETED and since > timedelta(days=DAYS):
                _remove(file.parent)
            elif studio.membership.role(file.parent.name, who) == RESEARCHER:
                left = DAYS - since.days if shelf == DELETED else None
                found.append(PutAway(name=file.parent.name, shelf=shelf, days_left=left, **told))
    return found


def _remove(folder: Path) -> None:
    """Remove the files of a study; the folder itself keeps the name taken."""
    for one in folder.iterdir():
        shutil.rmtree(one) if one.is_dir() else one.unlink()
    shutil.rmtree(folder.parent.parent / DRAFTS / folder.name, ignore_errors=True)


def take_back(studio: Studio, who: str, name: str) -> None:
    """Serve a study again that was put away."""
    found = next((one for one in put_away_by(studio, who) if one.name == name), None)
    if found is None or studio.home is None:
        raise NotFoundError("no such study was put away")
    if studio.membership.role(name, who) != RESEARCHER:
        raise NotAllowedError("this is for researchers")
    shutil.move(studio.home / found.shelf / name, studio.home / name)
    (studio.home / name / MARK).unlink()
    studio.study(name)
