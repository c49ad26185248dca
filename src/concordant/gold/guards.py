"""Guards of gold: is a class of a model of raters what its name says, and may its probabilities be believed?

Let m(c, d) be the chance that a unit of class c is called d, over raters weighted by their judgements. A class that
holds units is not its own name if

    row      a unit of c is most often called something else
    column   the answer c is likelier in another class
    names    other names fit the table better (the best permutation is not the identity: labels switched)
    votes    c is the most frequent answer of no unit

Gold with such a class is refused. Gold with one of the following doubts is given, and the doubt is said:

    starts   from other starts a likelier solution is found that gives over 2 % of the units another value
    scatter  votes within a class vary over twice as much as those of independent raters (10 raters a unit or more)
    prior    without the prior over 2 % of the units get another value
    few      no prior, and raters with fewer than 20 judgements: their tables of error rates are mostly noise
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from concordant.about import NAME
from concordant.arrays import Floats
from concordant.diagnosis.findings import Finding, Severity, named, serious, warning
from concordant.digits import counted, decimal, per_cent
from concordant.errors import InputError, nearest
from concordant.gold.rater_models import NO_PRIOR, Answers, Model, Posterior, Prior, learned, likeliest_start
from concordant.progress import Progress, part, silent

MOST_CHANGED = 0.02
LIKELIER = 1.0
MOST_SCATTER, MANY_VOTES = 2.0, 10
FEW_JUDGEMENTS = 20
LEAST_CONTROLS = 30
BINS = (0.0, 0.6, 0.8, 0.9, 0.95, 0.99, 1.0)
INDEPENDENT = "a probability holds if raters err independently of each other; units that mislead many are not seen"


def class_table(votes: Answers, found: Model) -> Floats:
    """m(c, d): the raters' tables of error rates, weighted by how much each of them judged."""
    return np.asarray(np.einsum("r,rcd->cd", votes.by_rater / votes.by_rater.sum(), found.errors))


def misnamed_classes(votes: Answers, found: Model, *, by_votes_only: bool = False) -> tuple[Finding, ...]:
    """Every class that holds units and is not what its name says; a refusal for each.

    Classes without units do no harm. Of MACE only the votes are asked: its classes are tied to their names.
    """
    from scipy.optimize import linear_sum_assignment  # slow to import

    n_given, largest, leads = _given(votes, found)
    held = np.nonzero(n_given[found.truths] > 0)[0]
    places = found.truths[held]
    table = class_table(votes, found)[held]
    own = np.log(table[:, places] + 1e-12)
    renamed = linear_sum_assignment(-own)[1] != np.arange(len(held))
    findings = []
    for i, c in enumerate(places.tolist()):
        fired = {
            "row": table[i].argmax() != c,
            "column": table[:, c].argmax() != i,
            "names": bool(renamed[i]),
            "votes": not leads[c],
        }
        guards = [name for name, is_so in fired.items() if is_so and (name == "votes" or not by_votes_only)]
        if guards:
            told = _misnamed(votes, places, table, i, guards)
            would = f"{n_given[c]:,} of {counted(votes.n_units, 'unit')} would become {votes.categories[c]}"
            if "votes" in guards:
                would += f", which no unit's raters chose more than {per_cent(float(largest[c]))} of the time"
            findings.append(
                serious(
                    kind="misnamed-class",
                    seen=f"{told}; {would}.",
                    sure=f"Guards: {', '.join(guards)}.",
                    advice=_way_out(votes, found, c),
                    evidence={
                        "class": votes.categories[c],
                        "guards": guards,
                        "called": dict(zip(votes.categories, table[i].tolist(), strict=True)),
                        "n_units": int(n_given[c]),
                        "largest_share": float(largest[c]),
                    },
                )
            )
    return tuple(findings)


def _given(votes: Answers, found: Model) -> tuple[NDArray[np.int64], Floats, NDArray[np.bool_]]:
    """Of each category: how many units get it, its largest share of a unit's votes, and whether it leads anywhere."""
    size = len(votes.categories)
    n_given, largest, leads = np.zeros(size), np.zeros(size), np.zeros(size, dtype=bool)
    for kinds in votes.pieces():
        shares = kinds.shares
        n_given += np.bincount(found.chances(kinds).argmax(axis=1), kinds.times, size)
        largest = np.maximum(largest, shares.max(axis=0, initial=0.0))
        leads |= (shares >= shares.max(axis=1, keepdims=True)).any(axis=0)
    return np.round(n_given).astype(np.int64), largest, leads


