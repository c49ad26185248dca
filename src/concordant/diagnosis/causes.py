"""Why raters differed, in the words of those who looked at each disagreement and decided it.

A slip, a guideline that leaves the case open and a scale without a fitting answer can be mended; a text that really has
both readings cannot. So the counts say how much of the disagreement better work would have avoided. Only adjudicators
know: nothing here is estimated, and what they did not look at is not counted.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from concordant.diagnosis.findings import Finding, note
from concordant.digits import percent
from concordant.model.columns import Column
from concordant.model.study import Study

WORDS = {
    "slip": "attention slip",
    "unclear": "guideline unclear",
    "ambiguous": "truly ambiguous",
    "scale": "no answer fits",
}
"""What the coded causes are called; adjudicators may also use words of their own."""
ADVICE = (
    "Slips call for a second look at one's own answers, an unclear guideline for a rule with an example, a missing "
    "answer for another scale. What is truly ambiguous will stay: keep the share of each answer (soft labels) there."
)


@dataclass(frozen=True, kw_only=True)
class CauseCount:
    """How often a cause was named on a question, and the share of all causes named there."""

    question: str
    cause: str
    n: int
    share: float
    is_avoidable: bool

    @property
    def words(self) -> str:
        """What the cause is called."""
        return WORDS.get(self.cause, self.cause)


def count_causes(study: Study) -> tuple[CauseCount, ...]:
    """The causes named for units and questions that are in the study, question by question, the most frequent first."""
    units = _used(study.unit)
    asked = None if study.question is None else _used(study.question)
    named = [
        one
        for one in study.causes
        if units & set(one.units) and (asked is None or one.question in asked or not one.is_measured)
    ]
    sizes = Counter(one.question for one in named)
    counts = Counter((one.question, one.name, one.is_avoidable) for one in named)
    order = list(sizes)
    rows = sorted(counts.items(), key=lambda row: (order.index(row[0][0]), -row[1], row[0][1]))
    return tuple(
        CauseCount(question=question, cause=name, n=n, share=n / sizes[question], is_avoidable=is_avoidable)
        for (question, name, is_avoidable), n in rows
    )


def _used(column: Column) -> set[str]:
    """The labels that some row has."""
    labels = column.as_labels().labels
    return {labels[code] for code in np.unique(column.as_labels().codes).tolist() if code >= 0}


def on_causes(counts: Sequence[CauseCount]) -> Iterator[Finding]:
    """How much of the disagreement could have been avoided, by those who decided it."""
    n, n_avoidable = sum(one.n for one in counts), sum(one.n for one in counts if one.is_avoidable)
    if not n:
        return
    totals: Counter[str] = Counter()
    for one in counts:
        totals[one.words] += one.n
    listed = ", ".join(f"{name} {often:,}" for name, often in totals.most_common())
    which = "the disagreement" if n == 1 else f"the {n:,} disagreements"
    yield note(
        kind="causes",
        seen=f"{n_avoidable:,} of {which} whose cause adjudicators named could have been avoided ({listed}).",
        sure=f"Counted, not estimated: {percent(n_avoidable / n)} of what was looked at; the rest may be otherwise.",
        advice=ADVICE,
        evidence={"n": n, "n_avoidable": n_avoidable, "causes": dict(totals)},
    )
