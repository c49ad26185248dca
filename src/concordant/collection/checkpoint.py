"""What was folded so far, kept beside the log, so that a server that starts again need not go through a long log anew.

A checkpoint is derived and never trusted over the log. It is read only if it was made by this very program from this
very study and plan, and if the log up to it is, byte for byte, what it was made of: both are summed up anew. A damaged
or half-written one is as good as none. It is written in one transaction, and may be thrown away at any time.
"""

import json
import sys
import zlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, fields, replace
from functools import cache
from hashlib import sha256
from itertools import repeat
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, String, bindparam, cast, delete, func, insert, inspect, select

from concordant.about import VERSION
from concordant.collection.collected import FoldedRater, Judgement, Person, Unanswered
from concordant.collection.conflicts import Conflict, Version
from concordant.collection.database import CHECKPOINTS, LogError, checkpoints, events, folded
from concordant.collection.events import FORM
from concordant.collection.log import Log
from concordant.collection.session import Running, State, start, steps_of
from concordant.design.description import CleaningRules
from concordant.design.steps import StepKind
from concordant.memory import one_of_many
from concordant.tasks.kind import kind_of

FEWEST, SHARE = 2000, 0.1  # a new checkpoint is due after so many more events, and this much more of the log
CHUNK = 5000  # events that are summed up at once
FOLDERS = ("collection", "design", "tasks", "treebank")  # of the program: what says what a log comes to


@cache
def _program(*modules: str) -> str:
    """The program as far as it says what a log comes to: a change of it makes every checkpoint worthless."""
    top, sum = Path(__file__).parents[1], sha256(f"{VERSION} {FORM}".encode())
    own = [path for name in FOLDERS for path in sorted((top / name).rglob("*.py"))]
    for path in (*own, *(Path(getattr(sys.modules[name], "__file__", None) or "") for name in modules)):
        sum.update(path.read_bytes() if path.is_file() else b"")
    return sum.hexdigest()


def mark_of(study: Running) -> str:
    """What a fold depends on beside the log: the program, the study but for whom it invites and how it is cleaned."""
    described = study.description
    known = replace(described, raters=(), cleaning=CleaningRules(), folder=Path())
    parses = [unit.parses.fingerprint for unit in described.unit_by_id.values() if unit.parses]
    modules = sorted({type(kind_of(question)).__module__ for question in described.questions})
    said = f"{_program(*modules)}\n{study.plan.hash}\n{parses}\n{known!r}"
    return sha256(said.encode("utf-8", "surrogatepass")).hexdigest()


class Position:
    """How far a study's log was read, and the sum of all that was read."""

    def __init__(self, log: Log, study: str) -> None:
        """Nothing yet."""
        self.seq = 0
        self._log, self._study, self._sum = log, study, sha256()

    def go_on(self, seq: int) -> str:
        """Sum up the log to this event; returns the sum. The database joins the texts: that is five times faster."""
        for begin in range(self.seq, seq, CHUNK):
            lines = _lines(self._study, begin, min(begin + CHUNK, seq))
            [[text]] = self._log.read(select(func.aggregate_strings(lines.c.line, "\n")))
            self._sum.update(f"{text}\n".encode() if text else b"")  # the same however it is cut
        self.seq = max(seq, self.seq)
        return self._sum.hexdigest()


def _lines(study: str, begin: int, end: int) -> Any:
    """Each event of a stretch of the log as one text."""
    columns = (cast(events.c.seq, String), *(events.c[name] for name in LINE), cast(events.c.v, String), events.c.body)
    line = columns[0]
    for column in columns[1:]:
        line = line.concat("\t").concat(column)
    is_of_it = func.coalesce(events.c.study, "") == study  # not by the index of studies: the stretch is what is short
    stretch = [events.c.seq > begin, events.c.seq <= end]
    return select(line.label("line")).where(is_of_it, *stretch).order_by(events.c.seq).subquery()


LINE = ("rater", "id", "kind", "at", "received")


@dataclass(frozen=True, kw_only=True)
class Following:
    """All that is known of one rater while a log is followed: what they come to, and what is needed to go on.

    `shown` are the pages with guidelines beside them: step, number of the event, version.
    """

    state: State
    comments: Sequence[str] = ()
    shown: Sequence[tuple[int | None, int, str]] = ()


@dataclass(frozen=True, kw_only=True)
class Portion:
    """What is to be kept: all raters or those that have changed, each with the state or what was kept of it."""

    is_whole: bool
    seq: int
    n_events: int
    versions: Mapping[str, int]
    changed: Mapping[str, tuple[FoldedRater, Following | bytes]]


@dataclass(frozen=True, kw_only=True)
class Kept:
    """What was kept: raters, and by rater the rest, which is read when something new is heard of them."""

    seq: int
    versions: Counter[str]
    raters: dict[str, FoldedRater]
    asleep: dict[str, bytes]


