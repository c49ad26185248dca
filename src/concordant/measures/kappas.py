"""Agreement where chance judges as each rater did: Cohen's kappa, its weighted and set-valued forms, Conger, Light.

P(k|r) is the share of rater r's judgements in category k, w_ck how close two categories are.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np

from concordant.arrays import Floats
from concordant.engines.tally import Tally
from concordant.engines.views import Counts, Pairs, count_view, ratio
from concordant.errors import InputError
from concordant.measures.benchmarks import KAPPA_SCALES
from concordant.measures.distance import (
    asked_closeness,
    closeness_named,
    given_closeness,
    identity,
    set_overlapping,
    set_weighted,
)
from concordant.measures.pair_means import pair_mean, pair_notes
from concordant.measures.spec import (
    OF_CATEGORIES,
    ORDERED,
    UNORDERED,
    Computed,
    Error,
    Needs,
    PairedShares,
    Parts,
    RaterShares,
    Setting,
    StandardError,
    WithPairs,
    WithWeights,
    corrected,
    measure,
    only_paired,
    undefined,
)
from concordant.measures.standard_errors import linearised, paired, unpublished
from concordant.measures.usual import not_studied, of_raters
from concordant.model.scale import Level

FLEISS_COHEN_EVERITT = "large-sample variance (Fleiss, Cohen & Everitt 1969)"
ONE_EACH = "both raters put everything in one and the same category, so agreement by chance is 1 and the formula is 0/0"
ONE_FOR_ALL = ONE_EACH.replace("both raters", "every rater")
TWO_RATERS = Needs(
    suits=UNORDERED, max_raters=2, many_raters="conger, light, or --pairs", missing="drops units not judged by both"
)
MANY_RATERS = Needs(suits=UNORDERED, missing="uses every pair")
CREDIT = Needs(suits=ORDERED | {Level.CIRCULAR}, accepts=ORDERED | {Level.CIRCULAR}, missing="uses every pair")
SETS = Needs(suits=frozenset({Level.SET}), accepts=frozenset({Level.SET}), missing="uses every pair")

of_pairs = partial(measure, view="pairs", reads_on=KAPPA_SCALES, options=RaterShares, ci=OF_CATEGORIES, usual=of_raters)


class WeightsShares(RaterShares, WithWeights):
    """Options of kappas with partial credit."""


class LightOptions(PairedShares, WithWeights, WithPairs):
    """Options of the mean over pairs."""


def pair_kappas(data: Pairs, closeness: Floats | None) -> tuple[Floats, Floats]:
    """A_o and A_e of every rater pair (…, pairs); NaN for a pair without common units."""
    first, second = (ratio(margin, data.n_units[..., None]) for margin in data.margins())
    right = second if closeness is None else second @ closeness
    return ratio(data.closeness_sums(closeness), data.n_units), np.asarray((first * right).sum(axis=-1))


def _error(found: Computed, closeness: Callable[[Setting], Floats]) -> Error:
    """Two raters: Fleiss, Cohen & Everitt (1969), from their table. More: Gwet's variance of Conger's kappa."""
    data, w, is_paired = found.data, closeness(found.setting), found.setting.options.shares == "paired"
    if len(data.pairs.pairs) != 1 or not is_paired:
        counts = count_view(data.patterns, data.positions, np.ones(len(data.raters)))
        counts = paired(counts) if is_paired else counts
        return linearised(found, counts, w, _conger_moves(data, w, counts, only_paired=is_paired))
    if why := unpublished(found):
        return why
    table = data.pairs.tables()[0]
    n, share = float(table.sum()), table / table.sum()
    near_first, near_second = w @ share.sum(axis=0), share.sum(axis=1) @ w
    each = w - (near_first[:, None] + near_second[None, :]) * (1 - found.value)
    spread = float((share * each**2).sum()) - (found.value - found.expected * (1 - found.value)) ** 2
    error = float(np.sqrt(max(spread, 0.0) / n)) / (1 - found.expected)
    return StandardError(error=error, freedom=float("inf"), source=FLEISS_COHEN_EVERITT)


def _conger_moves(data: Tally, closeness: Floats, counts: Counts, *, only_paired: bool) -> Floats:
    """dA_e_i = 2 / (R (R - 1)) · sum_r (n / n_r) (δ_ir - P(.|r))' W (sum_s≠r P(.|s)), over the raters r of unit i."""
    totals = data.pairs.rater_totals(only_paired=only_paired)
    judged = totals.sum(axis=1)
    share = totals / np.maximum(judged, 1)[:, None]  # nothing for a rater without judgements
    n_raters = int((judged > 0).sum())
    pull = (share.sum(axis=0) - share) @ closeness
    seen = data.patterns.rater
    gain = pull[seen, data.patterns.code] - (pull * share).sum(axis=1)[seen]
    moved = np.bincount(data.patterns.pattern, weights=gain / np.maximum(judged, 1)[seen], minlength=counts.n_patterns)
    return np.asarray(moved * 2 * counts.weights.sum() / (n_raters * (n_raters - 1)))


