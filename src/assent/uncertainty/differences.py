"""Do slices of a study, or groups of its raters, agree to different degrees? Every two of them are tested."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from math import comb
from typing import Any

from assent.errors import InputError
from assent.measures.catalogue import find_measure
from assent.measures.spec import Options
from assent.model.study import Study
from assent.progress import Progress, silent
from assent.uncertainty.permutation import PermutationTest, rater_groups_differ, unit_groups_differ
from assent.uncertainty.studies import Part, parts, with_matrices
from assent.uncertainty.suitability import recommended

FEW_WAYS = 80  # with so few, the least two-sided p-value is .025 or more


@dataclass(frozen=True, kw_only=True)
class Difference:
    """A coefficient of one slice or group minus that of another, with the two-sided p-value; or why there is none."""

    measure: str
    name: str
    question: str | None
    first: str
    second: str
    difference: float | None = None
    p: float | None = None
    method: str | None = None
    permutations: int | None = None
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
    todo = list(_group_pairs(study, by, pool, groups) if groups else _slice_pairs(study, by, pool))
    found: list[Difference] = []
    for done, pair in enumerate(todo):
        options = Options(**with_matrices(choices, pair.part.tally))
        chosen = keys or recommended(pair.part.tally)
        found += [pair.tested(key, options, permutations=permutations, seed=seed) for key in chosen]
        progress(done + 1, len(todo))
    return found


@dataclass(frozen=True, kw_only=True)
class _Pair:
    """Two slices or groups in a part of a study, and how to test them, or why they cannot be tested."""

    part: Part
    first: str
    second: str
    test: Callable[..., PermutationTest]
    reason: str | None = None
    note: str | None = None

    def tested(self, key: str, options: Options, *, permutations: int, seed: int) -> Difference:
        """The difference by one measure."""
        plain = Difference(
            measure=key,
            name=find_measure(key).full_name(self.part.tally, options),
            question=self.part.question,
            first=self.first,
            second=self.second,
            reason=self.reason,
        )
        if self.reason is not None:
            return plain
        try:
            test = self.test(key, options=options, permutations=permutations, seed=seed)
        except InputError as error:
            return replace(plain, reason=str(error))
        numbers: dict[str, Any] = {"difference": test.statistic, "p": test.p, "permutations": test.permutations}
        return replace(plain, **numbers, method=test.method, seed=seed, note=self.note)


def _group_pairs(study: Study, by: Sequence[str], pool: bool, groups: Mapping[str, tuple[str, ...]]) -> Iterator[_Pair]:
    """Every two groups of raters in every slice and question."""
    for part in parts(study, by=by, pool=pool):
        for one, two in combinations(groups, 2):
            test = partial(rater_groups_differ, part.tally, groups[one], groups[two])
            first, second, note = _title(part, one), _title(part, two), _few(len(groups[one]), len(groups[two]))
            yield _Pair(part=part, first=first, second=second, test=test, note=note)


def _few(first: int, second: int) -> str | None:
    """A caution where no p-value can be small."""
    ways = comb(first + second, first)
    return f"there are only {ways} ways to divide these raters, so p cannot be small" if ways < FEW_WAYS else None


def _slice_pairs(study: Study, by: Sequence[str], pool: bool) -> Iterator[_Pair]:
    """Every two slices of every question."""
    other = next((name for name in by if name not in study.attribute_of("unit")), None)
    reason = other and f"{other!r} is not an attribute of units, so units cannot change sides; compare raters by groups"
    for one, two in combinations(parts(study, by=by, pool=pool) if by else (), 2):
        if one.question == two.question:
            test = partial(unit_groups_differ, one.tally, two.tally)
            yield _Pair(part=one, first=_title(one), second=_title(two), test=test, reason=reason)


def _title(part: Part, *group: str) -> str:
    """The slice, and perhaps the group of raters, in words."""
    return " · ".join([*(part.slice or {}).values(), *group])
