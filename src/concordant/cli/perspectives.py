"""Understand: disagreement as signal: one rater, the aggregate, groups and camps of raters, soft labels.

Examples:
  %(prog)s perspectives answers.csv --group age
  %(prog)s perspectives answers.csv --soft labels.csv --predictions model.csv
"""

from pathlib import Path
from typing import Any

import click

from concordant.cli.inputs import Source, data_options
from concordant.cli.options import JSON, shown
from concordant.cli.screen import Bar, echo_json, print_blocks, print_notes, print_signatures
from concordant.errors import InputError
from concordant.files import refuse_unwritable, written_whole
from concordant.judging.perspective import perspectives
from concordant.report.judged import perspective_blocks


@click.command("perspectives")
@data_options
@click.option("--group", multiple=True, metavar="COLUMN", help="Attribute of raters to compare by; repeatable.")
@click.option("--soft", metavar="FILE", help="Write the share of every category of every unit, with intervals.")
@click.option("--predictions", metavar="FILE", help="A model's distributions: unit, and a column for each category.")
@shown("--seed", type=click.IntRange(0), default=1, help="Seed of halves, permutations and draws.")
@JSON
def command(
    source: Source, group: tuple[str, ...], soft: str | None, predictions: str | None, seed: int, as_json: bool
) -> None:
    """Ask what disagreement in DATA says: may one rater be relied on, or the aggregate, or only the ranking of units?

    A low alpha with a reliable aggregate means that people differ, and that their shares are worth keeping. Groups
    (--group) are compared by the agreement of pairs within and across them, permuting the attribute over raters; camps
    are looked for without an attribute, and claimed only if they are more than chance and come again when units are
    resampled. Soft labels are shares drawn towards those of all units, with intervals for exchangeable raters.
    """
    if soft is not None:
        refuse_unwritable(Path(soft))
    study = source.study()
    with Bar("looking at raters") as bar:
        how: dict[str, Any] = {"predictions": predictions, "seed": seed, "read": source.selection()}
        found = perspectives(study, group=group, progress=bar, **how)
    if soft is not None:
        labels = [one.soft for one in found.questions if one.soft is not None]
        if len(labels) != 1:
            hint = "choose one: --where question=…"
            raise InputError(f"there are {len(labels)} questions with categories", hint=hint)
        with written_whole(soft) as beside:
            beside.write_text(labels[0].to_csv(), encoding="utf-8")
    if as_json:
        echo_json(found.to_dict())
        return
    for one in found.questions:
        print_blocks(*perspective_blocks(one))
    print_notes(found.notes)
    print_signatures([one.signature for one in found.questions])
