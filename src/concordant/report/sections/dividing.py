"""Which rules, lexical types, kinds of discriminants and lengths of sentences divide two annotators."""

from collections.abc import Sequence
from textwrap import shorten

from concordant.diagnosis.phenomena import LENGTH, Division, divisions
from concordant.digits import counted, interval_text
from concordant.report.document import Block, Paragraph
from concordant.report.facts import TreebankFacts
from concordant.report.grid import Grid, listed
from concordant.report.sections import SectionMaker

MOST_ROWS = 25
SHORT = 60  # letters of an example
LEAD = (
    "K of a group: the share of its discriminants that were decided alike, less what a coin would give (A_e = .5), "
    "with a 95 % interval over sentences where both occur; of sentences by length the mean of theirs."
)


def blocks(facts: TreebankFacts) -> list[Block]:
    """A table for each way to look; none in the readings that go by the logs."""
    if facts.comparison.reading != "resolved":
        return []
    return division_blocks(divisions(facts.comparison))


def division_blocks(found: Sequence[Division]) -> list[Block]:
    """Groups that divide the annotators, the most frequent difference first; the others are counted."""
    told: list[Block] = [Paragraph(text=LEAD)]
    for by in dict.fromkeys(one.by for one in found):
        own = [one for one in found if one.by == by]
        divided = own if by == LENGTH else [one for one in own if one.n_divided]
        told.append(division_table(by, divided, len(own) - len(divided)))
    return told


def division_table(by: str, found: Sequence[Division], n_alike: int) -> Grid:
    """One row for each group."""
    same = [f"{counted(n_alike, by if ' of ' not in by else 'kind')} decided alike throughout"] if n_alike else []
    return listed(
        f"By {by}",
        found,
        {
            by.capitalize(): "value",
            "Sentences" if by == LENGTH else "Discriminants": "n",
            "Differ": lambda one: one.n - one.n_alike,
            "In sentences": lambda one: one.n_divided,
            "K": "k",
            "95 % interval": lambda one: interval_text(one.interval),
            "For example": lambda one: shorten(one.examples[0], SHORT, placeholder=" …") if one.examples else None,
        },
        notes=same,
        most=MOST_ROWS,
    )


SECTION = SectionMaker(
    key="phenomena",
    title="What divides the annotators",
    order=35,
    of=("treebanks",),
    blocks=blocks,
    sheet="Phenomena",
    is_one_sheet=True,
)
