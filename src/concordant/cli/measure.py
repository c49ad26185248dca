"""Measure: coefficients of agreement with intervals.

Examples:
  %(prog)s measure ratings.csv --level ordinal
  %(prog)s measure features.csv --unit response --rater annotator --question feature --by group
  %(prog)s measure ratings.csv --level ordinal --group native=J1,J2,J3 --group other=J4,J5
  %(prog)s measure features.csv --pool --by group --measure kappa --permutations 1000
  %(prog)s measure table.csv --format contingency --measure kappa --measure pi --json
  %(prog)s measure spans.csv --measure gamma --by guideline
  %(prog)s measure gold.mrg test.mrg --measure parseval --measure leaf_ancestor
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any, NamedTuple, get_args

import click

from concordant.about import NAME
from concordant.cli import inputs, screen
from concordant.cli.inputs import Source, SpanChoices
from concordant.cli.options import (
    CLUSTER,
    CONFIDENCE,
    CROSSED,
    JSON,
    READ_ON,
    Grouped,
    add,
    by_option,
    column_of,
    measures_option,
    options_of,
    refuse,
    shown,
    taken,
)
from concordant.cli.screen import Bar
from concordant.engines.tally import looks_odd, tally
from concordant.errors import InputError
from concordant.measures.catalogue import find_measure
from concordant.measures.evaluation import by_unit
from concordant.measures.result import Agreement
from concordant.measures.spec import Options
from concordant.measures.treebanks import Bracketing
from concordant.model.measurable import KINDS
from concordant.model.study import Study, rater_groups
from concordant.randomness import draw_seed
from concordant.readers.account import Account, account_of
from concordant.readers.format import Format
from concordant.readers.judgement_table import NOT_ASKED
from concordant.report.grid import table
from concordant.uncertainty.request import Ci
from concordant.uncertainty.studies import MANY_ROWS, is_interrupted, measure_study

if TYPE_CHECKING:
    from concordant.measures.result import Column, Matrix
    from concordant.uncertainty.studies import Difference


IN_MEMORY = (
    "cluster",
    "count",
    "case",
    "empty",
    "rows",
    "encoding",
    "separator",
    "sheet",
    "duplicates",
    "format",
    "said",
)
"""What other engines cannot be told about the data."""
COMPUTED = (
    measures_option("keys", help="Measure to compute; repeatable. Default: those that suit."),
    by_option(
        help="Slice by this column; repeatable for crossed slices.",
    ),
    click.option("--pool", is_flag=True, help="All questions together: a unit is a unit with a question."),
    click.option("--as-one", is_flag=True, help="All questions at once: a rater's answers to a unit are one (iota)."),
    CROSSED,
    READ_ON,
    click.option("--pairs", is_flag=True, help="Each pair of raters by itself."),
    click.option(
        "--per",
        type=click.Choice(["category", "unit"]),
        help="Also each category against the rest, or the agreement on each unit.",
    ),
    *options_of(Options),
)
UNCERTAINTY = (
    click.option(
        "--ci",
        type=click.Choice(get_args(Ci)),
        help="How the interval is made; auto is what was shown to cover for the measure and the size of the data.  "
        "[default: auto]",
    ),
    shown(
        "--over",
        type=click.Choice(["units", "raters", "both"]),
        default="units",
        help="What is drawn: units speak about these raters, raters and both about others like them.",
    ),
    CLUSTER,
    CONFIDENCE,
    shown("--resamples", default=2000, help="Resamples of the bootstrap, draws of the posterior."),
    click.option(
        "--permutations",
        default=0,
        metavar="N",
        help="Also p-values from N permutations: is it above chance, do slices (--by) or groups of raters differ.",
    ),
    click.option(
        "--seed",
        type=int,
        help="Seed of bootstrap and permutations; without it one is drawn and said in the signature.",
    ),
)
BIND = click.option(
    "--bind-units", is_flag=True, help="A signature that holds only for units of these names, whatever they were given."
)
TREES = options_of(Bracketing)
GROUPS = {
    "Data": inputs.OPTIONS,
    "What to compute": (*COMPUTED[:7], inputs.GROUP, *COMPUTED[7:]),
    "Uncertainty": UNCERTAINTY,
    "Spans": (*inputs.SPAN_OPTIONS, *inputs.CONVENTIONS),
    "Trees": TREES,
    "Output": (BIND, JSON),
}
MOST_EXAMINED = 1_000_000  # rows that are looked at for sorted columns and the like; `diagnose` looks at all
MOST_SUSPICIONS = 2
QUANTITIES = {"value": "", "observed": "observed disorder", "expected": "expected disorder"}


@click.command("measure", cls=Grouped, groups=GROUPS)
@inputs.data_options
@inputs.MORE
@inputs.span_options(chance=True)
@add((*COMPUTED, *UNCERTAINTY, *TREES, BIND, JSON))
@click.pass_context
def command(
    context: click.Context,
    /,
    source: Source,
    spans: SpanChoices,
    keys: tuple[str, ...],
    by: tuple[str, ...],
    per: str | None,
    as_json: bool,
    **how: Any,
) -> None:
    """Measure agreement in DATA: coefficients with intervals, readings and signatures.

    DATA is a CSV, TSV, XLSX, Parquet or JSON Lines file with one judgement per row (columns unit, rater, value and
    perhaps question) or one column per rater; `-` reads standard input. Spans are a table with the columns text, rater,
    begin, end and category, or a file or folder of another format of spans (brat, XMI, WebAnno …).
    """
    options = {**taken(Options, how), **taken(Bracketing, how)}
    if how["seed"] is None:
        how["seed"] = draw_seed()
    with Bar("reading") as bar:
        read = _read(context, source, spans, keys, by, bar)
    if per == "unit" and not isinstance(read.data, Study):
        raise InputError("agreement on each unit is of judgements in memory", hint="leave out --per unit")
    apart: dict[str, Any] = {"by": read.by, "groups": read.groups, "per_category": per == "category"}
    options |= read.options
    with Bar("measuring") as bar:
        results = measure_study(read.data, keys, **apart, selection=read.selection, progress=bar, **how, **options)
        found = _differences(read, keys, how, options, bar)
    units = unit_rows(read.data, options.get("weights")) if per == "unit" else []
    matrices = _matrices(results) if isinstance(read.data, list) and (by or spans.groups) else {}
    lines = read.account.lines() if read.account else []
    odd = suspicions(read.data) if isinstance(read.data, Study) else []
    notes = [*lines, *odd, *read.notes, *_about(results)]
    # the table and one line for all results say what the notes about chance samples do
    brief = [r.with_(notes=tuple(n for n in r.notes if not n.startswith("expected disorder"))) for r in results]
    if as_json:
        more: dict[str, Any] = {"read": read.account.to_dict()} if read.account else {}
        more |= {"units": units} if per == "unit" else {}
        more |= {"differences": [asdict(one) for one in found]} if found else {}
        for title, one in matrices.items():
            columns = {c.title: _column(c) for c in one.columns}
            told = {"title": title, "quantity": one.quantity, "texts": one.texts, "columns": columns}
            more.setdefault("matrices", []).append(told)
        screen.print_json(results, [*odd, *read.notes], **more)
    elif matrices:
        _print_matrices(matrices, brief, notes)
    else:
        screen.print_results(brief, notes)
        if per is not None:
            screen.print_breakdown(results, units)
        screen.print_differences(found)
    if is_interrupted(results):
        raise KeyboardInterrupt


class _Read(NamedTuple):
    """Data of any kind as they were read, and what was said about them; `by` and `groups` as far as not yet used.

    There is no account of tables that another engine reads.
    """

    data: Any
    selection: Mapping[str, str]
    options: Mapping[str, Any]
    account: Account | None
    notes: Sequence[str] = ()
    by: tuple[str, ...] = ()
    groups: Mapping[str, tuple[str, ...]] | None = None


def _read(
    context: click.Context,
    source: Source,
    spans: SpanChoices,
    keys: tuple[str, ...],
    by: tuple[str, ...],
    bar: Bar,
) -> _Read:
    """Find out what the data are, and read them; options of another kind of data are refused."""
    of_spans = {"features", "positions", "texts", "categorical"}
    if source.engine != "memory":
        refuse(context, {*IN_MEMORY, *of_spans, "group"}, f"tables of the engine {source.engine}")
        table, chosen = source.remote(), source.selection(pool=context.params["pool"])
        return _Read(table, chosen, spans.gamma, None, (*source.told, *table.notes), by)
    recognized = source.measured_by(keys)
    found = recognized.format
    if found.holds == "spans":
        refuse(context, ("engine", "cluster"), "spans")
        read = spans.read(source, found, by)
        account = account_of(read.table, recognized)
        notes = [*read.table.notes, *read.kept]
        return _Read(read.texts, spans.selection(source), read.conventions, account, notes)
    if found.holds != "judgements":
        refuse(context, {*of_spans, "group", "engine", "cluster"}, KINDS[found.holds])
        data = source.read(found, progress=bar)
        return _Read(data, dict(source.said), spans.gamma, account_of(data, recognized), by=by)
    refuse(context, of_spans, "judgements")
    columns = [*by, *(text for text in spans.groups if "=" not in text), *column_of(context.params["cluster"])]
    study: Study = source.read(found, attributes=columns)
    groups = rater_groups(study, spans.groups) if spans.groups else None
    chosen = source.selection(pool=context.params["pool"])
    data = with_attributes(study, source, found)
    return _Read(data, chosen, spans.gamma, account_of(study, recognized), study.notes, by, groups)


def with_attributes(study: Study, source: Source, found: Format) -> Study:
    """The study with the columns that nobody asked for, in which units may resemble each other; unless it is large."""
    if NOT_ASKED not in study.unused.values() or study.n_rows > MANY_ROWS or "-" in source.paths:
        return study
    return replace(study, attributes=source.read(found, attributes=None).attributes)


def suspicions(study: Study) -> list[str]:
    """What is wrong with the raters' columns themselves: sorted, filled from the left, one value, or the same."""
    if study.n_rows > MOST_EXAMINED or not any(
        looks_odd(tally(study.judgements(q))) for q in study.questions or (None,)
    ):
        return []
    from concordant.diagnosis import behaviour
    from concordant.diagnosis.forensics import run
    from concordant.diagnosis.material import open_case

    slots = (behaviour.sorted_slots, behaviour.anonymous_slots)
    found = run(open_case(study), *slots, behaviour.constant_rater, behaviour.copied_raters)
    about = [f"{one.question}: {one.seen}" if one.question else one.seen for one in found]
    more = [f"and {len(about) - MOST_SUSPICIONS} more findings"] if len(about) > MOST_SUSPICIONS else []
    said = " ".join([*about[:MOST_SUSPICIONS], *more])
    return [f"look at the data first: {said} (`{NAME} diagnose` says what that means)"] if about else []


