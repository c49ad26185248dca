"""A picture of a continuum: raters as rows, spans coloured by category, lines for the best alignment."""

from typing import TYPE_CHECKING, Any

import numpy as np

from assent.arrays import Ints
from assent.model.continuum import Continuum
from assent.plots import palette
from assent.plots.labels import counted
from assent.plots.picture import Picture, single, styled

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WIDTH = 9.0  # inches: a text is longer than a table is wide
MOST_NAMED = 20
"""More categories than this get no legend: nobody can tell the colours apart."""
MARGIN = 0.01
"""Of the text's length, at both ends, so that the edges of the first and the last span show."""
HATCHES = ("", "////", "....")
"""Told apart by hatching once the colours are used up."""
ROW = 1.0
"""The height of a rater's row; spans that overlap share it."""


def alignment(continuum: Continuum, rows: Ints, *, title: str = "") -> Picture:
    """The timeline as a picture with a text alternative."""
    with styled():
        figure = timeline(continuum, rows, title=title)
    return Picture(
        kind="alignment",
        title=f"Best alignment: {title or continuum.name}",
        alternative=_in_words(continuum, rows),
        figure=figure,
    )


def _in_words(continuum: Continuum, rows: Ints) -> str:
    """Who marked how much, and how much of it was aligned."""
    marked = ", ".join(f"{name} {n}" for name, n in zip(continuum.raters, continuum.sizes.tolist(), strict=True))
    together = int(((rows >= 0).sum(axis=1) > 1).sum())
    alone = len(rows) - together
    return (
        f"{counted(continuum.n_units, 'span')} of {counted(continuum.n_raters, 'rater')} ({marked}); the best "
        f"alignment puts spans together in {counted(together, 'group')} and leaves {counted(alone, 'span')} alone."
    )


def timeline(continuum: Continuum, rows: Ints, *, title: str = "") -> "Figure":
    """Draw a continuum with its alignment: `rows` as `Alignment.rows()` gives them."""
    figure, axes = single(1.6 + 0.7 * continuum.n_raters, width=WIDTH)
    lanes, n_lanes = _lanes(continuum)
    centre = _draw_spans(axes, continuum, lanes, n_lanes)
    _draw_links(axes, continuum, rows, centre)
    axes.set_yticks(np.arange(continuum.n_raters) * ROW, continuum.raters)
    axes.set_ylim(continuum.n_raters * ROW - 0.5, -0.5)
    low, high = continuum.bounds
    axes.set_xlim(low - MARGIN * (high - low), high + MARGIN * (high - low))
    axes.set_xlabel("position")
    axes.set_title(title or continuum.name)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    axes.tick_params(axis="y", length=0)
    _legend(axes, continuum)
    return figure


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


def _looks(n: int) -> list[tuple[str, str]]:
    """The colour and the hatching of each of n categories."""
    colours = palette.colours(n, is_ordered=False)
    return [(colour, HATCHES[i // len(palette.UNORDERED) % len(HATCHES)]) for i, colour in enumerate(colours)]


def _draw_spans(axes: "Axes", continuum: Continuum, lanes: Ints, n_lanes: Ints) -> Any:
    """Bars for all spans; the y of each bar's middle is returned."""
    height = 0.6 * ROW / n_lanes[continuum.rater]
    centre = continuum.rater * ROW + (lanes - (n_lanes[continuum.rater] - 1) / 2) * height
    looks = _looks(len(continuum.categories))
    axes.barh(
        centre,
        continuum.end - continuum.begin,
        height=0.9 * height,
        left=continuum.begin,
        color=[looks[category][0] for category in continuum.category],
        hatch=[looks[category][1] for category in continuum.category],
        edgecolor=palette.INK,
        linewidth=0.4,
        zorder=2,
    )
    return centre


def _draw_links(axes: "Axes", continuum: Continuum, rows: Ints, centre: Any) -> None:
    """A line through the middles of the units of every unitary alignment."""
    from matplotlib.collections import LineCollection

    middle = (continuum.begin + continuum.end) / 2
    chains = [row[row >= 0] for row in rows if (row >= 0).sum() > 1]
    lines = [np.stack([middle[chain], centre[chain]], axis=1) for chain in chains]
    axes.add_collection(LineCollection(lines, colors=palette.FAINT, linewidths=0.9, zorder=3))


def _legend(axes: "Axes", continuum: Continuum) -> None:
    """The categories that occur and their colours."""
    from matplotlib.patches import Patch

    present = np.unique(continuum.category)
    if len(present) > MOST_NAMED:
        return
    looks = _looks(len(continuum.categories))
    patches = [
        Patch(facecolor=looks[c][0], hatch=looks[c][1], label=continuum.categories[c] or "(no category)")
        for c in present
    ]
    axes.legend(handles=patches, loc="center left", bbox_to_anchor=(1.0, 0.5), frameon=False, fontsize="small")
