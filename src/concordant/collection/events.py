"""What can happen in a study. Everything that happens is one of these events; nothing is ever overwritten.

An event is made by the rater's browser (or by the server, for `assigned`), which also gives it its UUID: an event
that is sent twice is stored once. `at` is the browser's clock in ISO 8601 with the time zone; the log adds its own
clock and a sequence number.
"""

import math
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, Field, dataclass, field, fields
from datetime import UTC, datetime, timedelta
from functools import cache, lru_cache
from typing import Any, ClassVar

from concordant.errors import InputError, nearest
from concordant.memory import one_of_many
from concordant.tasks.kind import is_text_by_name


def new_id() -> str:
    """A fresh id for an event made on this side."""
    return str(uuid.uuid4())


def is_id(text: str) -> bool:
    """Whether a text can be the id of an event."""
    return _holds(lambda: str(uuid.UUID(text)) == text.lower())


def now() -> str:
    """This moment, as events write it."""
    return clocked(datetime.now(UTC))


def clocked(moment: datetime) -> str:
    """A moment as events write it, so that texts are in the order of time; what cannot have been yet is now."""
    latest = datetime.now(UTC)
    try:
        moment = min(moment.astimezone(UTC), latest)
    except OverflowError:  # on the first or the last day of the calendar
        moment = latest
    return moment.isoformat(timespec="milliseconds")


def gone_before(hours: float) -> str:
    """The moment since which somebody must have been seen not to have dropped out, if they do after so many hours."""
    return (datetime.now(UTC) - timedelta(hours=hours)).isoformat(timespec="milliseconds")


@dataclass(frozen=True, kw_only=True)
class Event:
    """What all events have: an id that makes retries harmless, the rater, and the browser's time."""

    kind: ClassVar[str]
    id: str = field(default_factory=new_id)
    rater: str
    at: str = field(default_factory=now)

    def __init_subclass__(cls, kind: str) -> None:
        """Every event has a kind, under which it is stored."""
        cls.kind = kind

    def body(self) -> dict[str, Any]:
        """The fields of this kind of event, as JSON stores them."""
        said = {name: getattr(self, name) for name in own_fields(self.kind)}
        return {name: value for name, value in said.items() if not (name in LATER and value is None)}


@dataclass(frozen=True, kw_only=True)
class Joined(Event, kind="joined"):
    """A rater came for the first time, by a personal or an open link; `origin` is what a crowd platform passed on."""

    link: str = "personal"
    origin: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Assigned(Event, kind="assigned"):
    """The rater was given a set of the plan; their orders are derived from `layout` (see `design.steps.Layout`).

    `units` were allocated to the rater instead of a set: those that needed a further judgement most then.
    Earlier versions logged every step instead, in order: `steps` (see `design.steps.Step`).
    """

    set_number: int
    plan: str
    steps: Sequence[Mapping[str, Any]] = ()
    layout: Mapping[str, Any] | None = None
    units: Sequence[str] | None = None


@dataclass(frozen=True, kw_only=True)
class Consented(Event, kind="consented"):
    """The rater agreed to take part; `text` is what they agreed to."""

    text: str


@dataclass(frozen=True, kw_only=True)
class Described(Event, kind="described"):
    """The rater answered the questions about themselves; unanswered ones are left out."""

    answers: Mapping[str, str]


@dataclass(frozen=True, kw_only=True)
class Checked(Event, kind="checked"):
    """The rater answered the questions about the instructions: one try."""

    answers: Mapping[str, str]


@dataclass(frozen=True, kw_only=True)
class Shown(Event, kind="shown"):
    """A page was displayed: its kind, the step if it is one, the guidelines' version beside it."""

    page: str
    step: int | None = None
    guidelines: str = ""


