"""Studies made by judges of known kinds, to see whether the diagnosis names them."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from concordant.diagnosis.consistency import Verdict
from concordant.model.columns import Column, encode
from concordant.model.scale import Level
from concordant.model.study import Study
from concordant.randomness import generator

Grid = NDArray[np.int64]


def study_of(
    cells: NDArray[Any],
    *,
    raters: Sequence[str] | None = None,
    level: Level | None = Level.ORDINAL,
    unit_attributes: Mapping[str, ArrayLike] | None = None,
    columns: Mapping[str, ArrayLike] | None = None,
    categories: Sequence[str] | None = None,
    question: str | None = None,
) -> Study:
    """A study from units × raters; `columns` are further cells of the same shape, blank cells are empty texts."""
    n, k = cells.shape
    names = list(raters or [f"J{i + 1}" for i in range(k)])
    attributes = {name: encode(np.repeat(np.asarray(v), k)) for name, v in (unit_attributes or {}).items()}
    attributes |= {name: encode(np.asarray(v).reshape(-1)) for name, v in (columns or {}).items()}
    return Study(
        name="simulated",
        unit=Column(codes=np.repeat(np.arange(n), k), labels=[f"u{i + 1}" for i in range(n)]),
        rater=Column(codes=np.tile(np.arange(k), n), labels=names),
        value=encode(np.asarray(cells).reshape(-1).astype(str)),
        question=None if question is None else Column(codes=np.zeros(n * k, dtype=np.int64), labels=[question]),
        attributes=attributes,
        level=level,
        categories=None if categories is None else tuple(categories),
    )


def honest(
    random: np.random.Generator,
    quality: NDArray[np.float64],
    size: int,
    *,
    shift: float = 0.0,
    noise: float = 0.06,
) -> Grid:
    """A rater who sees the quality of each unit with some noise and puts it on a scale from 1 to `size`.

    The noise is a share of the scale's size: one standard deviation of what the rater sees wrongly.
    """
    centre, spread = (size + 1) / 2, size / 3.2
    seen = centre + spread * quality + random.normal(0, noise * size, len(quality)) + shift
    return np.clip(np.round(seen), 1, size).astype(np.int64)


def judge_pair(kind: Verdict, random: np.random.Generator, *, n_units: int = 50) -> Grid:
    """Two raters, the second of a known kind relative to the first."""
    size = int(random.integers(4, 8))
    quality = random.normal(0, 1, n_units)
    noise = float(random.uniform(0.04, 0.14))
    first = honest(random, quality, size, noise=noise)
    if kind is Verdict.AGREE:
        second = honest(random, quality, size, noise=noise)
    elif kind is Verdict.LEVEL:
        second = honest(random, quality, size, noise=noise, shift=-float(random.uniform(0.16, 0.3)) * size)
    elif kind is Verdict.WEAK:
        second = random.integers(1, size + 1, n_units)
    elif kind is Verdict.REVERSED:
        second = size + 1 - honest(random, quality, size, noise=noise)
    else:
        rare = float(random.uniform(0.03, 0.08))
        first, second = (np.where(random.random(n_units) < rare, size - 1, size) for _ in range(2))
    return np.column_stack([first, second])


KINDS = (Verdict.AGREE, Verdict.LEVEL, Verdict.WEAK, Verdict.REVERSED, Verdict.PREVALENCE)


def clean_study(seed: int) -> Study:
    """Two to five honest raters, forty to a hundred units, random attributes that mean nothing, some scale."""
    random = generator(seed, 77)
    n, k, size = int(random.integers(40, 100)), int(random.integers(2, 6)), int(random.integers(2, 8))
    quality = random.normal(0, 1, n)
    if size == 2:
        cells = np.column_stack([quality + random.normal(0, 0.08, n) > 0 for _ in range(k)]).astype(np.int64)
    else:
        cells = np.column_stack([honest(random, quality, size) for _ in range(k)])
    attributes = {
        "group": random.choice(["NS", "NNS"], n),
        "batch": random.choice(["one", "two", "three"], n),
        "genre": random.choice(["news", "fiction", "talk"], n),
    }
    times = np.exp(random.normal(2, 0.4, (n, k)) + random.normal(0, 0.15, k))
    level = Level.NOMINAL if size == 2 else Level.ORDINAL
    return study_of(cells, level=level, unit_attributes=attributes, columns={"seconds": times})
