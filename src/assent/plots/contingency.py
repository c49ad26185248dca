"""What one rater said against what another said, and the same summed over all raters (coincidences)."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from assent.arrays import Floats
from assent.diagnosis.shares import unit_shares
from assent.engines.tally import Tally
from assent.errors import InputError
from assent.model.judgements import Judgements
from assent.plots.heat import Heat, cell_size, draw_heat
from assent.plots.labels import MOST_CATEGORIES, busiest, headline, left_out, short
from assent.plots.palette import counts_map
from assent.plots.picture import Picture, single, styled
from assent.plots.shares import refuse_continuous

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def contingency(data: Tally, title: str = "Contingency table") -> Picture:
    """Two raters: rows are the first rater's categories, columns the second's."""
    refuse_continuous(data.scale, "contingency")
    if len(data.used_raters) != 2:
        raise InputError(
            f"a contingency table compares two raters, and there are {len(data.used_raters)}",
            hint="choose two with --raters A,B, or draw coincidence",
        )
    pairs = data.pairs
    if not len(pairs.pairs):
        raise InputError("no unit was judged by both raters", hint="choose raters with common units")
    table = pairs.tables()[0]
    first, second = (data.raters[i] for i in pairs.pairs[0])
    with styled():
        figure = _draw(table, data.scale.categories, (first, second), title, "units that got both categories")
    said = _said(table, data.scale.categories, "units", f"{first} (rows) against {second} (columns)")
    return Picture(kind="contingency", title=title, alternative=said, figure=figure)


def coincidence(data: Judgements, title: str = "Coincidences of categories") -> Picture:
    """Any number of raters: how often two judgements of one unit were c and k, counted as Krippendorff does."""
    refuse_continuous(data.scale, "coincidence")
    table = unit_shares(data).coincidences()
    if not table.any():
        raise InputError("no unit was judged by two raters, so nothing coincides")
    with styled():
        figure = _draw(table, data.scale.categories, ("", ""), title, "coincidences")
    said = _said(table, data.scale.categories, "pairable judgements", "coincidence matrix")
    return Picture(kind="coincidence", title=title, alternative=said, figure=figure)


def _draw(table: Floats, categories: Sequence[str], raters: tuple[str, str], title: str, what: str) -> "Figure":
    """The table as a heat map; its labels carry the totals."""
    shown = busiest(table.sum(axis=0) + table.sum(axis=1), MOST_CATEGORIES)
    side = max(cell_size(len(shown), len(shown)), 0.13)
    width = max(4.2, side * len(shown) + 3.0)
    figure, axes = single(side * len(shown) + 2.0, width=width)
    heat = Heat(
        rows=_labels(categories, shown, table.sum(axis=1)),
        columns=_labels(categories, shown, table.sum(axis=0)),
        colours=counts_map(),
        high=float(table.max(initial=1)),
        is_root=True,
        number=_number_format(table),
        row_title=short(raters[0]),
        column_title=short(raters[1]),
    )
    image = draw_heat(axes, table[np.ix_(shown, shown)], heat, side)
    figure.colorbar(image, ax=axes, shrink=0.6, aspect=25, label=what)
    headline(figure, title, "totals in brackets", left_out(len(shown), len(table), "categories"))
    return figure


def _labels(categories: Sequence[str], shown: NDArray[np.intp], totals: Floats) -> list[str]:
    """Category names with their totals."""
    return [f"{short(categories[k], 18)} ({totals[k]:,.0f})" for k in shown]


def _number_format(table: Floats) -> str:
    """Whole numbers where all are whole, else one decimal."""
    return "{:,.0f}" if np.allclose(table, np.round(table)) else "{:,.1f}"


def _said(table: Floats, categories: Sequence[str], what: str, which: str) -> str:
    """The share on the diagonal and the most frequent confusion."""
    total, diagonal = float(table.sum()), float(np.trace(table))
    said = f"Heat map, {which}: {total:,.0f} {what}, {100 * diagonal / max(total, 1):.1f} % on the diagonal (agreement)"
    off = table - np.diag(np.diag(table))
    if not off.any():
        return f"{said}; nothing off it."
    i, j = divmod(int(off.argmax()), off.shape[1])
    n = off[i, j]
    return (
        f"{said}. The largest cell off the diagonal is {short(categories[i])} with {short(categories[j])}: {n:,.6g} "
        f"({100 * n / total:.1f} %)."
    )
