"""Raters who do not look: always the same answer, long runs of one answer, answers faster than anybody reads."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from assent.arrays import Floats
from assent.diagnosis.findings import Finding, Severity, count
from assent.diagnosis.forensics.case import Case
from assent.diagnosis.material import Material
from assent.diagnosis.shares import unit_shares
from assent.model.columns import Column
from assent.model.scale import as_numbers

LEAST = 10  # judgements of a rater
UNLIKELY = 1e-4
TIME_NAMES = ("seconds", "duration", "response_time", "rt", "latency", "elapsed", "time_spent", "ms", "milliseconds")
FAST = 1 / 3
SAME_SHARE = 0.9
OTHERS_SHARE = 0.6


def constant_rater(case: Case) -> Iterator[Finding]:
    """A rater who gives everything one value while others, on the same units, do not."""
    for part in case.parts:
        if part.scale.is_continuous or len(part.tally.used_raters) < 2:
            continue
        totals = part.tally.pairs.rater_totals()
        judged = totals.sum(axis=1)
        for rater in np.nonzero((totals.max(axis=1) == judged) & (judged >= LEAST))[0]:
            found = _constant(part, int(rater), int(totals[rater].argmax()), int(judged[rater]))
            if found is not None:
                yield found


def _constant(part: Material, rater: int, code: int, n: int) -> Finding | None:
    """Compare with what the others gave the same units."""
    same, others = _given_by_others(part, rater, code)
    if not others.sum():
        return None
    share = float(same.sum() / others.sum())
    chance = share**n
    if chance >= UNLIKELY * LEAST:
        return None
    name, value = part.tally.raters[rater], part.scale.categories[code]
    return Finding(
        kind="constant-rater",
        severity=Severity.WARNING,
        seen=f"{name} gave {value!r} to all {count(n, 'unit')}; the others gave it to the same units in {share:.0%}.",
        sure=f"A rater who chose it as often as the others would do so with probability {chance:.1g}.",
        advice=f"Ask {name} whether they saw the units. Correlations with a constant rater are undefined; measure "
        "again without this rater and report both.",
        evidence={"n_judgements": n, "value": value, "share_of_others": share, "chance": chance},
        question=part.question,
        raters=(name,),
    )


def _given_by_others(part: Material, rater: int, code: int) -> tuple[Floats, Floats]:
    """For each unit of a rater: how many others gave that category, and how many others there are."""
    rows, found = part.judgements.rows(), unit_shares(part.judgements)
    place = np.full(part.judgements.n_units, -1)
    place[found.places] = np.arange(len(found.places))
    mine = rows.rater == rater
    units = place[rows.unit[mine]]
    own = (rows.value[mine] == code).astype(np.float64)
    return found.counts[units, code] - own, found.sizes[units] - 1.0


def straight_lining(case: Case) -> Iterator[Finding]:
    """A long run of one answer, in the order of the file, on units that others answer differently."""
    for part in case.parts:
        if not part.scale.is_continuous and len(part.tally.used_raters) > 1:
            yield from _runs(part)
    yield from _batteries(case)


def _runs(part: Material) -> Iterator[Finding]:
    """Each rater's longest run."""
    rows = part.judgements.rows()
    order = np.argsort(rows.rater, kind="stable")
    rater, value = rows.rater[order].astype(np.int64), rows.value[order]
    starts = np.nonzero(np.append(True, (np.diff(rater) != 0) | (np.diff(value) != 0)))[0]
    lengths = np.diff(np.append(starts, len(order)))
    for name in range(len(part.tally.raters)):
        mine = np.nonzero(rater[starts] == name)[0]
        if len(mine) < 2:
            continue
        longest = mine[np.argmax(lengths[mine])]
        if lengths[longest] >= LEAST:
            run = order[starts[longest] : starts[longest] + lengths[longest]]
            found = _run(part, name, run, int((rater == name).sum()))
            if found is not None:
                yield found


def _run(part: Material, rater: int, run: NDArray[np.int64], n: int) -> Finding | None:
    """Is the run too long for this rater, and do the others disagree with it more than they do elsewhere?"""
    rows = part.judgements.rows()
    code, length = int(rows.value[run[0]]), len(run)
    outside = np.setdiff1d(np.nonzero(rows.rater == rater)[0], run)
    own_share = (float((rows.value[outside] == code).sum()) + 1) / (len(outside) + 2)
    too_long = n * own_share**length
    differs = _differs_from_most(part, rater)
    in_run, elsewhere = differs[rows.unit[run]], differs[rows.unit[outside]]
    usual = (float(np.nansum(elsewhere)) + 1) / (float((~np.isnan(elsewhere)).sum()) + 2)
    n_against = int(np.nansum(in_run))
    if too_long >= UNLIKELY or usual**n_against >= UNLIKELY:
        return None
    return _run_finding(part, rater, run, n_against, chance=too_long)


def _differs_from_most(part: Material, rater: int) -> Floats:
    """For each unit 1 if this rater gave another value than most others, 0 if the same, NaN if nobody else judged."""
    rows, size = part.judgements.rows(), len(part.scale.categories)
    key = rows.unit.astype(np.int64) * size + rows.value.astype(np.int64)
    mine = rows.rater == rater
    counts = np.bincount(key[~mine], minlength=part.judgements.n_units * size).reshape(-1, size)
    own = np.full(part.judgements.n_units, -1)
    own[rows.unit[mine]] = rows.value[mine]
    most = counts.argmax(axis=1)
    return np.where((counts.sum(axis=1) > 0) & (own >= 0), (own != most).astype(np.float64), np.nan)


