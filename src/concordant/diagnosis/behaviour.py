"""Raters who do not look, and raters who are no people.

Always the same answer, long runs of one answer, answers faster than anybody reads, two who never differ. And slots:
data are often published with each unit's judgements sorted, or filled in from the left as they came in. Coefficients
that forget who judged (pi, Fleiss, alpha) do not care; kappa, correlations and who is more lenient are wrong then.
"""

from collections.abc import Iterator
from hashlib import sha256

import numpy as np
from numpy.typing import NDArray

from concordant.arrays import Floats
from concordant.diagnosis.association import sign_test
from concordant.diagnosis.findings import Finding, named, note, serious, warning
from concordant.diagnosis.material import Case, Material, count_pairs
from concordant.digits import brief, counted, decimal, p_text, percent
from concordant.engines.patterns import Patterns, value_steps
from concordant.model.scale import as_numbers

LEAST = 10  # judgements of a rater
UNLIKELY = 1e-4
TIME_NAMES = ("seconds", "duration", "response_time", "rt", "latency", "elapsed", "time_spent", "ms", "milliseconds")
FAST = 1 / 3
SAME_SHARE = 0.9
OTHERS_SHARE = 0.6


def compared_parts(case: Case) -> list[Material]:
    """The questions with categories that two raters or more answered."""
    return [part for part in case.parts if not part.scale.is_continuous and len(part.tally.used_raters) > 1]


def constant_rater(case: Case) -> Iterator[Finding]:
    """A rater who gives everything one value while others, on the same units, do not."""
    for part in compared_parts(case):
        totals, rows = part.tally.pairs.rater_totals(only_paired=False), part.judgements.rows()
        judged = totals.sum(axis=1)
        counts = count_pairs(rows.unit, rows.value, (part.judgements.n_units, len(part.scale.categories)))
        for rater in np.nonzero((totals.max(axis=1) == judged) & (judged >= LEAST))[0].tolist():
            code, n = int(totals[rater].argmax()), int(judged[rater])
            units = rows.unit[rows.rater == rater]
            n_same, n_others = counts[units, code].sum() - n, counts[units].sum() - n
            share = float(n_same / n_others) if n_others else 1.0
            chance = share**n
            if chance >= UNLIKELY * LEAST:
                continue
            name, value = part.tally.raters[rater], part.scale.categories[code]
            yield warning(
                kind="constant-rater",
                seen=f"{name} gave {value!r} to all {counted(n, 'unit')}; the others gave it to the same units in "
                f"{percent(share)}.",
                sure=f"A rater who chose it as often as the others would do so with probability {brief(chance, 1)}.",
                advice=f"Ask {name} whether they saw the units. Correlations with a constant rater are undefined; "
                "measure again without this rater and report both.",
                evidence={"n_judgements": n, "value": value, "share_of_others": share, "chance": chance},
                question=part.question,
                raters=(name,),
            )


ALONE, IN_COMPANY = 0.95, 0.8
"""Kappas of careful raters: of two with nobody to compare them with, and the least assumed of two among others."""


