"""Publish: the reliability report: HTML, XLSX, LaTeX or Markdown.

Examples:
  %(prog)s report ratings.csv -o report.html --level ordinal --independent
  %(prog)s report features.csv --unit response --rater annotator --question feature --by group -o report.xlsx
  %(prog)s report ratings.csv --measure alpha --measure icc_a1 -o report.tex
  %(prog)s report spans.csv --by guideline -o report.html
  %(prog)s report gold/anna gold/bruno -o adjudication.xlsx
"""

from typing import Any, get_args

import click

from concordant.cli.inputs import CONVENTIONS, MORE, SPAN_OPTIONS, Source, SpanChoices, data_options, span_options
from concordant.cli.options import (
    CLUSTER,
    CONFIDENCE,
    FILE,
    READ_ON,
    by_option,
    measures_option,
    names_of,
    refuse,
    shown,
)
from concordant.cli.screen import Bar
from concordant.cli.treebank import TREEBANK_OPTIONS, compared, treebank_options
from concordant.uncertainty.request import Ci


@click.command("report")
@data_options
@MORE
@span_options(chance=True)
@treebank_options
@click.option("-o", "--output", required=True, metavar="FILE", help="Where to write: .html, .xlsx, .tex or .md.")
@measures_option(help="Measure to report; repeatable. Default: those that suit.")
@by_option(
    help="Attribute to slice by; repeatable. Default: those with few values.",
)
@click.option(
    "--independent/--not-independent", default=None, help="Whether the raters worked independently of each other."
)
@click.option("--trust-raters", is_flag=True, help="Compare raters even if their columns look sorted or anonymous.")
@shown(
    "--ci",
    type=click.Choice([one for one in get_args(Ci) if one != "chance"]),
    default="auto",
    help="How intervals are made; pairs: from random rater pairs, for crowds.",
)
@READ_ON
@CLUSTER
@click.option(
    "--experts", type=FILE, help="Judgements of the same units by experts, to compare with; read as DATA are."
)
@CONFIDENCE
@shown("--resamples", default=2000, help="Resamples of the bootstrap, draws of the posterior.")
@shown("--seed", default=1, help="Seed of everything random in the report.")
@click.option("--title", help="Title of the report.")
@click.pass_context
def command(
    context: click.Context,
    /,
    source: Source,
    spans: SpanChoices,
    how: dict[str, Any],
    output: str,
    **chosen: Any,
) -> None:
    """Write the reliability report of DATA to FILE.

    The report holds the study at a glance, coefficients with intervals, readings and signatures, slices, the
    diagnosis, pictures, a methods paragraph for your paper and the references. The ending of FILE chooses the format.

    DATA are judgements, or spans as `%(prog)s measure` takes them: the report of spans holds Gamma and its kin for
    every text (and the matrix of texts by --by), and draws the best alignments. Several files of one format are one
    set of data; two treebanks are compared: their report has the figures, and every divergent sentence with both trees.
    """
    from concordant.report.facts import write_report
    from concordant.report.formats import format_for

    format_for(output)
    data: Any
    of_trees = set(names_of(TREEBANK_OPTIONS))
    if source.is_of_trees:
        allowed = {"data", "more", "output", "title", "resamples", "seed", *of_trees}
        refuse(context, set(context.params) - allowed, "treebanks")
        one, other = source.paths
        data, before = compared(one, other, how)
        chosen = {name: chosen[name] for name in ("title", "resamples", "seed")} | {"before": before}
    elif (found := source.measured_by(chosen["measure"]).format).holds == "spans":
        refuse(context, {"ci", "cluster", "experts", "resamples", "trust_raters", *of_trees}, "spans")
        read = spans.read(source, found, chosen["by"])
        concerned = {
            name: chosen[name] for name in ("measure", "independent", "confidence", "seed", "title", "read_on")
        }
        told = {"name": source.path, "notes": read.table.notes, "selection": spans.selection(source)}
        data, chosen = read.texts, {**concerned, **told, "gamma": read.conventions}
    else:
        refuse(context, {*names_of(SPAN_OPTIONS), *names_of(CONVENTIONS), *of_trees}, "judgements")
        data = source.study()
        if data.models:  # read again with them: the report has a section on who may stand for whom
            whole = source._replace(kinds={**source.kinds, "kind": "all"}).study()
            chosen["beside"] = whole if whole.is_judged_by_both else None
        chosen |= {"selection": source.selection(), "group": spans.groups}
        if chosen["experts"] is not None:
            chosen["experts"] = source._replace(paths=(chosen["experts"],), where=()).study(attributes=[])
    with Bar("reporting") as bar:
        write_report(data, output, progress=bar, **chosen)
    click.echo(f"{output} written")
