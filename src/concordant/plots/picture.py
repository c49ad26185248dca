"""A picture: a matplotlib figure with a title and a text alternative; its colours, its labels, how it becomes a file.

Every figure is made inside `styled()`, which sets fonts and colours and restores matplotlib's own settings afterwards.
The same data give the same file, byte for byte: no date, fixed identifiers.

Colours are told apart by colour-blind readers, in print and on dark pages: categories without order use the eight
colours of Okabe & Ito (2008) without black, so that they also show on a dark page; ordered categories are steps of
viridis; counts are shades of one hue; signed values run from orange to purple. The colours of text, lines and
background are single values, so that a page can replace them by its own. Labels fit: they are shortened in the middle,
never over each other, and honest about what is left out.
"""

import io
import textwrap
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from concordant.about import NAME
from concordant.arrays import Floats, Ints
from concordant.errors import InputError, MissingExtra, nearest
from concordant.files import written_whole

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.colors import Colormap
    from matplotlib.figure import Figure

ENDINGS = (".png", ".svg", ".pdf")
WIDTH = 7.2  # inches: the text width of a page
FONTS = ("DejaVu Sans", "Noto Sans", "Noto Sans CJK SC", "Noto Sans CJK JP", "Arial Unicode MS", "Microsoft YaHei")
INK = "#1c2126"
FAINT = "#6a727c"
GRID = "#d5dae0"
PAPER = "#fefefe"
ACCENT = "#0072b2"
UNORDERED = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#b3a800", "#8c8c8c")
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
DARK_TEXT, LIGHT_TEXT = "#101418", "#ffffff"
SIGNED = "PuOr"  # matplotlib's map from orange (-1) over near white (0) to purple (1)
MOST_RATERS = 60  # more are not drawn, and the picture says so
MOST_CATEGORIES = 60
LONGEST = 28


@dataclass(frozen=True, kw_only=True, eq=False)
class Picture:
    """A figure, its kind, its title, and one or two sentences that say what it shows, with the numbers."""

    kind: str
    title: str
    alternative: str
    figure: "Figure"

    @property
    def axes(self) -> "list[Axes]":
        """The axes of the figure, to be changed further."""
        return self.figure.axes

    def __repr__(self) -> str:
        """What it shows, in words."""
        return f"<{self.kind}: {self.alternative}>"

    def _repr_svg_(self) -> str:
        """The picture in a notebook."""
        return svg_text(self)


@contextmanager
def styled() -> Iterator[None]:
    """Our fonts and colours inside the block, matplotlib's settings as they were after it."""
    try:
        from matplotlib import rc_context
    except ImportError:
        raise MissingExtra("drawing", "plots") from None
    with rc_context(_style()), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing from font")  # the viewer's own fonts may have it
        yield


@cache
def _style() -> Any:
    """Settings of matplotlib; text stays text, and a $ in a label is a dollar. Fonts are those installed of ours."""
    from matplotlib.font_manager import fontManager

    installed = set(fontManager.get_font_names())
    return {
        "font.family": [font for font in FONTS if font in installed],
        **dict.fromkeys(("font.size", "axes.labelsize"), 9),
        **dict.fromkeys(("xtick.labelsize", "ytick.labelsize", "legend.fontsize"), 8.5),
        **dict.fromkeys(("text.color", "axes.labelcolor", "xtick.labelcolor", "ytick.labelcolor"), INK),
        **dict.fromkeys(("axes.edgecolor", "xtick.color", "ytick.color"), FAINT),
        **dict.fromkeys(("axes.spines.top", "axes.spines.right", "legend.frameon", "text.parse_math"), False),
        **dict.fromkeys(("axes.axisbelow", "axes.unicode_minus"), True),
        "axes.titlesize": 10,
        "axes.facecolor": "none",
        "grid.color": GRID,
        "grid.linewidth": 0.6,
        "figure.facecolor": PAPER,
        "svg.fonttype": "none",
        "svg.hashsalt": NAME,
        "pdf.fonttype": 42,
        "savefig.dpi": 200,
    }


