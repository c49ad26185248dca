"""`assent rank`: score responses with weights, rank them, compare a system."""

import csv
import json
from pathlib import Path
from typing import Any

import click

from assent.cli.completion import FILE
from assent.cli.sections import echo_json
from assent.errors import InputError
from assent.files import written_whole
from assent.gold.preferences import numbers
from assent.gold.ranks import Ranking, SystemComparison, compare_system, read_ranking
from assent.readers.tables import read_table
from assent.report.tables import table
from assent.report.text import render

ROWS_SHOWN = 20
EPILOG = """\b
Examples:
  assent rank responses.csv --weights core=0.6,grammar=0.4
  assent weights pairs.csv --json > weights.json
  assent rank responses.csv --weights weights.json --system my_score -o ranked.csv
"""


@click.command("rank", epilog=EPILOG)
@click.argument("responses", type=FILE)
@click.option(
    "--weights",
    required=True,
    metavar="FILE|F=W,…",
    help="Weights: feature=0.6,other=0.4, the JSON of `assent weights`, or a CSV with columns feature and weight.",
)
@click.option("--unit", help="Column that names the response.")
@click.option("--item", help="Column that names the item; responses are ranked within it.")
@click.option("--system", multiple=True, metavar="COLUMN", help="A system's scores to compare with; repeatable.")
@click.option("-o", "--output", metavar="FILE", help="Write all responses with score and rank as CSV.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON with unrounded numbers.")
def command(
    responses: str,
    weights: str,
    unit: str | None,
    item: str | None,
    system: tuple[str, ...],
    output: str | None,
    as_json: bool,
) -> None:
    """Score each response of RESPONSES by its weighted features and rank it within its item.

    RESPONSES has one row per response with a column (1 or 0) for every feature that has a weight. Rank 1 is the best of
    an item; equal scores share the best rank. With --system the scores of an automatic system are compared with the
    ranking: Spearman's rho and Kendall's tau-b within each item, their means, and over all responses.
    """
    ranking, source = read_ranking(responses, read_weights(weights), unit=unit, item=item)
    compared = [compare_system(ranking, name, numbers(source, name)) for name in system]
    if output:
        write_ranking(ranking, Path(output))
    if as_json:
        echo_json({"responses": _rows(ranking), "systems": compared, "notes": list(source.notes)})
    else:
        _print(ranking, compared)


def read_weights(text: str) -> dict[str, float]:
    """Weights from the command line or from a file."""
    path = Path(text)
    if path.suffix == ".json":
        return _from_json(path)
    if path.suffix in (".csv", ".tsv"):
        found = read_table(path)
        names, values = found.column("feature").text().tolist(), numbers(found, "weight")
        return dict(zip(map(str, names), map(float, values), strict=True))
    try:
        pairs = [part.split("=") for part in text.split(",") if part.strip()]
        return {name.strip(): float(value) for name, value in pairs}
    except ValueError:
        raise InputError(
            f"--weights {text!r} is not feature=0.6,other=0.4", hint="or name a .json or .csv file"
        ) from None


def _from_json(path: Path) -> dict[str, float]:
    """The rounded weights of `assent weights --json`."""
    if not path.exists():
        raise InputError("there is no such file", file=path)
    try:
        features = json.loads(path.read_text(encoding="utf-8"))["weights"]["features"]
        return {one["feature"]: float(one["rounded"]) for one in features}
    except (KeyError, TypeError, ValueError):
        raise InputError("this is not the output of `assent weights --json`", file=path) from None


def _rows(ranking: Ranking) -> list[dict[str, Any]]:
    """One entry per response, best first within its item."""
    return [
        {
            "item": ranking.items[ranking.item[i]],
            "unit": ranking.units[i],
            "score": float(ranking.scores[i]),
            "rank": int(ranking.ranks[i]),
        }
        for i in sorted(range(len(ranking.units)), key=lambda i: (ranking.item[i], ranking.ranks[i]))
    ]


def write_ranking(ranking: Ranking, path: Path) -> None:
    """All rows as CSV."""
    with written_whole(path) as beside, beside.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, ["item", "unit", "score", "rank"])
        writer.writeheader()
        writer.writerows(_rows(ranking))


def _print(ranking: Ranking, compared: list[SystemComparison]) -> None:
    """The first rows and the comparisons."""
    rows = [(row["item"], row["unit"], row["score"], row["rank"]) for row in _rows(ranking)]
    more = len(rows) - ROWS_SHOWN
    notes = [f"{more:,} more responses; -o FILE writes all"] if more > 0 else []
    click.echo(render(table("", ("Item", "Response", "Score", "Rank"), rows[:ROWS_SHOWN], notes=notes)))
    for one in compared:
        click.echo("\n" + render(_system_table(one)))


def _system_table(one: SystemComparison) -> Any:
    """Item by item, then the means."""
    rows: list[tuple[Any, ...]] = [
        (part.item, part.n_units, part.spearman.value, part.tau_b.value) for part in one.items[:ROWS_SHOWN]
    ]
    rows.append(("mean over items", None, one.mean_spearman, one.mean_tau_b))
    rows.append(("all responses", one.whole.n_units, one.whole.spearman.value, one.whole.tau_b.value))
    notes = (
        [f"{one.n_undefined} items without a value left out of the means: no two scores differ"]
        if one.n_undefined
        else []
    )
    return table(f"{one.system} against the ranking", ("Item", "Responses", "Spearman", "Tau-b"), rows, notes=notes)
