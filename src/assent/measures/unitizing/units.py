"""Units of many continua in flat arrays: the form in which they are aligned.

Chance samples are aligned many at a time. Each sample is a *block*: units of different blocks never meet, so one
alignment of all blocks is the best alignment of each of them.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from assent.arrays import Floats, Ints
from assent.model.continuum import Continuum


@dataclass(frozen=True, kw_only=True, eq=False)
class Units:
    """Units sorted by rater; `block` says which continuum each belongs to."""

    n_raters: int
    n_blocks: int
    rater: Ints
    begin: Floats
    end: Floats
    category: Ints
    block: Ints

    @classmethod
    def of(cls, continuum: Continuum) -> "Units":
        """One continuum as a single block."""
        return cls(
            n_raters=continuum.n_raters,
            n_blocks=1,
            rater=continuum.rater,
            begin=continuum.begin,
            end=continuum.end,
            category=continuum.category,
            block=np.zeros(continuum.n_units, dtype=np.int64),
        )

    def __len__(self) -> int:
        """How many units there are in all blocks."""
        return len(self.begin)

    def pair(self, a: int, b: int) -> "Units":
        """Only the units of raters `a` and `b`, who become raters 0 and 1."""
        chosen = np.r_[self.starts[a] : self.starts[a + 1], self.starts[b] : self.starts[b + 1]]
        return Units(
            n_raters=2,
            n_blocks=self.n_blocks,
            rater=(self.rater[chosen] == b).astype(np.int64),
            begin=self.begin[chosen],
            end=self.end[chosen],
            category=self.category[chosen],
            block=self.block[chosen],
        )

    @cached_property
    def starts(self) -> Ints:
        """The first unit of each rater, and the number of units at the end."""
        return np.searchsorted(self.rater, np.arange(self.n_raters + 1))

    @cached_property
    def block_sizes(self) -> Ints:
        """How many units each block has."""
        return np.bincount(self.block, minlength=self.n_blocks)

    @cached_property
    def lengths(self) -> Floats:
        """End minus begin."""
        return self.end - self.begin

    @cached_property
    def places(self) -> Floats:
        """Twice the mid-point of every unit, counted from its block's begin, blocks put one after the other with gaps.

        The places serve to find neighbours only; dissimilarities are computed from the positions themselves, so that
        laying blocks out on one axis costs no precision.
        """
        middle = self.begin + self.end
        if self.n_blocks == 1:
            return middle
        low = np.full(self.n_blocks, np.inf)
        high = np.full(self.n_blocks, -np.inf)
        np.minimum.at(low, self.block, middle)
        np.maximum.at(high, self.block, middle)
        width = np.where(self.block_sizes > 0, high - low, 0.0)
        offset = np.concatenate([[0.0], np.cumsum(width + width.max() + 1.0)[:-1]])
        places: Floats = middle - low[self.block] + offset[self.block]
        return places
