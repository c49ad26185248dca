"""How much each feature counts: weights from preference pairs (SAILS 4.3), with a logistic model beside.

    net of a feature     times it is with the preferred response - times with the other; "same" left out
    weight               net / sum of all nets

Weights are rounded so that they sum to exactly 1 (largest remainders). Intervals come from a bootstrap over pairs. Nets
count a feature even where its absence and presence are tied up with others'; the logistic (Bradley-Terry) model

    P(A preferred) = 1 / (1 + exp(-(s + sum_f b_f (A_f - B_f))))

separates them and shows with s whether the slot alone attracts. Its weights are b_f / sum of b.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assent.arrays import Floats
from assent.gold.preferences import Preferences, differences
from assent.measures.result import Agreement, Interval
from assent.model.judgements import Judgements
from assent.randomness import generator
from assent.uncertainty.estimate import measure
from assent.uncertainty.request import check_resampling

MOST_STEPS = 50
CLOSE = 1e-10
FAR = 20.0  # a coefficient this large means that the feature decides every pair


@dataclass(frozen=True, kw_only=True)
class FeatureWeight:
    """One feature: counts, net, exact weight, the weight as printed, its interval, and the logistic model's."""

    feature: str
    preferred: float
    dispreferred: float
    net: float
    weight: float | None
    rounded: str | None
    interval: Interval | None = None
    logistic: float | None = None
    logistic_coefficient: float | None = None


@dataclass(frozen=True, kw_only=True)
class Weights:
    """All features; `reason` says why there are no weights. `agreement` is that of the raters on the choices."""

    features: tuple[FeatureWeight, ...]
    n_decisions: int
    n_same: int
    total_net: float
    slot: float | None = None
    agreement: Agreement | None = None
    notes: tuple[str, ...] = ()
    reason: str | None = None
    seed: int | None = None

    def as_mapping(self) -> dict[str, float]:
        """The rounded weights, which sum to exactly 1."""
        return {one.feature: float(one.rounded) for one in self.features if one.rounded is not None}


def round_to_one(weights: Sequence[float], *, digits: int = 3) -> tuple[str, ...]:
    """Round shares so that they sum to exactly 1: the largest remainders are rounded up.

    >>> round_to_one([1 / 3, 1 / 3, 1 / 3])
    ('0.334', '0.333', '0.333')
    """
    scaled = np.asarray(weights, dtype=np.float64) * 10**digits
    floor = np.floor(scaled + 1e-9)
    lacking = round(10**digits - floor.sum())
    order = np.argsort(-(scaled - floor), kind="stable")
    floor[order[:lacking]] += 1
    return tuple(f"{value / 10**digits:.{digits}f}" for value in floor)


def weights_from_counts(counts: Mapping[str, tuple[float, float]], *, digits: int = 3) -> tuple[FeatureWeight, ...]:
    """Weights from (preferred, dispreferred) counts; None where the nets do not sum to more than 0."""
    nets = np.array([preferred - dispreferred for preferred, dispreferred in counts.values()])
    total = float(nets.sum())
    exact = [float(net / total) for net in nets] if total > 0 else [None] * len(nets)
    rounded = round_to_one([w for w in exact if w is not None], digits=digits) if total > 0 else [None] * len(nets)
    return tuple(
        FeatureWeight(feature=name, preferred=one, dispreferred=two, net=one - two, weight=weight, rounded=text)
        for (name, (one, two)), weight, text in zip(counts.items(), exact, rounded, strict=True)
    )


def feature_weights(
    data: Preferences, *, digits: int = 3, resamples: int = 2000, confidence: float = 0.95, seed: int = 1
) -> Weights:
    """Weights with bootstrap intervals, and the logistic model beside."""
    check_resampling(confidence=confidence, resamples=resamples, seed=seed)
    preferred, dispreferred = data.preferred.sum(axis=0), data.dispreferred.sum(axis=0)
    counts = {f: (float(p), float(d)) for f, p, d in zip(data.features, preferred, dispreferred, strict=True)}
    plain = weights_from_counts(counts, digits=digits)
    total = float((preferred - dispreferred).sum())
    intervals, notes = _bootstrap(data, resamples=resamples, confidence=confidence, seed=seed)
    model = fit_logistic(*differences(data))
    agreement, more = rater_agreement(data)
    return Weights(
        features=tuple(_complete(one, intervals[i], model, i) for i, one in enumerate(plain)),
        n_decisions=len(data.choice),
        n_same=int((data.choice == 0).sum()),
        total_net=total,
        slot=None if model.reason else float(model.coefficients[0]),
        agreement=agreement,
        notes=(*notes, *more, *([f"no logistic model: {model.reason}"] if model.reason else [])),
        reason=None if total > 0 else "the nets do not sum to more than 0, so shares of them mean nothing",
        seed=seed,
    )


