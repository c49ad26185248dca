"""What a study settles: its gold standard, raters and groups against it, the weights of a preference test.

Weights say which features decide which response is better, and responses are ranked by them.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np

from concordant.diagnosis.material import Material, materials
from concordant.diagnosis.rater_profiles import Accuracy, accuracy
from concordant.digits import BLANK
from concordant.errors import ConcordantError, InputError
from concordant.gold.by_models import MODELS, ModelOptions, Standard
from concordant.gold.by_models import Method as Method
from concordant.gold.consensus import ConsensusComparison, compare
from concordant.gold.ranks import rank
from concordant.gold.settled import decided_values, features_of, preferences_of
from concordant.gold.standard import Standards, gold_standard
from concordant.gold.systems import Ranking, SystemComparison, compare_system
from concordant.gold.weights import Weights, weigh
from concordant.model.columns import Column, encode
from concordant.model.scale import Level, as_numbers
from concordant.model.study import Study as Judged
from concordant.studio.live import SEED, Snapshot
from concordant.studio.people import MemberPlace
from concordant.studio.projects import NotFoundError
from concordant.tasks.kind import kind_of

ADJUDICATED = "adjudicated value"
RankedRow = tuple[str, str, float, int]  # item, unit, score, rank


@dataclass(frozen=True, kw_only=True)
class Groups:
    """The raters with one value of an attribute and those with another."""

    attribute: str
    one: str
    other: str


@dataclass(frozen=True, kw_only=True)
class GoldView:
    """What the page shows; `reason` says why there is no standard.

    `labels` are its values in the page's words, `words` what was judged.
    """

    question: str
    method: Method
    groups: list[tuple[str, str]]
    standard: Standard | None = None
    labels: Sequence[str] = ()
    words: Sequence[str] = ()
    accuracies: tuple[Accuracy, ...] = ()
    comparison: ConsensusComparison | None = None
    reason: str = ""


@dataclass(frozen=True, kw_only=True)
class WeightsView:
    """The weights, the ranks within items by them, and a system against them; `reason` says what is lacking."""

    weights: Weights | None = None
    rows: list[RankedRow] | None = None
    system: SystemComparison | None = None
    reason: str = ""


def found_gold(place: MemberPlace, question: str, method: str) -> tuple[str, Standard, tuple[Accuracy, ...]]:
    """The question, the first when none is named, its gold standard, and raters against the adjudicated values."""
    id, chosen = _asked(place, question, method)
    snapshot = place.latest()
    return id, _standard(place, snapshot, id, chosen), _accuracies(place, snapshot, id)


def downloaded(place: MemberPlace, question: str, method: str) -> tuple[str, str]:
    """The gold standard as a CSV file: its name and its text."""
    id, chosen = _asked(place, question, method)
    return f"{place.name}-{id}-{chosen}.csv", Standards({id: _standard(place, place.latest(), id, chosen)}).to_csv()


def gold_view(place: MemberPlace, question: str, method: str, chosen_groups: str) -> GoldView:
    """What the page shows; the groups are named as its list names them: `name=one=other`."""
    id, chosen = _asked(place, question, method)
    snapshot, asked = place.latest(), place.study.description.question(id)
    kind, found = kind_of(asked), dict[str, Any]()
    # copies of a text and pairs are judged too, though nobody is shown them by their own names
    units = {**place.study.description.row_by_id, **place.study.description.unit_by_id}
    units |= {id: place.study.unit(id) for id in place.study.plan.pair_by_id}
    try:
        found["standard"] = standard = _standard(place, snapshot, id, chosen)
        found["labels"] = [
            kind.label_of(asked, units[one.unit], one.value) if one.value and one.unit in units else one.value or BLANK
            for one in standard.values
        ]
        found["words"] = [units[one.unit].words if one.unit in units else one.unit for one in standard.values]
        found["accuracies"] = _accuracies(place, snapshot, id)
        if chosen_groups:
            attribute, one, other = (*chosen_groups.split("=", 2), "", "")[:3]
            found["comparison"] = _comparison(snapshot, id, Groups(attribute=attribute, one=one, other=other))
    except ConcordantError as error:
        found["reason"] = str(error)
    return GoldView(question=id, method=chosen, groups=_group_choices(snapshot), **found)


def groups(place: MemberPlace) -> dict[str, list[str]]:
    """The attributes of raters with their values: what can be compared."""
    study = place.latest().judgements
    return {name: list(study.column(name).as_labels().labels) for name in study.attribute_of("rater")} if study else {}


def compared(place: MemberPlace, question: str, chosen: Groups) -> tuple[str, ConsensusComparison]:
    """The question, and the consensus of one group on it against that of the other."""
    id, _ = _asked(place, question, Method.VOTES)
    if not {chosen.one, chosen.other} <= set(groups(place).get(chosen.attribute, ())):
        raise NotFoundError("there are no such groups of raters")
    if chosen.one == chosen.other:
        raise InputError("a group is compared with itself", hint="name two values")
    return id, _comparison(place.latest(), id, chosen)


def _asked(place: MemberPlace, question: str, method: str) -> tuple[str, Method]:
    questions = place.study.description.questions
    chosen = next((one for one in Method if one == (method or Method.VOTES)), None)
    if chosen is None:
        raise NotFoundError("there is no such method")
    if question and question not in [one.id for one in questions]:
        raise NotFoundError("there is no such question")
    return question or questions[0].id, chosen


def _material(snapshot: Snapshot, question: str) -> Material:
    """The judgements of one question; of spans, texts and rankings whole answers that are the same or not."""
    if kind_of(snapshot.study.description.question(question)).level is None:
        return _whole_answers(snapshot, question)
    parts = [] if snapshot.labelled is None else list(materials(snapshot.labelled))
    found = next((part for part in parts if part.question in (question, None)), None)
    if found is None:
        raise InputError(f"there are no judgements of {question!r} to count", hint="wait for answers")
    return found


def _whole_answers(snapshot: Snapshot, question: str) -> Material:
    """Every answer as a category of its own, for questions without categories."""
    rows = [
        (copy, given.rater, given.text)
        for case in snapshot.cases
        if case.question == question
        for copy in snapshot.study.unit(case.unit).copies or (case.unit,)
        for given in case.given
    ]
    if not rows:
        raise InputError(f"there are no answers to {question!r} yet", hint="wait for answers")
    unit, rater, value = (encode(np.array(column, dtype=object)) for column in zip(*rows, strict=True))
    found = Judged(name=question, unit=unit, rater=rater, value=value, level=Level.NOMINAL)
    return Material(question=None, study=found)


def _standard(place: MemberPlace, snapshot: Snapshot, question: str, method: Method) -> Standard:
    part = _material(snapshot, question)
    if method in MODELS and kind_of(place.study.description.question(question)).level is None:
        raise InputError("a model of raters needs categories", hint="take votes or adjudicate")
    if method is Method.ADJUDICATED:
        return gold_standard(part.judgements, method, decided_values(place.study, place.decided(), question))
    key = f"gold {question} {method}"
    return snapshot.remember(key, lambda: gold_standard(part.judgements, method, options=ModelOptions(seed=SEED)))


def _accuracies(place: MemberPlace, snapshot: Snapshot, question: str) -> tuple[Accuracy, ...]:
    """Each rater, and the consensus of all, against what is unanimous or decided; none when nothing is decided."""
    if not decided_values(place.study, place.decided(), question):
        return ()
    part = _material(snapshot, question)
    study, found = part.study, _standard(place, snapshot, question, Method.ADJUDICATED)
    right = {one.unit: one.value for one in found.values if one.value is not None}
    labels = list(dict.fromkeys(right.values()))
    of_unit = np.array([labels.index(right[unit]) if unit in right else -1 for unit in study.unit.labels])
    column = Column(codes=of_unit[study.unit.codes], labels=labels)
    told = replace(study, attributes={**study.attributes, ADJUDICATED: column})
    return accuracy(Material(question=part.question, study=told), ADJUDICATED, seed=SEED)


def _group_choices(snapshot: Snapshot) -> list[tuple[str, str]]:
    """Every two values of an attribute of raters, as `name=one=other` and as words."""
    study = snapshot.judgements
    return [
        (f"{name}={one}={other}", f"{name.removeprefix('rater_')}: {one} and {other}")
        for name in (study.attribute_of("rater") if study else ())
        for one, other in combinations(study.attributes[name].labels[:8] if study else (), 2)
    ]


def _comparison(snapshot: Snapshot, question: str, chosen: Groups) -> ConsensusComparison:
    study, names = _material(snapshot, question).study, (chosen.one, chosen.other)
    sides = [study.where(chosen.attribute, [value]).judgements() for value in names]
    return compare(sides[0], sides[1], names=names, seed=SEED)


def weights_view(place: MemberPlace, scores: str = "") -> WeightsView:
    """What the page shows, with a system's scores compared if there are any."""
    found = dict[str, Any]()
    try:
        found["weights"] = weights = weights_of(place)
        ranking = ranking_of(place, weights)
        found["rows"] = ranked_rows(ranking)
        if scores.strip():
            found["system"] = system_of(ranking, scores_in(scores))
    except ConcordantError as error:
        found["reason"] = str(error)
    return WeightsView(**found)


def weights_of(place: MemberPlace) -> Weights:
    """The weights of the features that the pairs were made by."""
    snapshot = place.latest()
    return snapshot.remember("weights", lambda: weigh(preferences_of(snapshot.study, snapshot.followed), seed=SEED))


def ranking_of(place: MemberPlace, found: Weights) -> Ranking:
    """All responses of the study, scored with the weights and ranked within their items."""
    weights = {one.feature: one.weight for one in found.features if one.weight is not None}
    if len(weights) < len(found.features):
        raise InputError(found.reason or "there are no weights yet", hint="wait for more decisions")
    units = place.study.description.units
    values = features_of([unit.attributes for unit in units], tuple(weights))
    ids, items = encode([unit.id for unit in units]), encode([unit.item for unit in units])
    return rank(ids.as_labels(), items.as_labels(), values, weights)


def ranked_rows(ranking: Ranking) -> list[RankedRow]:
    """Item, unit, score and rank, the best of each item first."""
    rows = zip(ranking.item.tolist(), ranking.units, ranking.scores.tolist(), ranking.ranks.tolist(), strict=True)
    ordered = sorted(rows, key=lambda row: (row[0], row[3]))
    return [(ranking.items[item], unit, score, place) for item, unit, score, place in ordered]


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
