"""The alternative annotator test: does a model represent the other people at least as well as a person does?

For person h and unit u, with the other people's answers O, an answer v scores S(v), the nearer to O the better:

    d_u = [S(h) >= S(m)] - [S(m) >= S(h)]        1 the person stands nearer, -1 the model, 0 as near
    rho_h = mean of [S(m) >= S(h)]               H0: E d >= epsilon, by a t test over units (or clusters)

win rate: the share of people whose H0 is rejected (Benjamini-Yekutieli at q). It passes from one half on.
advantage: the mean of rho_h. Calderon, N., Reichart, R. & Dror, R. (2025). The alternative annotator test for
LLM-as-a-judge. ACL, 16051-16081. Who decides the verdict is asked by leaving every person out entirely.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.arrays import Floats
from concordant.diagnosis.material import count_pairs
from concordant.judging.panel import Codes, Judge, Panel, ToAll, is_answer
from concordant.model.scale import Level
from concordant.randomness import generator

EPSILONS = (0.0, 0.05, 0.1, 0.15, 0.2, 0.3)
EPSILON, Q, LEAST, PASSES = 0.1, 0.05, 30, 0.5
CROWD = "epsilon = 0.1, the authors' value for crowds (0.15 trained, 0.2 experts)"
TIE = 1e-9
FEWEST_COMMON = 10  # units of two people to say how they covary
DRAWS = 300


@dataclass(frozen=True, kw_only=True)
class HumanTest:
    """One person against the model; `difference` is the mean of d."""

    rater: str
    n_units: int
    advantage: float
    difference: float
    p: float
    wins: bool


@dataclass(frozen=True, kw_only=True)
class CurvePoint:
    """The win rate at one epsilon."""

    epsilon: float
    win_rate: float | None


@dataclass(frozen=True, kw_only=True)
class Signal:
    """How one person covaries with the others: mean tau-b (kappa without an order) over them, and its interval."""

    coefficient: str
    value: float
    low: float
    high: float

    @property
    def is_none(self) -> bool:
        """Whether nothing shows that the answers carry any signal."""
        return self.low <= 0


@dataclass(frozen=True, kw_only=True)
class Without:
    """The test without one person; a change no larger than that person's own vote is mechanical."""

    rater: str
    win_rate: float | None
    advantage: float | None
    passes: bool | None
    change: float | None
    is_mechanical: bool
    flips: bool
    suspect: bool
    signal: Signal | None = None


@dataclass(frozen=True, kw_only=True)
class AltTest:
    """The whole test; without a person who judged enough there is no win rate, and `reason` says so."""

    epsilon: float
    q: float
    least: int
    score: str
    win_rate: float | None
    advantage: float | None
    passes: bool | None
    smallest_epsilon: float | None
    humans: tuple[HumanTest, ...]
    curve: tuple[CurvePoint, ...]
    without: tuple[Without, ...]
    reason: str | None = None

    @property
    def deciding(self) -> tuple[Without, ...]:
        """Those without whom the verdict is another."""
        return tuple(one for one in self.without if one.flips)


