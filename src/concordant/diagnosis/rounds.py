"""Rounds of a study: agreement before and after a change, and the difference with an interval.

A round is what was answered beside one version of the guidelines, or one round of the assignment. That raters answered
other texts, with more practice, is part of the difference: it says whether agreement changed, not why.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from concordant.diagnosis.verdict import MAIN
from concordant.measures.result import Agreement
from concordant.model.study import Study
from concordant.uncertainty.mover import Limits, difference_limits
from concordant.uncertainty.studies import measure_study

GUIDELINES, ROUND = "guidelines_version", "round"
COLUMNS = (GUIDELINES, ROUND)
"""Columns that make rounds: the version of the guidelines beside an answer, and the round of the assignment."""
BETTER, WORSE, UNCLEAR, UNDEFINED = "better", "worse", "unclear", "undefined"


@dataclass(frozen=True, kw_only=True)
class RoundChange:
    """One question in two rounds that follow each other: agreement in both, and the later less the earlier.

    `said` is better or worse where the interval leaves 0 out, unclear where it does not, undefined where there is none.
    """

    title: str
    column: str = GUIDELINES
    before: Agreement
    after: Agreement
    difference: Limits | None

    @property
    def versions(self) -> tuple[str, str]:
        """The two rounds by name."""
        return round_of(self.before, self.column), round_of(self.after, self.column)

    @property
    def said(self) -> str:
        """What may be said of the change."""
        if self.difference is None:
            return UNDEFINED
        return BETTER if self.difference.low > 0 else WORSE if self.difference.high < 0 else UNCLEAR

    @property
    def reason(self) -> str:
        """Why there is no difference."""
        lacking = next((one for one in (self.before, self.after) if one.interval is None), None)
        return "" if lacking is None else f"{round_of(lacking, self.column)}: {lacking.reason or 'no interval'}"


def round_changes(
    study: Study,
    column: str = GUIDELINES,
    *,
    order: Sequence[str] = (),
    results: Sequence[Agreement] | None = None,
    seed: int = 0,
) -> list[RoundChange]:
    """Every question before and after every change; `order` of the rounds, else by the numbers in their names.

    `results` are the coefficients by this column where they are known already.
    """
    if column not in study.attributes:
        return []
    found = measure_study(study, [MAIN], by=[column], seed=seed) if results is None else results
    main = [one for one in found if one.measure == MAIN and round_of(one, column)]
    place = {name: number for number, name in enumerate(order)}
    made = list[RoundChange]()
    for question in dict.fromkeys(one.question for one in main):
        mine = [one for one in main if one.question == question]
        mine.sort(key=lambda one: (place.get(round_of(one, column), len(place)), in_order(round_of(one, column))))
        title = study.titles.get(question or "", "") or question or ""
        made += [change_of(title, column, *two) for two in pairwise(mine)]
    return made


def round_of(result: Agreement, column: str) -> str:
    """The round that a coefficient is about."""
    return (result.slice or {}).get(column, "")


def in_order(name: str) -> list[tuple[int, int | str]]:
    """A key by which 1.10 comes after 1.9, and numbers before words.

    >>> sorted(["1.10", "b", "1.9"], key=in_order)
    ['1.9', '1.10', 'b']
    """
    return [(0, int(part)) if part.isdecimal() else (1, part) for part in re.findall(r"\d+|\D+", name)]


def change_of(title: str, column: str, before: Agreement, after: Agreement) -> RoundChange:
    """One round against the next."""
    later, earlier = limits_of(after), limits_of(before)
    gap = difference_limits(later, earlier) if later and earlier else None
    return RoundChange(title=title, column=column, before=before, after=after, difference=gap)


def limits_of(result: Agreement) -> Limits | None:
    """A coefficient with its interval; None without one."""
    if result.value is None or result.interval is None:
        return None
    return Limits(result.value, result.interval.low, result.interval.high)
