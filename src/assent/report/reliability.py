"""Further tables of the diagnosis: groups, shared batches, and the three kinds of reliability (Krippendorff 1980).

Stability is a rater against their own repeated judgements, accuracy a rater against a gold standard, reproducibility
one rater against another; variance components say what reliability to expect from more raters.
"""

from collections.abc import Sequence

from assent.diagnosis.accuracy import Accuracy
from assent.diagnosis.diagnose import QuestionDiagnosis
from assent.diagnosis.groups import GroupRow
from assent.diagnosis.raters import Batch
from assent.diagnosis.stability import Stability
from assent.measures.result import Agreement
from assent.report.document import Cell, Grid, grid


def value_cell(result: Agreement | None) -> Cell:
    """The number, the word undefined, or nothing."""
    return None if result is None else "undefined" if result.value is None else result.value


def group_table(rows: Sequence[GroupRow]) -> Grid:
    """Named groups of raters, by themselves and against each other."""
    columns: dict[str, Sequence[Cell]] = {
        "Question": [row.question for row in rows],
        "Group": [row.group if row.against is None else f"{row.group} against {row.against}" for row in rows],
        "Raters": [", ".join(row.raters) for row in rows],
        "Agreement": [row.agreement.name for row in rows],
        "Value": [value_cell(row.agreement) for row in rows],
        "Correlation": [None if row.correlation is None else row.correlation.name for row in rows],
        "Value ": [value_cell(row.correlation) for row in rows],
    }
    return grid("Groups of raters", columns)


def batch_table(rows: Sequence[Batch]) -> Grid:
    """The units that two raters share, the most reliable pair first."""
    columns: dict[str, Sequence[Cell]] = {
        "Raters": [" & ".join(row.raters) for row in rows],
        "Units": [row.n_units for row in rows],
        "Mean agreement": [row.agreement for row in rows],
        "Mean correlation": [row.correlation for row in rows],
    }
    return grid("Whose shared units are the most reliable", columns)


def stability_table(rows: Sequence[Stability]) -> Grid:
    """Raters against themselves."""
    columns: dict[str, Sequence[Cell]] = {
        "Rater": [row.rater or "all raters" for row in rows],
        "Units judged twice": [row.n_repeated for row in rows],
        "Coefficient": [row.result.name for row in rows],
        "Value": [value_cell(row.result) for row in rows],
    }
    return grid("Stability: raters against their own repeated judgements", columns)


def accuracy_table(rows: Sequence[Accuracy]) -> Grid:
    """Raters and the consensus against the gold standard."""
    columns: dict[str, Sequence[Cell]] = {
        "Question": [row.question for row in rows],
        "Rater": [row.rater or "consensus" for row in rows],
        "Units": [row.n_units for row in rows],
        "Share right": [row.share_right for row in rows],
        "Coefficient": [row.result.name for row in rows],
        "Value": [value_cell(row.result) for row in rows],
    }
    return grid("Accuracy: against the gold standard", columns)


def variance_table(questions: Sequence[QuestionDiagnosis]) -> Grid:
    """Where the variance comes from, and what more raters would bring."""
    found = [(q.question, q.generalizability) for q in questions if q.generalizability and q.generalizability.shares]
    columns: dict[str, Sequence[Cell]] = {
        "Question": [question for question, _ in found],
        "Complete units": [one.n_units for _, one in found],
        **{f"Share of {name}": [one.shares[name] for _, one in found] for name in ("units", "raters", "rest")},
    }
    for i, k in enumerate(one.n_raters for one in (found[0][1].expected if found else ())):
        columns[f"Expected from {k}"] = [one.expected[i].absolute for _, one in found]
    notes = ["Expected from k: the reliability of the mean of k raters' values (absolute, both facets random)."]
    return grid("Variance components", columns, notes=notes if found else [])
