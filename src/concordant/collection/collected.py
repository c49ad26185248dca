"""What a log holds, gathered for analysis: everybody who came, every judgement given, and what cleaning leaves.

Units with the same text were judged once; `judged` fans a judgement out to every one of them. A choice among parses is
many judgements (see `tasks.parses`).

Cleaning goes by declared rules, every one of them counted (after Boleda, Schulte im Walde & Badia 2009, 3.3-3.4). First
people are left out, rule by rule: who answered nothing, too little, too much at once, too many gold items wrong, too
fast. Then answers of those who stay are dropped or corrected. Nothing is deleted: the raw export has everything, and
every left-out person, dropped answer and corrected word is listed with its reason.

`folding` follows a log and gathers only what is new.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from statistics import median
from typing import Any

from concordant.collection.conflicts import Conflict
from concordant.collection.events import ANSWERED, ENOUGH, FAILED_CHECK, SCREENED_OUT, Asked, Event
from concordant.collection.log import Held, PagesSeen, Standing
from concordant.collection.session import Running, State, end_of
from concordant.design.description import Description
from concordant.design.plan import Pair, with_round
from concordant.design.steps import JUDGED, StepKind
from concordant.digits import percent
from concordant.memory import one_of_many
from concordant.tasks.kind import Kind, Swept, kind_of
from concordant.tasks.question import Question, Unit


@dataclass(frozen=True, kw_only=True)
class Judgement:
    """One current answer with all that is known about how it was given. `unit` is what was shown (a unit or a pair).

    `trial` is 2 for a repeated item; `position` counts the rater's steps from 1; `is_finished` is False when the rater
    never went on from the page; `seq` is the number of the event that gave the answer, `guidelines`
    the version beside it.
    """

    rater: str
    set_number: int
    unit: str
    question: str
    value: Any
    kind: StepKind
    trial: int
    position: int
    first_slot: str
    seconds: float | None
    at: str
    n_given: int
    is_finished: bool
    seq: int = 0
    guidelines: str = ""


@dataclass(frozen=True, kw_only=True)
class Person:
    """One rater: what they said about themselves, how far they came and how they did.

    `origin` is what a platform passed on, `ended` why they could not go on.
    """

    rater: str
    set_number: int | None
    first_at: str
    last_at: str
    completed_at: str | None
    n_asked: int
    n_answered: int
    gold_share: float | None
    median_seconds: float | None
    comment: str
    described: Mapping[str, str] = field(default_factory=dict)
    attributes: Mapping[str, str] = field(default_factory=dict)
    origin: Mapping[str, str] = field(default_factory=dict)
    ended: str = ""

    @property
    def about(self) -> dict[str, str]:
        """All that is known about them: what the study file says, and what they said themselves."""
        return {**self.attributes, **self.described}


@dataclass(frozen=True, kw_only=True)
class Collected:
    """All people and judgements of a study, as they stand in the log now."""

    study: Running
    people: tuple[Person, ...]
    judgements: tuple[Judgement, ...]
    conflicts: tuple[Conflict, ...] = ()


def judgements_of(state: State, held: Iterable[Held], pages: PagesSeen) -> list[Judgement]:
    """The current answers that belong to the rater's steps; cleared and deferred ones are none."""
    return [
        one_of_many(
            Judgement,
            {
                "rater": state.rater,
                "set_number": state.set_number or 0,
                "unit": step.unit,
                "value": value,
                "kind": step.kind,
                "trial": 2 if step.kind is StepKind.REPEAT else 1,
                "position": number + 1,
                "first_slot": step.slots[0] if step.slots else "",
                "is_finished": number in state.finished,
                "question": question,
                "seconds": seconds,
                "at": at,
                "n_given": n_given,
                "seq": seq,
                "guidelines": pages.beside(state.rater, number, seq),
            },
        )
        for _, number, question, seconds, at, n_given, seq in held
        if (value := state.answers.get((number, question))) is not None
        and (step := state.step(number)) is not None
        and question in step.questions
    ]


@dataclass(frozen=True)
class Unanswered:
    """What a model was asked of a unit and did not answer, or not in a way that counts."""

    unit: str
    question: str
    kind: StepKind


def unanswered_by(state: State, events: Iterable[Event]) -> tuple[Unanswered, ...]:
    """What came of no answer when it was asked last, as a missing value that is counted."""
    last = {event.step: event.outcome for event in events if isinstance(event, Asked)}
    steps = [state.step(number) for number, outcome in sorted(last.items()) if outcome != ANSWERED]
    return tuple(
        Unanswered(step.unit, question, step.kind)
        for step in steps
        if step is not None
        for question in step.questions
        if state.answers.get((step.number, question)) is None
    )


