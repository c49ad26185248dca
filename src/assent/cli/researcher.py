"""`assent researcher`: who may sign in to the researchers' pages."""

from pathlib import Path

import click

from assent.errors import InputError, MissingExtra


@click.command()
@click.argument("name")
@click.argument("study", required=False, type=click.Path(path_type=Path))
@click.option("--db", metavar="URL", help="The database of the server; study.db in the folder of STUDY by default.")
@click.option(
    "--password", prompt=True, hide_input=True, confirmation_prompt=True, help="Asked for when it is not given."
)
@click.option(
    "--only", metavar="NAME", help="Only for the study of this name; for all studies of the server by default."
)
@click.option("--adjudicator", is_flag=True, help="Sees disagreements without names and decides them, nothing else.")
@click.option("--change", is_flag=True, help="Give a researcher who is already there another password.")
def command(
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
    assent researcher maria features
    assent researcher pau features --only features --adjudicator
    assent researcher maria --db postgresql://assent@localhost/assent
    """
    try:
        from assent.collection.accounts import Accounts
        from assent.collection.log import Log
        from assent.collection.membership import ADJUDICATOR, ALL, RESEARCHER
        from assent.web import serving
        from assent.web.researcher.passwords import hashed
    except ModuleNotFoundError as error:
        raise MissingExtra("assent researcher", "web") from error
    if db is None and study is None:
        raise InputError("no database is named", hint="name the study, or the database with --db")
    paths = [study] if study else []
    with Log.open(db or serving.default_database(serving.load(paths), serving.home_in(paths))) as log:
        accounts = Accounts(log)
        if change:
            accounts.set_password(name, hashed(password))
        else:
            role = ADJUDICATOR if adjudicator else RESEARCHER
            accounts.add_researcher(name, hashed(password), study=only or ALL, role=role)
    click.echo(f"{name} can sign in at /researcher.")
