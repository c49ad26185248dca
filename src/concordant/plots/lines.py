"""Pictures made of lines: scores unit by unit, coefficients with their intervals, the spans of a text.

Lines of scores are shifted a little so that none hides another. Those that run in parallel but apart belong to raters
who differ in level and agree in order: the picture behind "agreement is low, correlation is high" (Amidei et al. 2019,
figures 1 and 2).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any

import numpy as np

from concordant.arrays import Floats, Ints
from concordant.diagnosis.association import limits_of_agreement, scores_of
from concordant.digits import counted, decimal, ends, level
from concordant.engines.tally import Tally
from concordant.errors import InputError
from concordant.measures.result import Agreement
from concordant.model.continuum import Continuum
from concordant.model.judgements import Judgements
from concordant.plots import picture as look
from concordant.plots.picture import Picture, headline, new_figure, short, shorten, single, styled
from concordant.uncertainty.aligned import AlignedText
from concordant.uncertainty.decision import DecisionStudy

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

IN_ORDER = 20  # so many units are shown as they come; more are ordered by their mean score
MOST_UNITS = 60  # with still more, units evenly spaced in that order stand for all
MOST_LINES = 8  # with more raters, each gets a panel of their own
MOST_PANELS = 40
MOST_ROWS = 120  # of coefficients
LONG = 9.0  # inches: a text is longer than a table is wide
MOST_TEXTS = 8  # alignments below each other in one picture
MOST_NAMED = 20  # more categories than this get no legend: nobody can tell the colours apart
HATCHES = ("", "////", "....")  # tell categories apart once the colours are used up


@dataclass(frozen=True, kw_only=True, eq=False)
class Lines:
    """Scores of the units shown (rows) by rater (columns), NaN where there is none; `remarks` say what is not shown."""

    scores: Floats
    units: list[str]
    raters: list[str]
    n_units: int
    remarks: tuple[str, str]


def scores(data: Judgements, title: str = "Scores by unit and rater") -> Picture:
    """One line per rater, or one panel per rater when there are many."""
    if not (data.scale.level.is_ordered or len(data.scale.categories) == 2):
        raise InputError(
            f"score lines need values in an order, and these are {data.scale.level.value}",
            hint="give --level ordinal with --categories in order, or draw distribution",
        )
    rows = data.rows()
    points = rows.value if data.scale.is_continuous else data.scale.positions()[rows.value]
    n = np.bincount(rows.unit, minlength=data.n_units)
    judged = np.nonzero(n > 1 if (n > 1).any() else n)[0]
    if not len(judged):
        raise InputError("there are no judgements to draw")
    mean = np.bincount(rows.unit, weights=points, minlength=data.n_units)[judged] / n[judged]
    units = judged if len(judged) <= IN_ORDER else judged[np.argsort(mean, kind="stable")]
    few = ""
    if len(units) > MOST_UNITS:  # evenly spaced, both ends included
        units = units[np.round(np.linspace(0, len(units) - 1, MOST_UNITS)).astype(np.intp)]
        few = f"{len(units)} of {len(judged):,} units, evenly spaced in order of mean score"
    per_rater = np.bincount(rows.rater, minlength=data.n_raters).astype(np.float64)
    who = look.busiest(per_rater, MOST_PANELS)
    row, column = np.full(data.n_units, -1), np.full(data.n_raters, -1)
    row[units], column[who] = np.arange(len(units)), np.arange(len(who))
    keep = (row[rows.unit] >= 0) & (column[rows.rater] >= 0)
    matrix = np.full((len(units), len(who)), np.nan)
    matrix[row[rows.unit[keep]], column[rows.rater[keep]]] = points[keep]
    lines = Lines(
        scores=matrix,
        units=[str(u + 1) if data.unit_names is None else data.unit_names[int(u)] for u in units],
        raters=[data.raters[r] for r in who],
        n_units=len(judged),
        remarks=(few, look.left_out(len(who), int((per_rater > 0).sum()), "raters")),
    )
    with styled():
        figure = (_together if len(who) <= MOST_LINES else _panels)(data, lines, title)
    return Picture(kind="scores", title=title, alternative=scores_in_words(lines), figure=figure)


def _together(data: Judgements, lines: Lines, title: str) -> "Figure":
    """All raters in one picture, each shifted by a fraction of a step."""
    figure, axes = single(3.9)
    shifts = np.zeros(len(lines.raters))
    if not data.scale.is_continuous and len(lines.raters) > 1:  # together at most half the smallest step of the scale
        step = np.diff(np.unique(data.scale.positions()))
        shifts = np.linspace(-0.25, 0.25, len(lines.raters)) * float(step.min(initial=1.0))
    names = shorten(lines.raters)
    for r, name in enumerate(names):
        own: Any = {"color": look.UNORDERED[r], "marker": look.MARKERS[r], "label": name}
        axes.plot(lines.scores[:, r] + shifts[r], markersize=3.5, linewidth=1.2, alpha=0.9, **own)
    if not data.scale.is_continuous and len(data.scale.categories) <= 20:
        axes.set_yticks(data.scale.positions(), [short(c, 16) for c in data.scale.categories])
    axes.grid(axis="y")
    units = shorten(lines.units, 16)
    if len(units) > 40 or len(units) != lines.n_units:
        axes.set_xticks([])
    else:
        upright = max(len(name) for name in units) * 0.085 > (look.WIDTH - 1) / len(units)
        axes.set_xticks(range(len(units)), units, rotation=90 if upright else 0)
    axes.set_xlabel("unit" if lines.n_units <= IN_ORDER else "units from the lowest to the highest mean score")
    headline(figure, title, *lines.remarks, "lines are shifted apart" if shifts.any() else "")
    fitting = int(95 / (max(map(len, names)) + 6))
    figure.legend(loc="outside lower center", ncols=max(1, min(len(names), fitting)))
    return figure


def _panels(data: Judgements, lines: Lines, title: str) -> "Figure":
    """A panel per rater, with the median of all raters in grey."""
    across = 5 if len(lines.raters) > 12 else 4
    down = -(-len(lines.raters) // across)
    figure = new_figure(0.9 + 1.05 * down)
    grid = figure.subplots(down, across, sharex=True, sharey=True, squeeze=False)
    filled = ~np.isnan(lines.scores).all(axis=1)
    middle = np.full(len(lines.scores), np.nan)
    middle[filled] = np.nanmedian(lines.scores[filled], axis=1)
    for axes, name, line in zip(grid.flat, shorten(lines.raters, 18), lines.scores.T, strict=False):
        axes.plot(middle, color=look.GRID, linewidth=2.6)
        axes.plot(line, color=look.ACCENT, linewidth=1.1, marker=".", markersize=3)
        axes.set_title(name, fontsize=7.5, pad=2)
        axes.set_xticks([])
        axes.tick_params(labelsize=6.5)
        if not data.scale.is_continuous:  # a small panel has room for the ends and the middle of the scale
            places = data.scale.positions()
            shown = sorted({0, len(places) // 2, len(places) - 1}) if len(places) > 4 else range(len(places))
            axes.set_yticks([places[i] for i in shown], [short(data.scale.categories[i], 10) for i in shown])
    for axes in grid.flat[len(lines.raters) :]:
        axes.set_visible(False)
    headline(figure, title, *lines.remarks, "grey: median of all raters")
    return figure


def scores_in_words(lines: Lines) -> str:
    """Who scores highest and lowest on average over the units shown."""
    filled = ~np.isnan(lines.scores)
    means = np.nansum(lines.scores, axis=0) / np.maximum(filled.sum(axis=0), 1)
    low, high = int(means.argmin()), int(means.argmax())
    which = "; ".join(remark for remark in lines.remarks if remark)
    said = f"Lines of the scores that {counted(len(lines.raters), 'rater')} gave {counted(len(lines.units), 'unit')}"
    said += f" ({which})" if which else ""
    if len(lines.raters) < 2:
        return f"{said}; the mean is {decimal(means[0], 2)}."
    spread = np.nanmax(lines.scores, axis=1, initial=-np.inf) - np.nanmin(lines.scores, axis=1, initial=np.inf)
    alike = int(((spread == 0) & (filled.sum(axis=1) > 1)).sum())
    return (
        f"{said}. On average {lines.raters[high]} scored highest ({decimal(means[high], 2)}) and {lines.raters[low]} "
        f"lowest ({decimal(means[low], 2)}); the raters gave one and the same score to {counted(alike, 'unit')} of "
        "those shown."
    )


def coefficients(results: Sequence[Agreement], title: str = "Coefficients with intervals") -> Picture:
    """A point and a line for each result; an undefined one says why in its place."""
    if not results:
        raise InputError("there is no coefficient to draw", hint="choose one with --measure KEY")
    shown = list(results[:MOST_ROWS])
    with styled():
        figure, axes = single(1.1 + 0.27 * (len(shown) + len({_group(result) for result in shown} - {""})))
        _draw(axes, shown)
        remark = "" if len(shown) == len(results) else f"the first {len(shown)} of {len(results):,}"
        found = [result.interval for result in shown if result.interval is not None]
        kinds = {f"{level(interval.level)} intervals ({interval.method})" for interval in found}
        how = "; ".join(sorted(kinds)) if len(kinds) <= 2 else "intervals by several methods"
        headline(figure, title, how, remark)
    return Picture(kind="coefficients", title=title, alternative=coefficients_in_words(shown), figure=figure)


def _group(result: Agreement) -> str:
    """The question and slice of a result, as the heading of its rows."""
    parts = [result.question or "", *(f"{name} = {level}" for name, level in (result.slice or {}).items())]
    return ", ".join(part for part in parts if part)


def _draw(axes: "Axes", results: Sequence[Agreement]) -> None:
    """Rows from top to bottom, a heading before each group."""
    rows: list[tuple[str, Agreement | None]] = []
    for group, own in groupby(results, key=_group):
        rows += [(group, None)] if group or rows else []
        rows += [(result.name, result) for result in own]
    reached, beside = [0.0, 1.0], axes.get_yaxis_transform()
    for y, (_, result) in enumerate(rows):
        if result is not None and result.value is None:
            why = f"undefined: {short(result.reason or '', 70)}"
            axes.text(0.01, y, why, va="center", fontsize=7.5, color=look.FAINT, transform=beside)
        elif result is not None and result.value is not None:
            if result.interval is not None:
                reached += [result.interval.low, result.interval.high]
                axes.plot(reached[-2:], [y, y], color=look.ACCENT, linewidth=2.2, solid_capstyle="butt")
            reached.append(result.value)
            axes.plot(result.value, y, marker="o", markersize=5.5, color=look.ACCENT, mec=look.INK, mew=0.6)
            axes.text(1.01, y, decimal(result.value), va="center", fontsize=8, transform=beside)
    axes.set_yticks(range(len(rows)), [short(label, 46) for label, _ in rows])
    for tick, (_, result) in zip(axes.get_yticklabels(), rows, strict=True):
        tick.set_fontweight("bold" if result is None else "normal")
    axes.set(xlim=(min(reached) - 0.03, max(reached) + 0.03), ylim=(len(rows) - 0.4, -0.7))
    axes.grid(axis="x")
    for x in (0, 1):
        axes.axvline(x, color=look.GRID if x else look.FAINT, linewidth=1, zorder=0.5)
    axes.tick_params(axis="y", length=0)
    axes.spines["left"].set_visible(False)


def coefficients_in_words(results: Sequence[Agreement]) -> str:
    """Each value with its interval; of many, the lowest and the highest."""
    defined = [r for r in results if r.value is not None]
    undefined = len(results) - len(defined)
    tail = f" {counted(undefined, 'coefficient')} undefined." if undefined else ""
    if not defined:
        return f"No coefficient has a value.{tail}"
    if len(defined) <= 8:
        return "Coefficients with intervals: " + "; ".join(_one(r) for r in defined) + "." + tail
    low, high = (pick(defined, key=float) for pick in (min, max))
    return f"{len(defined)} coefficients with intervals, from {_one(low)} to {_one(high)}.{tail}"


def _one(result: Agreement) -> str:
    """A coefficient in words."""
    where = f", {_group(result)}" if _group(result) else ""
    between = f" ({ends(result.interval, ' to ')})" if result.interval else ""
    return f"{result.name}{where} {decimal(float(result))}{between}"


def differences(data: Tally, title: str = "Differences against means") -> Picture:
    """Bland & Altman's picture of two raters: what they differ by, against the mean of both, with the limits."""
    n, level_here = len(data.used_raters), data.scale.level
    if n != 2:
        raise InputError(f"this picture compares two raters, and there are {n}", hint="choose two: --raters A,B")
    if not level_here.is_ordered:
        raise InputError(f"differences need numbers, and these are {level_here.value}", hint="say --level interval")
    both = scores_of(data)
    found, (first, second) = limits_of_agreement(both), data.used_raters
    with styled():
        figure, axes = single(3.9)
        sizes = 14 + 60 * np.sqrt(both.weights / both.weights.max()) * (both.weights.max() > 1)
        axes.scatter((both.first + both.second) / 2, both.second - both.first, s=sizes, color=look.ACCENT, alpha=0.6)
        for value, about in ((found.low, found.low_interval), (found.mean, None), (found.high, found.high_interval)):
            axes.axhline(value, color=look.INK, linewidth=1.2, linestyle="--" if about else "-")
            axes.text(1.01, value, decimal(value), va="center", fontsize=8, transform=axes.get_yaxis_transform())
            if about is not None:
                axes.axhspan(about.low, about.high, color=look.FAINT, alpha=0.15, linewidth=0)
        axes.set(xlabel=f"mean of {short(first, 20)} and {short(second, 20)}", ylabel=short(f"{second} - {first}", 44))
        headline(figure, title, "dashed: limits of agreement, 95 % of differences if normal", f"n = {found.n:,} units")
    words = (
        f"{second} less {first}: mean difference {decimal(found.mean)}, standard deviation {decimal(found.deviation)}; "
        f"limits of agreement {decimal(found.low)} ({ends(found.low_interval, ' to ')}) and {decimal(found.high)} "
        f"({ends(found.high_interval, ' to ')}), {counted(found.n, 'unit')}."
    )
    return Picture(kind="bland-altman", title=title, alternative=words, figure=figure)


