"""Units with all their answers side by side, whatever the task: what the explorer lists and adjudicators decide.

A unit is what was shown (identical texts are one). How far its raters are apart is the entropy of the distinct answers
in bits: 0 when all agree.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import log2
from typing import Any

from assent.collection.adjudication import Decision, Place
from assent.collection.collected import Judgement
from assent.collection.following import Followed
from assent.design.description import Description, Question
from assent.design.ordering import Kind
from assent.design.values import as_text


@dataclass(frozen=True, kw_only=True)
class Given:
    """One rater's answer to one question about one unit."""

    rater: str
    value: Any
    text: str
    seconds: float | None
    n_given: int
    seq: int


@dataclass(frozen=True, kw_only=True)
class Case:
    """A unit, a question, and every answer to it."""

    unit: str
    question: str
    given: tuple[Given, ...]

    @property
    def place(self) -> Place:
        """What it is about."""
        return self.unit, self.question

    @cached_property
    def counts(self) -> Mapping[str, int]:
        """How often each answer was given, the most frequent first."""
        return dict(Counter(one.text for one in self.given).most_common())

    @cached_property
    def entropy(self) -> float:
        """How far the raters are apart, in bits."""
        n = len(self.given)
        return -sum(count / n * log2(count / n) for count in self.counts.values()) + 0.0

    @property
    def is_disputed(self) -> bool:
        """Whether raters gave different answers."""
        return len(self.counts) > 1

    def is_newer_than(self, decision: Decision) -> bool:
        """Whether an answer was given, or changed, after the decision was made."""
        return any(one.seq > decision.seen for one in self.given)


def cases_of(description: Description, followed: Iterable[Followed]) -> list[Case]:
    """Every unit and question that was answered, the most disputed first, then in the order of the study."""
    questions = {question.id: question for question in description.questions}
    given: dict[Place, list[Given]] = defaultdict(list)
    for one in followed:
        for judgement in one.cleaned.collected.judgements:
            if judgement.kind is Kind.MAIN:
                place = judgement.unit, judgement.question
                given[place].append(_given(judgement, questions[judgement.question]))
    cases = [Case(unit=unit, question=question, given=tuple(found)) for (unit, question), found in given.items()]
    return sorted(cases, key=lambda case: (-case.entropy, -len(case.given), case.question, case.unit))


def _given(judgement: Judgement, question: Question) -> Given:
    return Given(
        rater=judgement.rater,
        value=judgement.value,
        text=as_text(question, judgement.value),
        seconds=judgement.seconds,
        n_given=judgement.n_given,
        seq=judgement.seq,
    )


@dataclass(frozen=True, kw_only=True)
class Filter:
    """Which cases to look at; an empty field does not matter. `answers` must all occur, `rater` must stand apart."""

    question: str = ""
    answers: tuple[str, ...] = ()
    rater: str = ""
    attribute: str = ""
    value: str = ""

    def takes(self, case: Case, attributes: Mapping[str, str]) -> bool:
        """Whether a case is asked for; `attributes` are those of its unit."""
        return (
            self.question in ("", case.question)
            and all(answer in case.counts for answer in self.answers)
            and (not self.rater or _stands_apart(case, self.rater))
            and (not self.attribute or attributes.get(self.attribute, "") == self.value)
        )


def _stands_apart(case: Case, rater: str) -> bool:
    """Whether the rater's answer is not everybody's."""
    return case.is_disputed and any(one.rater == rater for one in case.given)


def to_decide(cases: Sequence[Case], decided: Mapping[Place, Decision], *, everything: bool = False) -> list[Case]:
    """The cases an adjudicator still has to decide: disputed ones (or all), and those answered anew since."""
    wanted = [case for case in cases if everything or case.is_disputed]
    return [case for case in wanted if case.place not in decided or case.is_newer_than(decided[case.place])]
