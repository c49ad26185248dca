"""A picture: a matplotlib figure with a title and a text alternative, and how it becomes a file.

Every figure is made inside `styled()`, which sets fonts and colours and restores matplotlib's own settings afterwards.
The same data give the same file, byte for byte: no date, fixed identifiers.
"""

import io
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assent.errors import InputError, MissingExtra, nearest
from assent.files import written_whole
from assent.plots.palette import FAINT, GRID, INK, PAPER

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

ENDINGS = (".png", ".svg", ".pdf")
WIDTH = 7.2  # inches: the text width of a page
FONTS = ("DejaVu Sans", "Noto Sans", "Noto Sans CJK SC", "Noto Sans CJK JP", "Arial Unicode MS", "Microsoft YaHei")


@dataclass(frozen=True, kw_only=True, eq=False)
class Picture:
    """A figure, its kind, its title, and one or two sentences that say what it shows, with the numbers."""

    kind: str
    title: str
    alternative: str
    figure: "Figure"


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
    """Settings of matplotlib; text stays text, and a $ in a label is a dollar."""
    return {
        "font.family": _fonts(),
        "font.size": 9,
        "axes.titlesize": 10,
        "axes.labelsize": 9,
        "xtick.labelsize": 8.5,
        "ytick.labelsize": 8.5,
        "legend.fontsize": 8.5,
        "legend.frameon": False,
        "text.color": INK,
        "axes.labelcolor": INK,
        "axes.edgecolor": FAINT,
        "axes.facecolor": "none",
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.axisbelow": True,
        "grid.color": GRID,
        "grid.linewidth": 0.6,
        "xtick.color": FAINT,
        "ytick.color": FAINT,
        "xtick.labelcolor": INK,
        "ytick.labelcolor": INK,
        "figure.facecolor": PAPER,
        "text.parse_math": False,
        "axes.unicode_minus": True,
        "svg.fonttype": "none",
        "svg.hashsalt": "assent",
        "pdf.fonttype": 42,
        "savefig.dpi": 200,
    }


def _fonts() -> list[str]:
    """Those of our fonts that are installed; DejaVu Sans comes with matplotlib."""
    from matplotlib.font_manager import fontManager

    installed = set(fontManager.get_font_names())
    return [font for font in FONTS if font in installed]


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
    ending = Path(path).suffix.lower()[1:]
    with written_whole(path) as beside, styled():
        picture.figure.savefig(beside, format=ending, metadata=_metadata(picture, ending))


def _metadata(picture: Picture, ending: str) -> dict[str, Any]:
    """Title and text alternative inside the file; no date, so that the same data give the same file."""
    if ending == "svg":
        return {"Date": None, "Title": picture.title, "Description": picture.alternative}
    if ending == "pdf":
        return {"CreationDate": None, "Title": picture.title, "Subject": picture.alternative}
    return {"Title": picture.title, "Description": picture.alternative}


def svg_text(picture: Picture) -> str:
    """The picture as the text of an SVG file."""
    buffer = io.StringIO()
    with styled():
        picture.figure.savefig(buffer, format="svg", metadata=_metadata(picture, "svg"), transparent=True)
    return buffer.getvalue()
