"""The coefficients of every text of a report of spans."""

from collections.abc import Sequence
from dataclasses import replace

from concordant.measures.catalogue import find_measure, measures_of
from concordant.measures.result import Matrix, apart, matrix, summary_rows
from concordant.report.document import WITH_VERIFY, Block, signature_blocks
from concordant.report.facts import SpanFacts
from concordant.report.grid import Cell, Grid, grid, interval_columns, place_columns, table, value_cell
from concordant.report.sections import SectionMaker

BLANK = "A blank cell is undefined or not in the data; the table below says why."
OF_MEANS = "The interval of a mean is a jackknife over texts: it says how texts like these vary."


def blocks(facts: SpanFacts) -> list[Block]:
    """The matrix of texts by slices where there are slices, every value with what it rests on, the signatures."""
    told: list[Block] = []
    for key in measures_of("spans"):
        own = [result for result in facts.results if result.measure == key]
        if not own:
            continue
        # texts by slices; Gamma-k has a row per category instead
        if not find_measure(key).each and any(set(result.slice or {}) - {"text"} for result in own):
            told += [matrix_table(f"{own[0].name}: texts by slices", *part) for part in apart(matrix(own))]
        columns: dict[str, Sequence[Cell]] = {
            **place_columns([dict(result.slice or {}) for result in own]),
            "Value": [value_cell(result) for result in own],
            **interval_columns(own),
            "Observed disorder": [result.observed for result in own],
            "Expected disorder": [result.expected for result in own],
            "Sampler": [result.details.get("sampler") for result in own],
            "Samples": [result.details.get("n_samples") for result in own],
            "Expected known to ±": [result.details.get("precision") for result in own],
            "Spans": [result.n_units for result in own],
            "Left out": [result.n_dropped or None for result in own],
            "Why undefined": [result.reason for result in own],
        }
        notes = dict.fromkeys(note for r in own for note in r.notes if not note.startswith("expected disorder from"))
        if not find_measure(key).each and (means := [c.mean_in_words for c in matrix(own).columns if not c.title]):
            notes |= dict.fromkeys(f"{mean}. {OF_MEANS}" for mean in means if mean)
        signatures = tuple(result.short_signature for result in own)
        told.append(replace(grid(own[0].name, columns, notes=list(notes)), signatures=signatures))
    return [*told, *signature_blocks(facts.results, WITH_VERIFY)]


def matrix_table(title: str, group: str, shown: Matrix) -> Grid:
    """Texts by slices, for all raters or for one group of them."""
    rows: list[tuple[Cell, ...]] = [(text, *(c.cells[i] for c in shown.columns)) for i, text in enumerate(shown.texts)]
    rows += [(name, *cells) for name, cells in summary_rows(shown)]
    headers = ("Text", *(column.title for column in shown.columns))
    about = [BLANK, *([OF_MEANS] if any(c.interval for c in shown.columns) else [])]
    return table(f"{title}, {group}" if group else title, headers, rows, notes=about)


SECTION = SectionMaker(key="agreement", title="Agreement on spans", order=20, of=("spans",), blocks=blocks)
