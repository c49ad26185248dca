"""The front of a report of two treebanks: coefficients, counts, suites, and where the rest is."""

from itertools import groupby

from concordant.about import NAME, VERSION
from concordant.digits import counted, level
from concordant.report.document import Block, Points, signature_blocks
from concordant.report.facts import TreebankFacts, front_figures
from concordant.report.grid import Cell, Link, table, value_cell
from concordant.report.sections import SectionMaker

COLUMNS = ("Coefficients", "Value", "Low", "High", "Sentences", "Mean per sentence", "Notes")
UNCORRECTED = (
    "Only the two kappas are corrected for chance; Parseval, Leaf-Ancestor and EDM are not and cannot be read on "
    "their scales."
)
PHENOMENA = "Phenomena: rules, lexical types and lengths that divide them"


def blocks(facts: TreebankFacts) -> list[Block]:
    """The coefficients first, then type, tool, date and counts, the suites, links to the other sections."""
    comparison = facts.comparison
    rows: list[tuple[Cell, ...]] = []
    for result in facts.results:
        low, high = (result.interval.low, result.interval.high) if result.interval else (None, None)
        note = result.reason or "; ".join(result.notes)
        macro = result.details.get("macro")
        rows.append((result.name, value_cell(result), low, high, result.n_units, macro, note or None))
    kinds = dict.fromkeys((r.interval.level, r.interval.method) for r in facts.results if r.interval)
    notes = [f"Intervals: {level(share)}, {method}." for share, method in list(kinds)[:1]]
    about = [
        ("Type", f"Comparison of the annotators {comparison.a} and {comparison.b}"),
        ("Tool used", f"{NAME} {VERSION}"),
        ("Date", facts.date),
        ("Reading", f"{comparison.reading}, expected agreement {comparison.expected}"),
    ]
    links = {
        "divergent": f"Divergent: {counted(len(comparison.divergent), 'divergent sentence')}, with room for comments",
        "differences": "Differences: the discriminants on which they differ",
        **({"phenomena": PHENOMENA} if comparison.reading == "resolved" else {}),
        "counts": "Data: counts and averages",
        "sentences": "Sentences: all sentences",
        "lost": f"Lost: {counted(len(comparison.lost), 'lost sentence')} and what could not be read",
    }
    if facts.rulings is not None:
        links["adjudication"] = "Adjudication: what is settled, and what is open"
    if facts.before is not None:
        name, value, n = f"{facts.before.name}, earlier version", value_cell(facts.before), facts.before.n_units
        rows.append((name, value, None, None, n, None, None))
        changed = counted(len(facts.changes), "sentence")
        links["changes"] = f"Changes: {changed} changed since the earlier version"
    # for each corpus its first and its last suite and how many sentences were compared in it
    corpora = [(corpus, list(own)) for corpus, own in groupby(comparison.sentences, key=lambda row: row.corpus)]
    suites = ("Suite distribution: corpus", "First suite", "Last suite", "Sentences")
    return [
        table("Coefficients", COLUMNS, rows, notes=[*notes, UNCORRECTED]),
        table("The treebank", ("", "Treebank"), [*about, *front_figures(comparison)]),
        table("Suites", suites, [(corpus, own[0].suite, own[-1].suite, len(own)) for corpus, own in corpora]),
        Points(items=tuple(Link(shown=text, to=key) for key, text in links.items())),
        *signature_blocks(facts.results),
    ]


SECTION = SectionMaker(
    key="comparison",
    title="Agreement between two treebankers",
    order=10,
    of=("treebanks",),
    blocks=blocks,
    is_first=True,
    sheet="Report",
    is_one_sheet=True,
)
