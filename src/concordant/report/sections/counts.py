"""Counts, averages and sums of two treebanks (Castro 2011, Figure 6.4)."""

from collections.abc import Sequence
from statistics import fmean

from concordant.report.document import Block, Points
from concordant.report.facts import TreebankFacts, given_by
from concordant.report.grid import Link, table
from concordant.report.sections import SectionMaker
from concordant.treebank.comparison import Comparison

Figures = Sequence[tuple[str, int | float | None]]
SUMMED = {
    "Options compared": "n_options",
    "Options alike": "n_agreed",
    "Options of one annotator only": "n_unique",
    "Discriminants left out: value not known": "n_open",
    "Options alike without a common discriminant": "n_vacuous",
}


def blocks(facts: TreebankFacts) -> list[Block]:
    """A table of figures under each heading."""
    figures = data_figures(facts.comparison)
    back = Points(items=(Link(shown="back to the report", to="comparison"),))
    return [back, *(table(heading, ("", "Figure"), rows) for heading, rows in figures.items())]


def data_figures(comparison: Comparison) -> dict[str, Figures]:
    """Headings with their figures."""
    rows, subsets = comparison.sentences, comparison.subsets()
    by_whom: dict[str, Figures] = {}
    for status in ("accepted", "rejected"):
        only_a, only_b, both = given_by(comparison, status)
        by_whom[status.capitalize()] = [
            (f"Only by {comparison.a}", only_a),
            (f"Only by {comparison.b}", only_b),
            (f"By {comparison.a} and {comparison.b}", both),
            ("By at least one", only_a + only_b + both),
        ]
    chosen = [row for row in rows if row.a.status == row.b.status == "accepted"]
    with_options = [row.n_options for row in rows if row.n_options]
    return {
        "Sentences": [
            ("Parsed", len(rows) + len(comparison.lost)),
            ("Lost", len(comparison.lost)),
            ("Without an analysis", comparison.n_unparsed),
            ("With countable decisions", len(comparison.scored)),
            ("Accepted by both, with options (S_both)", subsets["both"]),
            ("Rejected by at least one, with options (S_R1)", subsets["rejected"]),
            ("Without options (S_noop)", subsets["no options"]),
            ("Not fully annotated", subsets["undecided"]),
        ],
        **by_whom,
        "Versions (t-version)": version_figures(comparison),
        "Averages": [
            ("Y-Option Kappa", comparison.kappa),
            ("Options per sentence that has any", fmean(with_options) if with_options else None),
            ("Analyses per sentence", fmean(row.n_parses for row in rows) if rows else None),
            ("Proportion of divergence (P_D)", comparison.p_d),
        ],
        "Sums": [
            *((label, sum(getattr(row, name) for row in rows)) for label, name in SUMMED.items()),
            ("Both chose an analysis", len(chosen)),
            ("Both chose the same analysis", sum(row.is_same_tree is True for row in chosen)),
            ("Broken lines", len(comparison.broken)),
        ],
    }


def version_figures(comparison: Comparison) -> Figures:
    """How often each annotator has come back to sentences: the versions on file."""
    figures: list[tuple[str, int | float | None]] = []
    for name, side in ((comparison.a, "a"), (comparison.b, "b")):
        versions = [getattr(row, side).versions for row in comparison.sentences]
        highest = [max(one, default=0) for one in versions]
        figures += [
            (f"Highest of {name}", max(highest, default=0)),
            (f"Sentences of {name} above version 1", sum(one > 1 for one in highest)),
            (f"Sentences of {name} with several versions on file", sum(len(one) > 1 for one in versions)),
        ]
    return figures


SECTION = SectionMaker(
    key="counts", title="All counts", order=40, of=("treebanks",), blocks=blocks, sheet="Data", is_one_sheet=True
)
