"""Keep: the gold standard: by votes, by adjudication, or weighted by how far each rater can be trusted.

Examples:
  %(prog)s gold answers.csv --method dawid_skene -o gold.csv
  %(prog)s gold answers.csv --method dawid_skene --not-a-truth Unsure
  %(prog)s gold ratings.csv --method rasch --level ordinal -o fair.csv
  %(prog)s gold answers.csv --method adjudicated --decisions decisions.csv
  %(prog)s gold answers.csv -o tasks.json --as label_studio --shown sentence
  %(prog)s gold spans.csv -o gold.csv
  %(prog)s gold spans.csv --texts stories/ -o gold --as brat
"""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from concordant.cli.inputs import MORE, Source, SpanChoices, data_options, span_options
from concordant.cli.options import JSON, add, options_of, refuse, shown, taken
from concordant.cli.screen import Bar, echo_json, print_blocks, print_notes
from concordant.digits import BLANK, brief, counted, decimal
from concordant.errors import InputError
from concordant.files import refuse_unwritable
from concordant.gold.by_models import MODELS, Method, ModelOptions, Standard
from concordant.gold.exchange import FORMS, Form, texts_of, write_gold
from concordant.gold.spans import GoldSpan, SpanGoldOptions, SpanStandard, gold_of
from concordant.gold.standard import MOST_SHOWN, THERE, Standards, gold
from concordant.measures.gamma import GammaOptions
from concordant.readers.format import Format
from concordant.report.document import Paragraph, Points
from concordant.report.grid import Grid, table
from concordant.report.sections.diagnosis import notice

NAMES = tuple(one.name for one in ModelOptions.described())
SPAN_NAMES = (
    "features", "positions", "texts", "group", "categorical", *(one.name for one in SpanGoldOptions.described()),
    *(one.name for one in GammaOptions.described()),
)  # fmt: skip


@click.command("gold")
@data_options
@MORE
@span_options(chance=False)
@shown("--method", type=click.Choice([one.value for one in Method]), default=Method.VOTES.value)
@add(options_of(ModelOptions))
@add(options_of(SpanGoldOptions))
@click.option("--control", metavar="COLUMN", help="What is known of some units: are the probabilities right there?")
@click.option("--decisions", metavar="FILE", help="What adjudicators decided: unit, value (and question).")
@click.option("-o", "--output", metavar="FILE", help="Write the values of all units; as CSV with a codebook beside it.")
@shown("--as", "form", type=click.Choice(FORMS), default="csv", help="For which tool to write; brat's is a new folder.")
@click.option(
    "--shown", "column", metavar="COLUMN", help="Column with what raters saw, for other tools.  [default: text]"
)
@JSON
@click.pass_context
def command(
    context: click.Context,
    /,
    source: Source,
    spans: SpanChoices,
    method: str,
    control: str | None,
    decisions: str | None,
    output: str | None,
    form: Form,
    column: str | None,
    as_json: bool,
    **given: Any,
) -> None:
    """Find the value of every unit in DATA.

    By votes, a unit gets the category that most raters gave; ties are reported, never broken. Adjudicated values are
    those that all raters gave and those of the file of decisions, as `%(prog)s export` writes it. The two models
    estimate together what each unit is and how far each rater can be trusted, and give every category of a unit a
    probability: dawid_skene learns each rater's table of error rates (Dawid & Skene 1979), mace how often a rater knows
    and what they say out of habit otherwise (Hovy et al. 2013). They need many raters or many units each; two raters
    cannot correct each other. What a model gives is guarded: a class that is not what its name says is refused, and
    what stands against believing the rest is said. A probability holds if raters err independently of each other;
    --control shows whether it does. Several judgements of a unit by one rater all count in the models; --duplicates
    says otherwise. rasch gives what raters of average severity would give on average (see `%(prog)s model`), and the
    chance of each category from them.

    Of spans, units that the best alignment puts together (see `%(prog)s align`) become one gold span if more than half
    of the raters who judged the text marked it, or --at-least a share of them (Mathet, Widlöcher & Métivier 2015;
    Braylan & Lease 2021). Borders are medians, the category is that of most; what half of the raters marked and tied
    categories are undecided and named. Raters who marked nothing count: a table does not name them, so say --raters.
    Other tools need the texts: those that the data hold, or a folder named with --texts.
    """
    found = source.of(("judgements", "spans")).format
    if output is None:
        refuse(context, ("form", "column"), "what is not written")
    elif form != "brat":
        refuse_unwritable(Path(output))
    if found.holds == "spans":
        refuse(context, ("method", "control", "decisions", "column", *NAMES), "spans")
        standard = _of_spans(source, found, spans, taken(SpanGoldOptions, given))
        if output is not None:
            write_gold(standard, output, form=form, texts=spans.texts)
        _show_spans(standard, as_json=as_json)
        return
    refuse(context, {*SPAN_NAMES} - {*NAMES}, "judgements")
    if method not in MODELS:
        refuse(context, ("control", *NAMES), f"the method {method}")
    told = taken(ModelOptions, given) if method in MODELS else {}
    if form == "csv":
        refuse(context, ("column",), "CSV, which names units only")
    if source.engine != "memory" and method in THERE and control is None and form == "csv":
        refuse(context, ("said",), f"tables of the engine {source.engine}")
        data: Any = source.remote()
    else:
        data = source.study(for_labels=True, attributes=([control] if control else []) if form == "csv" else None)
    with Bar("settling") as bar:
        settled = gold(data, method=method, decisions=decisions, control=control, progress=bar, **told)
    if output is not None:
        write_gold(settled, output, form=form, texts={} if form == "csv" else texts_of(data, column))
    notes = [*source.told, *(note for note in data.notes if note not in source.told)]
    if as_json:
        echo_json({**settled.to_dict(), "notes": notes})
        return
    _show(settled, method)
    print_notes(notes)


