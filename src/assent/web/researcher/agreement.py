"""Live agreement: the coefficients of every question as answers arrive, and when to stop."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from assent.collection.fanning import measured_questions
from assent.design.description import Question
from assent.diagnosis.consistency import Consistency
from assent.diagnosis.material import materials
from assent.diagnosis.pairs import consistency_of
from assent.errors import AssentError, InputError
from assent.measures.result import Agreement
from assent.report.tables import BLANK
from assent.uncertainty.stopping import Stopping, stopping
from assent.uncertainty.studies import measure_study
from assent.web.requests import checked_form
from assent.web.researcher.access import Desk, aside, desk_of
from assent.web.researcher.live import SEED, Snapshot
from assent.web.researcher.marks import FEW_TEXTS, marked, n_texts
from assent.web.researcher.studio import fragment, study_page

FEW_RATERS = 8
"""Up to this many raters every pair is read at once; more make so many pairs that one has to ask for it."""

MAIN = "alpha"
"""The coefficient that suits every level of measurement: the one the target is set for."""


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
        reasons = {row.result.reason for row in self.rows}
        return next(iter(reasons)) or "" if len(reasons) == 1 else ""


@dataclass(frozen=True, kw_only=True)
class Sliced:
    """One question with a block for every part of the study."""

    title: str
    blocks: tuple[Block, ...]


async def show(request: Request) -> Response:
    """GET …/agreement."""
    desk = await desk_of(request)
    snapshot = await desk.measured()
    values = await aside(lambda: panel_values(desk, snapshot))
    by = request.query_params.get("by", "")
    sliced = await aside(lambda: slices(snapshot, by)) if by in attributes(snapshot) else []
    asks_pairs = request.query_params.get("pairs") == "yes" or len(snapshot.followed) <= FEW_RATERS
    readings = await aside(lambda: consistencies(snapshot)) if asks_pairs else []
    spans = await _spans(snapshot, is_asked=request.query_params.get("spans") == "yes")
    return study_page(request, desk, "agreement", **values, by=by, sliced=sliced, readings=readings, **spans)


async def _spans(snapshot: Snapshot, *, is_asked: bool) -> dict[str, Any]:
    """What is to be said of marked spans: their measures, or why there are none, or how many texts there would be."""
    n = await aside(lambda: n_texts(snapshot))
    values: dict[str, Any] = {"n_texts": n, "marked": [], "spans_reason": ""}
    if not n or (n > FEW_TEXTS and not is_asked):
        return values
    try:
        return values | {"marked": await aside(lambda: marked(snapshot))}
    except AssentError as error:
        return values | {"spans_reason": str(error)}


async def panel(request: Request) -> Response:
    """GET …/agreement/panel: what changes, for the script; nothing when the browser has the latest."""
    desk = await desk_of(request)
    snapshot = await desk.measured()
    if request.query_params.get("seq") == str(snapshot.seq):
        return Response(status_code=204)
    values = await aside(lambda: panel_values(desk, snapshot))
    return fragment(request, desk, "agreement_panel.html", **values)


async def stop_panel(request: Request) -> Response:
    """GET …/agreement/stopping: the part that says how many more units or raters it takes."""
    desk = await desk_of(request)
    snapshot = await desk.measured()
    if request.query_params.get("seq") == str(snapshot.seq):
        return Response(status_code=204)
    stops = await aside(lambda: stoppings(snapshot, desk.server.targets.width(desk.name)))
    return fragment(request, desk, "stopping_panel.html", seq=snapshot.seq, stops=stops)


async def aim(request: Request) -> Response:
    """POST …/target: how narrow the interval shall be."""
    desk = await desk_of(request)
    form = await checked_form(request)
    width = number(str(form.get("width", "")))
    await aside(lambda: desk.server.targets.aim(desk.name, width))
    return RedirectResponse(f"{request.url_for('agreement', study=desk.name).path}#stop", status_code=303)


def number(text: str) -> float:
    """A number that somebody typed."""
    try:
        return float(text.replace(",", "."))
    except ValueError as error:
        raise InputError(f"{text!r} is not a number", hint="write 0.2") from error


def panel_values(desk: Desk, snapshot: Snapshot) -> dict[str, Any]:
    """What the live part of the page shows."""
    target = desk.server.targets.width(desk.name)
    return {
        "seq": snapshot.seq,
        "progress": snapshot.progress,
        "blocks": blocks(snapshot, snapshot.results),
        "is_reached": is_reached(snapshot, target),
        "target": target,
        "notes": snapshot.judgements.notes if snapshot.judgements else (),
        "attributes": attributes(snapshot),
    }


def attributes(snapshot: Snapshot) -> list[str]:
    """What the study can be sliced by."""
    return sorted(snapshot.judgements.attributes) if snapshot.judgements else []


def is_reached(snapshot: Snapshot, target: float) -> bool:
    """Whether the interval of every question is narrow enough."""
    main = [Stopping(result=result, target=target) for result in snapshot.results if result.measure == MAIN]
    return bool(main) and all(one.is_reached for one in main)


def blocks(snapshot: Snapshot, results: Sequence[Agreement]) -> list[Block]:
    """Results by question, ready to be drawn."""
    lowest = _lowest(results)
    found = []
    for question, group in groupby(results, key=lambda result: result.question):
        about = _question(snapshot, question)
        found.append(_block(about.title or about.id, about.ask, list(group), lowest))
    return found


def _question(snapshot: Snapshot, id: str | None) -> Question:
    """The question that results are about; the only one has no name in them."""
    questions = measured_questions(snapshot.study.description)
    return next((question for question in questions if question.id == id), questions[0])


def _block(title: str, ask: str, results: list[Agreement], lowest: float) -> Block:
    return Block(
        title=title,
        ask=ask,
        rows=tuple(_row(result, lowest) for result in results),
        notes=tuple(dict.fromkeys(note for result in results for note in result.notes)),
    )


def _lowest(results: Sequence[Agreement]) -> float:
    """Where the drawn line begins: at 0, or at the lowest end of an interval."""
    ends = [result.interval.low for result in results if result.interval]
    return min([0.0, *ends, *(result.value for result in results if result.value is not None)])


def _row(result: Agreement, lowest: float) -> Row:
    reading = result.interpret()
    return Row(
        result=result,
        reading=reading.label if reading else "",
        source=f"{reading.benchmark}. {reading.caution}" if reading else "",
        bar=_bar(result, lowest),
    )


def _bar(result: Agreement, lowest: float) -> Bar | None:
    if result.value is None:
        return None
    low, high = (result.interval.low, result.interval.high) if result.interval else (result.value, result.value)
    begin, end, point, zero = (round(100 * (x - lowest) / (1 - lowest), 2) for x in (low, high, result.value, 0.0))
    return Bar(low=lowest, zero=zero, begin=begin, end=min(end, 100.0), point=min(point, 100.0))


def stoppings(snapshot: Snapshot, target: float) -> list[Stopping]:
    """For every question whether its interval is narrow enough."""
    made: list[Stopping] = snapshot.remember(f"stopping {target}", lambda: list(_stoppings(snapshot, target)))
    return made


def _stoppings(snapshot: Snapshot, target: float) -> Iterator[Stopping]:
    if snapshot.judgements is None:
        return
    tallies = {part.question: part.tally for part in materials(snapshot.judgements)}
    only = next(iter(tallies.values())) if len(tallies) == 1 else None
    for result in snapshot.results:
        if result.measure == MAIN:
            yield stopping(only or tallies[result.question], result, target, seed=SEED)


def slices(snapshot: Snapshot, by: str) -> list[Sliced]:
    """The coefficients that suit every question in every part of the study, question by question."""
    order = [question.id for question in snapshot.study.description.questions]
    found = sorted(measured_slices(snapshot, by), key=lambda result: order.index(result.question or order[0]))
    lowest = _lowest(found)
    sliced = []
    for question, group in groupby(found, key=lambda result: result.question):
        about = _question(snapshot, question)
        parts = groupby(group, key=lambda result: (result.slice or {}).get(by, ""))
        made = tuple(_block(value or BLANK, "", list(results), lowest) for value, results in parts)
        sliced.append(Sliced(title=about.title or about.id, blocks=made))
    return sliced


def measured_slices(snapshot: Snapshot, by: str) -> list[Agreement]:
    """The same unordered, as results."""
    if snapshot.judgements is None:
        return []
    study = snapshot.judgements
    made: list[Agreement] = snapshot.remember(f"by {by}", lambda: measure_study(study, by=[by], seed=SEED))
    return made


def consistencies(snapshot: Snapshot) -> list[Consistency]:
    """Agreement and correlation of every rater pair, in plain words."""
    made: list[Consistency] = snapshot.remember("consistency", lambda: list(_consistencies(snapshot)))
    return made


def _consistencies(snapshot: Snapshot) -> Iterator[Consistency]:
    if snapshot.judgements is not None:
        for part in materials(snapshot.judgements):
            yield consistency_of(part, seed=SEED)