def new_figure(height: float, *, width: float = WIDTH) -> "Figure":
    """An empty figure whose parts make room for each other."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(figure)
    return figure


def single(height: float, *, width: float = WIDTH) -> tuple["Figure", "Axes"]:
    """A figure with one pair of axes."""
    figure = new_figure(height, width=width)
    return figure, figure.add_subplot()


def check_ending(path: str | Path) -> None:
    """Refuse an ending that is no picture."""
    ending = Path(path).suffix.lower()
    if ending not in ENDINGS:
        raise InputError(
            f"a picture ends in {', '.join(ENDINGS)}, not {ending!r}", file=path, hint=nearest(ending, ENDINGS)
        )


def save(picture: Picture, path: str | Path) -> None:
    """Write the picture as PNG, SVG or PDF, by the ending."""
    check_ending(path)
    with written_whole(path) as beside:
        _write(picture, beside, Path(path).suffix.lower()[1:])


def svg_text(picture: Picture) -> str:
    """The picture as the text of an SVG file."""
    buffer = io.StringIO()
    _write(picture, buffer, "svg", transparent=True)
    return buffer.getvalue()


def _write(picture: Picture, goal: Any, ending: str, **how: Any) -> None:
    """Title and text alternative inside the file; no date, so that the same data give the same file."""
    undated = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}.get(ending, {})
    said = {"Title": picture.title, "Subject" if ending == "pdf" else "Description": picture.alternative}
    with styled():
        picture.figure.savefig(goal, format=ending, metadata=undated | said, **how)


def colours(n: int, *, is_ordered: bool) -> list[str]:
    """One colour for each of n categories: steps of one ramp if they are ordered."""
    if is_ordered and n > 2:
        from matplotlib import colormaps
        from matplotlib.colors import to_hex

        ramp = colormaps["viridis"]
        return [to_hex(ramp(0.12 + 0.83 * i / (n - 1))) for i in range(n)]
    return [UNORDERED[i % len(UNORDERED)] for i in range(n)]


def counts_map() -> "Colormap":
    """From the colour of paper (nothing) to dark blue."""
    from matplotlib.colors import LinearSegmentedColormap

    return LinearSegmentedColormap.from_list("counts", ["#f3f7fb", "#9ecae1", "#3182bd", "#08306b"])


def text_on(colour: str | tuple[float, float, float]) -> str:
    """Black or white, whichever is easier to read on the colour (relative luminance of WCAG 2).

    >>> text_on("#ffffff"), text_on("#08306b")
    ('#101418', '#ffffff')
    """
    from matplotlib.colors import to_rgb

    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in to_rgb(colour)]
    luminance = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    return DARK_TEXT if luminance > 0.179 else LIGHT_TEXT


def short(label: str, longest: int = LONGEST) -> str:
    """A label on one line; a long one loses its middle, since beginnings and ends tell labels apart.

    >>> short("strongly agree"), short("the response answers the question that was asked", 21)
    ('strongly agree', 'the respons…was asked')
    """
    line = " ".join(label.split())
    if len(line) <= longest:
        return line
    head = (longest + 1) // 2
    return f"{line[:head]}…{line[len(line) - (longest - 1 - head) :]}"


def shorten(labels: Sequence[str], longest: int = LONGEST) -> list[str]:
    """Shortened labels that stay distinct: those that would look alike get a number."""
    texts = [short(label, longest) for label in labels]
    seen: dict[str, int] = {}
    for i, text in enumerate(texts):
        seen[text] = seen.get(text, 0) + 1
        if seen[text] > 1:
            texts[i] = f"{short(labels[i], longest - 3)} {seen[text]}"
    return texts


def busiest(totals: Floats, most: int) -> Ints:
    """The places of the `most` largest totals, in their own order."""
    return np.sort(np.argsort(-totals, kind="stable")[:most])


def left_out(n_shown: int, n_all: int, what: str) -> str:
    """A remark on what is not drawn; empty if everything is.

    >>> left_out(60, 322, "raters")
    'the 60 busiest of 322 raters'
    """
    return "" if n_shown >= n_all else f"the {n_shown} busiest of {n_all:,} {what}"


def headline(figure: "Figure", title: str, *remarks: str) -> None:
    """The title, and below it what the reader must know, folded to the figure's width."""
    per_line = int(figure.get_figwidth() * 13)
    said = "; ".join(remark for remark in remarks if remark)
    lines = [*textwrap.wrap(title, per_line), *textwrap.wrap(said, per_line)]
    figure.suptitle("\n".join(lines), x=0.012, ha="left", fontsize=9.5)


def size_for(room: float) -> float:
    """The font size at which a line fits into `room` inches (it takes 1.25 times its size)."""
    return float(np.clip(72 * room / 1.25, 4.0, 8.5))