def _show(settled: Standards, method: str) -> None:
    """Every question: how many units have which value, what stands against it, and the units to look at again."""
    for question, one in settled.items():
        undecided = "tied" if method == Method.VOTES else "undecided"
        tied = f"{one.n_undecided:,} {undecided}" if one.n_undecided else "all with a value"
        rows = sorted(one.competences.items(), key=lambda rater: -rater[1]) if one.competences else []
        values = ", ".join(f"{n:,} {name}" for name, n in one.counts.items()) or "fair averages"
        print_blocks(
            Paragraph(text=question or ""),
            Points(items=(f"{counted(len(one.values), 'unit')}, {tied}: {values}",)),
            *map(notice, one.findings),
            table("", ("Rater", "Reliability"), rows),
            least_certain(one),
            calibration_table(one),
        )
        print_notes(one.notes)


def _of_spans(source: Source, found: Format, spans: SpanChoices, given: dict[str, Any]) -> SpanStandard:
    """The gold standard of spans, read as was said."""
    if spans.groups:
        raise InputError("a gold standard is of all raters", hint="leave out --group, or choose some with --raters")
    read = spans.read(source, found, ())
    table = read.table
    for name, values in source.where:
        table = table.where(name, values)
    how, options = GammaOptions.of("gold", read.conventions), SpanGoldOptions.of("gold", given)
    with Bar("aligning") as bar:
        made = gold_of(table, how, options, raters=source.raters, texts=read.texts, progress=bar)
    if spans.positions == "tokens":
        made = replace(made, lengths={one.name: one.length or 0 for one in read.texts})
    return replace(made, notes=(*made.notes, *table.notes, *read.kept))


def _show_spans(found: SpanStandard, *, as_json: bool) -> None:
    """How much is gold, what is undecided, and where raters differ most."""
    if as_json:
        echo_json(found.to_dict())
        return
    n_full = sum(one.n_marked == one.n_raters for one in found.spans)
    print_blocks(
        Points(
            items=(
                f"{counted(len(found.spans), 'gold span')} in {counted(len(found.texts), 'text')}, "
                f"{n_full:,} marked by all raters of the text",
                f"{len(found.undecided):,} undecided, {found.n_left_out:,} marked by too few raters",
            )
        ),
        span_table("Undecided", found.undecided),
        span_table("Gold spans whose borders differ most", sorted(found.spans, key=lambda one: -_apart(one))),
    )
    print_notes(found.notes)


def _apart(span: GoldSpan) -> float:
    """How far the borders that raters set lie apart."""
    return span.begins[1] - span.begins[0] + span.ends[1] - span.ends[0]


def span_table(title: str, spans: Sequence[GoldSpan]) -> Grid:
    """The first of these spans, with how many marked them and how far they differ."""
    rows = []
    for one in spans[:MOST_SHOWN]:
        votes = ", ".join(f"{name or BLANK} {n}" for name, n in one.votes.items())
        ends = [" … ".join(dict.fromkeys(map(brief, both))) for both in (one.begins, one.ends)]
        place = f"{brief(one.begin)}-{brief(one.end)}"
        rows.append((one.text, place, votes, f"{one.n_marked} of {one.n_raters}", *ends))
    more = f" ({MOST_SHOWN} of {len(spans):,})" if len(spans) > MOST_SHOWN else ""
    return table(f"{title}{more}", ("Text", "Span", "Category", "Marked by", "Begins", "Ends"), rows)


def calibration_table(found: Standard) -> Grid:
    """Probabilities against the control units."""
    checked = found.calibration
    if checked is None:
        return table("", ("Probability", "Units"), [])
    rows: list[tuple[Any, ...]] = [
        (f"{decimal(one.low, 2)} to {decimal(one.high, 2)}", one.n_units, one.claimed, one.right)
        for one in checked.bins
    ]
    rows.append(("all", checked.n_units, checked.claimed, checked.right))
    title = (
        f"Probabilities against {counted(checked.n_units, 'control unit')}: off by {decimal(checked.error)} on average"
    )
    return table(title, ("Probability", "Units", "Said", "Right"), rows)


def least_certain(found: Standard) -> Grid:
    """The units to look at again."""
    sure = "Probability" if found.competences else "Share"
    rows = []
    for one in found.values.least_certain(MOST_SHOWN):
        others = sorted((-share, name) for name, share in one.shares.items() if name != one.value and share >= 0.0005)
        otherwise = ", ".join(f"{name} {decimal(-share)}" for share, name in others) or BLANK
        rows.append((one.unit, one.value or BLANK, one.certainty, one.n_votes, otherwise))
    return table("The least certain units", ("Unit", "Value", sure, "Votes", "Otherwise"), rows)
