"""Live agreement: the coefficients of every question as answers arrive, and when to stop."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from assent.diagnosis.consistency import Consistency
from assent.diagnosis.material import materials
from assent.diagnosis.pairs import consistency_of
from assent.errors import InputError
from assent.measures.result import Agreement
from assent.uncertainty.stopping import Stopping, stopping
from assent.uncertainty.studies import measure_study
from assent.web.requests import checked_form
from assent.web.researcher.access import Desk, aside, desk_of
from assent.web.researcher.live import SEED, Snapshot
from assent.web.researcher.studio import fragment, study_page

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


async def show(request: Request) -> Response:
    """GET …/agreement."""
    desk = await desk_of(request)
    snapshot = await desk.snapshot(at_once=True)
    values = await aside(lambda: panel_values(desk, snapshot))
    by = request.query_params.get("by", "")
    sliced = await aside(lambda: sliced_blocks(snapshot, by)) if by in values["attributes"] else []
    readings = await aside(lambda: consistencies(snapshot))
    return study_page(request, desk, "agreement", **values, by=by, sliced=sliced, readings=readings)


async def panel(request: Request) -> Response:
    """GET …/agreement/panel: what changes, for the script; nothing when the browser has the latest."""
    desk = await desk_of(request)
    snapshot = await desk.snapshot()
    if request.query_params.get("seq") == str(snapshot.seq):
        return Response(status_code=204)
    values = await aside(lambda: panel_values(desk, snapshot))
    return fragment(request, desk, "agreement_panel.html", **values)


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


def panel_values(desk: Desk, snapshot: Snapshot) -> dict[str, object]:
    """What the live part of the page shows."""
    stops = stoppings(snapshot, desk.server.targets.width(desk.name))
    return {
        "seq": snapshot.seq,
        "progress": snapshot.progress,
        "blocks": blocks(snapshot, snapshot.results),
        "stops": stops,
        "is_reached": bool(stops) and all(stop.is_reached for stop in stops),
        "target": desk.server.targets.width(desk.name),
        "notes": snapshot.judgements.notes if snapshot.judgements else (),
        "attributes": sorted(snapshot.judgements.attributes) if snapshot.judgements else [],
    }


def blocks(snapshot: Snapshot, results: Sequence[Agreement]) -> list[Block]:
    """Results by question and slice, ready to be drawn."""
    lowest = min([0.0, *(r.interval.low for r in results if r.interval), *(r.value for r in results if r.value)])
    asked = {question.id: question for question in snapshot.study.description.questions}
    only = snapshot.study.description.questions[0]
    found = []
    for (question, where), group in groupby(results, key=lambda r: (r.question, _slice_text(r))):
        members = list(group)
        about = asked.get(question or "", only)
        found.append(
            Block(
                title=where or about.title or about.id,
                ask=about.title or about.id if where else about.ask,
                rows=tuple(_row(result, lowest) for result in members),
                notes=tuple(dict.fromkeys(note for result in members for note in result.notes)),
            )
        )
    return found


def _slice_text(result: Agreement) -> str:
    return ", ".join(f"{name} = {level}" for name, level in (result.slice or {}).items())


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


def sliced_blocks(snapshot: Snapshot, by: str) -> list[Block]:
    """The coefficients in every part of the study."""
    made: list[Agreement] = snapshot.remember(
        f"by {by}", lambda: measure_study(snapshot.judgements, by=[by], seed=SEED) if snapshot.judgements else []
    )
    return blocks(snapshot, made)


def consistencies(snapshot: Snapshot) -> list[Consistency]:
    """Agreement and correlation of every rater pair, in plain words."""
    made: list[Consistency] = snapshot.remember("consistency", lambda: list(_consistencies(snapshot)))
    return made


def _consistencies(snapshot: Snapshot) -> Iterator[Consistency]:
    if snapshot.judgements is not None:
        for part in materials(snapshot.judgements):
            yield consistency_of(part, seed=SEED)
