"""How often each rater gave each category: who avoids an end of the scale, who says yes to everything."""

from typing import TYPE_CHECKING

import numpy as np

from assent.arrays import Floats
from assent.engines.tally import Tally
from assent.plots.heat import Heat, draw_heat, label_room
from assent.plots.labels import (
    MOST_CATEGORIES,
    MOST_RATERS,
    busiest,
    counted,
    headline,
    left_out,
    short,
    shorten,
    size_for,
)
from assent.plots.palette import ACCENT, FAINT, INK, PAPER, colours, counts_map, text_on
from assent.plots.picture import WIDTH, Picture, single, styled
from assent.plots.shares import totals_by_rater

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_BARS = 8  # more categories than this are a heat map: bars of so many colours cannot be told apart
ROW = 0.30  # inches


def distribution(data: Tally, title: str = "Categories by rater") -> Picture:
    """Stacked bars, a heat map when there are many categories, boxes when the scale is continuous."""
    with styled():
        if data.scale.is_continuous:
            return _boxes(data, title)
        totals = totals_by_rater(data)
        rows = busiest(totals.sum(axis=1), MOST_RATERS)
        remark = left_out(len(rows), len(totals), "raters")
        names = [data.raters[i] for i in rows]
        draw = _bars if len(data.scale.categories) <= MOST_BARS else _heat
        figure = draw(data, totals[rows], names, (title, remark))
        return Picture(kind="distribution", title=title, alternative=_said(data, totals[rows], names), figure=figure)


def _bars(data: Tally, totals: Floats, names: list[str], head: tuple[str, str]) -> "Figure":
    """One bar of shares per rater."""
    figure, axes = single(1.5 + ROW * len(names))
    shares = totals / np.maximum(totals.sum(axis=1, keepdims=True), 1)
    left = np.zeros(len(names))
    for k, colour in enumerate(colours(shares.shape[1], is_ordered=data.scale.level.is_ordered)):
        axes.barh(
            range(len(names)),
            shares[:, k],
            left=left,
            color=colour,
            edgecolor=PAPER,
            linewidth=0.8,
            height=0.78,
            label=short(data.scale.categories[k]),
        )
        _percentages(axes, shares[:, k], left, colour)
        left += shares[:, k]
    labels = [f"{name}  ({n:,.0f})" for name, n in zip(shorten(names), totals.sum(axis=1), strict=True)]
    axes.set_yticks(range(len(names)), labels)
    axes.set_ylim(len(names) - 0.4, -0.6)
    axes.set_xlim(0, 1)
    axes.xaxis.set_major_formatter(lambda x, _: f"{100 * x:.0f} %")
    axes.set_xlabel("share of the rater's judgements (their number in brackets)")
    axes.spines["left"].set_visible(False)
    axes.tick_params(axis="y", length=0)
    headline(figure, *head)
    longest = max(len(short(c)) for c in data.scale.categories)
    figure.legend(loc="outside lower center", ncols=max(1, min(shares.shape[1], int(95 / (longest + 5)))))
    return figure


def _percentages(axes: "Axes", shares: Floats, left: Floats, colour: str) -> None:
    """The percentage in every part that has room for it."""
    for i in np.nonzero(shares >= 0.06)[0].tolist():
        axes.text(
            left[i] + shares[i] / 2,
            i,
            f"{100 * shares[i]:.0f}",
            ha="center",
            va="center",
            fontsize=7.5,
            color=text_on(colour),
        )


