"""Collect: let a researcher sign in."""

from pathlib import Path

import click

from concordant.cli.options import PLACE, importing_web, refuse


@click.command()
@click.argument("name")
@click.argument("study", required=False, type=PLACE)
@click.option("--db", metavar="URL", help="The database of the server; study.db in the folder of STUDY by default.")
@click.option(
    "--password", prompt=True, hide_input=True, confirmation_prompt=True, help="Asked for when it is not given."
)
@click.option(
    "--only", metavar="NAME", help="Only for the study of this name; for all studies of the server by default."
)
@click.option("--adjudicator", is_flag=True, help="Sees disagreements without names and decides them, nothing else.")
@click.option("--change", is_flag=True, help="Give a researcher who is already there another password.")
@click.pass_context
def command(
    context: click.Context,
    /,
    name: str,
    study: Path | None,
    db: str | None,
    password: str,
    only: str | None,
    adjudicator: bool,
    change: bool,
) -> None:
    """Let the researcher NAME sign in with a password (kept as an argon2id hash).

    \b
    %(prog)s researcher maria features
    %(prog)s researcher pau features --only features --adjudicator
    %(prog)s researcher maria --db postgresql://%(prog)s@localhost/%(prog)s
    """
    if change:
        refuse(context, ("only", "adjudicator"), "another password")
    with importing_web("researcher"):
        from concordant.studio.people import researcher
    researcher(name, password, study, db=db, only=only, adjudicator=adjudicator, change=change)
    click.echo(f"{name} can sign in at /researcher.")