@dataclass(frozen=True, kw_only=True)
class Answered(Event, kind="answered"):
    """A question of a step was answered; a later answer to the same question of the same step revises it.

    `value` is the JSON value that the question's kind describes (see `tasks`); null clears the answer. `seconds` is the
    time the page was visible and in front since it was shown. `revises` are the ids of the events that had made the
    answer what the rater saw (see `conflicts`): none for a first answer, null where that is not known. `version` is the
    published version of the study that was answered, where it has versions.
    """

    step: int
    unit: str
    question: str
    value: Any
    seconds: float | None = None
    revises: Sequence[str] | None = None
    version: str | None = None


@dataclass(frozen=True, kw_only=True)
class Deferred(Event, kind="deferred"):
    """ "Not sure": the step was put aside and comes back at the end of its pass. It is not an answer, and it takes back
    only answers that the rater saw (`revises`).
    """

    step: int
    seconds: float | None = None
    revises: Sequence[str] | None = None


@dataclass(frozen=True, kw_only=True)
class Continued(Event, kind="continued"):
    """The rater went on from a page: from instructions, from feedback on a training item, or from a finished step."""

    page: str
    step: int | None = None


@dataclass(frozen=True, kw_only=True)
class WentBack(Event, kind="went_back"):
    """The rater went back from the step on display to the one before it, or to the step `to`."""

    step: int | None = None
    to: int | None = None


@dataclass(frozen=True, kw_only=True)
class Quit(Event, kind="quit"):
    """The rater left for now; everything is kept, and coming back resumes at the same place."""

    step: int | None = None


@dataclass(frozen=True, kw_only=True)
class Resumed(Event, kind="resumed"):
    """The rater came back after quitting or in another browser."""


@dataclass(frozen=True, kw_only=True)
class Commented(Event, kind="commented"):
    """The rater wrote a comment on the last page."""

    text: str


@dataclass(frozen=True, kw_only=True)
class Completed(Event, kind="completed"):
    """The rater reached the end."""


ANSWERED, REFUSED, MALFORMED = "answered", "refused", "malformed"


@dataclass(frozen=True, kw_only=True)
class Asked(Event, kind="asked"):
    """A model was asked about a step: what it was sent and what it wrote, whatever came of it.

    `outcome` is answered, refused (it would not answer) or malformed (what it wrote is no answer here); `model` is the
    name under which it was asked, `version` what it called itself. `usage` has tokens and cost, as far as known.
    """

    step: int
    model: str
    outcome: str
    sent: str
    reply: str
    prompt: str = ""
    version: str = ""
    temperature: float | None = None
    seconds: float | None = None
    usage: Mapping[str, float] = field(default_factory=dict)


SCREENED_OUT, FAILED_CHECK, ENOUGH = "screened out", "failed the check", "nothing left to judge"


@dataclass(frozen=True, kw_only=True)
class Ended(Event, kind="ended"):
    """The rater could not go on, or did not pass: `reason` is one of those above. Their place is free for others."""

    reason: str


BY_RATERS = (Answered, Checked, Commented, Consented, Continued, Deferred, Described, Quit, Resumed, WentBack)
"""What a rater does; the rest is noted by the server."""

KINDS: dict[str, type[Event]] = {event.kind: event for event in Event.__subclasses__()}


@cache
def own_fields(kind: str) -> Mapping[str, "Field[Any]"]:
    """The fields of a kind of event beside those that all events have."""
    return {f.name: f for f in fields(KINDS[kind]) if f.name not in ENVELOPE}


@cache
def needed_fields(kind: str) -> frozenset[str]:
    """Those of them that an event of this kind must have."""
    own = own_fields(kind).items()
    return frozenset(name for name, f in own if f.default is MISSING and f.default_factory is MISSING)


