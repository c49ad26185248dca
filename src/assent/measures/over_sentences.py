"""Intervals for measures that are made of sums over sentences: sentences are drawn again, nothing is computed anew."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assent.measures.result import Interval
from assent.randomness import generator

Floats = NDArray[np.float64]
_AT_ONCE = 4_000_000  # cells of the table of draws held in memory


@dataclass(frozen=True, kw_only=True)
class Resampling:
    """How the interval is made: `n` draws of all sentences with replacement; no interval if `n` is 0."""

    n: int = 2000
    seed: int = 1
    level: float = 0.95

    def as_text(self) -> str:
        """The part of a signature that says how the interval was made."""
        return f"ci:bootstrap,{self.level:.0%},units|B:{self.n}|seed:{self.seed}" if self.n else "ci:none"


def percentile_interval(statistic: Callable[[Floats], Floats], n_sentences: int, how: Resampling) -> Interval | None:
    """The percentile bootstrap over sentences of `statistic`, a function of how often each sentence was drawn.

    None for fewer than two sentences, or when the statistic is undefined in some draw.
    """
    if not how.n or n_sentences < 2:
        return None
    random, step = generator(how.seed), max(1, _AT_ONCE // n_sentences)
    even = np.full(n_sentences, 1 / n_sentences)
    sizes = [min(step, how.n - start) for start in range(0, how.n, step)]
    drawn = [statistic(random.multinomial(n_sentences, even, size=size).astype(np.float64)) for size in sizes]
    values: NDArray[Any] = np.concatenate(drawn)
    if not np.isfinite(values).all():
        return None
    tail = (1 - how.level) / 2
    low, high = np.quantile(values, [tail, 1 - tail])
    return Interval(low=float(low), high=float(high), level=how.level, method="percentile bootstrap over sentences")


def ratio(above: Floats, below: Floats) -> Callable[[Floats], Floats]:
    """The statistic sum(above) / sum(below); NaN where the latter is 0."""

    def statistic(times: Floats) -> Floats:
        total = times @ below
        shares: Floats = np.divide(times @ above, total, out=np.full(len(total), np.nan), where=total != 0)
        return shares

    return statistic