class Nearer:
    """d for every answer of a person to a unit that the model and two people or more judged."""

    def __init__(self, panel: Panel, judge: Judge, expert: int | None = None) -> None:
        """Compare every person with the model, all others being there; or both with one expert alone."""
        self.panel, self.to_all, self.expert = panel, ToAll(panel), expert
        if expert is not None:
            self._beside_expert(judge, expert)
            return
        kept = is_answer(judge.answer)[panel.unit] & (panel.sizes[panel.unit] >= 2)
        self.unit, self.rater, self.value = panel.unit[kept], panel.rater[kept], panel.value[kept]
        self.model = judge.answer[self.unit]
        own = self.to_all.between(self.model, self.value)
        self.gap = self.to_all.total(self.unit, self.model) - own - self.to_all.total(self.unit, self.value)

    def _beside_expert(self, judge: Judge, expert: int) -> None:
        panel, mine = self.panel, self.panel.rater == expert
        told = np.full(len(panel.units), np.nan if panel.is_continuous else -1, dtype=panel.value.dtype)
        told[panel.unit[mine]] = panel.value[mine]
        kept = is_answer(judge.answer)[panel.unit] & is_answer(told)[panel.unit] & ~mine
        self.unit, self.rater, self.value = panel.unit[kept], panel.rater[kept], panel.value[kept]
        self.model, truth = judge.answer[self.unit], told[self.unit]
        self.gap = self.to_all.between(self.model, truth) - self.to_all.between(self.value, truth)

    def without(self, human: int) -> "Tested":
        """What is left if one person is neither tested nor among the others."""
        if self.expert is not None:
            left = self.rater != human
            return Tested(self.panel, self.unit[left], self.rater[left], self.gap[left])
        said = np.full(len(self.panel.units), np.nan if self.panel.is_continuous else -1, dtype=self.value.dtype)
        mine = self.panel.rater == human
        said[self.panel.unit[mine]] = self.panel.value[mine]
        theirs = said[self.unit]
        was_there = is_answer(theirs)
        kept = (self.rater != human) & (self.panel.sizes[self.unit] - was_there >= 2)
        gap = self.gap[kept]
        changed = was_there[kept]
        at = np.flatnonzero(kept)[changed]
        gap[changed] -= self.to_all.between(self.model[at], theirs[at]) - self.to_all.between(
            self.value[at], theirs[at]
        )
        return Tested(self.panel, self.unit[kept], self.rater[kept], gap)

    def with_all(self) -> "Tested":
        """With everybody."""
        return Tested(self.panel, self.unit, self.rater, self.gap)


class Tested:
    """Means of d by person, over units or clusters: all that the tests need."""

    def __init__(self, panel: Panel, unit: Codes, rater: Codes, gap: Floats) -> None:
        """Sum d by person."""
        self.size, d = len(panel.humans), np.where(np.abs(gap) < TIE, 0.0, np.sign(gap))
        self.n_units = np.bincount(rater, minlength=self.size)
        n = np.maximum(self.n_units, 1)
        self.rho = np.bincount(rater, d <= 0, minlength=self.size) / n
        self.difference = np.bincount(rater, d, minlength=self.size) / n
        self.of: tuple[Codes, Floats] = (rater, d)
        if panel.clusters is not None:
            key = rater * (int(panel.clusters.max(initial=0)) + 1) + panel.clusters[unit]
            used, place = np.unique(key, return_inverse=True)
            means = np.bincount(place.reshape(-1), d) / np.bincount(place.reshape(-1))
            self.of = used // (int(panel.clusters.max(initial=0)) + 1), means
        who, values = self.of
        self.n = np.bincount(who, minlength=self.size)
        total = np.bincount(who, values, minlength=self.size)
        self.mean = total / np.maximum(self.n, 1)
        squares = np.bincount(who, (values - self.mean[who]) ** 2, minlength=self.size)
        self.error = np.sqrt(squares / np.maximum(self.n - 1, 1) / np.maximum(self.n, 1))

    def p_values(self, tested: Codes, epsilon: float) -> Floats:
        """P of each person's H0; below 30 units by Wilcoxon's signed ranks."""
        from scipy.special import stdtr

        mean, error, n = self.mean[tested], self.error[tested], self.n[tested]
        t = np.divide(mean - epsilon, error, out=np.zeros(len(tested)), where=error > 0)
        p = np.where(error > 0, stdtr(np.maximum(n - 1, 1), t), (mean >= epsilon).astype(float))
        for i in np.flatnonzero((n < LEAST) & (error > 0)).tolist():
            from scipy.stats import wilcoxon  # slow to import

            p[i] = float(wilcoxon(self.of[1][self.of[0] == tested[i]] - epsilon, alternative="less").pvalue)
        return p

    def outcome(self, epsilon: float, q: float, least: int) -> tuple[Codes, Floats, NDArray[np.bool_]]:
        """Who was tested, the p of each, and whom the model wins over."""
        tested = np.flatnonzero(self.n_units >= least)
        p = self.p_values(tested, epsilon)
        return tested, p, rejected(p, q)

    def win_rate(self, epsilon: float, q: float, least: int) -> float | None:
        """The share of people over whom the model wins."""
        wins = self.outcome(epsilon, q, least)[2]
        return float(wins.mean()) if len(wins) else None

    def advantage(self, least: int) -> float | None:
        """The mean of rho over the people who are tested."""
        tested = self.n_units >= least
        return float(self.rho[tested].mean()) if tested.any() else None


