"""Which categories raters confuse, how often each is used, and how far raters differ in using them.

From the coincidence matrix o_ck (all pairs of judgements of one unit, both ways round; Krippendorff 2011):

    specific agreement of c   o_cc / n_c: if one rater says c, how often does another
    confusion of c and k      o_ck against n_c n_k / (n - 1), what chance would give

For two raters and two categories: prevalence index |yes-yes - no-no| / n and bias index |yes-no - no-yes| / n
(Byrt, Bishop & Carlin 1993). A high prevalence index lowers kappa, a high bias index raises it.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assent.arrays import Floats
from assent.diagnosis.material import Material
from assent.diagnosis.shares import unit_shares
from assent.engines.tally import Tally


@dataclass(frozen=True, kw_only=True)
class CategoryUse:
    """One category: its share of all judgements, of each rater's, and how often raters agree on it."""

    category: str
    n_judgements: int
    share: float
    by_rater: tuple[float | None, ...]
    specific_agreement: float | None


@dataclass(frozen=True, kw_only=True)
class Confusion:
    """Two categories given to the same units: `share` of all disagreement, `ratio` to what chance would give."""

    first: str
    second: str
    n_pairs: float
    share: float
    ratio: float | None


@dataclass(frozen=True, kw_only=True)
class Balance:
    """Two raters, two categories: prevalence and bias indices, and kappa adjusted for both (2 A_o - 1)."""

    raters: tuple[str, str]
    prevalence: float
    bias: float
    adjusted_kappa: float


@dataclass(frozen=True, kw_only=True)
class Categories:
    """The use of all categories and the confusions, the largest first."""

    raters: tuple[str, ...]
    uses: tuple[CategoryUse, ...]
    confusions: tuple[Confusion, ...]
    balance: Balance | None


def category_profile(material: Material, *, trust_raters: bool = True) -> Categories | None:
    """How categories are used and confused; None for a continuous scale. Without trust nothing is said by rater."""
    if material.scale.is_continuous:
        return None
    found = unit_shares(material.judgements)
    both = found.coincidences()
    raters = material.tally.used_raters if trust_raters else ()
    return Categories(
        raters=raters,
        uses=_uses(material.tally, raters, found.counts.sum(axis=0), both),
        confusions=_confusions(found.categories, both),
        balance=_balance(material.tally) if trust_raters else None,
    )


def _uses(data: Tally, raters: tuple[str, ...], totals: NDArray[np.int64], both: Floats) -> tuple[CategoryUse, ...]:
    """Each category's shares."""
    by_rater = data.pairs.rater_totals()
    judged = by_rater.sum(axis=1)
    n_c = both.sum(axis=1)
    return tuple(
        CategoryUse(
            category=category,
            n_judgements=int(totals[c]),
            share=float(totals[c] / max(totals.sum(), 1)),
            by_rater=tuple(
                float(by_rater[r, c] / judged[r]) if judged[r] else None
                for r, name in enumerate(data.raters)
                if name in raters
            ),
            specific_agreement=float(both[c, c] / n_c[c]) if n_c[c] > 0 else None,
        )
        for c, category in enumerate(data.scale.categories)
    )


def _confusions(categories: tuple[str, ...], both: Floats) -> tuple[Confusion, ...]:
    """Pairs of categories that stand on one unit, most frequent first."""
    n_c, n = both.sum(axis=1), float(both.sum())
    disagreement = (n - float(np.trace(both))) / 2
    found = []
    for c, k in zip(*np.nonzero(np.triu(both, 1) > 1e-9), strict=True):
        chance = n_c[c] * n_c[k] / (n - 1) if n > 1 else 0.0
        found.append(
            Confusion(
                first=categories[c],
                second=categories[k],
                n_pairs=float(both[c, k]),
                share=float(both[c, k] / disagreement),
                ratio=float(both[c, k] / chance) if chance > 0 else None,
            )
        )
    return tuple(sorted(found, key=lambda one: -one.n_pairs))


def _balance(data: Tally) -> Balance | None:
    """Prevalence and bias of two raters with two categories."""
    if len(data.used_raters) != 2 or len(data.scale.categories) != 2 or not len(data.pairs.pairs):
        return None
    table = data.pairs.tables()[0]
    n = float(table.sum())
    one, two = data.used_raters
    return Balance(
        raters=(one, two),
        prevalence=float(abs(table[1, 1] - table[0, 0]) / n),
        bias=float(abs(table[1, 0] - table[0, 1]) / n),
        adjusted_kappa=float(2 * np.trace(table) / n - 1),
    )
