"""How often each rater said yes, beside agreement by chance, observed agreement and the coefficient.

The columns of a careful published table (SAILS, Tables 4.2 and 4.3): a coefficient is read with the rates that its
chance comes from.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from concordant.measures.result import Agreement
from concordant.report.grid import Cell, Grid, grid

MOST_BESIDE = 4  # parts beside each other; more do not fit on a page


@dataclass(frozen=True, kw_only=True)
class RateRow:
    """One question, or one part of it: `place` is the question's name and the values of the slice."""

    place: tuple[str, ...]
    rates: tuple[float | None, ...]
    result: Agreement

    @property
    def average(self) -> float | None:
        """The mean of the rates that are known."""
        known = [rate for rate in self.rates if rate is not None]
        return sum(known) / len(known) if known else None


@dataclass(frozen=True, kw_only=True)
class RateTable:
    """Questions with two categories and the same raters, in parts `by` attributes; `yes` is what is counted."""

    has_questions: bool
    by: tuple[str, ...]
    raters: tuple[str, ...]
    yes: str
    rows: tuple[RateRow, ...]

    @property
    def coefficient(self) -> str:
        """What the values are of."""
        return " or ".join(dict.fromkeys(row.result.name for row in self.rows))

    @property
    def parts(self) -> list[str]:
        """The values of the last attribute."""
        return list(dict.fromkeys(row.place[-1] for row in self.rows))

    def as_grid(self) -> Grid:
        """The table as a terminal and a report show it, a row for each question and part."""
        results = [row.result for row in self.rows]
        where = (*(("Question",) if self.has_questions else ()), *self.by)
        columns: dict[str, Sequence[Cell]] = {name: [row.place[i] for row in self.rows] for i, name in enumerate(where)}
        columns |= {f"{rater}: {self.yes}": [row.rates[i] for row in self.rows] for i, rater in enumerate(self.raters)}
        columns |= {
            f"Average: {self.yes}": [row.average for row in self.rows],
            "Chance": [one.expected for one in results],
            "Observed": [one.observed for one in results],
            self.coefficient: ["undefined" if one.value is None else one.value for one in results],
            "Units": [one.n_units for one in results],
        }
        return grid(f"How often each rater said {self.yes}, beside chance", columns)

    def side_by_side(self) -> Grid | None:
        """A row for each question, the parts beside each other under every heading (SAILS, Table 4.3).

        None unless several questions are cut by one attribute with few values, each with all of them.
        """
        if not self.has_questions or len(self.by) != 1:
            return None
        cells, parts = {row.place: row for row in self.rows}, self.parts
        questions = list(dict.fromkeys(row.place[0] for row in self.rows))
        if not (len(questions) > 1 < len(parts) <= MOST_BESIDE and len(cells) == len(questions) * len(parts)):
            return None
        looks: dict[str, Callable[[RateRow], Cell]] = {
            "Average": lambda row: row.average,
            "Chance": lambda row: row.result.expected,
            "Observed": lambda row: row.result.observed,
            self.coefficient: lambda row: "undefined" if row.result.value is None else row.result.value,
        }
        columns: dict[str, Sequence[Cell]] = {"Question": questions}
        columns |= {
            f"{name} {part}": [look(cells[question, part]) for question in questions]
            for name, look in looks.items()
            for part in parts
        }
        return grid(f"{self.by[0]} side by side; average: {self.yes}", columns)


def rate_table(results: Sequence[Agreement], titles: Mapping[str, str] | None = None) -> RateTable | None:
    """One row for each question and slice, with the first coefficient that corrects agreement for chance.

    None where no question has two categories, or where the raters or what counts as yes are not the same throughout.
    """
    rows = []
    for place, found in groupby(results, key=lambda one: (one.question or "", tuple((one.slice or {}).items()))):
        chosen = next((one for one in found if one.details.get("yes_rates") and compares_agreement(one)), None)
        if chosen is not None:
            rows.append((place, chosen))
    raters = {tuple(one.details["yes_rates"]) for _, one in rows}
    words = {one.details["yes"] for _, one in rows}
    names = {tuple(name for name, _ in parts) for (_, parts), _ in rows}
    if not (len(raters) == len(words) == len(names) == 1):
        return None
    own, has_questions = titles or {}, any(question for (question, _), _ in rows)
    return RateTable(
        has_questions=has_questions,
        by=names.pop(),
        raters=raters.pop(),
        yes=words.pop(),
        rows=tuple(
            RateRow(
                place=(*((own.get(question, question),) if has_questions else ()), *(value for _, value in parts)),
                rates=tuple(one.details["yes_rates"].values()),
                result=one,
            )
            for (question, parts), one in rows
        ),
    )


def compares_agreement(one: Agreement) -> bool:
    """Whether a coefficient says how far observed agreement is above chance: (observed - chance) / (1 - chance).

    Others, such as alpha, are made of disagreement.
    """
    if one.observed is None or one.expected is None:
        return False
    if one.value is None:
        return one.expected == 1
    return abs(one.value * (1 - one.expected) - (one.observed - one.expected)) < 1e-9
