"""Keep: how much each feature counts, from preference pairs.

Example: the folder of a preference test
  %(prog)s weights my-preferences --by-rater
or pairs.csv, which has one row per decision
  pair,rater,choice,A_core,B_core,A_grammar,B_grammar
  1,A1,B,0,1,1,1
  2,A1,same,1,1,0,1
and
  %(prog)s weights pairs.csv --only A1
"""

from typing import Any

import click

from concordant.choices import split
from concordant.cli.options import FILE, JSON, shown
from concordant.cli.screen import Bar, echo_json, print_blocks, print_notes
from concordant.errors import InputError
from concordant.gold.weights import weigh, weigh_by_rater
from concordant.report.grid import render
from concordant.report.scoring import raters_grid, weights_grid, weights_notes


@click.command("weights")
@click.argument("pairs", type=FILE)
@click.option("--only", metavar="RATER", help="Only this rater's decisions.")
@click.option("--by-rater", is_flag=True, help="The weights of all raters together and of each alone, side by side.")
@click.option("--features", metavar="A,B,…", help="Weigh only these features. [default: all that there are]")
@shown("--digits", type=click.IntRange(1, 9), default=3, help="Decimals of the weights.")
@shown("--resamples", type=click.IntRange(1), default=2000, help="Bootstrap resamples.")
@shown("--confidence", default=0.95, help="Confidence level of the intervals.")
@shown("--seed", type=click.IntRange(0), default=1, help="Seed of the bootstrap.")
@JSON
def command(pairs: str, only: str | None, by_rater: bool, features: str | None, as_json: bool, **how: Any) -> None:
    """Weigh features by how often they are with the preferred response in PAIRS.

    PAIRS is the folder of a preference test, or a table with one row per decision (as `%(prog)s export` writes it). A
    feature's net is how often it is with the preferred response minus how often with the other; its weight is its
    share of all nets. Pairs ruled same are left out. The weights are rounded so that they sum to exactly 1. Intervals
    are made by drawing whole pairs anew. Beside them stand the weights of a logistic (Bradley-Terry) model, which
    separates features that come together; look closer where the two differ.
    """
    how["features"] = None if features is None else split(features)
    if by_rater:
        if only is not None:
            raise InputError("--by-rater shows every rater", hint="leave out --only")
        with Bar("weighing"):
            each = weigh_by_rater(pairs, **how)
        if as_json:
            echo_json({"weights": {rater or "all": one for rater, one in each.items()}})
            return
        print_blocks(raters_grid(each))
        print_notes(weights_notes(each[None]))
        return
    with Bar("weighing"):
        found = weigh(pairs, only=only, **how)
    if as_json:
        echo_json({"weights": found, "notes": list(found.notes)})
        return
    click.echo(render(weights_grid(found)))
    print_notes(weights_notes(found))
