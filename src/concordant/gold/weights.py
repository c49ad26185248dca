"""How much each feature counts: weights from preference pairs (SAILS 4.3), with a logistic model beside.

    net of a feature     times it is with the preferred response - times with the other; "same" left out
    weight               net / sum of all nets

Weights are rounded so that they sum to exactly 1 (largest remainders). Intervals come from a bootstrap over pairs. Nets
count a feature even where its absence and presence are tied up with others'; the logistic (Bradley-Terry) model

    P(A preferred) = 1 / (1 + exp(-(s + sum_f b_f (A_f - B_f))))

separates them and shows with s whether the slot alone attracts. Its weights are b_f / sum of b.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from concordant.arrays import Floats
from concordant.errors import InputError, MissingExtra, nearest
from concordant.gold.cells import in_numbers, numbers, refusal
from concordant.measures.chance_corrected import fleiss
from concordant.measures.kappas import kappa
from concordant.measures.result import Agreement, Interval
from concordant.model.columns import Column
from concordant.model.judgements import Judgements
from concordant.model.scale import as_numbers
from concordant.model.tabular import TabularResult
from concordant.randomness import generator
from concordant.readers.data import any_table
from concordant.readers.study_folder import is_study
from concordant.readers.table import Table
from concordant.uncertainty.estimate import measure
from concordant.uncertainty.request import check_resampling

CHOICES = {"a": 1, "b": -1, "same": 0, "unsure": 0, "same/unsure": 0}


@dataclass(frozen=True, kw_only=True, eq=False)
class Preferences:
    """One row per decision: 1 for A, -1 for B, 0 for same; the features of both responses."""

    features: tuple[str, ...]
    pair: Column
    rater: Column | None
    choice: NDArray[np.int64]
    first: Floats  # decisions × features, of response A
    second: Floats
    units: tuple[Column, Column] | None = None  # which responses A and B are, where the source says so

    def by(self, rater: str) -> Self:
        """The decisions of one rater."""
        if self.rater is None:
            raise InputError("the pairs have no column 'rater'", hint="leave out --only")
        if rater not in self.rater.labels:
            raise InputError(f"there is no rater {rater!r}", hint=nearest(rater, tuple(self.rater.labels)))
        rows = self.rater.codes == list(self.rater.labels).index(rater)
        first, second = self.first[rows], self.second[rows]
        pair, own = self.pair.take(rows), self.rater.take(rows)
        units = None if self.units is None else (self.units[0].take(rows), self.units[1].take(rows))
        return replace(self, pair=pair, rater=own, choice=self.choice[rows], first=first, second=second, units=units)

    @property
    def preferred(self) -> Floats:
        """The features of the preferred response, one row per decision that is not same."""
        return np.asarray(np.where((self.choice > 0)[:, None], self.first, self.second)[self.choice != 0])

    @property
    def dispreferred(self) -> Floats:
        """The features of the other response."""
        return np.asarray(np.where((self.choice > 0)[:, None], self.second, self.first)[self.choice != 0])


SHOWN = ("unit", "text")  # columns A_unit, A_text of an export: the response itself, not a feature of it


def read_preferences(source: Any, features: Sequence[str] | None = None) -> Preferences:
    """Columns pair, choice (A, B or same) and A_<feature>, B_<feature> for every feature; perhaps rater.

    Or the folder of a preference test, whose plan says which features there are; or what was read already.
    """
    if isinstance(source, Preferences):
        return _chosen(source, features)
    if isinstance(source, str | Path) and is_study(source):
        return _chosen(_collected(source), features)
    table = any_table(source)
    names = {name.casefold(): name for name in table.names}
    for needed in ("pair", "choice"):
        if needed not in names:
            table.expect(needed)
    found = tuple(features) if features else feature_names(table)
    first, second = (np.column_stack([_of_both(table, slot, name) for name in found]) for slot in "AB")
    return Preferences(
        features=found,
        pair=table.column(names["pair"]).as_labels(),
        rater=table.column(names["rater"]).as_labels() if "rater" in names else None,
        choice=_choices(table, names["choice"]),
        first=first,
        second=second,
        units=_sides(table),
    )


def _sides(table: Table) -> tuple[Column, Column] | None:
    """Which responses the two are, if the table says so."""
    names = ("A_unit", "B_unit")
    return (table.column(names[0]), table.column(names[1])) if set(names) <= set(table.names) else None


def _collected(path: str | Path) -> Preferences:
    """The decisions in a study's log."""
    try:
        from concordant.gold.settled import open_settled, preferences_of
    except ModuleNotFoundError as error:
        raise MissingExtra("reading a study's log", "web") from error
    settled = open_settled(path)
    return preferences_of(settled.study, settled.raters)


