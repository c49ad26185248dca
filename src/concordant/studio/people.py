"""The people of a study: how researchers show who they are, members and what they may do, raters and their links.

Passwords are kept as argon2id hashes, and their check takes as long for an unknown name as for a wrong password. Links
of raters are signed, so that nobody can make up or guess one. Researchers do everything, adjudicators decide and see no
names.
"""

import hmac
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from hashlib import sha256
from pathlib import Path

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from itsdangerous import BadSignature, URLSafeSerializer

from concordant.collection.accounts import ADJUDICATOR, ALL, RESEARCHER, ROLES, Accounts, Visit
from concordant.collection.disputes import Decision, Place
from concordant.collection.log import Log
from concordant.collection.session import Running
from concordant.collection.study_progress import RaterProgress
from concordant.errors import InputError
from concordant.studio.live import Snapshot
from concordant.studio.projects import NotAllowedError, NotFoundError, Studio, default_database, home_in, load

SHORTEST, LONGEST = 10, 200
DECIDERS = (RESEARCHER, ADJUDICATOR)
hasher = cache(PasswordHasher)


@cache
def _nobody() -> str:
    """A hash to compare with when the name is unknown, so that the time taken tells nothing."""
    return hasher().hash("the password of nobody")


def hashed(password: str) -> str:
    """The argon2id hash of a new password; refuses a short one."""
    if len(password) < SHORTEST:
        raise InputError(f"the password has {len(password)} characters", hint=f"use {SHORTEST} or more")
    return hasher().hash(password)


def is_right(stored: str | None, password: str) -> bool:
    """Whether the password belongs to the stored hash (None: no such researcher)."""
    try:
        return hasher().verify(stored or _nobody(), password) and stored is not None
    except (VerificationError, InvalidHashError):
        return False


def knows(studio: Studio, name: str, password: str) -> bool:
    """Whether this is the password of a researcher of that name."""
    return is_right(studio.accounts.password_hash(name), password)


@dataclass(frozen=True, kw_only=True)
class KnownKey:
    """A key or a signed-in browser; `id` names it and opens nothing, `is_here` is the one that is asking."""

    id: str
    made_at: str
    expires_at: str
    is_here: bool


def known_keys(studio: Studio, who: str, here: Visit | None) -> list[KnownKey]:
    """Those that are still good, the newest first; the keys themselves are not stored."""
    found = sorted(studio.accounts.visits_of("researcher", who), key=lambda one: one.made_at, reverse=True)
    return [KnownKey(id=_id(one), made_at=one.made_at, expires_at=one.expires_at, is_here=one == here) for one in found]


def visit_with(studio: Studio, who: str, id: str) -> Visit:
    """The visit whose key has this id."""
    found = next((one for one in studio.accounts.visits_of("researcher", who) if _id(one) == id), None)
    if found is None:
        raise NotFoundError("you have no such key")
    return found


def _id(visit: Visit) -> str:
    """Part of the hash of its token: the token cannot be told from it."""
    return visit.token_hash[:16]


@dataclass(frozen=True, kw_only=True)
class MemberPlace:
    """A running study, and the member who works on it."""

    studio: Studio
    study: Running
    who: str
    role: str

    @property
    def name(self) -> str:
        """The study's name."""
        return self.study.description.name

    def latest(self) -> Snapshot:
        """The study with every answer that is stored."""
        return self.studio.live.latest(self.study)

    def measured(self) -> Snapshot:
        """The study as it was measured a moment ago: for pages that follow it."""
        return self.studio.live.measured(self.study)

    def decided(self) -> dict[Place, Decision]:
        """What adjudicators decided and holds."""
        return self.studio.adjudication.current(self.name)

    def decisions(self) -> list[Decision]:
        """Every decision in order, later ones revising earlier ones."""
        return self.studio.adjudication.history(self.name)


def place_of(studio: Studio, who: str, name: str, roles: tuple[str, ...] = (RESEARCHER,)) -> MemberPlace:
    """A study for a member with one of the roles. To somebody who is no member it looks as if it did not exist."""
    study = studio.current(name)
    role = studio.membership.role(name, who) if study else None
    if study is None or role is None:
        raise NotFoundError("there is no such study on this server")
    if role not in roles:
        raise NotAllowedError(f"this is for {' and '.join(f'{one}s' for one in roles)}")
    return MemberPlace(studio=studio, study=study, who=who, role=role)


def admit(place: MemberPlace, name: str, role: str, password: str) -> None:
    """Let somebody work on the study, or change their role; without an account they need a password."""
    if not name or len(name) > LONGEST or not name.isprintable() or role not in ROLES:
        raise InputError("a name and a role are needed", hint=f"use 1 to {LONGEST} characters; nothing was changed")
    if name in place.studio.accounts.researchers():
        place.studio.membership.admit(place.name, name, role)
    else:
        place.studio.accounts.add_researcher(name, hashed(password), study=place.name, role=role)


