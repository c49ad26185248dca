"""Cleaning by declared rules, every one of them counted (after Boleda, Schulte im Walde & Badia 2009, 3.3-3.4).

First people are left out, rule by rule: who answered nothing, too little, too much at once, too many gold items
wrong, too fast. Then answers of those who stay are dropped or corrected. Nothing is deleted: the raw export has
everything, and every left-out person, dropped answer and corrected word is listed with its reason.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from assent.collection.collected import Collected, Judgement, Person
from assent.design.description import CleaningRules, Description, Pattern, Question, Task
from assent.design.ordering import Kind
from assent.design.texts import normalised

CHOICES = frozenset({Task.MULTILABEL, Task.PATTERNS})
"""Tasks in which too many can be chosen."""


@dataclass(frozen=True, kw_only=True)
class FlowStep:
    """One line of the participant-flow table: who was left out for which reason, and how many remained."""

    reason: str
    n_left_out: int
    n_remaining: int


@dataclass(frozen=True, kw_only=True)
class Dropped:
    """An answer, or one filled pattern of it, that was dropped."""

    judgement: Judgement
    reason: str
    pattern: str = ""
    word: str = ""


@dataclass(frozen=True, kw_only=True)
class Corrected:
    """A word whose spelling was normalised."""

    judgement: Judgement
    pattern: str
    written: str
    meant: str


@dataclass(frozen=True, kw_only=True)
class Cleaned:
    """The study after cleaning, and the account of it."""

    collected: Collected
    flow: tuple[FlowStep, ...]
    left_out: dict[str, str]
    dropped: tuple[Dropped, ...]
    corrected: tuple[Corrected, ...]
    n_fields: int

    @property
    def counts(self) -> dict[str, int]:
        """How many answers or fields were dropped, by reason."""
        return dict(Counter(dropped.reason for dropped in self.dropped))


def clean(collected: Collected) -> Cleaned:
    """Apply the study's rules."""
    flow, left_out = _leave_out(collected)
    staying = [judgement for judgement in collected.judgements if judgement.rater not in left_out]
    broom = _Broom(collected.study.description)
    kept = [swept for judgement in staying if (swept := broom.sweep(judgement)) is not None]
    people = tuple(person for person in collected.people if person.rater not in left_out)
    return Cleaned(
        collected=Collected(study=collected.study, people=people, judgements=tuple(kept)),
        flow=tuple(flow),
        left_out=left_out,
        dropped=tuple(broom.dropped),
        corrected=tuple(broom.corrected),
        n_fields=broom.n_fields,
    )


def _leave_out(collected: Collected) -> tuple[list[FlowStep], dict[str, str]]:
    """Go through the rules in order; each is asked only about those who are still in."""
    left_out: dict[str, str] = {}
    flow = [FlowStep(reason="came", n_left_out=0, n_remaining=len(collected.people))]
    for reason, is_out in _people_rules(collected):
        found = [p.rater for p in collected.people if p.rater not in left_out and is_out(p)]
        left_out |= dict.fromkeys(found, reason)
        remaining = len(collected.people) - len(left_out)
        flow.append(FlowStep(reason=reason, n_left_out=len(found), n_remaining=remaining))
    return flow, left_out


def _people_rules(collected: Collected) -> Iterator[tuple[str, Callable[[Person], bool]]]:
    rules = collected.study.description.cleaning
    yield "answered nothing", lambda person: person.n_answered == 0
    if (share := rules.min_share) is not None:
        yield f"answered less than {share:.0%}", lambda person: person.n_answered < share * person.n_asked
    if (limit := rules.max_overfilled) is not None:
        chosen = {question.id for question in collected.study.description.questions if question.task in CHOICES}
        main = [j for j in collected.judgements if j.kind is Kind.MAIN and j.question in chosen]
        full = Counter(j.rater for j in main if _is_overfilled(j, rules))
        reason = f"chose {rules.too_many} or more in {limit} or more answers"
        yield reason, lambda person: full[person.rater] >= limit
    if (gold := rules.min_gold) is not None:
        yield (
            f"less than {gold:.0%} of the gold items right",
            lambda person: person.gold_share is not None and person.gold_share < gold,
        )
    if (pace := rules.min_seconds) is not None:
        yield (
            f"median time under {pace:g} s",
            lambda person: person.median_seconds is not None and person.median_seconds < pace,
        )


def _is_overfilled(judgement: Judgement, rules: CleaningRules) -> bool:
    return isinstance(judgement.value, dict | list) and len(judgement.value) >= rules.too_many


class _Broom:
    """Goes over the answers one by one and keeps account."""

    def __init__(self, description: Description) -> None:
        self.dropped: list[Dropped] = []
        self.corrected: list[Corrected] = []
        self.n_fields = 0
        self._rules = description.cleaning
        self._questions = {question.id: question for question in description.questions}

    def sweep(self, judgement: Judgement) -> Judgement | None:
        """The answer as it is kept, or None when it is dropped. Training and gold items are left as they are."""
        if judgement.kind in {Kind.TRAINING, Kind.GOLD}:
            return judgement
        question = self._questions[judgement.question]
        self.n_fields += len(judgement.value) if question.task is Task.PATTERNS else 1
        if reason := self._whole_fault(judgement, question):
            self.dropped.append(Dropped(judgement=judgement, reason=reason))
            return None
        return self._sweep_patterns(judgement, question) if question.task is Task.PATTERNS else judgement

    def _whole_fault(self, judgement: Judgement, question: Question) -> str | None:
        if not judgement.is_finished:
            return "page not finished"
        if self._rules.drop_overfilled and question.task in CHOICES and _is_overfilled(judgement, self._rules):
            return f"{self._rules.too_many} or more chosen"
        return None

    def _sweep_patterns(self, judgement: Judgement, question: Question) -> Judgement | None:
        patterns = {pattern.id: pattern for pattern in question.patterns}
        kept: dict[str, Any] = {}
        for id, written in judgement.value.items():
            word = self._spelled(judgement, id, written)
            if reason := self._fault(patterns[id], word):
                self.dropped.append(Dropped(judgement=judgement, reason=reason, pattern=id, word=written))
            else:
                kept[id] = word
        return replace(judgement, value=kept) if kept else None

    def _spelled(self, judgement: Judgement, pattern: str, written: str) -> str:
        meant = self._rules.spelling.get(normalised(written))
        if meant is None or meant == written:
            return written
        self.corrected.append(Corrected(judgement=judgement, pattern=pattern, written=written, meant=meant))
        return meant

    def _fault(self, pattern: Pattern, word: str) -> str | None:
        form = normalised(word)
        allowed = {normalised(phrase) for phrase in self._rules.allowed_phrases}
        if self._rules.drop_several_words and " " in form and form not in allowed:
            return "several words"
        if self._rules.lexicon and form not in allowed:
            kinds = self._rules.lexicon.get(form)
            if kinds is None:
                return "not a word"
            if pattern.part_of_speech and pattern.part_of_speech not in kinds:
                return "wrong part of speech"
        return None
