"""Plan: how many units or raters an interval of a given width, or a reliability, takes.

Example:
  %(prog)s planning pilot.csv --measure alpha --width 0.1
  %(prog)s planning pilot.csv --measure fleiss --width 0.2 --of raters
  %(prog)s planning pilot.csv --goal dependability=.8 --cost-unit 2 --cost-rater 1
  %(prog)s planning pilot.csv --goal labels=5
  %(prog)s planning rubric.csv --crossed --goal dependability=.8
"""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, Literal, get_args

import click

from concordant.cli.inputs import Source, data_options
from concordant.cli.options import CLUSTER, CONFIDENCE, CROSSED, JSON, column_of, measure_keys, refuse, shown
from concordant.cli.screen import Bar, echo_json, print_blocks
from concordant.digits import brief, cell_text, decimal, percent
from concordant.engines.tally import Tally, tally
from concordant.errors import InputError
from concordant.gold.allocated_labels import LabelPlan, plan_labels
from concordant.model.several_questions import crossed as crossed_columns
from concordant.model.study import Study
from concordant.randomness import draw_seed
from concordant.report.document import Block, Paragraph, Points
from concordant.report.grid import table
from concordant.uncertainty.decision import DecisionRow, DecisionStudy, decide
from concordant.uncertainty.planning import Recommendation, plan
from concordant.uncertainty.request import Ci

LABELS = "labels"
FOR_WIDTH = ("key", "width", "of", "ci")
FOR_GOAL = ("cost_unit", "cost_rater", "per_unit", "sizes", "crossed")


@click.command("planning")
@data_options
@click.option("--measure", "key", metavar="KEY", shell_complete=measure_keys, help="The measure you will report.")
@click.option("--width", type=float, help="How wide the interval may be, from end to end.")
@shown(
    "--of",
    type=click.Choice(["units", "raters"]),
    default="units",
    help="What you can have more of: units judged by raters like these, or raters for units like these.",
)
@click.option(
    "--goal",
    metavar="NAME=VALUE",
    help="A reliability to reach, instead of a width: dependability=.8, generalizability=.8, or alpha=.8 of the "
    "distribution of raters' answers; labels=5: what [allocation] saves where 5 votes for each unit would do.",
)
@shown("--cost-unit", type=float, default=0.0, help="With --goal: what a unit costs, however many judge it.")
@shown("--cost-rater", type=float, default=1.0, help="With --goal: what one rater's judgement of one unit costs.")
@click.option("--per-unit", metavar="K,K…", help="With --goal: numbers of raters per unit to look at.")
@click.option("--sizes", metavar="N,N…", help="With --goal: numbers of units to look at.")
@shown("--ci", type=click.Choice(get_args(Ci)), default="auto", help="The interval that you will report (of units).")
@CLUSTER
@CROSSED
@CONFIDENCE
@shown("--resamples", default=2000, help="Samples drawn for each size.")
@click.option("--seed", type=int, help="Seed of the samples; without it one is drawn and printed.")
@JSON
@click.pass_context
def command(
    context: click.Context,
    /,
    source: Source,
    key: str | None,
    width: float | None,
    of: Literal["units", "raters"],
    goal: str | None,
    cluster: str | None,
    crossed: bool,
    as_json: bool,
    **how: Any,
) -> None:
    """Find how many units or raters a study needs, from a pilot study in DATA.

    The pilot stands for the population. With --width the answer is the smallest number of units for which the interval
    that `measure` shows is no wider; of raters, that for which the bootstrap over raters is. With --goal it is a
    decision study: the reliability of the mean of k raters for so many units, its interval, and the cheapest design
    that reaches it; with --crossed that of the mean over several questions, which every rater of a unit answers. With
    --goal labels=5 it is how many judgements an [allocation] of the study file would save with as many right labels as
    5 votes for each unit give.
    """
    how["seed"] = draw_seed() if how["seed"] is None else how["seed"]
    study = source.study(attributes=column_of(cluster))
    study = study if cluster is None else study.clustered(cluster)
    study = crossed_columns(study) if crossed else study
    if len(study.questions) > 1:
        hint = f"plan for one of them: --where question={study.questions[0]}; or for all: --crossed with a --goal"
        raise InputError(f"the data have {len(study.questions)} questions", file=source.path, hint=hint)
    if goal is not None and goal.partition("=")[0].strip() == LABELS:
        refuse(context, (*FOR_WIDTH, *FOR_GOAL, "resamples", "confidence"), "the goal labels")
        print_labels(labels_planned(study, goal, how["seed"]), study.notes, as_json=as_json)
        return
    data = tally(study.judgements())
    if goal is not None:
        refuse(context, FOR_WIDTH, "a goal")
        chosen = {name: value for name, value in how.items() if name != "ci"}
        _print_decision(_decided(data, goal, **chosen), as_json=as_json)
        return
    refuse(context, FOR_GOAL, "a width")
    if key is None or width is None:
        raise InputError("what is to be planned?", hint="say --measure KEY --width W, or --goal dependability=.8")
    how = {name: value for name, value in how.items() if name not in FOR_GOAL}
    with Bar("planning") as bar:
        found = plan(data, key, width=width, of=of, progress=bar, **how)
    print_width(found, study.notes, as_json=as_json)


