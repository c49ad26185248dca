"""Keep: from judged features and collected preferences to weights, ranks, and systems compared.

Example:
  %(prog)s chain my-features my-preferences --scores systems.csv -o chain.html
"""

from pathlib import Path
from typing import Any

import click

from concordant.cli.inputs import Source, data_options
from concordant.cli.options import CONFIDENCE, FILE, JSON, shown
from concordant.cli.rank import DECISIONS, SCORES, VALUES
from concordant.cli.screen import Bar, echo_json, print_blocks
from concordant.gold.from_features import chain
from concordant.readers.study_folder import is_study
from concordant.report.document import Paragraph
from concordant.report.formats import format_for
from concordant.report.scoring import chain_document


@click.command("chain")
@data_options
@click.argument("preferences", type=FILE)
@VALUES
@DECISIONS
@click.option("--only", metavar="RATER", help="Rank by this rater's preferences only.")
@click.option("--item", help="Column that names the item; responses are ranked within it.")
@SCORES
@click.option("--system", multiple=True, metavar="COLUMN", help="Only these systems' scores; repeatable.")
@shown("--resamples", type=click.IntRange(1), default=2000, help="Resamples of the weights' intervals.")
@CONFIDENCE
@shown("--seed", type=click.IntRange(0), default=1, help="Seed of intervals and tests.")
@click.option("-o", "--output", metavar="FILE", help="Write every step to .html, .xlsx, .tex or .md.")
@JSON
def command(
    source: Source, preferences: str, decisions: str | None, output: str | None, as_json: bool, **how: Any
) -> None:
    """Go from DATA (judged features) and PREFERENCES to ranked responses and compared systems, showing every step.

    Both are folders of studies, their exports, or tables: the agreement on each feature, the vector of each response,
    the pairs and what raters preferred, the weights of all and of each rater, scores and ranks within items, and (with
    --scores) systems against the ranking and against each other. Where the pairs were made of other features than the
    responses have now, that is said.
    """
    form = None if output is None else format_for(output)
    place = decisions or (source.path if is_study(source.path) else None)
    with Bar("chaining"):
        found = chain(source.study(), preferences, decisions=place, **how)
        document = chain_document(found, source.path)
        if output is not None and form is not None:
            form.write(document, Path(output))
    if as_json:
        echo_json(found.to_dict())
        return
    for section in document.sections:
        print_blocks(Paragraph(text=section.title), *section.blocks)
    if output is not None:
        click.echo(f"Report written to {output}")
