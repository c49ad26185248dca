"""Keep: carry a treebank's decisions over to the parses of a newer grammar.

Example: what is left to decide becomes a study, and its profile is carried in again
  %(prog)s carry gold/2024 parsed/2026 -o updated
  %(prog)s carry gold/2024 parsed/2026 --also decided/adjudicated -o final
"""

from pathlib import Path

import click

from concordant.cli.options import FILE, JSON, PLACE, shown
from concordant.cli.screen import Bar, echo_json, print_blocks, print_notes
from concordant.digits import counted
from concordant.report.grid import table
from concordant.treebank.carried import CARRIED, FATES, OPEN, WITHOUT, carry, reasons
from concordant.treebank.parsed import MOST

MOST_LISTED = 20


@click.command("carry")
@click.argument("old", type=FILE)
@click.argument("new", type=FILE)
@click.option(
    "-o", "--output", type=PLACE, help="Write the updated treebank and what is left to decide to a new folder."
)
@click.option("--also", type=FILE, help="A profile with sentences that were decided since; they come before OLD.")
@click.option("--lexicon", metavar="FILE", help="Types of words: a grammar's lexicon.tdl, or a .tsv of entry and type.")
@shown("--most", type=click.IntRange(1), default=MOST, help="Parses of one sentence that are unpacked from a forest.")
@JSON
def command(
    old: str, new: str, output: Path | None, also: str | None, lexicon: str | None, most: int, as_json: bool
) -> None:
    """Carry what was decided in the profile OLD over to the parses in the profile NEW, and say what needs a person.

    A decision by hand survives where its discriminant still tells the new parses apart. A sentence is settled where its
    analysis is among the new parses, or where what survives leaves one parse. The folder has three parts: carried (a
    profile), to-decide (a profile of the sentences that need a person: the units of a study) and sentences.csv.
    """
    with Bar("carrying"):
        found = carry(old, new, output, also=also, lexicon=lexicon, most=most)
    if as_json:
        echo_json(found.to_dict())
        return
    outcomes, decisions = found.outcomes, found.decisions
    parts = {"carried over": CARRIED, "needs a person": OPEN, "left out": WITHOUT}
    rows = [
        (part, text, outcomes[name]) for part, texts in parts.items() for name, text in texts.items() if outcomes[name]
    ]
    made = [(text, decisions[fate]) for fate, text in FATES.items()]
    blocks = [table("Sentences", ("", "because", "n"), rows), table("Decisions by hand", ("", "n"), made)]
    if listed := list(reasons(found)):
        headers = ("sentence", "text", "why", "parses left")
        blocks.append(table("To decide", headers, listed[:MOST_LISTED]))
    n, n_open = sum(outcomes[name] for name in CARRIED), len(listed)
    click.echo(f"{n} of {counted(len(found.sentences), 'sentence')} carried over; {n_open} need a person.\n")
    print_blocks(*blocks, is_all=output is None)
    print_notes(
        [f"{n_open - MOST_LISTED} more to decide stand in sentences.csv and in --json"] * (n_open > MOST_LISTED)
    )
    if output is not None:
        click.echo(f"Wrote {output}")