def copied_raters(case: Case) -> Iterator[Finding]:
    """Raters who judged the same units and gave each the same value, where that is no wonder of few or easy units.

    Two raters with kappa k agree on a unit with probability q = e + (1 - e) k, where e is the share of units on which
    two with these margins agree by chance, so on all of n units with q^n. With one category q is 1 and the sameness
    says nothing. k is that of the rater's best agreement with anybody else, at least .8; without others .95.
    """
    for names in same_columns(case):
        n_units, log_chance, kappas = 0, 0.0, []
        for part in case.parts:
            own, expected, best = agreement_with_others(part, names)
            kappa = max(best, IN_COMPANY) if best is not None else ALONE
            n_units += own
            kappas += [kappa] * bool(own)
            log_chance += own * float(np.log(expected + (1 - expected) * kappa)) if own else 0.0
        n_raters = len(case.study.raters)
        chance = float(np.exp(log_chance)) * n_raters * (n_raters - 1) / 2
        if n_units < LEAST or chance >= UNLIKELY:
            continue
        pairs = f" (all {n_raters * (n_raters - 1) // 2:,} pairs considered)" if n_raters > 2 else ""
        yield warning(
            kind="same-judgements",
            seen=f"{' and '.join(names)} judged the same {counted(n_units, 'unit')} and never differ.",
            sure=f"Raters with a kappa of {decimal(max(kappas), 2)} would agree on all of them with probability "
            f"{brief(chance, 1)}{pairs}. That is no proof: very clear units or a shared rule do the same.",
            advice="Find out where the columns come from: one exported twice, answers copied, units judged together "
            "all look like this. If they are one judgement, measure with one of them: counted twice it makes agreement "
            "look higher.",
            evidence={"n_units": n_units, "chance": chance, "kappas": kappas},
            raters=names,
        )


def same_columns(case: Case) -> list[tuple[str, ...]]:
    """Groups of raters who judged the same units of every question and gave each the same value."""
    columns: dict[str, list[bytes]] = {}
    for number, part in enumerate(case.parts):
        rows = part.judgements.rows()
        order = np.lexsort((rows.unit, rows.rater))
        ends = np.searchsorted(rows.rater[order], np.arange(len(part.tally.raters) + 1))
        for name, first, last in zip(part.tally.raters, ends[:-1].tolist(), ends[1:].tolist(), strict=True):
            own = order[first:last]
            told = sha256(rows.unit[own].tobytes() + b"|" + rows.value[own].tobytes()).digest() if len(own) else b""
            columns.setdefault(name, [b""] * len(case.parts))[number] = told
    groups: dict[tuple[bytes, ...], list[str]] = {}
    for name, of_all in columns.items():
        if any(of_all):
            groups.setdefault(tuple(of_all), []).append(name)
    return [tuple(names) for names in groups.values() if len(names) > 1]


def agreement_with_others(part: Material, names: tuple[str, ...]) -> tuple[int, float, float | None]:
    """How many units the first of the raters judged, their chance agreement, and their best kappa with another rater.

    Chance is that of the rater's own margin (Scott 1955). None if nobody else judged enough of the same units.
    """
    rows, raters = part.judgements.rows(), list(part.tally.raters)
    if names[0] not in raters:
        return 0, 0.0, None
    _, value = np.unique(rows.value, return_inverse=True)
    mine = rows.rater == raters.index(names[0])
    given = np.full(part.judgements.n_units, -1, dtype=np.int64)
    given[rows.unit[mine]] = value[mine]
    n = int(mine.sum())
    expected = float(((np.bincount(value[mine]) / max(n, 1)) ** 2).sum())
    others = ~np.isin(rows.rater, [raters.index(name) for name in names if name in raters]) & (given[rows.unit] >= 0)
    common = np.bincount(rows.rater[others], minlength=len(raters))
    same = np.bincount(rows.rater[others], value[others] == given[rows.unit[others]], minlength=len(raters))
    enough = common >= LEAST
    if not enough.any() or expected == 1:
        return n, expected, None
    return n, expected, float(((same[enough] / common[enough]).max() - expected) / (1 - expected))


