"""An order of raters and patterns that depends on the judgements alone: not on names, and not on the order of rows.

Judgements are a graph of raters and patterns with values on its edges. Raters and patterns get colours: a pattern's is
made of the (colour of rater, value) of its judgements, a rater's of the (colour of pattern, value) of theirs, until no
colour splits any more (colour refinement; Weisfeiler & Leman 1968). Raters that are still alike are told apart one at a
time. With raters in the order of their colours, patterns are in the order of what they hold.
"""

import numpy as np
from numpy.typing import NDArray

from concordant.engines.patterns import Patterns, canonical, label_hashes, scattered
from concordant.model.scale import Scale

MOST_WORK = 1 << 26  # judgements looked at to tell raters apart that are alike; those left then go by their numbers

Colours = NDArray[np.uint64]


def canonical_order(patterns: Patterns, scale: Scale, n_raters: int) -> tuple[Patterns, NDArray[np.int64]]:
    """The patterns in an order of their own, equal ones merged; and for every rater number its place in one."""
    rank = rater_ranks(patterns, scale, n_raters)
    return canonical(patterns, [str(place) for place in rank.tolist()], scale), rank


def rater_ranks(patterns: Patterns, scale: Scale, n_raters: int) -> NDArray[np.int64]:
    """For every rater number its place in the order of colours."""
    if patterns.code.dtype.kind == "f":
        said = scattered((patterns.code + 0.0).view(np.uint64))  # + 0.0: there is one zero
    else:
        said = scattered(label_hashes(scale.categories)[patterns.code])
    colour = _refined(patterns, said, np.ones(n_raters, dtype=np.uint64))
    for step in range(MOST_WORK // max(len(said), 1)):
        values, first, times = np.unique(colour, return_index=True, return_counts=True)
        if len(values) == len(colour):
            break
        one = first[times > 1][:1]
        colour[one] = scattered(colour[one] + np.uint64(step + 2))
        colour = _refined(patterns, said, colour)
    rank = np.empty(len(colour), dtype=np.int64)
    rank[np.argsort(colour, kind="stable")] = np.arange(len(colour))
    return rank


def _refined(patterns: Patterns, said: Colours, colour: Colours) -> Colours:
    """Colours of raters once no more of them can be told apart."""
    weights, seen = patterns.weights.astype(np.uint64), 0
    while (n_colours := len(np.unique(colour))) > seen:
        seen = n_colours
        whole = _sums(patterns.pattern, scattered(scattered(colour)[patterns.rater] + said), len(weights))
        mine = scattered(whole[patterns.pattern] + said) * weights[patterns.pattern]
        colour = scattered(colour * np.uint64(3) + _sums(patterns.rater, mine, len(colour)))
    return colour


def _sums(place: NDArray[np.int64], amounts: Colours, size: int) -> Colours:
    """For every place the sum of its amounts, modulo 2^64, with the bits scattered."""
    out = np.zeros(size, dtype=np.uint64)
    np.add.at(out, place, amounts)
    return scattered(out)
