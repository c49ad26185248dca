"""Measure: compute a signature, an archive or a paper's table again and compare.

Examples:
  %(prog)s verify 'kappa|level:nominal|units:100|…' data.csv
  %(prog)s verify study.zip
  %(prog)s verify paper.tex data.csv
"""

import sys
from pathlib import Path
from typing import Any

import click

from concordant.cli import inputs
from concordant.cli.options import FILE, refuse
from concordant.cli.paint import painted
from concordant.cli.screen import Bar, echo_json, print_notes
from concordant.digits import counted
from concordant.errors import InputError
from concordant.judging.signatures import OWN, verify
from concordant.measures.catalogue import find_measure
from concordant.readers.joined import OWNERS
from concordant.uncertainty.request import read_signature

SAID = {"spans": ("lexicon", "weights", "distance"), "judgements": ("lexicon",)}
"""The options that say nothing about a kind of data; about trees those of matrices do not."""


@click.command("verify")
@click.argument("signature", metavar="SIGNATURE|FILE")
@click.argument("data", type=FILE, required=False, metavar="[DATA]")
@inputs.MORE
@click.option("--lexicon", help="Profiles: the lexicon, if the signature was made with one.")
@click.option("--weights", help="The CSV matrix of weights, if the signature was made with one.")
@click.option("--distance", help="The CSV matrix of distances, if the signature was made with one.")
@click.option("--attributes", multiple=True, metavar="FILE", help="The table of attributes, if one was joined.")
@click.option("--on", multiple=True, type=click.Choice(OWNERS), help="Whose attributes --attributes has.")
@inputs.ENGINE
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def command(
    context: click.Context,
    /,
    signature: str,
    data: str | None,
    more: tuple[str, ...],
    lexicon: str | None,
    as_json: bool,
    weights: str | None,
    distance: str | None,
    attributes: tuple[str, ...],
    on: tuple[str, ...],
    engine: str,
) -> None:
    """Compute SIGNATURE again on DATA and compare: exit code 0 if all is the same, 1 if not.

    A FILE may be given instead: an archive of `%(prog)s archive` is computed again from the data in it, whole; in a
    report or a paper (.tex, .html, .md) every signature is, and in LaTeX the digits of the rows that carry one.
    """
    files = {name: file for name, file in (("weights", weights), ("distance", distance)) if file}
    joined = {"attributes": attributes, "on": on} if attributes or on else {}
    how: dict[str, Any] = {"matrices": files, "lexicon": lexicon, "engine": engine, **joined}
    if "|" not in signature and signature.casefold().endswith(".zip"):
        refuse(context, {"data", "more", "lexicon", "weights", "distance", "attributes", "on", "engine"}, "archives")
        _show_archive(signature, as_json)
        return
    if data is None:
        raise InputError("on which data?", hint="name them after the signature; only an archive (.zip) has its own")
    if "|" not in signature:
        _show_printed(signature, [data, *more], how, as_json)
        return
    key = read_signature(signature).key
    of = ("judgements",) if key in OWN else find_measure(key).of
    kind = next((kind for kind in SAID if kind in of), "trees")
    refuse(context, SAID.get(kind, ("weights", "distance")), kind)
    with Bar("verifying"):
        same = verify(signature, [data, *more], **how)
    if as_json:
        echo_json({"matches": same.matches, "differences": same.differences})
    else:
        click.echo(_verdict(same.matches) + "".join(f"\n- {d}" for d in same.differences))
    sys.exit(0 if same.matches else 1)


def _verdict(matches: bool) -> str:
    """Whether all is the same, in the words that people look for."""
    return painted("the same", "good") if matches else painted("not the same:", "bad")


def _show_archive(path: str, as_json: bool) -> None:
    """The verdict on an archive."""
    from concordant.publication.checking import verify_archive

    with Bar("verifying") as bar:
        found = verify_archive(path, progress=bar)
    if as_json:
        echo_json(found.to_dict())
    else:
        rows = counted(found.n_numbers, "coefficient")
        about = f": {path}, {counted(found.n_files, 'file')}, {rows}" if found.matches else ""
        click.echo(_verdict(found.matches) + about)
        print_notes((*found.differences, *found.notes, f"sha256 {found.digest}"))
    sys.exit(0 if found.matches else 1)


def _show_printed(path: str, data: list[str], how: dict[str, Any], as_json: bool) -> None:
    """The verdict on a text with signatures."""
    if not Path(path).is_file():
        hint = "give a signature (kappa|level:nominal|…|v:0.2.0), or the path of a report, a paper or an archive"
        raise InputError(f"{path!r} is neither a signature nor a file", hint=hint)
    from concordant.publication.paper_tables import told, verify_printed

    with Bar("verifying"):
        found = verify_printed(path, data, **how)
    if as_json:
        echo_json(found.to_dict())
    else:
        click.echo(told(found, path) if found.matches else _verdict(found.matches))
        print_notes(found.differences)
    sys.exit(0 if found.matches else 1)