def _changed(votes: Answers, found: Model, other: Model) -> float:
    """The share of units that get another value from another fit."""
    differs = 0.0
    for kinds in votes.pieces():
        differs += float(kinds.times @ (found.chances(kinds).argmax(axis=1) != other.chances(kinds).argmax(axis=1)))
    return differs / votes.n_units


def _misnamed(votes: Answers, places: NDArray[np.int64], table: Floats, i: int, guards: Sequence[str]) -> str:
    """In which way a class is not its own name."""
    c, names = int(places[i]), votes.categories
    if "row" in guards:
        most = int(table[i].argmax())
        called = f"{names[c]} with probability {decimal(table[i, c])}, {names[most]} with {decimal(table[i, most])}"
        return f"{names[c]} is not its own name: a unit put there is called {called}"
    if "column" in guards:
        other = int(table[:, c].argmax())
        likelier = f"in units put to {names[places[other]]} ({decimal(table[other, c])}) than in its own"
        return f"{names[c]} is not its own name: the answer is likelier {likelier} ({decimal(table[i, c])})"
    if "names" in guards:
        return f"{names[c]} is not its own name: the classes fit the answers better under other names"
    return f"{names[c]} is given against the votes"


def _way_out(votes: Answers, found: Model, c: int) -> str:
    others = "--method votes, or soft labels (" + f"{NAME} perspectives)"
    only = f"--not-a-truth {votes.categories[c]}, " if len(found.truths) > 2 else ""
    return f"use {only}{others}"


def doubts(
    votes: Answers, found: Model, prior: Prior, *, seed: int = 1, progress: Progress = silent
) -> tuple[Finding, ...]:
    """What stands against believing a fit of Dawid & Skene whose classes are what their names say."""
    return tuple(
        one
        for one in (
            _other_start(votes, found, prior, seed, part(progress, 0, 2)),
            scatter_doubt(votes, found),
            _without_prior(votes, found, part(progress, 1, 2)) if prior != NO_PRIOR else _few_judgements(votes),
        )
        if one is not None
    )


def _other_start(votes: Answers, found: Model, prior: Prior, seed: int, progress: Progress) -> Finding | None:
    other = likeliest_start(votes, prior=prior, truths=found.truths, seed=seed, progress=progress)
    gain, changed = other.objective - found.objective, _changed(votes, found, other)
    if gain <= LIKELIER or changed <= MOST_CHANGED:
        return None
    return warning(
        kind="other-start",
        seen=f"From another start a likelier solution is found, and {per_cent(changed)} of the units change.",
        sure=f"Log-likelihood higher by {decimal(gain, 1)}; the values here start from the votes.",
        advice="take votes, or get more judgements: the data do not settle the gold",
        evidence={"gain": gain, "changed": changed},
    )


def scatter_ratio(votes: Answers, found: Model) -> float:
    """How much the number of votes for a unit's class varies, against what independent raters would (1)."""
    place = np.zeros(len(votes.categories), dtype=np.int64)
    place[found.truths] = np.arange(len(found.truths))
    seen, expected = 0.0, 0.0
    for kinds in votes.pieces():
        best, n = found.chances(kinds).argmax(axis=1)[kinds.row], kinds.said.data
        p = found.errors[kinds.rater, place[best], best]
        beyond = np.bincount(kinds.row, n * ((kinds.value == best) - p), minlength=len(kinds.times))
        seen += float(kinds.times @ beyond**2)
        expected += float((kinds.times[kinds.row] * n) @ (p * (1 - p)))
    return seen / max(expected, 1e-12)


def scatter_doubt(votes: Answers, found: Model) -> Finding | None:
    """Whether raters err together, so that probabilities are too sure; said with many raters a unit only."""
    ratio = scatter_ratio(votes, found)
    if ratio <= MOST_SCATTER or votes.by_rater.sum() < MANY_VOTES * votes.n_units:
        return None
    return warning(
        kind="scatter",
        seen=f"Within a class votes vary {decimal(ratio, 1)} times as much as those of independent raters would: "
        "raters are not independent given the class, and the probabilities are too sure.",
        sure="Sum of squares over units against the variance of independent votes.",
        advice=f"do not read probabilities as such; {NAME} perspectives shows what raters differ about",
        evidence={"ratio": ratio},
    )


