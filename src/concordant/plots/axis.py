"""The common axis of a forest: places in per cent of a width, the benchmark's bands, the tone of each verdict."""

from collections.abc import Sequence
from dataclasses import dataclass

from concordant.diagnosis.verdict import GOOD, TENTATIVE, Word
from concordant.digits import coefficient
from concordant.measures.result import Agreement

LEFT = 0.3  # where the axis begins unless something lies lower
NEAR = 9  # per cent between two figures that can both be read
LETTER, MARGIN = 2.1, 3.5  # per cent of the axis on a telephone that a letter takes, and what is beside a label
FIRST = 14  # the same beside the first, which begins where it stands
TONES = {Word.RELIABLE: "good", Word.WITH_CARE: "part", Word.NOT_YET: "bad"}


@dataclass(frozen=True, kw_only=True)
class Band:
    """A stretch of the axis with a meaning."""

    tone: str
    begin: float
    width: float


@dataclass(frozen=True, kw_only=True)
class Tick:
    """A figure below the axis."""

    at: float
    label: str


@dataclass(frozen=True, kw_only=True)
class Axis:
    """The common axis of a forest, from `low` to 1."""

    low: float
    bands: tuple[Band, ...]
    ticks: tuple[Tick, ...]

    def at(self, value: float) -> float:
        """Where a value stands, in per cent."""
        return round(100 * (min(max(value, self.low), 1.0) - self.low) / (1 - self.low), 2)


@dataclass(frozen=True, kw_only=True)
class Mark:
    """A coefficient on the axis; without an interval `begin` and `end` are where the value is.

    Its label stands at `label_at`, where `anchor` says which of its ends is there, moved by `dx` and `dy` pixels.
    """

    label: str
    tone: str
    point: float
    begin: float
    end: float
    label_at: float
    anchor: str
    dx: int
    dy: int


def axis_of(results: Sequence[Agreement]) -> Axis:
    """An axis wide enough for all results: the benchmark's bands are on it."""
    ends = [result.interval.low for result in results if result.interval]
    ends += [result.value for result in results if result.value is not None]
    least = min([LEFT, *ends])
    low = LEFT if least >= LEFT else max(-1.0, -0.1 * (int(-least * 10) + 1) if least < 0 else int(least * 10) / 10)
    low = round(low, 1)
    bare = Axis(low=low, bands=(), ticks=())
    good, part = bare.at(GOOD), bare.at(TENTATIVE)
    bands = Band(tone="part", begin=part, width=round(good - part, 2)), Band(tone="good", begin=good, width=100 - good)
    middle = [value for value in (0.0, 0.5) if value >= low + 0.1]
    ticks = [Tick(at=bare.at(value), label=f"{value:.2f}".replace("0.", ".", 1)) for value in (low, *middle, 0.67, 0.8)]
    ticks = [one for i, one in enumerate(ticks) if not i or one.at - ticks[i - 1].at > (NEAR if i > 1 else FIRST)]
    return Axis(low=low, bands=bands, ticks=(*ticks, Tick(at=100.0, label="1.00")))


def mark_of(axis: Axis, result: Agreement, symbol: str, tone: str) -> Mark | None:
    """A result on the axis; None when it has no value."""
    if result.value is None:
        return None
    found = result.interval
    low, high = (found.low, found.high) if found else (result.value, result.value)
    begin = axis.at(low)
    label = f"{symbol} {coefficient(result.value)}"
    end, point = axis.at(high), axis.at(result.value)
    at, anchor, dx, dy = placed(label, point, begin, end)
    return Mark(label=label, tone=tone, point=point, begin=begin, end=end, label_at=at, anchor=anchor, dx=dx, dy=dy)


def placed(label: str, point: float, begin: float, end: float) -> tuple[float, str, int, int]:
    """Where a label stands: left of its interval if it fits on a telephone's axis, else right of it, else above.

    >>> placed("α .70", 60, 40, 80), placed("α .10", 10, 5, 30), placed("α .02", 1, 0, 95)
    ((40, 'end', -9, 4), (30, 'start', 9, 4), (0.0, 'start', 0, -8))
    """
    wide = MARGIN + LETTER * len(label)
    if begin >= wide:
        return begin, "end", -9, 4
    if end <= 100 - wide:
        return end, "start", 9, 4
    if point < wide / 2:
        return 0.0, "start", 0, -8
    return (100.0, "end", 0, -8) if point > 100 - wide / 2 else (point, "middle", 0, -8)
