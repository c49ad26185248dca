"""Random judgements for the laws."""

from typing import Any

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from concordant.model.judgements import Judgements
from concordant.model.scale import Level

LEVELS = (Level.NOMINAL, Level.ORDINAL, Level.INTERVAL, Level.RATIO, Level.CIRCULAR, Level.BIPOLAR, Level.SET)
SETS = ("a", "b", "c", "a+b", "b+c")


@st.composite
def matrices(draw: st.DrawFn, max_raters: int = 4, may_miss: bool = True) -> NDArray[np.int64]:
    """Category codes 0 to 4, units in rows; -1 is missing."""
    n_units, n_raters = draw(st.integers(1, 12)), draw(st.integers(1, max_raters))
    cell = st.integers(-1 if may_miss else 0, draw(st.integers(0, 4)))
    cells = draw(st.lists(cell, min_size=n_units * n_raters, max_size=n_units * n_raters))
    return np.array(cells, dtype=np.int64).reshape(n_units, n_raters)


def labels(level: Level) -> list[str]:
    """Five categories that fit the level."""
    return list(SETS) if level is Level.SET else [str(i) for i in range(5)]


def judged(matrix: NDArray[np.int64], level: Level, raters: list[str] | None = None) -> Judgements:
    """Judgements with all five categories declared."""
    names = np.array([*labels(level), None], dtype=object)
    return Judgements.from_matrix(names[matrix], level=level, categories=labels(level), raters=raters)


def as_rows(matrix: NDArray[np.int64], level: Level, order: Any = None) -> Judgements:
    """The same judgements one per row, in any order."""
    unit, rater = np.nonzero(matrix >= 0)
    chosen = np.arange(len(unit)) if order is None else order.permutation(len(unit))
    values = np.array(labels(level), dtype=object)[matrix[unit, rater]]
    names = np.array([f"rater {i + 1}" for i in range(matrix.shape[1])], dtype=object)
    return Judgements.from_rows(
        unit[chosen], names[rater[chosen]], values[chosen], level=level, categories=labels(level)
    )
