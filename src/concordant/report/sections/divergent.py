"""The sentences to adjudicate: a table with room for comments, and each with its trees side by side."""

from concordant.digits import decimal
from concordant.report.document import Block, Case, Paragraph, TreePair
from concordant.report.facts import TreebankFacts
from concordant.report.grid import Grid, Link, table
from concordant.report.rulings import COMMENTS, DECISION, place
from concordant.report.sections import SectionMaker
from concordant.report.sections.sentences import sentence_table, where
from concordant.treebank.comparison import Comparison
from concordant.treebank.discriminants import TYPE_NAMES
from concordant.treebank.sentences import Sentence

MOST_DRAWN = 300  # a page with more trees than this is too heavy to open; the workbook has all sentences


def blocks(facts: TreebankFacts) -> list[Block]:
    """The table, one row per sentence with columns for the adjudicator, then the cases."""
    comparison, divergent = facts.comparison, facts.comparison.divergent
    if not divergent:
        return [Paragraph(text="None: wherever both decided, they chose the same.")]
    told: list[Block] = [case(row, comparison, is_open=i == 0) for i, row in enumerate(divergent[:MOST_DRAWN])]
    n_more = len(divergent) - len(told)
    if n_more:
        told.append(Case(title=f"{n_more:,} more", remark="in the workbook: -o report.xlsx", blocks=()))
    a, b = comparison.a, comparison.b
    known = {one.key: one for one in facts.rulings or ()}
    rows, first = [], 0
    for row in divergent:
        n = len(row.differing)
        differing = [
            f"{one.discriminant} ({TYPE_NAMES[one.discriminant.type]}): only {a if one.a else b}"
            for one in row.differing
        ]
        choices = accepted_by(row, comparison), str(row.a), str(row.b)
        link = Link(shown=n, to="differences", row=first) if n else 0
        ruling = known.get((place(row), row.sentence))
        written = (ruling.decision, ruling.comment) if ruling else ("", "")
        rows.append((*where(row), *choices, row.kappa, link, "\n".join(differing), *written))
        first += n
    headers = ("Text", "Accepted by", f"Choice of {a}", f"Choice of {b}", "K", "Differences")
    more = ("Discriminants on which they differ", DECISION, COMMENTS)
    shown = sentence_table("Divergent sentences", headers + more, rows, is_wide=True, to_fill=(DECISION, COMMENTS))
    return [*shown, *told]


def case(row: Sentence, comparison: Comparison, *, is_open: bool = False) -> Case:
    """A sentence with what they differ on, their comments and their trees."""
    names = comparison.a, comparison.b
    differing = [
        (str(one.discriminant), TYPE_NAMES[one.discriminant.type], bool(one.a), bool(one.b)) for one in row.differing
    ]
    told: list[Paragraph | Grid | TreePair] = [
        table("Discriminants on which they differ", ("Discriminant", "Type", *names), differing)
        if differing
        else Paragraph(text="No discriminant on which both have a value tells the two apart.")
    ]
    for name, choice in zip(names, (row.a, row.b), strict=True):
        if choice.comment:
            told.append(Paragraph(text=f"{name}: “{choice.comment}”"))
    if row.trees:
        captions = (f"{names[0]}: analysis {row.a.result}", f"{names[1]}: analysis {row.b.result}")
        told.append(TreePair(trees=row.trees, names=names, captions=captions))
    kappa = "" if row.kappa is None else f", K {decimal(row.kappa)}"
    return Case(
        title=f"{place(row)} {row.sentence}: {row.text}",
        remark=f"{accepted_by(row, comparison)}{kappa}",
        blocks=tuple(told),
        is_open=is_open,
    )


def accepted_by(row: Sentence, comparison: Comparison) -> str:
    """The document's column: `Annotator1 - 4` for a sentence accepted by one only, `Both - 4/10` with both choices."""
    if row.a.status == row.b.status == "accepted":
        return f"Both - {row.a.result}/{row.b.result}"
    name, choice = (comparison.a, row.a) if row.a.status == "accepted" else (comparison.b, row.b)
    return f"{name} - {choice.result}"


SECTION = SectionMaker(
    key="divergent", title="Divergent sentences", order=20, of=("treebanks",), blocks=blocks, sheet="Divergent"
)
