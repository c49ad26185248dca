"""`assent design`: draw the plan of a study and show it."""

import json
from pathlib import Path

import click

from assent.design.plan import Plan, write
from assent.design.plan import read as read_plan
from assent.design.planning import FILE, make_plan
from assent.design.study_file import read
from assent.design.summary import summary
from assent.errors import InputError
from assent.report.tables import table
from assent.report.text import render


@click.command()
@click.argument("study", type=click.Path(path_type=Path))
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    help=f"Where to write the plan; {FILE} in the study's folder by default.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the plan as JSON instead of its tables.")
@click.option("--force", is_flag=True, help="Replace a plan that is already there.")
def command(study: Path, output: Path | None, as_json: bool, force: bool) -> None:
    """Draw the plan of STUDY: the sample, the pairs, the sets. The same seed gives the same plan.

    The plan is a hashed JSON file. `assent serve` uses the one in the study's folder and makes it if it is missing.

    \b
    assent design my-study
    assent design my-study -o plan.json --json
    """
    description = read(study)
    path = output or description.folder / FILE
    plan = make_plan(description)
    if path.exists() and not force and _is_other(path, plan):
        raise InputError("another plan is already there", file=path, hint="keep it, or replace it with --force")
    write(plan, path)
    if as_json:
        click.echo(json.dumps(plan.as_dict(), ensure_ascii=False, indent=1))
        return
    for part in summary(description, plan):
        click.echo(render(table(part.heading, part.columns, part.rows)) + "\n")
    click.echo(f"Wrote {path}.")


def _is_other(path: Path, plan: Plan) -> bool:
    """Whether a file is not this plan; what is no plan at all is other, too."""
    try:
        return read_plan(path).hash != plan.hash
    except InputError:
        return True
