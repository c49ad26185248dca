"""How values look in a notebook: small tables in HTML, an interval as a bar. No text reaches the page unescaped."""

from collections.abc import Iterable, Sequence
from html import escape

CELL = "padding:.2em .7em;border:0;border-bottom:1px solid #8884;vertical-align:baseline"
WIDTH, HEIGHT = 120, 12


class Html(str):
    """A cell that is HTML already."""


def table(headers: Sequence[str], rows: Iterable[Sequence[object]], *, notes: Iterable[str] = ()) -> str:
    """A table with its notes below; numbers to the right.

    >>> "<td style" in table(["a"], [["<b>"]]), "&lt;b&gt;" in table(["a"], [["<b>"]])
    (True, True)
    """
    head = "".join(f'<th style="{CELL};text-align:left">{escape(name)}</th>' for name in headers)
    body = "".join(f"<tr>{''.join(map(_cell, row))}</tr>" for row in rows)
    below = "".join(f'<p style="margin:.2em 0;font-size:90%">{escape(note)}</p>' for note in notes)
    return f'<table style="border-collapse:collapse"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{below}'


def _cell(value: object) -> str:
    side = "right" if isinstance(value, int | float) else "left"
    shown = f"{value:,}" if isinstance(value, int) else f"{value:.3f}" if isinstance(value, float) else value
    inside = shown if isinstance(value, Html) else escape("–" if value is None else str(shown))
    return f'<td style="{CELL};text-align:{side}">{inside}</td>'


def interval_bar(value: float, ends: tuple[float, float] | None, axis: tuple[float, float]) -> Html:
    """A value as a dot on a line from one end of its interval to the other, on an axis shared by the whole table."""
    low, high = axis

    def at(number: float) -> float:
        return round(4 + (WIDTH - 8) * (number - low) / (high - low), 1)

    said = f"{value:.3f}" if ends is None else f"{value:.3f}, interval {ends[0]:.3f} to {ends[1]:.3f}"
    shapes = [f'<line x1="4" x2="{WIDTH - 4}" y1="6" y2="6" stroke="currentColor" stroke-opacity=".15"/>']
    if low < 0 < high:
        shapes.append(f'<line x1="{at(0)}" x2="{at(0)}" y1="1" y2="11" stroke="currentColor" stroke-opacity=".4"/>')
    if ends is not None:
        a, b = (at(min(max(end, low), high)) for end in ends)
        shapes.append(f'<line x1="{a}" x2="{b}" y1="6" y2="6" stroke="#2a6fbb" stroke-width="3"/>')
    shapes.append(f'<circle cx="{at(value)}" cy="6" r="3.5" fill="#2a6fbb"/>')
    size = f'width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}"'
    return Html(f'<svg {size} role="img" aria-label="{said}"><title>{said}</title>{"".join(shapes)}</svg>')
