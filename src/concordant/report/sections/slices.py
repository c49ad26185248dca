"""Agreement in parts of the data, as a report shows it: one row per value of an attribute and question."""

from collections.abc import Sequence

from concordant.diagnosis.slices import SliceTable
from concordant.errors import InputError
from concordant.report.document import Block, Paragraph
from concordant.report.facts import JudgementFacts
from concordant.report.grid import Cell, Grid, disagreement_note, grid, interval_columns, value_cell
from concordant.report.rates import RateRow, RateTable, compares_agreement
from concordant.report.sections import SectionMaker

MOST_RATES = 6  # raters whose rate of yes gets a column of its own
LEAD = "The same coefficient in parts of the data. Intervals that do not overlap are worth a closer look."


def blocks(facts: JudgementFacts) -> list[Block]:
    """All slices; studies without an attribute to slice by have none."""
    if not facts.diagnosis.slices:
        raise InputError(
            "the units have no attribute with 2 to 12 values to slice by", hint="name one with --by COLUMN"
        )
    return sliced(facts.diagnosis.slices)


def sliced(tables: Sequence[SliceTable]) -> list[Block]:
    """Tables that have the same columns as one, with how often each rater says yes where there are two categories."""
    told: list[Block] = [Paragraph(text=LEAD)] if tables else []
    for kind in dict.fromkeys((table.measure, table.raters, table.yes) for table in tables):
        same = [table for table in tables if (table.measure, table.raters, table.yes) == kind]
        rows, (key, raters, yes) = [row for table in same for row in table.rows], kind
        results = [row.result for row in rows]
        rates: dict[str, Sequence[Cell]] = {}
        if yes is not None:
            shown = raters if len(raters) <= MOST_RATES else ()
            rates = {f"{rater}: {yes}": [row.yes_rates[i] for row in rows] for i, rater in enumerate(shown)}
            rates[f"Average: {yes}"] = [row.average for row in rows]
        columns: dict[str, Sequence[Cell]] = {
            "Attribute": [" × ".join(row.slice) for row in rows],
            "Value": [" × ".join(row.slice.values()) for row in rows],
            "Question": [row.question for row in rows],
            "Units": [row.total for row in rows],
            **rates,
            "Chance": [row.chance for row in rows],
            "Observed": [row.observed for row in rows],
            "Coefficient": [value_cell(result) for result in results],
            **interval_columns(results),
        }
        lacking = sum(table.n_without_pairs for table in same)
        notes = [f"{lacking} parts in which no unit was judged twice are left out"] if lacking else []
        notes += dict.fromkeys(f"undefined: {result.reason}" for result in results if result.reason)
        title = f"{results[0].name if results else key} by attribute"
        told.append(grid(title, columns, notes=[*notes, *disagreement_note(results)]))
        told += [
            beside for by in dict.fromkeys(table.by for table in same) if (beside := _beside(same, by)) is not None
        ]
    return told


def _beside(tables: Sequence[SliceTable], by: tuple[str, ...]) -> Grid | None:
    """The questions of the tables by one attribute, its values beside each other."""
    rows = [row for table in tables if table.by == by for row in table.rows]
    yes = tables[0].yes
    if yes is None or not all(compares_agreement(row.result) for row in rows):
        return None
    told = [
        RateRow(place=(row.question or "", *row.slice.values()), rates=row.yes_rates, result=row.result) for row in rows
    ]
    has_questions = any(row.question for row in rows)
    found = RateTable(has_questions=has_questions, by=by, raters=tables[0].raters, yes=yes, rows=tuple(told))
    return found.side_by_side()


SECTION = SectionMaker(key="slices", title="Slices", order=30, of=("judgements",), blocks=blocks)
