"""Publish: one file with data, report and signatures that proves its numbers.

Examples:
  %(prog)s archive my-study -o study.zip --author 'Doe, Jane' --licence CC-BY-4.0
  %(prog)s archive ratings.csv --level ordinal -o ratings.zip --measure alpha
  %(prog)s archive my-study -o study.zip --statement filled-in.md --guidelines 1=guidelines-1.md
  %(prog)s verify study.zip
"""

from pathlib import Path
from typing import Any

import click

from concordant.about import NAME
from concordant.cli.inputs import Source, data_options
from concordant.cli.options import PLACE, measures_option, shown
from concordant.cli.screen import Bar, echo_json
from concordant.digits import counted
from concordant.errors import InputError
from concordant.publication.archiving import Archived, archive
from concordant.readers.study_folder import is_study


@click.command("archive")
@data_options
@click.option("-o", "--output", type=PLACE, required=True, metavar="FILE.zip", help="The archive to write.")
@click.option("--title", help="What the data are called. [default: the title of the study, or the name of the file]")
@click.option("--author", "authors", multiple=True, metavar="NAME", help="Who made the data; repeatable, in order.")
@click.option("--licence", default="", metavar="SPDX", help="Under which licence, such as CC-BY-4.0.")
@shown("--data-version", default="1", help="Which version of the data this is.")
@measures_option(help="Measure to report; repeatable. Default: those that suit.")
@click.option(
    "--independent/--not-independent", default=None, help="Whether raters worked independently of each other."
)
@shown("--seed", type=click.IntRange(0), default=1, help="Seed of everything random in the report.")
@click.option("--keep", multiple=True, metavar="COLUMN", help="Keep this column, though a rule would withhold it.")
@click.option("--drop", multiple=True, metavar="COLUMN", help="Withhold this column too.")
@click.option("--with-names", is_flag=True, help="Keep the names of raters (they have agreed to it).")
@click.option("--statement", type=PLACE, metavar="FILE", help="The data statement, filled in by a person.")
@click.option("--citation", type=PLACE, metavar="FILE", help="A CITATION.cff of your own.")
@click.option("--guidelines", multiple=True, metavar="VERSION=FILE", help="An earlier version of the guidelines.")
@click.option("--json", "as_json", is_flag=True, help="Print what was done as JSON.")
def command(
    source: Source,
    output: Path,
    measure: tuple[str, ...],
    independent: bool | None,
    seed: int,
    guidelines: tuple[str, ...],
    as_json: bool,
    **given: Any,
) -> None:
    """Write DATA, or a study's folder, as one archive: an RO-Crate that can be published and checked.

    It holds the data with a codebook, the study with its plan, guidelines and log, the report with signatures, a data
    statement, CITATION.cff and descriptions for machines. Raters are numbered; names, addresses, platform ids and
    times are taken out, and the archive says what was done. `%(prog)s verify FILE.zip` computes every number again.
    """
    versions = [text.partition("=") for text in guidelines]
    if wrong := next((text for text, (_, equals, _) in zip(guidelines, versions, strict=True) if not equals), None):
        raise InputError(f"--guidelines {wrong!r} is not VERSION=FILE", hint="for example --guidelines 1=old.md")
    report: dict[str, Any] = {"measure": list(measure), "independent": independent, "seed": seed}
    data: Any = source.path
    if not is_study(source.path):
        data = source.read(source.of(("judgements", "spans")).format)
    elif source.joined:
        table = f"archive its table (`{NAME} export {source.path} -o answers.csv`)"
        hint = f"add the columns to the study's own tables, which may grow, or {table} with --attributes and --on"
        raise InputError("a study is archived whole, as it was collected: no attributes are joined", hint=hint)
    elif source.options or source.said or source.where or source.raters or source.kinds or source.joined:
        raise InputError("a study is archived whole, as it was collected", hint="leave out the options of reading")
    with Bar("archiving") as bar:
        texts = {version: file for version, _, file in versions}
        done = archive(data, output, guidelines=texts, report=report, progress=bar, **given)
    if as_json:
        shown = {name: value for name, value in done.__dict__.items() if name != "path"}
        echo_json({"file": str(done.path), **shown})
        return
    _tell(done)


def _tell(done: Archived) -> None:
    """What is in it, what was taken out, what is left to do."""
    click.echo(f"{done.path}: {counted(len(done.names), 'file')}. Cite its digest in your paper:\n  {done.digest}")
    for name, reason in done.withheld.items():
        click.echo(f"- withheld: {name} ({reason}); --keep {name} keeps it")
    for what, n in done.replaced.items():
        click.echo(f"- replaced in texts: {what}, {counted(n, 'time')}")
    for name, n in done.to_read.items():
        click.echo(f"- read before you publish: {counted(n, 'text')} of {name!r} may say who somebody is")
    if done.n_open:
        click.echo(f"- {counted(done.n_open, 'place')} must be filled in by a person, marked [TO FILL IN: …]:")
        click.echo("  take DATA-STATEMENT.md out, fill it in, and write the archive again with --statement")
