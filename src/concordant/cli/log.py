"""Collect: look after a study's log: show it, rebuild what is derived from it."""

import json
from pathlib import Path

import click

from concordant.cli.options import STUDY
from concordant.errors import MissingExtra

try:
    from concordant.collection import opened_study
    from concordant.collection.database import VARIABLE
except ModuleNotFoundError as error:
    raise MissingExtra("collecting judgements", "web") from error

DATABASE = click.option(
    "--db",
    envvar=VARIABLE,
    help="The database: sqlite:///FILE or postgresql://…; study.db in the study's folder by default.",
)


@click.group()
def command() -> None:
    """Look after the log of a study: everything that happened, in the order in which it was stored."""


@command.command()
@STUDY
@DATABASE
def rebuild(study: Path, db: str | None) -> None:
    """Make the tables of current answers again from the log of STUDY. The log itself is only read.

    \b
    %(prog)s log rebuild my-study
    """
    click.echo(f"Read {opened_study.rebuild(study, db=db)} events and made the tables of answers and raters again.")


@command.command()
@STUDY
@click.option("--rater", help="Only this rater's events.")
@DATABASE
def show(study: Path, rater: str | None, db: str | None) -> None:
    """Print the log of STUDY as JSON lines, oldest first.

    \b
    %(prog)s log show my-study --rater A1
    """
    for event in opened_study.log(study, rater=rater, db=db):
        click.echo(json.dumps(event, ensure_ascii=False))
