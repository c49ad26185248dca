"""`assent gold`: the value of every unit, by votes or by a model of the raters."""

from pathlib import Path

import click

from assent.cli.data import Source, data_options
from assent.cli.sections import echo_json
from assent.diagnosis.findings import count
from assent.diagnosis.material import Material, materials
from assent.files import refuse_unwritable, written_whole
from assent.gold.standard import GoldValue, Method, Standard, as_csv, gold_standard
from assent.report.tables import BLANK, ShownTable, table
from assent.report.text import bullet, render

METHODS = (Method.VOTES, Method.DAWID_SKENE, Method.MACE)
MOST_SHOWN = 10

EPILOG = """\b
Example:
  assent gold answers.csv --method dawid_skene -o gold.csv
"""


@click.command("gold", epilog=EPILOG)
@data_options
@click.option(
    "--method", type=click.Choice([one.value for one in METHODS]), default=Method.VOTES.value, show_default=True
)
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True, help="Seed of MACE's starts.")
@click.option("-o", "--output", metavar="FILE", help="Write the values of all units as CSV.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON with unrounded numbers.")
def command(source: Source, method: str, seed: int, output: str | None, as_json: bool) -> None:
    """Find the value of every unit in DATA.

    By votes, a unit gets the category that most raters gave; ties are reported, never broken. The two models estimate
    together what each unit is and how far each rater can be trusted, and give every category of a unit a probability:
    dawid_skene learns each rater's table of error rates (Dawid & Skene 1979), mace how often a rater knows and what
    they say out of habit otherwise (Hovy et al. 2013). They need many raters or many units each; two raters cannot
    correct each other. What an adjudicator decided is in the studio and in `assent export`.
    """
    if output is not None:
        refuse_unwritable(Path(output))
    found = {part.question: _standard(part, method, seed) for part in materials(source.study(attributes=[]))}
    if output is not None:
        with written_whole(output) as beside:
            beside.write_text(as_csv(found), encoding="utf-8")
    if as_json:
        echo_json({"standards": [{"question": question, **vars(one)} for question, one in found.items()]})
        return
    for question, one in found.items():
        _print(question, one)


def _standard(part: Material, method: str, seed: int) -> Standard:
    return gold_standard(part.judgements, Method(method), seed=seed)


def _print(question: str | None, found: Standard) -> None:
    """How many units are decided, how far raters can be trusted, and where one should look again."""
    if question:
        click.echo(f"{question}\n")
    decided = f"{count(len(found.values), 'unit')}, {found.n_undecided:,} tied" if found.n_undecided else ""
    click.echo(bullet(decided or f"{count(len(found.values), 'unit')}, all with a value") + "\n")
    if found.competences:
        rows = sorted(found.competences.items(), key=lambda one: -one[1])
        click.echo(render(table("", ("Rater", "Reliability"), rows)) + "\n")
    click.echo(render(least_certain(found)) + "\n")


def least_certain(found: Standard) -> ShownTable:
    """The units to look at again."""
    sure = "Probability" if found.competences else "Share"
    worst = sorted(found.values, key=lambda one: one.certainty)[:MOST_SHOWN]
    rows = [(one.unit, one.value or BLANK, one.certainty, one.n_votes, _others(one)) for one in worst]
    return table("The least certain units", ("Unit", "Value", sure, "Votes", "Otherwise"), rows)


def _others(one: GoldValue) -> str:
    """The other categories that are possible, the likeliest first."""
    others = sorted((-share, name) for name, share in one.shares.items() if name != one.value and share >= 0.0005)
    return ", ".join(f"{name} {-share:.3f}" for share, name in others) or BLANK