def person_of(state: State, standing: Standing, comments: Sequence[str], given: Sequence[Judgement]) -> Person:
    """One rater: standing, judgements and comments."""
    main = [judgement for judgement in given if judgement.kind in JUDGED]
    seconds = [judgement.seconds for judgement in main if judgement.seconds is not None]
    return Person(
        **{**standing.__dict__, "set_number": state.set_number},
        n_asked=state.steps.n_asked,
        n_answered=len(main),
        gold_share=state.gold_share,
        median_seconds=median(seconds) if seconds else None,
        comment="\n".join(comments),
        described=state.described,
        attributes=state.study.description.attributes_of_raters.get(standing.rater, {}),
        origin=state.origin,
        ended=end_of(state),
    )


@dataclass(frozen=True, kw_only=True)
class Judged:
    """A judgement of one unit, with everything around it."""

    judgement: Judgement
    unit: Unit
    question: Question
    pair: Pair | None
    about_rater: Mapping[str, str]


def judged(collected: Collected) -> Iterator[Judged]:
    """Every judgement with its unit, once for each unit with the same text."""
    study = collected.study
    pairs = study.plan.pair_by_id
    about = {person.rater: person.about for person in collected.people}
    for judgement in collected.judgements:
        same = {"pair": pairs.get(judgement.unit), "about_rater": about[judgement.rater]}
        for unit, question, value in said_by(study, judgement):
            given = judgement if value is judgement.value else replace(judgement, value=value)
            yield one_of_many(Judged, {"judgement": given, "unit": unit, "question": question, **same})


def said_by(study: Running, judgement: Judgement) -> Iterator[tuple[Unit, Question, Any]]:
    """What a judgement says of which units, once for each unit with the same text."""
    asked = study.description.question(judgement.question)
    for known in units_shown(study, judgement.unit):
        yield from kind_of(asked).judgements(known, asked, judgement.value)


def units_shown(study: Running, id: str) -> Iterator[Unit]:
    """The units that have the text that was shown."""
    shown, rows = study.unit(id), study.description.row_by_id
    for copy in shown.copies or (shown.id,):
        yield with_round(rows.get(copy, shown), study.plan, id)


def fan_out_counts(collected: Collected) -> tuple[int, int]:
    """How many judgements of main items were given, and how many they are after fanning out."""
    main = [judgement for judgement in collected.judgements if judgement.kind in JUDGED]
    n_fanned = sum(row.judgement.kind in JUDGED for row in judged(collected))
    return len(main), n_fanned


@dataclass(frozen=True, kw_only=True)
class FlowStep:
    """One line of the participant-flow table: who was left out for which reason, and how many remained."""

    reason: str
    n_left_out: int
    n_remaining: int


@dataclass(frozen=True)
class Change:
    """What cleaning did to an answer, or one filled pattern of it: why it was dropped, or what was made of its word."""

    judgement: Judgement
    pattern: str
    word: str
    result: str


@dataclass(frozen=True, kw_only=True)
class Cleaned:
    """The study after cleaning, and the account of it."""

    collected: Collected
    flow: tuple[FlowStep, ...]
    left_out: dict[str, str]
    dropped: tuple[Change, ...]
    corrected: tuple[Change, ...]
    n_answers: int
    n_fields: int
    n_emptied: int

    @property
    def counts(self) -> dict[str, int]:
        """How many answers or words were dropped, by reason."""
        return dict(Counter(dropped.result for dropped in self.dropped))


def losses(found: Sequence[Cleaned]) -> list[str]:
    """What cleaning dropped, in words: answers of all answers, single words of all words that were written."""
    totals = {what: sum(getattr(one, f"n_{what}") for one in found) for what in ("answers", "fields", "emptied")}
    counts = Counter((one.result, bool(one.pattern)) for cleaned in found for one in cleaned.dropped)
    lines = [
        (n, totals["fields" if is_word else "answers"], "words" if is_word else "answers", reason)
        for (reason, is_word), n in counts.items()
    ]
    if totals["emptied"]:
        lines.append((totals["emptied"], totals["answers"], "answers", "no word of them was left"))
    return [f"{n} of {total} {what} dropped ({percent(n / total, 1)}): {reason}" for n, total, what, reason in lines]


LEFT_ALONE = frozenset({StepKind.TRAINING, StepKind.GOLD})
"""What cleaning does not touch: these items are not measured."""