@dataclass
class Checkpoint:
    """The checkpoint of one study in the database of its log."""

    log: Log
    study: Running
    n_events: int = 0
    _sums: dict[str, str] = field(default_factory=dict)
    _written: str = ""

    def __post_init__(self) -> None:
        """Nothing is read or written yet."""
        self._name = self.study.description.name
        self._position = Position(self.log, self._name)
        self._mark = ""

    def is_due(self, n_events: int) -> bool:
        """Whether so many events are enough more than those of the checkpoint before."""
        return n_events - self.n_events >= max(FEWEST, SHARE * self.n_events)

    def is_behind(self) -> bool:
        """Whether a new one is due by the length of the log and what the checkpoint says of itself, unverified."""
        [[n_events]] = self.log.read(select(func.count()).where(events.c.study == self._name))
        if not self.is_due(n_events):
            return False
        with suppress(ValueError, KeyError, TypeError):
            self.n_events = self._said()[1]["n_events"]
        return self.is_due(n_events)

    def load(self) -> Kept | None:
        """What is kept, if it is what the log comes to."""
        try:
            about, said = self._said()
            if not said:
                return None
            of = folded.c
            rows = self.log.read(select(of.rater, of.body, of.state).where(of.study == self._name).order_by(of.rater))
            sums = {rater: _sum(rater, body, state) for rater, body, state in rows}
            if _sum_of(sums) != said["rows"] or self._position.go_on(said["seq"]) != said["log"]:
                self._position = Position(self.log, self._name)
                return None
        except (LogError, ValueError, KeyError, TypeError):
            return None
        self._sums, self._written, self.n_events = sums, about, said["n_events"]
        return Kept(
            seq=said["seq"],
            versions=Counter(said["versions"]),
            raters=_read(self.study, {rater: body for rater, body, _ in rows}),
            asleep={rater: state for rater, _, state in rows},
        )

    def _said(self) -> tuple[str, Mapping[str, Any]]:
        """What is written about the checkpoint, and the same read: nothing where it is of another program or study."""
        if not inspect(self.log.engine).has_table(checkpoints.name):
            return "", {}
        [[about]] = self.log.read(select(checkpoints.c.about).where(checkpoints.c.study == self._name)) or [["{}"]]
        said = json.loads(about)
        return about, said if said and said["mark"] == self._marked() else {}

    @property
    def is_whole(self) -> bool:
        """Whether everything up to the last portion is kept, so that the next one need only hold what changes."""
        return bool(self._sums)

    def keep(self, portion: Portion) -> None:
        """Write a portion; where another process has written meanwhile nothing is, and the next one must be whole."""
        before, self._sums, self.n_events = self._sums, {}, portion.n_events  # whatever fails: begin anew
        rows: list[dict[str, Any]] = [
            {"study": self._name, "rater": rater, "body": packed(_written(known)), "state": _packed_state(following)}
            for rater, (known, following) in portion.changed.items()
        ]
        sums = {one["rater"]: _sum(one["rater"], one["body"], one["state"]) for one in rows}
        sums = sums if portion.is_whole else before | sums
        about = json.dumps(
            {
                "mark": self._marked(),
                "seq": portion.seq,
                "n_events": portion.n_events,
                "log": self._position.go_on(portion.seq),
                "rows": _sum_of(sums),
                "versions": portion.versions,
            }
        )

        def write(connection: Connection) -> bool:
            for table in CHECKPOINTS:
                table.create(connection, checkfirst=True)  # a database of before has none
            found = connection.scalar(select(checkpoints.c.about).where(checkpoints.c.study == self._name))
            if not portion.is_whole and found != self._written:
                return False
            gone = [None] if portion.is_whole else [one["rater"] for one in rows]
            connection.execute(GONE[portion.is_whole], [{"of_study": self._name, "of_rater": rater} for rater in gone])
            connection.execute(delete(checkpoints).where(checkpoints.c.study == self._name))
            connection.execute(insert(folded), rows)
            connection.execute(insert(checkpoints), [{"study": self._name, "about": about}])
            return True

        if self.log.write(write).result():
            self._sums, self._written = sums, about

    def _marked(self) -> str:
        self._mark = self._mark or mark_of(self.study)
        return self._mark


OF_STUDY = folded.c.study == bindparam("of_study")
GONE = {
    True: delete(folded).where(OF_STUDY),
    False: delete(folded).where(OF_STUDY, folded.c.rater == bindparam("of_rater")),
}


def _sum(rater: str, body: bytes, state: bytes) -> str:
    return sha256(rater.encode() + b"\n" + body + b"\n" + state).hexdigest()


def _sum_of(sums: Mapping[str, str]) -> str:
    return sha256("\n".join(f"{rater}\t{sums[rater]}" for rater in sorted(sums)).encode()).hexdigest()


