"""Where raters differ: units by how far their raters are apart, each with all its answers, and decisions on them.

Who decides sees the answers to a case without the names of those who gave them.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from itertools import combinations
from typing import Any

from concordant.collection.disputes import AVOIDABLE, UNCLEAR, Case, Decision, Filter, Given, Place, to_decide
from concordant.collection.events import Answered, is_id, new_id
from concordant.design.description import Description
from concordant.errors import InputError
from concordant.studio.charts import Entry as Colour
from concordant.studio.charts import Share, legend_of, shares_of, tones_of
from concordant.studio.live import Snapshot
from concordant.studio.people import MemberPlace
from concordant.studio.projects import NotFoundError
from concordant.tasks.kind import as_text, is_complete, kind_of, problem
from concordant.tasks.question import Question, Unit


@dataclass(frozen=True, kw_only=True)
class Entry:
    """A case with its unit and question, as the list shows it."""

    case: Case
    unit: Unit
    question: Question
    decision: Decision | None
    tones: Mapping[str, str] = field(default_factory=dict)

    @property
    def shares(self) -> tuple[Share, ...]:
        """How the answers are divided, each in the colour of its category."""
        return shares_of(self.case, self.question, self.unit, self.tones)

    @property
    def is_worded(self) -> bool:
        """Whether what is judged has words of its own to be known by."""
        return bool(self.unit.text or self.unit.alternatives or self.unit.prompt)

    @property
    def words(self) -> str:
        """What is judged, in its words; by its name only where it has none."""
        return self.unit.words

    def label(self, text: str) -> str:
        """An answer in the words of the page; spans are quoted."""
        return kind_of(self.question).label_of(self.question, self.unit, text)

    def label_of_value(self, value: Any) -> str:
        """The same of an answer as it is stored."""
        return self.label(as_text(self.question, value))


@dataclass(frozen=True, kw_only=True)
class Choices:
    """What one can filter by."""

    answers: list[str]
    raters: list[str]
    attributes: list[str]


@dataclass(frozen=True, kw_only=True)
class Voice:
    """One rater's answer as the explorer shows it; `name` is a number until names are asked for.

    `changes` is all they answered, in order, if they changed their mind; `comment` is what they wrote at the end.
    """

    name: str
    label: str
    given: Given
    changes: tuple[str, ...]
    comment: str


@dataclass(frozen=True, kw_only=True)
class Looked:
    """One unit as the raters saw it, with everything they answered and everything that was decided, in order."""

    one: Entry
    voices: list[Voice]
    decisions: list[Decision]


def asked_for(*, one: str = "", other: str = "", **names: str) -> Filter:
    """What a page or a program asks for: `one` and `other` are answers that must both occur."""
    return Filter(answers=tuple(answer for answer in (one, other) if answer), **names)


def explore(place: MemberPlace, asked: Filter) -> tuple[list[Entry], Choices]:
    """The disputed cases that the filter takes, and what else one can filter by."""
    snapshot, decided, description = place.latest(), place.decided(), place.study.description
    disputed = [case for case in snapshot.cases if case.is_disputed]
    found = [_entry(place, snapshot, decided, case) for case in disputed]
    named = {question.id for question in description.questions if kind_of(question).lists_answers}
    choices = Choices(
        answers=sorted({text for case in disputed if case.question in named for text in case.counts})[:60],
        raters=[one.person.rater for one in snapshot.followed],
        attributes=attribute_values(description),
    )
    return [entry for entry in found if asked.takes(entry.case, entry.unit.attributes)], choices


def check_filter(place: MemberPlace, asked: Filter) -> None:
    """A name that does not occur is refused: an empty list would look like agreement."""
    description = place.study.description
    known = {
        "question": (asked.question, [one.id for one in description.questions]),
        "rater": (asked.rater, [one.person.rater for one in place.latest().followed]),
        "attribute": (asked.attribute, [name for one in description.units for name in one.attributes]),
    }
    for what, (name, names) in known.items():
        if name and name not in names:
            raise NotFoundError(f"there is no such {what}")
    if asked.value and not asked.attribute:
        raise InputError("a value of no attribute is asked for", hint="name the attribute too")


def look(place: MemberPlace, unit: str, question: str, *, with_names: bool) -> Looked:
    """One unit with all its answers, in an order that tells nothing about who gave them."""
    snapshot = place.latest()
    case = find_case(snapshot, unit, question)
    entry = _entry(place, snapshot, place.decided(), case)
    comments = {one.person.rater: one.person.comment for one in snapshot.followed}
    shuffled = sorted(case.given, key=lambda given: sha256(f"{case.place} {given.rater}".encode()).hexdigest())
    voices = [
        Voice(
            name=given.rater if with_names else f"Rater {number}",
            label=entry.label(given.text),
            given=given,
            changes=_changes(place, entry, given.rater) if given.n_given > 1 else (),
            comment=comments[given.rater],
        )
        for number, given in enumerate(shuffled, start=1)
    ]
    decisions = [one for one in place.decisions() if (one.unit, one.question) == case.place]
    return Looked(one=entry, voices=voices, decisions=decisions)


def find_case(snapshot: Snapshot, unit: str, question: str) -> Case:
    """The case of a unit and a question."""
    found = next((case for case in snapshot.cases if case.place == (unit, question)), None)
    if found is None:
        raise NotFoundError("nobody has answered this question about this unit")
    return found


def _entry(place: MemberPlace, snapshot: Snapshot, decided: Mapping[Place, Decision], case: Case) -> Entry:
    question, unit = place.study.description.question(case.question), place.study.unit(case.unit)
    tones = tones_in(snapshot, question)
    return Entry(case=case, unit=unit, question=question, decision=decided.get(case.place), tones=tones)


def tones_in(snapshot: Snapshot, question: Question) -> Mapping[str, str]:
    """The colours of a question's answers, the same on every page."""
    return snapshot.remember(f"tones {question.id}", lambda: tones_of(question, snapshot.cases))


