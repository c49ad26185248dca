"""Why agreement is not higher, as a report shows it: findings in plain language first, the tables behind them after."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from assent.diagnosis.consistency import Consistency, PairReading
from assent.diagnosis.diagnose import Diagnosis, QuestionDiagnosis
from assent.diagnosis.findings import Finding
from assent.measures.result import Agreement
from assent.report.document import Block, Cell, Grid, Notice, Paragraph, Section, grid
from assent.report.reliability import (
    accuracy_table,
    batch_table,
    group_table,
    stability_table,
    value_cell,
    variance_table,
)

MOST_ROWS = 300  # rows of one table; the rest is counted
MOST_CONFUSIONS = 10  # for each question
MOST_UNITS = 10
Row = TypeVar("Row")


def findings_section(found: Diagnosis) -> Section:
    """Findings, then one table for each side from which the data were looked at."""
    notices = [notice(finding) for finding in found.findings]
    lead = Paragraph(
        text="Nothing suspicious was found in the data."
        if not notices
        else "What was noticed, the most serious first. Each finding says how sure it is and what to do about it."
    )
    blocks: tuple[Block, ...] = (lead, *notices, *(table for table in _tables(found) if table.rows))
    return Section(key="diagnosis", title="Diagnosis: why agreement is not higher", blocks=blocks)


def _tables(found: Diagnosis) -> list[Grid]:
    """One table for each side from which the data were looked at; those without rows are not shown."""
    makers: tuple[Callable[[Sequence[QuestionDiagnosis]], Grid], ...] = (
        together,
        pair_table,
        rater_table,
        misreading_table,
        direction_table,
        category_table,
        confusion_table,
        entropy_table,
        entropy_test_table,
        variance_table,
    )
    right = [row for question in found.questions for row in question.accuracy]
    own = [
        group_table(found.groups),
        batch_table(found.batches),
        stability_table(found.stability),
        accuracy_table(right),
    ]
    return [make(found.questions) for make in makers] + own


def notice(finding: Finding) -> Notice:
    """A finding as a notice."""
    about = f"{finding.question}: " if finding.question else ""
    more = (("How sure", finding.sure), ("What to do", finding.advice))
    return Notice(tone=finding.severity.value, text=f"{about}{finding.seen}", more=tuple(m for m in more if m[1]))


def together(questions: Sequence[QuestionDiagnosis]) -> Grid:
    """Agreement and correlation of each question side by side, each with its own reading."""
    both = [question.consistency for question in questions]
    columns: dict[str, Sequence[Cell]] = {
        "Question": [one.question for one in both],
        "Agreement": [one.agreement.name for one in both],
        "Value": [value_cell(one.agreement) for one in both],
        "Reading": [_reading(one.agreement) for one in both],
        "Correlation": [None if one.correlation is None else one.correlation.name for one in both],
        "Value ": [value_cell(one.correlation) for one in both],
        "Reading ": [_reading(one.correlation) for one in both],
        "Rater pairs": [_verdicts(one) for one in both],
    }
    return grid("Agreement and correlation together", columns)


def _reading(result: Agreement | None) -> Cell:
    """The reading with its source."""
    found = None if result is None else result.interpret()
    return None if found is None else f"{found.label} ({found.benchmark})"


def _verdicts(one: Consistency) -> Cell:
    """How many pairs got which verdict."""
    return "; ".join(f"{n} {verdict.value}" for verdict, n in one.verdicts.items()) or one.refused


def pair_table(questions: Sequence[QuestionDiagnosis]) -> Grid:
    """Every two raters with the verdict."""
    pairs = [pair for question in questions for pair in question.consistency.pairs]
    shown = pairs[:MOST_ROWS]
    columns: dict[str, Sequence[Cell]] = {
        "Question": [pair.question for pair in shown],
        "Raters": [" & ".join(pair.raters) for pair in shown],
        "Units": [pair.n_units for pair in shown],
        "Same value": [pair.observed for pair in shown],
        "Agreement": [value_cell(pair.agreement) for pair in shown],
        "Gamma": [value_cell(pair.correlation) for pair in shown],
        "Tau-b": [value_cell(pair.tau_b) for pair in shown],
        "Stricter": [pair.stricter for pair in shown],
        "Shift": [None if pair.shift is None else pair.shift.mean for pair in shown],
        "Verdict": [pair.verdict.value for pair in shown],
    }
    left = sum(question.consistency.n_pairs_left_out for question in questions) + len(pairs) - len(shown)
    notes = [f"Agreement is {_names(pairs)}. Shift: how far the second rater is above the first, on average."]
    if left:
        notes.append(f"{left:,} further pairs are left out; assent measure --pairs lists all")
    return grid("Rater pairs", columns, notes=notes)


def _names(pairs: Sequence[PairReading]) -> str:
    """The exact names of the coefficients of agreement."""
    return " or ".join(dict.fromkeys(pair.agreement.name for pair in pairs))


def rater_table(questions: Sequence[QuestionDiagnosis]) -> Grid:
    """Each rater against all others."""
    raters = [rater for question in questions for rater in question.raters]
    return _limited(
        "Raters",
        raters,
        {
            "Question": lambda rater: rater.question,
            "Rater": lambda rater: rater.rater,
            "Judgements": lambda rater: rater.n_judgements,
            "Mean score": lambda rater: rater.mean_score,
            "Mean agreement with others": lambda rater: rater.agreement,
            "Mean correlation with others": lambda rater: rater.correlation,
        },
    )


def misreading_table(questions: Sequence[QuestionDiagnosis]) -> Grid:
    """Raters who read a question differently from everybody else."""
    found = [one for question in questions for one in question.misreadings]
    return _limited(
        "Raters who seem to read a question differently",
        found,
        {
            "Question": lambda one: one.question,
            "Rater": lambda one: one.rater,
            "Correlation with others": lambda one: one.with_others,
            "Correlation among others": lambda one: one.among_others,
            "Pairs": lambda one: one.n_pairs,
        },
    )


def direction_table(questions: Sequence[QuestionDiagnosis]) -> Grid:
    """Do two raters disagree in one direction?"""
    found = [(question.question, one) for question in questions for one in question.directions]
    return _limited(
        "Direction of disagreement",
        found,
        {
            "Question": lambda row: row[0],
            "Raters": lambda row: " & ".join(row[1].raters),
            "Units": lambda row: row[1].n_units,
            "Apart": lambda row: row[1].n_apart,
            "Only the first": lambda row: _alone(row[1].categories, row[1].only_first),
            "Only the second": lambda row: _alone(row[1].categories, row[1].only_second),
            "Test": lambda row: row[1].method,
            "p": lambda row: row[1].p if row[1].p is not None else row[1].reason,
        },
    )


def _alone(categories: Sequence[str], counts: Sequence[int]) -> str:
    """The categories that one rater gave alone, most frequent first.

    >>> _alone(["no", "maybe", "yes"], [3, 0, 12])
    'yes: 12, no: 3'
    """
    order = sorted(zip(counts, categories, strict=True), key=lambda pair: -pair[0])
    return ", ".join(f"{category}: {n:,}" for n, category in order[:4] if n)


def category_table(questions: Sequence[QuestionDiagnosis]) -> Grid:
    """How often each category is used, and agreed on."""
    uses = [(q.question, use) for q in questions if q.profile is not None for use in q.profile.uses]
    return _limited(
        "Categories",
        uses,
        {
            "Question": lambda row: row[0],
            "Category": lambda row: row[1].category,
            "Judgements": lambda row: row[1].n_judgements,
            "Share": lambda row: row[1].share,
            "Agreement on it": lambda row: row[1].specific_agreement,
        },
    )


def confusion_table(questions: Sequence[QuestionDiagnosis]) -> Grid:
    """The most frequent confusions of each question."""
    found = [
        (q.question, one) for q in questions if q.profile is not None for one in q.profile.confusions[:MOST_CONFUSIONS]
    ]
    return _limited(
        "Categories confused",
        found,
        {
            "Question": lambda row: row[0],
            "One": lambda row: row[1].first,
            "Other": lambda row: row[1].second,
            "Coincidences": lambda row: row[1].n_pairs,
            "Share of disagreement": lambda row: row[1].share,
            "Times chance": lambda row: row[1].ratio,
        },
    )


def entropy_table(questions: Sequence[QuestionDiagnosis]) -> Grid:
    """The units that raters are least sure about."""
    base = next((q.entropies.base for q in questions if q.entropies), 2.0)
    unit_name = "bits" if base == 2 else f"base {base:g}"
    found = [
        (q.question, unit)
        for q in questions
        if q.entropies
        for unit in q.entropies.units[:MOST_UNITS]
        if unit.entropy > 0
    ]
    return _limited(
        "Most uncertain units",
        found,
        {
            "Question": lambda row: row[0],
            "Unit": lambda row: row[1].unit,
            f"Entropy ({unit_name})": lambda row: row[1].entropy,
            "Judgements": lambda row: row[1].n_judgements,
        },
    )


def entropy_test_table(questions: Sequence[QuestionDiagnosis]) -> Grid:
    """Whether mean entropy differs between the values of an attribute."""
    found = [(q.question, test) for q in questions if q.entropies for test in q.entropies.tests]
    return _limited(
        "Entropy by attribute",
        found,
        {
            "Question": lambda row: row[0],
            "Attribute": lambda row: row[1].attribute,
            "Means": lambda row: ", ".join(f"{group.value} {group.mean:.3f}" for group in row[1].groups),
            "Test": lambda row: row[1].test.method if row[1].test else None,
            "Result": lambda row: row[1].test.text if row[1].test else row[1].reason,
            "p": lambda row: row[1].test.p if row[1].test else None,
        },
    )


def _limited(title: str, rows: Sequence[Row], columns: dict[str, Callable[[Row], Cell]]) -> Grid:
    """A table of the first rows; how many more there are stands below."""
    shown = rows[:MOST_ROWS]
    notes = [f"the first {MOST_ROWS} of {len(rows):,} rows"] if len(rows) > MOST_ROWS else []
    return grid(title, {name: [cell(row) for row in shown] for name, cell in columns.items()}, notes=notes)