of_weights = partial(of_pairs, options=WeightsShares, standard_error=partial(_error, closeness=given_closeness))


@of_weights(
    key="kappa",
    name="Cohen's kappa",
    cite=("cohen-1960",),
    needs=TWO_RATERS,
    recommended={Level.NOMINAL: (2, None)},
)
def kappa(data: Pairs, setting: Setting) -> Parts:
    """Chance picks as each rater did: A_e = sum_k P(k|r1) P(k|r2), on the units that both judged.

    kappa = (A_o - A_e) / (1 - A_e). With `--shares all` each P(k|r) is over all that the rater judged, as irrCAC does.

    When not to use it: For more than two raters (use conger or light), for ordered categories (use a weighted kappa or
    alpha), and across questions with very different category shares: with one dominant category kappa is low although
    agreement is high (a paradox of Feinstein & Cicchetti 1990).

    In other tools: sklearn `cohen_kappa_score`, statsmodels `cohens_kappa`, irrCAC `conger` on two raters, R
    `irr::kappa2`, `psych::cohen.kappa`, `DescTools::CohenKappa`. nltk `kappa` is Light's mean over rater pairs. sklearn
    returns NaN where both raters used one category; here it is undefined with that reason.

    Example: Cohen's kappa was .72, 95 % interval .64 to .79 (two raters, 250 units, three categories).
    """
    return generalised_kappa(data, asked_closeness(setting), setting)


def generalised_kappa(data: Pairs, closeness: Floats | None, setting: Setting) -> Parts:
    """Cohen's kappa for two raters, Conger's for more, with any closeness; chance over the judgements asked for."""
    if not len(data.pairs):
        return undefined(data)
    is_paired = setting.options.shares == "paired"
    if len(data.pairs) == 1 and is_paired:
        observed, expected = (part[..., 0] for part in pair_kappas(data, closeness))
        return corrected(observed, expected, why=ONE_EACH)
    expected = _conger_chance(data.rater_totals(only_paired=is_paired), data.rater_weights, closeness)
    return corrected(data.agreement(closeness), expected, why=ONE_FOR_ALL)


def _conger_chance(totals: Floats, rater_weights: Floats, closeness: Floats | None) -> Floats:
    """The mean over all pairs of raters with judgements of sum_ck P(c|r) P(k|s) w_ck."""
    judged = totals.sum(axis=-1, keepdims=True)
    drawn = rater_weights * (judged[..., 0] > 0)
    share = np.divide(totals, judged, out=np.zeros_like(totals), where=judged > 0)
    together = np.einsum("...r,...rk->...k", drawn, share)
    right = together if closeness is None else together @ closeness
    own_right = share if closeness is None else share @ closeness
    all_pairs = (together * right).sum(axis=-1) - np.einsum("...r,...rk,...rk->...", drawn**2, share, own_right)
    n_pairs = drawn.sum(axis=-1) ** 2 - (drawn**2).sum(axis=-1)
    return ratio(all_pairs, n_pairs)


@of_weights(key="conger", name="Conger's kappa", cite=("conger-1980", "davies-fleiss-1982"), needs=MANY_RATERS)
def conger(data: Pairs, setting: Setting) -> Parts:
    """Cohen's kappa for any number of raters: A_e = mean over rater pairs of sum_k P(k|r) P(k|s).

    A_o is the mean over units of the share of agreeing rater pairs; each rater's shares P(k|r) are taken over the units
    they judged with somebody else, and over all they judged with `--shares all`. With two raters this is Cohen's kappa,
    on the units that both judged. nltk calls it `multi_kappa`.

    When not to use it: If raters are anonymous or the slots of a unit hold different people: the chance of each rater
    means nothing then (use fleiss or alpha).

    In other tools: nltk `multi_kappa` (not Fleiss, though often reported as such), irrCAC `conger`, R
    `irr::kappam.fleiss(exact = TRUE)`. With missing judgements irrCAC agrees with `--shares all`; nltk does not expect
    any.

    Example: Conger's kappa was .61 (four raters, 120 units, five categories).
    """
    return generalised_kappa(data, asked_closeness(setting), setting)


