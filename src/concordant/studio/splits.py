"""Where disagreement lives: which answers stand on one text, the texts that split raters, the raters.

Of a rater there is the level, the pace and the agreement with the others, and a remark only where something is wrong.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import median

from concordant.collection.disputes import Case
from concordant.design.steps import JUDGED
from concordant.diagnosis.consistency import Consistency
from concordant.diagnosis.material import Material, unit_shares
from concordant.diagnosis.misreading import question_misreaders
from concordant.diagnosis.rater_profiles import rater_profiles
from concordant.diagnosis.verdict import strictest
from concordant.digits import decimal
from concordant.studio.charts import Share, shares_of, tones_of
from concordant.studio.live import Snapshot
from concordant.studio.measurements import material_of, readings_of
from concordant.tasks.kind import kind_of
from concordant.tasks.question import Question

MOST_CATEGORIES = 9  # that a heat map shows
CONFUSED = 5  # disputed texts with the same two answers before anybody is told to look at them
MOST_RATERS = 12
FAST = 1 / 3  # of the median time of the others


@dataclass(frozen=True, kw_only=True)
class HeatCell:
    """How often two answers stand on one text, and its share of the largest."""

    n: int
    words: str
    share: float


@dataclass(frozen=True, kw_only=True)
class Heat:
    """Which answers stand together; `first` and `second` are the two that do most often, on `n` of `n_all` texts."""

    labels: tuple[str, ...]
    cells: tuple[tuple[HeatCell, ...], ...]
    first: str
    second: str
    n: int
    n_all: int


@dataclass(frozen=True, kw_only=True)
class Split:
    """A text that splits its raters."""

    unit: str
    question: str
    text: str
    shares: tuple[Share, ...]

    @property
    def figures(self) -> str:
        """The answers in words, the most frequent first."""
        return " · ".join(f"{one.n} {one.label}" for one in sorted(self.shares, key=lambda one: -one.n))


def most_confused(snapshot: Snapshot, question: Question) -> tuple[str, str, int, int] | None:
    """The two answers that stand most often on one disputed text: on how many, of how many."""
    if not tones_of(question, ()):
        return None
    cases = [case for case in snapshot.cases if case.question == question.id and case.is_disputed]
    counts = Counter(pair for case in cases for pair in combinations(sorted(case.counts), 2))
    if not counts:
        return None
    order = list(tones_of(question, ()))
    (pair, n) = min(counts.items(), key=lambda one: (-one[1], one[0]))
    first, second = sorted(pair, key=lambda text: order.index(text) if text in order else len(order))
    return (first, second, n, len(cases)) if n >= CONFUSED else None


def heat_of(snapshot: Snapshot, question: Question, cases: Sequence[Case]) -> Heat | None:
    """Which answers stand on one text, counted by pairs of answers."""
    material = material_of(snapshot, question.id)
    names = list(tones_of(question, snapshot.cases))
    if material is None or material.scale.is_continuous or not 1 < len(names) <= MOST_CATEGORIES:
        return None
    found = unit_shares(material.judgements)
    if not set(found.categories) <= set(names):
        return None
    together = found.counts.T @ found.counts
    counts = {
        (one, other): int(together[i, j] - (found.counts[:, i].sum() if i == j else 0)) // (2 if i == j else 1)
        for i, one in enumerate(found.categories)
        for j, other in enumerate(found.categories)
    }
    largest = max(counts.values(), default=0) or 1
    most = most_confused(snapshot, question)
    cells = tuple(
        tuple(
            HeatCell(n=n, words=f"{n:,}", share=round(n / largest, 3))
            for other in names
            for n in [counts.get((one, other), 0)]
        )
        for one in names
    )
    labels = tuple(label_in(snapshot, question, name) for name in names)
    said = [label_in(snapshot, question, text) for text in most[:2]] if most else ["", ""]
    return Heat(labels=labels, cells=cells, first=said[0], second=said[1], n=most[2] if most else 0, n_all=len(cases))


def split_of(snapshot: Snapshot, question: Question, case: Case, tones: Mapping[str, str]) -> Split:
    unit = snapshot.study.unit(case.unit)
    return Split(unit=case.unit, question=case.question, text=unit.words, shares=shares_of(case, question, unit, tones))


def label_in(snapshot: Snapshot, question: Question, text: str) -> str:
    return kind_of(question).label_of(question, snapshot.study.description.units[0], text)


def question_of(snapshot: Snapshot, question: str | None) -> Question:
    questions = snapshot.study.description.questions
    return next((one for one in questions if one.id == question), snapshot.study.description.measured[0])


@dataclass(frozen=True, kw_only=True)
class RaterLine:
    """A rater on one question: level against the others, pace, agreement with them; `remark` if something is wrong."""

    rater: str
    severity: float | None
    at: float | None
    seconds: float | None
    pace: float | None
    agreement: float | None
    share: float
    n_answered: int
    remark: str = ""
    by: str = ""


def rater_lines(snapshot: Snapshot, question: Question) -> tuple[tuple[RaterLine, ...], int]:
    """Everybody who answered the question, and how many more; of a crowd those with a remark, then the busiest."""
    paces, readings = _paces(snapshot, question), readings_of(snapshot, question.id)
    material, shifts = material_of(snapshot, question.id), _shifts(readings)
    profiles = {one.rater: one for one in rater_profiles(material, readings)} if material and readings else {}
    longest = max(paces.values(), default=1.0) or 1.0
    widest = max([abs(shift) for shift in shifts.values()] + [1.0])
    remarks, found = _remarks(readings, paces, material), []
    for one in snapshot.progress.raters:
        seconds, shift = paces.get(one.rater), shifts.get(one.rater)
        if seconds is None and one.rater not in profiles:
            continue
        remark, by = remarks.get(one.rater, ("", ""))
        agreement = profiles[one.rater].agreement if one.rater in profiles else None
        line = RaterLine(
            rater=one.rater,
            severity=shift,
            at=None if shift is None else round(50 + 45 * shift / widest, 2),
            seconds=seconds,
            pace=None if seconds is None else round(100 * seconds / longest, 2),
            agreement=agreement,
            share=round(100 * max(0.0, agreement or 0.0), 2),
            n_answered=one.n_answered,
            remark=remark,
            by=by,
        )
        found.append(line)
    shown = found if len(found) <= MOST_RATERS else sorted(found, key=lambda one: (not one.remark, -one.n_answered))
    return tuple(shown[:MOST_RATERS]), max(0, len(found) - MOST_RATERS)


def _remarks(
    readings: Consistency | None, paces: Mapping[str, float], material: Material | None
) -> dict[str, tuple[str, str]]:
    """What is wrong with whom, and by how much; the gravest of several."""
    found, usual = dict[str, tuple[str, str]](), median(paces.values()) if len(paces) > 2 else 0.0
    found |= {rater: ("fast", "") for rater, seconds in paces.items() if seconds < FAST * usual}
    if readings is None or material is None:
        return found
    found |= {one.rater: ("alone", "") for one in question_misreaders(readings, material.tally)}
    strict = strictest(readings.pairs)
    if strict and len(strict[2]) * 2 > strict[3]:
        found[strict[0]] = ("stricter", decimal(strict[1], 1))
    return found


def _paces(snapshot: Snapshot, question: Question) -> dict[str, float]:
    """Each rater's median seconds for an answer."""
    found = {}
    for one in snapshot.followed:
        seconds = [
            each.seconds
            for each in one.judgements
            if each.question == question.id and each.kind in JUDGED and each.seconds is not None
        ]
        if seconds:
            found[one.person.rater] = float(median(seconds))
    return found


def _shifts(readings: Consistency | None) -> dict[str, float]:
    """How far each rater's level lies above the others', on the texts that both judged."""
    found: dict[str, list[float]] = {}
    for pair in readings.pairs if readings else ():
        if pair.shift is not None:
            for rater, sign in zip(pair.raters, (-1, 1), strict=True):
                found.setdefault(rater, []).append(sign * pair.shift.mean)
    return {rater: sum(values) / len(values) for rater, values in found.items()}
