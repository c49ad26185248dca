"""A part of a tally: the judgements of some raters, without looking at the judgements again."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from assent.engines.identity import canonical
from assent.engines.patterns import Patterns
from assent.engines.tally import Tally
from assent.errors import InputError, nearest


def with_raters(data: Tally, raters: Sequence[str]) -> Tally:
    """Only the judgements of these raters, in this order. Units that none of them judged have no pattern any more."""
    unknown = next((rater for rater in raters if rater not in data.raters), None)
    if unknown is not None:
        raise InputError(f"there is no rater {unknown!r}", hint=nearest(unknown, data.raters))
    place = np.full(len(data.raters), -1, dtype=np.int64)
    place[[data.raters.index(rater) for rater in raters]] = np.arange(len(raters))
    patterns = _renumbered(data.patterns, place)
    return replace(data, raters=tuple(raters), patterns=canonical(patterns, raters, data.scale))


def _renumbered(patterns: Patterns, place: "np.ndarray[tuple[int], np.dtype[np.int64]]") -> Patterns:
    """Raters numbered by `place` (-1: left out), patterns without judgements gone, sorted by pattern and rater."""
    rater = place[patterns.rater]
    kept = np.nonzero(rater >= 0)[0]
    order = kept[np.lexsort((rater[kept], patterns.pattern[kept]))]
    judged, pattern = np.unique(patterns.pattern[order], return_inverse=True)
    return Patterns(
        pattern=pattern.reshape(-1).astype(np.int64),
        rater=rater[order],
        code=patterns.code[order],
        weights=patterns.weights[judged],
    )
