"""Parts of a tally by unit: the judgements are looked at once, and any number of slices are cut from the patterns."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from assent.engines.patterns import Patterns
from assent.engines.tally import Tally
from assent.model.judgements import Judgements, Rows

MOST_CELLS = 1 << 24  # up to this many units × raters equal units are merged; beyond it every unit is a pattern


@dataclass(frozen=True, kw_only=True, eq=False)
class UnitTally:
    """A tally that remembers which pattern each unit has (-1 for a unit without judgements)."""

    whole: Tally
    pattern_of: NDArray[np.int64]

    def of_units(self, wanted: NDArray[np.bool_]) -> Tally:
        """The tally of some units only."""
        chosen = self.pattern_of[wanted]
        weights = np.bincount(chosen[chosen >= 0], minlength=len(self.whole.patterns.weights)).astype(np.float64)
        patterns = self.whole.patterns
        used = weights > 0
        keep = used[patterns.pattern]
        number = np.cumsum(used) - 1
        part = Patterns(
            pattern=number[patterns.pattern[keep]],
            rater=patterns.rater[keep],
            code=patterns.code[keep],
            weights=weights[used],
        )
        return replace(self.whole, patterns=part, n_units=int(wanted.sum()))


def unit_tally(data: Judgements) -> UnitTally:
    """Reduce judgements, remembering the units."""
    rows = data.rows()
    if data.scale.is_continuous or data.n_units * data.n_raters > MOST_CELLS:
        patterns, place = _one_each(rows, data.n_units)
    else:
        cells = np.full((data.n_units, data.n_raters), -1, dtype=np.int32)
        cells[rows.unit, rows.rater] = rows.value
        patterns, place = _merged(cells)
    whole = Tally(scale=data.scale, raters=data.raters, patterns=patterns, n_units=data.n_units, notes=data.notes)
    return UnitTally(whole=whole, pattern_of=place)


def _one_each(rows: Rows, n_units: int) -> tuple[Patterns, NDArray[np.int64]]:
    """Every judged unit is a pattern."""
    judged = np.bincount(rows.unit, minlength=n_units) > 0
    place = np.where(judged, np.cumsum(judged) - 1, -1)
    order = np.lexsort((rows.rater, rows.unit))
    code = rows.value[order] if rows.value.dtype.kind == "f" else rows.value[order].astype(np.int64)
    patterns = Patterns(
        pattern=place[rows.unit[order]],
        rater=rows.rater[order].astype(np.int64),
        code=code,
        weights=np.ones(int(judged.sum())),
    )
    return patterns, place


def _merged(cells: NDArray[np.int32]) -> tuple[Patterns, NDArray[np.int64]]:
    """Units with equal rows are one pattern."""
    distinct, inverse, weights = np.unique(cells, axis=0, return_inverse=True, return_counts=True)
    judged = (distinct >= 0).any(axis=1)
    place = np.where(judged, np.cumsum(judged) - 1, -1)[inverse.reshape(-1)]
    pattern, rater = np.nonzero(distinct[judged] >= 0)
    code = distinct[judged][pattern, rater].astype(np.int64)
    patterns = Patterns(pattern=pattern, rater=rater, code=code, weights=weights[judged].astype(np.float64))
    return patterns, place
