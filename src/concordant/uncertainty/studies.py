"""Measure all parts of some data: every slice, question and rater pair of a study, every text, a treebank.

The command line, the report and the pages all call this, so they print the same digits. Where no measure is named those
that suit the data are taken. Do slices of a study, or groups of its raters, agree to different degrees? Every two of
them are tested.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from math import comb
from pathlib import Path
from typing import TYPE_CHECKING, Any

from concordant.digits import counted
from concordant.engines.tally import Tally, category_rates, tally, with_raters
from concordant.errors import InputError
from concordant.measures.benchmarks import check_scales, not_made_for
from concordant.measures.catalogue import find_measure, measures_of
from concordant.measures.evaluation import by_category, can_split
from concordant.measures.result import Agreement
from concordant.measures.spec import Options
from concordant.model.continuum import Continuum, by_groups, continua
from concordant.model.judgements import Judgements
from concordant.model.spans import SpanTable
from concordant.model.study import Study
from concordant.progress import Progress, silent
from concordant.randomness import draw_seed
from concordant.readers.contingency import read_matrix
from concordant.uncertainty.arranged import CROSSED, Together, clustered, joined
from concordant.uncertainty.estimate import estimates
from concordant.uncertainty.intervals import FEWEST_CLUSTERS, design_effect
from concordant.uncertainty.request import NAMED, ask
from concordant.uncertainty.resampling import Sampling
from concordant.uncertainty.sharing import answered
from concordant.uncertainty.significance import PermutationTest, rater_groups_differ, unit_groups_differ
from concordant.uncertainty.suitability import recommended

if TYPE_CHECKING:
    from concordant.engines.remote import RemoteTable


MOST_RATES = 6  # raters whose rates are listed


@dataclass(frozen=True, kw_only=True, eq=False)
class Part:
    """A part of some data to measure: one question, slice and choice of raters; one text; one treebank."""

    data: Any
    question: str | None = None
    slice: Mapping[str, str] | None = None
    raters: tuple[str, ...] | None = None
    source: Study | None = None  # that it was taken from, whole in slices and raters


def parts(
    data: Any,
    *,
    by: Sequence[str] = (),
    pool: bool = False,
    pairs: bool = False,
    groups: Mapping[str, tuple[str, ...]] | None = None,
    progress: Progress = silent,
) -> Iterator[Part]:
    """Every slice, every question in it, and in that every rater pair, or all raters and each group of them.

    Of spans every text of every slice, and so for every group and every two of them; of trees there is one part.
    """
    if isinstance(data, SpanTable):
        data, by = continua(data, by=by), ()
    if isinstance(data, Continuum):
        data = [data]
    if isinstance(data, Sequence):
        _refuse(by=by, pool=pool, pairs=pairs)
        yield from (Part(data=text, slice=text.slice) for text in (by_groups(data, groups) if groups else data))
    elif isinstance(data, Study) or hasattr(data, "frame"):
        source = data.merged() if pool and isinstance(data, Study) else data
        source = source if isinstance(source, Study) and not (by or pairs or groups) else None
        for where, question, judged in _tallies(data, by, pool=pool, progress=progress):
            for name, raters in {"all": None, **groups}.items() if groups else ():
                yield Part(data=judged, question=question, slice={**(where or {}), "raters": name}, raters=raters)
            for chosen in () if groups else combinations(judged.used_raters, 2) if pairs else [None]:
                yield Part(data=judged, question=question, slice=where, raters=chosen, source=source)
    elif isinstance(data, Judgements | Tally):
        _refuse(by=by, pool=pool, groups=groups)
        judged = tally(data) if isinstance(data, Judgements) else data
        for chosen in combinations(judged.used_raters, 2) if pairs else [None]:
            yield Part(data=judged, raters=chosen)
    else:
        _refuse(by=by, pool=pool, pairs=pairs, groups=groups)
        yield Part(data=data)


def _refuse(**given: Any) -> None:
    """Refuse ways to take data apart that these do not have."""
    for name, value in given.items():
        if value:
            raise InputError(f"these data cannot be taken apart: {name}", hint=f"leave out {name}")


def _tallies(
    study: "Study | RemoteTable", by: Sequence[str], *, pool: bool, progress: Progress
) -> Iterator[tuple[Mapping[str, str] | None, str | None, Tally]]:
    """The tally of each question in each slice, or of all questions together."""
    if not isinstance(study, Study):
        from concordant.engines.out_of_core import tally_parts

        yield from tally_parts(study, by, pool=pool, progress=progress)
        return
    study = study.merged() if pool else study
    for where, piece in study.slices(by) if by else [(None, study)]:
        for question in piece.questions or (None,):
            yield where, question, tally(piece.judgements(question))


def measure_study(
    data: Any,
    keys: Sequence[str] = (),
    *,
    by: Sequence[str] = (),
    pool: bool = False,
    as_one: bool = False,
    crossed: bool = False,
    pairs: bool = False,
    per_category: bool = False,
    groups: Mapping[str, tuple[str, ...]] | None = None,
    cluster: str | None = None,
    read_on: Sequence[str] = (),
    session: Any = None,
    progress: Progress = silent,
    **choices: Any,
) -> list[Agreement]:
    """All results: the measures named, or those that suit each part (of spans and trees all there are).

    `choices` are fields of a request and options of measures; each must be an option of one of the measures at least,
    and is given to those that have it. With `per_category` the details hold the value of each category against the
    rest, where a measure has one. Where one of two categories means yes (1 of 0 and 1, ja of ja and nein) the details
    hold how often each rater gave it. An interrupt ends the work: what is done so far is returned and marked.

    With `as_one` a rater's answers to all questions of a unit are one judgement (iota); `crossed`, units × raters ×
    questions are one design (dependability).

    Units that share a value of the column `cluster` are drawn together in intervals ("none": every unit alone); without
    it those that the source of the data says belong together. Values are read on the scales `read_on`, where these were
    made for the measure; without it on the usual one. Several texts are shared out among `workers`, or among the
    executors of a `session` of Spark.
    """
    check_scales(read_on)
    if cluster is not None:
        data = clustered(data, cluster)
        choices["selection"] = {**(choices.get("selection") or {}), "cluster": cluster}
    told: list[str] = []
    if as_one or crossed:
        kind: Together = "crossed" if crossed else "as_one"
        ways = {"pairs": pairs, "groups": groups, "permutations": choices.get("permutations")} if crossed else {}
        data, told = joined(data, kind, {**ways, "pool": pool, "as_one": as_one})
        choices["selection"] = {**(choices.get("selection") or {}), kind: "yes"}
        keys = keys or (CROSSED if crossed else ())
    results: list[Agreement] = []
    if pairs and choices.get("raters") is not None:
        raise InputError("raters and pairs cannot be asked for together", hint="read the data with these raters only")
    if choices.get("seed") is None:
        choices["seed"] = draw_seed()
    todo = list(parts(data, by=by, pool=pool, pairs=pairs, groups=groups, progress=progress))
    told += torn_by(data, by) if isinstance(data, Study) else []
    work = partial(_measured, keys=keys, per_category=per_category)
    answers = answered(work, todo, choices, session, progress)
    for done, one in enumerate(todo):
        try:
            found = next(answers)
        except KeyboardInterrupt:
            if not results:
                raise
            return _stopped(results, len(todo) - done, len(todo))
        found = [_to_read_on(result, read_on) for result in found] if read_on else found
        hints = [*resembling(one, found), *told]
        found = [result.with_(notes=(*result.notes, *hints)) for result in found] if hints else found
        results += found
        if is_interrupted(found):
            return _stopped(results, len(todo) - done - 1, len(todo))
        progress(1000 * (done + 1), 1000 * len(todo))
    if read_on and results and not any(result.readings() for result in results if result.value is not None):
        known = dict.fromkeys(scale.key for result in results for scale in find_measure(result.measure).reads_on)
        hint = f"these are read on {', '.join(known)}" if known else "no published scale reads them"
        raise InputError(f"none of these measures is read on {' or '.join(read_on)}", hint=hint)
    return results


def _to_read_on(result: Agreement, read_on: Sequence[str]) -> Agreement:
    """A result that is read on the scales that were chosen; which of them were not made for it is said."""
    note = not_made_for(find_measure(result.measure).reads_on, read_on)
    return result.with_(read_on=tuple(read_on), notes=(*result.notes, *([note] if note else [])))


def torn_by(study: Study, by: Sequence[str]) -> list[str]:
    """What to say of slices that have only a part of a unit: an attribute of units that was typed in two ways, say."""
    found = []
    for name in by:
        units = study.torn_units(name)
        if units:
            some = ", ".join(units[:3]) + (" …" if len(units) > 3 else "")
            found.append(
                f"{counted(len(units), 'unit')} with several values of {name!r} ({some}): a slice has only a part"
            )
    return found


MANY_ROWS = 100_000  # beyond them nobody looks whether units resemble each other
SHARED = 1.25  # units that share a value on average, for it to be looked at
STRONG = 1.3  # a design effect that is worth a word


def resembling(one: Part, results: Sequence[Agreement]) -> list[str]:
    """What to say about attributes whose units resemble each other, beyond what was drawn together without being asked.

    An attribute must hold whole clusters of the source: questions that were pooled cut through the units.
    """
    study, first = one.source, next((r for r in results if r.interval is not None), None)
    if study is None or first is None or first.interval is None or study.is_clustered or study.n_rows > MANY_ROWS:
        return []
    if first.interval.over != "units" and one.data.bundles is None:
        return []
    if one.question is not None:
        study = study.where("question", [one.question])
    found, own = [], study.judgements(one.question).clusters
    for name in study.attribute_of("unit"):
        column = study.attributes[name].as_labels()
        n = len(column.labels)
        if column.n_blank or not FEWEST_CLUSTERS <= n <= one.data.n_judged / SHARED:
            continue
        judged = study.clustered(name).judgements(one.question)
        if own is not None and (judged.clusters is None or not judged.clusters.hold(own)):
            continue
        sampling = Sampling(measure=find_measure(first.measure), data=tally(judged), options=Options())
        effect, known = design_effect(sampling), first.interval.design_effect or 1.0
        if effect is not None and effect / known > STRONG:
            of_one = f"units of one {name!r} resemble each other"
            found.append(f"{of_one} (design effect {effect / known:.1f}): --cluster {name}")
    return found


def _measured(
    one: Part,
    keys: Sequence[str],
    choices: Mapping[str, Any],
    progress: Progress = silent,
    *,
    per_category: bool,
) -> list[Agreement]:
    """The measures of one part, each with the options that it has, and with what its details are to hold."""
    keys = keys or (recommended(one.data) if one.data.kind == "judgements" else measures_of(one.data.kind))
    given = with_matrices(choices, one.data)
    named = {name: given.pop(name) for name in NAMED if name in given}
    given = {name: value for name, value in given.items() if value is not None}
    has = {key: {choice.name for choice in find_measure(key).options.described()} for key in keys}
    for name in given:
        if not any(name in own for own in has.values()):
            find_measure(keys[0]).options.of(keys[0], {name: given[name]})
    place = {"question": one.question, "slice": one.slice, "raters": one.raters}
    named |= {name: value for name, value in place.items() if value is not None}
    requests = [ask(key, **{name: value for name, value in given.items() if name in has[key]}, **named) for key in keys]
    results = []
    for result in estimates(one.data, requests, progress):
        details, chosen = dict(result.details), find_measure(result.measure)
        if per_category and not isinstance(one.data, Tally):
            raise InputError(f"{result.measure} has no value for each category", hint="only judgements have")
        data = one.data if one.raters is None or not per_category else with_raters(one.data, one.raters)
        if per_category and can_split(chosen, data):
            chosen_too = {name: given[name] for name in ("shares", "weight") if name in given}
            each = by_category(chosen, data, Options(**chosen_too))
            details["categories"] = {name: {"value": one.value, "reason": one.reason} for name, one in each.items()}
        yes = data.scale.positive if isinstance(data, Tally) else None
        if yes is not None and len(result.raters) <= MOST_RATES:
            details["yes"] = yes
            details["yes_rates"] = dict(zip(result.raters, category_rates(data, yes, result.raters), strict=True))
        results.append(result.with_(details=details))
    return results


def is_interrupted(results: Sequence[Agreement]) -> bool:
    """Whether the user ended the work on these results."""
    return any(result.details.get("interrupted") for result in results)


def _stopped(results: list[Agreement], left: int, n_parts: int) -> list[Agreement]:
    """The results, the last of which says how many parts were left."""
    last = results[-1]
    notes = (f"interrupted: {left} of {n_parts} texts were not measured",) if left else ()
    ended = last.with_(notes=(*last.notes, *notes), details={**last.details, "interrupted": True})
    return [*results[:-1], ended]


def with_matrices(choices: Mapping[str, Any], data: Any) -> dict[str, Any]:
    """Weights and distances that name a file become the matrix in it."""
    given = dict(choices)
    for name in ("weights", "distance"):
        if isinstance(data, Tally) and isinstance(given.get(name), str) and Path(given[name]).suffix:
            given[name] = read_matrix(given[name], data.scale.categories)
    return given


FEW_WAYS = 80  # with so few, the least two-sided p-value is .025 or more


@dataclass(frozen=True, kw_only=True)
class Difference:
    """A coefficient of one slice or group minus that of another, with the two-sided p-value; or why there is none."""

    measure: str = ""
    name: str = ""
    question: str | None
    first: str
    second: str
    difference: float | None = None
    p: float | None = None
    method: str | None = None
    error: float | None = None
    permutations: int | None = None
    is_exact: bool | None = None
    seed: int | None = None
    reason: str | None = None
    note: str | None = None


def differences(
    study: Study,
    keys: Sequence[str] = (),
    *,
    by: Sequence[str] = (),
    pool: bool = False,
    groups: Mapping[str, tuple[str, ...]] | None = None,
    permutations: int,
    seed: int,
    progress: Progress = silent,
    **choices: Any,
) -> list[Difference]:
    """Every two groups of raters (in every slice), or without groups every two slices.

    `choices` are the options of a measure (weights, distance …). Slices are compared by moving units between them, so
    the columns must be attributes of units.
    """
    todo = list(_pairs(study, by, pool, groups))
    found: list[Difference] = []
    for done, (piece, plain, test) in enumerate(todo):
        options = Options(**with_matrices(choices, piece.data))
        how: dict[str, Any] = {"options": options, "permutations": permutations, "seed": seed}
        for key in keys or recommended(piece.data):
            name = find_measure(key).full_name(piece.data, options)
            found.append(_tested(replace(plain, measure=key, name=name), test, how))
        progress(done + 1, len(todo))
    return found


def _tested(plain: Difference, test: Callable[..., PermutationTest], how: Mapping[str, Any]) -> Difference:
    """The difference by the measure that is named, or why there is none."""
    if plain.reason is not None:
        return plain
    try:
        test_of = test(plain.measure, **how)
    except InputError as error:
        return replace(plain, reason=str(error), note=None)
    named = ("p", "error", "permutations", "is_exact", "method", "seed")
    return replace(plain, difference=test_of.statistic, **{name: getattr(test_of, name) for name in named})


def _pairs(
    study: Study, by: Sequence[str], pool: bool, groups: Mapping[str, tuple[str, ...]] | None
) -> Iterator[tuple[Part, Difference, Callable[..., PermutationTest]]]:
    """Every two groups of raters in every slice and question, or every two slices of every question, and their test."""
    if groups:
        for piece in parts(study, by=by, pool=pool):
            for one, two in combinations(groups, 2):
                ways = comb(len(groups[one]) + len(groups[two]), len(groups[one]))
                few = f"there are only {ways} ways to divide these raters, so p cannot be small"
                first, second = _title(piece, one), _title(piece, two)
                plain = Difference(
                    question=piece.question, first=first, second=second, note=few if ways < FEW_WAYS else None
                )
                yield piece, plain, partial(rater_groups_differ, piece.data, groups[one], groups[two])
        return
    other = next((name for name in by if name not in study.attribute_of("unit")), None)
    reason = other and f"{other!r} is not an attribute of units, so units cannot change sides; compare raters by groups"
    for piece, later in combinations(parts(study, by=by, pool=pool) if by else (), 2):
        if piece.question == later.question:
            plain = Difference(question=piece.question, first=_title(piece), second=_title(later), reason=reason)
            yield piece, plain, partial(unit_groups_differ, piece.data, later.data)


def _title(piece: Part, *group: str) -> str:
    """The slice, and perhaps the group of raters, in words."""
    return " · ".join([*(piece.slice or {}).values(), *group])