def print_width(found: Recommendation, notes: Sequence[str], *, as_json: bool) -> None:
    """The size, and the widths that were simulated."""
    if as_json:
        echo_json({**asdict(found), "notes": list(notes)})
        return
    shown = table("", [found.what.capitalize(), "Width"], [(step.size, step.width) for step in found.steps])
    answer = (
        f"About {found.size:,} {found.what} give {found.measure} = {decimal(found.value)} a "
        f"{percent(found.confidence)} interval "
        f"{cell_text(found.width)} wide ({brief(found.asked_width)} asked for); with {found.now:,} as now it is "
        f"{'undefined' if found.now_width is None else cell_text(found.now_width) + ' wide'}."
    )
    told = [
        f"{found.method}; seed {found.seed}; the data stand for the population",
        *([] if found.width_range is None else [_about(found, found.width_range)]),
    ]
    click.echo(f"{answer}\n")
    print_blocks(shown, Points(items=(*told, *notes)), is_all=True)


def _about(found: Recommendation, widths: tuple[float, float]) -> str:
    """How far the answer is to be trusted."""
    low, high = (cell_text(width) for width in widths)
    return f"other pilots of {found.now:,} {found.what} like these would say {low} to {high} wide (80 % of them)"


def labels_planned(data: Study, goal: str, seed: int) -> LabelPlan:
    """The comparison for a goal as it is typed: labels=5."""
    wanted = goal.partition("=")[2].strip() or "5"
    if not wanted.isdecimal():
        raise InputError("labels are wanted as right as with how many votes?", hint="write --goal labels=5")
    with Bar("planning") as bar:
        return plan_labels(data, int(wanted), seed=seed, progress=bar)


def print_labels(found: LabelPlan, notes: Sequence[str], *, as_json: bool) -> None:
    """What is saved, where it ends, what it costs."""
    if as_json:
        echo_json({**found.to_dict(), "notes": list(notes)})
        return
    fixed = f"With {found.per_unit} votes for each unit the label is what most raters would say for"
    told = f"{fixed} {percent(found.right, 1)} of the units."
    if found.needed is None or found.saved is None:
        told += " Allocation does not get there."
    elif found.saved < 0:
        told += f" Allocated votes reach that with {found.needed:.2f} votes a unit: {percent(-found.saved)} more."
    else:
        told += f" Allocated votes reach that with {found.needed:.2f} votes a unit: {percent(found.saved)} fewer."
    verdict = "Allocate." if found.is_worth_it else "Do not allocate: too little is saved for what it costs."
    points = [
        f"it ends by itself at {found.stopped_at:.2f} votes a unit (sure = {brief(found.sure)}, most = {found.most}), "
        f"where {percent(found.stopped_right, 1)} are right",
        "what it costs: agreement can be computed from the two planned judgements of each unit only",
        f"simulated with {found.n_units:,} units like those of the pilot and raters of equal skill; seed {found.seed}",
    ]
    if found.saved_range is not None:
        low, high = (percent(share) for share in found.saved_range)
        points.insert(0, f"other pilots like this one would promise {low} to {high} (80 % of them)")
    print_blocks(Paragraph(text=told), Paragraph(text=verdict), Points(items=(*points, *notes)), is_all=True)


def _decided(data: Tally, goal: str, *, per_unit: str | None, sizes: str | None, **how: Any) -> DecisionStudy:
    """The decision study for a goal as it is typed: dependability=.8."""
    name, _, wanted = goal.partition("=")
    try:
        value = float(wanted) if wanted else 0.8
        raters, units = ([int(part) for part in (text or "").split(",") if part.strip()] for text in (per_unit, sizes))
    except ValueError:
        hint = "write --goal dependability=.8, --per-unit 1,2,3 and --sizes 50,100"
        raise InputError("a goal is a name and a number, and sizes are whole numbers", hint=hint) from None
    with Bar("planning") as bar:
        return decide(data, name.strip(), goal=value, raters=raters, units=units, progress=bar, **how)


def _print_decision(found: DecisionStudy, *, as_json: bool) -> None:
    """The answer, the cheapest rows, the table."""
    if as_json:
        echo_json(found.to_dict())
        return
    rows = [
        (row.raters, row.units, row.reliability, row.low, row.high, int(row.cost) if row.cost % 1 == 0 else row.cost)
        for row in found.rows
    ]
    told: list[Block] = [Paragraph(text=found.verdict)]
    told += [Paragraph(text=f"Cheapest by the value: {described(found.cheapest)}.")] if found.cheapest else []
    sure = f"{described(found.safest)}" if found.safest else "none of these; ask for more raters or units"
    told += [Paragraph(text=f"Cheapest by the low end of the interval: {sure}.")]
    headers = ["Raters per unit", "Units", "Reliability", f"{percent(found.confidence)} low", "high", "Cost"]
    cost = f"cost = units × ({brief(found.cost_unit)} + raters × {brief(found.cost_rater)})"
    design = "intervals are those of a study of so many units with raters and holes as in the data"
    notes = (*found.notes, cost, f"{design}; seed {found.seed}")
    print_blocks(*told, table("", headers, rows), Points(items=notes), is_all=True)


def described(row: DecisionRow) -> str:
    """A row in words."""
    ends = "" if row.low is None or row.high is None else f" [{decimal(row.low)}, {decimal(row.high)}]"
    raters = "1 rater" if row.raters == 1 else f"{row.raters:,} raters"
    return f"{raters} for each of {row.units:,} units, {decimal(row.reliability)}{ends}, cost {brief(row.cost)}"
