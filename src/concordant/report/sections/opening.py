"""The verdict: the first thing that a report says: a sentence, and a row for each question."""

from collections.abc import Sequence
from dataclasses import replace

from concordant.diagnosis.verdict import GOOD, SOURCE, TENTATIVE
from concordant.digits import coefficient
from concordant.plots.axis import TONES, axis_of, mark_of
from concordant.report.document import Block, Paragraph
from concordant.report.facts import JudgementFacts
from concordant.report.grid import Cell, Forest, ForestRow, grid, interval_columns, value_cell
from concordant.report.sections import SectionMaker

SENTENCES = "In a sentence"


def blocks(facts: JudgementFacts) -> list[Block]:
    """The sentence about the whole study, a row for each question, and what the words mean."""
    found = facts.diagnosis.verdict
    results = [one.result for one in found.questions]
    columns: dict[str, Sequence[Cell]] = {
        "Question": [one.question for one in found.questions],
        "Verdict": [one.word.value for one in found.questions],
        "Value": [value_cell(result) for result in results],
        **interval_columns(results),
        "Units": [result.n_units for result in results],
        "Raters": [result.n_raters for result in results],
        SENTENCES: [one.sentence for one in found.questions],
    }
    meaning = (
        f"Reliable: the low end of the interval of Krippendorff's alpha reaches {coefficient(GOOD)}; use with care: it "
        f"reaches {str(TENTATIVE)[1:]} ({SOURCE})"
    )
    axis = axis_of(results)
    drawn = tuple(
        ForestRow(
            label=one.title,
            word=one.word.value,
            tone=TONES.get(one.word, "none"),
            sentence=one.sentence,
            mark=mark_of(axis, one.result, "α", TONES.get(one.word, "none")),
        )
        for one in found.questions
    )
    table = grid("Question by question", columns, notes=[meaning])
    signatures = tuple(result.short_signature for result in results)
    told = replace(table, forest=Forest(axis=axis, rows=drawn, without=SENTENCES), signatures=signatures)
    return [Paragraph(text=found.sentence), told] if results else []


SECTION = SectionMaker(key="verdict", title="Verdict", order=5, of=("judgements",), blocks=blocks, is_first=True)
