"""Heat maps: a matrix of categories or raters in colours, with the numbers in the cells when they fit."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from assent.plots.labels import shorten, size_for
from assent.plots.palette import text_on
from assent.plots.picture import WIDTH

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.colors import Colormap
    from matplotlib.image import AxesImage

LETTER = 0.08  # inches
CELL = 0.7  # inches of a comfortable cell
LEAST_NUMBERED = 0.30  # inches of the smallest cell that can hold a number


@dataclass(frozen=True, kw_only=True)
class Heat:
    """How a matrix is shown: names of rows and columns, colours, range, and how a number is written."""

    rows: Sequence[str]
    columns: Sequence[str]
    colours: "Colormap"
    high: float
    low: float = 0.0
    is_root: bool = False  # colours by the square root, so that small counts beside large ones still show
    number: str = "{:,.0f}"
    row_title: str = ""
    column_title: str = ""


def cell_size(n_rows: int, n_columns: int, *, width: float = WIDTH) -> float:
    """The side of a cell, so that the whole matrix and its labels stay within the page."""
    return min(CELL, (width - 2.2) / max(n_columns, 1), 8.0 / max(n_rows, 1))


def draw_heat(axes: "Axes", matrix: NDArray[np.float64], heat: Heat, side: float) -> "AxesImage":
    """The matrix with labels; NaN cells stay empty."""
    from matplotlib.colors import PowerNorm

    norm = PowerNorm(0.5 if heat.is_root else 1, vmin=heat.low, vmax=heat.high)
    image = axes.imshow(matrix, cmap=heat.colours, norm=norm, aspect="equal", interpolation="nearest")
    size = size_for(1, side)
    axes.set_xticks(range(len(heat.columns)), shorten(heat.columns), fontsize=size)
    axes.set_yticks(range(len(heat.rows)), shorten(heat.rows), fontsize=size)
    _turn_if_crowded(axes, heat.columns, side)
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    axes.set_xlabel(heat.column_title)
    axes.set_ylabel(heat.row_title)
    if side >= LEAST_NUMBERED:
        _write_numbers(axes, matrix, heat, image, side)
    return image


def label_room(labels: Sequence[str]) -> float:
    """Inches that the longest label takes when it stands upright."""
    return LETTER * max((len(label) for label in shorten(labels)), default=0)


def _turn_if_crowded(axes: "Axes", labels: Sequence[str], side: float) -> None:
    """Labels that are wider than their column stand upright."""
    if label_room(labels) > side:
        axes.tick_params(axis="x", rotation=90)


def _write_numbers(axes: "Axes", matrix: NDArray[np.float64], heat: Heat, image: "AxesImage", side: float) -> None:
    """The number in each cell, dark or light as its colour wants; the zeros of counts are left out."""
    texts = {
        (i, j): heat.number.format(matrix[i, j])
        for i, j in zip(*np.nonzero(~np.isnan(matrix) & (matrix != 0)), strict=True)
    }
    longest = max((len(text) for text in texts.values()), default=1)
    size = float(np.clip(72 * side * 0.85 / (0.62 * longest), 4.5, 9))
    for (i, j), text in texts.items():
        rgba: Any = image.cmap(image.norm(matrix[i, j]))
        axes.text(j, i, text, ha="center", va="center", fontsize=size, color=text_on(rgba[:3]))