def _heat(data: Tally, totals: Floats, names: list[str], head: tuple[str, str]) -> "Figure":
    """Raters in rows, categories in columns, shares as colours."""
    columns = busiest(totals.sum(axis=0), MOST_CATEGORIES)
    shares = 100 * (totals / np.maximum(totals.sum(axis=1, keepdims=True), 1))[:, columns]
    side = min(0.5, max(0.17, (WIDTH - 2.2) / len(columns)))
    width = max(WIDTH, 2.8 + side * len(columns))
    names_below = [data.scale.categories[k] for k in columns]
    figure, axes = single(1.6 + label_room(names_below) + side * len(names), width=width)
    heat = Heat(
        rows=names,
        columns=names_below,
        colours=counts_map(),
        high=float(max(shares.max(initial=0), 1)),
        number="{:.0f}",
    )
    image = draw_heat(axes, shares, heat, side)
    figure.colorbar(image, ax=axes, location="bottom", shrink=0.5, aspect=30, label="% of the rater's judgements")
    headline(figure, head[0], head[1], left_out(len(columns), totals.shape[1], "categories"))
    return figure


def _boxes(data: Tally, title: str) -> Picture:
    """Box plots of numbers, one per rater."""
    seen = data.patterns
    scores = [
        np.repeat(seen.code[seen.rater == r], seen.weights[seen.pattern[seen.rater == r]].astype(int))
        for r in range(len(data.raters))
    ]
    rows = busiest(np.array([float(len(s)) for s in scores]), MOST_RATERS)
    names = [data.raters[i] for i in rows]
    figure, axes = single(1.2 + ROW * len(rows))
    draw_boxes(axes, [scores[i] for i in rows], names)
    axes.set_xlabel("value (box: middle half, line: median, diamond: mean, dots: more than 1.5 box lengths away)")
    headline(figure, title, left_out(len(rows), len(scores), "raters"))
    medians = {name: float(np.median(scores[i])) for name, i in zip(names, rows, strict=True) if len(scores[i])}
    low, high = min(medians, key=lambda n: medians[n]), max(medians, key=lambda n: medians[n])
    said = (
        f"Box plots of the values of {counted(len(names), 'rater')}. The medians run from {medians[low]:.3g} "
        f"({low}) to {medians[high]:.3g} ({high})."
    )
    return Picture(kind="distribution", title=title, alternative=said, figure=figure)


def draw_boxes(axes: "Axes", groups: list[Floats], names: list[str]) -> None:
    """Horizontal boxes with names, the first on top."""
    labels = [f"{name}  ({len(group):,})" for name, group in zip(shorten(names), groups, strict=True)]
    axes.boxplot(
        groups,
        orientation="horizontal",
        widths=0.6,
        patch_artist=True,
        showmeans=True,
        meanprops={"marker": "D", "markersize": 5, "markerfacecolor": PAPER, "markeredgecolor": INK},
        boxprops={"facecolor": "#9ecae1", "edgecolor": ACCENT},
        medianprops={"color": INK, "linewidth": 1.6},
        whiskerprops={"color": ACCENT},
        capprops={"color": ACCENT},
        flierprops={"markersize": 2.5, "markeredgecolor": FAINT},
    )
    axes.set_yticks(range(1, len(groups) + 1), labels, fontsize=size_for(1, ROW))
    axes.invert_yaxis()
    axes.grid(axis="x")
    axes.tick_params(axis="y", length=0)


def _said(data: Tally, totals: Floats, names: list[str]) -> str:
    """The most used category, and the two raters who differ most on any category."""
    shares = totals / np.maximum(totals.sum(axis=1, keepdims=True), 1)
    whole = totals.sum(axis=0) / max(totals.sum(), 1)
    top, spread = int(whole.argmax()), shares.max(axis=0) - shares.min(axis=0)
    k = int(spread.argmax())
    high, low = int(shares[:, k].argmax()), int(shares[:, k].argmin())
    named = data.scale.categories
    said = (
        f"Shares of {counted(len(named), 'category')} for {counted(len(names), 'rater')}. "
        f"The most used category is {short(named[top])} ({100 * whole[top]:.1f} % of all judgements)"
    )
    if len(names) < 2 or spread[k] == 0:
        return f"{said}."
    return (
        f"{said}; the raters differ most on {short(named[k])}: {names[high]} gave it in {100 * shares[high, k]:.1f} %, "
        f"{names[low]} in {100 * shares[low, k]:.1f} % of their judgements."
    )
