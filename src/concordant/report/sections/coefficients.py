"""Coefficients as a report states them: with name, n, level, independence, reading, interval and signature.

The list is the reporting standard of Amidei, Piwek & Willis (2019, section 3): papers often leave out the
name of the coefficient, the number of items, whether raters worked independently and the scale used to read the
value, and more than a third use a coefficient that does not suit the level of measurement.
"""

from collections.abc import Sequence
from dataclasses import replace

from concordant.diagnosis.verdict import MAIN
from concordant.digits import decimal
from concordant.measures.result import Agreement
from concordant.report.document import WITH_VERIFY, Block, Notice, Paragraph, Points, signature_blocks
from concordant.report.facts import JudgementFacts, Statement
from concordant.report.grid import Cell, Grid, disagreement_note, grid, interval_columns, reading_cell, value_cell
from concordant.report.rates import rate_table
from concordant.report.sections import SectionMaker

NO_SCALE = "no published scale reads this coefficient"


def blocks(facts: JudgementFacts) -> list[Block]:
    """What was left out, values and readings, what each rests on, and the signatures."""
    return [*facts.notices, *stated(facts.statements)]


def stated(statements: Sequence[Statement]) -> list[Block]:
    """Values and readings first, then how often each rater said yes, what each value rests on, and the signatures."""
    results = [one.result for one in statements]
    values: dict[str, Sequence[Cell]] = {
        "Question": [result.question for result in results],
        "Coefficient": [result.name for result in results],
        "Value": [value_cell(result) for result in results],
        **interval_columns(results),
        "Observed": [result.observed for result in results],
        **observed_ends(results),
        "Expected": [result.expected for result in results],
        "Reading": [reading_cell(result) or NO_SCALE for result in results],
    }
    undefined = dict.fromkeys(f"{r.name} is undefined: {r.lack}" for r in results if r.reason)
    warned: dict[str, dict[str | None, None]] = {}  # one warning for each measure that does not suit the level
    for one in statements:
        for caution in one.cautions:
            warned.setdefault(f"{one.result.name} {caution}", {})[one.result.question] = None
    told: list[Block] = [
        *(
            Notice(tone="warning", text=text, more=(("Questions", ", ".join(filter(None, q))),) if any(q) else ())
            for text, q in warned.items()
        ),
        replace(
            grid("Values", values, notes=[*undefined, *disagreement_note(results)]),
            signatures=tuple(result.short_signature for result in results),
            said=in_short(results),
        ),
        *([rates.as_grid()] if (rates := rate_table(results)) else []),
        _basis(statements),
    ]
    readings = {found.benchmark: found.caution for r in results for found in r.readings()}
    if readings:
        told += [
            Paragraph(text="Scales used to read the values:"),
            Points(items=tuple(f"{name}: {caution}" for name, caution in readings.items())),
        ]
    return [*told, *signature_blocks(results, WITH_VERIFY)]


def in_short(results: Sequence[Agreement]) -> str:
    """The coefficient of the verdict for every question, or else the first there is, on one line."""
    defined = [result for result in results if result.value is not None]
    main = [result for result in defined if result.measure == MAIN] or defined
    first = [result for result in main if result.measure == main[0].measure]
    values = (
        f"{result.question} {decimal(float(result))}" if result.question else decimal(float(result)) for result in first
    )
    return f"{first[0].name}: {', '.join(values)}" if first else ""


def observed_ends(results: Sequence[Agreement]) -> dict[str, Sequence[Cell]]:
    """Both ends of the intervals of observed agreement; none where it has no interval of its own."""
    found = [result.observed_interval for result in results]
    return {
        "Observed low": [None if one is None else one.low for one in found],
        "Observed high": [None if one is None else one.high for one in found],
    }


def _basis(statements: Sequence[Statement]) -> Grid:
    """What each value rests on, and what the computations remarked: each remark once, about whom unless about all."""
    results = [one.result for one in statements]
    columns: dict[str, Sequence[Cell]] = {
        "Question": [result.question for result in results],
        "Coefficient": [result.name for result in results],
        "Level": [one.level.value for one in statements],
        "Units": [result.n_units for result in results],
        "Units left out": [result.n_dropped for result in results],
        "Raters": [result.n_raters for result in results],
        "Judgements": [result.n_judgements for result in results],
        "Raters worked": [one.independence for one in statements],
        "Interval": ["no interval" if r.interval is None else r.interval.method for r in results],
    }
    said: dict[str, list[Agreement]] = {}
    for result in results:
        for note in result.notes:
            said.setdefault(note, []).append(result)
    notes = []
    for note, about in said.items():
        names = []
        for name in dict.fromkeys(result.name for result in about):
            meant = [result.question for result in about if result.name == name]
            whole = len(meant) == sum(result.name == name for result in results)
            names.append(name if whole else f"{name} ({', '.join(str(question) for question in meant)})")
        notes.append(note if len(about) == len(results) else f"{', '.join(names)}: {note}")
    return grid("What each coefficient rests on", columns, notes=notes)


SECTION = SectionMaker(key="coefficients", title="Coefficients", order=20, of=("judgements",), blocks=blocks)
