"""Y-Option Kappa of every two who chose parses in one study, in its three readings, for its report and its pages."""

from collections.abc import Iterator, Mapping
from itertools import combinations
from pathlib import Path

from concordant.errors import ConcordantError
from concordant.measures.result import Agreement
from concordant.measures.treebanks import y_option
from concordant.treebank.comparison import compare
from concordant.treebank.sentences import READINGS
from concordant.uncertainty.estimate import measure

MOST_PAIRS = 3
"""Of so many pairs of treebankers parses are compared at once: each pair takes the work of a comparison."""


def of_every_two(
    profiles: Mapping[str, Path], lexicon: Mapping[str, str] | str | Path | None, *, seed: int
) -> Iterator[Agreement]:
    """The results of the first pairs of raters, whose profiles these are; nothing of one who decided nothing yet."""
    for one, two in list(combinations(profiles, 2))[:MOST_PAIRS]:
        for reading in READINGS:
            try:
                comparison = compare(profiles[one], profiles[two], reading=reading, lexicon=lexicon, edm=False)
            except ConcordantError:
                continue
            yield measure(comparison, y_option.key, seed=seed).with_(raters=(one, two))
