"""How long alpha with 2,000 resamples takes for a crowd, beside counting the judgements; and what clusters cost.

    python benchmarks/crowd.py                      # 10 million judgements, 5,000 raters, 2 million units
    python benchmarks/crowd.py --units 200000

Every unit has five judgements in five categories. Times are of one run on one machine, so only ratios mean anything.
"""

import argparse
import resource
from time import perf_counter, process_time

import numpy as np

from concordant.engines.tally import tally
from concordant.model.judgements import Judgements, Rows
from concordant.model.scale import Level, make_scale
from concordant.uncertainty.estimate import measure

RATERS, EACH, CATEGORIES = 5_000, 5, 5


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
    """The bootstrap over units that stand alone, and over clusters of them: processor time, the best of three.

    Of the crowd's units there are few kinds, of which the bootstrap over units is nearly free, and of clusters many.
    """
    n_units, alone = units.n_units, 0.0
    for size in (0, 1, 2, 4, 8):
        data = tally(units if size == 0 else units.with_clusters(np.arange(n_units) // size))
        measure(data, "alpha", ci="none")
        spent = []
        for _ in range(3):
            begin = process_time()
            measure(data, "alpha", ci="bootstrap", seed=1)
            spent.append(process_time() - begin)
        alone = alone or min(spent)
        how = f"in clusters of {size}" if size else "that stand alone"
        print(f"{what}, {n_units:,} units {how}: {1000 * min(spent):.0f} ms, {min(spent) / alone:.1f} times")


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
