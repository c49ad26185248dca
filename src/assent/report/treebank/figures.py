"""The figures of the front sheet and of the data sheet (Castro 2011, Figures 6.3 and 6.4), for any kind of report."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from statistics import fmean

from assent.measures.option_kappa import y_option
from assent.measures.result import Agreement
from assent.model.judgements import Judgements
from assent.treebank.changes import Change, changes
from assent.treebank.comparison import Comparison, Lost
from assent.treebank.sentences import Sentence
from assent.uncertainty.estimate import measure
from assent.uncertainty.over_sentences import Resampling, measure_options, measure_trees

Figure = tuple[str, int | float | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """A comparison with its coefficients and what changed since an earlier version: all that is shown."""

    comparison: Comparison
    results: tuple[Agreement, ...]
    changes: tuple[Change, ...] = ()
    before: Agreement | None = None
    date: str = ""
    version: str = ""


def agreements(comparison: Comparison, how: Resampling) -> tuple[Agreement, ...]:
    """Y-Option Kappa, the kappa of accepting or rejecting, and the tree measures where both chose an analysis."""
    names, rows = (comparison.a, comparison.b), comparison.sentences
    chosen = [row for row in rows if row.a.status == row.b.status == "accepted"]
    keys = ("parseval", "leaf_ancestor", "edm") if comparison.has_edm else ("parseval", "leaf_ancestor")
    on_trees = [measure_trees(key, [getattr(row, key) for row in chosen], names, how) for key in keys]
    return measure_options(comparison, how), accept_reject(comparison, how), *on_trees


def with_earlier(report: Report, before: Comparison) -> Report:
    """The report with what changed since an earlier version of the same treebanks."""
    found = tuple(changes(before, report.comparison))
    return replace(report, changes=found, before=y_option(before))


def accept_reject(comparison: Comparison, how: Resampling) -> Agreement:
    """Cohen's kappa on the verdicts alone: was the sentence accepted or rejected?"""
    verdicts, names = comparison.verdicts(), ("accepted", "rejected")
    table = [[verdicts[a, b] for b in names] for a in names]
    judged = Judgements.from_contingency(table, names, raters=(comparison.a, comparison.b), level="nominal")
    found = measure(judged, "kappa", ci="bootstrap" if how.n else "none", resamples=max(how.n, 1), seed=how.seed)
    return found.with_(name="Cohen's kappa of accepting or rejecting")


def front_figures(comparison: Comparison) -> list[Figure]:
    """The counts on the front sheet."""
    accepted, rejected = (_by(comparison, status) for status in ("accepted", "rejected"))
    return [
        ("Parsed sentences", len(comparison.sentences) + len(comparison.lost)),
        ("Sentences accepted by at least one", sum(accepted)),
        ("Sentences rejected by at least one", sum(rejected)),
        ("Divergent sentences", len(comparison.divergent)),
        ("Lost sentences", len(comparison.lost)),
    ]


def _by(comparison: Comparison, status: str) -> tuple[int, int, int]:
    """How many sentences got a status only from A, only from B, from both."""
    rows = [(row.a.status == status, row.b.status == status) for row in comparison.sentences]
    return rows.count((True, False)), rows.count((False, True)), rows.count((True, True))


def suite_distribution(comparison: Comparison) -> list[tuple[str, str, str, int]]:
    """For each corpus its first and its last suite and how many sentences were compared in it."""
    rows = groupby(comparison.sentences, key=lambda row: row.corpus)
    groups = [(corpus, list(group)) for corpus, group in rows]
    return [(corpus, group[0].suite, group[-1].suite, len(group)) for corpus, group in groups]


def data_figures(comparison: Comparison) -> list[tuple[str, list[Figure]]]:
    """The data sheet: headings with their figures."""
    return [
        ("Sentences", _sentence_figures(comparison)),
        ("Accepted", _by_whom(comparison, "accepted")),
        ("Rejected", _by_whom(comparison, "rejected")),
        ("Averages", _averages(comparison)),
        ("Sums", _sums(comparison)),
    ]


def _sentence_figures(comparison: Comparison) -> list[Figure]:
    subsets = comparison.subsets()
    return [
        ("Parsed", len(comparison.sentences) + len(comparison.lost)),
        ("Lost", len(comparison.lost)),
        ("Without an analysis", comparison.n_unparsed),
        ("With countable decisions", len(comparison.scored)),
        ("Accepted by both, with options (S_both)", subsets["both"]),
        ("Rejected by at least one, with options (S_R1)", subsets["rejected"]),
        ("Without options (S_noop)", subsets["no options"]),
        ("Not fully annotated", subsets["undecided"]),
    ]


def _averages(comparison: Comparison) -> list[Figure]:
    rows = comparison.sentences
    return [
        ("Y-Option Kappa", comparison.kappa),
        ("Options per sentence that has any", _mean([row for row in rows if row.n_options], "n_options")),
        ("Analyses per sentence", _mean(rows, "n_parses")),
        ("Proportion of divergence (P_D)", comparison.p_d),
    ]


def _sums(comparison: Comparison) -> list[Figure]:
    rows = comparison.sentences
    chosen = [row for row in rows if row.a.status == row.b.status == "accepted"]
    return [
        ("Options compared", sum(row.n_options for row in rows)),
        ("Options alike", sum(row.n_agreed for row in rows)),
        ("Options of one annotator only", sum(row.n_unique for row in rows)),
        ("Discriminants left out: value not known", sum(row.n_open for row in rows)),
        ("Options alike without a common discriminant", sum(row.n_vacuous for row in rows)),
        ("Both chose an analysis", len(chosen)),
        ("Both chose the same analysis", sum(row.is_same_tree is True for row in chosen)),
        ("Broken lines", len(comparison.broken)),
    ]


def _by_whom(comparison: Comparison, status: str) -> list[Figure]:
    only_a, only_b, both = _by(comparison, status)
    return [
        (f"Only by {comparison.a}", only_a),
        (f"Only by {comparison.b}", only_b),
        (f"By {comparison.a} and {comparison.b}", both),
        ("By at least one", only_a + only_b + both),
    ]


def _mean(rows: Sequence[Sentence], name: str) -> float | None:
    return fmean(getattr(row, name) for row in rows) if rows else None


def accepted_by(row: Sentence, comparison: Comparison) -> str:
    """The document's column: `Annotator1 - 4` for a sentence accepted by one only, `Both - 4/10` with both choices."""
    if row.a.status == row.b.status == "accepted":
        return f"Both - {row.a.result}/{row.b.result}"
    name, choice = (comparison.a, row.a) if row.a.status == "accepted" else (comparison.b, row.b)
    return f"{name} - {choice.result}"


def place(row: Sentence | Lost) -> str:
    """Where a sentence is: corpus and suite."""
    return f"{row.corpus} - {row.suite}" if row.corpus else row.suite
