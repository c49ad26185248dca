"""Random designs of studies, many in one table, each a slice of it."""

import numpy as np
import polars as pl

LARGE = ((2, 5, 19, 21, 60, 500, 5000), (1, 2, 5, 40, 300), (1, 10, 80))
SMALL = ((2, 3, 5), (2, 3, 5), (1, 10, 80))


def many_designs(n: int, *, are_small: bool, seed: int = 0) -> pl.DataFrame:
    """`n` designs: everybody judges everything, sets, or whoever comes; the small ones fit one number a pattern.

    Every unit is of a document, and in every third design raters judged some units again.
    """
    random = np.random.default_rng(seed)
    tables = []
    for number in range(n):
        n_raters, n_categories, n_units = (int(random.choice(sizes)) for sizes in (SMALL if are_small else LARGE))
        each = int(random.integers(1, min(n_raters, 6) + 1))
        raters = np.concatenate([random.choice(n_raters, size=each, replace=False) for _ in range(n_units)])
        units = np.repeat(np.arange(n_units), each)
        if number % 3 == 0:
            again = random.integers(0, len(raters), size=len(raters) // 4 + 1)
            raters, units = np.concatenate([raters, raters[again]]), np.concatenate([units, units[again]])
        values = random.integers(0, n_categories, size=len(raters))
        tables.append(
            pl.DataFrame(
                {
                    "design": [f"d{number:03}"] * len(raters),
                    "unit": [f"u{i}" for i in units],
                    "rater": [f"r{i}" for i in raters],
                    "value": [f"v{v}" for v in values],
                    "document": [f"t{i // 3}" for i in units],
                }
            )
        )
    return pl.concat(tables)


def spans(n_texts: int = 4) -> pl.DataFrame:
    """Spans of two raters in some texts; invented."""
    random, rows = np.random.default_rng(4), []
    for text in range(n_texts):
        for rater in ("A", "B"):
            begins = np.cumsum(random.integers(12, 30, size=int(random.integers(3, 8))))
            rows += [
                (f"t{text}", rater, int(b), int(b + random.integers(3, 11)), str(random.choice(["x", "y"])))
                for b in begins
            ]
    return pl.DataFrame(rows, schema=["text", "rater", "begin", "end", "category"], orient="row")
