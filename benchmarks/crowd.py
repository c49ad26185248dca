"""How long alpha with 2,000 resamples takes for a crowd, beside counting the judgements; and what clusters cost.

    python benchmarks/crowd.py                      # 10 million judgements, 5,000 raters, 2 million units
    python benchmarks/crowd.py --units 200000

Every unit has five judgements in five categories. Times are of one run on one machine, so only ratios mean anything.
"""

import argparse
import resource
from collections.abc import Callable
from functools import partial
from time import perf_counter, process_time

import numpy as np

from concordant.engines.tally import tally
from concordant.model.judgements import Judgements, Rows
from concordant.model.scale import Level, make_scale
from concordant.uncertainty.estimate import measure

RATERS, EACH, CATEGORIES, RESAMPLES = 5_000, 5, 5, 2_000


def make_crowd(n_units: int) -> Judgements:
    """Raters who are right seven times in ten."""
    random = np.random.default_rng(1)
    truth, unit = random.integers(0, CATEGORIES, n_units), np.repeat(np.arange(n_units), EACH)
    rater = np.repeat(random.integers(0, RATERS, n_units), EACH) + np.tile(np.arange(EACH) * 7, n_units)
    said = np.where(random.random(len(unit)) < 0.7, truth[unit], random.integers(0, CATEGORIES, len(unit)))
    names = [str(c + 1) for c in range(CATEGORIES)]
    return Judgements(
        scale=make_scale(names, level=Level.NOMINAL, categories=names),
        raters=tuple(f"rater {i}" for i in range(RATERS)),
        n_units=n_units,
        table=Rows(unit=unit, rater=rater % RATERS, value=said),
    )


def make_scores(n_units: int) -> Judgements:
    """Three raters' scores of units, no two of which are alike."""
    random = np.random.default_rng(2)
    return Judgements.from_matrix(random.normal(size=(n_units, 1)) + random.normal(size=(n_units, 3)), level="interval")


def cost_of_clusters(what: str, units: Judgements) -> None:
    """The bootstrap over units that stand alone and over clusters: processor time by turns, the least of seven.

    Of the crowd's units there are few kinds: of these the bootstrap over units draws how many of each kind, which is
    nearly free. Of clusters there are many kinds, and each is drawn: the last column says what only the random numbers
    cost that choose them. They have to be counted, too, which costs as much again.
    """
    n, sizes, random = units.n_units, (0, 1, 2, 4, 8), np.random.default_rng(1)
    kinds = {size: tally(units if size == 0 else units.with_clusters(np.arange(n) // size)) for size in sizes}
    work: dict[tuple[str, int], Callable[[], object]] = {}
    for size, data in kinds.items():
        measure(data, "alpha", ci="none")
        work["all", size] = partial(measure, data, "alpha", ci="bootstrap", seed=1)
        work["chance", size] = partial(random_numbers, random, n // max(size, 1))
    spent = least_of(7, work)
    alone = spent["all", 0]
    for size in sizes:
        how, chance = f"in clusters of {size}" if size else "that stand alone", spent["chance", size]
        ratio = f"{spent['all', size] / alone:.1f} times ({chance / alone:.1f} for random numbers of so many)"
        print(f"{what}, {n:,} units {how}: {1000 * spent['all', size]:.0f} ms, {ratio}")


def random_numbers(random: np.random.Generator, n: int) -> None:
    """As many as 2,000 resamples of n take."""
    for _ in range(RESAMPLES):
        random.integers(0, n, n, dtype=np.int32)


def least_of(turns: int, work: dict[tuple[str, int], Callable[[], object]]) -> dict[tuple[str, int], float]:
    """The least processor time of each, which take turns: so a busy machine is as busy for all."""
    least = dict.fromkeys(work, float("inf"))
    for _ in range(turns):
        for name, one in work.items():
            begin = process_time()
            one()
            least[name] = min(least[name], process_time() - begin)
    return least


def main() -> None:
    """Print seconds and ratios."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--units", type=int, default=2_000_000)
    n_units = asked.parse_args().units
    crowd = make_crowd(n_units)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    begin = perf_counter()
    counted = tally(crowd)
    tallied = perf_counter() - begin
    begin = perf_counter()
    result = measure(counted, "alpha", seed=1)
    measured = perf_counter() - begin
    more = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6 - before
    print(
        f"{len(crowd.rows().unit):,} judgements: tally {tallied:.1f} s, alpha with its interval and signature "
        f"{measured:.1f} s: together {(tallied + measured) / tallied:.1f} times the tally; {more:.1f} GB more"
    )
    print(f"  {result.interval}")
    for n in (1_300, 20_000):
        cost_of_clusters("few kinds of units", make_crowd(n))
        cost_of_clusters("no two units alike", make_scores(n))


if __name__ == "__main__":
    main()
