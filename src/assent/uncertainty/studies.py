"""Measure a whole study: every slice, question and rater pair.

The command line, the report and the pages all call this, so they print the same digits.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assent.engines.rates import category_rates
from assent.engines.subset import with_raters
from assent.engines.tally import Tally, tally
from assent.measures.breakdown import by_category, can_split
from assent.measures.catalogue import find_measure
from assent.measures.result import Agreement
from assent.model.study import Study
from assent.progress import Progress, silent
from assent.readers.contingency import read_matrix
from assent.uncertainty.estimate import measure
from assent.uncertainty.suitability import recommended

if TYPE_CHECKING:
    from assent.engines.out_of_core import RemoteTable

MOST_RATES = 6  # raters whose rates are listed


@dataclass(frozen=True, kw_only=True, eq=False)
class Part:
    """A part of a study to measure: one question, slice and choice of raters."""

    tally: Tally
    question: str | None
    slice: Mapping[str, str] | None
    raters: tuple[str, ...] | None


def parts(
    study: "Study | RemoteTable",
    *,
    by: Sequence[str] = (),
    pool: bool = False,
    pairs: bool = False,
    groups: Mapping[str, tuple[str, ...]] | None = None,
) -> Iterator[Part]:
    """Every slice, every question in it, and in that every rater pair, or all raters and each group of them."""
    for where, part in study.slices(by) if by else [(None, study)]:
        for question, data in _questions(part, pool=pool):
            if groups:
                for name, raters in {"all": None, **groups}.items():
                    yield Part(tally=data, question=question, slice={**(where or {}), "raters": name}, raters=raters)
                continue
            for chosen in combinations(data.used_raters, 2) if pairs else [None]:
                yield Part(tally=data, question=question, slice=where, raters=chosen)


def _questions(study: "Study | RemoteTable", *, pool: bool) -> Iterator[tuple[str | None, Tally]]:
    """The tally of each question, or of all together."""
    if not isinstance(study, Study):
        yield from _remote_questions(study, pool=pool)
    elif pool or not study.questions:
        yield None, tally(study.pooled())
    else:
        for question in study.questions:
            yield question, tally(study.judgements(question))


def _remote_questions(table: "RemoteTable", *, pool: bool) -> Iterator[tuple[str | None, Tally]]:
    """The same, tallied where the table lies."""
    from assent.engines.out_of_core import tally_table

    if pool or table.question is None:
        yield None, tally_table(table, pool=pool)
    else:
        for question in table.labels("question"):
            yield question, tally_table(table.where("question", [question]))


def measure_study(
    study: "Study | RemoteTable",
    keys: Sequence[str] = (),
    *,
    by: Sequence[str] = (),
    pool: bool = False,
    pairs: bool = False,
    per_category: bool = False,
    groups: Mapping[str, tuple[str, ...]] | None = None,
    selection: Mapping[str, str] | None = None,
    progress: Progress = silent,
    **choices: Any,
) -> list[Agreement]:
    """All results: the measures named, or those that suit each part. `choices` are the options of `measure`.

    With `per_category` the details hold the value of each category against the rest, where a measure has one.
    With two categories the details hold how often each rater gave the second (1 of 0 and 1, yes of no and yes).
    """
    results: list[Agreement] = []
    todo = list(parts(study, by=by, pool=pool, pairs=pairs, groups=groups))
    inner = progress if len(todo) == 1 else silent
    for done, part in enumerate(todo):
        progress(done, len(todo))
        given = with_matrices(choices, part.tally)
        found = [_measure_part(part, key, selection, inner, given) for key in keys or recommended(part.tally)]
        if per_category:
            found = [_with_categories(result, part) for result in found]
        results += [_with_rates(result, part.tally) for result in found]
    return results


def _measure_part(
    part: Part, key: str, selection: Mapping[str, str] | None, progress: Progress, choices: Mapping[str, Any]
) -> Agreement:
    """One measure of one part."""
    return measure(
        part.tally,
        key,
        question=part.question,
        slice=part.slice,
        raters=part.raters,
        selection=selection,
        progress=progress,
        **choices,
    )


def _with_categories(result: Agreement, part: Part) -> Agreement:
    """The result with the value of each category against the rest, if the measure has such values."""
    data = part.tally if part.raters is None else with_raters(part.tally, part.raters)
    chosen = find_measure(result.measure)
    if not can_split(chosen, data):
        return result
    split = {name: {"value": one.value, "reason": one.reason} for name, one in by_category(chosen, data).items()}
    return result.with_(details={**result.details, "categories": split})


def _with_rates(result: Agreement, data: Tally) -> Agreement:
    """How often each rater said yes, where there are two categories and a few raters."""
    if len(data.scale.categories) != 2 or len(result.raters) > MOST_RATES:
        return result
    yes = data.scale.categories[1]
    rates = dict(zip(result.raters, category_rates(data, yes, result.raters), strict=True))
    return result.with_(details={**result.details, "yes": yes, "yes_rates": rates})


def with_matrices(choices: Mapping[str, Any], data: Tally) -> dict[str, Any]:
    """Weights and distances that name a file become the matrix in it."""
    given = dict(choices)
    for name in ("weights", "distance"):
        if isinstance(given.get(name), str) and Path(given[name]).suffix:
            given[name] = read_matrix(given[name], data.scale.categories)
    return given
