"""Where things stand in the charts of the pages: places in per cent of a width, tones by verdict and by category.

Colours mean one thing: green, amber, red and grey a verdict, the others a category of the study. A category keeps its
colour on every page, because it is given by its place among the study's categories and never by its rank.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from concordant.collection.disputes import Case
from concordant.tasks.kind import kind_of
from concordant.tasks.question import Question, Unit

STEPS = 5  # shades of an ordered scale
COLOURS = 6  # of categories without an order; a seventh is grey
NEUTRAL = "c0"


@dataclass(frozen=True, kw_only=True)
class Share:
    """A part of a bar: of one category."""

    tone: str
    label: str
    n: int
    begin: float
    width: float


@dataclass(frozen=True, kw_only=True)
class Entry:
    """What a colour stands for."""

    tone: str
    label: str


def tones_of(question: Question, cases: Sequence[Case]) -> dict[str, str]:
    """The tone of every answer to a question that has categories, in the order of the study.

    Ordered scales take shades of one colour. Of more than six categories the most frequent six have colours.
    """
    kind = kind_of(question)
    if kind.measured(question) != (question,):  # an answer is many judgements, and has no category itself
        return {}
    named = [*kind.categories(question)] or [option.value for option in question.options]
    if not named or (not kind.lists_answers and kind.level is None):
        return {}
    if kind.level is not None and kind.level.is_ordered and len(named) > 2:
        last = max(len(named) - 1, 1)
        return {name: f"o{1 + round((STEPS - 1) * place / last)}" for place, name in enumerate(named)}
    counts = dict.fromkeys(named, 0)
    for case in cases if len(named) > COLOURS else ():
        for name, n in case.counts.items() if case.question == question.id else ():
            counts[name] = counts.get(name, 0) + n
    coloured = sorted(named, key=lambda name: (-counts[name], named.index(name)))[:COLOURS]
    inside = [name for name in named if name in coloured]
    return {name: f"c{inside.index(name) + 1}" if name in inside else NEUTRAL for name in named}


def shares_of(case: Case, question: Question, unit: Unit, tones: Mapping[str, str]) -> tuple[Share, ...]:
    """How the answers to a case are divided, in the order of the categories."""
    kind, n, begin, found = kind_of(question), len(case.given), 0.0, []
    order = list(tones)
    for text in sorted(case.counts, key=lambda one: (order.index(one) if one in order else len(order), one)):
        width, tone = 100 * case.counts[text] / n, tones.get(text, NEUTRAL)
        label = kind.label_of(question, unit, text)
        found.append(Share(tone=tone, label=label, n=case.counts[text], begin=round(begin, 2), width=round(width, 2)))
        begin += width
    return tuple(found)


def legend_of(question: Question, unit: Unit, tones: Mapping[str, str]) -> tuple[Entry, ...]:
    """What the colours of a question stand for."""
    kind = kind_of(question)
    return tuple(Entry(tone=tone, label=kind.label_of(question, unit, name)) for name, tone in tones.items())
