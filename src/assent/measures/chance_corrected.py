"""Agreement on categories, corrected for chance: percent, S, pi, AC1, AC2 and Brennan-Prediger.

They share one observed agreement A_o (the mean over units of the share of rater pairs that agree) and,
but for percent, one formula:

    (A_o - A_e) / (1 - A_e)

They differ only in how they imagine raters who judge by chance, so each function is a model of chance.
Symbols follow Artstein & Poesio (2008): P(k) is the share of judgements in category k, K the number of
categories, w_ck how close two categories are (1 on the diagonal, else 0 without weights).
"""

import numpy as np

from assent.arrays import Floats
from assent.engines.tally import Tally
from assent.engines.views import Counts, ratio
from assent.measures.distance import closeness_named
from assent.measures.spec import (
    ANY,
    NO_PAIR,
    ONE_CATEGORY,
    ORDERED,
    UNORDERED,
    Needs,
    Options,
    Parts,
    Setting,
    corrected,
    measure,
)
from assent.model.scale import Level

NOMINAL = Needs(suits=UNORDERED, missing="uses every pair")
WEIGHTED = Needs(suits=ORDERED | {Level.CIRCULAR, Level.SET}, missing="uses every pair")


def observed_agreement(data: Counts, setting: Setting, closeness: Floats | None) -> Floats:
    """A_o: the mean over units with two judgements or more of their mean pair closeness.

    With `weight="judgements"` a unit counts by its number of judgements instead of once.
    """
    share = np.divide(data.agreeing(closeness), data.pairs, out=np.zeros_like(data.pairs), where=data.is_paired)
    if setting.options.weight == "units":
        return data.mean(share, only_paired=True)
    by_size = data.reweighted(data.weights * data.sizes)
    return by_size.mean(share, only_paired=True)


def shares(data: Counts, setting: Setting) -> Floats:
    """P(k): the mean over units of the share of their judgements in category k.

    Units with a single judgement count (Gwet 2014) unless `singletons="drop"`.
    """
    weights = data.weights if setting.options.singletons == "keep" else data.weights * data.is_paired
    per_judgement = weights / np.where(data.sizes > 0, data.sizes, 1.0)
    totals = data.reweighted(per_judgement).totals(only_paired=False)
    return ratio(totals, weights.sum(axis=-1, keepdims=True))


def _closeness(setting: Setting) -> Floats | None:
    """The weights the user asked for; None means identity."""
    asked = setting.options.weights
    return None if asked is None else closeness_named(asked, setting.scale)


def _why(observed: Floats) -> str:
    """The reason if the value is undefined."""
    return NO_PAIR if np.isnan(observed).any() else ONE_CATEGORY


@measure(
    key="percent", name="Percentage agreement", cite=("artstein-poesio-2008",), kind="raw", needs=NOMINAL, view="counts"
)
def percent(data: Counts, setting: Setting) -> Parts:
    """No chance: the share of rater pairs that agree, A_o, averaged over units.

    A_o = mean_i [ sum_k n_ik (n_ik - 1) / (n_i (n_i - 1)) ]

    Units with one judgement have no pair and are left out.
    """
    observed = observed_agreement(data, setting, _closeness(setting))
    return Parts(value=observed, observed=observed, why=NO_PAIR)


@measure(key="s", name="S (Bennett, Alpert & Goldstein)", cite=("bennett-1954",), needs=NOMINAL, view="counts")
def s(data: Counts, setting: Setting) -> Parts:
    """Chance picks every category equally often: A_e = 1 / K, declared but unused categories counted.

    S = (A_o - 1/K) / (1 - 1/K)
    """
    observed = observed_agreement(data, setting, None)
    expected = np.full(np.shape(observed), 1 / max(data.n_categories, 1))
    return corrected(observed, expected, why=_only_one_declared(observed))


def _only_one_declared(observed: Floats) -> str:
    return NO_PAIR if np.isnan(observed).any() else "the scale has one category, so agreement by chance is 1"


