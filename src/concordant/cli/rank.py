"""Keep: score responses with weights, rank them within items, compare the scores of systems.

Examples:
  %(prog)s rank my-features --weights my-preferences --only A1 --scores systems.csv
  %(prog)s rank responses.csv --weights core=0.6,grammar=0.4
  %(prog)s weights pairs.csv --json > weights.json
  %(prog)s rank responses.csv --weights weights.json --system my_score -o ranked.csv
"""

import csv
from pathlib import Path
from typing import Any

import click

from concordant.cli.inputs import Source, data_options
from concordant.cli.options import CONFIDENCE, FILE, JSON, shown
from concordant.cli.screen import Bar, echo_json, print_blocks, print_notes
from concordant.files import refuse_unwritable, written_whole
from concordant.gold.ranks import is_wide, rank_responses, read_weights
from concordant.gold.systems import Ranking
from concordant.readers.study_folder import is_study
from concordant.report.scoring import ranking_blocks

VALUES = click.option(
    "--values",
    metavar="votes|adjudicated|RATER",
    help="Judgements: which value a feature has: that of most raters, the adjudicated one, or one rater's. "
    "[default: adjudicated if anything was, else votes]",
)
DECISIONS = click.option(
    "--decisions", type=FILE, help="Judgements of an export: its table of decisions. [default: those of a study's log]"
)
SCORES = click.option(
    "--scores", type=FILE, help="A table with one row for each response and a column for each system's scores."
)


@click.command("rank")
@data_options
@click.option(
    "--weights",
    required=True,
    metavar="FILE|F=W,…",
    help="Weights: feature=0.6,other=0.4, the JSON of `%(prog)s weights`, a CSV with columns feature and weight, the "
    "folder of a preference test, or its pairs.",
)
@click.option("--only", metavar="RATER", help="Weights from this rater's preferences only.")
@VALUES
@DECISIONS
@click.option("--item", help="Column that names the item; responses are ranked within it.")
@SCORES
@click.option("--system", multiple=True, metavar="COLUMN", help="A system's scores to compare with; repeatable.")
@shown("--ci", type=click.Choice(["bootstrap", "bca", "jackknife", "analytic", "none"]), default="bootstrap",
       help="How intervals within items are found.")  # fmt: skip
@CONFIDENCE
@shown("--seed", type=click.IntRange(0), default=1, help="Seed of intervals and tests.")
@click.option("-o", "--output", metavar="FILE", help="Write all responses with score and rank as CSV.")
@JSON
def command(
    source: Source, weights: str, only: str | None, decisions: str | None, output: str | None, as_json: bool, **how: Any
) -> None:
    """Score each response in DATA by its weighted features and rank it within its item.

    DATA is a table with one row per response and a column (1 or 0, yes or no) for every feature that has a weight; or
    the judgements of the features: the folder of a study, its export, or another table of judgements, whose questions
    are the features. Rank 1 is the best of an item; equal scores share the best rank.

    With --scores or --system automatic systems are compared with the ranking: Spearman's rho and Kendall's tau-b within
    each item with intervals over its responses, their means with intervals over items, and two systems against each
    other with a paired test over items.
    """
    if output:
        refuse_unwritable(Path(output))
    with Bar("ranking"):
        chosen = read_weights(weights, only=only)
        data: Any = source.path
        if is_wide(source.path, chosen):
            said = {**source.options, **source.said}
            more = {"unit": said.pop("unit", None), "decisions": decisions, **said}
        else:
            data = source.study()
            more = {"decisions": decisions or (source.path if is_study(source.path) else None)}
        found = rank_responses(data, weights=chosen, **more, **how)
    if output:
        write_ranking(found.ranking, Path(output))
    if as_json:
        echo_json(found.to_dict())
        return
    print_blocks(*ranking_blocks(found), is_all=not found.notes)
    print_notes(found.notes)


def write_ranking(ranking: Ranking, path: Path) -> None:
    """All rows as CSV."""
    with written_whole(path) as beside, beside.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, ["item", "unit", "score", "rank"])
        writer.writeheader()
        writer.writerows(ranking.rows())
