"""One row per discriminant of a divergent sentence on which two annotators differ."""

from concordant.report.document import Block
from concordant.report.facts import TreebankFacts
from concordant.report.sections import SectionMaker
from concordant.report.sections.sentences import sentence_table, where
from concordant.treebank.discriminants import TYPE_NAMES


def blocks(facts: TreebankFacts) -> list[Block]:
    """The rows in the order of the divergent sentences, whose table leads to them."""
    comparison = facts.comparison
    rows = [
        (*where(row)[:2], TYPE_NAMES[one.type], one.key, one.start, one.end, bool(a), bool(b))
        for row in comparison.divergent
        for one, a, b in row.differing
    ]
    headers = ("Type", "Discriminant", "From", "To", comparison.a, comparison.b)
    none = "None: no discriminant on which both have a value tells two analyses apart."
    return sentence_table("Differences", headers, rows, none, is_wide=True)


SECTION = SectionMaker(
    key="differences",
    title="Discriminants on which they differ",
    order=30,
    of=("treebanks",),
    blocks=blocks,
    sheet="Differences",
)
