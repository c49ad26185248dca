"""Gold by a model of how far each rater can be trusted: learned, guarded, and told with what stands against it.

The models are in `rater_models.py`, the guards in `guards.py`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from concordant.choices import Choices, choice
from concordant.diagnosis.findings import Finding
from concordant.digits import counted
from concordant.errors import InputError, nearest
from concordant.gold.guards import (
    INDEPENDENT,
    Calibration,
    calibration,
    doubts,
    misnamed_classes,
    refuse_misnamed,
    scatter_doubt,
)
from concordant.gold.rater_models import Answers, Model, Posterior, Prior, Votes, learned, mace, posterior, votes_of
from concordant.gold.values import GoldValues, Values
from concordant.model.judgements import Judgements
from concordant.progress import Progress, part, silent

MOST_RATES = 50_000_000  # error rates in the tables of all raters


class Method(StrEnum):
    """How the value of a unit is found."""

    VOTES = "votes"
    ADJUDICATED = "adjudicated"
    DAWID_SKENE = "dawid_skene"
    MACE = "mace"
    RASCH = "rasch"


@dataclass(frozen=True, kw_only=True)
class Standard:
    """All units, and for the models how far each rater can be trusted and what stands against believing them."""

    method: Method
    categories: tuple[str, ...]
    values: Values
    competences: Mapping[str, float]
    findings: tuple[Finding, ...] = ()
    notes: tuple[str, ...] = ()
    calibration: Calibration | None = None

    @property
    def n_undecided(self) -> int:
        """Units without a value."""
        return self.values.n_undecided

    @property
    def counts(self) -> dict[str, int]:
        """How many units got each value; fair averages are not counted."""
        return {} if self.method is Method.RASCH else self.values.counts


class ModelOptions(Choices):
    """What may be said of a model of raters."""

    prior: str = choice("0.5,1", "Dawid & Skene: pseudo-answers per cell, and more for the own name: A,B; or none.")
    not_a_truth: tuple[str, ...] = choice((), "Answers that no unit can be, as Unsure: they stay answers.")
    accept_classes: bool = choice(
        False, "Give classes that are not what their name says, renamed to class-1 and so on."
    )
    seed: int = choice(1, "Seed of the starts.")

    @property
    def pseudo(self) -> Prior:
        """The prior as numbers."""
        texts = self.prior.split(",")
        try:
            every, own = (0.0, 0.0) if self.prior == "none" else map(float, texts)
        except ValueError:
            raise InputError(
                f"the prior {self.prior!r} is not two numbers", hint="write --prior 0.5,1 or none"
            ) from None
        if not (0 <= every < np.inf and 0 <= own < np.inf):
            raise InputError(f"the prior {self.prior!r} is negative or not finite", hint="write --prior 0.5,1 or none")
        return Prior(every, own)


USUAL = ModelOptions()
MODELS = (Method.DAWID_SKENE, Method.MACE)


class Trusted(NamedTuple):
    """A fit that passed the guards, what stands against it, and what its categories are called then."""

    model: Model
    findings: tuple[Finding, ...]
    names: tuple[str, ...]


def dawid_skene_trusted(
    answers: Answers,
    options: ModelOptions,
    question: str | None = None,
    progress: Progress = silent,
) -> Trusted:
    """Dawid & Skene learned and guarded."""
    prior, truths = options.pseudo, truths_of(answers, options)
    found = learned(answers, prior=prior, truths=truths, progress=part(progress, 0, 2))
    findings = misnamed_classes(answers, found)
    if not options.accept_classes:
        refuse_misnamed(findings, question)
    findings += doubts(answers, found, prior, seed=options.seed, progress=part(progress, 1, 2))
    return Trusted(found, findings, _renamed(answers, findings))


def _mace_trusted(votes: Votes, options: ModelOptions, question: str | None) -> Trusted:
    """MACE learned and guarded: its classes are tied to their names, so only the votes are asked."""
    found = mace(votes, truths=truths_of(votes, options), seed=options.seed)
    findings = misnamed_classes(votes, found, by_votes_only=True)
    if not options.accept_classes:
        refuse_misnamed(findings, question)
    findings += tuple(one for one in [scatter_doubt(votes, found)] if one is not None)
    return Trusted(found, findings, _renamed(votes, findings))


def _renamed(answers: Answers, findings: Sequence[Finding]) -> tuple[str, ...]:
    """The categories, where a class that is not what its name says has a number instead."""
    misnamed = {str(one.evidence["class"]) for one in findings if "class" in one.evidence}
    return tuple(f"class-{c + 1}" if name in misnamed else name for c, name in enumerate(answers.categories))


def gold_by_model(
    data: Judgements,
    method: Method,
    options: ModelOptions,
    control: Mapping[str, str] | None = None,
    question: str | None = None,
    progress: Progress = silent,
) -> Standard:
    """The most probable value of each unit, with everything that stands against it."""
    votes = votes_of(data)
    if method is Method.MACE:
        told = _mace_trusted(votes, options, question)
    else:
        told = dawid_skene_trusted(votes, options, question, progress)
    found = told.model if isinstance(told.model, Posterior) else posterior(votes, told.model)
    return replace(
        standard_of(told, method, probable(votes, found, told.names), votes.raters, data.n_repeats),
        calibration=None if control is None else calibration(found, votes.units, control),
    )


def standard_of(told: Trusted, method: Method, values: Values, raters: Sequence[str], n_repeats: int) -> Standard:
    """What a model found, with what is to be said of it."""
    repeats = f"{counted(n_repeats, 'judgement')} of a unit by a rater who had judged it before, all used"
    return Standard(
        method=method,
        categories=told.names,
        values=values,
        competences=dict(zip(raters, told.model.competences.tolist(), strict=True)),
        findings=told.findings,
        notes=(INDEPENDENT, *([repeats] if n_repeats else [])),
    )


def truths_of(answers: Answers, options: ModelOptions) -> NDArray[np.int64]:
    """The places of the categories that a unit can be, if a model can learn from these answers as is asked."""
    categories, no_truths = answers.categories, options.not_a_truth
    for name in no_truths:
        if name not in categories:
            raise InputError(f"--not-a-truth {name!r} is no answer", hint=nearest(name, categories))
    kept = np.array([c for c, name in enumerate(categories) if name not in no_truths], dtype=np.int64)
    if not len(kept):
        raise InputError("no answer is left that a unit can be", hint="name fewer with --not-a-truth")
    size = len(answers.raters) * len(kept) * len(categories)
    if size > MOST_RATES:
        whose = f"{counted(len(answers.raters), 'rater')} and {len(categories):,} categories"
        what = f"tables of error rates for {whose} have {size:,} cells ({MOST_RATES:,} at most)"
        raise InputError(what, hint="take --method votes, or put categories together with --recode")
    return kept


def probable(votes: Votes, found: Posterior, names: Sequence[str]) -> GoldValues:
    """Every unit with its most probable category and the probability of each."""
    best = found.best
    return GoldValues(
        units=votes.units,
        names=names,
        value=best,
        certainty=found.probabilities[np.arange(len(best)), best],
        bases=("posterior",),
        basis=np.zeros(len(best), dtype=np.int64),
        n_votes=votes.counts.sum(axis=1),
        categories=tuple(names),
        shares=found.probabilities,
    )
