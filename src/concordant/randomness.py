"""The only maker of random generators.

Every random number of the package comes from a generator made here from a seed that the user
gave or that we drew and reported, so that any result can be computed again.
"""

import secrets

import numpy as np


def generator(seed: int, *stream: int) -> np.random.Generator:
    """A generator for one `stream` of a `seed`: streams are independent, so work can be split freely."""
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence([seed, *stream])))


def draw_seed() -> int:
    """A fresh seed, short enough to be typed again."""
    return secrets.randbelow(2**31)
