"""`assent measure`: coefficients with intervals."""

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from assent.cli.completion import measure_keys
from assent.cli.data import Source, data_options
from assent.cli.groups import read_groups
from assent.cli.printing import print_breakdown, print_differences, print_json, print_results
from assent.cli.progress import Bar
from assent.cli.spans import SpanChoices, is_spans, span_options
from assent.cli.trees import is_trees, tree_options
from assent.errors import InputError
from assent.measures.breakdown import by_unit
from assent.model.study import Study
from assent.randomness import draw_seed
from assent.uncertainty.studies import measure_study

if TYPE_CHECKING:
    from assent.engines.out_of_core import RemoteTable
    from assent.uncertainty.differences import Difference

EPILOG = """\b
Examples:
  assent measure ratings.csv --level ordinal
  assent measure features.csv --unit response --rater annotator --question feature --by group
  assent measure ratings.csv --level ordinal --group native=J1,J2,J3 --group other=J4,J5
  assent measure features.csv --pool --by group --measure kappa --permutations 1000
  assent measure table.csv --format contingency --measure kappa --measure pi --json
  assent measure spans.csv --measure gamma --by guideline
  assent measure gold.mrg test.mrg --format trees --measure parseval --measure leaf_ancestor
"""


@click.command("measure", epilog=EPILOG)
@data_options
@span_options(chance=True)
@tree_options
@click.option(
    "--measure",
    "keys",
    multiple=True,
    metavar="KEY",
    shell_complete=measure_keys,
    help="Measure to compute; repeatable. Default: those that suit.",
)
@click.option("--by", multiple=True, metavar="COLUMN", help="Slice by this column; repeatable for crossed slices.")
@click.option("--pool", is_flag=True, help="All questions together: a unit is a unit with a question.")
@click.option("--pairs", is_flag=True, help="Each pair of raters by itself.")
@click.option(
    "--per",
    type=click.Choice(["category", "unit"]),
    help="Also each category against the rest, or the agreement on each unit.",
)
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
@click.option(
    "--permutations",
    type=int,
    default=0,
    metavar="N",
    help="Also p-values from N permutations: is it above chance, do slices (--by) or groups of raters differ.",
)
@click.option(
    "--seed", type=int, help="Seed of bootstrap and permutations; without it one is drawn and said in the signature."
)
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
@click.option(
    "--engine",
    type=click.Choice(["memory", "duckdb", "spark"]),
    default="memory",
    show_default=True,
    help="Who reads and counts: memory, or duckdb / spark for files larger than memory.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON with unrounded numbers.")
def command(
    source: Source,
    more: tuple[str, ...],
    spans: SpanChoices,
    keys: tuple[str, ...],
    by: tuple[str, ...],
    per: str | None,
    engine: str,
    as_json: bool,
    **choices: Any,
) -> None:
    """Measure agreement in DATA: coefficients with intervals, readings and signatures.

    DATA is a CSV, TSV, XLSX, Parquet or JSON Lines file with one judgement per row (columns unit, rater, value and
    perhaps question) or one column per rater; `-` reads standard input. Spans are a table with the columns text, rater,
    begin, end and category, or a file or folder of another format of spans (brat, XMI, WebAnno …).
    """
    kind = "trees" if is_trees(source, keys) else "spans" if is_spans(source, keys) else "table"
    if choices["permutations"] and kind != "table":
        raise InputError("permutation tests are for judgements", hint="leave out --permutations")
    if kind == "trees":
        from assent.cli.measure_trees import measure_trees

        measure_trees(source, more, keys, choices, as_json=as_json)
        return
    for name in ("preterminals", "ignore", "punctuation"):
        choices.pop(name)
    if kind == "spans":
        from assent.cli.measure_spans import measure_spans

        confidence, seed = choices["confidence"], choices["seed"]
        measure_spans(source, spans, keys, by=by, confidence=confidence, seed=seed, as_json=as_json)
        return
    measure_table(source, more, spans.groups, keys, by=by, engine=engine, per=per, as_json=as_json, **choices)


def measure_table(
    source: Source,
    more: tuple[str, ...],
    group_texts: tuple[str, ...],
    keys: tuple[str, ...],
    *,
    by: tuple[str, ...],
    engine: str,
    per: str | None,
    as_json: bool,
    **choices: Any,
) -> None:
    """Judgements in a table, or in several annotators' treebanks: read, measure, print."""
    columns = [*by, *(text for text in group_texts if "=" not in text)]
    study = _read(source, more, columns, engine)
    groups, selection = read_groups(study, group_texts), source.selection(pool=choices["pool"])
    if choices["permutations"] and choices["seed"] is None:
        choices["seed"] = draw_seed()
    how: dict[str, Any] = {"by": by, "groups": groups, "per_category": per == "category", "selection": selection}
    with Bar("measuring") as bar:
        results = measure_study(study, keys, progress=bar, **how, **choices)
        found = _differences(study, keys, by, groups, choices, bar) if choices["permutations"] else []
    units = unit_rows(study, choices["weights"]) if per == "unit" and isinstance(study, Study) else []
    if as_json:
        more_keys = {"units": units} if per == "unit" else {}
        more_keys |= {"differences": [asdict(one) for one in found]} if found else {}
        print_json(results, study.notes, **more_keys)
    else:
        print_results(results, study.notes)
        print_breakdown(results, units)
        print_differences(found)


def _differences(
    study: "Study | RemoteTable",
    keys: tuple[str, ...],
    by: tuple[str, ...],
    groups: dict[str, tuple[str, ...]] | None,
    choices: dict[str, Any],
    bar: Bar,
) -> "list[Difference]":
    """Tests of every two groups of raters or slices, where there are some."""
    from assent.uncertainty.differences import differences

    if not (by or groups):
        return []
    if not isinstance(study, Study):
        raise InputError("differences of slices need --engine memory", hint="leave out --by or --permutations")
    named = ("pool", "permutations", "seed", "weights", "distance", "singletons", "weight")
    return differences(study, keys, by=by, groups=groups, progress=bar, **{name: choices[name] for name in named})


def _read(source: Source, more: tuple[str, ...], columns: list[str], engine: str) -> "Study | RemoteTable":
    if more:
        from assent.cli.measure_trees import annotators_study

        return annotators_study(source, more)
    return source.study(attributes=columns) if engine == "memory" else source.remote(engine)


def unit_rows(study: Study, weights: str | None) -> list[dict[str, Any]]:
    """The agreement on each unit of each question, the least agreed on first."""
    rows: list[dict[str, Any]] = []
    for question in study.questions or (None,):
        found = by_unit(study.judgements(question), weights).rows()
        rows += [{"question": question, **row} for row in found if row["agreement"] is not None]
    return sorted(rows, key=lambda row: float(row["agreement"]))
