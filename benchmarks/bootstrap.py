"""How long 1,000 resamples of Krippendorff's alpha take, beside a loop over the `krippendorff` package.

    python benchmarks/bootstrap.py                              # krippendorff installed here
    python benchmarks/bootstrap.py --peer /path/to/python       # or for another interpreter

Data: 5 raters, 5 categories, 10 % missing, an int8 matrix in memory. Both draw units with replacement and compute alpha
1,000 times; the peer's loop is timed on fewer resamples and multiplied, for it takes long. All times are of one run on
one machine, so only the ratios mean anything.
"""

import argparse
import json
import subprocess
import sys
from collections.abc import Callable
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

RESAMPLES = 1000
PEER = """
import json, sys, time
import numpy as np, krippendorff
matrix = np.load(sys.argv[1]).T.astype(float)
matrix[matrix < 0] = np.nan
rng, loops = np.random.default_rng(1), int(sys.argv[3])
begin = time.perf_counter()
for _ in range(loops):
    units = rng.integers(0, matrix.shape[1], matrix.shape[1])
    value = krippendorff.alpha(reliability_data=matrix[:, units], level_of_measurement=sys.argv[2])
print(json.dumps({"seconds": (time.perf_counter() - begin) / loops, "value": value}))
"""


def make_matrix(n_units: int) -> NDArray[np.int8]:
    """Five raters who agree with the truth seven times in ten; -1 is missing."""
    random = np.random.default_rng(2)
    truth = random.integers(0, 5, n_units, dtype=np.int8)[:, None]
    guess = random.integers(0, 5, (n_units, 5), dtype=np.int8)
    matrix = np.where(random.random((n_units, 5)) < 0.7, truth, guess)
    matrix[random.random((n_units, 5)) < 0.1] = -1
    return matrix


def best_of(times: int, work: Callable[[], object]) -> float:
    """Seconds of the quickest of several runs."""
    seconds = []
    for _ in range(times):
        begin = perf_counter()
        work()
        seconds.append(perf_counter() - begin)
    return min(seconds)


def ours(matrix: NDArray[np.int8], level: str) -> tuple[float, float, float]:
    """Seconds for the whole (reading the matrix included), for the bootstrap alone, and for alpha alone."""
    from concordant.engines.tally import tally
    from concordant.model.judgements import Judgements
    from concordant.uncertainty.estimate import measure

    def tallied() -> object:
        return tally(Judgements.from_matrix(matrix, level=level, missing=[-1]))

    def whole() -> object:
        return measure(tallied(), "alpha", resamples=RESAMPLES, seed=1)

    data = tallied()
    alone = best_of(3, lambda: measure(data, "alpha", resamples=RESAMPLES, seed=1))
    return best_of(3, whole), alone, best_of(3, tallied)


def peers(python: str, matrix: NDArray[np.int8], level: str, loops: int) -> float | None:
    """Seconds of the peer's loop for 1,000 resamples; None where it is not installed."""
    import tempfile

    with tempfile.NamedTemporaryFile(suffix=".npy") as file:
        np.save(file, matrix)
        file.flush()
        done = subprocess.run(
            [python, "-c", PEER, file.name, level, str(loops)], check=False, capture_output=True, text=True
        )
    if "No module named" in done.stderr:
        return None
    done.check_returncode()
    return float(json.loads(done.stdout)["seconds"]) * RESAMPLES


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("--peer", default=sys.executable, help="Python interpreter that has krippendorff installed")
    parser.add_argument("--loops", type=int, default=20, help="resamples of the peer that are timed")
    options = parser.parse_args()
    small, large = make_matrix(20_000), make_matrix(2_000_000)
    for level in ("nominal", "ordinal", "interval"):
        whole, alone, reading = ours(small, level)
        theirs = peers(options.peer, small, level, options.loops)
        big_whole, big_alone, big_reading = ours(large, level)
        print(f"alpha ({level}), {RESAMPLES:,} resamples")
        print(f"  100,000 judgements: concordant {whole:.3f} s (bootstrap {alone:.3f}, tally {reading:.3f})")
        said = "not installed" if theirs is None else f"{theirs:.1f} s: {theirs / whole:.0f} times as long"
        print(f"                      krippendorff in a loop {said}")
        print(f"  10 million:   concordant {big_whole:.3f} s (bootstrap {big_alone:.3f}, tally {big_reading:.3f})")
        ratios = f"bootstrap {big_alone / alone:.2f} times, whole {big_whole / whole:.2f} times"
        print(f"                      {ratios} that of 100,000")


if __name__ == "__main__":
    main()
