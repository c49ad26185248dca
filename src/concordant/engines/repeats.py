"""Of several judgements of a unit by one rater the first or the last, in a table of another engine.

What came first is said by the order of rows, as in memory: files in their order, and rows as they stand in them. A
frame of Spark keeps no order, unless it is read from files.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import narwhals as nw

from concordant.engines.remote import RemoteTable
from concordant.errors import InputError

ROW = "_concordant_row"
PICKED = {"first": "min_by", "last": "max_by"}
"""What DuckDB and Spark call the value of the least and of the largest row."""


def with_rows(table: RemoteTable) -> RemoteTable:
    """The same table with a column that says which row came first."""
    native = table.frame.to_native()
    if table.engine == "polars":
        ordered = native.with_row_index(ROW)
    elif table.engine == "duckdb":
        ordered = native.project(f"*, row_number() OVER () AS {ROW}")
    else:
        ordered = _of_files(native, table.file)
    return replace(table, frame=nw.from_native(ordered).lazy())


def _of_files(native: Any, file: str) -> Any:
    """The rows of a Spark frame in the order of its files and of the blocks that they are read in."""
    from pyspark.errors import AnalysisException
    from pyspark.sql import functions

    in_block = functions.monotonically_increasing_id()
    row = functions.struct(
        functions.col("_metadata.file_path"), functions.col("_metadata.file_block_start"), in_block.alias("nth")
    )
    try:
        ordered = native.select("*", row.alias(ROW))
        _ = ordered.columns  # Connect finds out only now
    except AnalysisException:
        hint = "keep one of the judgements, or read the files with --engine duckdb"
        raise InputError(
            "this table of Spark has no order of rows to take a first or last of", file=file, hint=hint
        ) from None
    return ordered


def once(
    table: RemoteTable, judged: nw.LazyFrame[Any], by: Sequence[str], raters: Mapping[Any, str]
) -> nw.LazyFrame[Any]:
    """One judgement for each rater (by what a cell is called) and whatever stands in these columns."""
    first = {label: cell for cell, label in reversed(list(raters.items()))}
    for cell, label in raters.items():
        if cell != first[label]:
            rater = nw.col(table.rater)
            judged = judged.with_columns(
                nw.when(rater != cell).then(rater).otherwise(nw.lit(first[label])).alias(table.rater)
            )
    names = {f"k{i}": name for i, name in enumerate(dict.fromkeys([*by, table.rater]))}
    columns = {**names, "said": table.value, "nth": ROW}
    rows = judged.select(**{short: nw.col(name) for short, name in columns.items()}).to_native()
    picked = PICKED[table.duplicates]
    if table.engine == "polars":
        import polars as pl

        ordered = pl.col("said").sort_by("nth")
        kept = rows.group_by(list(names)).agg(said=ordered.first() if picked == "min_by" else ordered.last())
    elif table.engine == "duckdb":
        kept = rows.aggregate(f"{', '.join(names)}, {picked}(said, nth) AS said", ", ".join(names))
    else:
        from pyspark.sql import functions

        kept = rows.groupBy(*names).agg(getattr(functions, picked)("said", "nth").alias("said"))
    found: nw.LazyFrame[Any] = nw.from_native(kept).lazy().rename({**names, "said": table.value})
    return found
