"""`assent verify`: is a published number what these data give?"""

import json
import sys
from urllib.parse import unquote

import click

from assent.cli.completion import FILE
from assent.cli.data import Source
from assent.engines.tally import Tally, tally
from assent.measures.treebanks import OF_PROFILES
from assent.measures.unitizing.entries import KEYS as UNITIZING
from assent.readers.contingency import read_matrix
from assent.uncertainty import signature
from assent.uncertainty.estimate import verify


@click.command("verify", epilog="\b\nExample:\n  assent verify 'kappa|level:nominal|units:100|…' data.csv")
@click.argument("signature", metavar="SIGNATURE")
@click.argument("data", type=FILE)
@click.argument("more", type=FILE, nargs=-1, metavar="[DATA OF OTHER RATERS]...")
@click.option("--lexicon", help="Profiles: the lexicon, if the signature was made with one.")
@click.option("--weights", help="The CSV matrix of weights, if the signature was made with one.")
@click.option("--distance", help="The CSV matrix of distances, if the signature was made with one.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(
    data: str,
    more: tuple[str, ...],
    lexicon: str | None,
    as_json: bool,
    weights: str | None,
    distance: str | None,
    **given: str,
) -> None:
    """Compute SIGNATURE again on DATA and compare: exit code 0 if all is the same, 1 if not."""
    claimed = signature.parse(given["signature"])
    if claimed.key in OF_PROFILES:
        from assent.cli.measure_trees import verify_trees

        found = verify_trees(claimed, [data, *more], lexicon=lexicon)
    elif claimed.key in UNITIZING:
        found = _verify_spans(given["signature"], claimed, data)
    else:
        judged = _judgements(claimed, data)
        files = {"weights": weights, "distance": distance}
        matrices = {name: read_matrix(file, judged.scale.categories) for name, file in files.items() if file}
        found = verify(given["signature"], judged, matrices=matrices)
    if as_json:
        click.echo(json.dumps({"matches": found.matches, "differences": list(found.differences)}, indent=2))
    else:
        click.echo("the same" if found.matches else "not the same:\n" + "\n".join(f"- {d}" for d in found.differences))
    sys.exit(0 if found.matches else 1)


def _verify_spans(text: str, claimed: signature.Signature, data: str) -> signature.Verification:
    """Choose the spans that the signature is about, and compute again."""
    from assent.cli.spans import claimed_continuum, read_matrix_table
    from assent.uncertainty.unitizing import verify_spans

    matrix = unquote(claimed.fields.get("matrix", "identity"))
    table = () if matrix in ("identity", "ordinal") else read_matrix_table(matrix)
    return verify_spans(text, claimed_continuum(claimed.selection, claimed.slice or {}, data), table=table)


def _judgements(claimed: signature.Signature, data: str) -> Tally:
    """The part of the data that the signature is about; a named group of raters is in the signature by its members."""
    selection = claimed.selection
    place = {name: value for name, value in (claimed.slice or {}).items() if name != "raters"}
    study = Source.from_selection(data, selection).study(attributes=list(place))
    for name, value in place.items():
        study = study.where(name, [value])
    return tally(study.pooled() if selection.get("pool") else study.judgements(claimed.question))
