"""Are the raters people, or places in a table? Sorted or anonymous slots make claims about raters artefacts.

Data are often published with each unit's judgements sorted, or filled in from the left as they came in. Coefficients
that forget who judged (pi, Fleiss, alpha) do not care; kappa, correlations and "rater 3 is more lenient" are wrong.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln

from assent.arrays import Floats
from assent.diagnosis.findings import Finding, Severity, count, named
from assent.diagnosis.forensics.case import Case
from assent.diagnosis.material import Material
from assent.engines.patterns import Patterns

MOST_SLOTS = 20
LEAST_APART = {2: 50}  # with two raters one who is always stricter looks sorted, so more disagreement is asked for
LEAST_APART_MANY = 20
IMPOSSIBLE = -20.0  # natural logarithm of the chance that people would come out sorted by accident


def sorted_slots(case: Case) -> Iterator[Finding]:
    """Every unit's values go up (or down) from the first rater to the last."""
    for part in case.parts:
        found = _sorted(part)
        if found is not None:
            yield found


def _sorted(part: Material) -> Finding | None:
    """Look at the patterns of one question."""
    data = part.tally
    k = len(data.used_raters)
    if part.scale.is_continuous or not 2 <= k <= MOST_SLOTS:
        return None
    rising, falling, spread = _steps(data.patterns, data.positions)
    paired, weights = data.patterns.sizes > 1, data.patterns.weights
    apart = paired & (spread > 0)
    n_apart, n_same = int(weights[apart].sum()), int(weights[paired & ~apart].sum())
    in_order = rising[apart].all() or falling[apart].all()
    if not in_order or n_apart < LEAST_APART.get(k, LEAST_APART_MANY) or n_same < _most_common(spread, weights, apart):
        return None
    chance = -float(weights[apart] @ _log_orders(data.patterns, len(data.positions))[apart])
    if chance > IMPOSSIBLE:
        return None
    return _sorted_finding(part, n_apart, n_same, rising=bool(rising[apart].all()), chance=chance)


def _steps(patterns: Patterns, positions: Floats) -> tuple[NDArray[np.bool_], NDArray[np.bool_], Floats]:
    """For each pattern: do its values never fall, never rise, and how far apart are the lowest and the highest."""
    scores, size = positions[patterns.code], len(patterns.weights)
    follows = np.nonzero(np.diff(patterns.pattern) == 0)[0]
    step, owner = scores[follows + 1] - scores[follows], patterns.pattern[follows]
    falls, rises = (np.bincount(owner[side], minlength=size) for side in (step < 0, step > 0))
    starts = np.nonzero(np.diff(patterns.pattern, prepend=-1))[0]
    spread = np.maximum.reduceat(scores, starts) - np.minimum.reduceat(scores, starts) if len(scores) else scores
    return falls == 0, rises == 0, spread


def _most_common(spread: Floats, weights: Floats, apart: NDArray[np.bool_]) -> float:
    """Units with the most common distance other than none; a rater with another level would make it frequent."""
    _, which = np.unique(spread[apart], return_inverse=True)
    return float(np.bincount(which.reshape(-1), weights=weights[apart]).max(initial=0.0))


def _log_orders(patterns: Patterns, n_categories: int) -> Floats:
    """For each pattern the logarithm of the number of ways to arrange its values: m! / (n_1! n_2! …)."""
    key, times = np.unique(patterns.pattern * n_categories + patterns.code, return_counts=True)
    same = np.bincount(key // n_categories, weights=gammaln(times + 1), minlength=len(patterns.weights))
    return np.asarray(gammaln(patterns.sizes + 1) - same)


def _sorted_finding(part: Material, n_apart: int, n_same: int, *, rising: bool, chance: float) -> Finding:
    """Say it."""
    raters = part.tally.used_raters
    order = " ≤ ".join(raters[:4]) if rising else " ≥ ".join(raters[:4])
    return Finding(
        kind="sorted-slots",
        severity=Severity.SERIOUS,
        seen=f"The judgements are sorted: {order} in every one of the {count(n_apart, 'unit')} on which raters differ "
        f"({count(n_same, 'unit')} are unanimous).",
        sure=f"People would come out in this order by accident once in 10^{-chance / np.log(10):.0f} studies.",
        advice="The columns are places, not people. Statistics about raters (kappa, correlations, who is stricter) are "
        "refused; pi, Fleiss and alpha are not affected. If the columns truly are raters, say --trust-raters.",
        evidence={"n_apart": n_apart, "n_unanimous": n_same, "log_chance": chance},
        question=part.question,
        raters=raters,
    )


def anonymous_slots(case: Case) -> Iterator[Finding]:
    """Units have different numbers of judgements, and they always fill the slots from the first on."""
    for part in case.parts:
        k = len(part.tally.raters)
        if not 3 <= k <= MOST_SLOTS:
            continue
        sizes, weights = part.tally.patterns.sizes, part.tally.patterns.weights
        n_filled = np.bincount(sizes, weights=weights, minlength=k + 1).astype(int)
        last = np.zeros(len(sizes), dtype=np.int64)
        np.maximum.at(last, part.tally.patterns.pattern, part.tally.patterns.rater)
        if (last + 1 == sizes).all() and int((n_filled >= 5).sum()) >= 3:
            yield _anonymous_finding(part, n_filled.tolist())


def _anonymous_finding(part: Material, n_filled: list[int]) -> Finding:
    """Say it."""
    shown = ", ".join(f"{n:,} with {size}" for size, n in enumerate(n_filled) if n)
    return Finding(
        kind="anonymous-slots",
        severity=Severity.SERIOUS,
        seen=f"The columns {named(part.tally.raters)} are filled from the left: units have different numbers of "
        f"judgements ({shown}), and never one in a later column without one in every earlier column.",
        sure="Raters who judge different parts of the data leave gaps; this table has none.",
        advice="The columns are places, not people. Statistics about raters are refused; pi, Fleiss and alpha are not "
        "affected. If the columns truly are raters, say --trust-raters.",
        evidence={"n_filled": n_filled},
        question=part.question,
        raters=part.tally.raters,
    )
