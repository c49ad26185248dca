"""Keep: may a model stand for a person? Alternative annotator test, human ceiling, bias, corrected results.

Examples:
  %(prog)s judges answers.csv --models gpt-4o,claude-* --epsilon 0.1
  %(prog)s judges answers.csv --model-file machine.csv --by genre --require 'win_rate>=.5' --require 'gap_low>-.05'
  %(prog)s judges answers.csv --estimate share -o judges.html
"""

import sys
from pathlib import Path
from typing import Any, get_args

import click

from concordant.cli.inputs import Source, data_options
from concordant.cli.options import CLUSTER, JSON, by_option, shown
from concordant.cli.screen import Bar, echo_json, print_blocks, print_notes, print_signatures
from concordant.files import refuse_unwritable, written_whole
from concordant.judging.alt_test import LEAST, Q
from concordant.judging.ceiling import MARGIN, MEASURES, RESAMPLES
from concordant.judging.corrected import WHAT
from concordant.judging.judge import judges
from concordant.judging.panel import Runs
from concordant.report.document import Paragraph
from concordant.report.formats import format_for
from concordant.report.judged import judges_document, judges_tables


@click.command("judges")
@data_options
@click.option("--epsilon", type=float, help="How much better a person may be: .1 crowd, .15 trained, .2 experts.")
@shown("--q", default=Q, help="False discovery rate of the tests of people.")
@shown("--least", default=LEAST, help="Units that a person must share with the model; below 30 Wilcoxon's test.")
@shown("--margin", default=MARGIN, help="A gap in agreement that does not matter.")
@shown("--measure", type=click.Choice(MEASURES), default=MEASURES[0], help="The coefficient of the human ceiling.")
@CLUSTER
@by_option(
    help="Column of units to look for bias in; repeatable.",
)
@click.option("--length", metavar="COLUMN", help="Column with the length of units: does the model prefer long ones?")
@click.option("--position", metavar="COLUMN", help="Column that says which answer stood first: a preference for it?")
@click.option("--source", "author", metavar="COLUMN", help="Column with who wrote a text: does a model prefer its own?")
@click.option("--own", metavar="PATTERN", help="The family of a model in that column and among models, as gpt*.")
@click.option("--ranks", is_flag=True, help="The test compares mid-ranks in everybody's own answers.")
@click.option("--standardise", is_flag=True, help="The test compares standard scores in everybody's own answers.")
@click.option("--expert", metavar="NAME", help="The test compares people and model with this person alone.")
@shown("--runs", type=click.Choice(get_args(Runs)), default="first", help="What of repeated runs is the answer.")
@click.option("--estimate", type=click.Choice(WHAT), help="Results corrected by people's labels.")
@click.option("--group", metavar="COLUMN", help="The column of two groups, for --estimate difference.")
@click.option("--all", "all", metavar="FILE", help="The model's judgements of all units, for --estimate.")
@click.option(
    "--weights", metavar="COLUMN", help="How many units each labelled unit stands for, if drawn with unequal chances."
)
@click.option("--beyond", is_flag=True, help="Estimates are about a population that all these units were drawn from.")
@click.option("--require", multiple=True, metavar="'NAME OP NUMBER'", help="Exit code 1 unless it holds; repeatable.")
@shown("--resamples", type=click.IntRange(100), default=RESAMPLES, help="Bootstrap resamples.")
@shown("--seed", type=click.IntRange(0), default=1, help="Seed of the bootstrap.")
@click.option("-o", "--output", metavar="FILE", help="Write a report: .html, .md, .tex or .xlsx.")
@JSON
def command(
    source: Source, output: str | None, as_json: bool, by: tuple[str, ...], cluster: str | None, **how: Any
) -> None:
    """Compare the models in DATA with the people who judged the same units.

    The alternative annotator test (Calderon et al. 2025) asks whether a model represents the other people at least as
    well as each person does; the win rate is shown for several epsilons and with every person left out, since one
    careless person can decide the verdict. The human ceiling puts people among each other, the model with people and
    the consensus of the others with a person on one scale, with a paired interval of the gap. Then: severity, use of
    the scale, bias by --by and --length, stability over runs (column `run`) and prompts (column `prompt`).

    With --estimate the shares, the mean or the difference of two groups of all units are corrected by the labels of
    people, of whom one is enough. The labelled units must be a random sample, or --weights says how many each one
    stands for.

    The data say who is a model: --models, --model-file, or a column `kind`. Names for --require: win_rate, advantage,
    gap, gap_low, gap_high, agreement, human_agreement, severity, severity_abs, refusals, run_alpha, flips, n_units,
    n_humans; MODEL:NAME asks one model.
    """
    write = None if output is None else format_for(output).write
    if output is not None:
        refuse_unwritable(Path(output))
    kept = source._replace(kinds={**source.kinds, "kind": "all"})
    study = kept.study()
    with Bar("judging") as bar:
        found = judges(study, by=by, cluster=cluster, progress=bar, read=source.selection(), **how)
    if write is not None and output is not None:
        with written_whole(output) as beside:
            write(judges_document(found, source.path), beside)
    if as_json:
        echo_json(found.to_dict())
    else:
        print_blocks(*(Paragraph(text=one.sentence) for one in found.judges), *judges_tables(found))
        print_notes(found.notes)
        print_signatures(found.signatures)
    failed = [one for one in found.requirements if not one.holds]
    for one in failed:
        click.echo(f"not met: {one.text}: {one.reason}", err=True)
    sys.exit(1 if failed else 0)
