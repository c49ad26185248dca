"""How long reading and comparing two profiles takes, against PyDelphin's own reading of the same tables.

    python benchmarks/treebank_reading.py PROFILE_A PROFILE_B [SENTENCES]

The two profiles are repeated until they hold SENTENCES sentences each (2,000 by default; with the ERG repeats of 175
sentences that makes some 100,000 decisions), so that the tables are as large as a real corpus. concordant remembers
nothing from one sentence to the next, so repeating them makes nothing cheaper.

PyDelphin's side is the reading of the same tables, each row with its values: text unescaped, numbers and dates made of
it. Nothing is compared and no derivation or MRS is decoded; what that takes is a line of its own. All run in one
process, in turn; the shortest CPU times are printed.
"""

import gzip
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from delphin import derivation, itsdb, tsdb
from delphin.codecs import simplemrs

from concordant.treebank import compare
from concordant.treebank.suites import find_suites

TABLES = ("item", "parse", "result", "preference", "tree", "decision")
ROUNDS = 3


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


def decode_with_delphin(path: Path) -> int:
    """The derivations and MRSs of all results: a comparison needs those that were chosen, here all."""
    cells = list(itsdb.TestSuite(path).select_from("result", ("derivation", "mrs"), cast=False))
    return sum(bool(derivation.from_string(tree)) + bool(simplemrs.decode(mrs)) for tree, mrs in cells)


def shortest(works: dict[str, Callable[[], object]]) -> dict[str, float]:
    """The shortest CPU time of each kind of work, all done in turn, so that a busy machine is so for all of them."""
    found = dict.fromkeys(works, float("inf"))
    for _ in range(ROUNDS):
        for name, work in works.items():
            start = time.process_time()
            work()
            found[name] = min(found[name], time.process_time() - start)
    return found


def main(a: Path, b: Path, n_sentences: int) -> None:
    """Print both times and their ratio."""
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder) / name for name in ("a", "b")]
        for source, target in zip((a, b), paths, strict=True):
            enlarge(next(iter(find_suites(source).values())), target, n_sentences)
        found = compare(*paths)
        works: dict[str, Callable[[], object]] = {
            "PyDelphin reads the tables": lambda: [read_with_delphin(path) for path in paths],
            "PyDelphin decodes all analyses": lambda: [decode_with_delphin(path) for path in paths],
            "concordant reads and compares": lambda: compare(*paths),
            "… the same without EDM": lambda: compare(*paths, edm=False),
        }
        times = shortest(works)
        n_decisions = sum(len(_lines(path, "decision")) for path in paths)
    print(f"{len(found.sentences):,} sentences, {n_decisions:,} decisions, K = {found.kappa:.3f}")
    theirs = times["PyDelphin reads the tables"]
    for name, seconds in times.items():
        print(f"{name:<32}{seconds:6.2f} s  {seconds / theirs:.2f} times PyDelphin's reading")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else 2000)
