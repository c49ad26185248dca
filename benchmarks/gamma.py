"""Gamma side by side with pygamma-agreement: how many times faster, on the same continua, in one run.

    python benchmarks/gamma.py --peer /path/to/python-with-pygamma [--santa santa_spans.csv] [--plot growth.svg]

The peer runs in its own interpreter (PYGAMMA_PYTHON names it too), because it needs other packages; give it cylp too:
with CBC it is faster than with GLPK, which crashes in its threads. Both sides get the same continua and options
(alpha = beta = delta_empty = 1, statistical sampler, 30 samples for gamma); imports and the peer's compilation are not
counted. A time is the minimum of as many runs as fit into a few seconds, at least one; on a busy machine the seconds of
computing (of all threads) say more than those on the clock. Both ratios must be reached.
"""

import argparse
import functools
import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

SAMPLES = 30
PATIENCE = 3.0
GIVE_UP = 120
ALIGNMENTS = [(2, 100, 35), (2, 300, 35), (2, 1000, 35), (3, 200, 150), (3, 500, 500), (4, 100, 1000)]
GAMMAS = [(2, 100, 20), (2, 1000, 50), (3, 200, 100), (4, 50, 150)]
LARGE = (5, 1000)

Units = list[list[list[Any]]]


def continuum(n_raters: int, n_units: int, seed: int = 1) -> Units:
    """Raters who marked the same events with errors: shifted ends, a unit in ten missed, a category in seven wrong."""
    random = np.random.default_rng([seed, n_raters, n_units])
    begin = np.cumsum(random.exponential(8, n_units) + 8) + 20
    length, category = random.uniform(4, 14, n_units), random.integers(0, 5, n_units)
    raters = []
    for _ in range(n_raters):
        kept = random.random(n_units) < 0.9
        first = begin + random.normal(0, 2, n_units)
        last = first + np.maximum(1, length + random.normal(0, 2, n_units))
        label = np.where(random.random(n_units) < 1 / 7, random.integers(0, 5, n_units), category)
        marks = zip(first[kept], last[kept], label[kept], strict=True)
        raters.append([[float(b), float(e), f"c{c}"] for b, e, c in marks])
    return raters


def timed(work: Callable[[], Any]) -> tuple[float, float, Any]:
    """The least time on the clock and the least time of computing of some runs, and the last result."""
    clock, computing, spent, result = float("inf"), float("inf"), 0.0, None
    while spent < PATIENCE:
        start, used = time.perf_counter(), time.process_time()
        result = work()
        took = time.perf_counter() - start
        clock, computing, spent = min(clock, took), min(computing, time.process_time() - used), spent + took
    return clock, computing, result


# --- the peer's side: run by its interpreter, one question per line


def all_of(work: Callable[[Any], float], texts: list[Any]) -> list[float]:
    """The number of every text."""
    return [work(text) for text in texts]


def peer() -> None:
    """Answer questions from standard input with a time and a number."""
    import logging

    from pyannote.core import Segment
    from pygamma_agreement import CombinedCategoricalDissimilarity, Continuum

    logging.disable(logging.CRITICAL)
    chosen = CombinedCategoricalDissimilarity()

    def made(raters: Units) -> Continuum:
        whole = Continuum()
        for number, units in enumerate(raters):
            whole.add_annotator(f"r{number}")
            for begin, end, category in units:
                whole.add(f"r{number}", Segment(begin, end), category)
        return whole

    def gamma_of(text: Continuum) -> float:
        try:
            return float(text.compute_gamma(chosen, n_samples=SAMPLES).gamma)
        except (AssertionError, ValueError, TypeError):  # the peer fails on some samples without units
            return float("nan")

    def best_disorder(text: Continuum) -> float:
        return float(text.get_best_alignment(chosen).disorder)

    made(continuum(2, 5)).compute_gamma(chosen, n_samples=2)  # compile
    print("ready", flush=True)
    for line in sys.stdin:
        kind, texts = json.loads(line)
        work = best_disorder if kind == "alignment" else gamma_of
        clock, computing, found = timed(functools.partial(all_of, work, [made(text) for text in texts]))
        print(json.dumps([clock, computing, float(found[0])]), flush=True)


