"""Means over rater pairs: what a pair counts, and what happens to one that has no value.

A small pair without a value (a rater who gave one value throughout) does not undo the mean: if such pairs hold at most
a tenth of the common units of all pairs they are left out and named, in the data and in each resample alike.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from concordant.arrays import Floats
from concordant.digits import percent
from concordant.engines.views import Pairs, ratio

MOST_LOST = 0.1  # of the common units of all pairs
MOST_PAIRS = 200  # rater pairs listed one by one in a result's details
MOST_NAMED = 3


def _lost(data: Pairs, each: Floats, n_units: Floats) -> Floats:
    """The share of the common units that pairs without a value hold."""
    size = data.pair_weights * n_units
    return ratio(np.where(np.isnan(each), size, 0.0).sum(axis=-1), size.sum(axis=-1))


def pair_mean(data: Pairs, each: Floats, n_units: Floats, options: Any) -> Floats:
    """The mean over the pairs with common units and a value; NaN if too many lack one, or if there are none."""
    by_units = n_units if options.pair_weights == "units" else np.ones_like(n_units)
    counted = np.where((n_units > 0) & ~np.isnan(each), data.pair_weights * by_units, 0.0)
    value = ratio((counted * np.where(counted > 0, each, 0.0)).sum(axis=-1), counted.sum(axis=-1))
    return np.where(_lost(data, each, n_units) > _most(options), np.nan, value)


def _most(options: Any) -> float:
    """How much of the common units pairs without a value may hold."""
    return MOST_LOST if options.undefined_pairs == "leave-out" else 0.0


def pair_notes(
    data: Pairs, each: Floats, n_units: Floats, options: Any, why: Callable[[int], str]
) -> tuple[dict[str, Any], tuple[str, ...], str]:
    """Details of a mean, what to say of the pairs that were left out, and how much those without a value hold.

    `why` says of a pair why it has none.
    """
    missing = np.flatnonzero(np.isnan(each) & (n_units > 0))
    left_out: list[dict[str, Any]] = [
        {"raters": [data.raters[r] for r in data.pairs[i]], "n_units": round(float(n_units[i])), "why": why(int(i))}
        for i in missing[:MOST_PAIRS]
    ]
    told = {"n_pairs": len(data.pairs), "n_undefined": len(missing), "left_out": left_out}
    if not left_out or len(each) == 1:
        return told, (), ""
    named = [f"{' & '.join(one['raters'])}, {one['n_units']} units: {one['why']}" for one in left_out[:MOST_NAMED]]
    more = ["…"] if len(missing) > MOST_NAMED else []
    note = f"mean of {len(each) - len(missing):,} of {len(each):,} pairs ({'; '.join([*named, *more])})"
    lost, most = float(_lost(data, each, n_units)), _most(options)
    rule = f"up to {percent(most)} are left out" if most else "none is left out"
    held = percent(lost) if percent(lost) != percent(most) else percent(lost, 2)
    said = f"; such pairs hold {held} of the common units, and {rule}"
    return told, () if lost > most else (note,), said
