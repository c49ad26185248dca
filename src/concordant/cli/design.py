"""Plan: draw the plan of a study: sample, pairs, sets."""

import json
from pathlib import Path

import click

from concordant.cli.options import PLACE, STUDY
from concordant.cli.screen import Bar, print_blocks
from concordant.design.plan import FILE, design
from concordant.design.study_file import read
from concordant.report.grid import table
from concordant.uncertainty.expectation import expectation_table, summary


@click.command()
@STUDY
@click.option("-o", "--output", type=PLACE, help=f"Where to write the plan; {FILE} in the study's folder by default.")
@click.option("--json", "as_json", is_flag=True, help="Print the plan as JSON instead of its tables.")
@click.option("--force", is_flag=True, help="Replace a plan that is already there.")
def command(study: Path, output: Path | None, as_json: bool, force: bool) -> None:
    """Draw the plan of STUDY: the sample, the pairs, the sets. The same seed gives the same plan.

    The plan is a hashed JSON file. `%(prog)s serve` uses the one in the study's folder and makes it if it is missing.

    \b
    %(prog)s design my-study
    %(prog)s design my-study -o plan.json --json
    """
    with Bar("drawing the plan"):
        plan = design(study, output, force=force)
    if as_json:
        click.echo(json.dumps(plan.to_dict(), ensure_ascii=False, indent=1))
        return
    description = read(study)
    parts = (*summary(description, plan), expectation_table(description, plan))
    print_blocks(*(table(part.heading, part.columns, part.rows) for part in parts))
    click.echo(f"Wrote {output or description.folder / FILE}.")