@measure(
    key="light",
    name="Light's kappa",
    cite=("light-1971",),
    needs=MANY_RATERS,
    view="pairs",
    reads_on=KAPPA_SCALES,
    options=LightOptions,
    usual=not_studied,
)
def light(data: Pairs, setting: Setting) -> Parts:
    """The mean of Cohen's kappa over all rater pairs with common units: each pair has its own chance.

    A pair counts by its common units, or all count equally (`--pair-weights equal`, Light's own). Pairs without a value
    that hold at most a tenth of the common units are left out and named. nltk calls it `kappa`.

    When not to use it: If many rater pairs share few units: each pair's kappa is then mostly noise, and many have no
    value.

    In other tools: nltk `kappa` (and its `avg_Ao` beside it), R `irr::kappam.light`, which drops units that any rater
    left out; ours uses the units each pair has in common.

    Example: Light's kappa, the mean over the six rater pairs, was .64 (four raters, 120 units).
    """
    if not len(data.pairs):
        return undefined(data)
    observed, expected = pair_kappas(data, asked_closeness(setting))
    each = corrected(observed, expected, why=ONE_EACH).value
    parts = (np.where(np.isnan(each), np.nan, part) for part in (each, observed, expected))
    value, observed, expected = (pair_mean(data, part, data.n_units, setting.options) for part in parts)
    if each.ndim > 1:
        return Parts(value=value)
    told, left_out, held = pair_notes(data, each, data.n_units, setting.options, lambda _: "one category throughout")
    one, two = data.pairs[int(np.argmax(np.isnan(each)))]
    return Parts(
        value=value,
        observed=observed,
        expected=expected,
        why=f"kappa of {data.raters[one]} and {data.raters[two]} is undefined: {ONE_EACH}{held}",
        notes=(*only_paired(setting, "each pair of Light's kappa has the chance of its common units"), *left_out),
        details=told,
    )


def _credited(data: Pairs, setting: Setting, weights: str) -> Parts:
    """Weighted kappa on the scale's values, saying which they are."""
    parts = generalised_kappa(data, closeness_named(weights, setting.scale), setting)
    where = "the values of the scale" if setting.scale.has_numbers else "the positions of the categories in order"
    return replace(parts, notes=(f"{weights} weights on {where}",))


@of_pairs(
    key="weighted_kappa_linear",
    name="Weighted kappa (linear weights)",
    cite=("cohen-1968",),
    needs=CREDIT,
    standard_error=partial(_error, closeness=lambda setting: closeness_named("linear", setting.scale)),
)
def weighted_kappa_linear(data: Pairs, setting: Setting) -> Parts:
    """Chance picks as each rater did, and a near miss gets credit that falls evenly with the distance.

    A_o = sum_ck w_ck P(c, k), A_e = sum_ck w_ck P(c|r1) P(k|r2), kappa_w = (A_o - A_e) / (1 - A_e)

    w_ck = 1 - |c - k| / range, on the values of a numeric scale and on the positions of named categories.
    More than two raters: Conger's form.

    When not to use it: For categories without an order, and if the steps of the scale are not comparable. Weighted and
    unweighted values cannot be compared with each other.

    In other tools: sklearn `cohen_kappa_score(weights='linear')`, statsmodels `cohens_kappa(wt='linear')` and R
    `irr::kappa2(weight = "equal")` space categories by their place; ours uses the values of a numeric scale, as irrCAC
    `conger(weights='linear')` does, and places for named categories. On 1, 2, 3, 4 they agree, on 1, 2, 5 they do not.
    sklearn knows only the categories that occur unless given `labels`.

    Example: Linearly weighted kappa was .69 (two raters, 180 units, scale 1 to 5).
    """
    return _credited(data, setting, "linear")


@of_pairs(
    key="weighted_kappa_quadratic",
    name="Weighted kappa (quadratic weights)",
    cite=("cohen-1968", "fleiss-cohen-1973"),
    needs=CREDIT,
    recommended={Level.ORDINAL: (2, 2)},
    standard_error=partial(_error, closeness=lambda setting: closeness_named("quadratic", setting.scale)),
)
def weighted_kappa_quadratic(data: Pairs, setting: Setting) -> Parts:
    """Chance picks as each rater did, and a near miss gets credit that falls with the square of the distance.

    A_o = sum_ck w_ck P(c, k), A_e = sum_ck w_ck P(c|r1) P(k|r2), kappa_w = (A_o - A_e) / (1 - A_e)

    w_ck = 1 - (c - k)² / range², on the values of a numeric scale and on the positions of named categories.
    More than two raters: Conger's form.

    When not to use it: For categories without an order. It behaves like a correlation: it rises with the number of
    categories, and two raters who never agree exactly can reach .8.

    In other tools: sklearn `cohen_kappa_score(weights='quadratic')`, statsmodels `cohens_kappa(wt='quadratic')`, R
    `irr::kappa2(weight = "squared")` and `psych::cohen.kappa` space categories by their place; ours uses the values of
    a numeric scale, as irrCAC does (on values 1, 2, 5 that is .678 instead of .762 in one example), and places for
    named categories.

    Example: Quadratically weighted kappa was .81 (two raters, 180 units, scale 1 to 5).
    """
    return _credited(data, setting, "quadratic")


