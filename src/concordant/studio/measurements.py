"""Live agreement: the coefficients of every question as answers arrive, in parts, pair by pair, and when to stop.

Of marked spans Gamma and its kin are shown text by text, as the command `measure` prints them of the exported spans.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from concordant.diagnosis.consistency import Consistency, consistency_of
from concordant.diagnosis.material import Material, materials
from concordant.diagnosis.verdict import ENGLISH, MAIN, StudyVerdict, study_verdict
from concordant.digits import BLANK, decimal
from concordant.errors import ConcordantError, InputError
from concordant.measures.catalogue import find_measure, measures_of
from concordant.measures.result import Agreement, Column, matrix
from concordant.model.continuum import continua
from concordant.model.spans import Mark, SpanTable
from concordant.report.rates import RateTable, rate_table
from concordant.studio.live import SEED, Snapshot
from concordant.studio.people import MemberPlace
from concordant.studio.projects import NotFoundError
from concordant.studio.twos import drawn_pairs, treebankers
from concordant.tasks.kind import kind_of
from concordant.tasks.question import Question
from concordant.uncertainty.planning import Stopping, stopping
from concordant.uncertainty.studies import measure_study

MEASURES = tuple(key for key in measures_of("spans") if not find_measure(key).each)
FEW_TEXTS = 8
"""Up to this many texts are measured at once; aligning more takes a while, so one has to ask for it."""
FEW_RATERS = 8
"""Up to this many raters every pair is read at once; more make so many pairs that one has to ask for it."""


@dataclass(frozen=True, kw_only=True)
class Bar:
    """An interval drawn on a line from `low` to 1: places in per cent of its width."""

    low: float
    zero: float
    begin: float
    end: float
    point: float


@dataclass(frozen=True, kw_only=True)
class Row:
    """One coefficient on display."""

    result: Agreement
    reading: str
    source: str
    bar: Bar | None


@dataclass(frozen=True, kw_only=True)
class Block:
    """One question (or slice) with its coefficients."""

    title: str
    ask: str
    rows: tuple[Row, ...]
    notes: tuple[str, ...]

    @property
    def reason(self) -> str:
        """Why nothing can be said yet, when that is so for the same reason throughout."""
        reasons = {row.result.lack for row in self.rows}
        return next(iter(reasons)) or "" if len(reasons) == 1 else ""


@dataclass(frozen=True, kw_only=True)
class Panel:
    """What changes while answers arrive; `is_reached` when every interval is narrow enough and of a usable value."""

    snapshot: Snapshot
    verdict: StudyVerdict
    blocks: list[Block]
    is_reached: bool
    target: float


@dataclass(frozen=True, kw_only=True)
class Marked:
    """One question about spans: each measure's results text by text, with their smallest, mean and largest."""

    question: Question
    texts: tuple[str, ...]
    columns: tuple[tuple[str, Column], ...]
    results: tuple[Agreement, ...]


@dataclass(frozen=True, kw_only=True)
class Parts:
    """What stands below the panel: each question in slices, every pair of raters, and marked spans.

    `twos` are treebankers in all readings and raters drawn at random; `spans_reason` says why there are no measures of
    spans; `rates` say how often each rater said yes, in the whole study and in its slices.
    """

    sliced: list[tuple[str, list[Block]]]
    readings: list[Consistency]
    n_texts: int
    marked: list[Marked]
    spans_reason: str
    twos: list[Block]
    rates: list[RateTable]


def panel(place: MemberPlace) -> Panel:
    """The live part of the page."""
    snapshot = place.measured()
    target = place.studio.targets.width(place.name)
    main = [Stopping(result=result, target=target) for result in snapshot.results if result.measure == MAIN]
    blocks = [
        block_of(about.title or about.id, about.ask, results, lowest_of(snapshot.results))
        for about, results in _by_question(snapshot, snapshot.results)
    ]
    is_reached = bool(main) and all(one.is_done for one in main)
    return Panel(snapshot=snapshot, verdict=verdict(snapshot), blocks=blocks, is_reached=is_reached, target=target)


def verdict(snapshot: Snapshot, language: str = ENGLISH) -> StudyVerdict:
    """What the report's first page says; causes are looked for where there are few raters."""
    read = pairs(snapshot) if len(snapshot.followed) <= FEW_RATERS else []
    titles = snapshot.judgements.titles if snapshot.judgements else {}
    return snapshot.remember(
        f"verdict {language}", lambda: study_verdict(snapshot.results, read, titles=titles, language=language)
    )


def readings_of(snapshot: Snapshot, question: str | None) -> Consistency | None:
    """Agreement and correlation of the rater pairs of one question, where there are few raters."""
    found = pairs(snapshot) if len(snapshot.followed) <= FEW_RATERS else []
    return next((one for one in found if one.question == question or len(found) == 1), None)


