"""How fast are the coefficients, next to other tools, in one run?

    python -P benchmarks/agreement.py [--judgements 10000000] [--repeat 3]

(-P, because one of the peers is a package called agreement, like this file.)

Five raters, five categories, 10 % missing, an int8 matrix in memory. Peers that are not installed are skipped and
said so. Every line is the best of several runs in this process; ratios are peer / concordant, so larger is better.
Peers that would take more than a minute are timed on fewer judgements and scaled up linearly, which is said.
"""

import argparse
import importlib
import time
import tracemalloc
from collections.abc import Callable
from typing import Any

import numpy as np

from concordant.model.judgements import Judgements
from concordant.uncertainty.estimate import measure

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
    makers = {
        "krippendorff": _krippendorff,
        "irrCAC": _irrcac,
        "nltk": _nltk,
        "agreement": _agreement,
        "pyirr": _pyirr,
        "raters": _raters,
        "statsmodels": _statsmodels,
        "sklearn": _sklearn,
    }
    return {name: make_cases(_part(matrix, name)) for name, make_cases in makers.items() if _load(name)}


def _part(matrix: Any, name: str) -> Any:
    """As many units as the peer can take."""
    return matrix[: LIMITS.get(name, matrix.size) // RATERS]


def _floats(matrix: Any) -> Any:
    """The matrix with NaN for missing."""
    return np.where(matrix < 0, np.nan, matrix.astype(np.float64))


def _krippendorff(matrix: Any) -> dict[str, Callable[[], Any]]:
    import krippendorff

    floats, domain = _floats(matrix).T, range(CATEGORIES)
    return {
        "alpha nominal": lambda: krippendorff.alpha(floats, level_of_measurement="nominal", value_domain=domain),
        "alpha interval": lambda: krippendorff.alpha(floats, level_of_measurement="interval", value_domain=domain),
    }


def _agreement(matrix: Any) -> dict[str, Callable[[], Any]]:
    from agreement.metrics import gwets_gamma, krippendorffs_alpha

    # its own way from judgements to counts is quadratic in units, so it gets the counts for nothing
    counts = np.stack([(matrix == c).sum(axis=1) for c in range(CATEGORIES)], axis=1)
    counts = counts[counts.sum(axis=1) > 1].astype(np.float64)
    return {"alpha nominal": lambda: krippendorffs_alpha(counts), "ac1": lambda: gwets_gamma(counts)}


def _pyirr(matrix: Any) -> dict[str, Callable[[], Any]]:
    import pyirr

    complete = matrix[(matrix >= 0).all(axis=1)].astype(np.int64)
    return {
        "fleiss": lambda: pyirr.kappam_fleiss(complete),
        "kappa": lambda: pyirr.kappa2(complete[:, :2], "unweighted"),
    }


def _raters(matrix: Any) -> dict[str, Callable[[], Any]]:
    import raters

    rows = [[None if v < 0 else v for v in column] for column in matrix.T.tolist()]
    return {
        "alpha nominal": lambda: raters.krippendorff_alpha(rows),
        "alpha interval": lambda: raters.krippendorff_alpha(rows, "interval"),
    }


def _statsmodels(matrix: Any) -> dict[str, Callable[[], Any]]:
    from statsmodels.stats import inter_rater

    complete = matrix[(matrix >= 0).all(axis=1)]
    return {"fleiss": lambda: inter_rater.fleiss_kappa(inter_rater.aggregate_raters(complete)[0])}


def _sklearn(matrix: Any) -> dict[str, Callable[[], Any]]:
    from sklearn.metrics import cohen_kappa_score

    both = matrix[(matrix[:, :2] >= 0).all(axis=1)][:, :2]
    return {"kappa": lambda: cohen_kappa_score(both[:, 0], both[:, 1])}


def _load(name: str) -> Any:
    """A module if it is installed."""
    try:
        return importlib.import_module(name)
    except ImportError:
        print(f"({name} is not installed: skipped)")
        return None


def _irrcac(matrix: Any) -> dict[str, Callable[[], Any]]:
    import pandas as pd
    from irrCAC.raw import CAC

    frame = pd.DataFrame(_floats(matrix))
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


LIMITS = {
    "nltk": 20_000,
    "irrCAC": 100_000,
    "pyirr": 20_000,
    "raters": 100_000,
}  # judgements that finish in reasonable time
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
        print(f"concordant        {case:15} {n:>11,} judgements  {times[case]:9.4f} s")
    bound = best(lambda: numpy_bound(matrix), repeat)
    ratio = times["fleiss"] / bound
    print(f"numpy bound   {'fleiss':15} {n:>11,} judgements  {bound:9.4f} s   concordant / bound {ratio:6.2f}")
    print_memory(matrix)
    for name, cases in peers(matrix).items():
        scale = max(1.0, n / LIMITS.get(name, n))
        for case, work in cases.items():
            seconds = best(work, 1) * scale
            said = " (scaled up)" if scale > 1 else ""
            ratio = seconds / times[case]
            print(f"{name:13} {case:15} {n:>11,} judgements  {seconds:9.4f} s   peer / concordant {ratio:9.1f}{said}")


def print_memory(matrix: Any) -> None:
    """The most that one coefficient needs beside the matrix."""
    for case, (key, level) in CASES.items():
        tracemalloc.start()
        ours(matrix[:, :2] if key == "kappa" else matrix, key, level)()
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        print(f"concordant {case:15} extra memory {peak / 1e6:8.1f} MB = {peak / matrix.nbytes:.1f} × the int8 matrix")


def main() -> None:
    """Parse and run."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--judgements", type=int, default=10_000_000)
    parser.add_argument("--repeat", type=int, default=3)
    given = parser.parse_args()
    report(given.judgements, given.repeat)


if __name__ == "__main__":
    main()