def researcher(
    name: str,
    password: str,
    study: str | Path | None = None,
    *,
    db: str | None = None,
    only: str | None = None,
    adjudicator: bool = False,
    change: bool = False,
) -> None:
    """Let somebody sign in to the studio of a study, or of the database `db`, or `change` their password.

    They see all studies there, or `only` one; an `adjudicator` decides disagreements and sees nothing else.
    """
    if db is None and study is None:
        raise InputError("no database is named", hint="name the study, or the database with --db")
    paths = [Path(study)] if study else []
    with Log.open(db or default_database(load(paths), home_in(paths))) as log:
        accounts = Accounts(log)
        if change:
            accounts.set_password(name, hashed(password))
        else:
            role = ADJUDICATOR if adjudicator else RESEARCHER
            accounts.add_researcher(name, hashed(password), study=only or ALL, role=role)


def personal_link(studio: Studio, study: str, rater: str) -> str:
    """The path that signs `rater` in to `study`."""
    return f"/s/{study}/as/{_signer(studio).dumps([study, rater])}"


def rater_in(studio: Studio, study: str, token: str) -> str | None:
    """The rater whom a link's token names, None when it was not signed here for this study or was revoked."""
    try:
        signed_study, rater = _signer(studio).loads(token)
    except (BadSignature, ValueError, TypeError):
        return None
    is_ours = signed_study == study and isinstance(rater, str)
    return rater if is_ours and rater not in studio.invitations.revoked(study) else None


PLATFORMS = ("PROLIFIC_PID", "workerId", "survey_code")
"""Parameters that name a participant where a study does not say which one does: Prolific's, MTurk's, SONA's."""
UNFILLED = re.compile(r"[{}%$<>\s]|NOT_AVAILABLE")


def sent_as(studio: Studio, study: Running, origin: Mapping[str, str]) -> str | None:
    """The rater whom a platform's link names, None where it names nobody: one person is one rater on every device.

    The id is made with the server's key, so it tells nobody who the person is, and no link can name an invited rater.
    """
    name = study.description.recruitment.participant or next((one for one in PLATFORMS if origin.get(one)), "")
    value = origin.get(name, "").strip()
    if not value:
        return None
    if UNFILLED.search(value) or len(value) > LONGEST:  # else everybody would be the same person
        raise InputError(f"{name} does not name a participant", hint="let the platform fill it in")
    return f"p{code_of(studio, study.description.name, name, value)}"


def code_of(studio: Studio, *said: str) -> str:
    """A code for somebody, made with the server's key: the same every time, and it tells nobody who they are."""
    return hmac.new(studio.secret.encode(), "\n".join(said).encode(), sha256).hexdigest()[:16]


def owner_mark(studio: Studio, study: str, rater: str) -> str:
    """A mark for a rater's own browser storage; it tells nothing about the id to anybody without the key."""
    return sha256(f"{studio.secret}\n{study}\n{rater}".encode()).hexdigest()[:20]


def _signer(studio: Studio) -> URLSafeSerializer:
    return URLSafeSerializer(studio.secret, salt="personal link")


@dataclass(frozen=True, kw_only=True)
class Invited:
    """A rater with their link (none once it is revoked) and how far they are."""

    progress: RaterProgress
    link: str
    is_revoked: bool


def invited(place: MemberPlace, base: str, *, first: int = 0, most: int | None = None) -> list[Invited]:
    """Everybody who came or was invited, with their links below the address `base`; or `most` from `first` on.

    Models have none: whoever came by it would answer in the model's name.
    """
    studio, name = place.studio, place.name
    revoked = studio.invitations.revoked(name)
    description = studio.studies[name].description
    holding = {rater.id for rater in description.raters} - revoked - description.models
    found = sorted(place.latest().progress.raters, key=lambda one: one.rater)
    shown = found[first : None if most is None else first + most]
    links = {one.rater: base + personal_link(studio, name, one.rater) for one in shown if one.rater in holding}
    return [Invited(progress=one, link=links.get(one.rater, ""), is_revoked=one.rater in revoked) for one in shown]


def invite(place: MemberPlace, names: list[str]) -> MemberPlace:
    """Invite raters, all or none; the studio knows them at once. Returns the place with the study as it is then."""
    invitations, study = place.studio.invitations, place.studio.studies[place.name]
    ids = [invitations.checked(study, name) for name in names]
    if len(set(ids)) < len(ids):
        raise InputError("a name is there twice", hint="nobody was invited; give two people two names")
    for id in ids:
        invitations.invite(study, id)
    place.studio.take(study)
    return replace(place, study=place.studio.studies[place.name])


def revoke(place: MemberPlace, rater: str) -> None:
    """The link stops working, and whoever came with it is signed out; answers are kept."""
    place.studio.invitations.revoke(place.study, rater)
    place.studio.accounts.end_visits("rater", place.name, rater)
    place.studio.visits.clear()
