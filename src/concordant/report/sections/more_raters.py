"""What one rater is worth, what all together are, and how many would be enough: a decision study for each question."""

import shlex
from collections.abc import Sequence
from functools import partial

import numpy as np

from concordant.errors import ConcordantError
from concordant.plots.lines import decision
from concordant.report.document import Block, Paragraph, drawn, typed
from concordant.report.facts import JudgementFacts
from concordant.report.grid import Cell, table
from concordant.report.sections import SectionMaker
from concordant.uncertainty.decision import DecisionStudy, decide, of_mean

MOST_PICTURES = 3
TITLE = "Reliability of one rater and of several"
NOTE = (
    "Of values it is the reliability of their mean (dependability, from variance components), of categories that of "
    "the distribution of answers, k alpha / (1 + (k - 1) alpha), and 0 where one rater's is negative."
)


def blocks(facts: JudgementFacts) -> list[Block]:
    """A row for each question: one rater, as many as now, how many for the goal; and the curves of the first."""
    found: list[tuple[str | None, DecisionStudy]] = []
    reasons: list[str] = []
    for material in facts.materials:
        try:
            found.append((material.question, decide(material.tally, seed=facts.options.seed)))
        except ConcordantError as error:
            reasons.append(f"{material.question}: {error}" if material.question else str(error))
    rows: list[list[Cell]] = []
    for question, one in found:
        value, now = one.one.value or 0.0, one.now_raters
        rows.append([question, one.name, value, now, float(of_mean(np.array(value), now)), one.needed])
    if not rows:
        return []
    headers = ["Question", "Coefficient", "One rater", "Raters per unit now", "All of them", "Raters for .8"]
    keep = slice(0 if any(question for question, _ in found) else 1, None)
    told: list[Block] = [
        *(Paragraph(text=one.verdict) for _, one in found[:1] if len(found) == 1),
        table(TITLE, headers[keep], [row[keep] for row in rows], notes=[NOTE, *reasons], said=in_short(found)),
    ]
    for question, one in found[:MOST_PICTURES]:
        title = "Reliability by number of raters" + (f": {question}" if question else "")
        where = ["--where", f"question={question}"] if question else []
        source = shlex.join([facts.study.name, *typed(facts.options.selection), *where])
        told.append(drawn("decision", source, partial(decision, one, title)))
    return told


def in_short(found: Sequence[tuple[str | None, DecisionStudy]]) -> str:
    """How many raters are enough for each question, on one line."""
    needed = [f"{question} {one.needed}" for question, one in found if one.needed is not None]
    return f"raters for a reliability of .8: {', '.join(needed)}" if needed else ""


SECTION = SectionMaker(key="decision", title="More raters or more units", order=45, of=("judgements",), blocks=blocks)
