"""What became of each sentence since an earlier version of two treebanks."""

from concordant.report.document import Block
from concordant.report.facts import TreebankFacts
from concordant.report.grid import Cell
from concordant.report.sections import SectionMaker
from concordant.report.sections.sentences import sentence_table, where


def blocks(facts: TreebankFacts) -> list[Block]:
    """Choices and K before and now; nothing if there is no earlier version."""
    if facts.before is None:
        return []
    a, b = facts.comparison.a, facts.comparison.b
    rows: list[tuple[Cell, ...]] = []
    for change in facts.changes:
        versions = (change.before, change.after)
        choices = [str(choice) if row else None for row in versions for choice in (row and row.a, row and row.b)]
        kappas = [row.kappa if row else None for row in versions]
        rows.append((*where(change.row), change.kind, *choices, *kappas))
    headers = ("Text", "Change", f"{a} before", f"{b} before", f"{a} now", f"{b} now", "K before", "K now")
    return sentence_table("Changed since the earlier version", headers, rows, "Nothing.")


SECTION = SectionMaker(
    key="changes",
    title="Changed since the earlier version",
    order=70,
    of=("treebanks",),
    blocks=blocks,
    sheet="Changes",
)
