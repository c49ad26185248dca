"""What was understood of data: which format and why, how much of what, and what of the source says nothing here.

Every column and every row of a source is used, named here as unused or left out, or refused by its reader.
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from concordant.digits import counted
from concordant.model.judgements import is_continuous, refuse_unnamed
from concordant.model.orders import order_note
from concordant.model.scale import Level, make_scale
from concordant.model.spans import SpanTable
from concordant.model.study import Declared, Study
from concordant.readers.format import Recognized

KINDS = {"judgements": "judgements", "spans": "spans", "brackets": "trees", "profiles": "profiles"}
MOST_CATEGORIES = 1000  # values of a question that are listed
MOST_NAMED = 6  # columns of one reason that are named in a line


@dataclass(frozen=True, kw_only=True)
class Question:
    """What was understood of one question; a study with one question may have no name for it."""

    name: str | None
    level: str
    categories: tuple[str, ...]
    n_judgements: int


@dataclass(frozen=True, kw_only=True)
class Account:
    """What was understood; a number that says nothing of this kind of data is None."""

    format: str
    confidence: float
    why: str
    kind: str
    n_units: int | None = None
    n_raters: int
    n_judgements: int | None = None
    n_spans: int | None = None
    n_texts: int | None = None
    questions: tuple[Question, ...] = ()
    attributes: tuple[str, ...] = ()
    unused: tuple[tuple[str, str], ...] = ()
    left_out: tuple[tuple[int, str], ...] = ()
    notes: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The account as data; why the format was chosen is the first note."""
        told = asdict(self)
        return told | {
            "notes": [f"read as {self.format}: {told.pop('why')}", *self.notes],
            "unused": [{"column": column, "reason": reason} for column, reason in self.unused],
            "left_out": [{"rows": rows, "reason": reason} for rows, reason in self.left_out],
        }

    def lines(self) -> list[str]:
        """The account in a few lines: how it was read, how much there is, what is not used, what was left out."""
        return [
            f"read as {self.format} ({self.why}): {self._size()}",
            *(f"not used: {text}" for text in self._unused()),
            *(f"left out: {counted(rows, 'row')} ({reason})" for rows, reason in self.left_out),
        ]

    def _size(self) -> str:
        """How much there is of what."""
        if self.kind == "spans":
            sizes = [counted(self.n_texts or 0, "text"), counted(self.n_raters, "rater")]
            return f"{' × '.join(sizes)}, {counted(self.n_spans or 0, 'span')}"
        unit = "unit" if self.kind == "judgements" else "sentence"
        size = f"{counted(self.n_units or 0, unit)} × {counted(self.n_raters, 'rater')}"
        if self.kind != "judgements":
            return size
        levels = dict.fromkeys(one.level for one in self.questions)
        many = [counted(len(self.questions), "question")] if len(self.questions) > 1 else []
        level = ["level " + " and ".join(levels)] if levels else []
        return ", ".join([size, *many, counted(self.n_judgements or 0, "judgement"), *level])

    def _unused(self) -> Iterator[str]:
        """The unused columns, those of one reason together."""
        for reason in dict.fromkeys(reason for _, reason in self.unused):
            columns = [column for column, why in self.unused if why == reason]
            more = f" and {len(columns) - MOST_NAMED} more" if len(columns) > MOST_NAMED else ""
            shown = ", ".join(repr(column) for column in columns[:MOST_NAMED])
            yield f"column{'s' * (len(columns) > 1)} {shown}{more} ({reason})"


def account_of(data: Any, found: Recognized) -> Account:
    """What was understood of data that were read as `found` says."""
    told: dict[str, Any] = {
        "format": found.format.name,
        "confidence": found.confidence,
        "why": found.why,
        "kind": KINDS[found.format.holds],
        "unused": tuple(getattr(data, "unused", {}).items()),
        "left_out": tuple(getattr(data, "left_out", ())),
        "notes": tuple(getattr(data, "notes", ())),
    }
    if isinstance(data, Study):
        questions = tuple(questions_of(data))
        ordered = {order_note(one.categories) for one in questions if one.level == Level.NOMINAL}
        told["notes"] += tuple(sorted(note for note in ordered if note))
        return Account(
            **told,
            n_units=len(data.unit.as_labels().labels),
            n_raters=len(data.raters),
            n_judgements=sum(one.n_judgements for one in questions),
            questions=questions,
            attributes=tuple(data.attributes),
        )
    if isinstance(data, SpanTable):
        texts = {*data.text.tolist(), *data.lengths, *(text for text, _ in data.seen)}
        raters = {*data.rater.tolist(), *(rater for _, rater in data.seen)}
        told |= {"n_raters": len(raters), "n_spans": len(data), "n_texts": len(texts)}
        return Account(**told, attributes=tuple(data.features))
    whose = getattr(data, "raters", None) or (data.a, data.b)
    return Account(**told, n_units=len(data.sentences), n_raters=len(whose))


def questions_of(study: Study) -> Iterator[Question]:
    """Each question's scale and how often it was answered, from the distinct values that its rows have."""
    if not study.scales:
        study.refuse_off_scale()
    refuse_unnamed(study.unit, study.rater, study.row_numbers, study.name)
    if study.question is None or len(study.questions) < 2:
        name = study.questions[0] if study.questions else None
        own = study.scales.get(name or "", Declared(level=study.level, categories=study.categories))
        column, is_any = study.value, is_continuous(study.value, level=own.level, categories=own.categories)
        labels = () if is_any else column.as_labels().labels
        yield _question(name, own, labels, len(column) - column.n_blank, is_any=is_any)
        return
    value, question = study.value.as_labels(), study.question
    size = len(value.labels) + 1  # the last place of each question is for blanks
    key = question.codes.astype(np.int64) * size + np.where(value.codes < 0, size - 1, value.codes)
    counts = np.bincount(key[question.codes >= 0], minlength=len(question.labels) * size).reshape(-1, size)[:, :-1]
    for name, row in zip(study.questions, counts, strict=True):
        own = study.scales.get(name, Declared(level=study.level, categories=study.categories))
        labels = [value.labels[code] for code in np.flatnonzero(row).tolist()]
        yield _question(name, own, labels, int(row.sum()))


def _question(
    name: str | None, own: Declared, labels: Sequence[str], n_judgements: int, *, is_any: bool = False
) -> Question:
    """One question on its scale; on a continuous one any number is a value."""
    if is_any:
        return Question(name=name, level=own.level or Level.INTERVAL, categories=(), n_judgements=n_judgements)
    scale = make_scale(labels, level=own.level, categories=own.categories)
    listed = scale.categories if len(scale.categories) <= MOST_CATEGORIES else ()
    return Question(name=name, level=scale.level, categories=listed, n_judgements=n_judgements)
