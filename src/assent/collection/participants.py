"""Who took part, in one small table (Table II of Boleda, Schulte im Walde & Badia 2009).

Numbers are given as minimum, maximum, mean and median; everything else as shares, with those who did not say.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean, median

from assent.collection.collected import Person
from assent.design.description import Description, ParticipantQuestion

NOT_REPORTED = "not reported"


@dataclass(frozen=True, kw_only=True)
class NumberAnswers:
    """The answers to a question that asks for a number. Without any, the four are None."""

    question: str
    n: int
    n_not_reported: int
    minimum: float | None
    maximum: float | None
    mean: float | None
    median: float | None


@dataclass(frozen=True, kw_only=True)
class WordAnswers:
    """The answers to any other question: how many gave each, most first, those who did not say last."""

    question: str
    n: int
    counts: tuple[tuple[str, int], ...]

    @property
    def shares(self) -> tuple[tuple[str, float], ...]:
        """Each answer's share of all participants."""
        return tuple((answer, count / self.n) for answer, count in self.counts)


def participants_table(description: Description, people: Sequence[Person]) -> list[NumberAnswers | WordAnswers]:
    """One entry for each question about the participant."""
    return [_numbers(q, people) if q.kind == "number" else _words(q, people) for q in description.participant]


def _numbers(question: ParticipantQuestion, people: Sequence[Person]) -> NumberAnswers:
    values = [float(answer) for person in people if (answer := person.described.get(question.id))]
    return NumberAnswers(
        question=question.id,
        n=len(people),
        n_not_reported=len(people) - len(values),
        minimum=min(values, default=None),
        maximum=max(values, default=None),
        mean=fmean(values) if values else None,
        median=median(values) if values else None,
    )


def _words(question: ParticipantQuestion, people: Sequence[Person]) -> WordAnswers:
    given = Counter(person.described.get(question.id) or NOT_REPORTED for person in people)
    silent = given.pop(NOT_REPORTED, 0)
    counts = [*given.most_common(), *([(NOT_REPORTED, silent)] if silent else [])]
    return WordAnswers(question=question.id, n=len(people), counts=tuple(counts))


def described_in_words(entry: NumberAnswers | WordAnswers) -> str:
    """One cell of the table, as the source prints it."""
    if isinstance(entry, WordAnswers):
        return "; ".join(f"{answer} {share:.0%}" for answer, share in entry.shares)
    if entry.mean is None or entry.median is None:
        return f"{NOT_REPORTED} {entry.n_not_reported}"
    told = f"min. {entry.minimum:g}; max. {entry.maximum:g}; mean {entry.mean:.1f}; median {entry.median:g}"
    return told + (f"; {NOT_REPORTED} {entry.n_not_reported}" if entry.n_not_reported else "")