def decision(found: DecisionStudy, title: str = "Reliability by number of raters") -> Picture:
    """A curve over the number of raters, with a band for each number of units, and the goal."""
    sizes = sorted({row.units for row in found.rows})
    with styled():
        figure, axes = single(3.9)
        for i, size in enumerate(sizes):
            rows = [row for row in found.rows if row.units == size]
            own: Any = {"color": look.UNORDERED[i % len(look.UNORDERED)]}
            across = [row.raters for row in rows if row.low is not None]
            low, high = ([e for row in rows if (e := getattr(row, name)) is not None] for name in ("low", "high"))
            axes.plot(across, low, linewidth=1.2, linestyle="--", label=f"{size:,} units", **own)
            axes.plot(across, high, linewidth=1.2, linestyle="--", **own)
            axes.fill_between(across, low, high, alpha=0.08, linewidth=0, **own)
        first = [row for row in found.rows if row.units == sizes[0]]
        axes.plot([row.raters for row in first], [row.reliability for row in first], color=look.INK, marker="o")
        axes.axhline(found.goal, color=look.FAINT, linewidth=1)
        axes.set(xlabel="raters per unit", ylabel=found.name.lower(), ylim=(0, 1.02))
        axes.set_xticks([row.raters for row in first])
        axes.grid(axis="y")
        headline(figure, title, f"dashed: {level(found.confidence)} intervals", f"goal {found.goal:g}")
        figure.legend(loc="outside lower center", ncols=len(sizes))
    best = f" Cheapest: {found.cheapest.raters} raters for {found.cheapest.units:,} units." if found.cheapest else ""
    return Picture(kind="decision", title=title, alternative=f"{found.verdict}{best}", figure=figure)


