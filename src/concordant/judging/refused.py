"""Models that cannot be compared with people, and what a model does not answer: is it of some kind?

That is counted by what most people said of the unit.

Answers that are missing are not counted as wrong, so a model that refuses where people say `hateful` looks better than
it is on what is left.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from concordant.digits import percent
from concordant.errors import InputError
from concordant.judging.panel import Judge, Panel, is_answer
from concordant.model.refusals import LONGEST_WORD, MOST_BEYOND, MOST_WORDS
from concordant.model.scale import Level
from concordant.model.study import Study
from concordant.randomness import generator

DRAWS = 9999
SURE = 0.05


def refuse_strangers(study: Study, panel: Panel, judges: Sequence[Judge]) -> None:
    """A model that answered other units than people is not compared with them, nor one that answers on another scale.

    A scale that was declared is everybody's.
    """
    for judge in judges:
        answered = is_answer(judge.answer)
        if answered.any() and not (answered & (panel.sizes > 0)).any():
            units = [panel.units[int(kind.argmax())] for kind in (answered, panel.sizes > 0)]
            what = f"{judge.name} and people judged no unit in common: {units[0]!r} and {units[1]!r}"
            raise InputError(what, file=study.name, hint="call units the same in both")
    if study.categories is not None or not len(panel.value):
        return
    if panel.scale.level is Level.NOMINAL:
        _refuse_other_words(study, panel, judges)
    if not panel.is_ordered:
        return
    low, high = float(panel.numbers.min()), float(panel.numbers.max())
    for judge in judges:
        said = panel.as_numbers(judge.answer[is_answer(judge.answer)])
        if len(said) and ((said < low) | (said > high)).mean() > MOST_BEYOND:
            theirs = f"{judge.name} answers from {said.min():g} to {said.max():g}, people from {low:g} to {high:g}"
            hint = "bring them to one scale, or name all its values with --categories"
            raise InputError(theirs, file=study.name, hint=hint)


def _refuse_other_words(study: Study, panel: Panel, judges: Sequence[Judge]) -> None:
    used = panel.counts.sum(axis=0) > 0
    names = panel.scale.categories
    for judge in judges:
        said = np.bincount(judge.answer[is_answer(judge.answer)], minlength=len(names))
        if said[~used].sum() > MOST_BEYOND * said.sum():
            words = [
                ", ".join(repr(names[c][:LONGEST_WORD]) for c in np.flatnonzero(kind).tolist()[:MOST_WORDS])
                for kind in ((said > 0) & ~used, used)
            ]
            theirs = f"{judge.name} answers {words[0]}, people {words[1]}"
            hint = "write the same words in both, or name all of them with --categories"
            raise InputError(theirs, file=study.name, hint=hint)


@dataclass(frozen=True, kw_only=True)
class RefusedOf:
    """Of the units that most people put into a category, how many the model was asked about and did not answer."""

    category: str
    n_asked: int
    n_refused: int

    @property
    def share(self) -> float:
        """Refused of those asked."""
        return self.n_refused / self.n_asked if self.n_asked else 0.0


@dataclass(frozen=True, kw_only=True)
class Refusals:
    """By category, with the chance of such differences if refusals had nothing to do with what people said."""

    of: tuple[RefusedOf, ...]
    p: float

    @property
    def said(self) -> str:
        """Where it refuses most, if that is no accident; else empty."""
        if self.p >= SURE:
            return ""
        most = max(self.of, key=lambda one: (one.share, one.n_asked))
        rest = [one for one in self.of if one is not most]
        n_refused, n_asked = sum(one.n_refused for one in rest), sum(one.n_asked for one in rest)
        others = f"{percent(n_refused / n_asked)} elsewhere" if n_asked else "nothing elsewhere"
        told = f"{most.n_refused:,} of {most.n_asked:,} units that most people call {most.category!r} are not answered"
        return f"{told}, {others}: what is left does not stand for all"


def refusals_of(panel: Panel, judge: Judge, *, seed: int) -> Refusals | None:
    """None where nothing was refused, or values are no categories. A tie of people is no category."""
    if not judge.n_refused or panel.is_continuous:
        return None
    top = panel.counts.max(axis=1)
    is_clear = (panel.counts == top[:, None]).sum(axis=1) == 1
    most = panel.counts.argmax(axis=1)
    asked, refused = (
        np.bincount(most[units[is_clear[units]]], minlength=panel.counts.shape[1])
        for units in (judge.asked, judge.refused)
    )
    names = panel.scale.categories
    of = tuple(
        RefusedOf(category=str(names[c]), n_asked=int(asked[c]), n_refused=int(refused[c]))
        for c in np.flatnonzero(asked).tolist()
    )
    return Refusals(of=of, p=_chance(asked, refused, seed)) if of and refused.sum() else None


def _chance(asked: np.ndarray, refused: np.ndarray, seed: int) -> float:
    """How often as uneven, if so many refusals fell on any units: chi-square, drawn without replacement."""
    n, asked = int(refused.sum()), asked.astype(np.int64)
    used = asked > 0
    expected = n * asked[used] / asked.sum()
    drawn = generator(seed, 5).multivariate_hypergeometric(asked[used], n, size=DRAWS)
    found, all_drawn = (((x - expected) ** 2 / expected).sum(axis=-1) for x in (refused[used], drawn))
    return float((1 + (all_drawn >= found - 1e-9).sum()) / (DRAWS + 1))
