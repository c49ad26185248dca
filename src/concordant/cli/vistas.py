"""Keep: a treebank's chosen analyses as brackets, dependencies, MRS, EDS and DMRS.

Example:
  %(prog)s export my-treebank -o profiles --format profile
  %(prog)s vistas profiles/adjudicated -o corpus --lexicon lexicon.tdl
"""

from pathlib import Path

import click

from concordant.cli.options import FILE, JSON, PLACE
from concordant.cli.screen import Bar, echo_json, print_blocks, print_notes
from concordant.digits import counted
from concordant.report.grid import table
from concordant.treebank.corpus import FILES, write_vistas

TOLD = {
    "penn": "constituents in Penn brackets",
    "conll": "dependencies in CoNLL-U",
    "mrs": "Minimal Recursion Semantics",
    "eds": "Elementary Dependency Structures",
    "dmrs": "Dependency MRS",
}


@click.command("vistas")
@click.argument("source", type=FILE)
@click.option("-o", "--output", type=PLACE, required=True, help="The new folder for the corpus.")
@click.option("--as", "forms", multiple=True, type=click.Choice(list(FILES)), help="Only this form; repeatable.")
@click.option("--lexicon", metavar="FILE", help="Types of words: a grammar's lexicon.tdl, or a .tsv of entry and type.")
@click.option("--heads", metavar="FILE", help="A .tsv of rules and which daughter is their head: 1 is the first.")
@JSON
def command(
    source: str, output: Path, forms: tuple[str, ...], lexicon: str | None, heads: str | None, as_json: bool
) -> None:
    """Write what was chosen in SOURCE, a profile or a directory of suites, in the forms that other programs read.

    Sentences that were not accepted are left out; sentences.csv says of each what became of it. Dependencies need the
    head of every rule: it is the daughter that the rule's name calls hd (sb-hd_mc_c: the second) or that --heads names,
    else the first, and how often that was guessed is said.
    """
    with Bar("writing"):
        found = write_vistas(source, output, forms=forms or None, lexicon=lexicon, heads=heads)
    if as_json:
        echo_json(found.to_dict())
        return
    rows = [(FILES[form], TOLD[form], n, found.n_accepted - n) for form, n in found.counts.items()]
    said = f"{found.n_accepted} of {counted(found.n_sentences, 'sentence')} were accepted"
    print_blocks(table("", ("file", "vista", "sentences", "not there"), rows))
    notes = [f"{said}; sentences.csv says of each what became of it."]
    if found.guessed:
        most = ", ".join(f"{rule} ({n})" for rule, n in sorted(found.guessed.items(), key=lambda one: -one[1])[:5])
        what = f"{counted(sum(found.guessed.values()), 'head')} guessed: the first daughter of {most}"
        notes.append(f"{what}; --heads says better.")
    print_notes(notes)
    click.echo(f"Wrote {output}")
