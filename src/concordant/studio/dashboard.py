"""The page that a study opens on: the verdict, what to do next, the raters, and where disagreement lives.

Everything said here comes from the same values that the report and the command `diagnose` print. What a page shows is
found here; how it is worded stands in the catalogues of the pages, one template for each kind of step or remark.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from concordant.design.steps import JUDGED
from concordant.diagnosis.rounds import GUIDELINES, RoundChange, round_changes, round_of
from concordant.diagnosis.verdict import MAIN, WORST_FIRST, QuestionVerdict, StudyVerdict, Word, study_verdict
from concordant.digits import coefficient
from concordant.measures.chance_corrected import ac1
from concordant.measures.correlation import tau_b
from concordant.measures.gamma import gamma, gamma_cat
from concordant.measures.krippendorff import alpha
from concordant.measures.result import Agreement, matrix
from concordant.model.tabular import plain
from concordant.plots.axis import TONES, Axis, Mark, axis_of, mark_of
from concordant.studio.charts import Entry, legend_of, tones_of
from concordant.studio.live import Snapshot
from concordant.studio.measurements import FEW_TEXTS, marked, n_texts, sliced_results, stoppings, verdict
from concordant.studio.next_steps import Step, next_steps
from concordant.studio.people import MemberPlace
from concordant.studio.projects import Card, NotFoundError
from concordant.studio.splits import Heat, RaterLine, Split, heat_of, rater_lines, split_of
from concordant.tasks.question import Question

SYMBOLS = {alpha.key: "α", ac1.key: "AC1", tau_b.key: "τ", gamma.key: "γ", gamma_cat.key: "γ-cat"}
MOST_TEXTS, MOST_LEVELS, MOST_DOTS = 4, 12, 6
NO_SCALE = "no_scale"


@dataclass(frozen=True, kw_only=True)
class Line:
    """One question: its verdict in a word and a sentence, and its intervals on the common axis."""

    question: str
    title: str
    word: str
    tone: str
    sentence: str
    marks: tuple[Mark, ...]
    figures: str
    is_worst: bool = False


@dataclass(frozen=True, kw_only=True)
class Slice:
    """One level of an attribute on the forest of slices."""

    label: str
    marks: tuple[Mark, ...]
    n_units: int
    figures: str
    reason: str


@dataclass(frozen=True, kw_only=True)
class Pace:
    """Answers so far over time: points of a line in per cent of both axes, when it began, and what is expected."""

    points: str
    n: int
    n_expected: int
    began: str
    ended: str


@dataclass(frozen=True, kw_only=True)
class Results:
    """Everything on the page; `question` is the one that the lower half is about."""

    seq: int
    headline: str
    axis: Axis
    lines: tuple[Line, ...]
    steps: tuple[Step, ...]
    question: str
    raters: tuple[RaterLine, ...]
    n_more_raters: int
    heat: Heat | None
    splits: tuple[Split, ...]
    legend: tuple[Entry, ...]
    n_disputed: int
    by: str
    slices: tuple[Slice, ...]
    slice_axis: Axis | None
    pace: Pace | None


@dataclass(frozen=True, kw_only=True)
class PageOne:
    """What a report begins with: the sentence, and a row for each question on one axis."""

    headline: str
    axis: Axis
    lines: tuple[Line, ...]


def page_one(snapshot: Snapshot, language: str = "en") -> PageOne:
    """The verdict on a study, as Results and the report begin with it."""
    found = verdict(snapshot, language)
    lines, axis = _lines(snapshot, found)
    headline = found.sentence if found.questions or not lines else lines[0].sentence or found.sentence
    return PageOne(headline=headline, axis=axis, lines=lines)


def results(
    place: MemberPlace, *, question: str = "", by: str = "", is_sorted: bool = False, language: str = "en"
) -> Results:
    """What the page shows; `is_sorted` puts the worst question first."""
    snapshot = place.measured()
    found = verdict(snapshot, language)
    first_page = page_one(snapshot, language)
    asked = _asked(snapshot, question, found)
    tones = tones_of(asked, snapshot.cases)
    cases = [case for case in snapshot.cases if case.question == asked.id and case.is_disputed]
    slices, slice_axis = _slices(snapshot, asked, by)
    raters, n_more = rater_lines(snapshot, asked)
    first = snapshot.study.description.units[:1]
    return Results(
        seq=snapshot.seq,
        headline=first_page.headline,
        axis=first_page.axis,
        lines=tuple(sorted(first_page.lines, key=_badness)) if is_sorted else first_page.lines,
        steps=next_steps(place, snapshot, found),
        question=asked.id,
        raters=raters,
        n_more_raters=n_more,
        heat=heat_of(snapshot, asked, cases),
        splits=tuple(split_of(snapshot, asked, case, tones) for case in cases[:MOST_TEXTS]),
        legend=legend_of(asked, first[0], tones) if first else (),
        n_disputed=len(cases),
        by=by if slices else "",
        slices=slices,
        slice_axis=slice_axis,
        pace=_pace(snapshot),
    )


def steps_of(place: MemberPlace, language: str = "en") -> tuple[int, tuple[Step, ...]]:
    """What to do next with how many more texts it takes, which takes a while to find out; and the last event in it."""
    snapshot = place.measured()
    return snapshot.seq, next_steps(place, snapshot, verdict(snapshot, language), stoppings(place, snapshot))


def news(place: MemberPlace, seen: int) -> int:
    """How many answers there are now beyond those that somebody saw."""
    return max(0, place.latest().progress.n_answered - seen)


def _badness(line: Line) -> int:
    words = [one.name.lower() for one in WORST_FIRST]
    return words.index(line.word) if line.word in words else len(words)


def _lines(snapshot: Snapshot, found: StudyVerdict) -> tuple[tuple[Line, ...], Axis]:
    """A row for each question in the order of the study, on one axis."""
    spans = _span_results(snapshot)
    shown = [one for one in snapshot.results if one.measure in SYMBOLS] + [
        one for pair in spans.values() for one in pair
    ]
    axis = axis_of(shown)
    bad = [one for one in found.questions if one.word is Word.NOT_YET]
    worst = min(bad, key=lambda one: float(one.result), default=None)
    lines = {}
    for one in found.questions:
        id = one.question or snapshot.study.description.measured[0].id
        mine = [each for each in snapshot.results if each.question == one.question]
        companion = next((each for key in (tau_b.key, ac1.key) for each in mine if each.measure == key), None)
        lines[id] = line_of(axis, one, id, companion, is_worst=one is worst and len(found.questions) > 1)
    titles = {one.id: one.title or one.id for one in snapshot.study.description.questions}
    for id, pair in spans.items():
        lines[id] = span_line(axis, pair, id, titles[id])
    order = [one.id for one in snapshot.study.description.measured] + list(spans)
    return tuple(sorted(lines.values(), key=lambda line: order.index(line.question))), axis


def line_of(axis: Axis, one: QuestionVerdict, id: str, companion: Agreement | None, *, is_worst: bool = False) -> Line:
    """A question with its verdict, its main coefficient on the axis and a companion below it."""
    tone, shown = TONES.get(one.word, "none"), [one.result, *([companion] if companion else [])]
    marks = [mark_of(axis, result, SYMBOLS[result.measure], tone) for result in shown]
    return Line(
        question=id,
        title=one.title,
        word=one.word.name.lower(),
        tone=tone,
        sentence=one.sentence,
        marks=tuple(mark for mark in marks if mark),
        figures=_figures(shown),
        is_worst=is_worst,
    )


def span_line(axis: Axis, means: Sequence[Agreement], id: str, title: str) -> Line:
    """Marked spans with the means of Gamma and Gamma-cat on the axis; no scale reads them."""
    marks = tuple(mark for one in means if (mark := mark_of(axis, one, SYMBOLS[one.measure], "none")))
    figures = _figures(means)
    return Line(question=id, title=title, word=NO_SCALE, tone="none", sentence="", marks=marks, figures=figures)


def dots_of(cards: Sequence[Card]) -> tuple[Axis, dict[str, list[Mark]]]:
    """A dot with its interval for every question of every study in a list, on one axis; the first few of each."""
    found = {
        card.study.description.name: study_verdict(card.snapshot.results, ()).questions[:MOST_DOTS]
        for card in cards
        if card.snapshot and card.snapshot.results
    }
    axis = axis_of([one.result for questions in found.values() for one in questions])
    drawn = {
        name: [mark for one in questions if (mark := mark_of(axis, one.result, "", TONES.get(one.word, "none")))]
        for name, questions in found.items()
    }
    return axis, drawn


def _figures(results: Sequence[Agreement]) -> str:
    """The same in figures, for those who do not see the chart."""
    said = []
    for one in results:
        if one.value is not None:
            ends = f", {coefficient(one.interval.low)} – {coefficient(one.interval.high)}" if one.interval else ""
            said.append(f"{SYMBOLS.get(one.measure, one.name)} {coefficient(one.value)}{ends}")
    return "; ".join(said)


def _span_results(snapshot: Snapshot) -> dict[str, list[Agreement]]:
    """The mean over texts of what is measured of marked spans, by question; nothing where that would take long."""
    if not 0 < n_texts(snapshot) <= FEW_TEXTS:
        return {}
    found = {one.question.id: span_means(one.results) for one in marked(snapshot)}
    return {id: means for id, means in found.items() if means}


def span_means(results: Sequence[Agreement]) -> list[Agreement]:
    """The means of Gamma and Gamma-cat over texts, each with its interval, where there are any."""
    found = []
    for key in (gamma.key, gamma_cat.key):
        values = [result for result in results if result.measure == key and result.value is not None]
        if values:
            column = matrix(values).columns[0]
            found.append(values[0].with_(interval=column.interval, value=column.summary["Mean"]))
    return found


def _asked(snapshot: Snapshot, question: str, found: StudyVerdict) -> Question:
    """The question in the address, else the worst one, else the first."""
    questions = snapshot.study.description.questions
    if question:
        named = next((one for one in questions if one.id == question), None)
        if named is None:
            raise NotFoundError("there is no such question")
        return named
    worst = min(found.questions, key=lambda one: WORST_FIRST.index(one.word), default=None)
    id = worst.question if worst else None
    return next((one for one in questions if one.id == id), questions[0])


def _slices(snapshot: Snapshot, question: Question, by: str) -> tuple[tuple[Slice, ...], Axis | None]:
    """The main coefficient of the question on every level of an attribute, on one axis."""
    if by not in snapshot.attributes:
        return (), None
    main = [one for one in sliced_results(snapshot, by) if one.measure == alpha.key]
    mine = [one for one in main if one.question in (question.id, None)][:MOST_LEVELS]
    axis = axis_of(mine)
    rows = []
    for one in mine:
        mark = mark_of(axis, one, SYMBOLS[one.measure], "none")
        label = (one.slice or {}).get(by, "")
        marks = (mark,) if mark else ()
        figures, reason = _figures([one]), one.reason or ""
        rows.append(Slice(label=label, marks=marks, n_units=one.n_units, figures=figures, reason=reason))
    return tuple(rows), axis


def _pace(snapshot: Snapshot) -> Pace | None:
    """How answers came in over time."""
    times = sorted(each.at for one in snapshot.followed for each in one.judgements if each.kind in JUDGED)
    if len(times) < 2 or times[0][:16] == times[-1][:16]:
        return None
    stamps = [datetime.fromisoformat(at).timestamp() for at in times]
    expected = max(sum(one.n_asked for one in snapshot.progress.raters), len(times))
    span, n = stamps[-1] - stamps[0] or 1.0, len(times)
    picked = sorted({*range(0, n, max(1, n // 40)), n - 1})
    points = " ".join(
        f"{100 * (stamps[i] - stamps[0]) / span:.1f},{100 - 100 * (i + 1) / expected:.1f}" for i in picked
    )
    return Pace(points=points, n=n, n_expected=expected, began=times[0][:10], ended=times[-1][:10])


@dataclass(frozen=True, kw_only=True)
class DrawnChange(RoundChange):
    """A change of rounds with its marks on the axis."""

    marks: tuple[Mark, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Rounds:
    """All changes of wording, by question; `n_torn` texts have answers of several rounds and count in each in part."""

    changes: tuple[DrawnChange, ...]
    axis: Axis | None = None
    n_torn: int = 0
    n_unknown: int = 0


def rounds(snapshot: Snapshot) -> Rounds:
    """Every question before and after every change of the guidelines; empty where they were never changed."""
    study = snapshot.judgements
    if study is None or GUIDELINES not in snapshot.attributes:
        return Rounds(changes=())
    results = [one for one in sliced_results(snapshot, GUIDELINES) if one.measure == MAIN and round_of(one, GUIDELINES)]
    axis, only = axis_of(results), snapshot.study.description.measured[0].title
    drawn = []
    for one in round_changes(study, GUIDELINES, order=list(snapshot.guidelines), results=results):
        marks = (mark_of(axis, end, f"{round_of(end, GUIDELINES)}:", "none") for end in (one.after, one.before))
        drawn.append(
            DrawnChange(**vars(one) | {"title": one.title or only}, marks=tuple(mark for mark in marks if mark))
        )
    unknown = int((study.column(GUIDELINES).as_labels().text() == "").sum())
    return Rounds(changes=tuple(drawn), axis=axis, n_torn=len(study.torn_units(GUIDELINES)), n_unknown=unknown)


def rounds_told(snapshot: Snapshot) -> list[dict[str, Any]]:
    """The same for programs."""
    return [
        {
            "question": one.before.question,
            "title": one.title,
            "versions": list(one.versions),
            "said": one.said,
            "reason": one.reason,
            "before": plain(one.before.to_dict()),
            "after": plain(one.after.to_dict()),
            "difference": None if one.difference is None else asdict(one.difference),
        }
        for one in rounds(snapshot).changes
    ]