def material_of(snapshot: Snapshot, question: str | None) -> Material | None:
    """The judgements of one question, made ready."""
    parts = [] if snapshot.judgements is None else snapshot.remember("parts", lambda: _parts(snapshot))
    return next((one for one in parts if one.question == question or len(parts) == 1), None)


def _parts(snapshot: Snapshot) -> list[Material]:
    assert snapshot.judgements is not None
    return list(materials(snapshot.judgements))


def parts(place: MemberPlace, *, by: str = "", asks_pairs: bool = False, asks_spans: bool = False) -> Parts:
    """The rest of the page; what takes long is worked out when it is asked for, or when there is little of it."""
    snapshot = place.measured()
    n, found, reason = n_texts(snapshot), list[Marked](), ""
    if n and (n <= FEW_TEXTS or asks_spans):
        try:
            found = marked(snapshot)
        except ConcordantError as error:
            reason = str(error)
    return Parts(
        sliced=_slices(snapshot, by) if by in snapshot.attributes else [],
        readings=pairs(snapshot) if asks_pairs or len(snapshot.followed) <= FEW_RATERS else [],
        n_texts=n,
        marked=found,
        spans_reason=reason,
        twos=two_blocks(place, snapshot) if asks_pairs or len(snapshot.followed) <= FEW_RATERS else [],
        rates=_rates(snapshot, by),
    )


def _rates(snapshot: Snapshot, by: str) -> list[RateTable]:
    """How often each rater said yes, beside chance; by an attribute too where one is looked at."""
    titles = {one.id: one.title or one.id for one in snapshot.study.description.measured}
    sliced = sliced_results(snapshot, by) if by in snapshot.attributes else []
    found = (rate_table(results, titles) for results in (snapshot.results, sliced))
    return [one for one in found if one is not None]


def two_blocks(place: MemberPlace, snapshot: Snapshot) -> list[Block]:
    """Every two treebankers in the three readings, and random pairs of raters with their observed agreement."""
    chosen, drawn = treebankers(place, snapshot), drawn_pairs(snapshot)
    lowest = lowest_of([*chosen, *drawn])
    by_two = groupby(chosen, key=lambda result: result.raters)
    blocks = [block_of(f"{two[0]} and {two[1]}: choices among parses", "", list(own), lowest) for two, own in by_two]
    for about, results in _by_question(snapshot, drawn):
        block = block_of(f"{about.title or about.id}: two raters drawn at random", "", results, lowest)
        seen = [one for one in results if one.observed is not None and "observed_interval" in one.details]
        told = tuple(observed_text(one) for one in seen)
        blocks.append(replace(block, notes=(*told, *block.notes)))
    return blocks


def observed_text(result: Agreement) -> str:
    """Observed agreement of random pairs with its interval, in words."""
    ends = result.details["observed_interval"]
    ours = f"{decimal(ends['low'])} … {decimal(ends['high'])}"
    return f"{result.name}: observed agreement {decimal(result.observed or 0.0)}, interval {ours}"


def measured(place: MemberPlace, *, by: str = "", pairs: bool = False) -> tuple[Snapshot, Sequence[Agreement]]:
    """The coefficients as they are now, of the whole study, of its parts or of every pair of raters."""
    snapshot = place.latest()
    if by and by not in snapshot.attributes:
        raise NotFoundError("there is no such attribute")
    if snapshot.judgements is not None and pairs:
        return snapshot, measure_study(snapshot.judgements, by=[by] if by else [], pairs=True, seed=SEED)
    return snapshot, sliced_results(snapshot, by) if by else snapshot.results


def pairs(snapshot: Snapshot) -> list[Consistency]:
    """Agreement and correlation of every rater pair, in plain words."""
    if snapshot.judgements is None:
        return []
    found = materials(snapshot.judgements)
    return snapshot.remember("consistency", lambda: [consistency_of(part, seed=SEED) for part in found])


def stoppings(place: MemberPlace, snapshot: Snapshot) -> list[Stopping]:
    """For every question whether its interval is narrow enough, and what it takes until it is."""
    study, target = snapshot.judgements, place.studio.targets.width(place.name)
    if study is None:
        return []

    def work_out() -> list[Stopping]:
        tallies = {part.question: part.tally for part in materials(study)}
        only = next(iter(tallies.values())) if len(tallies) == 1 else None
        main = [result for result in snapshot.results if result.measure == MAIN]
        return [stopping(only or tallies[result.question], result, target, seed=SEED) for result in main]

    return snapshot.remember(f"stopping {target}", work_out)


