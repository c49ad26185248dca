"""Groups of raters, batches, and the three kinds of reliability as a report shows them."""

from collections.abc import Sequence

from assent.diagnosis.diagnose import Diagnosis
from assent.diagnosis.groups import GroupRow
from assent.report.document import Cell, Grid, grid


def reliability_grids(found: Diagnosis) -> list[Grid]:
    """All tables that have rows."""
    grids = (
        group_table(found.groups),
        batch_table(found),
        stability_table(found),
        accuracy_table(found),
        variance_table(found),
        expected_table(found),
    )
    return [one for one in grids if one.rows]


def group_table(rows: Sequence[GroupRow]) -> Grid:
    """Agreement and correlation in each group of raters and between groups."""
    columns: dict[str, Sequence[Cell]] = {
        "Question": [row.question for row in rows],
        "Raters": [row.group if row.against is None else f"{row.group} × {row.against}" for row in rows],
        "Raters in it": [len(row.raters) for row in rows],
        "Coefficient": [row.agreement.name for row in rows],
        "Agreement": [row.agreement.value if row.agreement.value is not None else "undefined" for row in rows],
        "Gamma": [None if row.correlation is None else _or_word(row.correlation.value) for row in rows],
    }
    undefined = [row.agreement.reason for row in rows if row.agreement.reason]
    undefined += [row.correlation.reason for row in rows if row.correlation is not None and row.correlation.reason]
    return grid("Groups of raters", columns, notes=[f"undefined: {why}" for why in dict.fromkeys(undefined)])


def _or_word(value: float | None) -> Cell:
    """A number, or the word undefined."""
    return "undefined" if value is None else value


def batch_table(found: Diagnosis) -> Grid:
    """Rater pairs over all questions, where there are several pairs."""
    rows = found.batches if len(found.batches) > 1 else ()
    columns: dict[str, Sequence[Cell]] = {
        "Raters": [" & ".join(row.raters) for row in rows],
        "Common units": [row.n_units for row in rows],
        "Mean agreement": [row.agreement for row in rows],
        "Mean tau-b": [row.correlation for row in rows],
    }
    return grid("Batches shared by two raters, the most reliable first", columns)


def stability_table(found: Diagnosis) -> Grid:
    """Each rater against their own repeated judgements."""
    columns: dict[str, Sequence[Cell]] = {
        "Rater": [row.rater or "all" for row in found.stability],
        "Repeated": [row.n_repeated for row in found.stability],
        "Coefficient": [row.result.name for row in found.stability],
        "Stability": [_or_word(row.result.value) for row in found.stability],
        "Same value": [row.result.observed for row in found.stability],
    }
    return grid("Stability: raters against their own repeated judgements", columns)


def accuracy_table(found: Diagnosis) -> Grid:
    """Consensus and raters against the gold standard."""
    rows = [row for question in found.questions for row in question.accuracy]
    columns: dict[str, Sequence[Cell]] = {
        "Question": [row.question for row in rows],
        "Rater": [row.rater or "consensus" for row in rows],
        "Units": [row.n_units for row in rows],
        "Right": [row.share_right for row in rows],
        "Coefficient": [row.result.name for row in rows],
        "Accuracy": [_or_word(row.result.value) for row in rows],
    }
    tied = sum(row.n_tied for row in rows)
    return grid(
        "Accuracy: against the gold standard", columns, notes=[f"{tied} ties without consensus"] if tied else []
    )


def variance_table(found: Diagnosis) -> Grid:
    """Where the variance of each question comes from."""
    parts = [(q.question, q.generalizability) for q in found.questions if q.generalizability is not None]
    rows = [(question, part) for question, part in parts if part.reason is None]
    columns: dict[str, Sequence[Cell]] = {
        "Question": [question for question, _ in rows],
        "Units judged by all": [part.n_units for _, part in rows],
        "Raters": [part.n_raters for _, part in rows],
        "From units": [part.shares.get("units") for _, part in rows],
        "From raters": [part.shares.get("raters") for _, part in rows],
        "Rest": [part.shares.get("rest") for _, part in rows],
    }
    notes = [note for _, part in rows for note in part.notes]
    return grid("Where the variance comes from (shares)", columns, notes=notes)


def expected_table(found: Diagnosis) -> Grid:
    """The reliability to expect from the mean of k raters."""
    rows = [
        (question.question, one)
        for question in found.questions
        if question.generalizability is not None
        for one in question.generalizability.expected
    ]
    columns: dict[str, Sequence[Cell]] = {
        "Question": [question for question, _ in rows],
        "Raters": [one.n_raters for _, one in rows],
        "Order of units (relative)": [one.relative for _, one in rows],
        "Values (absolute)": [one.absolute for _, one in rows],
    }
    return grid("Reliability to expect from the mean of k raters", columns)
