"""What agreement costs on each engine, against the group-by that one would write by hand on the same engine.

Run: python benchmarks/scale.py [--judgements 10000000] [--engines memory duckdb polars spark] [--crowd] [--gold]

One Parquet file of five raters and five categories (or, with --crowd, of 5,000 raters), rows shuffled, units and raters
as whole numbers. Ours: `concordant.measure(FILE, "alpha", ci="none")`. By hand: judgements to units, units to distinct
patterns; in memory what polars needs to read and encode. With --gold ours is a gold standard by votes, written as CSV;
by hand the two group-bys that find the commonest value of each unit, written too. Each in a process of its own, whose
largest memory is printed; two turns, the least counts.
"""

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import polars as pl

BY_HAND = """
SELECT pattern, count(*) AS n FROM (SELECT unit, sum((value + 1) * CAST(pow(6, rater % 5) AS BIGINT)) AS pattern
FROM {} GROUP BY unit) GROUP BY pattern
"""
CROWD_BY_HAND = """
SELECT pattern, count(*) AS n FROM (SELECT unit, list_sort(list(rater * 5 + value)) AS pattern
FROM {} GROUP BY unit) GROUP BY pattern
"""
GOLD_BY_HAND = """
SELECT unit, max_by(value, n) AS value, max(n) / sum(n) AS certainty, sum(n) AS n_votes
FROM (SELECT unit, value, count(*) AS n FROM {} GROUP BY unit, value) AS counted GROUP BY unit ORDER BY unit
"""


def write(path: Path, n: int, *, crowd: bool) -> None:
    """`n` judgements, five of every unit."""
    random = np.random.default_rng(1)
    units = n // 5
    raters = random.integers(0, 1000, (units, 5)) * 5 + np.arange(5) if crowd else np.tile(np.arange(5), (units, 1))
    truth = random.integers(0, 5, units)[:, None]
    values = np.where(random.random((units, 5)) < 0.7, truth, random.integers(0, 5, (units, 5)))
    order = random.permutation(units * 5)
    columns = {"unit": np.repeat(np.arange(units), 5), "rater": raters.ravel(), "value": values.ravel()}
    pl.DataFrame({name: column[order].astype(np.int32) for name, column in columns.items()}).write_parquet(path)


def ours(path: str, engine: str) -> object:
    """Alpha by concordant."""
    import concordant

    if engine == "polars":
        return concordant.measure(pl.scan_parquet(path), "alpha", ci="none", level="nominal").value
    return concordant.measure(path, "alpha", ci="none", level="nominal", engine=engine).value


def by_hand(path: str, engine: str, *, crowd: bool) -> object:
    """The patterns by hand; of memory what polars needs to read and encode."""
    if engine == "memory":
        return pl.read_parquet(path).select(pl.all().cast(pl.String).cast(pl.Categorical).to_physical()).height
    if engine == "polars":
        entry = (
            (pl.col("rater") * 5 + pl.col("value")).sort()
            if crowd
            else ((pl.col("value").cast(pl.Int64) + 1) * 6 ** (pl.col("rater") % 5).cast(pl.Int64)).sum()
        )
        lazy = pl.scan_parquet(path).group_by("unit").agg(pattern=entry).group_by("pattern").agg(pl.len())
        return lazy.collect().height
    query = CROWD_BY_HAND if crowd else BY_HAND
    if engine == "duckdb":
        import duckdb

        return len(duckdb.connect().sql(query.format(f"'{path}'")).to_arrow_table())
    from pyspark.sql import SparkSession

    session = SparkSession.builder.getOrCreate()
    session.read.parquet(path).createOrReplaceTempView("judged")
    query = query.replace("list_sort(list(", "sort_array(collect_list(")
    return session.sql(query.format("judged")).toArrow().num_rows


def our_gold(path: str, engine: str) -> None:
    """Gold by votes, as the command makes it."""
    import concordant

    data = pl.scan_parquet(path) if engine == "polars" else path
    found = concordant.gold(data, **({} if engine == "polars" else {"engine": engine}))
    concordant.write_gold(found, Path(path).with_name("gold.csv"))


def gold_by_hand(path: str, engine: str) -> None:
    """The commonest value of each unit."""
    goal = str(Path(path).with_name("by_hand.csv"))
    if engine == "duckdb":
        import duckdb

        duckdb.connect().sql(GOLD_BY_HAND.format(f"'{path}'")).write_csv(goal)
    elif engine == "spark":
        from pyspark.sql import SparkSession

        session = SparkSession.builder.getOrCreate()
        session.read.parquet(path).createOrReplaceTempView("judged")
        session.sql(GOLD_BY_HAND.format("judged")).toPandas().to_csv(goal)
    else:
        counted = pl.scan_parquet(path).group_by("unit", "value").agg(n=pl.len()).sort("n", descending=True)
        found = counted.group_by("unit").agg(pl.col("value").first(), n_votes=pl.col("n").sum(), n=pl.col("n").first())
        found.sort("unit").collect().write_csv(goal)


def measured(arguments: list[str]) -> list[float]:
    """Seconds, seconds of processor time and megabytes, each of the better of two turns in a process of its own."""
    turns = []
    for _ in range(2):
        done = subprocess.run([sys.executable, __file__, *arguments], capture_output=True, text=True, check=True)
        turns.append(json.loads(done.stdout.splitlines()[-1]))
    return [min(turn[i] for turn in turns) for i in range(3)]


def main() -> None:
    """Print a table, or do one of its cells."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--judgements", type=int, default=10_000_000)
    parser.add_argument("--engines", nargs="+", default=["memory", "duckdb", "polars", "spark"])
    parser.add_argument("--crowd", action="store_true")
    parser.add_argument("--gold", action="store_true")
    parser.add_argument("--cell", nargs=3, help=argparse.SUPPRESS)
    parser.add_argument("--make", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.make:
        write(given.make, given.judgements, crowd=given.crowd)
        return
    if given.cell:
        who, engine, path = given.cell
        begun, used = time.perf_counter(), time.process_time()
        if given.gold:
            our_gold(path, engine) if who == "ours" else gold_by_hand(path, engine)
        else:
            ours(path, engine) if who == "ours" else by_hand(path, engine, crowd=given.crowd)
        megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(json.dumps([time.perf_counter() - begun, time.process_time() - used, megabytes]))
        return
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "judged.parquet"
        more = [f"--{name}" for name in ("crowd", "gold") if getattr(given, name)]
        maker = [sys.executable, __file__, *more, "--judgements", str(given.judgements), "--make", str(path)]
        subprocess.run(maker, check=True)  # what this process has used, its children are said to use too
        print(f"{given.judgements:,} judgements, {path.stat().st_size / 1e6:,.0f} MB of Parquet")
        print("engine    seconds  by hand  ratio  ratio of CPU  our MB  their MB  µs each")
        for engine in given.engines:
            own, hand = (measured([*more, "--cell", who, engine, str(path)]) for who in ("ours", "hand"))
            each = own[0] / given.judgements * 1e6
            cpu = f"{own[1] / hand[1]:13.2f}" if engine != "spark" else " " * 13  # that of Java is not seen
            row = f"{engine:8} {own[0]:8.2f} {hand[0]:8.2f} {own[0] / hand[0]:6.2f} {cpu}"
            print(f"{row} {own[2]:7,.0f} {hand[2]:9,.0f} {each:8.3f}", flush=True)


if __name__ == "__main__":
    main()
