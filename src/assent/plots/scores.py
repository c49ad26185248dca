"""Score lines: unit by unit what each rater gave, shifted a little so that no line hides another.

Lines that run in parallel but apart belong to raters who differ in level and agree in order: the picture behind
"agreement is low, correlation is high" (Amidei et al. 2019, figures 1 and 2).
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from assent.arrays import Floats
from assent.errors import InputError
from assent.model.judgements import Judgements
from assent.plots.labels import busiest, counted, headline, left_out, short, shorten
from assent.plots.palette import ACCENT, GRID, MARKERS, UNORDERED
from assent.plots.picture import WIDTH, Picture, new_figure, single, styled

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

IN_ORDER = 20  # so many units are shown as they come; more are ordered by their mean score
MOST_UNITS = 60  # with still more, units evenly spaced in that order stand for all
MOST_LINES = 8  # with more raters, each gets a panel of their own
MOST_PANELS = 40


@dataclass(frozen=True, kw_only=True, eq=False)
class Lines:
    """Scores of the units shown (rows) by rater (columns), NaN where there is none."""

    scores: Floats
    units: list[str]
    raters: list[str]
    n_units: int
    n_raters: int

    @property
    def remarks(self) -> tuple[str, str]:
        """What is not shown, in words."""
        few = (
            ""
            if len(self.units) == self.n_units
            else (f"{len(self.units)} of {self.n_units:,} units, evenly spaced in order of mean score")
        )
        return few, left_out(len(self.raters), self.n_raters, "raters")


def scores(data: Judgements, title: str = "Scores by unit and rater") -> Picture:
    """One line per rater, or one panel per rater when there are many."""
    if not (data.scale.level.is_ordered or len(data.scale.categories) == 2):
        raise InputError(
            f"score lines need values in an order, and these are {data.scale.level.value}",
            hint="give --level ordinal with --categories in order, or draw distribution",
        )
    lines = _choose(data)
    with styled():
        figure = _together(data, lines, title) if len(lines.raters) <= MOST_LINES else _panels(data, lines, title)
    return Picture(kind="scores", title=title, alternative=_said(data, lines), figure=figure)


def _choose(data: Judgements) -> Lines:
    """The units and raters to show, as a matrix."""
    rows = data.rows()
    points = rows.value if data.scale.is_continuous else data.scale.positions()[rows.value]
    n = np.bincount(rows.unit, minlength=data.n_units)
    judged = np.nonzero(n > 1 if (n > 1).any() else n)[0]
    if not len(judged):
        raise InputError("there are no judgements to draw")
    mean = np.bincount(rows.unit, weights=points, minlength=data.n_units)[judged] / n[judged]
    units = judged if len(judged) <= IN_ORDER else _spread(judged[np.argsort(mean, kind="stable")])
    per_rater = np.bincount(rows.rater, minlength=data.n_raters).astype(np.float64)
    who = busiest(per_rater, MOST_PANELS)
    matrix = _matrix(rows.unit, rows.rater, points, (units, data.n_units), (who, data.n_raters))
    names = data.unit_names
    return Lines(
        scores=matrix,
        units=[str(u + 1) if names is None else names[int(u)] for u in units],
        raters=[data.raters[r] for r in who],
        n_units=len(judged),
        n_raters=int((per_rater > 0).sum()),
    )


def _spread(ordered: NDArray[np.intp]) -> NDArray[np.intp]:
    """The list if it is short, else evenly spaced places of it, both ends included."""
    if len(ordered) <= MOST_UNITS:
        return ordered
    return ordered[np.round(np.linspace(0, len(ordered) - 1, MOST_UNITS)).astype(np.intp)]


def _matrix(
    unit: NDArray[np.signedinteger],
    rater: NDArray[np.signedinteger],
    points: Floats,
    units: tuple[NDArray[np.intp], int],
    raters: tuple[NDArray[np.intp], int],
) -> Floats:
    """The scores of chosen units and raters; each choice comes with how many there are to choose from."""
    row, column = np.full(units[1], -1), np.full(raters[1], -1)
    row[units[0]], column[raters[0]] = np.arange(len(units[0])), np.arange(len(raters[0]))
    keep = (row[unit] >= 0) & (column[rater] >= 0)
    matrix = np.full((len(units[0]), len(raters[0])), np.nan)
    matrix[row[unit[keep]], column[rater[keep]]] = points[keep]
    return matrix


def _together(data: Judgements, lines: Lines, title: str) -> "Figure":
    """All raters in one picture, each shifted by a fraction of a step."""
    figure, axes = single(3.9, width=WIDTH)
    shifts = _shifts(data, len(lines.raters))
    for r, name in enumerate(shorten(lines.raters)):
        axes.plot(
            range(len(lines.units)),
            lines.scores[:, r] + shifts[r],
            color=UNORDERED[r],
            marker=MARKERS[r],
            markersize=3.5,
            linewidth=1.2,
            alpha=0.9,
            label=name,
        )
    _finish(axes, data, lines)
    axes.set_xlabel("unit" if lines.n_units <= IN_ORDER else "units from the lowest to the highest mean score")
    headline(figure, title, *lines.remarks, "lines are shifted apart" if shifts.any() else "")
    longest = max(len(name) for name in shorten(lines.raters))
    figure.legend(loc="outside lower center", ncols=max(1, min(len(lines.raters), int(95 / (longest + 6)))))
    return figure


def _shifts(data: Judgements, n: int) -> Floats:
    """How far each line is moved: together at most half the smallest step of the scale."""
    if data.scale.is_continuous or n < 2:
        return np.zeros(n)
    step = np.diff(np.unique(data.scale.positions()))
    return np.linspace(-0.25, 0.25, n) * float(step.min(initial=1.0))


def _finish(axes: "Axes", data: Judgements, lines: Lines) -> None:
    """Names of categories on the left, of units below when they fit."""
    if not data.scale.is_continuous and len(data.scale.categories) <= 20:
        axes.set_yticks(data.scale.positions(), [short(c, 16) for c in data.scale.categories])
    axes.grid(axis="y")
    names = shorten(lines.units, 16)
    if len(names) > 40 or len(names) != lines.n_units:
        axes.set_xticks([])
        return
    upright = max(len(name) for name in names) * 0.085 > (WIDTH - 1) / len(names)
    axes.set_xticks(range(len(names)), names, rotation=90 if upright else 0)


def _panels(data: Judgements, lines: Lines, title: str) -> "Figure":
    """A panel per rater, with the median of all raters in grey."""
    across = 5 if len(lines.raters) > 12 else 4
    down = -(-len(lines.raters) // across)
    figure = new_figure(0.9 + 1.05 * down)
    grid = figure.subplots(down, across, sharex=True, sharey=True, squeeze=False)
    middle = _medians(lines.scores)
    for axes, name, line in zip(grid.flat, shorten(lines.raters, 18), lines.scores.T, strict=False):
        axes.plot(middle, color=GRID, linewidth=2.6)
        axes.plot(line, color=ACCENT, linewidth=1.1, marker=".", markersize=3)
        axes.set_title(name, fontsize=7.5, pad=2)
        axes.set_xticks([])
        axes.tick_params(labelsize=6.5)
        _label_scale(axes, data)
    for axes in grid.flat[len(lines.raters) :]:
        axes.set_visible(False)
    headline(figure, title, *lines.remarks, "grey: median of all raters")
    return figure


def _medians(matrix: Floats) -> Floats:
    """The median of each row, NaN for rows without scores."""
    filled = ~np.isnan(matrix).all(axis=1)
    out = np.full(len(matrix), np.nan)
    out[filled] = np.nanmedian(matrix[filled], axis=1)
    return out


def _label_scale(axes: "Axes", data: Judgements) -> None:
    """The ends and the middle of the scale: a small panel has no room for more."""
    if data.scale.is_continuous:
        return
    places = data.scale.positions()
    shown = sorted({0, len(places) // 2, len(places) - 1}) if len(places) > 4 else range(len(places))
    axes.set_yticks([places[i] for i in shown], [short(data.scale.categories[i], 10) for i in shown])


def _said(data: Judgements, lines: Lines) -> str:
    """Who scores highest and lowest on average over the units shown."""
    filled = ~np.isnan(lines.scores)
    means = np.nansum(lines.scores, axis=0) / np.maximum(filled.sum(axis=0), 1)
    low, high = int(means.argmin()), int(means.argmax())
    which = "; ".join(remark for remark in lines.remarks if remark)
    said = f"Lines of the scores that {counted(len(lines.raters), 'rater')} gave {counted(len(lines.units), 'unit')}"
    said += f" ({which})" if which else ""
    if len(lines.raters) < 2:
        return f"{said}; the mean is {means[0]:.2f}."
    spread = np.nanmax(lines.scores, axis=1, initial=-np.inf) - np.nanmin(lines.scores, axis=1, initial=np.inf)
    alike = int(((spread == 0) & (filled.sum(axis=1) > 1)).sum())
    return (
        f"{said}. On average {lines.raters[high]} scored highest ({means[high]:.2f}) and {lines.raters[low]} lowest "
        f"({means[low]:.2f}); the raters gave one and the same score to {counted(alike, 'unit')} of those shown."
    )