def clean(collected: Collected) -> Cleaned:
    """Apply the study's rules: those about people in order, each asked only about those who are still in."""
    left_out: dict[str, str] = {}
    flow = [FlowStep(reason="came", n_left_out=0, n_remaining=len(collected.people))]
    for reason, is_out in _people_rules(collected):
        found = [p.rater for p in collected.people if p.rater not in left_out and is_out(p)]
        left_out |= dict.fromkeys(found, reason)
        remaining = len(collected.people) - len(left_out)
        flow.append(FlowStep(reason=reason, n_left_out=len(found), n_remaining=remaining))
    people = tuple(person for person in collected.people if person.rater not in left_out)
    rest = [judgement for judgement in collected.judgements if judgement.rater not in left_out]
    judged_on = [one for one in rest if one.kind not in LEFT_ALONE]
    kinds = _kinds_looked_into(collected.study.description)
    swept = [(one, _swept(collected.study, one)) for one in judged_on if one.question in kinds or not one.is_finished]
    changed = {id(one): after.value for one, after in swept if after.value is not one.value}
    kept = (one if id(one) not in changed else replace(one, value=changed[id(one)]) for one in rest)
    return Cleaned(
        collected=Collected(
            study=collected.study, people=people, judgements=tuple(one for one in kept if one.value is not None)
        ),
        flow=tuple(flow),
        left_out=left_out,
        dropped=tuple(Change(one, *part) for one, after in swept for part in after.dropped),
        corrected=tuple(Change(one, *part) for one, after in swept for part in after.corrected),
        n_answers=len(judged_on),
        n_fields=sum(kinds[one.question].n_fields(one.value) for one in judged_on if one.question in kinds),
        n_emptied=sum(after.value is None and all(part[0] for part in after.dropped) for _, after in swept),
    )


def _kinds_looked_into(description: Description) -> dict[str, Kind]:
    """The kinds of the questions whose answers cleaning may change on a page that was finished."""
    found = {question.id: kind_of(question) for question in description.questions}
    is_any = description.cleaning.drop_overfilled
    return {question: kind for question, kind in found.items() if is_any or kind.is_swept}


def _people_rules(collected: Collected) -> Iterator[tuple[str, Callable[[Person], bool]]]:
    description = collected.study.description
    rules = description.cleaning
    for reason in (SCREENED_OUT, FAILED_CHECK, ENOUGH):
        if any(person.ended == reason for person in collected.people):
            yield reason, partial(_ended_by, reason)
    yield "answered nothing", lambda person: person.n_answered == 0
    if (share := rules.min_share) is not None:
        yield f"answered less than {share:.0%}", lambda person: person.n_answered < share * person.n_asked
    if (limit := rules.max_overfilled) is not None:
        main = [(j, kind_of(description.question(j.question))) for j in collected.judgements if j.kind in JUDGED]
        full = Counter(j.rater for j, kind in main if kind.n_chosen(j.value) >= rules.too_many)
        reason = f"chose {rules.too_many} or more in {limit} or more answers"
        yield reason, lambda person: full[person.rater] >= limit
    if (gold := rules.min_gold) is not None:
        reason = f"less than {gold:.0%} of the gold items right"
        yield reason, lambda person: person.gold_share is not None and person.gold_share < gold
    if (pace := rules.min_seconds) is not None:
        reason = f"median time under {pace:g} s"
        yield reason, lambda person: person.median_seconds is not None and person.median_seconds < pace


def _ended_by(reason: str, person: Person) -> bool:
    """Whether somebody could not go on for this reason."""
    return person.ended == reason


def _swept(study: Running, judgement: Judgement) -> Swept:
    """A measured answer after cleaning, with the account of it; the value is None when it is dropped."""
    rules, question = study.description.cleaning, study.description.question(judgement.question)
    kind = kind_of(question)
    if not judgement.is_finished:
        return Swept(value=None, dropped=[("", "", "page not finished")])
    if rules.drop_overfilled and kind.n_chosen(judgement.value) >= rules.too_many:
        return Swept(value=None, dropped=[("", "", f"{rules.too_many} or more chosen")])
    return kind.sweep(question, judgement.value, rules)


@dataclass(frozen=True, kw_only=True)
class FoldedRater:
    """One rater as far as the log goes: the raw judgements, and the cleaned ones of main items with their units.

    `unanswered` is what a model was asked in vain.
    """

    study: Running
    person: Person
    judgements: tuple[Judgement, ...]
    conflicts: tuple[Conflict, ...] = ()
    unanswered: tuple[Unanswered, ...] = ()

    @cached_property
    def cleaned(self) -> Cleaned:
        """What the study's rules leave of this rater."""
        return clean(Collected(study=self.study, people=(self.person,), judgements=self.judgements))

    @cached_property
    def judged(self) -> tuple[Judged, ...]:
        """What is measured: the cleaned judgements of main items, once for each unit they are about.

        Not those of units that were allocated: they were chosen because raters differed on them.
        """
        return tuple(row for row in self.labelled if row.judgement.kind is StepKind.MAIN)

    @cached_property
    def labelled(self) -> tuple[Judged, ...]:
        """What labels are made of: the same, and the judgements of units that were allocated."""
        return tuple(row for row in judged(self.cleaned.collected) if row.judgement.kind in JUDGED)


def collected_of(study: Running, folded: Sequence[FoldedRater]) -> Collected:
    """The people and raw judgements of these raters, in their order."""
    return Collected(
        study=study,
        people=tuple(one.person for one in folded),
        judgements=tuple(judgement for one in folded for judgement in one.judgements),
        conflicts=tuple(conflict for one in folded for conflict in one.conflicts),
    )