def rejected(p: Floats, q: float) -> NDArray[np.bool_]:
    """Benjamini & Yekutieli (2001), valid under any dependence.

    >>> rejected(np.array([0.001, 0.2, 0.01]), 0.05).tolist()
    [True, False, True]
    """
    m, order = len(p), np.argsort(p, kind="stable")
    limits = np.arange(1, m + 1) * q / (m * (1 / np.arange(1, m + 1)).sum()) if m else np.zeros(0)
    below = np.flatnonzero(p[order] <= limits)
    found = np.zeros(m, dtype=bool)
    found[order[: below[-1] + 1 if len(below) else 0]] = True
    return found


def alt_test(
    panel: Panel, judge: Judge, *, epsilon: float, q: float, least: int, seed: int = 1, expert: int | None = None
) -> AltTest:
    """The test with everybody, its curve over epsilon, and without each person; or beside one `expert` alone."""
    nearer = Nearer(panel, judge, expert)
    tested = nearer.with_all()
    who, p, wins = tested.outcome(epsilon, q, least)
    score = {Level.NOMINAL: "accuracy", Level.SET: "masi"}.get(panel.scale.level, "rmse")
    settings: dict[str, Any] = {"epsilon": epsilon, "q": q, "least": least, "score": score}
    if not len(who):
        why = f"nobody judged {least} units or more that two people and the model judged"
        return AltTest(**settings, win_rate=None, advantage=None, passes=None, smallest_epsilon=None, humans=(),
                       curve=(), without=(), reason=why)  # fmt: skip
    rate = float(wins.mean())
    grid = np.round(np.arange(0, 1.0001, 0.01), 2).tolist()
    smallest = next((e for e in grid if (tested.win_rate(e, q, least) or 0.0) >= PASSES), None)
    columns = (who.tolist(), p.tolist(), wins.tolist())
    return AltTest(
        **settings,
        win_rate=rate,
        advantage=tested.advantage(least),
        passes=rate >= PASSES,
        smallest_epsilon=smallest,
        humans=tuple(
            HumanTest(
                rater=panel.humans[h],
                n_units=int(tested.n_units[h]),
                advantage=float(tested.rho[h]),
                difference=float(tested.difference[h]),
                p=one,
                wins=won,
            )
            for h, one, won in zip(*columns, strict=True)
        ),
        curve=tuple(CurvePoint(epsilon=e, win_rate=tested.win_rate(e, q, least)) for e in EPSILONS),
        without=_without_each(nearer, rate, settings, seed) if len(panel.humans) > 2 else (),
    )


def _without_each(nearer: Nearer, rate: float, settings: dict[str, Any], seed: int) -> tuple[Without, ...]:
    """Everybody left out in turn, those who change the win rate most first; who flips the verdict is looked at."""
    panel, found = nearer.panel, []
    epsilon, q, least = settings["epsilon"], settings["q"], settings["least"]
    for human, name in enumerate(panel.humans):
        if human == nearer.expert:
            continue
        tested = nearer.without(human)
        other = tested.win_rate(epsilon, q, least)
        flips = other is not None and (other >= PASSES) != (rate >= PASSES)
        signal = signal_of(panel, human, seed) if flips else None
        change = None if other is None else other - rate
        found.append(
            Without(
                rater=name,
                win_rate=other,
                advantage=tested.advantage(least),
                passes=None if other is None else other >= PASSES,
                change=change,
                is_mechanical=change is not None and abs(change) <= 1 / len(panel.humans) + TIE,
                flips=flips,
                suspect=signal is not None and signal.is_none,
                signal=signal,
            )
        )
    return tuple(sorted(found, key=lambda one: -abs(one.change or 0.0)))