def aim(place: MemberPlace, width: str | float) -> None:
    """Set how narrow intervals shall be before collecting stops, as a number or as somebody typed it."""
    try:
        number = float(str(width).replace(",", "."))
    except ValueError as error:
        raise InputError(f"{width!r} is not a number", hint="write 0.2") from error
    place.studio.targets.aim(place.name, number)


def sliced_results(snapshot: Snapshot, by: str) -> list[Agreement]:
    """The coefficients that suit every question in every part of the study."""
    study = snapshot.judgements
    return [] if study is None else snapshot.remember(f"by {by}", lambda: measure_study(study, by=[by], seed=SEED))


def _slices(snapshot: Snapshot, by: str) -> list[tuple[str, list[Block]]]:
    """Every question with a block for each part of the study."""
    order = [question.id for question in snapshot.study.description.measured]
    found = sorted(sliced_results(snapshot, by), key=lambda result: order.index(result.question or order[0]))
    lowest, sliced = lowest_of(found), []
    for about, results in _by_question(snapshot, found):
        groups = groupby(results, key=lambda result: (result.slice or {}).get(by, ""))
        blocks = [block_of(value or BLANK, "", list(group), lowest) for value, group in groups]
        sliced.append((about.title or about.id, blocks))
    return sliced


def _by_question(snapshot: Snapshot, results: Sequence[Agreement]) -> list[tuple[Question, list[Agreement]]]:
    """Results with the question they are about; the only one has no name in them."""
    questions = snapshot.study.description.measured
    groups = groupby(results, key=lambda result: result.question)
    return [(next((one for one in questions if one.id == id), questions[0]), list(group)) for id, group in groups]


def lowest_of(results: Sequence[Agreement]) -> float:
    """Where the drawn line begins: at 0, or at the lowest end of an interval."""
    ends = [result.interval.low for result in results if result.interval]
    return min([0.0, *ends, *(result.value for result in results if result.value is not None)])


def block_of(title: str, ask: str, results: Sequence[Agreement], lowest: float) -> Block:
    """Coefficients of one question or part on display, on a line that begins at `lowest`."""
    rows = []
    for result in results:
        reading, bar = result.interpret(), bar_of(result, lowest)
        label, source = (reading.label, f"{reading.benchmark}. {reading.caution}") if reading else ("", "")
        rows.append(Row(result=result, reading=label, source=source, bar=bar))
    notes = tuple(dict.fromkeys(note for result in results for note in result.notes))
    return Block(title=title, ask=ask, rows=tuple(rows), notes=notes)


def bar_of(result: Agreement, lowest: float) -> Bar | None:
    """Where the interval and the value stand on a line from `lowest` to 1."""
    if result.value is None:
        return None
    low, high = (result.interval.low, result.interval.high) if result.interval else (result.value, result.value)
    begin, end, point, zero = (round(100 * (x - lowest) / (1 - lowest), 2) for x in (low, high, result.value, 0.0))
    return Bar(low=lowest, zero=zero, begin=begin, end=min(end, 100.0), point=min(point, 100.0))


def n_texts(snapshot: Snapshot) -> int:
    """How many texts were marked."""
    asked = {one.id for one in span_questions(snapshot)}
    rows = (row for one in snapshot.followed for row in one.judged) if asked else ()
    return len({row.unit.id for row in rows if row.question.id in asked})


def span_questions(snapshot: Snapshot) -> list[Question]:
    """The questions that ask for spans."""
    return [one for one in snapshot.study.description.questions if kind_of(one).marks_spans]


def marked_questions(snapshot: Snapshot) -> list[Question]:
    """The questions to which somebody has marked spans."""
    return [question for question in span_questions(snapshot) if len(spans_of(snapshot, question.id))]


def marked(snapshot: Snapshot) -> list[Marked]:
    """All questions about spans, measured once for a snapshot."""
    return snapshot.remember("spans", lambda: [_marked(snapshot, one) for one in marked_questions(snapshot)])


def _marked(snapshot: Snapshot, question: Question) -> Marked:
    results = measure_study(continua(spans_of(snapshot, question.id)), MEASURES, seed=SEED)
    by_measure = [[one for one in results if one.measure == key] for key in MEASURES]
    return Marked(
        question=question,
        texts=tuple(dict.fromkeys((one.slice or {}).get("text", "") for one in results)),
        columns=tuple((found[0].name, matrix(found).columns[0]) for found in by_measure),
        results=tuple(results),
    )


def spans_of(snapshot: Snapshot, question: str) -> SpanTable:
    """The spans as the command `export` writes them."""
    rows = [row for one in snapshot.followed for row in one.judged if row.question.id == question]
    marks = [
        Mark(row.unit.id, row.judgement.rater, span["begin"], span["end"], span["category"])
        for row in rows
        for span in row.judgement.value
    ]
    return SpanTable.from_marks(question, marks)
