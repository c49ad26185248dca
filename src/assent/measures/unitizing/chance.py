"""Continua as chance would make them: the two samplers of Gamma's expected disorder.

`shuffle` (Mathet, Widlöcher & Métivier 2015, section 5.2): every rater of a sample takes a real rater's units, the
text is cut at a random pivot and the two parts change places; units are never split. Pivots of one sample keep a
distance.

`statistical` (the default of pygamma-agreement): the number of units, the gaps between them and their lengths are drawn
from normal distributions with the means and deviations of the data, the categories from their shares.

The choice moves gamma, so its name travels with every result. Samples are drawn in batches of a fixed size, each from a
random stream of its own: how many workers share the batches cannot change them.
"""

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from assent.arrays import Floats, Ints
from assent.measures.unitizing.neighbours import expand
from assent.measures.unitizing.units import Units
from assent.model.continuum import Continuum

BATCH = 2_000
"""About how many units are aligned at once: enough to spread the fixed cost, few enough for the solvers."""
BATCH_OF_MANY = 500
"""The same for four raters or more, whose cliques are many."""
TRIES = 200
"""How often a pivot that is too near to another is drawn again before any pivot will do."""


class Sampler(Protocol):
    """Draws continua that have nothing in common but chance."""

    def draw(self, n_samples: int, random: np.random.Generator) -> Units:
        """Many samples, each a block."""


def batch_size(continuum: Continuum) -> int:
    """How many samples of this continuum are drawn and aligned together; depends on nothing else."""
    units = BATCH if continuum.n_raters <= 3 else BATCH_OF_MANY
    return max(1, units // max(1, continuum.n_units))


def sampler_of(kind: str, continuum: Continuum, *, distance: float, bounds: tuple[float, float]) -> Sampler:
    """The sampler called `kind`; `distance` is the least one between pivots, in mean unit lengths."""
    plain = in_canonical_order(continuum)
    return Shuffle.of(plain, distance, bounds) if kind == "shuffle" else Statistical.of(plain, bounds)


def in_canonical_order(continuum: Continuum) -> Units:
    """The units with raters ordered by their spans and categories by first use, so that names change no sample."""
    spans = [np.flatnonzero(continuum.rater == rater) for rater in range(continuum.n_raters)]
    order = sorted(range(continuum.n_raters), key=lambda r: [*continuum.begin[spans[r]], *continuum.end[spans[r]]])
    units = np.concatenate([spans[rater] for rater in order])
    rank = np.empty(continuum.n_raters, dtype=np.int64)
    rank[order] = np.arange(continuum.n_raters)
    return Units(
        n_raters=continuum.n_raters,
        n_blocks=1,
        rater=rank[continuum.rater[units]],
        begin=continuum.begin[units],
        end=continuum.end[units],
        category=continuum.category[units],
        block=np.zeros(len(units), dtype=np.int64),
    )


@dataclass(frozen=True, eq=False)
class Shuffle:
    """Cut and swap: `distance` is the least distance between two pivots of a sample."""

    units: Units
    low: float
    high: float
    distance: float

    @classmethod
    def of(cls, units: Units, distance: float, bounds: tuple[float, float]) -> "Shuffle":
        """Shuffle these units within the text's bounds."""
        return cls(units, *bounds, distance * float(units.lengths.mean()))

    def draw(self, n_samples: int, random: np.random.Generator) -> Units:
        """Many samples: for every rater a real one, and a pivot by which its units move."""
        n, units = self.units.n_raters, self.units
        source = random.integers(n, size=(n, n_samples))
        shift = self._pivots(n_samples, random).ravel() - self.low
        slot, at = expand(units.starts[source.ravel()], units.starts[source.ravel() + 1])
        move = shift[slot]
        move = np.where(units.begin[at] + move > self.high, move - (self.high - self.low), move)
        return Units(
            n_raters=n,
            n_blocks=n_samples,
            rater=slot // n_samples,
            begin=units.begin[at] + move,
            end=units.end[at] + move,
            category=units.category[at],
            block=slot % n_samples,
        )

    def _pivots(self, n_samples: int, random: np.random.Generator) -> Floats:
        """One pivot per rater and sample; one too near to an earlier pivot of its sample is drawn again."""
        pivots = random.uniform(self.low, self.high, (self.units.n_raters, n_samples))
        for rater in range(1, self.units.n_raters):
            for _ in range(TRIES):
                near = np.flatnonzero((np.abs(pivots[:rater] - pivots[rater]) < self.distance).any(axis=0))
                if len(near) == 0:
                    break
                pivots[rater, near] = random.uniform(self.low, self.high, len(near))
        return pivots


@dataclass(frozen=True, eq=False)
class Statistical:
    """Normal numbers of units, gaps and lengths (mean, deviation), categories by their shares."""

    n_raters: int
    low: float
    size: tuple[float, float]
    gap: tuple[float, float]
    length: tuple[float, float]
    categories: Ints
    shares: Floats

    @classmethod
    def of(cls, units: Units, bounds: tuple[float, float]) -> "Statistical":
        """Fit the normals to these units. A gap of 0 is added, so that a single unit has gaps too."""
        sizes = np.diff(units.starts)
        gaps = np.concatenate([[0.0], *(_gaps(units, rater, bounds[0]) for rater in range(units.n_raters))])
        codes, first, counts = np.unique(units.category, return_index=True, return_counts=True)
        order = np.argsort(first)
        return cls(
            units.n_raters,
            bounds[0],
            (float(sizes.mean()), float(sizes.std())),
            (float(gaps.mean()), float(gaps.std())),
            (float(units.lengths.mean()), float(units.lengths.std())),
            codes[order],
            counts[order] / len(units),
        )

    def draw(self, n_samples: int, random: np.random.Generator) -> Units:
        """Many samples: units follow one another, each after a gap (which may be negative: an overlap)."""
        sizes = np.abs(random.normal(*self.size, (self.n_raters, n_samples)).astype(np.int64))
        sizes[0] = np.maximum(sizes[0], 1)
        counts = sizes.ravel()
        slot = np.repeat(np.arange(len(counts)), counts)
        lengths = self._lengths(len(slot), random)
        ends = np.cumsum(random.normal(*self.gap, len(slot)) + lengths)
        before = np.concatenate([[0.0], ends])[np.cumsum(counts) - counts]
        end = ends - before[slot] + self.low
        return Units(
            n_raters=self.n_raters,
            n_blocks=n_samples,
            rater=slot // n_samples,
            begin=end - lengths,
            end=end,
            category=random.choice(self.categories, len(slot), p=self.shares),
            block=slot % n_samples,
        )

    def _lengths(self, n: int, random: np.random.Generator) -> Floats:
        """Absolute values of normal lengths; one that is next to nothing is drawn again."""
        lengths = np.abs(random.normal(*self.length, n))
        least = 1e-6 * self.length[0]
        while (short := np.flatnonzero(lengths < least)).size:
            lengths[short] = np.abs(random.normal(*self.length, len(short)))
        return lengths


def _gaps(units: Units, rater: int, low: float) -> Floats:
    """The gaps before each of a rater's units; none before a first unit at the text's begin."""
    own = slice(units.starts[rater], units.starts[rater + 1])
    begin, end = units.begin[own], units.end[own]
    gaps: Floats = begin - np.concatenate([[low], end[:-1]])[: len(begin)]
    return gaps[1:] if len(begin) and begin[0] <= low else gaps