def _chosen(data: Preferences, features: Sequence[str] | None) -> Preferences:
    """Only these features, in their order."""
    if features is None:
        return data
    if unknown := next((name for name in features if name not in data.features), None):
        raise InputError(f"there is no feature {unknown!r}", hint=nearest(unknown, data.features))
    places = [data.features.index(name) for name in features]
    return replace(data, features=tuple(features), first=data.first[:, places], second=data.second[:, places])


def feature_names(table: Table) -> tuple[str, ...]:
    """The features: every name that has both an A_ and a B_ column, but for those that say what was shown."""
    named = {slot: [name[2:] for name in table.names if name.startswith(f"{slot}_")] for slot in "AB"}
    found = {slot: [name for name in names if name not in SHOWN] for slot, names in named.items()}
    lone = sorted(set(found["A"]) ^ set(found["B"]))
    if lone:
        slot = "B" if lone[0] in found["A"] else "A"
        raise InputError(f"there is no column {slot}_{lone[0]}", file=table.file, hint="every feature needs A_ and B_")
    # an attribute in words, such as the group of a speaker, is not a feature: some cell must be a number
    columns = {name: [table.column(f"{slot}_{name}") for slot in "AB"] for name in found["A"]}
    features = tuple(
        name
        for name, both in columns.items()
        if any(c.numbers is not None or any(as_numbers([label]) is not None for label in c.labels) for c in both)
    )
    if not features:  # answers of raters: yes and no
        words = {name: [label for c in both for label in c.labels] for name, both in columns.items()}
        features = tuple(name for name, labels in words.items() if labels and in_numbers(labels) is not None)
    if not features:
        raise InputError("no features were found", file=table.file, hint="name their columns A_core and B_core")
    return features


def _of_both(table: Table, slot: str, name: str) -> Floats:
    """A feature of A or of B; yes and no on one side need them on the other."""
    own, words = f"{slot}_{name}", [table.column(f"{one}_{name}").labels for one in "AB"]
    is_worded = [bool(labels) and as_numbers(labels) is None for labels in words]
    if is_worded[slot == "B"] and not all(is_worded):
        row = int(np.argmax(table.column(own).codes >= 0))
        raise refusal(
            table, f"{table.column(own).text()[row]!r} is not a number", row, own, "as the other response has"
        )
    return numbers(table, own)


def _choices(table: Table, name: str) -> NDArray[np.int64]:
    """A, B or same as 1, -1, 0."""
    column = table.column(name).as_labels()
    codes = [CHOICES.get(str(label).strip().casefold()) for label in column.labels]
    bad = next((i for i, code in enumerate(codes) if code is None), None)
    if bad is not None or column.n_blank:
        row = int(np.argmax(column.codes == (-1 if bad is None else bad)))
        what = "the choice is blank" if bad is None else f"the choice {column.labels[bad]!r} is unknown"
        raise refusal(table, what, row, name, "use A, B or same")
    return np.asarray(np.array(codes, dtype=np.int64)[column.codes])


def differences(data: Preferences) -> tuple[Floats, NDArray[np.bool_]]:
    """A minus B for each decision that is not same, and whether A was preferred: what a logistic model sees."""
    decided = data.choice != 0
    return (data.first - data.second)[decided], data.choice[decided] > 0


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


@dataclass(frozen=True, kw_only=True, repr=False)
class Weights(TabularResult):
    """All features; `reason` says why there are no weights. `agreement` is that of the raters on the choices."""

    COLUMNS: ClassVar = {key: key for key in ("feature", "preferred", "dispreferred", "net", "rounded", "logistic")}

    features: tuple[FeatureWeight, ...]
    n_decisions: int
    n_same: int
    total_net: float
    slot: float | None = None
    agreement: Agreement | None = None
    notes: tuple[str, ...] = ()
    reason: str | None = None
    seed: int | None = None

    def __repr__(self) -> str:
        """The rounded weights."""
        told = ", ".join(f"{name} {weight}" for name, weight in self.as_mapping().items()) or f"none: {self.reason}"
        return f"<weights from {self.n_decisions:,} decisions: {told}>"

    def rows(self) -> list[dict[str, Any]]:
        """One for each feature."""
        return [{key: value for key, value in vars(one).items() if key != "interval"} for one in self.features]

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