@of_weights(
    key="weighted_kappa",
    name="Weighted kappa",
    cite=("cohen-1968",),
    needs=Needs(suits=frozenset(Level) - {Level.NOMINAL}, missing="uses every pair"),
    name_of=lambda _, chosen: (
        f"Weighted kappa ({chosen.weights if isinstance(chosen.weights, str) else 'given'} weights)"
    ),
)
def weighted_kappa(data: Pairs, setting: Setting) -> Parts:
    """Cohen's kappa with any weights w_ck: a named kind, or a matrix of your own (--weights FILE).

    A_o = sum_ck w_ck P(c, k), A_e = sum_ck w_ck P(c|r1) P(k|r2). More than two raters: Conger's form.

    When not to use it: With weights chosen after seeing the result. Say where the weights come from.

    In other tools: irrCAC `conger(weights=matrix)`, statsmodels `cohens_kappa(weights=matrix)` (its matrix holds
    distances, ours closeness), nltk `weighted_kappa` (a distance and its maximum).

    Example: Kappa with the weights of Table 2 was .66 (two raters, 210 units).
    """
    if setting.options.weights is None:
        raise InputError(
            "weighted_kappa needs weights", hint="give --weights linear, quadratic, ordinal or a CSV matrix"
        )
    return generalised_kappa(data, closeness_named(setting.options.weights, setting.scale), setting)


@of_pairs(
    key="set_full",
    name="Kappa of sets, full agreement",
    cite=("boleda-2009", "cohen-1960"),
    needs=SETS,
    recommended={Level.SET: (1, 1)},
    standard_error=partial(_error, closeness=identity),
)
def set_full(data: Pairs, setting: Setting) -> Parts:
    """Sets agree only if they are identical; chance as in Cohen's kappa (more than two raters: Conger's form).

    When not to use it: As the only coefficient for sets: {B} and {B, E} count as entirely different. Read it beside the
    weighted and the overlapping form.

    In other tools: sklearn `cohen_kappa_score` on the sets written as labels gives the same for two raters.

    Example: Full, weighted and overlapping kappa were .55, .65 and .72 (210 units, three classes).
    """
    return generalised_kappa(data, None, setting)


@of_pairs(
    key="set_weighted",
    name="Kappa of sets, weighted agreement",
    cite=("boleda-2009", "cohen-1968"),
    needs=SETS,
    recommended={Level.SET: (2, 2)},
    standard_error=partial(_error, closeness=lambda setting: set_weighted(setting.scale.members())),
)
def set_weighted_kappa(data: Pairs, setting: Setting) -> Parts:
    """Sets agree by the share of their yes/no decisions that agree, 0 where they share no class.

    w_ab = (classes in both or in neither) / classes if a and b intersect, else 0; chance as in weighted kappa.

    When not to use it: If the number of classes is large: two small sets agree on nearly all the classes that neither
    has.

    In other tools: No other tool has it. nltk with `masi_distance` or `jaccard_distance` weighs sets otherwise.

    Example: Weighted kappa of sets was .65 (210 units, three classes, at most two per unit).
    """
    return generalised_kappa(data, set_weighted(setting.scale.members()), setting)


@of_pairs(
    key="set_overlapping",
    name="Kappa of sets, overlapping agreement",
    cite=("boleda-2009", "cohen-1968"),
    needs=SETS,
    recommended={Level.SET: (3, 3)},
    standard_error=partial(_error, closeness=lambda setting: set_overlapping(setting.scale.members())),
)
def set_overlapping_kappa(data: Pairs, setting: Setting) -> Parts:
    """Sets agree wherever they intersect; chance as in weighted kappa (more than two raters: Conger's form).

    When not to use it: If raters may name many classes: whoever names more overlaps more, and naming all always agrees.

    In other tools: No other tool has it under a name; sklearn, nltk and irrCAC can reach it with a matrix of 0 and 1.

    Example: Overlapping kappa of sets was .72 (210 units, three classes, at most two per unit).
    """
    return generalised_kappa(data, set_overlapping(setting.scale.members()), setting)


OF_SETS = (set_full, set_weighted_kappa, set_overlapping_kappa)
MEASURES = (kappa, conger, light, weighted_kappa_linear, weighted_kappa_quadratic, weighted_kappa, *OF_SETS)