def straight_lining(case: Case) -> Iterator[Finding]:
    """A long run of one answer, in the order of the file, on units that others answer differently."""
    for part in compared_parts(case):
        rows = part.judgements.rows()
        for rater, run in long_runs(part):
            code, name = int(rows.value[run[0]]), part.tally.raters[rater]
            mine = np.nonzero(rows.rater == rater)[0]
            outside = np.setdiff1d(mine, run)
            own_share = (float((rows.value[outside] == code).sum()) + 1) / (len(outside) + 2)
            too_long = len(mine) * own_share ** len(run)
            differs = differs_from_most(part, rater)
            elsewhere = differs[rows.unit[outside]]
            usual = (float(np.nansum(elsewhere)) + 1) / (float((~np.isnan(elsewhere)).sum()) + 2)
            n_against = int(np.nansum(differs[rows.unit[run]]))
            if too_long >= UNLIKELY or usual**n_against >= UNLIKELY:
                continue
            first, last = (part.units[int(rows.unit[i])] for i in (run[0], run[-1]))
            value = part.scale.categories[code]
            yield warning(
                kind="straight-lining",
                seen=f"{name} gave {value!r} to {len(run):,} units in a row (from {first!r} to {last!r}), "
                f"{n_against:,} of which most others judge differently.",
                sure=f"At this rater's own rate elsewhere such a run has probability {brief(too_long, 1)}.",
                advice=f"Look at the times of these judgements, ask {name}, and have the units judged again.",
                evidence={"run": len(run), "n_against": n_against, "value": value, "chance": too_long},
                question=part.question,
                raters=(name,),
            )


def long_runs(part: Material) -> Iterator[tuple[int, NDArray[np.int64]]]:
    """Each rater's longest run of one answer, as places among the judgements, if it is long and not all they gave."""
    rows = part.judgements.rows()
    order = np.argsort(rows.rater, kind="stable")
    rater, value = rows.rater[order].astype(np.int64), rows.value[order]
    starts = np.nonzero(np.append(True, (np.diff(rater) != 0) | (np.diff(value) != 0)))[0]
    lengths = np.diff(np.append(starts, len(order)))
    for name in range(len(part.tally.raters)):
        mine = np.nonzero(rater[starts] == name)[0]
        longest = mine[np.argmax(lengths[mine])] if len(mine) > 1 else None
        if longest is not None and lengths[longest] >= LEAST:
            yield name, order[starts[longest] : starts[longest] + lengths[longest]]


def differs_from_most(part: Material, rater: int) -> Floats:
    """For each unit 1 if this rater gave another value than most others, 0 if the same, NaN if nobody else judged."""
    rows, n_units = part.judgements.rows(), part.judgements.n_units
    mine = rows.rater == rater
    counts = count_pairs(rows.unit[~mine], rows.value[~mine], (n_units, len(part.scale.categories)))
    own = np.full(n_units, -1)
    own[rows.unit[mine]] = rows.value[mine]
    return np.where((counts.sum(axis=1) > 0) & (own >= 0), (own != counts.argmax(axis=1)).astype(float), np.nan)


def one_answer_to_all(case: Case) -> Iterator[Finding]:
    """A rater who gives all questions of a unit one answer, where others distinguish."""
    n_questions = len(case.parts)
    if n_questions < 3 or len({part.scale.categories for part in case.parts}) > 1 or case.parts[0].scale.is_continuous:
        return
    same, judged, raters = same_answers(case)
    for r, name in enumerate(raters):
        mine = judged[:, r]
        others = judged & mine[:, None]
        others[:, r] = False
        n_units = int(mine.sum())
        if n_units < 2 * LEAST or not others.any():
            continue
        own, theirs = float(same[mine, r].mean()), float(same[others].mean())
        if own >= SAME_SHARE and theirs <= OTHERS_SHARE:
            yield warning(
                kind="straight-lining",
                seen=f"{name} gave all {n_questions} questions one answer in {percent(own)} of "
                f"{counted(n_units, 'unit')}; the others did so in {percent(theirs)} of the same units.",
                sure="Others tell the questions apart on the same units, so it does not lie in the units.",
                advice=f"Ask {name} whether the questions were answered one by one; show one question at a time.",
                evidence={"n_units": n_units, "share": own, "share_of_others": theirs},
                raters=(name,),
            )


def same_answers(case: Case) -> tuple[NDArray[np.bool_], NDArray[np.bool_], tuple[str, ...]]:
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


