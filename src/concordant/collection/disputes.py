"""Units with all their answers side by side, whatever the task, and what adjudicators decided on them.

A unit is what was shown (identical texts are one). How far its raters are apart is the entropy of the distinct answers
in bits: 0 when all agree.

Decisions are a log of their own, only ever added to; the raters' answers stay as they are. A decision names the answers
it was made on by `seen`, the number of the latest event among them: when a rater changes an answer afterwards, the
decision is known to be older than the disagreement.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import log2
from typing import Any

from sqlalchemy import Connection, func, insert, select

from concordant.collection.collected import FoldedRater
from concordant.collection.database import decisions
from concordant.collection.events import new_id, now
from concordant.collection.log import BesideLog
from concordant.design.description import Description
from concordant.design.steps import JUDGED
from concordant.memory import one_of_many
from concordant.tasks.kind import as_text

UNCLEAR = "unclear"
CAUSES = ("slip", UNCLEAR, "ambiguous", "scale")
"""Why raters differ: inattention, a guideline that leaves it open, a text that has both readings, no fitting answer."""
AVOIDABLE = frozenset(CAUSES) - {"ambiguous"}


@dataclass(frozen=True, kw_only=True)
class Decision:
    """One decision on a unit and a question. `is_unclear`: the guidelines do not settle it.

    `cause` is why the raters differed: one of `CAUSES` or the adjudicator's own word; `comment` is a note for the next
    version of the guidelines.
    """

    unit: str
    question: str
    value: Any
    adjudicator: str
    comment: str = ""
    is_unclear: bool = False
    seen: int = 0
    id: str = ""
    at: str = ""
    cause: str = ""


Place = tuple[str, str]  # unit, question


class Adjudication(BesideLog):
    """The decisions of the studies in one database."""

    def decide(self, study: str, decision: Decision) -> None:
        """Store a decision; returns when it is safe. Sending it again under its id changes nothing."""
        id, at = decision.id or new_id(), decision.at or now()
        value = json.dumps(decision.value, sort_keys=True, allow_nan=False)

        def store(connection: Connection) -> None:
            if connection.scalar(select(decisions.c.seq).where(decisions.c.id == id)) is None:
                last = connection.scalar(select(func.coalesce(func.max(decisions.c.seq), 0))) or 0
                new = {**decision.__dict__, "study": study, "seq": last + 1, "id": id, "value": value, "at": at}
                connection.execute(insert(decisions), [new])

        self.log.write(store).result()

    def history(self, study: str) -> list[Decision]:
        """Every decision in order, later ones revising earlier ones."""
        return self.log.values(Decision, decisions, decisions.c.study == study, order=("seq",), json="value")

    def current(self, study: str) -> dict[Place, Decision]:
        """What holds: the latest decision on each unit and question."""
        return {(one.unit, one.question): one for one in self.history(study)}


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


def cases_of(description: Description, followed: Iterable[FoldedRater]) -> list[Case]:
    """Every unit and question that was answered, the most disputed first, then in the order of the study."""
    asked = {question.id: question for question in description.questions}
    given: dict[Place, list[Given]] = defaultdict(list)
    for one in followed:
        for judgement in one.cleaned.collected.judgements:
            if judgement.kind in JUDGED:
                said = {
                    "rater": judgement.rater,
                    "value": judgement.value,
                    "text": as_text(asked[judgement.question], judgement.value),
                    "seconds": judgement.seconds,
                    "n_given": judgement.n_given,
                    "seq": judgement.seq,
                }
                given[judgement.unit, judgement.question].append(one_of_many(Given, said))
    cases = [Case(unit=unit, question=question, given=tuple(found)) for (unit, question), found in given.items()]
    return sorted(cases, key=lambda case: (-case.entropy, -len(case.given), case.question, case.unit))


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
            and (not self.rater or (case.is_disputed and any(one.rater == self.rater for one in case.given)))
            and (not self.attribute or attributes.get(self.attribute, "") == self.value)
        )


def to_decide(cases: Sequence[Case], decided: Mapping[Place, Decision], *, everything: bool = False) -> list[Case]:
    """The cases an adjudicator still has to decide: disputed ones (or all), and those answered anew since."""
    wanted = [case for case in cases if everything or case.is_disputed]
    return [case for case in wanted if case.place not in decided or case.is_newer_than(decided[case.place])]
