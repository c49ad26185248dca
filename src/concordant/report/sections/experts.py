"""Experts against participants: the two consensus classifications in one table (CATALAN 5.1)."""

from collections.abc import Sequence

from concordant.gold.consensus import compare_sides
from concordant.report.consensus_blocks import contingency_table, remarks
from concordant.report.document import Block, Points
from concordant.report.facts import JudgementFacts
from concordant.report.grid import Cell, grid, interval_columns, reading_cell, value_cell
from concordant.report.sections import SectionMaker


def blocks(facts: JudgementFacts) -> list[Block]:
    """Question by question: the table, the agreement, the largest disagreements, what could not be compared."""
    if facts.options.experts is None:
        return []
    told: list[Block] = []
    for question, found in compare_sides(facts.options.experts, facts.study).items():
        results = found.results
        columns: dict[str, Sequence[Cell]] = {
            "Coefficient": [result.name for result in results],
            "Value": [value_cell(result) for result in results],
            **interval_columns(results),
            "Observed": [result.observed for result in results],
            "Expected": [result.expected for result in results],
            "Reading": [reading_cell(result) for result in results],
        }
        told += [contingency_table(found, question or "The consensus of both"), grid("Agreement of the two", columns)]
        told.append(Points(items=tuple(remarks(found))))
    return told


SECTION = SectionMaker(key="experts", title="Experts against participants", order=35, of=("judgements",), blocks=blocks)