def packed(value: Any) -> bytes:
    """A value of JSON, made small quickly."""
    return zlib.compress(json.dumps(value, separators=(",", ":")).encode(), 1)


def unpacked(packed: bytes) -> Any:
    """The value that was packed."""
    return json.loads(zlib.decompress(packed))


# One rater as texts: the judgements column by column, since most of them say the same again and again.

COLUMNS = tuple(one.name for one in fields(Judgement) if one.name != "rater")
NAMES = ("rater", *COLUMNS)
STEP_KINDS = {kind.value: kind for kind in StepKind}


def _written(known: FoldedRater) -> Any:
    person = {name: value for name, value in vars(known.person).items() if name != "attributes"}
    return {
        "person": {name: dict(value) if isinstance(value, Mapping) else value for name, value in person.items()},
        "judgements": [[getattr(one, name) for one in known.judgements] for name in COLUMNS],
        "conflicts": _conflicts(known.conflicts),
        "unanswered": [[one.unit, one.question, one.kind] for one in known.unanswered],
    }


def _read(study: Running, bodies: Mapping[str, bytes]) -> dict[str, FoldedRater]:
    invited = study.description.attributes_of_raters
    same = dict[Any, Any]().setdefault  # texts that are equal are one from here on
    found = {}
    for rater, body in bodies.items():
        said = unpacked(body)
        columns = dict(zip(COLUMNS, said["judgements"], strict=True))
        columns["kind"] = [STEP_KINDS[kind] for kind in columns["kind"]]
        for name in ("unit", "question", "guidelines"):
            columns[name] = [same(text, text) for text in columns[name]]
        rows = zip(repeat(rater), *columns.values(), strict=False)
        found[rater] = FoldedRater(
            study=study,
            person=Person(**said["person"], attributes=invited.get(rater, {})),
            judgements=tuple(one_of_many(Judgement, dict(zip(NAMES, row, strict=False))) for row in rows),
            conflicts=_conflicts_read(rater, said["conflicts"]),
            unanswered=tuple(Unanswered(unit, asked, STEP_KINDS[kind]) for unit, asked, kind in said["unanswered"]),
        )
    return found


PLAIN = (
    *("set_number", "finished", "deferred", "trail", "back", "feedback"),
    *("has_quit", "has_commented", "is_completed", "n_failed", "ended"),
)
"""What of a state JSON can hold as it is, or as a list."""


def _packed_state(following: Following | bytes) -> bytes:
    return following if isinstance(following, bytes) else packed(as_kept(following))


def as_kept(following: Following) -> dict[str, Any]:
    """A rater's state as JSON holds it; the steps follow from the plan."""
    state = following.state
    plain = {name: getattr(state, name) for name in PLAIN}
    return {
        **{name: sorted(value) if isinstance(value, set) else value for name, value in plain.items()},
        "origin": dict(state.origin),
        "described": dict(state.described),
        "left_pages": sorted(state.left_pages),
        "tries": list(state.tries.items()),
        "answers": list(state.answers),
        "versions": [(step, question, one.id, one.at) for (step, question), one in state.versions.items()],
        "given": state.given,
        "conflicts": _conflicts(state.conflicts),
        "comments": list(following.comments),
        "shown": list(following.shown),
    }


def awake(study: Running, rater: str, kept: bytes, log: Log) -> Following:
    """Somebody of whom something new was heard, as they were."""
    said = unpacked(kept)
    given = said["given"]
    versions = {(step, question): Version(id=id, at=at, value=given[id]) for step, question, id, at in said["versions"]}
    state = replace(
        start(study, rater),
        **{name: said[name] for name in ("origin", "described", "given", *PLAIN)},
        left_pages=set(said["left_pages"]),
        tries=dict(map(tuple, said["tries"])),
        answers={key: versions[key].value for key in map(tuple, said["answers"])},
        versions=versions,
        conflicts=list(_conflicts_read(rater, said["conflicts"])),
    )
    state.finished, state.passed = set(state.finished), set(state.trail)
    for assigned in log.assigned(study.description.name, rater):
        state.steps = state.steps or steps_of(study, assigned)
    return Following(state=state, comments=said["comments"], shown=list(map(tuple, said["shown"])))


def _conflicts(found: Iterable[Conflict]) -> list[Any]:
    return [
        (one.step, one.unit, one.question, *([side.id, side.at, side.value] for side in (one.kept, one.other)))
        for one in found
    ]


def _conflicts_read(rater: str, said: Sequence[Any]) -> tuple[Conflict, ...]:
    return tuple(
        Conflict(
            rater=rater,
            step=step,
            unit=unit,
            question=question,
            kept=Version(id=kept[0], at=kept[1], value=kept[2]),
            other=Version(id=other[0], at=other[1], value=other[2]),
        )
        for step, unit, question, kept, other in said
    )