def too_fast(case: Case) -> Iterator[Finding]:
    """A rater whose median time is less than a third of the others'."""
    name = next((n for n in case.study.attributes if n.casefold() in TIME_NAMES), None)
    if name is None:
        return
    column = case.study.attributes[name]
    times, numbers = column.numbers, as_numbers(column.labels)
    if times is None and numbers is not None:
        times = np.append(numbers, np.nan)[column.codes]
    if times is None:
        return
    known = ~np.isnan(times)
    by_rater = [times[known & (case.study.rater.codes == r)] for r in range(len(case.study.raters))]
    medians = {r: float(np.median(own)) for r, own in enumerate(by_rater) if len(own) >= LEAST}
    for r, median in medians.items():
        others = [value for other, value in medians.items() if other != r]
        usual, rater = float(np.median(others)) if others else 0.0, case.study.raters[r]
        if median < FAST * usual:
            yield warning(
                kind="too-fast",
                seen=f"{rater} takes {brief(median)} per judgement ({name}, median); the others take {brief(usual)}.",
                sure=f"That is {percent(median / usual)} of the others' median.",
                advice=f"Compare {rater}'s fastest judgements with the others' before you keep them.",
                evidence={"median": median, "median_of_others": usual},
                raters=(rater,),
            )


FIRST_SLOT = "first_slot"
BIASED = 0.001


def slot_bias(case: Case) -> Iterator[Finding]:
    """Whether what is shown first is chosen more often, where it was drawn which of two comes first.

    If the place says nothing, every decision for the first or the second is a fair coin, whoever decides about what:
    the sign test is exact. The interval is Wilson's (1927).
    """
    for part in case.parts if FIRST_SLOT in case.study.attributes else ():
        first, value = part.study.attributes[FIRST_SLOT].text(), part.study.value.text()
        names = sorted({one for one in first.tolist() if one})
        decided = (first != "") & np.isin(value, names)
        n, n_first = int(decided.sum()), int((decided & (value == first)).sum())
        evidence: dict[str, object] = {"n_decisions": n, "n_first": n_first}
        if not n or len(names) > 2:
            continue
        if len(set(first[decided].tolist())) == 1:
            yield note(
                kind="slots-not-drawn",
                seen=f"{first[decided][0]!r} was shown first in all {counted(n, 'decision')}.",
                sure="So a liking for it and a liking for the first place cannot be told apart.",
                advice="Let the order be drawn (shuffle_slots) before you say which is better.",
                evidence=evidence,
                question=part.question,
            )
            continue
        share, p, (low, high) = n_first / n, sign_test(n_first, n - n_first), wilson(n_first, n)
        yield (warning if p < BIASED else note)(
            kind="slot-bias",
            seen=f"What was shown first was chosen in {percent(share)} of {counted(n, 'decision')} "
            f"(95% interval {percent(low)} to {percent(high)}).",
            sure=f"If the place said nothing, a share as far from half would come out with {p_text(p)}.",
            advice="The order was drawn, so neither of two gains by it, but differences between them look smaller than "
            "they are. Show both at once, or ask again in the other order."
            if p < BIASED
            else "Report it beside the result.",
            evidence={**evidence, "share": share, "low": low, "high": high, "p": p},
            question=part.question,
        )


def wilson(n_yes: int, n: int, z: float = 1.959963984540054) -> tuple[float, float]:
    """The interval of a share (Wilson 1927).

    >>> [round(end, 4) for end in wilson(8, 10)]
    [0.4902, 0.9433]
    """
    share, middle = n_yes / n, 1 + z**2 / n
    half = z * ((share * (1 - share) + z**2 / (4 * n)) / n) ** 0.5
    return (share + z**2 / (2 * n) - half) / middle, (share + z**2 / (2 * n) + half) / middle


MOST_SLOTS = 20
LEAST_APART = {2: 50}  # with two raters one who is always stricter looks sorted, so more disagreement is asked for
LEAST_APART_MANY = 20
IMPOSSIBLE = -20.0  # natural logarithm of the chance that people would come out sorted by accident


