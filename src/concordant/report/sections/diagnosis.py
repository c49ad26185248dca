"""Why agreement is not higher, as a report shows it: findings in plain language first, the tables behind them after.

Three of the tables are Krippendorff's (1980) kinds of reliability: stability is a rater against their own repeated
judgements, accuracy a rater against a gold standard, reproducibility one rater against another; variance components
say what reliability to expect from more raters.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from concordant.about import NAME
from concordant.diagnosis.causes import CauseCount
from concordant.diagnosis.diagnose import Diagnosis, QuestionDiagnosis
from concordant.diagnosis.findings import Finding
from concordant.diagnosis.pooled import Pooled
from concordant.digits import brief, decimal
from concordant.report.document import Block, Notice, Paragraph
from concordant.report.grid import Cell, Grid, grid, listed, reading_cell, value_cell
from concordant.report.sections import SectionMaker

MOST_ROWS = 300  # rows of one table; the rest is counted
MOST_CONFUSIONS = 10  # for each question
MOST_UNITS = 10
MOST_NAMED = 12  # raters of a group
Columns = dict[str, str | Callable[[Any], Cell]]
"""What the columns of a table are called, and the attribute of an entry that each shows, or a look at it."""


def diagnosed(found: Diagnosis) -> list[Block]:
    """Findings, then one table for each side from which the data were looked at; those without rows are not shown."""
    questions = found.questions
    lead = "What was noticed, the most serious first. Each finding says how sure it is and what to do about it."
    tables = [
        together(questions),
        *(crowd_tables(questions) if found.is_crowd else (pair_table(questions), *rater_tables(questions))),
        *category_tables(questions),
        *entropy_tables(questions),
        variance_table(questions),
        *study_tables(found),
    ]
    return [
        Paragraph(text=lead if found.findings else "Nothing suspicious was found in the data."),
        *map(notice, found.findings),
        *(table for table in tables if table.rows),
    ]


def notice(finding: Finding) -> Notice:
    """A finding as a notice."""
    about = f"{finding.question}: " if finding.question else ""
    more = (("How sure", finding.sure), ("What to do", finding.advice))
    return Notice(tone=finding.severity.value, text=f"{about}{finding.seen}", more=tuple(m for m in more if m[1]))


def together(questions: Sequence[QuestionDiagnosis]) -> Grid:
    """Agreement and correlation of each question side by side, each with its own reading."""
    return listed(
        "Agreement and correlation together",
        [question.consistency for question in questions],
        {
            "Question": "question",
            "Agreement": "agreement.name",
            "Value": lambda one: value_cell(one.agreement),
            "Reading": lambda one: reading_cell(one.agreement),
            "Correlation": lambda one: getattr(one.correlation, "name", None),
            "Value ": lambda one: value_cell(one.correlation),
            "Reading ": lambda one: reading_cell(one.correlation),
            "Rater pairs": lambda one: "; ".join(f"{n} {v.value}" for v, n in one.verdicts.items()) or one.refused,
        },
        most=None,
    )


def pair_table(questions: Sequence[QuestionDiagnosis]) -> Grid:
    """Every two raters with the verdict."""
    pairs = [pair for question in questions for pair in question.consistency.pairs]
    left = sum(question.consistency.n_pairs_left_out for question in questions) + len(pairs[MOST_ROWS:])
    names = " or ".join(dict.fromkeys(pair.agreement.name for pair in pairs))
    notes = [f"Agreement is {names}. Shift: how far the second rater is above the first, on average."]
    if left:
        notes.append(f"{left:,} further pairs are left out; {NAME} measure --pairs lists all")
    return listed(
        "Rater pairs",
        pairs[:MOST_ROWS],
        {
            "Question": "question",
            "Raters": lambda pair: " & ".join(pair.raters),
            "Units": "n_units",
            "Same value": "observed",
            "Agreement": lambda pair: value_cell(pair.agreement),
            "Gamma": lambda pair: value_cell(pair.correlation),
            "Tau-b": lambda pair: value_cell(pair.tau_b),
            "Stricter": "stricter",
            "Shift": lambda pair: None if pair.shift is None else pair.shift.mean,
            "Verdict": "verdict.value",
        },
        notes=notes,
    )


def crowd_tables(questions: Sequence[QuestionDiagnosis]) -> list[Grid]:
    """Of a crowd how pairs and raters are spread, and nobody by name."""
    pairs = {one.question: [pair.agreement.value for pair in one.consistency.pairs] for one in questions}
    people = {one.question: [rater.agreement for rater in one.raters] for one in questions}
    left = sum(one.consistency.n_pairs_left_out for one in questions)
    name = " or ".join(dict.fromkeys(one.consistency.agreement.name for one in questions))
    drawn = [f"{left:,} further pairs were not looked at; {NAME} measure --pairs lists all"] if left else []
    return [
        spread(f"Rater pairs: {name}", pairs, "Pairs", drawn),
        spread("Raters: mean agreement with others", people, "Raters", []),
    ]


def spread(title: str, values: Mapping[str | None, Sequence[float | None]], what: str, notes: Sequence[str]) -> Grid:
    """Least, quartiles and most of the values of each question, those that are defined."""
    rows = []
    for question, own in values.items():
        known = [value for value in own if value is not None]
        if known:
            rows.append((question, len(known), *np.quantile(known, [0, 0.25, 0.5, 0.75, 1]).tolist()))
    headers = ("Question", what, "Lowest", "Quarter below", "Middle", "Quarter above", "Highest")
    columns = {header: [row[i] for row in rows] for i, header in enumerate(headers)}
    return grid(title, columns, notes=notes)


def of_each(
    title: str,
    questions: Sequence[QuestionDiagnosis],
    part: Callable[[Any], Sequence[Any]],
    columns: Mapping[str, str | Callable[[Any], Cell]],
    **how: Any,
) -> Grid:
    """A table of the entries of a part of every question, the question first."""
    both = [(question.question, one) for question in questions for one in part(question)]
    return listed(title, [one for _, one in both], columns, questions=[name for name, _ in both], **how)


def rater_tables(questions: Sequence[QuestionDiagnosis]) -> list[Grid]:
    """Each rater against all others, who reads a question differently, and in which direction two disagree."""
    of_raters = {"Rater": "rater", "Judgements": "n_judgements", "Mean score": "mean_score"}
    means = {"Mean agreement with others": "agreement", "Mean correlation with others": "correlation"}
    of_misreadings = {"Rater": "rater", "Correlation with others": "with_others"}
    more = {"Correlation among others": "among_others", "Pairs": "n_pairs", "p": "p"}
    return [
        of_each("Raters", questions, lambda one: one.raters, of_raters | means),
        of_each(
            "Raters who seem to read a question differently",
            questions,
            lambda one: one.misreadings,
            of_misreadings | more,
        ),
        of_each(
            "Direction of disagreement",
            questions,
            lambda one: one.directions,
            {
                "Raters": lambda one: " & ".join(one.raters),
                "Units": "n_units",
                "Apart": "n_apart",
                "Only the first": lambda one: alone(one.categories, one.only_first),
                "Only the second": lambda one: alone(one.categories, one.only_second),
                "Test": "method",
                "p": lambda one: one.p if one.p is not None else one.reason,
                "Symmetry (Bowker), p": lambda one: one.symmetry and one.symmetry[2],
            },
        ),
    ]


def alone(categories: Sequence[str], counts: Sequence[int]) -> str:
    """The categories that one rater gave alone, most frequent first.

    >>> alone(["no", "maybe", "yes"], [3, 0, 12])
    'yes: 12, no: 3'
    """
    order = sorted(zip(counts, categories, strict=True), key=lambda pair: -pair[0])
    return ", ".join(f"{category}: {n:,}" for n, category in order[:4] if n)


def category_tables(questions: Sequence[QuestionDiagnosis]) -> list[Grid]:
    """How often each category is used and agreed on, and the most frequent confusions of each question."""
    known = [question for question in questions if question.profile]
    of_uses = {"Category": "category", "Judgements": "n_judgements", "Share": "share"}
    of_confusions = {"One": "first", "Other": "second", "Coincidences": "n_pairs", "Share of disagreement": "share"}
    return [
        of_each("Categories", known, lambda one: one.profile.uses, of_uses | {"Agreement on it": "specific_agreement"}),
        of_each(
            "Categories confused",
            known,
            lambda one: one.profile.confusions[:MOST_CONFUSIONS],
            of_confusions | {"Times chance": "ratio"},
        ),
    ]


def entropy_tables(questions: Sequence[QuestionDiagnosis]) -> list[Grid]:
    """The units that raters are least sure about, and whether that depends on an attribute."""
    known = [question for question in questions if question.entropies]
    base = next((question.entropies.base for question in questions if question.entropies), 2.0)
    named = f"Entropy ({'bits' if base == 2 else f'base {brief(base)}'})"
    return [
        of_each(
            "Most uncertain units",
            known,
            lambda one: [unit for unit in one.entropies.units[:MOST_UNITS] if unit.entropy > 0],
            {"Unit": "unit", named: "entropy", "Judgements": "n_judgements"},
        ),
        of_each(
            "Entropy by attribute",
            known,
            lambda one: one.entropies.tests,
            {
                "Attribute": "attribute",
                "Means": lambda one: ", ".join(f"{group.value} {decimal(group.mean)}" for group in one.groups),
                "Test": lambda one: one.test.method if one.test else None,
                "Result": lambda one: one.test.text if one.test else one.reason,
                "p": lambda one: one.test.p if one.test else None,
            },
        ),
    ]


def variance_table(questions: Sequence[QuestionDiagnosis]) -> Grid:
    """Where the variance comes from, and what more raters would bring."""
    found = [(q.question, q.generalizability) for q in questions if q.generalizability and q.generalizability.shares]
    columns: dict[str, Sequence[Cell]] = {
        "Question": [question for question, _ in found],
        "Units": [one.n_units for _, one in found],
        **{f"Share of {name}": [one.shares[name] for _, one in found] for name in ("units", "raters", "rest")},
    }
    means = [{expected.n_raters: expected.absolute for expected in one.expected} for _, one in found]
    for k in sorted({k for mean in means for k in mean}):
        columns[f"Expected from {k}"] = [mean.get(k) for mean in means]
    notes = ["Expected from k: the reliability of the mean of k raters' values (absolute, both facets random)."]
    return grid("Variance components", columns, notes=notes if found else [])


def cause_table(counts: Sequence[CauseCount]) -> Grid:
    """Why raters differed, question by question, as those said who decided."""
    columns: Columns = {"Question": "question", "Cause": "words", "Decisions": "n", "Share": "share"}
    shown = columns | {"Avoidable": "is_avoidable"}
    return listed("Causes of disagreement, as adjudicators named them", counts, shown, most=None)


def pooled_table(found: Sequence[Pooled]) -> Grid:
    """What all rater pairs say together where single ones have too few units."""
    columns: Columns = {"Question": "question", "Rater pairs": "n_pairs", "Not to be read alone": "n_undecided"}
    columns |= {"Units": "n_units", "Batches": "n_batches", "p": "p"}
    shown = columns | {"Mean tau-b": lambda one: value_cell(one.correlation)}
    shown |= {"Reading": lambda one: reading_cell(one.correlation)}
    return listed("All rater pairs together", found, shown, most=None)


def study_tables(found: Diagnosis) -> list[Grid]:
    """Groups of raters, the units that two share; raters against themselves, and against the gold standard."""
    of_groups: Columns = {
        "Question": "question",
        "Group": lambda row: row.group if row.against is None else f"{row.group} against {row.against}",
        "Raters": lambda row: ", ".join(row.raters) if len(row.raters) <= MOST_NAMED else f"{len(row.raters):,} raters",
        "Agreement": "agreement.name",
        "Value": lambda row: value_cell(row.agreement),
        "Correlation": lambda row: getattr(row.correlation, "name", None),
        "Value ": lambda row: value_cell(row.correlation),
    }
    of_batches: Columns = {"Raters": lambda row: " & ".join(row.raters), "Units": "n_units"}
    means = {"Mean agreement": "agreement", "Mean correlation": "correlation"}
    of_stability: Columns = {"Rater": lambda row: row.rater or "all raters", "Units judged twice": "n_repeated"}
    of_accuracy: Columns = {
        "Rater": lambda row: row.rater or "consensus",
        "Units": "n_units",
        "Share right": "share_right",
    }
    value: Columns = {"Coefficient": "result.name", "Value": lambda row: value_cell(row.result)}
    repeated, right = "Stability: raters against their own repeated judgements", "Accuracy: against the gold standard"
    return [
        cause_table(found.causes),
        pooled_table([one.pooled for one in found.questions if one.pooled is not None]),
        listed("Groups of raters", found.groups, of_groups, most=None),
        listed("Whose shared units are the most reliable", found.batches, of_batches | means, most=None),
        listed(repeated, found.stability, of_stability | value, most=None),
        of_each(right, found.questions, lambda one: one.accuracy, of_accuracy | value, most=None),
    ]


SECTION = SectionMaker(
    key="diagnosis",
    title="Diagnosis: why agreement is not higher",
    order=40,
    of=("judgements",),
    blocks=lambda facts: diagnosed(facts.diagnosis),
)