def _run_finding(part: Material, rater: int, run: NDArray[np.int64], n_against: int, *, chance: float) -> Finding:
    """Say it."""
    rows, name = part.judgements.rows(), part.tally.raters[rater]
    value = part.scale.categories[int(rows.value[run[0]])]
    first, last = (part.units[int(rows.unit[i])] for i in (run[0], run[-1]))
    return Finding(
        kind="straight-lining",
        severity=Severity.WARNING,
        seen=f"{name} gave {value!r} to {len(run):,} units in a row (from {first!r} to {last!r}), {n_against:,} of "
        "which most others judge differently.",
        sure=f"At this rater's own rate elsewhere such a run has probability {chance:.1g}.",
        advice=f"Look at the times of these judgements, ask {name}, and have the units judged again.",
        evidence={"run": len(run), "n_against": n_against, "value": value, "chance": chance},
        question=part.question,
        raters=(name,),
    )


def _batteries(case: Case) -> Iterator[Finding]:
    """A rater who gives all questions of a unit one answer, where others distinguish."""
    if len(case.parts) < 3 or len({part.scale.categories for part in case.parts}) > 1:
        return
    if case.parts[0].scale.is_continuous:
        return
    same, judged, raters = _same_answers(case)
    for r, name in enumerate(raters):
        mine = judged[:, r]
        others = judged & mine[:, None]
        others[:, r] = False
        if mine.sum() < 2 * LEAST or not others.any():
            continue
        own, theirs = float(same[mine, r].mean()), float(same[others].mean())
        if own >= SAME_SHARE and theirs <= OTHERS_SHARE:
            yield _battery_finding(name, int(mine.sum()), own, theirs, len(case.parts))


def _same_answers(case: Case) -> tuple[NDArray[np.bool_], NDArray[np.bool_], tuple[str, ...]]:
    """Units × raters: was every question given one answer, and was every question answered."""
    units = {name: i for i, name in enumerate(dict.fromkeys(u for part in case.parts for u in part.units))}
    raters = {name: i for i, name in enumerate(dict.fromkeys(r for part in case.parts for r in part.tally.raters))}
    low = np.full((len(units), len(raters)), np.iinfo(np.int32).max, dtype=np.int32)
    high, n = np.full(low.shape, -1, dtype=np.int32), np.zeros(low.shape, dtype=np.int32)
    for part in case.parts:
        rows = part.judgements.rows()
        u = np.array([units[name] for name in part.units])[rows.unit]
        r = np.array([raters[name] for name in part.tally.raters])[rows.rater]
        np.minimum.at(low, (u, r), rows.value)
        np.maximum.at(high, (u, r), rows.value)
        np.add.at(n, (u, r), 1)
    return low == high, n == len(case.parts), tuple(raters)


def _battery_finding(name: str, n_units: int, own: float, theirs: float, n_questions: int) -> Finding:
    """Say it."""
    return Finding(
        kind="straight-lining",
        severity=Severity.WARNING,
        seen=f"{name} gave all {n_questions} questions one answer in {own:.0%} of {count(n_units, 'unit')}; the others "
        f"did so in {theirs:.0%} of the same units.",
        sure="Others tell the questions apart on the same units, so it does not lie in the units.",
        advice=f"Ask {name} whether the questions were answered one by one; show one question at a time.",
        evidence={"n_units": n_units, "share": own, "share_of_others": theirs},
        raters=(name,),
    )


def too_fast(case: Case) -> Iterator[Finding]:
    """A rater whose median time is less than a third of the others'."""
    name = next((n for n in case.study.attributes if n.casefold() in TIME_NAMES), None)
    times = None if name is None else _times(case.study.attributes[name])
    if name is None or times is None:
        return
    rater, known = case.study.rater.codes, ~np.isnan(times)
    medians = {
        r: float(np.median(times[known & (rater == r)]))
        for r in range(len(case.study.raters))
        if (known & (rater == r)).sum() >= LEAST
    }
    for r, median in medians.items():
        others = [value for other, value in medians.items() if other != r]
        if others and median < FAST * float(np.median(others)):
            yield _fast_finding(case.study.raters[r], name, median, float(np.median(others)))


def _times(column: Column) -> Floats | None:
    """The cells as numbers, NaN where blank; None if they are not numbers."""
    if column.numbers is not None:
        return column.numbers
    numbers = as_numbers(column.labels)
    return None if numbers is None else np.append(numbers, np.nan)[column.codes]


def _fast_finding(rater: str, column: str, median: float, others: float) -> Finding:
    """Say it."""
    return Finding(
        kind="too-fast",
        severity=Severity.WARNING,
        seen=f"{rater} takes {median:g} per judgement ({column}, median); the others take {others:g}.",
        sure=f"That is {median / others:.0%} of the others' median.",
        advice=f"Compare {rater}'s fastest judgements with the others' before you keep them.",
        evidence={"median": median, "median_of_others": others},
        raters=(rater,),
    )
