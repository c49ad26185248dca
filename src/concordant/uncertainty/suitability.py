"""Which measures suit some data, and why the others do not."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from concordant.engines.tally import Tally, tally
from concordant.errors import InputError
from concordant.measures.catalogue import CATALOGUE
from concordant.measures.spec import Measure
from concordant.model.judgements import Judgements
from concordant.model.tabular import TabularResult

MOST_SHOWN = 20


@dataclass(frozen=True, kw_only=True)
class Suitability:
    """A measure on these data: why it cannot be computed (problems), why one may not want it (cautions)."""

    measure: Measure[Any]
    problems: tuple[str, ...]
    cautions: tuple[str, ...]
    is_recommended: bool
    question: str | None = None

    def __repr__(self) -> str:
        """The measure and what can be said for or against it here."""
        place = f"{self.question}: " if self.question else ""
        why = "; ".join((*self.problems, *self.cautions))
        return f"<{place}{self.measure.key}: {self.rating}{f' ({why})' if why else ''}>"

    @property
    def rating(self) -> Literal["no", "recommended", "with care", "yes"]:
        """How well it suits, in a word."""
        if self.problems:
            return "no"
        if self.is_recommended:
            return "recommended"
        return "with care" if self.cautions else "yes"

    def to_dict(self) -> dict[str, Any]:
        """What is said of the measure, as JSON has it."""
        rated = {"recommended": self.is_recommended, "problems": self.problems, "cautions": self.cautions}
        return {"measure": self.measure.key, "name": self.measure.name, **rated}


class Suitabilities(TabularResult, Sequence[Suitability]):
    """All measures for some data, those that suit best first; of several questions one list after the other."""

    COLUMNS: ClassVar = {"question": "Question", "measure": "Key", "name": "Name", "suits": "Suits", "why": "Why not"}

    def __init__(self, found: Iterable[Suitability]) -> None:
        """Keep them."""
        self._found = tuple(found)

    def __getitem__(self, place: Any) -> Any:
        """One measure, or a part of them."""
        return self._found[place]

    def __len__(self) -> int:
        """How many there are."""
        return len(self._found)

    def __repr__(self) -> str:
        """A line each for those that suit best, and how many others there are."""
        best = [repr(one) for one in self if one.is_recommended][:MOST_SHOWN]
        return "\n".join([f"{len(self)} measures, recommended:" if best else f"{len(self)} measures", *best])

    def rows(self) -> list[dict[str, Any]]:
        """One for each measure of each question."""
        return [
            {
                "question": one.question,
                "measure": one.measure.key,
                "name": one.measure.name,
                "suits": one.rating,
                "why": "; ".join((*one.problems, *one.cautions)),
            }
            for one in self
        ]

    def to_dict(self) -> dict[str, Any]:
        """What `measures --for DATA --json` prints, without the notes."""
        questions = dict.fromkeys(one.question for one in self)
        return {
            "questions": [
                {"question": question, "measures": [one.to_dict() for one in self if one.question == question]}
                for question in questions
            ]
        }


def suitable(data: Any) -> list[Suitability]:
    """All measures for these data: the recommended ones in their order, what suits, what can be computed, the rest.

    Of spans and trees, which no measure only half suits, those that cannot be computed come last.
    """
    if isinstance(data, Judgements):
        data = tally(data)
    if not hasattr(data, "kind"):
        raise InputError(f"{type(data).__name__} cannot be measured", hint="give Judgements, a Tally or a Continuum")
    is_tally, asked = isinstance(data, Tally), []
    many = len(data.used_raters if is_tally else getattr(data, "raters", ())) > 2
    for measure in CATALOGUE.values():
        problems, cautions = tuple(measure.problems(data)), tuple(measure.cautions(data))
        place = None if problems else measure.place(data.scale.level if is_tally else data.kind, many=many)
        one = Suitability(measure=measure, problems=problems, cautions=cautions, is_recommended=place is not None)
        order = (place is None, place or 0) if is_tally else ()
        asked.append(((*order, bool(problems), bool(cautions)), one))
    return [one for _, one in sorted(asked, key=lambda pair: pair[0])]


def recommended(data: object) -> list[str]:
    """The keys of the measures to compute when none is asked for."""
    return [one.measure.key for one in suitable(data) if one.is_recommended]
