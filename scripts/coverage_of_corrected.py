"""How often intervals of corrected shares and means hold the truth: invented studies, four numbers of labels a row.

python scripts/coverage_of_corrected.py [STUDIES]     4,000 a row unless said; exit code 1 if a row is out of bounds

Bounds are 93.5 to 96.5 %, widened by what fewer than 4,000 studies scatter; a row out of them is simulated again with
five times as many studies. An interval may be wider, never narrower, where labels × share < 10 or where weights go
with people's answers. `docs/explanation/corrected-results.md` has the table (--markdown).
"""

import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from concordant.judging.predicted import (
    mean_limits,
    share_limits,
    weighted_mean_limits,
    weighted_share_limits,
    worth,
)
from concordant.randomness import generator
from concordant.uncertainty.mover import Limits, difference_limits

MANY, THESE, LABELS, SEED = 5_000, 1_000, (50, 100, 200, 400), 7
SHARES = {
    "share .30": (0.3, 0.8, 0.1),
    "share .10": (0.1, 0.7, 0.05),
    "share .03": (0.03, 0.6, 0.02),
    "useless": (0.3, 0.5, 0.5),
}
KINDS = ("mean", *SHARES)
LOW, HIGH = 0.935, 0.965
LEAST_WORTH = 30


@dataclass(frozen=True)
class Row:
    """What was simulated, and what came of it."""

    about: str
    kind: str
    labels: int
    coverage: float
    width: float
    may_be_wide: bool

    def is_bad(self, studies: int) -> bool:
        """Whether it is out of bounds by more than so few studies scatter."""
        scatter = 2 * np.sqrt(0.05 * 0.95) * max(1 / np.sqrt(studies) - 1 / np.sqrt(4_000), 0.0)
        return self.coverage < LOW - scatter or (self.coverage > HIGH + scatter and not self.may_be_wide)


def world(random: np.random.Generator, kind: str, size: int) -> tuple[np.ndarray, np.ndarray]:
    """What people say of units and what a model says; a lenient model on five points, or one that hits and misses."""
    if kind == "mean":
        z = random.normal(size=size)
        people = np.clip(np.round(3 + 1.1 * z + random.normal(0, 0.6, size)), 1, 5)
        return people, np.clip(np.round(3.4 + z + random.normal(0, 0.6, size)), 1, 5)
    share, hit, alarm = SHARES[kind]
    people = (random.random(size) < share).astype(float)
    return people, (random.random(size) < np.where(people == 1, hit, alarm)).astype(float)


def drawn(
    random: np.random.Generator, how: str, kind: str, people: np.ndarray, model: np.ndarray, n: int
) -> tuple[np.ndarray, np.ndarray]:
    """n units in a random order, drawn systematically with unequal chances, and how many units each stands for."""
    if how == "by model":  # what the model calls positive five times as often
        size = np.where(model >= (4 if kind == "mean" else 1), 5.0, 1.0)
    else:  # what people will call positive more often, too, as when a model's doubts choose
        z = (people - people.mean()) / max(float(people.std()), 1e-9)
        size = np.exp(np.minimum(0.4 * z, 1.2) + random.normal(0, 0.4, len(people)))
    chance = np.minimum(n * size / size.sum(), 1.0)
    for _ in range(5):
        sure = chance >= 1
        chance = np.where(sure, 1.0, np.minimum((n - sure.sum()) * size / size[~sure].sum(), 1.0))
    order = random.permutation(len(people))
    steps = np.floor(np.concatenate([[0.0], np.cumsum(chance[order])]) - random.random())
    chosen = order[np.diff(steps) > 0]
    return chosen, 1 / chance[chosen]


def both(kind: str, y: np.ndarray, f: np.ndarray, rest: np.ndarray, *, is_finite: bool) -> tuple[Limits, Limits]:
    """With the model, and by people alone."""
    if kind == "mean":
        how = {"is_finite": is_finite}
        return mean_limits(y, f, rest, **how), mean_limits(y, f, rest, **how, uses_model=False)
    nothing = np.zeros(len(y)), np.zeros(len(rest))
    return share_limits(y, f, rest, is_finite=is_finite), share_limits(y, *nothing, is_finite=is_finite)


def weighted(kind: str, y: np.ndarray, f: np.ndarray, w: np.ndarray, everything: np.ndarray) -> tuple[Limits, Limits]:
    """The same of units drawn with unequal chances."""
    if kind == "mean":
        ours = weighted_mean_limits(y, f, w, everything, is_finite=True)
        return ours, weighted_mean_limits(y, f, w, everything, is_finite=True, uses_model=False)
    nothing = np.zeros(len(y)), w, np.zeros(len(everything))
    return weighted_share_limits(y, f, w, everything, is_finite=True), weighted_share_limits(
        y, *nothing, is_finite=True
    )