def alignment(continuum: Continuum, rows: Ints, *, title: str = "") -> Picture:
    """The timeline as a picture with a text alternative."""
    marked = ", ".join(f"{name} {n}" for name, n in zip(continuum.raters, continuum.sizes.tolist(), strict=True))
    together = int(((rows >= 0).sum(axis=1) > 1).sum())
    return Picture(
        kind="alignment",
        title=f"Best alignment: {title or continuum.name}",
        alternative=f"{counted(continuum.n_units, 'span')} of {counted(continuum.n_raters, 'rater')} ({marked}); the "
        f"best alignment puts spans together in {counted(together, 'group')} and leaves "
        f"{counted(len(rows) - together, 'span')} alone.",
        figure=timeline(continuum, rows, title=title),
    )


@styled()
def timeline(continuum: Continuum, rows: Ints, *, title: str = "") -> "Figure":
    """Draw a continuum with its alignment: `rows` as `Alignment.rows()` gives them."""
    figure, axes = single(height_of(continuum), width=LONG)
    draw_timeline(axes, continuum, rows, title)
    return figure


def height_of(continuum: Continuum) -> float:
    """How high a row for each rater is, with what stands around them."""
    return 1.6 + 0.7 * continuum.n_raters


def draw_timeline(axes: "Axes", continuum: Continuum, rows: Ints, title: str) -> None:
    """A row for each rater with their spans, and lines between those that belong together."""
    from matplotlib.collections import LineCollection
    from matplotlib.patches import Patch

    lanes, n_lanes = _lanes(continuum)
    height = 0.6 / n_lanes[continuum.rater]
    centre = continuum.rater + (lanes - (n_lanes[continuum.rater] - 1) / 2) * height
    colours = look.colours(len(continuum.categories), is_ordered=False)
    hatches = [HATCHES[i // len(look.UNORDERED) % len(HATCHES)] for i in range(len(colours))]
    axes.barh(
        centre,
        continuum.end - continuum.begin,
        height=0.9 * height,
        left=continuum.begin,
        color=[colours[category] for category in continuum.category],
        hatch=[hatches[category] for category in continuum.category],
        edgecolor=look.INK,
        linewidth=0.4,
        zorder=2,
    )
    middle = (continuum.begin + continuum.end) / 2
    chains = [row[row >= 0] for row in rows if (row >= 0).sum() > 1]
    lines = [np.stack([middle[chain], centre[chain]], axis=1) for chain in chains]
    axes.add_collection(LineCollection(lines, colors=look.FAINT, linewidths=0.9, zorder=3))
    axes.set_yticks(range(continuum.n_raters), continuum.raters)
    low, high = continuum.bounds
    margin = 0.01 * (high - low)  # so that the edges of the first and the last span show
    axes.set(xlim=(low - margin, high + margin), ylim=(continuum.n_raters - 0.5, -0.5), xlabel="position")
    axes.set_title(title or continuum.name)
    axes.spines["left"].set_visible(False)
    axes.tick_params(axis="y", length=0)
    present = np.unique(continuum.category)
    if len(present) <= MOST_NAMED:
        names = [continuum.categories[c] or "(no category)" for c in present]
        looks = zip(present, names, strict=True)
        patches = [Patch(facecolor=colours[c], hatch=hatches[c], label=name) for c, name in looks]
        axes.legend(handles=patches, loc="center left", bbox_to_anchor=(1.0, 0.5), frameon=False, fontsize="small")


def _lanes(continuum: Continuum) -> tuple[Ints, Ints]:
    """A lane for every span, so that those of one rater that overlap lie side by side; and each rater's lanes."""
    lane = np.zeros(continuum.n_units, dtype=np.int64)
    n_lanes = np.ones(continuum.n_raters, dtype=np.int64)
    for rater in range(continuum.n_raters):
        free: list[float] = []
        for unit in np.flatnonzero(continuum.rater == rater):
            chosen = next((i for i, end in enumerate(free) if end <= continuum.begin[unit]), len(free))
            free[chosen : chosen + 1] = [float(continuum.end[unit])]
            lane[unit] = chosen
        n_lanes[rater] = max(1, len(free))
    return lane, n_lanes


def drawn_alignments(found: Sequence[AlignedText]) -> Picture:
    """Texts, or groups of raters of one text, each with its best alignment, below each other in one picture."""
    each = [
        (one.text, one.alignment.rows(), one.title + ("" if one.is_proven else " (not proven the best alignment)"))
        for one in found
    ]
    if len(each) == 1:
        [(text, rows, title)] = each
        return alignment(text, rows, title=title)
    if len(each) > MOST_TEXTS:
        hint = "choose a text with --where text=NAME"
        raise InputError(f"a picture shows {MOST_TEXTS} alignments, and {len(each)} were made", hint=hint)
    said = [f"{title}: {alignment(text, rows, title=title).alternative}" for text, rows, title in each]
    title = f"Best alignments: {', '.join(name for _, _, name in each)}"
    return Picture(kind="alignment", title=title, alternative=" ".join(said), figure=timelines(each))


@styled()
def timelines(each: Sequence[tuple[Continuum, Ints, str]]) -> "Figure":
    """Several continua, each as high as its raters need."""
    heights = [height_of(text) for text, _, _ in each]
    figure = new_figure(sum(heights), width=LONG)
    panels = figure.subplots(len(each), 1, squeeze=False, height_ratios=heights)
    for axes, (text, rows, title) in zip(panels[:, 0], each, strict=True):
        draw_timeline(axes, text, rows, title)
    return figure
