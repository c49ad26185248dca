"""Agreement on categories, corrected for chance: percent, S, pi, AC1, AC2 and Brennan-Prediger.

They share one observed agreement A_o (the mean over units of the share of rater pairs that agree) and,
but for percent, one formula:

    (A_o - A_e) / (1 - A_e)

They differ only in how they imagine raters who judge by chance, so each function is a model of chance.
Symbols follow Artstein & Poesio (2008): P(k) is the share of judgements in category k, K the number of
categories, w_ck how close two categories are (1 on the diagonal, else 0 without weights).
"""

from collections.abc import Callable
from functools import partial

import numpy as np

from concordant.arrays import Floats
from concordant.engines.views import Counts, ratio
from concordant.measures.benchmarks import KAPPA_SCALES
from concordant.measures.distance import asked_closeness, given_closeness, identity, partial_credit
from concordant.measures.spec import (
    ANY,
    NO_PAIR,
    OF_CATEGORIES,
    ORDERED,
    UNORDERED,
    Computed,
    Error,
    Needs,
    Parts,
    Setting,
    WithShares,
    WithWeight,
    WithWeights,
    corrected,
    measure,
)
from concordant.measures.standard_errors import category_shares, linearised, paired
from concordant.measures.usual import of_categories
from concordant.model.scale import Level


class Credit(WithWeight, WithWeights):
    """Options of observed agreement."""


class Shares(WithWeight, WithShares):
    """Options of chance by the categories' shares."""


class CreditShares(WithWeight, WithShares, WithWeights):
    """Options of both."""


ONE_DECLARED = "the scale has one category, so agreement by chance is 1"
ONE_CATEGORY = "all judgements are in one category, so agreement by chance is 1 and the formula is 0/0"
NOMINAL = Needs(suits=UNORDERED, missing="uses every pair")
WEIGHTED = Needs(suits=ORDERED | {Level.CIRCULAR, Level.SET}, missing="uses every pair")

of_counts = partial(measure, view="counts", reads_on=KAPPA_SCALES, ci=OF_CATEGORIES, usual=of_categories)


def observed_agreement(data: Counts, setting: Setting, closeness: Floats | None) -> Floats:
    """A_o: the mean over units with two judgements or more of their mean pair closeness.

    With `weight="judgements"` a unit counts by its number of judgements instead of once.
    """
    share = np.divide(data.agreeing(closeness), data.pairs, out=np.zeros_like(data.pairs), where=data.is_paired)
    counted = data if setting.options.weight == "units" else data.reweighted(data.weights * data.sizes)
    return counted.mean(share, only_paired=True)


def kept(data: Counts, setting: Setting) -> Counts:
    """The units that chance is made of: those with two judgements or more, or all of them with `shares="all"`."""
    return data if setting.options.shares == "all" else paired(data)


def shares(data: Counts, setting: Setting) -> Floats:
    """P(k): the mean over units of the share of their judgements in category k.

    Units with a single judgement count with `shares="all"` (Gwet 2014), otherwise not.
    """
    weights = kept(data, setting).weights
    per_judgement = weights / np.where(data.sizes > 0, data.sizes, 1.0)
    totals = data.reweighted(per_judgement).totals(only_paired=False)
    return ratio(totals, weights.sum(axis=-1, keepdims=True))


def _beyond(
    expected: Floats | float, data: Counts, setting: Setting, closeness: Floats | None, why: str = ONE_DECLARED
) -> Parts:
    """Observed agreement beyond what is expected; `why` is the reason where all is expected."""
    observed = observed_agreement(data, setting, closeness)
    reason = NO_PAIR if np.isnan(observed).any() else why
    return corrected(observed, np.broadcast_to(expected, observed.shape), why=reason)


def _error(
    found: Computed,
    closeness: Callable[[Setting], Floats],
    moves: Callable[[Counts, Setting, Floats], Floats] | None = None,
) -> Error:
    """Gwet's error. Where units move the expected agreement, `moves` gives the x_i of dA_e_i = 2 (x_i - A_e)."""
    counts, w = kept(found.data.counts, found.setting), closeness(found.setting)
    moved = 0.0 if moves is None else 2 * (moves(counts, found.setting, w) - found.expected)
    return linearised(found, counts, w, moved)


