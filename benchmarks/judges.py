"""How long models take to be judged, beside tallying the same judgements.

    python benchmarks/judges.py                     # 100,000 units, 3 people, 6 models
    python benchmarks/judges.py --units 10000

Values are invented: everybody is at most one point off the truth. Only ratios of one run mean anything.
"""

import argparse
from time import process_time

import numpy as np

from concordant.engines.tally import tally
from concordant.judging.judge import judges
from concordant.randomness import generator
from concordant.readers.data import as_study

NAMES = ["h0", "h1", "h2", *(f"m{m}" for m in range(6))]


def main() -> None:
    """Tally, judge, print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--units", type=int, default=100_000)
    n = parser.parse_args().units
    random = generator(7)
    truth = random.integers(1, 6, n)
    data = {
        "unit": np.tile(np.arange(n), len(NAMES)),
        "rater": np.repeat(NAMES, n),
        "value": np.concatenate([np.clip(truth + random.integers(-1, 2, n), 1, 5) for _ in NAMES]),
    }
    study = as_study(data, models=["m*"], kind="all", level="interval")
    start = process_time()
    tally(study.judgements())
    counted = process_time() - start
    start = process_time()
    judges(study)
    judged = process_time() - start
    print(f"{n:,} units: {counted:.2f} s to tally, {judged:.2f} s to judge 6 models ({judged / counted:.0f} ×)")


if __name__ == "__main__":
    main()
