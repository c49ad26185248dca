"""Agreement where chance judges as each rater did: Cohen's kappa, its weighted and set-valued forms, Conger, Light.

P(k|r) is the share of rater r's judgements in category k, w_ck how close two categories are.
"""

from dataclasses import replace

import numpy as np

from assent.arrays import Floats
from assent.engines.tally import Tally
from assent.engines.views import Pairs, ratio
from assent.errors import InputError
from assent.measures.distance import closeness_named, set_overlapping, set_weighted
from assent.measures.spec import (
    NO_PAIR,
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

ONE_FOR_ALL = (
    "every rater put everything in one and the same category, so agreement by chance is 1 and the formula is 0/0"
)
ONE_EACH = "both raters put everything in one and the same category, so agreement by chance is 1 and the formula is 0/0"
TWO_RATERS = Needs(
    suits=UNORDERED, max_raters=2, many_raters="conger, light, or --pairs", missing="drops units not judged by both"
)
MANY_RATERS = Needs(suits=UNORDERED, missing="uses every pair")
CREDIT = Needs(suits=ORDERED | {Level.CIRCULAR}, accepts=ORDERED | {Level.CIRCULAR}, missing="uses every pair")
SETS = Needs(suits=frozenset({Level.SET}), accepts=frozenset({Level.SET}), missing="uses every pair")


def pair_kappas(data: Pairs, closeness: Floats | None) -> tuple[Floats, Floats]:
    """A_o and A_e of every rater pair (…, pairs); NaN for a pair without common units."""
    first, second = (ratio(margin, data.n_units[..., None]) for margin in data.margins())
    right = second if closeness is None else second @ closeness
    return ratio(data.closeness_sums(closeness), data.n_units), np.asarray((first * right).sum(axis=-1))


@measure(key="kappa", name="Cohen's kappa", cite=("cohen-1960",), needs=TWO_RATERS, view="pairs")
def kappa(data: Pairs, setting: Setting) -> Parts:
    """Chance picks as each rater did: A_e = sum_k P(k|r1) P(k|r2), on the units that both judged.

    kappa = (A_o - A_e) / (1 - A_e)
    """
    return generalised_kappa(data, _closeness(setting))


def _closeness(setting: Setting) -> Floats | None:
    """The weights the user asked for; None means identity."""
    asked = setting.options.weights
    return None if asked is None else closeness_named(asked, setting.scale)


def _no_pair(data: Pairs) -> Parts:
    """Undefined: nobody judged a common unit."""
    nothing = np.full(data.weights.shape[:-1], np.nan)
    return Parts(value=nothing, why=NO_PAIR)


def generalised_kappa(data: Pairs, closeness: Floats | None) -> Parts:
    """Cohen's kappa for two raters, Conger's for more, with any closeness."""
    if not len(data.pairs):
        return _no_pair(data)
    if len(data.pairs) == 1:
        observed, expected = (part[..., 0] for part in pair_kappas(data, closeness))
        return corrected(observed, expected, why=ONE_EACH)
    return corrected(data.agreement(closeness), _conger_chance(data, closeness), why=ONE_FOR_ALL)


def _conger_chance(data: Pairs, closeness: Floats | None) -> Floats:
    """The mean over all pairs of raters with judgements of sum_ck P(c|r) P(k|s) w_ck."""
    totals = data.rater_totals()
    judged = totals.sum(axis=-1, keepdims=True)
    drawn = data.rater_weights * (judged[..., 0] > 0)
    share = np.divide(totals, judged, out=np.zeros_like(totals), where=judged > 0)
    together = np.einsum("...r,...rk->...k", drawn, share)
    right = together if closeness is None else together @ closeness
    own_right = share if closeness is None else share @ closeness
    all_pairs = (together * right).sum(axis=-1) - np.einsum("...r,...rk,...rk->...", drawn**2, share, own_right)
    n_pairs = drawn.sum(axis=-1) ** 2 - (drawn**2).sum(axis=-1)
    return ratio(all_pairs, n_pairs)


@measure(
    key="conger", name="Conger's kappa", cite=("conger-1980", "davies-fleiss-1982"), needs=MANY_RATERS, view="pairs"
)
def conger(data: Pairs, setting: Setting) -> Parts:
    """Cohen's kappa for any number of raters: A_e = mean over rater pairs of sum_k P(k|r) P(k|s).

    A_o is the mean over units of the share of agreeing rater pairs; each rater's shares P(k|r) are taken over all
    units they judged. With two raters this is Cohen's kappa. nltk calls it `multi_kappa`.
    """
    return generalised_kappa(data, _closeness(setting))


@measure(key="light", name="Light's kappa", cite=("light-1971",), needs=MANY_RATERS, view="pairs")
def light(data: Pairs, setting: Setting) -> Parts:
    """The mean of Cohen's kappa over all rater pairs with common units: each pair has its own chance.

    One undefined pair makes the mean undefined: it is never silently skipped. nltk calls it `kappa`.
    """
    if not len(data.pairs):
        return _no_pair(data)
    observed, expected = pair_kappas(data, _closeness(setting))
    each = corrected(observed, expected, why=ONE_EACH).value
    return Parts(
        value=data.mean(each, data.n_units),
        observed=data.mean(observed, data.n_units),
        expected=data.mean(expected, data.n_units),
        why=_undefined_pair(data, each),
        details={"n_pairs": len(data.pairs)},
    )


def _undefined_pair(data: Pairs, each: Floats) -> str:
    """Which pair has no kappa."""
    if each.ndim > 1 or not np.isnan(each).any():
        return ONE_EACH
    one, two = data.pairs[int(np.argmax(np.isnan(each)))]
    return f"kappa of {data.raters[one]} and {data.raters[two]} is undefined: {ONE_EACH}"


def _credited(data: Pairs, setting: Setting, weights: str) -> Parts:
    """Weighted kappa on the scale's values, saying which they are."""
    parts = generalised_kappa(data, closeness_named(weights, setting.scale))
    where = "the values of the scale" if setting.scale.has_numbers else "the positions of the categories in order"
    return replace(parts, notes=(f"{weights} weights on {where}",))


@measure(
    key="weighted_kappa_linear",
    name="Weighted kappa (linear weights)",
    cite=("cohen-1968",),
    needs=CREDIT,
    view="pairs",
)
def weighted_kappa_linear(data: Pairs, setting: Setting) -> Parts:
    """Chance picks as each rater did, and a near miss gets credit that falls evenly with the distance.

    A_o = sum_ck w_ck P(c, k), A_e = sum_ck w_ck P(c|r1) P(k|r2), kappa_w = (A_o - A_e) / (1 - A_e)

    w_ck = 1 - |c - k| / range, on the values of a numeric scale and on the positions of named categories.
    More than two raters: Conger's form.
    """
    return _credited(data, setting, "linear")


@measure(
    key="weighted_kappa_quadratic",
    name="Weighted kappa (quadratic weights)",
    cite=("cohen-1968", "fleiss-cohen-1973"),
    needs=CREDIT,
    view="pairs",
)
def weighted_kappa_quadratic(data: Pairs, setting: Setting) -> Parts:
    """Chance picks as each rater did, and a near miss gets credit that falls with the square of the distance.

    A_o = sum_ck w_ck P(c, k), A_e = sum_ck w_ck P(c|r1) P(k|r2), kappa_w = (A_o - A_e) / (1 - A_e)

    w_ck = 1 - (c - k)² / range², on the values of a numeric scale and on the positions of named categories.
    More than two raters: Conger's form.
    """
    return _credited(data, setting, "quadratic")


def _weighted_name(data: Tally, options: Options) -> str:
    kind = options.weights if isinstance(options.weights, str) else "given"
    return f"Weighted kappa ({kind} weights)"


@measure(
    key="weighted_kappa",
    name="Weighted kappa",
    cite=("cohen-1968",),
    needs=Needs(suits=frozenset(Level) - {Level.NOMINAL}, missing="uses every pair"),
    view="pairs",
    name_of=_weighted_name,
)
def weighted_kappa(data: Pairs, setting: Setting) -> Parts:
    """Cohen's kappa with any weights w_ck: a named kind, or a matrix of your own (--weights FILE).

    A_o = sum_ck w_ck P(c, k), A_e = sum_ck w_ck P(c|r1) P(k|r2). More than two raters: Conger's form.
    """
    if setting.options.weights is None:
        raise InputError(
            "weighted_kappa needs weights", hint="give --weights linear, quadratic, ordinal or a CSV matrix"
        )
    return generalised_kappa(data, closeness_named(setting.options.weights, setting.scale))


@measure(
    key="set_full", name="Kappa of sets, full agreement", cite=("boleda-2009", "cohen-1960"), needs=SETS, view="pairs"
)
def set_full(data: Pairs, setting: Setting) -> Parts:
    """Sets agree only if they are identical; chance as in Cohen's kappa (more than two raters: Conger's form)."""
    return generalised_kappa(data, None)


@measure(
    key="set_weighted",
    name="Kappa of sets, weighted agreement",
    cite=("boleda-2009", "cohen-1968"),
    needs=SETS,
    view="pairs",
)
def set_weighted_kappa(data: Pairs, setting: Setting) -> Parts:
    """Sets agree by the share of their yes/no decisions that agree, 0 where they share no class.

    w_ab = (classes in both or in neither) / classes if a and b intersect, else 0; chance as in weighted kappa.
    """
    return generalised_kappa(data, set_weighted(setting.scale.members()))


@measure(
    key="set_overlapping",
    name="Kappa of sets, overlapping agreement",
    cite=("boleda-2009", "cohen-1968"),
    needs=SETS,
    view="pairs",
)
def set_overlapping_kappa(data: Pairs, setting: Setting) -> Parts:
    """Sets agree wherever they intersect; chance as in weighted kappa (more than two raters: Conger's form)."""
    return generalised_kappa(data, set_overlapping(setting.scale.members()))


MEASURES = (
    kappa,
    conger,
    light,
    weighted_kappa_linear,
    weighted_kappa_quadratic,
    weighted_kappa,
    set_full,
    set_weighted_kappa,
    set_overlapping_kappa,
)
