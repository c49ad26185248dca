"""Made-up judgements of any size for pictures."""

import numpy as np

from concordant.model.judgements import Judgements
from concordant.randomness import generator

LONG = "a label that goes on and on, far longer than anything that fits beside a picture, number"


def judgements(
    n_raters: int, n_categories: int, *, n_units: int = 30, level: str = "ordinal", long: bool = False, seed: int = 1
) -> Judgements:
    """Raters who scatter a little around the truth; every category is on the scale."""
    rng = generator(seed)
    truth = rng.integers(0, n_categories, n_units)[:, None]
    scatter = np.round(rng.normal(0, max(n_categories / 8, 0.6), (n_units, n_raters)))
    codes = np.clip(truth + scatter, 0, n_categories - 1).astype(int)
    categories = [f"{LONG} {i + 1}" if long else f"c{i + 1}" for i in range(n_categories)]
    raters = [f"{LONG} {i + 1}" if long else f"r{i + 1}" for i in range(n_raters)]
    return Judgements.from_matrix(np.array(categories)[codes], raters=raters, level=level, categories=categories)
