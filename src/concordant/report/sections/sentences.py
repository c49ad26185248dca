"""Every sentence of two treebanks, with all its figures."""

from collections.abc import Sequence
from typing import Any

from concordant.report.document import Block, Paragraph
from concordant.report.facts import TreebankFacts
from concordant.report.grid import Cell, table
from concordant.report.rulings import place
from concordant.report.sections import SectionMaker
from concordant.treebank.comparison import Lost
from concordant.treebank.sentences import Sentence

FIGURES = ("Set", "Options", "Alike", "Observed", "Expected", "K", "Same analysis")
TREES = ("Parseval F", "Leaf-Ancestor", "EDM F")


def blocks(facts: TreebankFacts) -> list[Block]:
    """One wide table."""
    a, b = facts.comparison.a, facts.comparison.b
    headers = ("Text", "Analyses", a, b, *FIGURES, *TREES, f"Comment of {a}", f"Comment of {b}")
    rows: list[tuple[Cell, ...]] = []
    for row in facts.comparison.sentences:
        trees = (counts.f if counts else None for counts in (row.parseval, row.leaf_ancestor, row.edm))
        chosen = row.n_parses, str(row.a), str(row.b), row.subset
        expected = None if row.observed is None else row.expected  # chance is told only where agreement was observed
        options = row.n_options, row.n_agreed, row.observed, expected, row.kappa, row.is_same_tree
        rows.append((*where(row), *chosen, *options, *trees, row.a.comment, row.b.comment))
    return sentence_table("Sentences", headers, rows, is_wide=True)


def where(row: Sentence | Lost) -> tuple[str, int | str, str]:
    """The first cells of a row about a sentence: its place, its name (as a number if it is one) and its text."""
    return place(row), int(row.sentence) if row.sentence.isdecimal() else row.sentence, row.text


def sentence_table(
    title: str, headers: Sequence[str], rows: Sequence[Sequence[Any]], none: str = "", **layout: Any
) -> list[Block]:
    """A table of sentences, or what is said where there are none."""
    if none and not rows:
        return [Paragraph(text=none)]
    return [table(title, ("Suite", "Sentence", *headers), rows, n_fixed=0, **layout)]


SECTION = SectionMaker(
    key="sentences", title="All sentences", order=50, of=("treebanks",), blocks=blocks, sheet="Sentences"
)
