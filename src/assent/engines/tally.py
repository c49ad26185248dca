"""The tally: judgements reduced once, from which everything else is computed."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from assent.engines.identity import canonical, fingerprint
from assent.engines.patterns import Patterns, find_patterns
from assent.engines.views import Counts, Pairs, Panel, count_view, pair_view, panel_view
from assent.model.judgements import Judgements
from assent.model.scale import Scale


@dataclass(frozen=True, kw_only=True, eq=False)
class Tally:
    """Patterns with the scale and the raters they refer to; the views are made when first asked for."""

    scale: Scale
    raters: tuple[str, ...]
    patterns: Patterns
    n_units: int
    notes: tuple[str, ...] = ()

    @cached_property
    def positions(self) -> NDArray[np.float64]:
        """Where the categories lie on the scale; of a continuous scale, nothing."""
        return self.scale.positions()

    @cached_property
    def n_judgements(self) -> int:
        """All judgements, single ones included."""
        return int(self.patterns.weights @ self.patterns.sizes)

    @cached_property
    def n_judged(self) -> int:
        """Units with at least one judgement."""
        return int(self.patterns.weights.sum())

    @cached_property
    def n_paired(self) -> int:
        """Units with at least two judgements."""
        return int(self.patterns.weights[self.patterns.sizes > 1].sum())

    @cached_property
    def used_raters(self) -> tuple[str, ...]:
        """Raters with at least one judgement."""
        return tuple(self.raters[i] for i in np.flatnonzero(np.bincount(self.patterns.rater)))

    @cached_property
    def counts(self) -> Counts:
        """How often each category was given, by pattern."""
        return count_view(self.patterns, self.positions)

    @cached_property
    def pairs(self) -> Pairs:
        """Contingency tables of rater pairs."""
        return pair_view(self.patterns, self.raters, self.positions)

    @cached_property
    def panel(self) -> Panel:
        """The units that every rater judged."""
        return panel_view(self.patterns, self.raters, self.positions)

    @cached_property
    def fingerprint(self) -> str:
        """Eight hexadecimal digits that change when any judgement changes; order and unit names do not matter."""
        return fingerprint(self.patterns, self.raters, self.scale)


def tally(data: Judgements) -> Tally:
    """Reduce judgements in memory."""
    patterns = canonical(find_patterns(data), data.raters, data.scale)
    return Tally(scale=data.scale, raters=data.raters, patterns=patterns, n_units=data.n_units, notes=data.notes)
