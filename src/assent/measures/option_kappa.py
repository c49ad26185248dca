"""Y-Option Kappa: agreement between two treebankers on the yes/no decisions behind their analyses."""

import numpy as np

from assent.arrays import Floats
from assent.measures.over_sentences import Statistic, ratio
from assent.measures.result import Agreement
from assent.measures.treebanks import NAMES
from assent.treebank.comparison import Comparison
from assent.treebank.sentences import Sentence

_READINGS = {
    "resolved": "what a log leaves out is read off the chosen analysis",
    "log": "logs are compared as written (Castro 2011, Figure 5.13)",
    "thesis": "logs are compared as written, gaps filled with the estimates of Castro (2011, 5.4.2)",
}


def y_option(comparison: Comparison) -> Agreement:
    """The mean over sentences of each one's kappa; the catalogue entry explains it."""
    rows = comparison.scored
    observed = [row.observed for row in rows if row.observed is not None]
    return Agreement(
        measure="y_option",
        name=f"{NAMES['y_option']} ({comparison.reading})",
        value=comparison.kappa,
        reason=None if rows else _why_undefined(comparison),
        observed=float(np.mean(observed)) if rows else None,
        expected=float(np.mean([row.expected for row in rows])) if rows else None,
        n_units=len(rows),
        n_raters=2,
        n_judgements=2 * sum(row.n_options for row in rows),
        n_dropped=len(comparison.sentences) - len(rows) + len(comparison.lost),
        raters=(comparison.a, comparison.b),
        notes=_notes(comparison),
        details=_details(comparison),
    )


def _why_undefined(comparison: Comparison) -> str:
    if comparison.expected == "forest":
        return "no sentence has a forest: the profiles are thinned to one analysis and hold no `edge` table"
    return "no sentence has a discriminant whose value is known for both annotators"


def kappa_statistic(comparison: Comparison) -> Statistic:
    """The mean of K over the sentences as drawn; in the reading `thesis` P_D is estimated anew from each draw."""
    rows = comparison.scored
    if comparison.reading == "thesis":
        return _thesis_statistic(rows)
    return ratio(np.array([row.kappa for row in rows], dtype=np.float64), np.ones(len(rows)))


def _thesis_statistic(rows: list[Sentence]) -> Statistic:
    """K is linear in 1 − P_D: A_o = equal / options, plus (1 − P_D) times the share of options that is estimated."""
    options = np.array([max(row.n_options, 1) for row in rows], dtype=np.float64)
    agreed = np.array([row.n_agreed for row in rows]) / options
    is_both = np.array([row.subset == "both" for row in rows])
    without = np.array([row.subset == "no options" for row in rows])
    unique = np.array([row.n_unique if row.subset == "rejected" else 0 for row in rows]) / options
    agreement = ratio(agreed * options * is_both, options * is_both)

    def statistic(times: Floats) -> Floats:
        estimated = agreement(times) * (times @ (unique + without))
        kappa: Floats = 2 * (times @ agreed + estimated) / times.sum(axis=1) - 1
        return kappa

    return statistic


def _notes(comparison: Comparison) -> tuple[str, ...]:
    rows, subsets = comparison.sentences, comparison.subsets()
    n_open, n_vacuous = sum(row.n_open for row in rows), sum(row.n_vacuous for row in rows)
    notes = [f"reading {comparison.reading}: {_READINGS[comparison.reading]}"]
    if n_open:
        notes.append(
            f"discriminants left out because their value cannot be told for both: {n_open:,} (a lexicon may help)"
        )
    if n_vacuous:
        notes.append(f"options alike although the two logs share no discriminant on them: {n_vacuous:,}")
    n_apart = sum(row.observed is None for row in rows if row.subset in ("both", "rejected"))
    if n_apart:
        notes.append(f"sentences left out because no discriminant has a known value for both: {n_apart:,}")
    if subsets["no options"] and comparison.reading != "thesis":
        notes.append(f"sentences left out because no options are recorded: {subsets['no options']:,}")
    if subsets["undecided"]:
        notes.append(f"sentences left out because they are not fully annotated: {subsets['undecided']:,}")
    if comparison.lost:
        notes.append(f"lost sentences left out: {len(comparison.lost):,}")
    if comparison.broken:
        notes.append(f"broken lines left out: {len(comparison.broken):,}, the first in {comparison.broken[0]}")
    return tuple(notes)


def _details(comparison: Comparison) -> dict[str, object]:
    rows, known = comparison.sentences, [row for row in comparison.sentences if row.is_same_tree is not None]
    return {
        "reading": comparison.reading,
        "expected": comparison.expected,
        "subsets": comparison.subsets(),
        "n_options": sum(row.n_options for row in rows),
        "n_agreed": sum(row.n_agreed for row in rows),
        "n_open": sum(row.n_open for row in rows),
        "n_vacuous": sum(row.n_vacuous for row in rows),
        "n_both_trees": len(known),
        "n_same_tree": sum(bool(row.is_same_tree) for row in known),
        "n_lost": len(comparison.lost),
        "p_d": comparison.p_d,
    }