@measure(
    key="percent",
    name="Percentage agreement",
    cite=("artstein-poesio-2008",),
    kind="raw",
    needs=NOMINAL,
    view="counts",
    ci=OF_CATEGORIES,
    usual=of_categories,
    options=Credit,
    recommended={Level.NOMINAL: (1, 1)},
    standard_error=lambda found: linearised(found, paired(found.data.counts), given_closeness(found.setting)),
)
def percent(data: Counts, setting: Setting) -> Parts:
    """No chance: the share of rater pairs that agree, A_o, averaged over units.

    A_o = mean_i [ sum_k n_ik (n_ik - 1) / (n_i (n_i - 1)) ]

    Units with one judgement have no pair and are left out.

    When not to use it: Alone in a report: two raters who say yes to nine units in ten agree on 82 % of them without
    looking. It cannot be compared between questions with different numbers or shares of categories.

    In other tools: sklearn `accuracy_score` and nltk `avg_Ao` (mean over rater pairs, not over units); irrCAC prints it
    as `pa`. R `irr::agree` is something else for three or more raters: the share of units on which all agree. With
    missing judgements tools differ: ours averages over units; `--weight judgements` counts every unit by its
    judgements.

    Example: The three raters agreed on 87 % of rater pairs (150 units); see kappa for what chance explains.
    """
    observed = observed_agreement(data, setting, asked_closeness(setting))
    return Parts(value=observed, observed=observed, why=NO_PAIR)


@of_counts(
    key="s",
    name="S (Bennett, Alpert & Goldstein)",
    cite=("bennett-1954",),
    needs=NOMINAL,
    options=Shares,
    standard_error=partial(_error, closeness=identity),
)
def s(data: Counts, setting: Setting) -> Parts:
    """Chance picks every category equally often: A_e = 1 / K, declared but unused categories counted.

    S = (A_o - 1/K) / (1 - 1/K)

    When not to use it: If some categories are rare: chance is taken as 1/K whatever raters do, so adding categories
    that nobody uses raises S.

    In other tools: nltk `S` (a distance there enters observed agreement only); irrCAC `bp` without weights, which
    counts only the categories seen unless told otherwise; statsmodels `fleiss_kappa(method='randolph')`; also known as
    Randolph's free-marginal kappa and, for two categories, as PABAK.

    Example: S was .71 with four declared categories (two raters, 200 units).
    """
    return _beyond(1 / max(data.n_categories, 1), data, setting, None)


def _pi_moves(counts: Counts, setting: Setting, closeness: Floats) -> Floats:
    """dA_e_i = 2 (sum_ck P(c|i) w_ck P(k) - A_e)."""
    return category_shares(counts) @ (closeness @ shares(counts, setting))


of_shares = partial(
    of_counts,
    needs=NOMINAL,
    options=CreditShares,
    name_of=lambda data, options: "Scott's pi" if len(data.used_raters) <= 2 else "Fleiss' kappa",
    standard_error=partial(_error, closeness=given_closeness, moves=_pi_moves),
)


@of_shares(key="pi", name="Scott's pi", cite=("scott-1955", "fleiss-1971"))
def pi(data: Counts, setting: Setting) -> Parts:
    """Chance picks as all raters together did: A_e = sum_k P(k)².

    pi = (A_o - A_e) / (1 - A_e). For more than two raters this is Fleiss' kappa; `pi` and `fleiss` are one function.
    P(k) is the mean over units of the share of their judgements in category k, over the units with two or more.

    When not to use it: If raters differ in how often they use the categories and that difference is not an error: pi
    counts it as disagreement (kappa does not). With very uneven categories it is low although agreement is high.

    In other tools: Called `fleiss` here too, the same function. nltk `pi` is this for any number of raters (a distance
    there enters observed agreement only); statsmodels `fleiss_kappa` and R `irr::kappam.fleiss` refuse or drop units
    with missing judgements; irrCAC `fleiss` counts units with one judgement in the shares P(k), which `--shares all`
    does here; without it they are left out, so that pi and kappa rest on the same judgements.

    Example: Scott's pi was .62, 95 % interval .54 to .69 (two raters, 300 units, three categories).
    """
    closeness, share = asked_closeness(setting), shares(data, setting)
    near = share if closeness is None else share @ closeness
    return _beyond((near * share).sum(axis=-1), data, setting, closeness, why=ONE_CATEGORY)


@of_shares(
    key="fleiss", name="Fleiss' kappa", cite=("fleiss-1971", "scott-1955"), recommended={Level.NOMINAL: (None, 2)}
)
def fleiss(data: Counts, setting: Setting) -> Parts:
    """Chance picks as all raters together did: A_e = sum_k P(k)².

    pi = (A_o - A_e) / (1 - A_e). For more than two raters this is Fleiss' kappa; `pi` and `fleiss` are one function.
    P(k) is the mean over units of the share of their judgements in category k, over the units with two or more.

    When not to use it: If raters differ in how often they use the categories and that difference is not an error, or if
    the categories are ordered: then near misses count as much as opposites. With very uneven categories it is low
    although agreement is high.

    In other tools: Called `pi` here too, the same function. statsmodels `fleiss_kappa` and R `irr::kappam.fleiss`,
    `DescTools::KappaM` want every unit judged equally often; irrCAC `fleiss` counts units with one judgement in the
    shares P(k), which `--shares all` does here. nltk's `multi_kappa` is not Fleiss but Conger; nltk's `pi` is Fleiss.

    Example: Fleiss' kappa was .58, 95 % interval .51 to .64 (five raters, 120 units, four categories).
    """
    return pi.compute(data, setting)


