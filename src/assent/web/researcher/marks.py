"""Marked spans: Gamma and its kin for every text, as `assent measure` prints them of the exported spans."""

from collections.abc import Sequence
from dataclasses import dataclass

from assent.design.description import Question, Task
from assent.measures.result import Agreement
from assent.measures.unitizing.corpus import Column, matrix
from assent.measures.unitizing.variants import options
from assent.model.continuum import continua
from assent.model.spans import Mark, SpanTable
from assent.uncertainty.unitizing import measure_corpus
from assent.web.researcher.live import SEED, Snapshot

MEASURES = ("gamma", "gamma_cat", "alpha_u")
FEW_TEXTS = 8
"""Up to this many texts are measured at once; aligning more takes a while, so one has to ask for it."""


@dataclass(frozen=True, kw_only=True)
class Marked:
    """One question about spans: each measure's results text by text, with their smallest, mean and largest."""

    question: Question
    texts: tuple[str, ...]
    columns: tuple[tuple[str, Column], ...]
    results: tuple[Agreement, ...]


def n_texts(snapshot: Snapshot) -> int:
    """How many texts were marked."""
    rows = (row for one in snapshot.followed for row in one.judged)
    return len({row.unit.id for row in rows if row.question.task is Task.SPANS})


def marked(snapshot: Snapshot) -> list[Marked]:
    """All questions about spans, measured once for a snapshot."""
    made: list[Marked] = snapshot.remember("spans", lambda: _all_marked(snapshot))
    return made


def _all_marked(snapshot: Snapshot) -> list[Marked]:
    return [_marked(question, spans_of(snapshot, question.id)) for question in marked_questions(snapshot)]


def marked_questions(snapshot: Snapshot) -> list[Question]:
    """The questions to which somebody has marked spans."""
    asked = [one for one in snapshot.study.description.questions if one.task is Task.SPANS]
    return [question for question in asked if len(spans_of(snapshot, question.id))]


def spans_of(snapshot: Snapshot, question: str) -> SpanTable:
    """The spans as `assent export` writes them."""
    rows = [row for one in snapshot.followed for row in one.judged if row.question.id == question]
    return SpanTable.from_marks(
        question,
        [
            Mark(row.unit.id, row.judgement.rater, span["begin"], span["end"], span["category"])
            for row in rows
            for span in row.judgement.value
        ],
    )


def _marked(question: Question, spans: SpanTable) -> Marked:
    results = measure_corpus(continua(spans), MEASURES, options(seed=SEED))
    columns = [_column([one for one in results if one.measure == key]) for key in MEASURES]
    texts = tuple(dict.fromkeys((one.slice or {}).get("text", "") for one in results))
    return Marked(question=question, texts=texts, columns=tuple(columns), results=tuple(results))


def _column(results: Sequence[Agreement]) -> tuple[str, Column]:
    return results[0].name, matrix(results).columns[0]
