"""`assent export`: the collected data, before or after cleaning, with a codebook."""

import json
from pathlib import Path

import click

from assent.cli.study_data import database_option, opened
from assent.collection.adjudication import Adjudication
from assent.collection.cleaning import Cleaned, clean
from assent.collection.collected import Collected, collect
from assent.collection.decided import decision_tables
from assent.collection.export import flow_table, participant_table, tables
from assent.collection.fanning import what_is_fanned
from assent.collection.invitations import with_invited
from assent.collection.judgement_table import fan_out_counts
from assent.collection.tabular import OutTable
from assent.collection.treebanks import treebanks, write_treebanks
from assent.collection.writing import write_tables
from assent.files import refuse_unwritable
from assent.report.tables import table
from assent.report.text import render


@click.command()
@click.argument("study", type=click.Path(path_type=Path))
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    required=True,
    help="The file to write: .csv, .tsv, .jsonl, .parquet or .xlsx; the new folder with --format profile.",
)
@click.option(
    "--format",
    "kind",
    type=click.Choice(["table", "profile"]),
    default="table",
    show_default=True,
    help="A table of judgements, or (of parses) an [incr tsdb()] profile for each rater.",
)
@click.option("--raw", is_flag=True, help="Everything as it was answered, without the study's cleaning rules.")
@database_option
@click.option("--json", "as_json", is_flag=True, help="Print the counts as JSON.")
def command(study: Path, output: Path, kind: str, raw: bool, db: str | None, as_json: bool) -> None:
    """Write the judgements of STUDY to a file, with its raters, an account of the cleaning and a codebook.

    A workbook (.xlsx) holds everything; the other formats write further files beside the one named.

    \b
    assent export my-study -o answers.xlsx
    assent export my-study -o answers.csv --raw
    assent export my-treebank -o profiles --format profile
    """
    if kind == "table":
        refuse_unwritable(output)
    with opened(study, db) as (log, described):
        described = with_invited(log, described)
        collected = collect(log, described)
        history = Adjudication(log).history(described.description.name)
        recorded = log.events(described.description.name) if kind == "profile" else []
    cleaned = None if raw else clean(collected)
    if kind == "profile":
        found = treebanks(collected if cleaned is None else cleaned.collected, recorded, history)
        files = write_treebanks(described.description, found, output)
    else:
        files = write_tables(tables(collected, cleaned, decision_tables(described, history)), output)
    if as_json:
        click.echo(json.dumps(_counts(collected, cleaned, files), indent=2))
    else:
        _tell(collected, cleaned, files)


def _counts(collected: Collected, cleaned: Cleaned | None, files: list[Path]) -> dict[str, object]:
    kept = collected if cleaned is None else cleaned.collected
    n_judged, n_fanned = fan_out_counts(kept)
    return {
        "files": [str(file) for file in files],
        "n_raters": len(kept.people),
        "n_judged": n_judged,
        "n_judgements": n_fanned,
        "flow": [] if cleaned is None else [step.__dict__ for step in cleaned.flow],
        "dropped": {} if cleaned is None else cleaned.counts,
        "n_corrected": 0 if cleaned is None else len(cleaned.corrected),
    }


def _tell(collected: Collected, cleaned: Cleaned | None, files: list[Path]) -> None:
    kept = collected if cleaned is None else cleaned.collected
    if cleaned is not None:
        _show("Participants", flow_table(cleaned))
        for reason, n in cleaned.counts.items():
            click.echo(f"Dropped {n} of {cleaned.n_fields} answers: {reason} ({n / cleaned.n_fields:.1%}).")
        if cleaned.corrected:
            click.echo(f"Normalised the spelling of {len(cleaned.corrected)} words.")
    if collected.study.description.participant and kept.people:
        _show("Who took part", participant_table(kept))
    n_judged, n_fanned = fan_out_counts(kept)
    what = what_is_fanned(kept.study.description)
    fanned = f" ({n_judged} given, {what} fanned out)" if n_fanned != n_judged else ""
    click.echo(f"{n_fanned} judgements{fanned} of {len(kept.people)} raters.")
    click.echo("Wrote " + ", ".join(str(file) for file in files) + ".")


def _show(title: str, shown: OutTable) -> None:
    click.echo(render(table(title, shown.columns, shown.rows)) + "\n")
