"""What can happen in a study. Everything that happens is one of these events; nothing is ever overwritten.

An event is made by the rater's browser (or by the server, for `assigned`), which also gives it its UUID: an event
that is sent twice is stored once. `at` is the browser's clock in ISO 8601 with the time zone; the log adds its own
clock and a sequence number.
"""

import math
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, Field, dataclass, field, fields
from datetime import UTC, datetime
from functools import cache
from typing import Any, ClassVar

from assent.errors import InputError, nearest


def new_id() -> str:
    """A fresh id for an event made on this side."""
    return str(uuid.uuid4())


def now() -> str:
    """This moment, as events write it."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


@dataclass(frozen=True, kw_only=True)
class Event:
    """What all events have: an id that makes retries harmless, the rater, and the browser's time."""

    kind: ClassVar[str] = ""
    id: str = field(default_factory=new_id)
    rater: str
    at: str = field(default_factory=now)

    def body(self) -> dict[str, Any]:
        """The fields of this kind of event, as JSON stores them."""
        return {name: getattr(self, name) for name in own_fields(self.kind)}


@dataclass(frozen=True, kw_only=True)
class Joined(Event):
    """A rater came for the first time, by a personal or an open link; `origin` is what a crowd platform passed on."""

    kind: ClassVar[str] = "joined"
    link: str = "personal"
    origin: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Assigned(Event):
    """The rater was given a set; `steps` is everything drawn for them, in order (see `assent.design.ordering.Step`)."""

    kind: ClassVar[str] = "assigned"
    set_number: int
    plan: str
    steps: Sequence[Mapping[str, Any]]


@dataclass(frozen=True, kw_only=True)
class Consented(Event):
    """The rater agreed to take part; `text` is what they agreed to."""

    kind: ClassVar[str] = "consented"
    text: str


@dataclass(frozen=True, kw_only=True)
class Described(Event):
    """The rater answered the questions about themselves; unanswered ones are left out."""

    kind: ClassVar[str] = "described"
    answers: Mapping[str, str]


@dataclass(frozen=True, kw_only=True)
class Shown(Event):
    """A page was displayed: its kind, the step if it is one, the guidelines' version beside it."""

    kind: ClassVar[str] = "shown"
    page: str
    step: int | None = None
    guidelines: str = ""


@dataclass(frozen=True, kw_only=True)
class Answered(Event):
    """A question of a step was answered; a later answer to the same question of the same step revises it.

    `value` is the JSON value described at `assent.design.description.Task`; null clears the answer. `seconds` is the
    time the page was visible and in front since it was shown.
    """

    kind: ClassVar[str] = "answered"
    step: int
    unit: str
    question: str
    value: Any
    seconds: float | None = None


@dataclass(frozen=True, kw_only=True)
class Deferred(Event):
    """ "Not sure": the step was put aside and comes back at the end of its pass. It is not an answer."""

    kind: ClassVar[str] = "deferred"
    step: int
    seconds: float | None = None


@dataclass(frozen=True, kw_only=True)
class Continued(Event):
    """The rater went on from a page: from instructions, from feedback on a training item, or from a finished step."""

    kind: ClassVar[str] = "continued"
    page: str
    step: int | None = None


@dataclass(frozen=True, kw_only=True)
class WentBack(Event):
    """The rater went back from the step on display to the one before it."""

    kind: ClassVar[str] = "went_back"
    step: int | None = None


@dataclass(frozen=True, kw_only=True)
class Quit(Event):
    """The rater left for now; everything is kept, and coming back resumes at the same place."""

    kind: ClassVar[str] = "quit"
    step: int | None = None


@dataclass(frozen=True, kw_only=True)
class Resumed(Event):
    """The rater came back after quitting or in another browser."""

    kind: ClassVar[str] = "resumed"


@dataclass(frozen=True, kw_only=True)
class Commented(Event):
    """The rater wrote a comment on the last page."""

    kind: ClassVar[str] = "commented"
    text: str


@dataclass(frozen=True, kw_only=True)
class Completed(Event):
    """The rater reached the end."""

    kind: ClassVar[str] = "completed"


ALL = (
    Joined,
    Assigned,
    Consented,
    Described,
    Shown,
    Answered,
    Deferred,
    Continued,
    WentBack,
    Quit,
    Resumed,
    Commented,
    Completed,
)
KINDS: dict[str, type[Event]] = {event.kind: event for event in ALL}


@cache
def own_fields(kind: str) -> Mapping[str, "Field[Any]"]:
    """The fields of a kind of event beside those that all events have."""
    return {f.name: f for f in fields(KINDS[kind]) if f.name not in ENVELOPE}


def from_parts(kind: str, id: str, rater: str, at: str, body: Mapping[str, Any]) -> Event:
    """Make an event of its parts, stored or just received; refuses whatever is not as this module says."""
    if kind not in KINDS:
        raise InputError(f"there is no event {kind!r}", hint=nearest(kind, list(KINDS)))
    own = own_fields(kind)
    faults = [f"unknown field {name!r}" for name in sorted(set(body) - set(own))]
    faults += [fault for name, f in own.items() if (fault := _fault(f, body))]
    faults += _envelope_faults(id, at)
    if faults:
        raise InputError(f"event {kind!r}: {'; '.join(faults)}")
    return KINDS[kind](id=id, rater=rater, at=at, **body)


def _fault(f: "Field[Any]", body: Mapping[str, Any]) -> str | None:
    """What is wrong with one field of an event."""
    if f.name not in body:
        is_needed = f.default is MISSING and f.default_factory is MISSING
        return f"field {f.name!r} is missing" if is_needed else None
    wanted, is_good = FIELDS[f.name]
    value = body[f.name]
    if is_good(value) or (value is None and f.default is None):
        return None
    return f"field {f.name!r} must be {wanted}"


def _envelope_faults(id: str, at: str) -> list[str]:
    return [
        *(["the id must be a UUID"] if not _is_uuid(id) else []),
        *(["the time must be ISO 8601"] if not _is_time(at) else []),
    ]


def _is_uuid(id: str) -> bool:
    try:
        return str(uuid.UUID(id)) == id.lower()
    except ValueError:
        return False


def _is_time(at: str) -> bool:
    try:
        return datetime.fromisoformat(at).tzinfo is not None
    except ValueError:
        return False


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_name(value: Any) -> bool:
    """Names go into columns of the database, which take no control characters."""
    return isinstance(value, str) and len(value) <= 500 and value.isprintable()


def _is_count(value: Any) -> bool:
    return type(value) is int and 0 <= value < 2**31


def _is_duration(value: Any) -> bool:
    return type(value) in {int, float} and 0 <= value < math.inf


def _is_texts_by_name(value: Any) -> bool:
    return isinstance(value, Mapping) and all(isinstance(entry, str) for entry in value.values())


ENVELOPE = frozenset({"id", "rater", "at"})
FIELDS: dict[str, tuple[str, Callable[[Any], bool]]] = {
    "link": ("a name", _is_name),
    "page": ("a name", _is_name),
    "plan": ("a name", _is_name),
    "question": ("a name", _is_name),
    "text": ("a text", _is_text),
    "unit": ("a name", _is_name),
    "guidelines": ("a name", _is_name),
    "step": ("a whole number from 0", _is_count),
    "set_number": ("a whole number from 0", _is_count),
    "seconds": ("a number from 0", _is_duration),
    "answers": ("texts by name", _is_texts_by_name),
    "origin": ("texts by name", _is_texts_by_name),
    "steps": ("a list", lambda value: isinstance(value, Sequence)),
    "value": ("anything", lambda value: True),
}
