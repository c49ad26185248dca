"""Sets: splitting the units of a study evenly, and giving each participant the set that needs one most."""

from collections.abc import Mapping, Sequence

import numpy as np

from assent.design.ordering import stream
from assent.design.plan import Plan
from assent.randomness import generator


def split(ids: Sequence[str], count: int, rng: np.random.Generator) -> tuple[tuple[str, ...], ...]:
    """Deal shuffled ids into `count` sets whose sizes differ by one at most."""
    shuffled = [ids[i] for i in rng.permutation(len(ids))]
    return tuple(tuple(shuffled[i::count]) for i in range(count))


def least_filled(plan: Plan, rater: str, completed: Mapping[int, int], begun: Mapping[int, int]) -> int:
    """The set with the fewest completed participants; among equals the fewest begun; among those one at random."""
    counts = [(completed.get(i, 0), begun.get(i, 0)) for i in range(len(plan.sets))]
    candidates = [i for i, count in enumerate(counts) if count == min(counts)]
    return candidates[int(generator(plan.seed, *stream(rater), 1).integers(len(candidates)))]
