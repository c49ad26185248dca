"""Agreement in parts of the data, as a report shows it: one row per value of an attribute and question."""

from collections.abc import Sequence

from assent.diagnosis.slices import SliceRow, SliceTable
from assent.errors import InputError
from assent.report.coefficients import confidence_text, disagreement_note
from assent.report.document import Block, Cell, Grid, Paragraph, Section, grid

MOST_RATES = 6  # raters whose rate of yes gets a column of its own


def slices_section(tables: Sequence[SliceTable]) -> Section:
    """All slices; studies without an attribute to slice by have none."""
    if not tables:
        raise InputError(
            "the units have no attribute with 2 to 12 values to slice by", hint="name one with --by COLUMN"
        )
    kinds = dict.fromkeys((table.measure, table.raters, table.yes) for table in tables)
    grids = [_grid([t for t in tables if (t.measure, t.raters, t.yes) == kind]) for kind in kinds]
    lead = Paragraph(
        text="The same coefficient in parts of the data. Intervals that do not overlap are worth a closer look."
    )
    blocks: tuple[Block, ...] = (lead, *grids)
    return Section(key="slices", title="Slices", blocks=blocks)


def _grid(tables: Sequence[SliceTable]) -> Grid:
    """The rows of all tables that have the same columns."""
    rows = [row for table in tables for row in table.rows]
    first, level = tables[0], confidence_text([row.result for row in rows])
    intervals = [row.result.interval for row in rows]
    columns: dict[str, Sequence[Cell]] = {
        "Attribute": [" × ".join(row.slice) for row in rows],
        "Value": [" × ".join(row.slice.values()) for row in rows],
        "Question": [row.question for row in rows],
        "Units": [row.total for row in rows],
        **_rates(first, rows),
        "Chance": [row.chance for row in rows],
        "Observed": [row.observed for row in rows],
        "Coefficient": [row.result.value if row.result.value is not None else "undefined" for row in rows],
        f"{level} low": [None if ends is None else ends.low for ends in intervals],
        f"{level} high": [None if ends is None else ends.high for ends in intervals],
    }
    name = rows[0].result.name if rows else first.measure
    lacking = sum(table.n_without_pairs for table in tables)
    notes = [f"{lacking} parts in which no unit was judged twice are left out"] if lacking else []
    return grid(
        f"{name} by attribute",
        columns,
        notes=[*notes, *_undefined(rows), *disagreement_note([row.result for row in rows])],
    )


def _rates(table: SliceTable, rows: Sequence[SliceRow]) -> dict[str, Sequence[Cell]]:
    """How often each rater says yes, and their average, where there are two categories."""
    if table.yes is None:
        return {}
    shown = table.raters if len(table.raters) <= MOST_RATES else ()
    each: dict[str, Sequence[Cell]] = {
        f"{rater}: {table.yes}": [row.yes_rates[i] for row in rows] for i, rater in enumerate(shown)
    }
    return each | {f"Average: {table.yes}": [row.average for row in rows]}


def _undefined(rows: Sequence[SliceRow]) -> list[str]:
    """Why some coefficients have no value, each reason once."""
    return list(dict.fromkeys(f"undefined: {row.result.reason}" for row in rows if row.result.reason))