def _gwet_moves(counts: Counts, setting: Setting, closeness: Floats) -> Floats:
    """dA_e_i = 2 (T_w / (K (K - 1)) · sum_k P(k|i) (1 - P(k)) - A_e)."""
    size = max(counts.n_categories, 2)
    share = category_shares(counts) @ (1 - shares(counts, setting))
    return np.asarray(float(closeness.sum()) / (size * (size - 1)) * share)


@of_counts(
    key="ac1",
    name="Gwet's AC1",
    cite=("gwet-2008",),
    needs=NOMINAL,
    options=Shares,
    recommended={Level.NOMINAL: (4, 4)},
    standard_error=partial(_error, closeness=identity, moves=_gwet_moves),
)
def ac1(data: Counts, setting: Setting) -> Parts:
    """Chance is a rater who guesses on hard units only: A_e = sum_k P(k) (1 - P(k)) / (K - 1).

    AC1 = (A_o - A_e) / (1 - A_e). When all judgements are in one category A_e is 0 and AC1 is 1.

    When not to use it: As a way to get a higher number: where one category dominates AC1 is high by construction, even
    if raters never agree on the rare category. Look at the category's own value.

    In other tools: irrCAC `gwet` with identity weights; R `irrCAC::gwet.ac1.raw`. Both count units with
    one judgement in the shares P(k), which `--shares all` does here; without it they are left out.

    Example: Gwet's AC1 was .88 where kappa was .35: 94 % of judgements were "no" (two raters, 400 units).
    """
    return _beyond(_gwet_chance(shares(data, setting), 1.0), data, setting, None)


def _gwet_chance(share: Floats, total_weight: float) -> Floats:
    """T_w / (K (K - 1)) · sum_k P(k) (1 - P(k)); without weights T_w = K. One category: 1."""
    size = share.shape[-1]
    if size < 2:
        return np.ones(share.shape[:-1])
    return np.asarray(total_weight / (size - 1) * (share * (1 - share)).sum(axis=-1))


@of_counts(
    key="ac2",
    name="Gwet's AC2",
    cite=("gwet-2014",),
    needs=WEIGHTED,
    options=CreditShares,
    recommended={Level.ORDINAL: (3, 3), Level.BIPOLAR: (2, 2), Level.CIRCULAR: (2, 2)},
    standard_error=partial(_error, closeness=partial_credit, moves=_gwet_moves),
)
def ac2(data: Counts, setting: Setting) -> Parts:
    """AC1 with partial credit: A_e = T_w / (K (K - 1)) · sum_k P(k) (1 - P(k)), T_w the sum of all weights.

    The weights are quadratic for ordered scales and overlap-based (MASI) for sets unless others are given.

    When not to use it: Without naming the weights: quadratic credit on five points calls most disagreements near
    misses, and values above .9 are common.

    In other tools: irrCAC `gwet` with weights. Its `quadratic`, `linear`, `ordinal`, `radical`,
    `ratio`, `circular` and `bipolar` weights are ours of the same names.

    Example: Gwet's AC2 (quadratic weights) was .91 (four raters, 80 units, five-point scale).
    """
    closeness = partial_credit(setting)
    expected = _gwet_chance(shares(data, setting), float(closeness.sum()) / max(data.n_categories, 1))
    return _beyond(expected, data, setting, closeness)


@of_counts(
    key="brennan_prediger",
    name="Brennan-Prediger coefficient",
    cite=("brennan-prediger-1981", "gwet-2014"),
    needs=Needs(suits=ANY, missing="uses every pair"),
    options=CreditShares,
    standard_error=partial(_error, closeness=partial_credit),
)
def brennan_prediger(data: Counts, setting: Setting) -> Parts:
    """Chance picks every category equally often, with partial credit: A_e = T_w / K².

    Without weights (nominal scales) this is S. Ordered scales get quadratic weights unless others are given.

    When not to use it: If some categories are rare: chance is taken as even whatever raters do, so declaring categories
    that nobody uses raises it.

    In other tools: irrCAC `bp`, which counts only the categories seen unless told otherwise. Without weights it is `s`,
    and statsmodels `fleiss_kappa(method='randolph')`.

    Example: The Brennan-Prediger coefficient was .66 (three raters, 90 units, nominal, five categories).
    """
    closeness = partial_credit(setting)
    return _beyond(float(closeness.sum()) / max(data.n_categories, 1) ** 2, data, setting, closeness)


MEASURES = (percent, s, pi, fleiss, ac1, ac2, brennan_prediger)
