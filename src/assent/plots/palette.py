"""All colours of all pictures: told apart by colour-blind readers, in print and on dark pages.

Categories without order use the eight colours of Okabe & Ito (2008) without black, so that they also show on a dark
page; ordered categories are steps of viridis; counts are shades of one hue; signed values run from orange to purple.
The colours of text, lines and background are single values, so that a page can replace them by its own.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.colors import Colormap

INK = "#1c2126"
FAINT = "#6a727c"
GRID = "#d5dae0"
PAPER = "#fefefe"
ACCENT = "#0072b2"
UNORDERED = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#b3a800", "#8c8c8c")
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
DARK_TEXT, LIGHT_TEXT = "#101418", "#ffffff"


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


def signed_map() -> "Colormap":
    """From orange (-1) over near white (0) to purple (1)."""
    from matplotlib import colormaps

    return colormaps["PuOr"]


def text_on(colour: str | tuple[float, float, float]) -> str:
    """Black or white, whichever is easier to read on the colour (relative luminance of WCAG 2).

    >>> text_on("#ffffff"), text_on("#08306b")
    ('#101418', '#ffffff')
    """
    from matplotlib.colors import to_rgb

    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in to_rgb(colour)]
    luminance = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    return DARK_TEXT if luminance > 0.179 else LIGHT_TEXT