def legends(entries: Sequence[Entry]) -> dict[tuple[Colour, ...], list[str]]:
    """What the colours stand for, once for all questions among the entries that have the same categories."""
    found: dict[tuple[Colour, ...], list[str]] = {}
    for one in {each.question.id: each for each in reversed(entries) if each.tones}.values():
        colours = legend_of(one.question, one.unit, one.tones)
        found.setdefault(colours, []).insert(0, one.question.title or one.question.id)
    return found


def _changes(place: MemberPlace, entry: Entry, rater: str) -> tuple[str, ...]:
    """Everything the rater said, in order."""
    said = [event for one in place.studio.log.events(place.name, rater) if isinstance(event := one.event, Answered)]
    return tuple(
        entry.label_of_value(event.value)
        for event in said
        if (event.unit, event.question) == entry.case.place and event.value is not None
    )


def attribute_values(description: Description, most: int = 20) -> list[str]:
    """`name=value` for every attribute of units that has few values."""
    values: dict[str, dict[str, None]] = {}
    for unit in description.units:
        for name, value in unit.attributes.items():
            values.setdefault(name, {})[value] = None
    return [f"{name}={value}" for name, found in values.items() if len(found) <= most for value in found]


@dataclass(frozen=True, kw_only=True)
class GivenAnswer:
    """One of the answers to a case and how often it was given; nobody can be told from it."""

    label: str
    value: Any
    n: int
    tone: str = ""


@dataclass(frozen=True, kw_only=True)
class Queue:
    """The cases still to decide, one question after the other; `n_second` wait for a second opinion of this member."""

    snapshot: Snapshot
    cases: list[Case]
    n_decided: int
    n_second: int = 0


@dataclass(frozen=True, kw_only=True)
class Docket:
    """A case to decide, if there is one, with its answers; `skip` leads to the next, `back` to the one before.

    `last` is where this member decided last, to think again; `tones` are the colours of the answers.
    """

    queue: Queue
    case: Case | None
    given: list[GivenAnswer]
    skip: int
    back: int = 0
    last: Place | None = None
    tones: Mapping[str, str] = field(default_factory=dict)


def queue(place: MemberPlace, *, everything: bool = False, second: bool = False) -> Queue:
    """What an adjudicator still has to decide: disagreements, all units, or what only somebody else has decided."""
    snapshot, history = place.latest(), place.decisions()
    decided = {(one.unit, one.question): one for one in history}
    order = {question.id: number for number, question in enumerate(place.study.description.questions)}
    mine = {(one.unit, one.question) for one in history if one.adjudicator == place.who}
    others = [case for case in snapshot.cases if case.place in decided and case.place not in mine]
    found = others if second else to_decide(snapshot.cases, decided, everything=everything)
    cases = sorted(found, key=lambda case: order[case.question])
    return Queue(snapshot=snapshot, cases=cases, n_decided=len(decided), n_second=len(others))


def given_answers(place: MemberPlace, snapshot: Snapshot, case: Case) -> list[GivenAnswer]:
    """The different answers, in an order that has nothing to do with who gave them."""
    entry, values = _entry(place, snapshot, {}, case), {one.text: one.value for one in case.given}
    found = [
        GivenAnswer(label=entry.label(text), value=values[text], n=n, tone=entry.tones.get(text, ""))
        for text, n in case.counts.items()
    ]
    return sorted(found, key=lambda one: one.label)


def docket(
    place: MemberPlace, unit: str, question: str, *, skip: int = 0, everything: bool = False, second: bool = False
) -> Docket:
    """The case of a unit and a question, else the one that comes after `skip` others."""
    waiting = queue(place, everything=everything, second=second)
    turn = waiting.cases[skip % len(waiting.cases)] if waiting.cases else None
    case = next((one for one in waiting.snapshot.cases if one.place == (unit, question)), turn)
    given = [] if case is None else given_answers(place, waiting.snapshot, case)
    at = waiting.cases.index(case) if case in waiting.cases else -1
    mine = [one for one in place.decisions() if one.adjudicator == place.who]
    last = (mine[-1].unit, mine[-1].question) if mine else None
    asked = None if case is None else place.study.description.question(case.question)
    tones = {} if asked is None else tones_in(waiting.snapshot, asked)
    back = (at - 1) % max(len(waiting.cases), 1) if at >= 0 else 0
    return Docket(queue=waiting, case=case, given=given, skip=at + 1, back=back, last=last, tones=tones)


