"""The tally: judgements reduced once, from which everything else is computed.

Parts of it, some raters or some units only, are cut from the patterns without looking at the judgements again.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from concordant.choices import hashed
from concordant.engines.bundles import Bundles, bundled
from concordant.engines.crossing import crossing_of
from concordant.engines.patterns import (
    Patterns,
    canonical,
    digest,
    find_patterns,
    fingerprint,
    patterns_of_cells,
    placed,
    unit_digest,
    units_as_patterns,
    value_steps,
)
from concordant.engines.views import (
    DENSE_CELLS,
    Counts,
    Pairs,
    Panel,
    Scores,
    count_view,
    pair_view,
    panel_view,
    score_view,
)
from concordant.errors import InputError, nearest
from concordant.model.judgements import Judgements
from concordant.model.measurable import Used
from concordant.model.scale import Scale


@dataclass(frozen=True, kw_only=True, eq=False)
class Tally:
    """Patterns with the scale and the raters they refer to; the views are made when first asked for."""

    kind: ClassVar[str] = "judgements"
    unit: ClassVar[str] = "units"

    scale: Scale
    raters: tuple[str, ...]
    patterns: Patterns
    n_units: int
    notes: tuple[str, ...] = ()
    bundles: Bundles | None = None  # of units that belong together; None: every unit stands alone
    source: Judgements | None = None  # what was tallied, if it is in memory

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
        columns = (self.raters[i] for i in np.flatnonzero(np.bincount(self.patterns.rater)))
        asked = self.scale.asked
        return tuple(dict.fromkeys(asked[name][0] for name in columns)) if asked else tuple(columns)

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
    def scores(self) -> Scores:
        """Units with two judgements or more, as numbers."""
        found = score_view(self.patterns, self.raters, self.positions)
        return replace(found, crossing=crossing_of(self.scale.asked, found.raters))

    @cached_property
    def fingerprint(self) -> str:
        """Eight hexadecimal digits that change when any judgement changes; order and unit names do not matter."""
        return fingerprint(self.patterns, self.raters, self.scale)

    @cached_property
    def digest(self) -> str:
        """The whole SHA-256 of the judgements; order and unit names do not matter."""
        return digest(self.patterns, self.raters, self.scale)

    @cached_property
    def bound(self) -> str:
        """The SHA-256 of all units by their names, with their judgements."""
        if self.source is None:
            raise InputError("only judgements in memory can be bound to their units", hint="leave out bind_units")
        return unit_digest(self.source)

    @property
    def is_crowd(self) -> bool:
        """Whether the counts of units were too many to be merged until 0.1.0, so that its draws were others."""
        return len(self.patterns.weights) * max(len(self.positions), 1) > DENSE_CELLS

    def used(self, *, complete: bool = False) -> Used:
        """Units and judgements that enter a coefficient: those with a pair of judgements, or with all of them."""
        sizes, weights = self.patterns.sizes, self.patterns.weights
        kept = sizes >= (max(len(self.used_raters), 2) if complete else 2)
        n_units = int(weights[kept].sum())
        dropped = self.n_judged - n_units
        if complete:
            note = f"{dropped:,} unit{'s' * (dropped != 1)} with missing judgements left out"
        else:
            have = f"{dropped:,} of {self.n_judged:,} units {'have' if dropped != 1 else 'has'}"
            note = f"{have} {ONE_JUDGEMENT}: left out"
        return Used(n_units, int((weights * sizes)[kept].sum()), dropped, (note,) if dropped else ())

    def signed(self) -> dict[str, str]:
        """The level, how many categories, and a hash of their names in order."""
        names = self.scale.categories
        return {"level": self.scale.level.value, "scale": f"{len(names)},{hashed(chr(0).join(names).encode())}"}


def tally(data: Judgements) -> Tally:
    """Reduce judgements in memory."""
    bundles, clusters = None, data.clusters
    if clusters is None:
        patterns = canonical(find_patterns(data), data.raters, data.scale)
    else:
        rows = data.rows()
        patterns, place = placed(units_as_patterns(rows, data.n_units), data.raters, data.scale)
        judged = np.flatnonzero(np.bincount(rows.unit, minlength=data.n_units))
        bundles = bundled(clusters.name, clusters.of[judged], place, np.ones(len(place)))
    how: dict[str, Any] = {"patterns": patterns, "bundles": bundles, "notes": data.notes, "source": data}
    return Tally(scale=data.scale, raters=data.raters, n_units=data.n_units, **how)


LEAST_APART, LEAST_SAME = 20, 10
MOST_CELLS = 10_000_000  # raters × categories that are looked at


def looks_odd(data: Tally) -> bool:
    """A quick look that misses no sorted columns, columns filled from the left, constant raters, or equal columns.

    What it finds may be nothing: whoever is told so looks closer.
    """
    patterns, raters = data.patterns, len(data.raters)
    if raters < 2 or not len(patterns.code):
        return False
    if data.scale.is_continuous or has_equal_columns(data):
        return has_equal_columns(data)
    rising, falling, spread = value_steps(patterns, data.positions)
    apart = (patterns.sizes > 1) & (spread > 0)
    is_sorted = bool(rising[apart].all() or falling[apart].all()) and patterns.weights[apart].sum() >= LEAST_APART
    last = np.zeros(len(patterns.sizes), dtype=np.int64)
    np.maximum.at(last, patterns.pattern, patterns.rater)
    is_filled = bool((last + 1 == patterns.sizes).all()) and np.count_nonzero(np.bincount(patterns.sizes)) > 2
    size = len(data.positions)
    given = np.zeros(raters * size if raters * size <= MOST_CELLS else 0, dtype=bool)
    if len(given):
        given[patterns.rater.astype(np.int64) * size + patterns.code] = True
    n_values = given.reshape(-1, size).sum(axis=1) if len(given) else np.zeros(raters)
    n_judged = np.bincount(patterns.rater, weights=patterns.weights[patterns.pattern], minlength=raters)
    return bool(is_sorted) or bool(is_filled) or bool(((n_values == 1) & (n_judged >= LEAST_SAME)).any())


def has_equal_columns(data: Tally) -> bool:
    """Whether two raters seem to have judged the same units in the same way: the sums of random marks are equal."""
    patterns = data.patterns
    value = np.unique(patterns.code, return_inverse=True)[1] if data.scale.is_continuous else patterns.code
    # every judgement's mark: the bits of its place mixed, so that sums of different judgements differ
    mark = (patterns.pattern.astype(np.uint64) << np.uint64(24)) + value.astype(np.uint64) + np.uint64(1)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        mark = (mark ^ (mark >> np.uint64(shift))) * np.uint64(factor)
    total = np.zeros(len(data.raters), dtype=np.uint64)
    np.add.at(total, patterns.rater, mark ^ (mark >> np.uint64(31)))
    judged = np.bincount(patterns.rater, minlength=len(data.raters)) > 0
    return bool((np.diff(np.sort(total[judged])) == 0).any())


def with_raters(data: Tally, raters: Sequence[str]) -> Tally:
    """Only the judgements of these raters, in this order. Units that none of them judged have no pattern any more."""
    unknown = next((rater for rater in raters if rater not in data.raters), None)
    if unknown is not None:
        raise InputError(f"there is no rater {unknown!r}", hint=nearest(unknown, data.raters))
    place = np.full(len(data.raters), -1, dtype=np.int64)
    place[[data.raters.index(rater) for rater in raters]] = np.arange(len(raters))
    rater = place[data.patterns.rater]
    kept = np.nonzero(rater >= 0)[0]
    order = kept[np.lexsort((rater[kept], data.patterns.pattern[kept]))]
    judged, pattern = np.unique(data.patterns.pattern[order], return_inverse=True)
    patterns = Patterns(
        pattern=pattern.reshape(-1).astype(np.int64),
        rater=rater[order],
        code=data.patterns.code[order],
        weights=data.patterns.weights[judged],
    )
    ordered, now = placed(patterns, raters, data.scale)
    moved = np.full(len(data.patterns.weights), -1, dtype=np.int64)
    moved[judged] = now
    bundles = None if data.bundles is None else data.bundles.moved(moved)
    return replace(data, raters=tuple(raters), patterns=ordered, bundles=bundles)


def category_rates(data: Tally, category: str, raters: tuple[str, ...]) -> tuple[float | None, ...]:
    """Each rater's share of one category among the units with two judgements or more; None for one who judged none."""
    patterns = data.patterns
    entry = (patterns.sizes > 1)[patterns.pattern]
    weight = patterns.weights[patterns.pattern] * entry
    said = weight * (patterns.code == data.scale.categories.index(category))
    size = len(data.raters)
    total, given = (np.bincount(patterns.rater, weights=w, minlength=size) for w in (weight, said))
    places = [data.raters.index(rater) for rater in raters]
    return tuple(float(given[i] / total[i]) if total[i] else None for i in places)


