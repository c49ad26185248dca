"""The verdict on marked spans: no scale calls Gamma good or bad, so the first thing said is how high it is."""

from collections.abc import Sequence
from dataclasses import replace

from concordant.digits import coefficient, counted
from concordant.measures.catalogue import find_measure, measures_of
from concordant.measures.result import Agreement, matrix
from concordant.plots.axis import axis_of, mark_of
from concordant.report.document import Block, Paragraph
from concordant.report.facts import SpanFacts
from concordant.report.grid import Cell, Forest, ForestRow, grid, interval_columns, value_cell
from concordant.report.sections import SectionMaker

SENTENCES = "In a sentence"
NO_SCALE = "no established scale calls these values good or bad"


def blocks(facts: SpanFacts) -> list[Block]:
    """The first mean over texts in a sentence, and a row for each coefficient that has one."""
    means = [mean for key in measures_of("spans") if not find_measure(key).each for mean in means_of(facts, key)]
    if not means:
        return []
    n_texts = [result.details["n_texts"] for result in means]
    columns: dict[str, Sequence[Cell]] = {
        "Coefficient": [result.name for result in means],
        "Mean": [value_cell(result) for result in means],
        **interval_columns(means),
        "Lowest": [result.details["lowest"] for result in means],
        "Highest": [result.details["highest"] for result in means],
        "Texts": n_texts,
        SENTENCES: [f"mean over {counted(n, 'text')}" for n in n_texts],
    }
    axis = replace(axis_of(means), bands=())
    drawn = tuple(
        ForestRow(
            label=result.name,
            word="",
            tone="none",
            sentence=f"mean over {counted(n, 'text')}",
            mark=mark_of(axis, result, "", "none"),
        )
        for result, n in zip(means, n_texts, strict=True)
    )
    said = ", ".join(f"{result.name} is {coefficient(float(result))}" for result in means[:2])
    over = f"on average over {counted(n_texts[0], 'text')}" if n_texts[0] > 1 else "on the one text"
    table = replace(
        grid("Coefficient by coefficient", columns), forest=Forest(axis=axis, rows=drawn, without=SENTENCES)
    )
    return [Paragraph(text=f"{said} {over}; {NO_SCALE}."), table]


def means_of(facts: SpanFacts, key: str) -> list[Agreement]:
    """A coefficient's mean over texts, for each slice where there are slices, as a result with the mean's interval."""
    own = [result for result in facts.results if result.measure == key]
    found = []
    for column in matrix(own).columns if own else ():
        defined = [value for value in column.cells if value is not None]
        if defined:
            about = {"n_texts": len(defined), "lowest": column.summary["Min"], "highest": column.summary["Max"]}
            name = f"{own[0].name}, {column.title}" if column.title else own[0].name
            value = column.summary["Mean"]
            found.append(own[0].with_(name=name, value=value, reason=None, interval=column.interval, details=about))
    return found


SECTION = SectionMaker(key="verdict", title="Verdict", order=5, of=("spans",), blocks=blocks, is_first=True)