def from_parts(kind: str, id: str, rater: str, at: str, body: Mapping[str, Any]) -> Event:
    """Make an event of its parts, stored or just received; refuses whatever is not as this module says."""
    if kind not in KINDS:
        raise InputError(f"there is no event {kind!r}", hint=nearest(kind, list(KINDS)))
    own = own_fields(kind)
    faults = [f"unknown field {name!r}" for name in sorted(set(body) - set(own))]
    for name, f in own.items():
        wanted, is_good = FIELDS[name]
        if name not in body:
            faults += [f"field {name!r} is missing"] if name in needed_fields(kind) else []
        elif not (is_good(body[name]) or (body[name] is None and f.default is None)):
            faults.append(f"field {name!r} must be {wanted}")
    faults += [] if is_id(id) else ["the id must be a UUID"]
    is_time = _holds(lambda: datetime.fromisoformat(at).tzinfo is not None)
    faults += [] if is_time else ["the time must be ISO 8601"]
    if faults:
        raise InputError(f"event {kind!r}: {'; '.join(faults)}")
    return KINDS[kind](id=id, rater=rater, at=at, **body)


def _holds(check: Callable[[], bool]) -> bool:
    try:
        return check()
    except ValueError:
        return False


ENVELOPE = frozenset({"id", "rater", "at"})
LATER = frozenset({"revises", "to", "layout", "version", "units"})
"""Fields that events have since form 2. Where they say nothing they are left out: an event that is sent again after an
update says what it said before.
"""
FIELDS: dict[str, tuple[str, Callable[[Any], bool]]] = {
    # Names go into columns of the database, which take no control characters.
    **dict.fromkeys(
        ("link", "page", "plan", "question", "reason", "unit", "guidelines", "model", "outcome", "prompt", "version"),
        ("a name", lambda value: isinstance(value, str) and len(value) <= 500 and value.isprintable()),
    ),
    **dict.fromkeys(
        ("step", "set_number", "to"), ("a whole number from 0", lambda value: type(value) is int and 0 <= value < 2**31)
    ),
    **dict.fromkeys(("answers", "origin"), ("texts by name", is_text_by_name)),
    **dict.fromkeys(("text", "sent", "reply"), ("a text", lambda value: isinstance(value, str))),
    **dict.fromkeys(
        ("seconds", "temperature"),
        ("a number from 0", lambda value: type(value) in {int, float} and 0 <= value < math.inf),
    ),
    **dict.fromkeys(("layout", "usage"), ("a table", lambda value: isinstance(value, Mapping))),
    "revises": ("a list of ids", lambda value: isinstance(value, Sequence) and all(map(is_id, map(str, value)))),
    "units": ("a list of names", lambda value: isinstance(value, Sequence) and all(type(one) is str for one in value)),
    "steps": ("a list", lambda value: isinstance(value, Sequence)),
    "value": ("anything", lambda value: True),
}


def _as_stored(kind: str, id: str, rater: str, at: str, body: Mapping[str, Any]) -> Event:
    """An event whose fields were all checked before it was stored; only one that is not ours is looked at closely."""
    if _is_whole(kind, tuple(body)):
        return one_of_many(KINDS[kind], {**body, "id": id, "rater": rater, "at": at})
    return from_parts(kind, id, rater, at, body)


@lru_cache(maxsize=1000)
def _is_whole(kind: str, names: tuple[str, ...]) -> bool:
    """Whether these are fields of this kind, with all of them whose default, if any, is made anew every time."""
    if kind not in KINDS:
        return False
    own = own_fields(kind)
    return own.keys() >= set(names) >= {name for name, f in own.items() if f.default is MISSING}


READERS: dict[int, Callable[[str, str, str, str, Mapping[str, Any]], Event]] = {1: _as_stored, 2: _as_stored}
"""How a stored event is read, for every form `v` in which bodies were ever written. None is ever taken away."""

FORM = max(READERS)
"""The form in which bodies are written now."""


def from_stored(v: int, kind: str, id: str, rater: str, at: str, body: Mapping[str, Any]) -> Event:
    """Read an event that was stored in form `v`; one of a newer form is refused rather than misread."""
    if v not in READERS:
        fault = f"event {id} was written by a newer version (form {v}; this one reads up to {FORM})"
        raise InputError(fault, hint="update the program")
    return READERS[v](kind, id, rater, at, body)
