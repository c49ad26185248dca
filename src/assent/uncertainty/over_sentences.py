"""Intervals and signatures for treebank measures: sentences are drawn again, nothing is computed anew."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assent import __version__
from assent.measures.option_kappa import kappa_statistic, y_option
from assent.measures.over_sentences import Statistic
from assent.measures.result import Agreement, Interval
from assent.measures.trees import TREE_MEASURES, f_statistic
from assent.randomness import generator
from assent.treebank.comparison import Comparison
from assent.treebank.trees import Counts
from assent.uncertainty.intervals import quantiles

_AT_ONCE = 4_000_000  # cells of the table of draws held in memory

_DEFAULT: Mapping[str, str] = {}


@dataclass(frozen=True, kw_only=True)
class Resampling:
    """How the interval is made: `n` draws of all sentences with replacement; no interval if `n` is 0."""

    n: int = 2000
    seed: int = 1
    level: float = 0.95

    def fields(self) -> dict[str, str]:
        """What a signature says about how the interval was made."""
        if not self.n:
            return {"ci": "none"}
        return {"ci": f"bootstrap,{100 * self.level:.12g}%,units", "B": str(self.n), "seed": str(self.seed)}


def measure_options(comparison: Comparison, how: Resampling) -> Agreement:
    """Y-Option Kappa with its interval and signature."""
    result, rows = y_option(comparison), comparison.scored
    interval = percentile_interval(kappa_statistic(comparison), len(rows), how) if rows else None
    content = [(row.corpus, row.suite, row.sentence, row.subset, row.n_options, row.n_agreed) for row in rows]
    chosen = {"reading": comparison.reading, "expected": comparison.expected}
    return _signed(result.with_(interval=interval), how, content, chosen)


def measure_trees(
    key: str,
    rows: Sequence[Counts | None],
    raters: Sequence[str],
    how: Resampling,
    chosen: Mapping[str, str] = _DEFAULT,
) -> Agreement:
    """Parseval, Leaf-Ancestor or EDM over sentences with its interval and signature, which names what was `chosen`."""
    result = TREE_MEASURES[key](rows, raters)
    known = [row for row in rows if row is not None]
    interval = None if result.value is None else percentile_interval(f_statistic(known), len(known), how)
    return _signed(result.with_(interval=interval), how, [(row.both, row.a, row.b) for row in known], chosen)


def _signed(result: Agreement, how: Resampling, rows: Iterable[object], chosen: Mapping[str, str]) -> Agreement:
    """The result with its signature: what was chosen, on which rows, and the numbers in full precision."""
    low_high = {} if result.interval is None else {"interval": f"{result.interval.low!r},{result.interval.high!r}"}
    fields = {
        **chosen,
        "units": str(result.n_units),
        "raters": str(result.n_raters),
        "dropped": str(result.n_dropped),
        **how.fields(),
        "data": sha256("\n".join(map(repr, rows)).encode()).hexdigest()[:8],
        "value": "undefined" if result.value is None else repr(result.value),
        **low_high,
        "v": __version__,
    }
    return result.with_(signature="|".join([result.measure, *(f"{name}:{text}" for name, text in fields.items())]))


def percentile_interval(statistic: Statistic, n_sentences: int, how: Resampling) -> Interval | None:
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
    low, high = quantiles(values, np.array([tail, 1 - tail]))
    return Interval(low=float(low), high=float(high), level=how.level, method="percentile bootstrap over sentences")
