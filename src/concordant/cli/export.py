"""Collect: write the collected judgements, cleaned, with a codebook."""

from pathlib import Path

import click

from concordant.about import NAME
from concordant.cli.log import DATABASE
from concordant.cli.options import PLACE, STUDY, shown
from concordant.cli.screen import Bar, echo_json, print_blocks
from concordant.collection.collected import fan_out_counts, losses
from concordant.collection.export import Form, export
from concordant.collection.export_tables import flow_table, participant_table
from concordant.collection.sheets import OutTable
from concordant.errors import InputError
from concordant.report.grid import table


@click.command()
@STUDY
@click.option(
    "-o",
    "--output",
    type=PLACE,
    required=True,
    help="The file to write: .csv, .tsv, .jsonl, .parquet or .xlsx; the new folder with --format profile.",
)
@shown(
    "--format",
    "kind",
    type=click.Choice(["table", "profile"]),
    default="table",
    help="A table of judgements, or (of parses) an [incr tsdb()] profile for each rater.",
)
@click.option("--raw", is_flag=True, help="Everything as it was answered, without the study's cleaning rules.")
@DATABASE
@click.option("--attributes", multiple=True, hidden=True)
@click.option("--on", multiple=True, hidden=True)
@click.option("--json", "as_json", is_flag=True, help="Print the counts as JSON.")
def command(
    study: Path, output: Path, kind: Form, raw: bool, db: str | None, as_json: bool, **later: tuple[str, ...]
) -> None:
    """Write the judgements of STUDY to a file, with its raters, an account of the cleaning and a codebook.

    A workbook (.xlsx) holds everything; the other formats write further files beside the one named.

    \b
    %(prog)s export my-study -o answers.xlsx
    %(prog)s export my-study -o answers.csv --raw
    %(prog)s export my-treebank -o profiles --format profile
    """
    if any(later.values()):
        join = f"`{NAME} measure {output} --attributes FILE --on unit`"
        hint = f"join them when the table is read ({join}), or add columns to the study's own tables, which may grow"
        raise InputError("an export holds what was collected: no attributes are joined", hint=hint)
    with Bar("exporting"):
        done = export(study, output, format=kind, raw=raw, db=db)
    if as_json:
        echo_json(done.to_dict())
        return
    kept, cleaned, description = done.kept, done.cleaned, done.kept.study.description
    n_judged, n_judgements = fan_out_counts(kept)
    if cleaned is not None:
        _show("Participants", flow_table(cleaned))
        for line in losses([cleaned]):
            click.echo(f"{line}.")
        if cleaned.corrected:
            click.echo(f"Normalised the spelling of {len(cleaned.corrected)} words.")
    if description.participant and kept.people:
        _show("Who took part", participant_table(kept))
    what = f" ({n_judged} given, {description.becomes_many} fanned out)" if n_judgements != n_judged else ""
    click.echo(f"{n_judgements} judgements{what} of {len(kept.people)} raters.")
    click.echo("Wrote " + ", ".join(str(file) for file in done.files) + ".")


def _show(title: str, shown: OutTable) -> None:
    print_blocks(table(title, shown.columns, shown.rows))
