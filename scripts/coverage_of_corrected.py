"""How often intervals of corrected shares and means hold the truth: invented studies, four numbers of labels a row.

python scripts/coverage_of_corrected.py [STUDIES]     1,000 unless said; exit code 1 if a row is out of bounds

Bounds are 93.5 to 96.5 %, widened by what so few studies scatter; an interval may be wider where labels × share < 10.
"""

import sys

import numpy as np

from concordant.judging.corrected import Limits, difference_limits, mean_limits, share_limits
from concordant.randomness import generator

MANY, LABELS = 5_000, (50, 100, 200, 400)
SHARES = {
    "share .30": (0.3, 0.8, 0.1),
    "share .10": (0.1, 0.7, 0.05),
    "share .03": (0.03, 0.6, 0.02),
    "useless": (0.3, 0.5, 0.5),
}
LOW, HIGH = 0.935, 0.965


def world(random: np.random.Generator, kind: str, size: int) -> tuple[np.ndarray, np.ndarray]:
    """What people say of units and what a model says; a lenient model on five points, or one that hits and misses."""
    if kind == "mean":
        z = random.normal(size=size)
        people = np.clip(np.round(3 + 1.1 * z + random.normal(0, 0.6, size)), 1, 5)
        return people, np.clip(np.round(3.4 + z + random.normal(0, 0.6, size)), 1, 5)
    share, hit, alarm = SHARES[kind]
    people = (random.random(size) < share).astype(float)
    return people, (random.random(size) < np.where(people == 1, hit, alarm)).astype(float)


def limits(kind: str, y: np.ndarray, f: np.ndarray, rest: np.ndarray) -> tuple[Limits, Limits]:
    """With the model, and by people alone."""
    if kind == "mean":
        return mean_limits(y, f, rest), mean_limits(y, f, rest, uses_model=False)
    return share_limits(y, f, rest), share_limits(y, np.zeros(len(y)), np.zeros(len(rest)))


def coverage(kind: str, n: int, studies: int, seed: int) -> tuple[float, float]:
    """How often the interval holds the truth, and its width against that of people alone."""
    random = generator(seed, n)
    truth = world(random, kind, 2_000_000)[0].mean() if kind == "mean" else SHARES[kind][0]
    hits, widths = [], []
    for _ in range(studies):
        y, f = world(random, kind, n)
        ours, alone = limits(kind, y, f, world(random, kind, MANY)[1])
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


def main(studies: int) -> int:
    """Print the rows."""
    scatter = 2 * np.sqrt(0.05 * 0.95 / studies)
    bad = 0
    print(f"{'kind':12}{'labels':>8}{'coverage':>10}{'width':>8}")
    for kind in ("mean", *SHARES):
        for n in LABELS:
            found, width = coverage(kind, n, studies, 7)
            is_rare = kind != "mean" and n * SHARES[kind][0] < 10
            is_bad = found < LOW - scatter or (found > HIGH + scatter and not is_rare)
            bad += is_bad
            print(f"{kind:12}{n:8}{found:10.3f}{width:8.2f}{'   out of bounds' if is_bad else ''}")
    found = difference_coverage(studies, 7)
    print(f"{'difference':12}{'200+200':>8}{found:10.3f}")
    return int(bool(bad) or not LOW - scatter <= found <= HIGH + scatter)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000))
