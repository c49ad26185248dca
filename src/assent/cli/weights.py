"""`assent weights`: how much each feature counts, from preference pairs."""

import click

from assent.cli.completion import FILE
from assent.cli.sections import echo_json
from assent.gold.preferences import read_preferences
from assent.gold.weights import Weights, feature_weights
from assent.report.tables import BLANK, interval_text, table
from assent.report.text import bullet, render

EPILOG = """\b
Example: pairs.csv has one row per decision
  pair,rater,choice,A_core,B_core,A_grammar,B_grammar
  1,A1,B,0,1,1,1
  2,A1,same,1,1,0,1
and
  assent weights pairs.csv --only A1
"""


@click.command("weights", epilog=EPILOG)
@click.argument("pairs", type=FILE)
@click.option("--only", metavar="RATER", help="Only this rater's decisions.")
@click.option("--digits", type=click.IntRange(1, 9), default=3, show_default=True, help="Decimals of the weights.")
@click.option("--resamples", type=click.IntRange(1), default=2000, show_default=True, help="Bootstrap resamples.")
@click.option("--confidence", type=float, default=0.95, show_default=True, help="Confidence level of the intervals.")
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True, help="Seed of the bootstrap.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON with unrounded numbers.")
def command(
    pairs: str, only: str | None, digits: int, resamples: int, confidence: float, seed: int, as_json: bool
) -> None:
    """Weigh features by how often they are with the preferred response in PAIRS.

    A feature's net is how often it is with the preferred response minus how often with the other; its weight is its
    share of all nets. Pairs ruled same are left out. The weights are rounded so that they sum to exactly 1. Intervals
    are made by drawing whole pairs anew. Beside them stand the weights of a logistic (Bradley-Terry) model, which
    separates features that come together; look closer where the two differ.
    """
    data = read_preferences(pairs)
    found = feature_weights(
        data if only is None else data.by(only), digits=digits, resamples=resamples, confidence=confidence, seed=seed
    )
    if as_json:
        echo_json({"weights": found, "notes": list(found.notes)})
    else:
        _print(found)


def _print(found: Weights) -> None:
    """The counts and weights, one row per feature."""
    rows = [
        (
            one.feature,
            _whole(one.preferred),
            _whole(one.dispreferred),
            _whole(one.net),
            one.rounded or BLANK,
            interval_text(one.interval),
            one.logistic,
        )
        for one in found.features
    ]
    headers = ("Feature", "Preferred", "Dispreferred", "Net", "Weight", "Interval", "Logistic")
    click.echo(render(table("", headers, rows)))
    used = found.n_decisions - found.n_same
    notes = [f"{found.n_decisions:,} decisions, {found.n_same:,} ruled same and left out, {used:,} used"]
    if found.reason:
        notes.append(f"no weights: {found.reason}")
    if found.slot is not None:
        notes.append(
            f"the slot A alone shifts the log odds by {found.slot:.2f} (0 means that the slot does not matter)"
        )
    if found.agreement is not None and found.agreement.value is not None:
        notes.append(
            f"raters agree on the choices: observed {found.agreement.observed:.3f}, chance "
            f"{found.agreement.expected:.3f}, {found.agreement.name} {found.agreement.value:.3f} on "
            f"{found.agreement.n_units:,} pairs"
        )
    for note in (*notes, *found.notes):
        click.echo(bullet(note))


def _whole(number: float) -> int | float:
    """Counts without decimals."""
    return int(number) if number == int(number) else number
