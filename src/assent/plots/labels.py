"""Labels that fit: shortened in the middle, never over each other, and honest about what is left out."""

import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_RATERS = 60  # more are not drawn, and the picture says so
MOST_CATEGORIES = 60
LONGEST = 28


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


def busiest(totals: NDArray[np.float64], most: int) -> NDArray[np.intp]:
    """The places of the `most` largest totals, in their own order."""
    if len(totals) <= most:
        return np.arange(len(totals))
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


def size_for(n: int, room: float, largest: float = 8.5) -> float:
    """The font size at which n lines fit into `room` inches (a line takes 1.25 times its size)."""
    return float(np.clip(72 * room / max(n, 1) / 1.25, 4.0, largest))


def counted(n: int, what: str) -> str:
    """A number with its noun.

    >>> counted(1, "unit"), counted(1234, "category")
    ('1 unit', '1,234 categories')
    """
    if n == 1:
        return f"1 {what}"
    return f"{n:,} {what[:-1]}ies" if what.endswith("y") else f"{n:,} {what}s"
