"""What was not compared, and why."""

from concordant.report.document import Block
from concordant.report.facts import TreebankFacts
from concordant.report.grid import Cell
from concordant.report.sections import SectionMaker
from concordant.report.sections.sentences import sentence_table, where


def blocks(facts: TreebankFacts) -> list[Block]:
    """Lost sentences, suites without a counterpart, broken lines."""
    found = facts.comparison
    rows: list[tuple[Cell, ...]] = [(*where(row), row.reason) for row in found.lost]
    for annotator, suites in ((found.a, found.only_a), (found.b, found.only_b)):
        rows += [(name, None, None, f"suite only in {annotator}") for name in suites]
    rows += [(None, None, None, f"broken line: {line}") for line in found.broken]
    none = "None: both have every sentence, and every line could be read."
    return sentence_table("Lost sentences", ("Text", "Reason"), rows, none)


SECTION = SectionMaker(key="lost", title="Lost sentences", order=60, of=("treebanks",), blocks=blocks, sheet="Lost")
