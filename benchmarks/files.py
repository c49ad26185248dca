"""What does measuring a large file cost beyond reading it?

    python benchmarks/files.py [--rows 10000000] [--repeat 3]

Writes a CSV and a Parquet file of judgements (shuffled), then runs in processes of their own, by turns: polars alone
(read, then dictionary-encode the three columns) and the whole of `concordant measure` with all coefficients that suit.
Prints the least seconds of wall clock and of all processors and the least peak memory of the turns, and the ratios.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

READ_ONLY = """
import sys, polars as pl
path = sys.argv[1]
frame = pl.read_parquet(path) if path.endswith("parquet") else pl.read_csv(path, infer_schema=False)
for name in frame.columns:
    coded = frame[name].cast(pl.Categorical(pl.Categories.random()))
    codes, labels = coded.to_physical().to_numpy(), coded.unique()
"""
WATCH = """
import json, resource, runpy, sys, time
started = time.perf_counter()
sys.argv = sys.argv[1:]
try:
    ours = sys.argv[0] == "concordant"
    runpy.run_module("concordant", run_name="__main__") if ours else exec(open(sys.argv[0]).read())
except SystemExit:
    pass
used = resource.getrusage(resource.RUSAGE_SELF)
peak = next(int(line.split()[1]) for line in open("/proc/self/status") if line.startswith("VmHWM")) / 1024
seconds = {"wall": time.perf_counter() - started, "cpu": used.ru_utime + used.ru_stime}
print(json.dumps({**seconds, "megabytes": peak}), file=sys.stderr)
"""


def write_files(folder: Path, rows: int) -> list[Path]:
    """The same judgements as CSV and Parquet: five raters, five categories, rows in random order."""
    import polars as pl

    rng = np.random.default_rng(0)
    order = rng.permutation(rows)
    frame = pl.DataFrame({"unit": order // 5, "rater": order % 5, "value": rng.integers(0, 5, rows)})
    text = frame.select(
        unit="u" + pl.col("unit").cast(pl.String).str.zfill(8),
        rater="r" + pl.col("rater").cast(pl.String),
        value="c" + pl.col("value").cast(pl.String),
    )
    paths = [folder / "judgements.csv", folder / "judgements.parquet"]
    text.write_csv(paths[0])
    text.write_parquet(paths[1])
    return paths


def run(*words: str) -> dict[str, float]:
    """Run in a process of its own and measure it."""
    done = subprocess.run([sys.executable, "-c", WATCH, *words], capture_output=True, text=True, check=True)
    found: dict[str, float] = json.loads(done.stderr.strip().splitlines()[-1])
    return found


def least(turns: list[dict[str, float]], name: str) -> float:
    """The smallest number of several turns."""
    return min(turn[name] for turn in turns)


def main() -> None:
    """Both files, both ways."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=10_000_000)
    parser.add_argument("--repeat", type=int, default=3, help="turns of each")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        reader = Path(folder) / "read_only.py"
        reader.write_text(READ_ONLY)
        for path in write_files(Path(folder), given.rows):
            command = ("concordant", "measure", str(path), "--level", "nominal", "--seed", "1")
            turns = [(run(str(reader), str(path)), run(*command)) for _ in range(given.repeat)]
            alone, whole = [turn[0] for turn in turns], [turn[1] for turn in turns]
            print(f"{path.suffix[1:]}, {given.rows:,} rows, the least of {given.repeat}")
            for name, unit in (("wall", "s"), ("cpu", "s"), ("megabytes", "MB")):
                ours, theirs = least(whole, name), least(alone, name)
                columns = f"polars alone {theirs:8.1f} {unit}   concordant measure {ours:8.1f} {unit}"
                print(f"  {name:10} {columns}   {ours / theirs:.2f} ×", flush=True)


if __name__ == "__main__":
    main()
