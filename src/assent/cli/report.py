"""`assent report`: everything a reader needs to judge the reliability of a study, in one file."""

from typing import Any

import click

from assent.cli.completion import measure_keys
from assent.cli.data import Source, data_options
from assent.cli.progress import Bar
from assent.cli.spans import SpanChoices, is_spans, span_options

EPILOG = """\b
Examples:
  assent report ratings.csv -o report.html --level ordinal --independent
  assent report features.csv --unit response --rater annotator --question feature --by group -o report.xlsx
  assent report ratings.csv --measure alpha --measure icc_a1 -o report.tex
  assent report spans.csv --by guideline -o report.html
"""


@click.command("report", epilog=EPILOG)
@data_options
@span_options(chance=True)
@click.option("-o", "--output", required=True, metavar="FILE", help="Where to write: .html, .xlsx, .tex or .md.")
@click.option(
    "--measure",
    "measures",
    multiple=True,
    shell_complete=measure_keys,
    metavar="KEY",
    help="Measure to report; repeatable. Default: those that suit.",
)
@click.option(
    "--by", multiple=True, metavar="COLUMN", help="Attribute to slice by; repeatable. Default: those with few values."
)
@click.option(
    "--independent/--not-independent", default=None, help="Whether the raters worked independently of each other."
)
@click.option("--trust-raters", is_flag=True, help="Compare raters even if their columns look sorted or anonymous.")
@click.option(
    "--ci",
    type=click.Choice(["bootstrap", "bca", "jackknife", "analytic", "none"]),
    default="bootstrap",
    show_default=True,
    help="How intervals are made.",
)
@click.option("--confidence", type=float, default=0.95, show_default=True, help="Confidence level of the intervals.")
@click.option("--resamples", type=int, default=2000, show_default=True, help="Bootstrap resamples.")
@click.option("--seed", type=int, default=1, show_default=True, help="Seed of everything random in the report.")
@click.option("--title", help="Title of the report.")
def command(source: Source, spans: SpanChoices, output: str, **choices: Any) -> None:
    """Write the reliability report of DATA to FILE.

    The report holds the study at a glance, coefficients with intervals, readings and signatures, slices, the
    diagnosis, pictures, a methods paragraph for your paper and the references. The ending of FILE chooses the format.

    DATA are judgements, or spans as `assent measure` takes them: the report of spans holds Gamma and its kin for every
    text (and the matrix of texts by --by), and draws the best alignments.
    """
    from assent.report.writing import write_report, writer_for

    writer_for(output)
    data: Any
    if is_spans(source, choices["measures"]):
        data, choices = _spans(source, spans, choices)
    else:
        data, choices = source.study(), {"selection": source.selection(), **choices}
    with Bar("reporting") as bar:
        write_report(data, output, progress=bar, **choices)
    click.echo(f"{output} written")


def _spans(source: Source, spans: SpanChoices, choices: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
    """The texts with their spans, and the choices that concern them."""
    read = spans.table(source)
    concerned = {name: choices[name] for name in ("measures", "independent", "confidence", "seed", "title")}
    told = {"name": source.path, "notes": read.notes, "selection": spans.selection(source)}
    gamma = spans.conventions(source.options.get("categories"))
    return spans.continua(read, source, choices["by"]), {**concerned, **told, "gamma": gamma}