def _differences(
    read: _Read, keys: tuple[str, ...], how: Mapping[str, Any], options: Mapping[str, Any], bar: Bar
) -> "list[Difference]":
    """Tests of every two groups of raters or slices, where there are some."""
    if not how["permutations"] or not (read.by or read.groups):
        return []
    if not isinstance(read.data, Study):
        raise InputError("differences of slices need --engine memory", hint="leave out --by or --permutations")
    from concordant.uncertainty.arranged import clustered, together
    from concordant.uncertainty.studies import differences

    data = read.data if how["cluster"] is None else clustered(read.data, how["cluster"])
    data = together(data) if how["as_one"] else data
    named = {name: how[name] for name in ("pool", "permutations", "seed")}
    return differences(data, keys, by=read.by, groups=read.groups, progress=bar, **named, **options)


def unit_rows(study: Study, weights: str | None) -> list[dict[str, Any]]:
    """The agreement on each unit of each question, the least agreed on first."""
    rows: list[dict[str, Any]] = []
    for question in study.questions or (None,):
        found = by_unit(study.judgements(question), weights).rows()
        rows += [{"question": question, **row} for row in found if row["agreement"] is not None]
    return sorted(rows, key=lambda row: float(row["agreement"]))


def _matrices(results: Sequence[Agreement]) -> "dict[str, Matrix]":
    """A matrix for each measure and quantity, by its title; values of single categories stay in the JSON."""
    from concordant.measures.result import matrix

    own: dict[str, list[Agreement]] = {}
    for result in results:
        if "category" not in result.details:
            own.setdefault(result.measure, []).append(result)
    return {
        f"{mine[0].name}: {words}".rstrip(": "): matrix(mine, quantity)
        for mine in own.values()
        for quantity, words in QUANTITIES.items()
    }


