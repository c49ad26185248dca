"""How unlike two units are: in place, in category, and both together.

    d(u, v) = alpha d_pos + beta d_cat

    d_pos = ((|begin u - begin v| + |end u - end v|) / (length u + length v))^p De,     p = 2 (squared) or 1 (linear)
    d_cat = (0 if the categories are equal, else 1, or an entry of a matrix) De

Every pair with an empty unit costs De (delta_empty). Mathet, Widlöcher & Métivier (2015), section 4, who square the
positional part: small shifts count little and large ones much. The linear form weighs every shift alike.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from assent.arrays import Floats, Ints
from assent.errors import InputError
from assent.measures.unitizing.units import Units


@dataclass(frozen=True, kw_only=True, eq=False)
class Dissimilarity:
    """The weights, the kind of positional part and the matrix between categories (without one only equality counts)."""

    alpha: float = 1.0
    beta: float = 1.0
    delta_empty: float = 1.0
    place: str = "squared"
    matrix: Floats | None = field(default=None, repr=False)
    matrix_name: str = "identity"

    def __post_init__(self) -> None:
        """Refuse weights for which the best alignment is empty or undefined."""
        if not (np.isfinite(self.alpha) and self.alpha > 0):
            raise InputError(f"alpha is {self.alpha:g}", hint="give a number above 0; gamma needs positions")
        if not (np.isfinite(self.beta) and self.beta >= 0):
            raise InputError(f"beta is {self.beta:g}", hint="give 0 or a number above 0")
        if not (np.isfinite(self.delta_empty) and self.delta_empty > 0):
            raise InputError(f"delta_empty is {self.delta_empty:g}", hint="give a number above 0")

    @property
    def in_units(self) -> "Dissimilarity":
        """The same dissimilarity counted in units of De."""
        return replace(self, delta_empty=1.0)

    def positional(self, units: Units, u: Ints, v: Ints) -> Floats:
        """d_pos of the units numbered `u` and `v`."""
        apart = np.abs(units.begin[u] - units.begin[v]) + np.abs(units.end[u] - units.end[v])
        share = apart / (units.lengths[u] + units.lengths[v])
        cost: Floats = self.delta_empty * (share if self.place == "linear" else share * share)
        return cost

    def reach(self, below: float) -> float:
        """How far apart units can lie, in their lengths' sum, while their dissimilarity is under `below`."""
        share = below / (self.alpha * self.delta_empty)
        return float(share if self.place == "linear" else share**0.5)

    def categorical(self, units: Units, u: Ints, v: Ints) -> Floats:
        """d_cat of the units numbered `u` and `v`."""
        if self.matrix is None:
            return np.where(units.category[u] == units.category[v], 0.0, self.delta_empty)
        cost: Floats = self.delta_empty * self.matrix[units.category[u], units.category[v]]
        return cost

    def combined(self, units: Units, u: Ints, v: Ints) -> Floats:
        """The dissimilarity of the units numbered `u` and `v`."""
        return self.alpha * self.positional(units, u, v) + self.beta * self.categorical(units, u, v)


def ordinal_matrix(order: Sequence[str], categories: Sequence[str]) -> Floats:
    """|rank - rank| / (number of ranks - 1) between `categories`, ranked by their place in `order`."""
    missing = [category for category in categories if category not in order]
    if missing:
        raise InputError(f"the category {missing[0]!r} has no place in the order", hint="list every category in order")
    rank = np.array([order.index(category) for category in categories], dtype=float)
    matrix: Floats = np.abs(rank[:, None] - rank[None, :]) / max(1, len(order) - 1)
    return matrix


def matrix_between(table: Sequence[Sequence[str]], categories: Sequence[str], *, file: str | None = None) -> Floats:
    """The matrix of `categories` from a table whose first row and first column hold the categories."""
    header = [cell.strip() for cell in table[0][1:]]
    rows = [row[0].strip() for row in table[1:]]
    if header != rows:
        raise InputError("rows and columns name different categories", file=file, hint="use one order for both")
    missing = [category for category in categories if category not in header]
    if missing:
        raise InputError(f"the category {missing[0]!r} is not in the matrix", file=file, hint="add its row and column")
    values = np.array([[_cost(cell, i + 2, file) for cell in row[1:]] for i, row in enumerate(table[1:])], dtype=float)
    if values.shape != (len(header), len(header)):
        raise InputError("the matrix is not square", file=file)
    if not (np.array_equal(values, values.T) and not values.diagonal().any()):
        raise InputError("the matrix must be symmetric with 0 on the diagonal", file=file)
    chosen = [header.index(category) for category in categories]
    return values[np.ix_(chosen, chosen)]


def _cost(cell: str, row: int, file: str | None) -> float:
    """One entry of the matrix: a number, not below 0."""
    try:
        cost = float(cell)
    except ValueError:
        cost = -1.0
    if not (np.isfinite(cost) and cost >= 0):
        raise InputError(f"{cell!r} is not a dissimilarity", file=file, row=row, hint="give a number from 0 to 1")
    return cost