def decide(
    place: MemberPlace,
    unit: str,
    question: str,
    value: Any,
    *,
    id: str = "",
    comment: str = "",
    is_unclear: bool = False,
    cause: str = "",
    seen: int | None = None,
) -> Decision:
    """Store a decision of this member; returns it when it is safe. `seen` is the event it was made on.

    Nothing is stored when nobody answered the question or when the value is no answer to it.
    """
    if id and not is_id(id):
        raise InputError("the id of a decision must be a UUID", hint="nothing was stored")
    snapshot = place.latest()
    case = find_case(snapshot, unit, question)
    asked, shown = place.study.description.question(case.question), place.study.unit(case.unit)
    value = kind_of(asked).settled(asked, shown, value)
    fault = problem(asked, shown, value)
    if fault is None and not is_complete(asked, value):
        fault = "the answer is not complete"
    if fault is not None:
        raise InputError(fault, hint="nothing was stored")
    last = snapshot.seq if seen is None else min(seen, snapshot.seq)
    about = Decision(unit=unit, question=question, value=value, adjudicator=place.who, seen=last, id=id or new_id())
    made = replace(about, comment=comment, is_unclear=is_unclear or cause == UNCLEAR, cause=cause)
    place.studio.adjudication.decide(place.name, made)
    return made


@dataclass(frozen=True, kw_only=True)
class CauseCount:
    """How often a cause was named, of all decisions that name one."""

    cause: str
    n: int
    share: float


@dataclass(frozen=True, kw_only=True)
class QuestionCauses:
    """Why raters differed on a question, or on a part of its texts: `n_avoidable` of `n` could have agreed."""

    question: str
    title: str
    part: str
    causes: tuple[CauseCount, ...]
    n: int
    n_avoidable: int


@dataclass(frozen=True, kw_only=True)
class Note:
    """What an adjudicator noted for the next version of the guidelines, and about which text."""

    question: str
    text: str
    unit: str
    cause: str


@dataclass(frozen=True, kw_only=True)
class SecondOpinion:
    """Two adjudicators on the cases that both decided: how often they say the same."""

    adjudicators: tuple[str, str]
    n: int
    n_same: int


@dataclass(frozen=True, kw_only=True)
class Causes:
    """All causes so far, the notes gathered from them, and how far adjudicators agree."""

    questions: tuple[QuestionCauses, ...]
    notes: tuple[Note, ...]
    opinions: tuple[SecondOpinion, ...]

    @property
    def draft(self) -> str:
        """The notes as a list to start the next version of the guidelines from."""
        return "\n".join(f"- {one.text} ({one.unit})" for one in self.notes)


def causes(place: MemberPlace, *, by: str = "") -> Causes:
    """Why raters differed, by question, or by question and the values of an attribute of texts."""
    held, description = place.decided(), place.study.description
    found: dict[tuple[str, str], list[str]] = {}
    for one in held.values():
        if one.cause:
            part = place.study.unit(one.unit).attributes.get(by, "") if by else ""
            found.setdefault((one.question, part), []).append(one.cause)
    order = [question.id for question in description.questions]
    parts = sorted(found, key=lambda key: (order.index(key[0]), key[1]))
    questions = tuple(_counted(description.question(question), part, found[question, part]) for question, part in parts)
    noted = [one for one in held.values() if one.comment]
    notes = tuple(
        Note(question=one.question, text=one.comment, unit=place.study.unit(one.unit).text or one.unit, cause=one.cause)
        for one in sorted(noted, key=lambda one: (order.index(one.question), one.at))
    )
    return Causes(questions=questions, notes=notes, opinions=_opinions(place.decisions()))


def _counted(question: Question, part: str, named: list[str]) -> QuestionCauses:
    counts = Counter(named).most_common()
    return QuestionCauses(
        question=question.id,
        title=question.title or question.id,
        part=part,
        causes=tuple(CauseCount(cause=cause, n=n, share=round(100 * n / len(named), 2)) for cause, n in counts),
        n=len(named),
        n_avoidable=sum(cause in AVOIDABLE for cause in named),
    )


def _opinions(history: list[Decision]) -> tuple[SecondOpinion, ...]:
    """Every two adjudicators with the cases that both decided, each with their last word."""
    last: dict[str, dict[Place, Any]] = {}
    for one in history:
        last.setdefault(one.adjudicator, {})[one.unit, one.question] = one.value
    found = []
    for first, second in combinations(sorted(last), 2):
        both = last[first].keys() & last[second].keys()
        if both:
            same = sum(last[first][place] == last[second][place] for place in both)
            found.append(SecondOpinion(adjudicators=(first, second), n=len(both), n_same=same))
    return tuple(found)