def _column(one: "Column") -> dict[str, Any]:
    """A column of a matrix as JSON shows it."""
    mean = {"mean_interval": one.interval.to_dict()} if one.interval else {}
    return {"cells": one.cells, "reasons": one.reasons, **one.summary, **mean}


def _print_matrices(matrices: "Mapping[str, Matrix]", results: Sequence[Agreement], notes: Sequence[str]) -> None:
    """The matrices with what sums them up, then why cells are blank, then the notes."""
    from concordant.measures.result import apart, summary_rows

    _, undefined = screen.without_undefined(results)
    for title, found in (
        (f"{title}, {group}".rstrip(", "), one) for title, m in matrices.items() for group, one in apart(m)
    ):
        rows: list[list[Any]] = [[text, *(c.cells[i] for c in found.columns)] for i, text in enumerate(found.texts)]
        if undefined:
            rows = [row for row in rows if any(cell is not None for cell in row[1:])]
        rows += [[name, *cells] for name, cells in summary_rows(found)]
        screen.print_blocks(table(title, ["text", *(c.title or "all" for c in found.columns)], rows))
    blank = {
        f"{result.name}, {', '.join((result.slice or {}).values())}": result.reason
        for result in results
        if result.reason and "category" not in (result.slice or {}) and not undefined
    }
    others = dict.fromkeys(note for result in results for note in result.notes)
    screen.print_notes([*undefined, *notes, *others, *(f"{where}: {reason}" for where, reason in blank.items())])
    click.echo("\nThe signature of every cell is in the output of --json.")


def _about(results: Sequence[Agreement]) -> list[str]:
    """The sampler and the seed, which every table of Gamma must name, and what its intervals mean."""
    sampled = [result for result in results if "n_samples" in result.details]
    if not sampled:
        return _means(results)
    least, most = (f(result.details["n_samples"] for result in sampled) for f in (min, max))
    first = sampled[0].details
    number = f"{least:,}" if least == most else f"{least:,} to {most:,}"
    return [
        f"variant {first['variant']}, sampler {first['sampler']}, {number} chance samples each, seed {first['seed']}",
        "intervals say how exactly chance is known from its samples, not how texts or raters vary",
        *_means(results),
    ]


def _means(results: Sequence[Agreement]) -> list[str]:
    """The mean of each measure over texts with its interval, which says how texts vary; of few texts none."""
    of_spans = [result for result in results if "spans" in find_measure(result.measure).of]
    columns = [(title, c) for title, one in _matrices(of_spans).items() for c in one.columns if c.interval]
    told = [f"{title}: {column.mean_in_words}" for title, column in columns if not column.title]
    about = "the interval of a mean over texts is a jackknife over texts: it says how texts like these vary"
    return [*told, about] if columns else []