def weigh(
    pairs: Any,
    *,
    only: str | None = None,
    features: Sequence[str] | None = None,
    digits: int = 3,
    resamples: int = 2000,
    confidence: float = 0.95,
    seed: int = 1,
) -> Weights:
    """How much each feature counts, with bootstrap intervals and the logistic model beside.

    `pairs` are the folder of a preference test, or a file or data frame of preference pairs; `only` counts the
    decisions of one rater, `features` are those to weigh (else all that there are).
    """
    every = _chosen(pairs, features) if isinstance(pairs, Preferences) else read_preferences(pairs, features)
    data = every if only is None else every.by(only)
    check_resampling(confidence=confidence, resamples=resamples, seed=seed)
    preferred, dispreferred = data.preferred.sum(axis=0), data.dispreferred.sum(axis=0)
    counts = {f: (float(p), float(d)) for f, p, d in zip(data.features, preferred, dispreferred, strict=True)}
    total = float((preferred - dispreferred).sum())
    intervals, notes = _bootstrap(data, resamples=resamples, confidence=confidence, seed=seed)
    model = fit_logistic(*differences(data))
    agreement, more = rater_agreement(data)
    slopes = model.coefficients[1:]
    strengths = [None] * len(counts) if model.reason else slopes.tolist()
    shares = (slopes / slopes.sum()).tolist() if slopes.sum() > 0 else [None] * len(counts)
    columns = (weights_from_counts(counts, digits=digits), intervals, shares, strengths)
    weighed = (
        replace(one, interval=interval, logistic=share, logistic_coefficient=strength)
        for one, interval, share, strength in zip(*columns, strict=True)
    )
    return Weights(
        features=tuple(weighed),
        n_decisions=len(data.choice),
        n_same=int((data.choice == 0).sum()),
        total_net=total,
        slot=None if model.reason else float(model.coefficients[0]),
        agreement=agreement,
        notes=(*notes, *more, *([f"no logistic model: {model.reason}"] if model.reason else [])),
        reason=None if total > 0 else "the nets do not sum to more than 0, so shares of them mean nothing",
        seed=seed,
    )


def weigh_by_rater(pairs: Any, **how: Any) -> dict[str | None, Weights]:
    """The weights from all decisions (None), then those of each rater alone; `how` as `weigh` takes it."""
    data = pairs if isinstance(pairs, Preferences) else read_preferences(pairs, how.pop("features", None))
    if data.rater is None:
        raise InputError("the pairs have no column 'rater'", hint="leave out --by-rater")
    return {rater: weigh(data, only=rater, **how) for rater in (None, *map(str, data.rater.labels))}


def _bootstrap(
    data: Preferences, *, resamples: int, confidence: float, seed: int
) -> tuple[Sequence[Interval | None], list[str]]:
    """Percentile intervals of the weights; whole pairs are drawn, with all decisions about them."""
    n_pairs = len(data.pair.labels)
    by_pair = np.zeros((n_pairs, len(data.features)))
    np.add.at(by_pair, data.pair.codes[data.choice != 0], data.preferred - data.dispreferred)
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
    return [Interval(low=low, high=high, level=confidence, method=method) for low, high in ends.T.tolist()], []


@dataclass(frozen=True, kw_only=True, eq=False)
class Logistic:
    """Coefficients (the slot first), or the reason why there are none."""

    coefficients: Floats = field(default_factory=lambda: np.zeros(0))
    reason: str | None = None


def fit_logistic(difference: Floats, is_first: NDArray[np.bool_]) -> Logistic:
    """Maximum likelihood by Newton's method; perfect separation has no maximum and is said."""
    if not len(difference) or is_first.all() or not is_first.any():
        return Logistic(reason="the same slot is preferred in every pair")
    x = np.column_stack([np.ones(len(difference)), difference])
    if np.linalg.matrix_rank(x) < x.shape[1]:
        return Logistic(reason="the features cannot be told apart in these pairs")
    beta = np.zeros(x.shape[1])
    for _ in range(MOST_STEPS):
        p = 1 / (1 + np.exp(-(x @ beta)))
        information = (x * (p * (1 - p))[:, None]).T @ x
        step = np.linalg.solve(information + CLOSE * np.eye(len(beta)), x.T @ (is_first - p))
        beta = beta + step
        if np.abs(beta).max() > FAR:
            return Logistic(reason="some features decide every pair")
        if np.abs(step).max() < CLOSE:
            break
    return Logistic(coefficients=beta)


def rater_agreement(data: Preferences) -> tuple[Agreement | None, list[str]]:
    """Kappa of the choices of pairs that two raters or more decided."""
    if data.rater is None or len(data.rater.labels) < 2:
        return None, []
    choices = np.array(["B", "same", "A"], dtype=object)[data.choice + 1]
    judged = Judgements.from_rows(
        data.pair.text(), data.rater.text(), choices, level="nominal", categories=["A", "B", "same"]
    )
    result = measure(judged, (kappa if len(data.rater.labels) == 2 else fleiss).key, ci="jackknife", seed=0)
    return result, [
        "the kappa of choices depends on how the slots A and B were coded: swapping them in some pairs changes chance"
    ]
