"""`assent measure`: coefficients with intervals."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

import click

from assent.cli.data import Source, data_options
from assent.cli.printing import print_json, print_results
from assent.cli.progress import Bar
from assent.engines.tally import Tally, tally
from assent.measures.result import Agreement
from assent.model.study import Study
from assent.progress import Progress, silent
from assent.readers.contingency import read_matrix
from assent.uncertainty.estimate import measure
from assent.uncertainty.suitability import recommended

EPILOG = """\b
Examples:
  assent measure ratings.csv --level ordinal
  assent measure features.csv --unit response --rater annotator --question feature --by group
  assent measure table.csv --format contingency --measure kappa --measure pi --json
"""


@dataclass(frozen=True, kw_only=True)
class Part:
    """A part of a study to measure: one question, slice and choice of raters."""

    tally: Tally
    question: str | None
    slice: Mapping[str, str] | None
    raters: tuple[str, ...] | None


def parts(study: Study, *, by: tuple[str, ...], pool: bool, pairs: bool) -> Iterator[Part]:
    """Every slice, every question in it, every rater pair in that."""
    slices = study.slices(by) if by else iter([(None, study)])
    for where, part in slices:
        questions: tuple[str | None, ...] = (None,) if pool or not part.questions else part.questions
        for question in questions:
            data = tally(part.pooled() if pool else part.judgements(question))
            shown = question if len(study.questions) > 1 else None
            for chosen in combinations(data.used_raters, 2) if pairs else (None,):
                yield Part(tally=data, question=shown, slice=where, raters=chosen)


@click.command("measure", epilog=EPILOG)
@data_options
@click.option(
    "--measure", "keys", multiple=True, metavar="KEY", help="Measure to compute; repeatable. Default: those that suit."
)
@click.option("--by", multiple=True, metavar="COLUMN", help="Slice by this column; repeatable for crossed slices.")
@click.option("--pool", is_flag=True, help="All questions together: a unit is a unit with a question.")
@click.option("--pairs", is_flag=True, help="Each pair of raters by itself.")
@click.option(
    "--ci",
    type=click.Choice(["bootstrap", "bca", "jackknife", "analytic", "pairs", "none"]),
    default="bootstrap",
    show_default=True,
    help="How the interval is made.",
)
@click.option(
    "--over",
    type=click.Choice(["units", "raters", "both"]),
    default="units",
    show_default=True,
    help="What the bootstrap or jackknife draws.",
)
@click.option("--confidence", type=float, default=0.95, show_default=True, help="Confidence level of the interval.")
@click.option("--resamples", type=int, default=2000, show_default=True, help="Bootstrap resamples.")
@click.option("--seed", type=int, help="Seed of the bootstrap; without it one is drawn and said in the signature.")
@click.option("--weights", help="Partial credit: linear, quadratic, ordinal, or a CSV matrix between categories.")
@click.option("--distance", help="Distance for alpha: masi, jaccard, nominal, or a CSV matrix of squared distances.")
@click.option(
    "--singletons",
    type=click.Choice(["keep", "drop"]),
    default="keep",
    show_default=True,
    help="Units with one judgement in the category shares of pi, S and AC1.",
)
@click.option(
    "--weight",
    type=click.Choice(["units", "judgements"]),
    default="units",
    show_default=True,
    help="What counts once in observed agreement with missing judgements.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON with unrounded numbers.")
def command(
    source: Source, keys: tuple[str, ...], by: tuple[str, ...], pool: bool, pairs: bool, as_json: bool, **choices: Any
) -> None:
    """Measure agreement in DATA: coefficients with intervals, readings and signatures.

    DATA is a CSV, TSV, XLSX, Parquet or JSON Lines file with one judgement per row (columns unit, rater, value and
    perhaps question) or one column per rater; `-` reads standard input.
    """
    study = source.study(attributes=list(by))
    with Bar("measuring") as bar:
        results = measure_study(
            study,
            keys=keys,
            by=by,
            pool=pool,
            pairs=pairs,
            choices=choices,
            selection=source.selection(pool=pool),
            progress=bar,
        )
    if as_json:
        print_json(results, study.notes)
    else:
        print_results(results, study.notes)


def measure_study(
    study: Study,
    *,
    keys: tuple[str, ...],
    by: tuple[str, ...] = (),
    pool: bool = False,
    pairs: bool = False,
    choices: Mapping[str, Any],
    selection: Mapping[str, str],
    progress: Progress = silent,
) -> list[Agreement]:
    """All results that were asked for."""
    results = []
    todo = list(parts(study, by=by, pool=pool, pairs=pairs))
    for done, part in enumerate(todo):
        progress(done, len(todo))
        given = with_matrices(choices, part.tally)
        for key in keys or recommended(part.tally):
            results.append(
                measure(
                    part.tally,
                    key,
                    question=part.question,
                    slice=part.slice,
                    raters=part.raters,
                    selection=selection,
                    progress=progress if len(todo) == 1 else silent,
                    **given,
                )
            )
    return results


def with_matrices(choices: Mapping[str, Any], data: Tally) -> dict[str, Any]:
    """Weights and distances that name a file become the matrix in it."""
    given = dict(choices)
    for name in ("weights", "distance"):
        if given.get(name) is not None and Path(given[name]).suffix:
            given[name] = read_matrix(given[name], data.scale.categories)
    return given
