"""Coefficients with their intervals, one row each (a forest plot)."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from assent.errors import InputError
from assent.measures.result import Agreement
from assent.plots.labels import counted, headline, short
from assent.plots.palette import ACCENT, FAINT, GRID, INK
from assent.plots.picture import Picture, single, styled

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ROW = 0.27  # inches
MOST_ROWS = 120


def coefficients(results: Sequence[Agreement], title: str = "Coefficients with intervals") -> Picture:
    """A point and a line for each result; an undefined one says why in its place."""
    if not results:
        raise InputError("there is no coefficient to draw", hint="choose one with --measure KEY")
    shown = list(results[:MOST_ROWS])
    with styled():
        figure, axes = single(1.1 + ROW * (len(shown) + _n_groups(shown)))
        _draw(axes, shown)
        remark = "" if len(shown) == len(results) else f"the first {len(shown)} of {len(results):,}"
        headline(figure, title, _levels(shown), remark)
    return Picture(kind="coefficients", title=title, alternative=_said(shown), figure=figure)


def _group(result: Agreement) -> str:
    """The question and slice of a result, as the heading of its rows."""
    parts = [result.question or "", *(f"{name} = {level}" for name, level in (result.slice or {}).items())]
    return ", ".join(part for part in parts if part)


def _n_groups(results: Sequence[Agreement]) -> int:
    return len({_group(result) for result in results if _group(result)})


def _draw(axes: "Axes", results: Sequence[Agreement]) -> None:
    """Rows from top to bottom, a heading before each group."""
    places, labels, headings, y, last = [], [], [], 0, ""
    for result in results:
        if _group(result) != last:
            last = _group(result)
            headings.append(y)
            places.append(y)
            labels.append(short(last, 46))
            y += 1
        _row(axes, result, y)
        places.append(y)
        labels.append(short(result.name, 46))
        y += 1
    axes.set_yticks(places, labels)
    for i, place in enumerate(places):
        if place in headings:
            axes.get_yticklabels()[i].set_fontweight("bold")
    _limits(axes, results, y)


def _row(axes: "Axes", result: Agreement, y: int) -> None:
    """One coefficient."""
    if result.value is None:
        axes.text(
            0.01,
            y,
            f"undefined: {short(result.reason or '', 70)}",
            va="center",
            fontsize=7.5,
            color=FAINT,
            transform=axes.get_yaxis_transform(),
        )
        return
    if result.interval is not None:
        axes.plot(
            [result.interval.low, result.interval.high], [y, y], color=ACCENT, linewidth=2.2, solid_capstyle="butt"
        )
    axes.plot([result.value], [y], marker="o", markersize=5.5, color=ACCENT, markeredgecolor=INK, markeredgewidth=0.6)
    axes.text(1.01, y, f"{result.value:.3f}", va="center", fontsize=8, transform=axes.get_yaxis_transform())


def _limits(axes: "Axes", results: Sequence[Agreement], n_rows: int) -> None:
    """From the lowest end (0 at most) to 1, with lines at 0 and 1."""
    ends = [
        e
        for r in results
        if r.value is not None
        for e in ((r.value,) if r.interval is None else (r.value, r.interval.low, r.interval.high))
    ]
    axes.set_xlim(min([0.0, *ends]) - 0.03, max([1.0, *ends]) + 0.03)
    axes.set_ylim(n_rows - 0.4, -0.7)
    axes.grid(axis="x")
    for x in (0, 1):
        axes.axvline(x, color=GRID if x else FAINT, linewidth=1, zorder=0.5)
    axes.tick_params(axis="y", length=0)
    axes.spines["left"].set_visible(False)


def _levels(results: Sequence[Agreement]) -> str:
    """The confidence levels and methods of the intervals."""
    kinds = {f"{100 * r.interval.level:g} % intervals ({r.interval.method})" for r in results if r.interval is not None}
    return "; ".join(sorted(kinds)) if len(kinds) <= 2 else "intervals by several methods"


def _said(results: Sequence[Agreement]) -> str:
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
    ends = "" if result.interval is None else f" ({result.interval.low:.3f} to {result.interval.high:.3f})"
    return f"{result.name}{where} {float(result):.3f}{ends}"
