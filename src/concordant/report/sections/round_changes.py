"""Agreement before and after a change of the guidelines, and from round to round: did it help?"""

from collections.abc import Iterator

from concordant.diagnosis.rounds import BETTER, COLUMNS, GUIDELINES, UNDEFINED, WORSE, RoundChange, round_changes
from concordant.digits import coefficient, counted, interval_text
from concordant.measures.result import Interval
from concordant.report.document import Block, Paragraph
from concordant.report.facts import JudgementFacts
from concordant.report.grid import Cell, table
from concordant.report.sections import SectionMaker

LEAD = (
    "Each answer counts in its own round. The interval of the difference comes from both intervals (MOVER, Zou and "
    "Donner 2008); other texts and more practice are part of it: it says whether agreement changed, not why."
)
SAID = {
    BETTER: "Agreement is higher since.",
    WORSE: "Agreement is lower since.",
    UNDEFINED: "It cannot be told yet:",
}
UNSURE = "Whether it changed cannot be told: the interval of the difference holds 0."


def blocks(facts: JudgementFacts) -> list[Block]:
    """A sentence for each change and a table; nothing where there was one round only."""
    found = [one for name in COLUMNS for one in round_changes(facts.study, name, seed=facts.options.seed)]
    if not found:
        return []
    return [Paragraph(text=LEAD), *(Paragraph(text=sentence(one)) for one in found), *tables(facts, found)]


def sentence(one: RoundChange) -> str:
    """What became of agreement on one question.

    A round without an interval is named, with its reason.
    """
    what = "guidelines" if one.column == GUIDELINES else "round"
    said = SAID.get(one.said, UNSURE)
    said += f" {one.reason}." if one.said == UNDEFINED else ""
    title = f"{one.title}: " if one.title else ""
    return f"{title}{what} {one.versions[0]} → {one.versions[1]}. {said}"


def tables(facts: JudgementFacts, found: list[RoundChange]) -> Iterator[Block]:
    """Both ends of every change, and the difference."""
    headers = ("Question", "Change", "Units before", "Before", "Units after", "After", "Difference", "Interval")
    rows: list[tuple[Cell, ...]] = []
    for one in found:
        gap = one.difference
        limits = None if gap is None else Interval(low=gap.low, high=gap.high, level=0.95, method="mover")
        shown = None if gap is None else signed(gap.value)
        ends = [cell for end in (one.before, one.after) for cell in (end.n_units, end.value)]
        rows.append((one.title, " → ".join(one.versions), *ends, shown, interval_text(limits)))
    notes = [torn_note(facts, name) for name in dict.fromkeys(one.column for one in found)]
    yield table(f"{found[0].before.name} by round", headers, rows, notes=[note for note in notes if note])


def signed(value: float) -> str:
    """A difference with its sign."""
    return f"{'+' if value >= 0 else '−'}{coefficient(abs(value))}"


def torn_note(facts: JudgementFacts, column: str) -> str:
    """Units that were answered in several rounds."""
    n = len(facts.study.torn_units(column))
    what = "has answers of several rounds and counts" if n == 1 else "have answers of several rounds and count"
    return f"{counted(n, 'unit')} {what} in each with a part" if n else ""


SECTION = SectionMaker(key="rounds", title="Did a change help?", order=32, of=("judgements",), blocks=blocks)
