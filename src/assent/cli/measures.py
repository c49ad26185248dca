"""`assent measures`: the catalogue, or what suits the data."""

import json

import click

from assent.cli.data import OPTIONS, make_source
from assent.engines.tally import tally
from assent.measures.catalogue import CATALOGUE
from assent.report.tables import table
from assent.report.text import bullet, render
from assent.uncertainty.suitability import Suitability, suitable

EPILOG = """\b
Examples:
  assent measures
  assent measures --for ratings.csv --level ordinal
"""


def _with_options(command: click.Command) -> click.Command:
    """Add the data options, which matter only with --for."""
    for option in reversed(OPTIONS):
        command = option(command)
    return command


@click.command("measures", epilog=EPILOG)
@click.option("--for", "data", metavar="DATA", help="Say which measures suit these data and why the others do not.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(data: str | None, as_json: bool, **given: object) -> None:
    """List all measures, or say which suit DATA."""
    if data is None:
        _print_catalogue(as_json=as_json)
        return
    study = make_source({"data": data, **given}).study(attributes=[])
    asked = {question: suitable(tally(study.judgements(question))) for question in study.questions or (None,)}
    if as_json:
        click.echo(
            json.dumps(
                {"questions": [_as_dict(q, found) for q, found in asked.items()], "notes": study.notes}, indent=2
            )
        )
        return
    for question, found in asked.items():
        _print_suitable(question, found)
    click.echo("\n".join(bullet(note) for note in study.notes))


command = _with_options(command)


def _print_catalogue(*, as_json: bool) -> None:
    """Every measure with its key."""
    rows = [
        (m.key, m.name, m.kind, m.needs.made_for or ", ".join(level.value for level in sorted(m.needs.suits)))
        for m in CATALOGUE.values()
    ]
    if as_json:
        names = ("measure", "name", "kind", "suits")
        click.echo(json.dumps({"measures": [dict(zip(names, row, strict=True)) for row in rows]}, indent=2))
    else:
        click.echo(render(table("", ("Key", "Name", "Kind", "Made for"), rows)))


def _as_dict(question: str | None, found: list[Suitability]) -> dict[str, object]:
    """One question's measures as JSON shows them."""
    measures = [
        {
            "measure": one.measure.key,
            "name": one.measure.name,
            "recommended": one.is_recommended,
            "problems": list(one.problems),
            "cautions": list(one.cautions),
        }
        for one in found
    ]
    return {"question": question, "measures": measures}


def _print_suitable(question: str | None, found: list[Suitability]) -> None:
    """Recommended first, then what can be computed, then what cannot and why."""
    rows = [
        (one.measure.key, one.measure.name, _verdict(one), "; ".join((*one.problems, *one.cautions))) for one in found
    ]
    click.echo(
        render(table(f"Question {question}" if question else "", ("Key", "Name", "Suits", "Why not"), rows)) + "\n"
    )


def _verdict(one: Suitability) -> str:
    """One word for a measure."""
    if one.problems:
        return "no"
    return "recommended" if one.is_recommended else "with care" if one.cautions else "yes"
