"""What the adjudicator has settled so far, and what is left."""

from collections import Counter

from concordant.digits import counted
from concordant.report.document import Block, Paragraph
from concordant.report.facts import TreebankFacts
from concordant.report.grid import Cell, table
from concordant.report.rulings import Ruled
from concordant.report.sections import SectionMaker
from concordant.report.sections.sentences import sentence_table


def blocks(facts: TreebankFacts) -> list[Block]:
    """Counts, then every sentence about which something was written; nothing without a workbook."""
    if facts.rulings is None:
        return []
    settled = [one for one in facts.rulings if one.decision and one.is_there]
    n_open = len(facts.comparison.divergent) - sum(one.is_divergent for one in settled)
    right = Counter(one.right for one in settled)
    rows: list[tuple[Cell, ...]] = [
        ("Settled", len(settled)),
        *((f"Settled: right was {name}", n) for name, n in sorted(right.items())),
        ("Commented, not decided", sum(not one.decision for one in facts.rulings)),
        ("Divergent, nothing decided yet", n_open),
        ("Decided, but not in these treebanks", sum(not one.is_there for one in facts.rulings)),
    ]
    told: list[tuple[Cell, ...]] = [
        (*one.key, one.text, one.decision or None, one.right or None, state(one), one.comment) for one in facts.rulings
    ]
    headers = ("Text", "Decision", "Right", "Now", "Comments")
    done = f"{counted(len(settled), 'divergent sentence')} settled, {n_open} open."
    return [
        table("Adjudication", ("", "n"), rows),
        Paragraph(text=done),
        *sentence_table("What was decided", headers, told, "Nothing was written into the workbook.", is_wide=True),
    ]


def state(one: Ruled) -> str:
    """How it stands with a sentence now."""
    if not one.is_there:
        return "not there any more"
    return "settled" if one.decision else "open"


SECTION = SectionMaker(
    key="adjudication", title="Adjudication", order=25, of=("treebanks",), blocks=blocks, sheet="Adjudication"
)