def _pi(data: Counts, setting: Setting) -> Parts:
    """Chance picks as all raters together did: A_e = sum_k P(k)².

    pi = (A_o - A_e) / (1 - A_e). For more than two raters this is Fleiss' kappa; `pi` and `fleiss` are one function.
    """
    observed = observed_agreement(data, setting, _closeness(setting))
    share = shares(data, setting)
    closeness = _closeness(setting)
    expected = np.square(share).sum(axis=-1) if closeness is None else _quadratic_form(share, closeness)
    return corrected(observed, expected, why=_why(observed))


def _quadratic_form(share: Floats, closeness: Floats) -> Floats:
    """sum_ck P(c) P(k) w_ck."""
    return np.asarray(((share @ closeness) * share).sum(axis=-1))


def _pi_name(data: Tally, options: Options) -> str:
    return "Scott's pi" if len(data.used_raters) <= 2 else "Fleiss' kappa"


pi = measure(
    key="pi", name="Scott's pi", cite=("scott-1955", "fleiss-1971"), needs=NOMINAL, view="counts", name_of=_pi_name
)(_pi)
fleiss = measure(
    key="fleiss",
    name="Fleiss' kappa",
    cite=("fleiss-1971", "scott-1955"),
    needs=NOMINAL,
    view="counts",
    name_of=_pi_name,
)(_pi)


@measure(key="ac1", name="Gwet's AC1", cite=("gwet-2008",), needs=NOMINAL, view="counts")
def ac1(data: Counts, setting: Setting) -> Parts:
    """Chance is a rater who guesses on hard units only: A_e = sum_k P(k) (1 - P(k)) / (K - 1).

    AC1 = (A_o - A_e) / (1 - A_e). When all judgements are in one category A_e is 0 and AC1 is 1.
    """
    observed = observed_agreement(data, setting, None)
    return corrected(observed, _gwet_chance(shares(data, setting), 1.0), why=_only_one_declared(observed))


def _gwet_chance(share: Floats, total_weight: float) -> Floats:
    """T_w / (K (K - 1)) · sum_k P(k) (1 - P(k)); without weights T_w = K. One category: 1."""
    size = share.shape[-1]
    if size < 2:
        return np.ones(share.shape[:-1])
    return np.asarray(total_weight / (size - 1) * (share * (1 - share)).sum(axis=-1))


@measure(key="ac2", name="Gwet's AC2", cite=("gwet-2014",), needs=WEIGHTED, view="counts")
def ac2(data: Counts, setting: Setting) -> Parts:
    """AC1 with partial credit: A_e = T_w / (K (K - 1)) · sum_k P(k) (1 - P(k)), T_w the sum of all weights.

    The weights are quadratic for ordered scales and overlap-based (MASI) for sets unless others are given.
    """
    closeness = partial_credit(setting)
    observed = observed_agreement(data, setting, closeness)
    expected = _gwet_chance(shares(data, setting), float(closeness.sum()) / max(data.n_categories, 1))
    return corrected(observed, expected, why=_only_one_declared(observed))


@measure(
    key="brennan_prediger",
    name="Brennan-Prediger coefficient",
    cite=("brennan-prediger-1981", "gwet-2014"),
    needs=Needs(suits=ANY, missing="uses every pair"),
    view="counts",
)
def brennan_prediger(data: Counts, setting: Setting) -> Parts:
    """Chance picks every category equally often, with partial credit: A_e = T_w / K².

    Without weights (nominal scales) this is S. Ordered scales get quadratic weights unless others are given.
    """
    closeness = np.eye(data.n_categories) if _is_plain(setting) else partial_credit(setting)
    observed = observed_agreement(data, setting, closeness)
    expected = np.full(np.shape(observed), float(closeness.sum()) / max(data.n_categories, 1) ** 2)
    return corrected(observed, expected, why=_only_one_declared(observed))


def _is_plain(setting: Setting) -> bool:
    """Whether there is nothing to weight by."""
    return setting.options.weights is None and setting.scale.level is Level.NOMINAL


def partial_credit(setting: Setting) -> Floats:
    """The weights asked for, or the usual ones of the level."""
    asked = setting.options.weights
    if asked is not None:
        return closeness_named(asked, setting.scale)
    level = setting.scale.level
    if level is Level.NOMINAL:
        return np.eye(len(setting.scale.categories))
    return closeness_named("masi" if level is Level.SET else "quadratic", setting.scale)


MEASURES = (percent, s, pi, fleiss, ac1, ac2, brennan_prediger)