def signal_of(panel: Panel, human: int, seed: int = 1) -> Signal | None:
    """How one person covaries with the others on common units, on average; units are resampled."""
    codes, size = _few_codes(panel)
    answers = np.full((len(panel.humans), len(panel.units)), -1, dtype=np.int64)
    answers[panel.rater, panel.unit] = codes
    mine = np.flatnonzero(answers[human] >= 0)
    random = generator(seed, human)
    drawn = random.multinomial(len(mine), np.full(len(mine), 1 / len(mine)), size=DRAWS)
    weights = np.vstack([np.ones(len(mine)), drawn])
    name, coefficient = ("tau-b", tau_b) if panel.is_ordered else ("kappa", plain_kappa)
    found = []
    for other in range(len(panel.humans)):
        both = answers[other, mine] >= 0
        if other != human and both.sum() >= FEWEST_COMMON:
            cell = answers[human, mine[both]] * size + answers[other, mine[both]]
            one_hot = count_pairs(np.arange(len(cell)), cell, (len(cell), size * size)).astype(np.float64)
            found.append(coefficient((weights[:, both] @ one_hot).reshape(-1, size, size)))
    if not found:
        return None
    values = np.nanmean(np.vstack(found), axis=0)
    low, high = np.nanquantile(values[1:], [0.025, 0.975])
    return Signal(coefficient=name, value=float(values[0]), low=float(low), high=float(high))


def _few_codes(panel: Panel) -> tuple[Codes, int]:
    """Answers as a few codes: categories as they are, many numbers in ten groups of one size."""
    if not panel.is_continuous:
        return panel.value, len(panel.scale.categories)
    limits = np.quantile(panel.value, np.arange(1, 10) / 10)
    return np.searchsorted(limits, panel.value), 10


def tau_b(tables: Floats) -> Floats:
    """Kendall's tau-b of contingency tables, (…, K, K); NaN where one side is constant."""
    n = tables.sum(axis=(-2, -1))
    below = np.cumsum(np.cumsum(tables[..., ::-1, ::-1], axis=-2), axis=-1)[..., ::-1, ::-1]
    above = np.cumsum(np.cumsum(tables[..., ::-1, :], axis=-2), axis=-1)[..., ::-1, :]
    concordant = (tables[..., :-1, :-1] * below[..., 1:, 1:]).sum(axis=(-2, -1))
    discordant = (tables[..., :-1, 1:] * above[..., 1:, :-1]).sum(axis=(-2, -1))
    pairs = n * (n - 1) / 2
    ties = [(side * (side - 1) / 2).sum(axis=-1) for side in (tables.sum(axis=-1), tables.sum(axis=-2))]
    scale = np.sqrt(np.maximum(pairs - ties[0], 0) * np.maximum(pairs - ties[1], 0))
    return np.asarray(np.divide(concordant - discordant, scale, out=np.full(n.shape, np.nan), where=scale > 0))


def plain_kappa(tables: Floats) -> Floats:
    """Cohen's kappa of contingency tables, (…, K, K); NaN where chance alone agrees always."""
    n = tables.sum(axis=(-2, -1))
    observed = np.trace(tables, axis1=-2, axis2=-1) / n
    expected = (tables.sum(axis=-1) * tables.sum(axis=-2)).sum(axis=-1) / n**2
    return np.asarray(np.divide(observed - expected, 1 - expected, out=np.full(n.shape, np.nan), where=expected < 1))


def sequence_of(texts: Sequence[str]) -> str:
    """Names as a sentence lists them.

    >>> sequence_of(["a", "b", "c"])
    'a, b and c'
    """
    return texts[0] if len(texts) == 1 else f"{', '.join(texts[:-1])} and {texts[-1]}"
