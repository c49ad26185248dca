"""Weights and ranks of a preference test: which features decide, and how responses rank by them."""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from starlette.requests import Request
from starlette.responses import Response

from assent.arrays import Floats
from assent.collection.judgement_table import Judged
from assent.errors import AssentError, InputError
from assent.gold.preferences import CHOICES, Preferences
from assent.gold.ranks import Ranking, SystemComparison, compare_system, rank
from assent.gold.weights import Weights, feature_weights
from assent.model.columns import encode
from assent.model.scale import as_numbers
from assent.web.requests import checked_form
from assent.web.researcher.access import Desk, aside, desk_of
from assent.web.researcher.live import SEED, Snapshot
from assent.web.researcher.studio import study_page


async def show(request: Request) -> Response:
    """GET …/weights."""
    desk = await desk_of(request)
    return await _page(request, desk, "")


async def compare(request: Request) -> Response:
    """POST …/weights: compare a system's scores, one `unit score` on each line, with the ranking."""
    desk, form = await desk_of(request), await checked_form(request)
    return await _page(request, desk, str(form.get("scores", "")))


async def _page(request: Request, desk: Desk, scores: str) -> Response:
    snapshot = await desk.latest()
    values: dict[str, Any] = {"weights": None, "ranking": None, "system": None, "reason": "", "scores": scores}
    try:
        found = await aside(lambda: weights_of(desk, snapshot))
        ranking = await aside(lambda: ranking_of(desk, found))
        values |= {"weights": found, "ranking": ranking, "rows": ranked_rows(ranking)}
        if scores.strip():
            values["system"] = await aside(lambda: system_of(ranking, scores_in(scores)))
    except AssentError as error:
        values["reason"] = str(error)
    return study_page(request, desk, "weights", **values)


def weights_of(desk: Desk, snapshot: Snapshot) -> Weights:
    """The weights of the features that the pairs were made by."""
    made: Weights = snapshot.remember("weights", lambda: feature_weights(preferences(desk, snapshot), seed=SEED))
    return made


def preferences(desk: Desk, snapshot: Snapshot) -> Preferences:
    """The decisions on the plan's pairs, with the features of both responses."""
    pairing, units = desk.study.description.pairing, desk.study.description.unit_by_id
    rows = [row for one in snapshot.followed for row in one.judged if row.pair is not None]
    if pairing is None or not rows:
        raise InputError("no pair has been decided yet", hint="wait for answers")
    first, second = (
        features([dict(units[getattr(row.pair, side)].attributes) for row in rows], pairing.vector) for side in "ab"
    )
    return Preferences(
        features=pairing.vector,
        pair=encode([row.unit.id for row in rows]),
        rater=encode([row.judgement.rater for row in rows]),
        choice=np.array([_choice(row) for row in rows], dtype=np.int64),
        first=first,
        second=second,
    )


def _choice(row: Judged) -> int:
    return CHOICES.get(str(row.judgement.value).casefold(), 0)


def features(attributes: list[dict[str, str]], names: tuple[str, ...]) -> Floats:
    """The features of units as numbers."""
    columns = []
    for name in names:
        numbers = as_numbers([about.get(name, "") for about in attributes])
        if numbers is None:
            raise InputError(f"the feature {name!r} is not a number everywhere", hint="use 1 and 0 in the units file")
        columns.append(numbers)
    return np.column_stack(columns)


def ranking_of(desk: Desk, found: Weights) -> Ranking:
    """All responses of the study, scored with the weights and ranked within their items."""
    weights = {one.feature: one.weight for one in found.features if one.weight is not None}
    if len(weights) < len(found.features):
        raise InputError(found.reason or "there are no weights yet", hint="wait for more decisions")
    units = desk.study.description.units
    values = features([dict(unit.attributes) for unit in units], tuple(weights))
    ids, items = encode([unit.id for unit in units]), encode([unit.item for unit in units])
    return rank(ids.as_labels(), items.as_labels(), values, weights, n_rows=len(units))


def ranked_rows(ranking: Ranking) -> list[tuple[str, str, float, int]]:
    """Item, unit, score and rank, the best of each item first."""
    rows = zip(ranking.item.tolist(), ranking.units, ranking.scores.tolist(), ranking.ranks.tolist(), strict=True)
    return [(ranking.items[item], unit, score, place) for item, unit, score, place in sorted(rows, key=_order)]


def _order(row: tuple[int, str, float, int]) -> tuple[int, int]:
    return row[0], row[3]


def scores_in(text: str) -> dict[str, str]:
    """A system's score of each unit, from lines of `unit score` or `unit,score`."""
    lines = [line.replace(",", " ").replace("\t", " ").split() for line in text.splitlines() if line.strip()]
    return each_once((line[0], line[-1]) for line in lines if len(line) > 1)


def each_once(scores: Iterable[tuple[str, str]]) -> dict[str, str]:
    """The score of each unit; refuses a unit with two."""
    given: dict[str, str] = {}
    for unit, score in scores:
        if unit in given:
            raise InputError(f"there are two scores for {unit!r}", hint="give each unit one")
        given[unit] = score
    return given


def system_of(ranking: Ranking, given: Mapping[str, str]) -> SystemComparison:
    """A system's scores against the ranking; every unit needs one."""
    lacking = [unit for unit in ranking.units if unit not in given]
    if lacking:
        raise InputError(f"there is no score for {lacking[0]!r}", hint=f"{len(lacking)} units have none")
    numbers = as_numbers([given[unit] for unit in ranking.units])
    if numbers is None:
        raise InputError("a score is not a number", hint="write one line `unit score` for each response")
    return compare_system(ranking, "system", numbers)
