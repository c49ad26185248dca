"""The decisions of adjudicators as a table for the export: every one, the last of a unit and question marked."""

from collections.abc import Sequence

from assent.collection.adjudication import Decision
from assent.collection.session import Study
from assent.collection.tabular import OutColumn, OutTable, tabulate
from assent.design.values import as_text


def decision_tables(study: Study, history: Sequence[Decision]) -> list[OutTable]:
    """The table of decisions; none when nothing was decided."""
    if not history:
        return []
    current = {(one.unit, one.question): one.id for one in history}
    columns: list[OutColumn[Decision]] = [
        OutColumn("unit", "what was decided on", lambda d: d.unit),
        OutColumn("question", "what was asked", lambda d: d.question),
        OutColumn("value", "the decision", lambda d: as_text(study.description.question(d.question), d.value)),
        OutColumn("adjudicator", "who decided", lambda d: d.adjudicator),
        OutColumn("comment", "their comment", lambda d: d.comment or None),
        OutColumn("guideline_unclear", "whether the guidelines do not settle it", lambda d: _word(d.is_unclear)),
        OutColumn("at", "when", lambda d: d.at),
        OutColumn("holds", "no, if it was revised later", lambda d: _word(current[d.unit, d.question] == d.id)),
    ]
    return [tabulate("decisions", "what adjudicators decided, beside the raters' own judgements", columns, history)]


def _word(is_so: bool) -> str:
    return "yes" if is_so else "no"
