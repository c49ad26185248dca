"""The pair matrix: agreement and correlation of every two raters, side by side (Amidei et al. 2019, Table 7)."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from assent.arrays import Floats
from assent.diagnosis.consistency import Consistency, PairReading
from assent.errors import InputError
from assent.measures.result import Agreement
from assent.plots.heat import Heat, draw_heat
from assent.plots.labels import MOST_RATERS, counted, headline
from assent.plots.palette import signed_map
from assent.plots.picture import WIDTH, Picture, new_figure, styled

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True, kw_only=True, eq=False)
class Panel:
    """One coefficient for every two raters, NaN where they have no common units or no value."""

    name: str
    matrix: Floats


def pairs(found: Consistency, title: str = "Agreement and correlation of rater pairs") -> Picture:
    """Two matrices of raters; where categories have no order there is only agreement."""
    if found.refused:
        raise InputError(f"rater pairs are not compared: {found.refused}")
    if not found.pairs:
        raise InputError("no two raters have a unit in common")
    raters = _raters(found)
    panels = [panel for panel in (_panel(found, raters, "agreement"), _panel(found, raters, "tau_b")) if panel]
    with styled():
        figure = _draw(panels, raters, found, title)
    return Picture(kind="pairs", title=title, alternative=" ".join(_said(p, raters) for p in panels), figure=figure)


def _raters(found: Consistency) -> list[str]:
    """The raters of the pairs in order of appearance, at most so many as can be read."""
    names = dict.fromkeys(name for pair in found.pairs for name in pair.raters)
    return list(names)[:MOST_RATERS]


def _coefficient(pair: PairReading, which: str) -> Agreement | None:
    return pair.agreement if which == "agreement" else pair.tau_b


def _panel(found: Consistency, raters: list[str], which: str) -> Panel | None:
    """The matrix of one coefficient; None if no pair has it."""
    place = {name: i for i, name in enumerate(raters)}
    names: dict[str, None] = {}
    matrix = np.full((len(raters), len(raters)), np.nan)
    for pair in found.pairs:
        result = _coefficient(pair, which)
        if result is not None and set(pair.raters) <= place.keys():
            names[result.name] = None
            i, j = (place[name] for name in pair.raters)
            matrix[i, j] = matrix[j, i] = np.nan if result.value is None else result.value
    return Panel(name=" / ".join(names), matrix=matrix) if names else None


def _draw(panels: list[Panel], raters: list[str], found: Consistency, title: str) -> "Figure":
    """The panels beside each other, or below each other when raters are many."""
    n = len(raters)
    stacked = n > 10 or len(panels) == 1
    side = min(0.62, (WIDTH - 2.4) / n if stacked else (WIDTH - 3.0) / (2 * n))
    height = side * n + 1.6
    figure = new_figure(height * (len(panels) if stacked else 1) + 0.5)
    grid = figure.subplots(len(panels) if stacked else 1, 1 if stacked else len(panels), squeeze=False)
    heat = Heat(rows=raters, columns=raters, colours=signed_map(), low=-1, high=1, number="{:.2f}")
    for axes, panel in zip(grid.flat, panels, strict=True):
        image = draw_heat(axes, panel.matrix, heat, side)
        axes.set_title(panel.name, fontsize=9, loc="left")
    figure.colorbar(image, ax=list(grid.flat), shrink=0.6, aspect=30, label="value of the coefficient")
    left = f"the {len(found.pairs)} pairs with most common units" if found.n_pairs_left_out else ""
    headline(figure, title, left)
    return figure


def _said(panel: Panel, raters: list[str]) -> str:
    """Mean, lowest and highest pair."""
    upper = np.triu(~np.isnan(panel.matrix), 1)
    if not upper.any():
        return f"{panel.name} has no value for any of the rater pairs."
    values, places = panel.matrix[upper], np.argwhere(upper)
    low, high = (places[pick] for pick in (values.argmin(), values.argmax()))
    named = [
        f"{values_of:.3f} ({raters[i]} and {raters[j]})"
        for values_of, (i, j) in ((values.min(), low), (values.max(), high))
    ]
    if len(values) == 1:
        return f"{panel.name} of {raters[low[0]]} and {raters[low[1]]} is {values[0]:.3f}."
    of = f"{panel.name} of {counted(len(values), 'rater pair')}"
    return f"{of}: mean {values.mean():.3f}, from {named[0]} to {named[1]}."
