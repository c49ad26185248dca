"""Pictures made of areas: bars, boxes and heat maps.

How judgements are spread: categories by rater (who avoids an end of the scale), and the entropy of units as boxes by
any attribute of units (Boleda et al. 2009, 5.2). Matrices: contingency tables, coincidences of categories, and the
coefficients of rater pairs, agreement and correlation side by side (Amidei et al. 2019, Table 7). Numbers stand in the
cells when they fit.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from concordant.arrays import Floats
from concordant.diagnosis.categories import Entropies
from concordant.diagnosis.consistency import Consistency
from concordant.diagnosis.material import unit_shares
from concordant.digits import brief, counted, decimal, per_cent, thousands
from concordant.engines.tally import Tally
from concordant.errors import InputError, nearest
from concordant.model.judgements import Judgements
from concordant.model.scale import Scale
from concordant.plots import picture as look
from concordant.plots.picture import WIDTH, Picture, headline, left_out, short, shorten, single, styled

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.colors import Colormap
    from matplotlib.figure import Figure
    from matplotlib.image import AxesImage


LETTER = 0.08  # inches
CELL = 0.7  # inches of a comfortable cell
LEAST_NUMBERED = 0.30  # inches of the smallest cell that can hold a number
MOST_BARS = 8  # more categories than this are a heat map: bars of so many colours cannot be told apart
ROW = 0.30  # inches
MOST_GROUPS = 60


def distribution(data: Tally, title: str = "Categories by rater") -> Picture:
    """Stacked bars, a heat map when there are many categories, boxes when the scale is continuous."""
    with styled():
        figure, said = (_values if data.scale.is_continuous else _categories)(data, title)
    return Picture(kind="distribution", title=title, alternative=said, figure=figure)


def _values(data: Tally, title: str) -> tuple["Figure", str]:
    """A box per rater."""
    seen = data.patterns
    scores = [
        np.repeat(seen.code[seen.rater == r], seen.weights[seen.pattern[seen.rater == r]].astype(int))
        for r in range(len(data.raters))
    ]
    rows = look.busiest(np.array([float(len(s)) for s in scores]), look.MOST_RATERS)
    names = [data.raters[i] for i in rows]
    figure, axes = single(1.2 + ROW * len(rows))
    draw_boxes(axes, [scores[i] for i in rows], names)
    axes.set_xlabel("value (box: middle half, line: median, diamond: mean, dots: more than 1.5 box lengths away)")
    headline(figure, title, left_out(len(rows), len(scores), "raters"))
    medians = {name: float(np.median(scores[i])) for name, i in zip(names, rows, strict=True) if len(scores[i])}
    found = (pick(medians, key=lambda name: medians[name]) for pick in (min, max))
    low, high = (f"{brief(medians[name], 3)} ({name})" for name in found)
    return figure, f"Box plots of the values of {counted(len(names), 'rater')}. The medians run from {low} to {high}."


def _categories(data: Tally, title: str) -> tuple["Figure", str]:
    """How often each of the busiest raters gave each category, as bars or as a heat map."""
    seen, size = data.patterns, len(data.scale.categories)
    place, weights = seen.rater * size + seen.code, seen.weights[seen.pattern]
    flat = np.bincount(place, weights=weights, minlength=len(data.raters) * size)
    totals = np.asarray(flat, dtype=np.float64).reshape(len(data.raters), size)
    rows = look.busiest(totals.sum(axis=1), look.MOST_RATERS)
    names, totals, left = [data.raters[i] for i in rows], totals[rows], left_out(len(rows), len(totals), "raters")
    shares = totals / np.maximum(totals.sum(axis=1, keepdims=True), 1)
    figure = (_bars if size <= MOST_BARS else _heat)(data, totals, shares, names, (title, left))
    return figure, distribution_in_words(data, totals, shares, names)


def _bars(data: Tally, totals: Floats, shares: Floats, names: list[str], head: tuple[str, str]) -> "Figure":
    """One bar of shares per rater."""
    figure, axes = single(1.5 + ROW * len(names))
    left, named = np.zeros(len(names)), [short(category) for category in data.scale.categories]
    for k, colour in enumerate(look.colours(len(named), is_ordered=data.scale.level.is_ordered)):
        bars: Any = {"edgecolor": look.PAPER, "linewidth": 0.8, "height": 0.78}
        axes.barh(range(len(names)), shares[:, k], left=left, color=colour, label=named[k], **bars)
        for i in np.nonzero(shares[:, k] >= 0.06)[0].tolist():  # the parts that have room for it
            middle, text = left[i] + shares[i, k] / 2, decimal(100 * shares[i, k], 0)
            axes.text(middle, i, text, ha="center", va="center", fontsize=7.5, color=look.text_on(colour))
        left += shares[:, k]
    labels = [f"{name}  ({thousands(n)})" for name, n in zip(shorten(names), totals.sum(axis=1), strict=True)]
    axes.set_yticks(range(len(names)), labels)
    axes.set(xlim=(0, 1), ylim=(len(names) - 0.4, -0.6))
    axes.xaxis.set_major_formatter(lambda x, _: per_cent(x, 0))
    axes.set_xlabel("share of the rater's judgements (their number in brackets)")
    axes.spines["left"].set_visible(False)
    axes.tick_params(axis="y", length=0)
    headline(figure, *head)
    fitting = int(95 / (max(map(len, named)) + 5))
    figure.legend(loc="outside lower center", ncols=max(1, min(len(named), fitting)))
    return figure


def _heat(data: Tally, totals: Floats, shares: Floats, names: list[str], head: tuple[str, str]) -> "Figure":
    """Raters in rows, categories in columns, shares as colours."""
    columns = look.busiest(totals.sum(axis=0), look.MOST_CATEGORIES)
    cells, named = 100 * shares[:, columns], [data.scale.categories[k] for k in columns]
    side = min(0.5, max(0.17, (WIDTH - 2.2) / len(columns)))
    width = max(WIDTH, 2.8 + side * len(columns))
    figure, axes = single(1.6 + label_room(named) + side * len(names), width=width)
    ends, whole = (0.0, float(max(cells.max(initial=0), 1))), partial(decimal, places=0)
    image = draw_heat(axes, cells, side, names, named, look.counts_map(), ends, number=whole)
    figure.colorbar(image, ax=axes, location="bottom", shrink=0.5, aspect=30, label="% of the rater's judgements")
    headline(figure, *head, left_out(len(columns), totals.shape[1], "categories"))
    return figure


def draw_boxes(axes: "Axes", groups: list[Floats], names: list[str]) -> None:
    """Horizontal boxes with names, the first on top."""
    labels = [f"{name}  ({len(group):,})" for name, group in zip(shorten(names), groups, strict=True)]
    axes.boxplot(
        groups,
        orientation="horizontal",
        widths=0.6,
        patch_artist=True,
        showmeans=True,
        meanprops={"marker": "D", "markersize": 5, "markerfacecolor": look.PAPER, "markeredgecolor": look.INK},
        boxprops={"facecolor": "#9ecae1", "edgecolor": look.ACCENT},
        medianprops={"color": look.INK, "linewidth": 1.6},
        whiskerprops={"color": look.ACCENT},
        capprops={"color": look.ACCENT},
        flierprops={"markersize": 2.5, "markeredgecolor": look.FAINT},
    )
    axes.set_yticks(range(1, len(groups) + 1), labels, fontsize=look.size_for(ROW))
    axes.invert_yaxis()
    axes.grid(axis="x")
    axes.tick_params(axis="y", length=0)


def distribution_in_words(data: Tally, totals: Floats, shares: Floats, names: list[str]) -> str:
    """The most used category, and the two raters who differ most on any category."""
    whole = totals.sum(axis=0) / max(totals.sum(), 1)
    top, spread = int(whole.argmax()), shares.max(axis=0) - shares.min(axis=0)
    k = int(spread.argmax())
    high, low = int(shares[:, k].argmax()), int(shares[:, k].argmin())
    named = data.scale.categories
    said = (
        f"Shares of {counted(len(named), 'category')} for {counted(len(names), 'rater')}. "
        f"The most used category is {short(named[top])} ({per_cent(whole[top])} of all judgements)"
    )
    if len(names) < 2 or spread[k] == 0:
        return f"{said}."
    return (
        f"{said}; the raters differ most on {short(named[k])}: {names[high]} gave it in {per_cent(shares[high, k])}, "
        f"{names[low]} in {per_cent(shares[low, k])} of their judgements."
    )


def entropy(found: Entropies | None, attribute: str | None = None, title: str = "Entropy of units") -> Picture:
    """A box for each value of the attribute, or one for all units."""
    if found is None:
        raise InputError("entropy needs categories, and the scale is continuous", hint="draw distribution or scores")
    if not found.units:
        raise InputError("no unit has two judgements, so there is no entropy to draw")
    tests = {test.attribute: test for test in found.tests}
    if attribute is not None and attribute not in tests:
        raise InputError(f"entropy by {attribute!r} is not known", hint=nearest(attribute, list(tests)))
    names, groups, whole = ["all units"], [np.array([unit.entropy for unit in found.units])], title
    remarks, test = ["units with two judgements or more; their number in brackets"], ""
    if attribute is not None:
        tested, whole = tests[attribute], f"{title} by {attribute}"
        names = [group.value for group in tested.groups][:MOST_GROUPS]
        groups = [np.array(group.entropies) for group in tested.groups][:MOST_GROUPS]
        test = f"{tested.test.method}: {tested.test.text}" if tested.test is not None else ""
        few = f"the first {MOST_GROUPS} of {len(tested.groups)} groups" if len(tested.groups) > MOST_GROUPS else ""
        remarks = ["number of units in brackets", test or f"no test: {tested.reason}", few]
    with styled():
        figure, axes = single(1.5 + 1.2 * ROW * len(groups))
        draw_boxes(axes, groups, names)
        highest = max(found.highest_possible, float(max(g.max() for g in groups)), 0.1)
        base = f"base {brief(found.base)} (0: all raters agree; diamond: mean)"
        axes.set(
            xlim=(-0.03 * found.highest_possible, 1.03 * highest), xlabel=f"entropy of a unit's judgements, {base}"
        )
        headline(figure, whole, *remarks)
    means = [float(group.mean()) for group in groups]
    said = f"Box plots: {whole}, for {counted(sum(map(len, groups)), 'unit')}. "
    if len(groups) <= 8:
        said += "Means: " + ", ".join(f"{name} {decimal(mean)}" for name, mean in zip(names, means, strict=True)) + "."
    else:
        low, high = (f"{decimal(means[k])} ({names[k]})" for k in (np.argmin(means), np.argmax(means)))
        said += f"Means run from {low} to {high}."
    return Picture(kind="entropy", title=whole, alternative=f"{said} {test}." if test else said, figure=figure)


def draw_heat(
    axes: "Axes",
    matrix: Floats,
    side: float,
    rows: Sequence[str],
    columns: Sequence[str],
    colours: "Colormap | str",
    ends: tuple[float, float],
    *,
    is_root: bool = False,
    number: Callable[[float], str] = thousands,
) -> "AxesImage":
    """The matrix with names of rows and columns in cells of so many inches, its colours between two ends.

    NaN cells stay empty. With `is_root` colours go by the square root, so that small counts beside large ones still
    show.
    """
    from matplotlib.colors import PowerNorm

    norm = PowerNorm(0.5 if is_root else 1, *ends)
    image = axes.imshow(matrix, cmap=colours, norm=norm, aspect="equal", interpolation="nearest")
    size = look.size_for(side)
    axes.set_xticks(range(len(columns)), shorten(columns), fontsize=size)
    axes.set_yticks(range(len(rows)), shorten(rows), fontsize=size)
    if label_room(columns) > side:
        axes.tick_params(axis="x", rotation=90)
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    if side >= LEAST_NUMBERED:
        filled = zip(*np.nonzero(~np.isnan(matrix) & (matrix != 0)), strict=True)  # the zeros of counts are left out
        texts = {(i, j): number(matrix[i, j]) for i, j in filled}
        longest = max((len(text) for text in texts.values()), default=1)
        size = float(np.clip(72 * side * 0.85 / (0.62 * longest), 4.5, 9))
        for (i, j), text in texts.items():
            rgba: Any = image.cmap(image.norm(matrix[i, j]))  # dark or light, as the colour wants
            axes.text(j, i, text, ha="center", va="center", fontsize=size, color=look.text_on(rgba[:3]))
    return image


def label_room(labels: Sequence[str]) -> float:
    """Inches that the longest label takes when it stands upright."""
    return LETTER * max((len(label) for label in shorten(labels)), default=0)


def refuse_continuous(scale: Scale, kind: str) -> None:
    """Pictures of categories need categories."""
    if scale.is_continuous:
        raise InputError(f"{kind} needs categories, and the scale is continuous", hint="draw distribution or scores")


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
    said = counts_in_words(table, data.scale.categories, "units", f"{first} (rows) against {second} (columns)")
    figure = _draw_counts(table, data.scale.categories, (first, second), title, "units that got both categories")
    return Picture(kind="contingency", title=title, alternative=said, figure=figure)


def coincidence(data: Judgements, title: str = "Coincidences of categories") -> Picture:
    """Any number of raters: how often two judgements of one unit were c and k, counted as Krippendorff does."""
    refuse_continuous(data.scale, "coincidence")
    table = unit_shares(data).coincidences()
    if not table.any():
        raise InputError("no unit was judged by two raters, so nothing coincides")
    said = counts_in_words(table, data.scale.categories, "pairable judgements", "coincidence matrix")
    figure = _draw_counts(table, data.scale.categories, ("", ""), title, "coincidences")
    return Picture(kind="coincidence", title=title, alternative=said, figure=figure)


@styled()
def _draw_counts(table: Floats, categories: Sequence[str], raters: tuple[str, str], title: str, what: str) -> "Figure":
    """The table as a heat map; its labels carry the totals."""
    shown = look.busiest(table.sum(axis=0) + table.sum(axis=1), look.MOST_CATEGORIES)
    n = len(shown)
    side = max(min(CELL, (WIDTH - 2.2) / n, 8.0 / n), 0.13)  # so that all of it stays within the page
    figure, axes = single(side * n + 2.0, width=max(4.2, side * n + 3.0))
    rows, columns = (
        [f"{short(categories[k], 18)} ({thousands(total[k])})" for k in shown]
        for total in (table.sum(axis=1), table.sum(axis=0))
    )
    number = partial(thousands, places=0 if np.allclose(table, np.round(table)) else 1)
    ends, chosen = (0.0, float(table.max(initial=1))), table[np.ix_(shown, shown)]
    image = draw_heat(axes, chosen, side, rows, columns, look.counts_map(), ends, is_root=True, number=number)
    axes.set(xlabel=short(raters[1]), ylabel=short(raters[0]))
    figure.colorbar(image, ax=axes, shrink=0.6, aspect=25, label=what)
    headline(figure, title, "totals in brackets", left_out(len(shown), len(table), "categories"))
    return figure


def counts_in_words(table: Floats, categories: Sequence[str], what: str, which: str) -> str:
    """The share on the diagonal and the most frequent confusion."""
    total, diagonal = float(table.sum()), float(np.trace(table))
    share = per_cent(diagonal / max(total, 1))
    said = f"Heat map, {which}: {thousands(total)} {what}, {share} on the diagonal (agreement)"
    off = table - np.diag(np.diag(table))
    if not off.any():
        return f"{said}; nothing off it."
    i, j = divmod(int(off.argmax()), off.shape[1])
    n = off[i, j]
    return (
        f"{said}. The largest cell off the diagonal is {short(categories[i])} with {short(categories[j])}: "
        f"{brief(n, is_large=True)} ({per_cent(n / total)})."
    )


def pairs(found: Consistency, title: str = "Agreement and correlation of rater pairs") -> Picture:
    """Two matrices of raters; where categories have no order there is only agreement."""
    if found.refused:
        raise InputError(f"rater pairs are not compared: {found.refused}")
    if not found.pairs:
        raise InputError("no two raters have a unit in common")
    raters = list(dict.fromkeys(name for pair in found.pairs for name in pair.raters))[: look.MOST_RATERS]
    place, panels = {name: i for i, name in enumerate(raters)}, []
    for is_agreement in (True, False):  # NaN where two raters have no value
        names: dict[str, None] = {}
        matrix = np.full((len(raters), len(raters)), np.nan)
        for pair in found.pairs:
            result = pair.agreement if is_agreement else pair.tau_b
            if result is not None and set(pair.raters) <= place.keys():
                names[result.name] = None
                i, j = (place[name] for name in pair.raters)
                matrix[i, j] = matrix[j, i] = np.nan if result.value is None else result.value
        panels += [(" / ".join(names), matrix)] if names else []
    with styled():
        # beside each other, or below each other when raters are many
        n, is_stacked = len(raters), len(raters) > 10 or len(panels) == 1
        side = min(0.62, (WIDTH - 2.4) / n if is_stacked else (WIDTH - 3.0) / (2 * n))
        figure = look.new_figure((side * n + 1.6) * (len(panels) if is_stacked else 1) + 0.5)
        shape = (len(panels), 1) if is_stacked else (1, len(panels))
        grid, two = figure.subplots(*shape, squeeze=False), partial(decimal, places=2)
        for axes, (name, matrix) in zip(grid.flat, panels, strict=True):
            image = draw_heat(axes, matrix, side, raters, raters, look.SIGNED, (-1, 1), number=two)
            axes.set_title(name, fontsize=9, loc="left")
        figure.colorbar(image, ax=list(grid.flat), shrink=0.6, aspect=30, label="value of the coefficient")
        left = f"the {len(found.pairs)} pairs with most common units" if found.n_pairs_left_out else ""
        headline(figure, title, left)
    said = " ".join(panel_in_words(*panel, raters) for panel in panels)
    return Picture(kind="pairs", title=title, alternative=said, figure=figure)


def panel_in_words(name: str, matrix: Floats, raters: list[str]) -> str:
    """Mean, lowest and highest pair."""
    upper = np.triu(~np.isnan(matrix), 1)
    if not upper.any():
        return f"{name} has no value for any of the rater pairs."
    values, places = matrix[upper], [(raters[i], raters[j]) for i, j in np.argwhere(upper)]
    if len(values) == 1:
        return f"{name} of {' and '.join(places[0])} is {decimal(values[0])}."
    low, high = (f"{decimal(values[k])} ({' and '.join(places[k])})" for k in (values.argmin(), values.argmax()))
    return f"{name} of {counted(len(values), 'rater pair')}: mean {decimal(values.mean())}, from {low} to {high}."