ONE_JUDGEMENT = "one judgement"
MOST_CELLS = 1 << 24  # up to this many units × raters equal units are merged; beyond it every unit is a pattern


@dataclass(frozen=True, kw_only=True, eq=False)
class UnitTally:
    """A tally that remembers which pattern each unit has (-1 for a unit without judgements)."""

    whole: Tally
    pattern_of: NDArray[np.int64]

    def of_units(self, wanted: NDArray[np.bool_]) -> Tally:
        """The tally of some units only."""
        chosen = self.pattern_of[wanted]
        weights = np.bincount(chosen[chosen >= 0], minlength=len(self.whole.patterns.weights)).astype(np.float64)
        patterns = self.whole.patterns
        used = weights > 0
        keep = used[patterns.pattern]
        number = np.cumsum(used) - 1
        part = Patterns(
            pattern=number[patterns.pattern[keep]],
            rater=patterns.rater[keep],
            code=patterns.code[keep],
            weights=weights[used],
        )
        return replace(self.whole, patterns=part, n_units=int(wanted.sum()))


def unit_tally(data: Judgements) -> UnitTally:
    """Reduce judgements, remembering the units; equal ones share a pattern, unless there are too many to compare."""
    rows = data.rows()
    judged: NDArray[np.bool_]
    if data.scale.is_continuous or data.n_units * data.n_raters > MOST_CELLS:
        judged = np.bincount(rows.unit, minlength=data.n_units) > 0
        place = np.where(judged, np.cumsum(judged) - 1, -1)
        patterns = units_as_patterns(rows, data.n_units)
    else:
        cells = np.full((data.n_units, data.n_raters), -1, dtype=np.int32)
        cells[rows.unit, rows.rater] = rows.value
        distinct, inverse, weights = np.unique(cells, axis=0, return_inverse=True, return_counts=True)
        judged = np.any(distinct >= 0, axis=1)
        place = np.where(judged, np.cumsum(judged) - 1, -1)[inverse.reshape(-1)]
        patterns = patterns_of_cells(distinct, weights)
    whole = Tally(scale=data.scale, raters=data.raters, patterns=patterns, n_units=data.n_units, notes=data.notes)
    return UnitTally(whole=whole, pattern_of=place)
