"""`model`: how severe raters are, whose answers do not fit, and what neutral raters would give each unit.

The model of one question is made in `facets.py`, how it is estimated stands in `rasch.py`.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from concordant.about import VERSION
from concordant.choices import escape, split
from concordant.diagnosis.material import materials
from concordant.digits import brief
from concordant.engines.tally import tally
from concordant.errors import InputError, nearest
from concordant.judging.facets import Parts, RaschModel, modelled
from concordant.model.study import Study
from concordant.model.tabular import TabularResult
from concordant.progress import Progress, silent
from concordant.readers.data import as_study
from concordant.uncertainty.front import selection

FACETS = ("unit", "rater", "question")
USUAL = ("unit", "rater")


@dataclass(frozen=True, kw_only=True, repr=False)
class Severities(TabularResult):
    """The models of all questions."""

    COLUMNS: ClassVar = {key: key for key in ("question", "facet", "name", "measure", "se", "infit", "outfit", "n")}

    models: tuple[RaschModel, ...]
    said: tuple[str, ...] = ()

    @property
    def notes(self) -> Sequence[str]:
        """What is to be known about all of them."""
        return self.said

    def __repr__(self) -> str:
        """A sentence for each question."""
        return "\n".join(f"<{f'{one.question}: ' if one.question else ''}{one.sentence}>" for one in self.models)

    def rows(self) -> list[dict[str, Any]]:
        """One for each rater (and question)."""
        return [
            {"question": one.question, "facet": facet, **vars(element)}
            for one in self.models
            for facet, elements in one.facets.items()
            for element in elements
        ]

    def to_dict(self) -> dict[str, Any]:
        """Everything as JSON can hold it."""
        return {"fits": [one.to_dict() for one in self.models], "notes": list(self.said)}


def rasch(
    data: Any,
    *,
    facets: str | Sequence[str] = USUAL,
    groups_equal: bool = False,
    seed: int = 1,
    progress: Progress = silent,
    read: Mapping[str, str] | None = None,
    **reading: Any,
) -> Severities:
    """How severe each rater is, how far their answers fit, and what neutral raters would give each unit.

    `facets` are "unit,rater", each question by itself, or "unit,rater,question", where all questions with one scale
    share their units and differ in difficulty. Raters who share no units with the others are refused by name, unless
    `groups_equal` says that units were dealt to them at random. `read` says for signatures how data were read.
    """
    chosen_facets = split(facets) if isinstance(facets, str) else tuple(facets)
    for name in chosen_facets:
        if name not in FACETS:
            raise InputError(f"there is no facet {name!r}", hint=nearest(name, FACETS))
    if not set(USUAL) <= set(chosen_facets):
        raise InputError("a model needs the facets unit and rater", hint="say --facets unit,rater")
    study = as_study(data, **reading)
    chosen = read if read is not None else {} if study is data else selection(study, reading)
    groups = _groups(study, "question" in chosen_facets)
    found = []
    for place, (question, parts) in enumerate(groups):
        progress(place, len(groups))
        one = modelled(parts, question, groups_equal=groups_equal, seed=seed, name=study.name)
        settings = {"facets": ",".join(chosen_facets), **({"groups_equal": "yes"} if groups_equal else {})}
        found.append(replace(one, signature=_signed(one, settings, seed, _fingerprint(parts), chosen)))
    progress(len(groups), len(groups))
    return Severities(models=tuple(found), said=tuple(study.notes))


def _groups(study: Study, is_facet: bool) -> list[tuple[str | None, Parts]]:
    """The questions that are modelled together."""
    parts = {one.question: one.judgements for one in materials(study)}
    if not is_facet:
        return [(question, {question: one}) for question, one in parts.items()]
    if len(parts) < 2:
        raise InputError("there is one question, so questions are no facet", file=study.name, hint="leave it out")
    if len({one.scale.categories for one in parts.values()}) > 1:
        hint = "choose questions with one scale (--where question=…), or declare --categories"
        raise InputError("the questions have different scales", file=study.name, hint=hint)
    return [(None, parts)]


def _fingerprint(parts: Parts) -> str:
    """Eight digits for all answers."""
    marks = [tally(part).fingerprint for part in parts.values()]
    return marks[0] if len(marks) == 1 else hashlib.sha256("".join(marks).encode()).hexdigest()[:8]


def _signed(one: RaschModel, settings: Mapping[str, str], seed: int, marks: str, chosen: Mapping[str, str]) -> str:
    """One line with which it can be computed again: `rasch|facets:unit,rater|…`."""
    values = (one.sigma, one.separation, one.unit_reliability)
    fields = {
        **settings,
        **({"question": one.question} if one.question else {}),
        **{f"from.{name}": text for name, text in chosen.items()},
        "units": str(len(one.fair)),
        "raters": str(len(one.facets["rater"])),
        "seed": str(seed),
        "data": marks,
        "value": ",".join(brief(value, 4) for value in values),
        "v": VERSION,
    }
    told = (f"{escape(name)}:{text if name == 'value' else escape(text)}" for name, text in fields.items())
    return "|".join(["rasch", *told])