def coverage(kind: str, n: int, studies: int, seed: int) -> tuple[float, float]:
    """About a population: how often the interval holds the truth, and its width against that of people alone."""
    random = generator(seed, n)
    truth = world(random, kind, 2_000_000)[0].mean() if kind == "mean" else SHARES[kind][0]

    def once() -> tuple[Limits, Limits, float]:
        y, f = world(random, kind, n)
        return *both(kind, y, f, world(random, kind, MANY)[1], is_finite=False), truth

    return held(once, studies)


def coverage_of_these(kind: str, n: int, studies: int, seed: int) -> tuple[float, float]:
    """About these 1,000 units and no others, n of them labelled."""
    random = generator(seed, n)

    def once() -> tuple[Limits, Limits, float]:
        y, f = world(random, kind, THESE)
        return *both(kind, y[:n], f[:n], f[n:], is_finite=True), float(y.mean())

    return held(once, studies)


def coverage_of_weighted(how: str, kind: str, n: int, studies: int, seed: int) -> tuple[float, float]:
    """About these 1,000 units, n drawn with unequal chances; NaN where they are worth too few for an estimate."""
    random, worths = generator(seed, n), []

    def once() -> tuple[Limits, Limits, float]:
        y, f = world(random, kind, THESE)
        chosen, w = drawn(random, how, kind, y, f, n)
        worths.append(worth(w))
        return *weighted(kind, y[chosen], f[chosen], w, f), float(y.mean())

    found = held(once, studies)
    return found if np.median(worths) >= LEAST_WORTH else (np.nan, np.nan)


def held(once: Callable[[], tuple[Limits, Limits, float]], studies: int) -> tuple[float, float]:
    """How often the truth is held, and the median width against that of people alone."""
    hits, widths = [], []
    for _ in range(studies):
        ours, alone, truth = once()
        hits.append(ours.low <= truth <= ours.high)
        widths.append((ours.high - ours.low) / (alone.high - alone.low))
    return float(np.mean(hits)), float(np.median(widths))


def difference_coverage(studies: int, seed: int) -> float:
    """The difference of two shares, 200 labels each."""
    random, hits = generator(seed, 1), []
    for _ in range(studies):
        sides = []
        for kind in ("share .30", "share .10"):
            y, f = world(random, kind, 200)
            sides.append(share_limits(y, f, world(random, kind, MANY)[1]))
        found = difference_limits(*sides)
        hits.append(found.low <= 0.2 <= found.high)
    return float(np.mean(hits))


def difference(kind: str, n: int, studies: int, seed: int) -> tuple[float, float]:
    """As the other rows."""
    return difference_coverage(studies, seed), np.nan


def plan() -> list[tuple[str, str, int, Callable[[str, int, int, int], tuple[float, float]]]]:
    """All that is simulated: what about, which figure, how many labels, and how."""
    told: dict[str, Callable[[str, int, int, int], tuple[float, float]]] = {
        "a population": coverage,
        "these units": coverage_of_these,
        "drawn by model": partial(coverage_of_weighted, "by model"),
        "drawn by answer": partial(coverage_of_weighted, "by answer"),
    }
    found = [(about, kind, n, how) for about, how in told.items() for kind in KINDS for n in LABELS]
    return [*found, ("a population", "difference", 200, difference)]


def simulated(
    about: str, kind: str, n: int, how: Callable[[str, int, int, int], tuple[float, float]], studies: int
) -> Row:
    """One row; again with more studies and another seed where it is out of bounds."""
    may_be_wide = (kind in SHARES and n * SHARES[kind][0] < 10) or about == "drawn by answer"
    row = Row(about, kind, n, *how(kind, n, studies, SEED), may_be_wide)
    return Row(about, kind, n, *how(kind, n, 5 * studies, SEED + 1), may_be_wide) if row.is_bad(studies) else row


def main(studies: int, *, markdown: bool) -> int:
    """Print the rows."""
    head = ("about", "figure", "labels", "coverage", "width")
    print("| " + " | ".join(head) + " |\n|" + "---|" * 5 if markdown else "{:16}{:12}{:>8}{:>12}{:>8}".format(*head))
    bad = 0
    for one in plan():
        row = simulated(*one, studies)
        is_bad = row.is_bad(studies)
        bad += is_bad
        width = "" if np.isnan(row.width) else f"{row.width:.2f}"
        held_ = "no estimate" if np.isnan(row.coverage) else f"{row.coverage:.3f}"
        cells = (row.about, row.kind, str(row.labels), held_, width)
        line = "| " + " | ".join(cells) + " |" if markdown else "{:16}{:12}{:>8}{:>12}{:>8}".format(*cells)
        print(line + ("   out of bounds" if is_bad else ""), flush=True)
    return int(bool(bad))


if __name__ == "__main__":
    given = [one for one in sys.argv[1:] if one != "--markdown"]
    sys.exit(main(int(given[0]) if given else 4_000, markdown="--markdown" in sys.argv))
