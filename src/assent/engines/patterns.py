"""Distinct unit patterns with multiplicities: what is left of any number of judgements.

Two units have one pattern if the same raters gave them the same values. With five raters and five
categories a few thousand patterns stand for a hundred million judgements. Where raters are many and
each judges little (a crowd), hardly two units are alike and every unit keeps a pattern of its own;
the form is sparse, so nothing is lost by that.
"""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assent.model.judgements import Grid, Judgements, Rows

DENSE_SHARE = 0.05  # a units × raters grid is built only if at least this share of it is filled


@dataclass(frozen=True, kw_only=True, eq=False)
class Patterns:
    """Entry e: in `pattern[e]`, `rater[e]` gave the value `code[e]`. Sorted by pattern, then rater.

    `weights[p]` says how many units have pattern p. Units without any judgement have no pattern.
    """

    pattern: NDArray[np.int64]
    rater: NDArray[np.int64]
    code: NDArray[Any]
    weights: NDArray[np.float64]

    @property
    def sizes(self) -> NDArray[np.int64]:
        """How many judgements each pattern has."""
        return np.bincount(self.pattern, minlength=len(self.weights))


def find_patterns(data: Judgements) -> Patterns:
    """Reduce judgements to their patterns: the one step that looks at every judgement."""
    if data.scale.is_continuous:
        return units_as_patterns(data.rows(), data.n_units)
    if isinstance(data.table, Grid):
        return _of_grid(data.table.cells, len(data.scale.categories))
    filled = len(data.table.unit) / max(data.n_units * data.n_raters, 1)
    if filled >= DENSE_SHARE and fits_key(data.n_raters, len(data.scale.categories)):
        return _of_keys(_keys_of_rows(data), data.n_raters, len(data.scale.categories))
    return units_as_patterns(data.rows(), data.n_units)


def fits_key(n_raters: int, n_categories: int) -> bool:
    """Whether a pattern can be written as one 63-bit number in base (categories + 1)."""
    return n_raters * math.log2(n_categories + 1) < 62


def _key_type(n_raters: int, n_categories: int) -> type[np.signedinteger[Any]]:
    """The smallest integer type that holds a pattern's number."""
    return np.int32 if n_raters * math.log2(n_categories + 1) < 30 else np.int64


def _of_grid(cells: NDArray[Any], n_categories: int) -> Patterns:
    """A grid row is a pattern: read it as one number if it fits, else sort whole rows."""
    n_raters = cells.shape[1]
    if not fits_key(n_raters, n_categories):
        distinct, weights = np.unique(cells, axis=0, return_counts=True)
        return _of_distinct(distinct, weights)
    keys = np.zeros(len(cells), dtype=_key_type(n_raters, n_categories))
    for column in range(n_raters):
        keys *= n_categories + 1
        keys += cells[:, column]
        keys += 1
    return _of_keys(keys, n_raters, n_categories)


def _keys_of_rows(data: Judgements) -> NDArray[Any]:
    """Each unit's pattern as a number, added up judgement by judgement."""
    rows, base = data.rows(), len(data.scale.categories) + 1
    kind = _key_type(data.n_raters, base - 1)
    place = np.array([base**power for power in range(data.n_raters - 1, -1, -1)], dtype=kind)
    keys = np.zeros(data.n_units, dtype=kind)
    for rater in range(data.n_raters):
        mine = rows.rater == rater
        keys[rows.unit[mine]] += (rows.value[mine].astype(kind) + 1) * place[rater]
    return keys


def _of_keys(keys: NDArray[Any], n_raters: int, n_categories: int) -> Patterns:
    """Count equal numbers and write the distinct ones as patterns again."""
    base = n_categories + 1
    if float(base) ** n_raters <= max(4 * len(keys), 1 << 16):
        counts = np.bincount(keys, minlength=1)
        distinct = np.nonzero(counts)[0]
        weights = counts[distinct]
    else:
        distinct, weights = np.unique(keys, return_counts=True)
    return patterns_of_keys(distinct, weights, n_raters, n_categories)


def patterns_of_keys(distinct: NDArray[Any], weights: NDArray[Any], n_raters: int, n_categories: int) -> Patterns:
    """Write distinct numbers as patterns again: the last rater is the last digit, 0 is missing."""
    base = n_categories + 1
    cells = np.empty((len(distinct), n_raters), dtype=np.int64)
    rest = distinct.astype(np.int64)
    for column in range(n_raters - 1, -1, -1):
        cells[:, column] = rest % base - 1
        rest //= base
    return _of_distinct(cells, weights)


def _of_distinct(cells: NDArray[Any], weights: NDArray[Any]) -> Patterns:
    """Patterns from distinct grid rows, leaving out the row in which everything is missing."""
    judged = (cells >= 0).any(axis=1)
    cells, weights = cells[judged], weights[judged]
    pattern, rater = np.nonzero(cells >= 0)
    return Patterns(
        pattern=pattern, rater=rater, code=cells[pattern, rater].astype(np.int64), weights=weights.astype(np.float64)
    )


def units_as_patterns(rows: Rows, n_units: int) -> Patterns:
    """Every judged unit is a pattern of its own."""
    sizes = np.bincount(rows.unit, minlength=n_units)
    number = np.cumsum(sizes > 0) - 1
    key = rows.unit.astype(np.int64) * (int(rows.rater.max(initial=0)) + 1) + rows.rater
    order = slice(None) if (np.diff(key) > 0).all() else np.argsort(key, kind="stable")
    code = rows.value[order]
    return Patterns(
        pattern=number[rows.unit[order]],
        rater=rows.rater[order].astype(np.int64),
        code=code if code.dtype.kind == "f" else code.astype(np.int64),
        weights=np.ones(int((sizes > 0).sum())),
    )
