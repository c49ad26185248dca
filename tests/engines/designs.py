"""Random designs of studies, many in one table, each a slice of it."""

import numpy as np
import polars as pl

LARGE = ((2, 5, 19, 21, 60, 500, 5000), (1, 2, 5, 40, 300), (1, 10, 80))
SMALL = ((2, 3, 5), (2, 3, 5), (1, 10, 80))


def many_designs(n: int, *, are_small: bool, seed: int = 0) -> pl.DataFrame:
    """`n` designs: everybody judges everything, sets, or whoever comes; the small ones fit one number a pattern."""
    random = np.random.default_rng(seed)
    tables = []
    for number in range(n):
        n_raters, n_categories, n_units = (int(random.choice(sizes)) for sizes in (SMALL if are_small else LARGE))
        each = int(random.integers(1, min(n_raters, 6) + 1))
        raters = np.concatenate([random.choice(n_raters, size=each, replace=False) for _ in range(n_units)])
        values = random.integers(0, n_categories, size=len(raters))
        tables.append(
            pl.DataFrame(
                {
                    "design": [f"d{number:03}"] * len(raters),
                    "unit": [f"u{i}" for i in np.repeat(np.arange(n_units), each)],
                    "rater": [f"r{i}" for i in raters],
                    "value": [f"v{v}" for v in values],
                }
            )
        )
    return pl.concat(tables)