def _complete(one: FeatureWeight, interval: Interval | None, model: "Logistic", i: int) -> FeatureWeight:
    """A feature with its interval and the model's weight."""
    if model.reason:
        return FeatureWeight(**{**vars(one), "interval": interval})
    slopes = model.coefficients[1:]
    share = float(slopes[i] / slopes.sum()) if slopes.sum() > 0 else None
    more: dict[str, Any] = {"interval": interval, "logistic": share, "logistic_coefficient": float(slopes[i])}
    return FeatureWeight(**{**vars(one), **more})


def _bootstrap(
    data: Preferences, *, resamples: int, confidence: float, seed: int
) -> tuple[list[Interval | None], list[str]]:
    """Percentile intervals of the weights; whole pairs are drawn, with all decisions about them."""
    decided = data.choice != 0
    pair = data.pair.codes[decided]
    by_pair = np.zeros((len(data.pair.labels), len(data.features)))
    np.add.at(by_pair, pair, data.preferred - data.dispreferred)
    n_pairs = len(by_pair)
    if n_pairs < 2:
        return [None] * len(data.features), ["one pair cannot be resampled, so there are no intervals"]
    drawn = generator(seed).multinomial(n_pairs, np.full(n_pairs, 1 / n_pairs), size=resamples)
    nets = drawn @ by_pair
    total = nets.sum(axis=1)
    usable = total > 0
    if usable.mean() < 0.9:
        return [None] * len(data.features), ["in over a tenth of the resamples the nets sum to 0 or less: no intervals"]
    shares = nets[usable] / total[usable, None]
    ends = np.quantile(shares, [(1 - confidence) / 2, (1 + confidence) / 2], axis=0)
    method = f"percentile bootstrap over {n_pairs:,} pairs, {resamples:,} resamples"
    made: list[Interval | None] = [
        Interval(low=float(low), high=float(high), level=confidence, method=method) for low, high in ends.T
    ]
    return made, []


@dataclass(frozen=True, kw_only=True, eq=False)
class Logistic:
    """Coefficients (the slot first) with standard errors, or the reason why there are none."""

    coefficients: Floats
    errors: Floats
    reason: str | None = None


def fit_logistic(difference: Floats, is_first: NDArray[np.bool_]) -> Logistic:
    """Maximum likelihood by Newton's method; perfect separation has no maximum and is said."""
    nothing = np.zeros(0)
    if not len(difference) or is_first.all() or not is_first.any():
        return Logistic(coefficients=nothing, errors=nothing, reason="the same slot is preferred in every pair")
    x = np.column_stack([np.ones(len(difference)), difference])
    if np.linalg.matrix_rank(x) < x.shape[1]:
        return Logistic(coefficients=nothing, errors=nothing, reason="the features cannot be told apart in these pairs")
    beta = np.zeros(x.shape[1])
    for _ in range(MOST_STEPS):
        p = 1 / (1 + np.exp(-(x @ beta)))
        information = (x * (p * (1 - p))[:, None]).T @ x
        step = np.linalg.solve(information + CLOSE * np.eye(len(beta)), x.T @ (is_first - p))
        beta = beta + step
        if np.abs(beta).max() > FAR:
            return Logistic(coefficients=nothing, errors=nothing, reason="some features decide every pair")
        if np.abs(step).max() < CLOSE:
            break
    return Logistic(coefficients=beta, errors=np.sqrt(np.diag(np.linalg.inv(information))))


def rater_agreement(data: Preferences) -> tuple[Agreement | None, list[str]]:
    """Kappa of the choices of pairs that two raters or more decided."""
    if data.rater is None or len(data.rater.labels) < 2:
        return None, []
    choices = np.array(["B", "same", "A"], dtype=object)[data.choice + 1]
    judged = Judgements.from_rows(
        data.pair.text(), data.rater.text(), choices, level="nominal", categories=["A", "B", "same"]
    )
    result = measure(judged, "kappa" if len(data.rater.labels) == 2 else "fleiss", ci="jackknife", seed=0)
    return result, [
        "the kappa of choices depends on how the slots A and B were coded: swapping them in some pairs changes chance"
    ]
