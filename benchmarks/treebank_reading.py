"""How long reading and comparing two profiles takes, against PyDelphin's own reading of the same tables.

    python benchmarks/treebank_reading.py PROFILE_A PROFILE_B [SENTENCES]

The two profiles are repeated until they hold SENTENCES sentences each (2,000 by default; with the ERG repeats of 175
sentences that makes about 92,000 decisions), so that the tables are as large as a real corpus. Both sides run in one
process, in turn, twice; the best CPU times are printed.
"""

import gzip
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from delphin import itsdb, tsdb

from assent.treebank import compare
from assent.treebank.suites import find_suites

TABLES = ("item", "parse", "result", "preference", "tree", "decision")


def enlarge(source: Path, target: Path, n_sentences: int) -> None:
    """Write the sentences of a profile again and again under new numbers, zipped, until there are enough."""
    target.mkdir()
    (target / "relations").write_bytes((source / "relations").read_bytes())
    schema = tsdb.read_schema(source)
    lines = {name: _lines(source, name) for name in TABLES}
    copies = -(-n_sentences // len(lines["parse"]))
    for name in TABLES:
        columns = [field.name for field in schema[name]]
        places = [columns.index(column) for column in ("i-id", "parse-id") if column in columns]
        with gzip.open(target / f"{name}.gz", "wt", encoding="utf-8") as file:
            for copy in range(copies):
                file.writelines(_renumbered(line, places, copy) for line in lines[name])


def _lines(source: Path, name: str) -> list[str]:
    with tsdb.open(source, name, encoding="utf-8") as file:
        return list(file)


def _renumbered(line: str, places: list[int], copy: int) -> str:
    cells = line.split("@")
    for place in places:
        cells[place] = str(int(cells[place]) + 1_000_000 * copy)
    return "@".join(cells)


def read_with_delphin(path: Path) -> int:
    """All rows of the tables that a comparison needs, with their values, as PyDelphin gives them."""
    suite = itsdb.TestSuite(path)
    return sum(len(tuple(row)) > 0 for name in TABLES for row in suite[name])


def best_of(times: int, work: Callable[[], object]) -> float:
    """The shortest of several runs."""
    found = []
    for _ in range(times):
        start = time.process_time()
        work()
        found.append(time.process_time() - start)
    return min(found)


def main(a: Path, b: Path, n_sentences: int) -> None:
    """Print both times and their ratio."""
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder) / name for name in ("a", "b")]
        for source, target in zip((a, b), paths, strict=True):
            enlarge(next(iter(find_suites(source).values())), target, n_sentences)
        found = compare(*paths)
        theirs = best_of(2, lambda: [read_with_delphin(path) for path in paths])
        ours = best_of(2, lambda: compare(*paths, edm=False))
        with_edm = best_of(2, lambda: compare(*paths))
        n_decisions = sum(len(_lines(path, "decision")) for path in paths)
    print(f"{len(found.sentences):,} sentences, {n_decisions:,} decisions, K = {found.kappa:.3f}")
    print(f"PyDelphin reads both     {theirs:6.2f} s")
    print(f"assent reads and compares {ours:5.2f} s, {ours / theirs:.2f} times as long")
    print(f"… and decodes MRSs for EDM {with_edm:4.2f} s, {with_edm / theirs:.2f} times as long")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else 2000)