def _without_prior(votes: Answers, found: Model, progress: Progress) -> Finding | None:
    plain = learned(votes, prior=NO_PRIOR, truths=found.truths, progress=progress)
    changed = _changed(votes, found, plain)
    flawed = [str(one.evidence["class"]) for one in misnamed_classes(votes, plain)]
    if changed <= MOST_CHANGED and not flawed:
        return None
    counts = {name: n for name, n in zip(votes.categories, _given(votes, plain)[0].tolist(), strict=True) if n}
    told = ", ".join(f"{n:,} {name}" for name, n in counts.items())
    worse = f"; there {named(flawed)} {'is' if len(flawed) == 1 else 'are'} not what the name says" if flawed else ""
    return warning(
        kind="prior",
        seen=f"Without the prior {per_cent(changed)} of the units get another value ({told}){worse}.",
        sure="Maximum likelihood on the same judgements.",
        advice="a gold that hangs on the prior is no gold: compare with --prior none and with votes",
        evidence={"changed": changed, "counts": counts, "misnamed": flawed},
    )


def _few_judgements(votes: Answers) -> Finding | None:
    few = [votes.raters[r] for r in np.nonzero((votes.by_rater > 0) & (votes.by_rater < FEW_JUDGEMENTS))[0].tolist()]
    if not few:
        return None
    return warning(
        kind="few-judgements",
        seen=f"{named(few)}: fewer than {FEW_JUDGEMENTS} judgements, and no prior.",
        sure="Tables of error rates from so few answers are mostly noise, and probabilities are too sure.",
        advice="votes may be better; or leave the usual prior",
        evidence={"raters": few},
    )


def refuse_misnamed(findings: Sequence[Finding], question: str | None) -> None:
    """No gold with a class that is not what its name says."""
    for one in findings:
        if one.severity is Severity.SERIOUS:
            where = f"{question}: " if question else ""
            raise InputError(where + one.seen.removesuffix("."), hint=f"{one.advice}; --accept-classes gives it anyway")


@dataclass(frozen=True, kw_only=True)
class CalibrationBin:
    """Control units whose value is about as probable: how probable on average, and how many are right."""

    low: float
    high: float
    n_units: int
    claimed: float
    right: float


@dataclass(frozen=True, kw_only=True)
class Calibration:
    """Probabilities against units whose truth is known; `error` is the mean difference, weighted by units."""

    n_units: int
    claimed: float
    right: float
    error: float
    bins: tuple[CalibrationBin, ...]


def calibration(found: Posterior, units: Sequence[str], truth: Mapping[str, str]) -> Calibration:
    """How often the chosen category is right among control units, by how probable it was said to be."""
    for unknown in sorted(set(truth.values()) - set(found.categories))[:1]:
        raise InputError(
            f"a control unit is {unknown!r}, which nobody answered", hint=nearest(unknown, found.categories)
        )
    known = np.array([unit in truth for unit in units])
    if known.sum() < LEAST_CONTROLS:
        what = f"{counted(int(known.sum()), 'control unit')} were judged"
        raise InputError(what, hint=f"{LEAST_CONTROLS} or more show whether probabilities hold")
    told = [truth[unit] for unit in units if unit in truth]
    top = found.probabilities.max(axis=1)[known]
    right = np.array([found.categories[c] for c in found.best[known].tolist()]) == np.array(told)
    place = np.clip(np.digitize(top, BINS) - 1, 0, len(BINS) - 2)
    bins = tuple(
        CalibrationBin(
            low=BINS[b],
            high=BINS[b + 1],
            n_units=int((place == b).sum()),
            claimed=float(top[place == b].mean()),
            right=float(right[place == b].mean()),
        )
        for b in np.unique(place).tolist()
    )
    gaps = sum(abs(one.claimed - one.right) * one.n_units for one in bins)
    n = int(known.sum())
    return Calibration(n_units=n, claimed=float(top.mean()), right=float(right.mean()), error=gaps / n, bins=bins)