class Peer:
    """The other interpreter, asked one question after the other."""

    def __init__(self, python: str) -> None:
        """Start it and wait until it has compiled."""
        self._process = subprocess.Popen(
            [python, __file__, "--answer"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        started = time.perf_counter()
        assert self._process.stdout is not None
        if self._process.stdout.readline().strip() != "ready":
            sys.exit(f"{python} has no pygamma-agreement")
        print(f"the peer was ready after {time.perf_counter() - started:.1f} s")

    def ask(self, kind: str, texts: list[Units]) -> tuple[float, float, float]:
        """Both times and the first number of the peer."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps([kind, texts]) + "\n")
        self._process.stdin.flush()
        clock, computing, found = json.loads(self._process.stdout.readline())
        return clock, computing, found

    def stop(self) -> None:
        """End it."""
        self._process.kill()


# --- our side


def ours(texts: list[Units]) -> list[Any]:
    """Our continua."""
    from concordant.model.continuum import Continuum

    made = []
    for raters in texts:
        categories = sorted({unit[2] for units in raters for unit in units})
        made.append(
            Continuum(
                raters=tuple(f"r{number}" for number in range(len(raters))),
                categories=tuple(categories),
                rater=np.repeat(np.arange(len(raters)), [len(units) for units in raters]),
                begin=np.array([unit[0] for units in raters for unit in units]),
                end=np.array([unit[1] for units in raters for unit in units]),
                category=np.array([categories.index(unit[2]) for units in raters for unit in units]),
            )
        )
    return made


def our_alignment(texts: list[Units]) -> tuple[float, float, float]:
    """Both times and the first disorder."""
    from concordant.measures.unitizing.alignment import best_alignment
    from concordant.measures.unitizing.units import Dissimilarity
    from concordant.measures.unitizing.units import Units as Flat

    made, chosen = ours(texts), Dissimilarity()
    *took, found = timed(lambda: [best_alignment(Flat.of(text), chosen).disorders(chosen)[0] for text in made])
    return took[0], took[1], float(found[0])


def our_gamma(texts: list[Units]) -> tuple[float, float, float]:
    """Both times and the first gamma, with the peer's conventions."""
    from concordant.uncertainty.estimate import measure

    made, chosen = ours(texts), {"variant": "pygamma", "samples": SAMPLES}
    *took, found = timed(lambda: [measure(text, "gamma", seed=1, **chosen).value for text in made])
    return took[0], took[1], float(found[0])


def compare(name: str, kind: str, texts: list[Units], wanted: float, other: Peer) -> bool:
    """One line of the table; whether the ratio is reached."""
    clock, computing, value = (our_alignment if kind == "alignment" else our_gamma)(texts)
    their_clock, their_computing, their_value = other.ask(kind, texts)
    ratios = their_clock / clock, their_computing / computing
    verdict = "reached" if min(ratios) >= wanted else "MISSED"
    on_clock = f"{their_clock:>9.3f} {clock:>9.5f} {ratios[0]:>7.0f} ×"
    of_computing = f"{their_computing:>9.3f} {computing:>9.5f} {ratios[1]:>7.0f} ×"
    print(
        f"{name:<26} {on_clock} {of_computing} {wanted:>7.0f} × {verdict:>8}   {their_value:.5f} {value:.5f}",
        flush=True,
    )
    return min(ratios) >= wanted


def large() -> bool:
    """5 raters × 1,000 units, which the peer does not finish in two minutes: our time and memory."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    took, computing, _ = our_alignment([continuum(*LARGE)])
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"alignment {LARGE[0]} × {LARGE[1]:,}: {took:.2f} s on the clock, {computing:.2f} s of computing (under 3 s),"
    )
    print(f"{memory:.0f} MB at most (under 200), {before:.0f} MB before")
    return computing < 3 and memory < 200


def santa(path: str) -> list[Units]:
    """The texts of the SANTA corpus that both sides can measure: two raters, no span of zero length."""
    from concordant.model.continuum import continua
    from concordant.readers import read

    texts = []
    for text in continua(read(path, holds="spans"), by=["guideline"]):
        names = [text.categories[category] for category in text.category]
        marks = zip(text.rater.tolist(), text.begin.tolist(), text.end.tolist(), names, strict=True)
        if text.n_raters == 2 and (text.end > text.begin).all():
            units = list(dict.fromkeys(marks))  # the peer merges duplicates
            texts.append([[list(unit[1:]) for unit in units if unit[0] == rater] for rater in (0, 1)])
    return texts


def plot(path: str) -> None:
    """Time against the number of units, both axes logarithmic."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 4.5), layout="constrained")
    axes = figure.add_subplot()
    for n_raters, sizes in ((2, (100, 300, 1000, 3000, 10000)), (3, (100, 300, 1000, 3000)), (5, (30, 100, 300, 1000))):
        times = [our_alignment([continuum(n_raters, size)])[1] for size in sizes]
        print(
            f"growth, {n_raters} raters: "
            + ", ".join(f"{s:,} units {t * 1000:.1f} ms" for s, t in zip(sizes, times, strict=True))
        )
        axes.loglog(sizes, times, marker="o", label=f"{n_raters} raters")
    axes.loglog([100, 10000], [3e-4, 3e-2], color="0.6", linestyle="--", label="linear")
    axes.set(xlabel="units per rater", ylabel="seconds of computing, best alignment", title="Cost at fixed density")
    axes.legend(frameon=False)
    figure.savefig(path)


def main() -> None:
    """Run everything and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peer", default=os.environ.get("PYGAMMA_PYTHON"), help="interpreter with pygamma-agreement")
    parser.add_argument("--santa", help="the spans of the SANTA corpus as CSV")
    parser.add_argument("--plot", help="draw how the cost grows into this file")
    parser.add_argument("--answer", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.answer:
        peer()
        return
    sys.path.insert(0, str(Path(__file__).parents[1] / "src"))
    reached = [large()]
    if given.peer:
        other = Peer(given.peer)
        print(f"{'':<26} {'seconds on the clock':<29} {'seconds of computing':<29} {'wanted':>9} {'':>8}   values")
        print(f"{'':<26} {'pygamma':>9} {'concordant':>9} {'ratio':>9} {'pygamma':>9} {'concordant':>9} {'ratio':>9}")
        for n, m, wanted in ALIGNMENTS:
            reached.append(compare(f"alignment {n} × {m:,}", "alignment", [continuum(n, m)], wanted, other))
        for n, m, wanted in GAMMAS:
            reached.append(compare(f"gamma {n} × {m:,}, {SAMPLES} samples", "gamma", [continuum(n, m)], wanted, other))
        if given.santa:
            texts = santa(given.santa)
            reached.append(compare(f"gamma, SANTA ({len(texts)} texts)", "gamma", texts, 20, other))
        other.stop()
    if given.plot:
        plot(given.plot)
    sys.exit(0 if all(reached) else 1)


if __name__ == "__main__":
    main()