def sorted_slots(case: Case) -> Iterator[Finding]:
    """Every unit's values go up (or down) from the first rater to the last."""
    for part in compared_parts(case):
        data, raters = part.tally, part.tally.used_raters
        if len(raters) > MOST_SLOTS:
            continue
        rising, falling, spread = value_steps(data.patterns, data.positions)
        paired, weights = data.patterns.sizes > 1, data.patterns.weights
        apart = paired & (spread > 0)
        n_apart, n_same = int(weights[apart].sum()), int(weights[paired & ~apart].sum())
        # a rater with another level would make one distance frequent
        _, which = np.unique(spread[apart], return_inverse=True)
        most_common = float(np.bincount(which.reshape(-1), weights=weights[apart]).max(initial=0.0))
        in_order = rising[apart].all() or falling[apart].all()
        if not in_order or n_apart < LEAST_APART.get(len(raters), LEAST_APART_MANY) or n_same < most_common:
            continue
        chance = -float(weights[apart] @ log_orders(data.patterns, len(data.positions))[apart])
        if chance > IMPOSSIBLE:
            continue
        order = " ≤ ".join(raters[:4]) if bool(rising[apart].all()) else " ≥ ".join(raters[:4])
        once = decimal(-chance / np.log(10), 0)
        yield serious(
            kind="sorted-slots",
            seen=f"The judgements are sorted: {order} in every one of the {counted(n_apart, 'unit')} on which raters "
            f"differ ({counted(n_same, 'unit')} are unanimous).",
            sure=f"People would come out in this order by accident once in 10^{once} studies.",
            advice="The columns are places, not people. Statistics about raters (kappa, correlations, who is stricter) "
            "are refused; pi, Fleiss and alpha are not affected. If the columns truly are raters, say --trust-raters.",
            evidence={"n_apart": n_apart, "n_unanimous": n_same, "log_chance": chance},
            question=part.question,
            raters=raters,
        )


def log_orders(patterns: Patterns, n_categories: int) -> Floats:
    """For each pattern the logarithm of the number of ways to arrange its values: m! / (n_1! n_2! …)."""
    from scipy.special import gammaln

    key, times = np.unique(patterns.pattern * n_categories + patterns.code, return_counts=True)
    same = np.bincount(key // n_categories, weights=gammaln(times + 1), minlength=len(patterns.weights))
    return np.asarray(gammaln(patterns.sizes + 1) - same)


def anonymous_slots(case: Case) -> Iterator[Finding]:
    """Units have different numbers of judgements, and they always fill the slots from the first on."""
    for part in case.parts:
        k = len(part.tally.raters)
        if not 3 <= k <= MOST_SLOTS:
            continue
        sizes, weights = part.tally.patterns.sizes, part.tally.patterns.weights
        n_filled = np.bincount(sizes, weights=weights, minlength=k + 1).astype(int)
        last = np.zeros(len(sizes), dtype=np.int64)
        np.maximum.at(last, part.tally.patterns.pattern, part.tally.patterns.rater)
        if (last + 1 == sizes).all() and int((n_filled >= 5).sum()) >= 3:
            shown = ", ".join(f"{n:,} with {size}" for size, n in enumerate(n_filled.tolist()) if n)
            yield serious(
                kind="anonymous-slots",
                seen=f"The columns {named(part.tally.raters)} are filled from the left: units have different numbers "
                f"of judgements ({shown}), and never one in a later column without one in every earlier column.",
                sure="Raters who judge different parts of the data leave gaps; this table has none.",
                advice="The columns are places, not people. Statistics about raters are refused; pi, Fleiss and alpha "
                "are not affected. If the columns truly are raters, say --trust-raters.",
                evidence={"n_filled": n_filled.tolist()},
                question=part.question,
                raters=part.tally.raters,
            )
