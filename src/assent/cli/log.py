"""`assent log`: looking after the log of a study."""

import json
from pathlib import Path

import click

from assent.cli.study_data import database_option, opened


@click.group()
def command() -> None:
    """Look after the log of a study: everything that happened, in the order in which it was stored."""


@command.command()
@click.argument("study", type=click.Path(path_type=Path))
@database_option
def rebuild(study: Path, db: str | None) -> None:
    """Make the tables of current answers again from the log of STUDY. The log itself is only read.

    \b
    assent log rebuild my-study
    """
    with opened(study, db) as (log, _):
        n = log.rebuild()
    click.echo(f"Read {n} events and made the tables of answers and raters again.")


@command.command()
@click.argument("study", type=click.Path(path_type=Path))
@click.option("--rater", help="Only this rater's events.")
@database_option
def show(study: Path, rater: str | None, db: str | None) -> None:
    """Print the log of STUDY as JSON lines, oldest first.

    \b
    assent log show my-study --rater A1
    """
    with opened(study, db) as (log, described):
        for entry in log.events(described.description.name, rater):
            event = entry.event
            envelope = {"seq": entry.seq, "kind": event.kind, "rater": event.rater, "at": event.at, "id": event.id}
            click.echo(json.dumps({**envelope, "received": entry.received, **event.body()}, ensure_ascii=False))
