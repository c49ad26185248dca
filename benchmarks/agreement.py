"""How fast are the coefficients, next to other tools, in one run?

    python benchmarks/agreement.py [--judgements 10000000] [--repeat 3]

Five raters, five categories, 10 % missing, an int8 matrix in memory. Peers that are not installed are skipped and
said so. Every line is the best of several runs in this process; ratios are peer / assent, so larger is better for us.
Peers that would take more than a minute are timed on fewer judgements and scaled up linearly, which is said.
"""

import argparse
import importlib
import time
import tracemalloc
from collections.abc import Callable
from typing import Any

import numpy as np

from assent.model.judgements import Judgements
from assent.uncertainty.estimate import measure

RATERS, CATEGORIES, MISSING = 5, 5, 0.1


def make(n_judgements: int) -> np.ndarray[Any, np.dtype[np.int8]]:
    """Units × raters; -1 is missing."""
    rng = np.random.default_rng(0)
    n_units = n_judgements // RATERS
    truth = rng.integers(0, CATEGORIES, n_units, dtype=np.int8)
    matrix = np.where(
        rng.random((n_units, RATERS)) < 0.7, truth[:, None], rng.integers(0, CATEGORIES, (n_units, RATERS))
    )
    matrix[rng.random((n_units, RATERS)) < MISSING] = -1
    return matrix.astype(np.int8)


def best(work: Callable[[], Any], repeat: int) -> float:
    """The shortest of several times, in seconds."""
    times = []
    for _ in range(repeat):
        started = time.perf_counter()
        work()
        times.append(time.perf_counter() - started)
    return min(times)


def ours(matrix: Any, key: str, level: str) -> Callable[[], Any]:
    """From the matrix to the value, nothing kept between runs."""
    return lambda: measure(Judgements.from_matrix(matrix, level=level, missing=[-1]), key, ci="none", seed=1)


def numpy_bound(matrix: Any) -> Any:
    """Hand-written Fleiss' kappa and nominal alpha from counts: about as fast as numpy can."""
    counts = np.stack([(matrix == c).sum(axis=1) for c in range(CATEGORIES)], axis=1)
    n = counts.sum(axis=1)
    paired = n > 1
    agreement = ((counts[paired] * (counts[paired] - 1)).sum(axis=1) / (n[paired] * (n[paired] - 1))).mean()
    share = counts.sum(axis=0) / counts.sum()
    return (agreement - (share**2).sum()) / (1 - (share**2).sum())


def peers(matrix: Any) -> dict[str, dict[str, Callable[[], Any]]]:
    """What each installed peer calls the same coefficient."""
    found: dict[str, dict[str, Callable[[], Any]]] = {}
    floats = np.where(matrix < 0, np.nan, matrix.astype(np.float64))
    if module := _load("krippendorff"):
        found["krippendorff"] = {
            "alpha nominal": lambda: module.alpha(
                floats.T, level_of_measurement="nominal", value_domain=range(CATEGORIES)
            ),
            "alpha interval": lambda: module.alpha(
                floats.T, level_of_measurement="interval", value_domain=range(CATEGORIES)
            ),
        }
    if _load("irrCAC"):
        found["irrCAC"] = _irrcac(floats)
    if _load("nltk"):
        found["nltk"] = _nltk(matrix)
    if module := _load("statsmodels.stats.inter_rater"):
        complete = matrix[(matrix >= 0).all(axis=1)]
        found["statsmodels"] = {"fleiss": lambda: module.fleiss_kappa(module.aggregate_raters(complete)[0])}
    if module := _load("sklearn.metrics"):
        both = matrix[(matrix[:, :2] >= 0).all(axis=1)][:, :2]
        found["sklearn"] = {"kappa": lambda: module.cohen_kappa_score(both[:, 0], both[:, 1])}
    return found


def _load(name: str) -> Any:
    """A module if it is installed."""
    try:
        return importlib.import_module(name)
    except ImportError:
        print(f"({name} is not installed: skipped)")
        return None


def _irrcac(floats: Any) -> dict[str, Callable[[], Any]]:
    import pandas as pd
    from irrCAC.raw import CAC

    frame = pd.DataFrame(floats)
    return {
        "alpha nominal": lambda: CAC(frame).krippendorff(),
        "fleiss": lambda: CAC(frame).fleiss(),
        "ac1": lambda: CAC(frame).gwet(),
    }


def _nltk(matrix: Any) -> dict[str, Callable[[], Any]]:
    from nltk.metrics.agreement import AnnotationTask

    unit, rater = np.nonzero(matrix >= 0)
    triples = list(zip(rater.tolist(), unit.tolist(), matrix[unit, rater].tolist(), strict=True))
    return {"alpha nominal": lambda: AnnotationTask(data=triples).alpha()}


LIMITS = {"nltk": 20_000, "irrCAC": 100_000}  # judgements that finish in reasonable time
CASES = {
    "alpha nominal": ("alpha", "nominal"),
    "alpha interval": ("alpha", "interval"),
    "fleiss": ("fleiss", "nominal"),
    "ac1": ("ac1", "nominal"),
    "kappa": ("kappa", "nominal"),
}


def report(n: int, repeat: int) -> None:
    """Our times first, then each peer's with the ratio."""
    matrix = make(n)
    times: dict[str, float] = {}
    for case, (key, level) in CASES.items():
        data = matrix[:, :2] if key == "kappa" else matrix
        times[case] = best(ours(data, key, level), repeat)
        print(f"assent        {case:15} {n:>11,} judgements  {times[case]:9.4f} s")
    bound = best(lambda: numpy_bound(matrix), repeat)
    print(
        f"numpy bound   {'fleiss':15} {n:>11,} judgements  {bound:9.4f} s   assent / bound {times['fleiss'] / bound:6.2f}"
    )
    print_memory(matrix)
    for name, cases in peers(matrix).items():
        for case, work in _sized(name, cases, n):
            scale = n / min(n, LIMITS.get(name, n))
            seconds = best(work, 1) * scale
            said = " (scaled up)" if scale > 1 else ""
            print(
                f"{name:13} {case:15} {n:>11,} judgements  {seconds:9.4f} s   peer / assent {seconds / times[case]:10.1f}{said}"
            )


def _sized(name: str, cases: dict[str, Callable[[], Any]], n: int) -> list[tuple[str, Callable[[], Any]]]:
    """The peer's functions on as many judgements as it can take."""
    if name not in LIMITS or n <= LIMITS[name]:
        return list(cases.items())
    return list(peers(make(LIMITS[name]))[name].items())


def print_memory(matrix: Any) -> None:
    """The most that one coefficient needs beside the matrix."""
    for case, (key, level) in CASES.items():
        tracemalloc.start()
        ours(matrix[:, :2] if key == "kappa" else matrix, key, level)()
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        print(
            f"assent        {case:15} extra memory {peak / 1e6:8.1f} MB = {peak / matrix.nbytes:.1f} × the int8 matrix"
        )


def main() -> None:
    """Parse and run."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--judgements", type=int, default=10_000_000)
    parser.add_argument("--repeat", type=int, default=3)
    given = parser.parse_args()
    report(given.judgements, given.repeat)


if __name__ == "__main__":
    main()
