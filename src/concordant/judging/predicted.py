"""The intervals of prediction-powered inference: means and shares of units of which people labelled only some.

y is people's value of a unit (their mean, or their share of a category), f the model's; n units have both, N only f.

mean   theta = mean y - l (mean of f where labelled - mean of f on the rest), l = cov(y, f) / ((1 + n/N) var f),
       var = var(y - l f)/n + l^2 var f / N, t with n - 2 degrees of freedom
share  post-stratified by the model's category c: theta = sum of w_c p_c, Wilson limits of each p_c joined by MOVER;
       the normal interval fails for rare categories

If the question is about these M = n + N units and no others, what is sampled is only who was labelled: variances are
multiplied by 1 - n/M, l = cov / var f, and shares w_c are known.

Where units were drawn with unequal chances p_i, each stands for 1/p_i units: these weights are scaled to add up to M,

mean   theta = l (mean of f over all) + sum of w (y - l f) / M, var = sum of (1 - p) w^2 e^2 / M^2 (+ var y / M, if
       not about these units), e = y - l f less its weighted mean, l that which makes it smallest; degrees of freedom
       from the (sum of (1 - p) w^2)^2 / sum of ((1 - p) w^2)^2 units that they are worth
share  p_c with these weights, as of (sum of w)^2 / sum of w^2 units (Kish 1965), of fewer where weights go with y

Angelopoulos, A. N. et al. (2023). Prediction-powered inference. Science 382, 669-674. Angelopoulos, A. N., Duchi, J. C.
& Zrnic, T. (2023). PPI++: efficient prediction-powered inference. arXiv:2311.01453. Zou, G. Y. & Donner, A. (2008).
Construction of confidence limits about effect measures: a general approach. Statistics in Medicine 27, 1693-1702.
Kish, L. (1965). Survey sampling. Wiley. Sarndal, C.-E., Swensson, B. & Wretman, J. (1992). Model assisted survey
sampling. Springer.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.arrays import Floats
from concordant.uncertainty.mover import Limits

LEAST_EXPECTED = 10  # units of a stratum that would be drawn at the usual chance


def mean_limits(
    y: Floats, f: Floats, rest: Floats, *, level: float = 0.95, is_finite: bool = False, uses_model: bool = True
) -> Limits:
    """The mean of y over all units."""
    from scipy.special import stdtrit

    n, many = len(y), len(rest)
    spread = float(np.concatenate([f, rest]).var(ddof=1))
    scale = spread * (1.0 if is_finite else 1 + n / max(many, 1))
    weight = float(np.cov(y, f)[0, 1]) / scale if uses_model and spread > 0 and many else 0.0
    everything = np.concatenate([f, rest]).mean()
    target = everything if is_finite else (rest.mean() if many else f.mean())
    value = float(y.mean() - weight * (f.mean() - target))
    free = n - 1 - (weight != 0)
    within = float((y - weight * f).var(ddof=1)) * (n - 1) / free / n
    if is_finite:
        variance = within * (1 - n / (n + many))
    else:
        variance = within + (weight**2 * float(rest.var(ddof=1)) / many if many > 1 else 0.0)
    half = -float(stdtrit(free, (1 - level) / 2)) * float(np.sqrt(variance))
    return Limits(value, value - half, value + half)


def share_limits(
    y: Floats,
    f: NDArray[Any],
    rest: NDArray[Any],
    *,
    level: float = 0.95,
    is_finite: bool = False,
    people: float = 1.0,
) -> Limits:
    """The share of units with y, post-stratified by what the model said (`f`, `rest`: its categories).

    Where y is the share of several `people`, it varies less than yes and no do, and counts as so many more units.
    """
    from scipy.special import ndtri

    z, times = float(-ndtri((1 - level) / 2)), _worth(y, f, people)
    everything = np.concatenate([f, rest])
    value = down = up = squares = 0.0
    for c in np.unique(everything):
        weight, inside = float((everything == c).mean()), y[f == c]
        n, p = (times * len(inside), float(inside.mean())) if len(inside) else (1.0, float(y.mean()))  # nobody looked
        centre = (n * p + z * z / 2) / (n + z * z)
        half = z / (n + z * z) * np.sqrt(n * p * (1 - p) + z * z / 4)
        sampled = 1 - len(inside) / (everything == c).sum() if is_finite else 1.0
        value, squares = value + weight * p, squares + weight * p * p
        down += sampled * (weight * (p - centre + half)) ** 2
        up += sampled * (weight * (centre + half - p)) ** 2
    extra = 0.0 if is_finite else z * z * max(squares - value**2, 0.0) / len(everything)
    low, high = value - np.sqrt(down + extra), value + np.sqrt(up + extra)
    return Limits(value, float(max(low, 0.0)), float(min(high, 1.0)))


def _worth(y: Floats, f: NDArray[Any], people: float) -> float:
    """How many units with one answer a unit is worth: the variance of yes and no within strata against that of y."""
    plain = within = 0.0
    for c in np.unique(f):
        inside = y[f == c]
        plain += len(inside) * float(inside.mean() * (1 - inside.mean()))
        within += float(((inside - inside.mean()) ** 2).sum())
    return min(plain / within, people) if within > 0 else 1.0


def labels_needed(
    half: float, sd: float, correlation: float, many: int, *, level: float = 0.95, is_finite: bool = False
) -> tuple[int, int]:
    """Labels for this half-width, by people alone and with a model on `many` further units (`is_finite`: on all).

    >>> labels_needed(0.03, 0.21**0.5, 0.8, 50_000)
    (897, 327)
    >>> labels_needed(0.03, 0.21**0.5, 0.8, 600, is_finite=True)
    (360, 210)
    """
    from scipy.special import ndtri

    alone = (float(-ndtri((1 - level) / 2)) * sd / half) ** 2
    if is_finite:
        left = alone * (1 - correlation**2)
        return int(np.ceil(alone / (1 + alone / many))), int(np.ceil(left / (1 + left / many)))
    n = alone
    for _ in range(200):
        n = alone * (1 - correlation**2 * many / (many + n))
    return int(np.ceil(alone)), int(np.ceil(n))


def worth(weights: Floats) -> float:
    """How many units drawn with equal chances these are worth (Kish).

    >>> worth(np.array([2.0, 2.0, 2.0])), round(worth(np.array([1.0, 1.0, 10.0])), 2)
    (3.0, 1.41)
    """
    return float(weights.sum() ** 2 / (weights**2).sum()) if len(weights) else 0.0


def weighted_mean_limits(
    y: Floats,
    f: Floats,
    weights: Floats,
    everything: Floats,
    *,
    level: float = 0.95,
    is_finite: bool = False,
    uses_model: bool = True,
) -> Limits:
    """The mean of y over all units, some drawn with unequal chances and labelled; `everything` is f of all."""
    from scipy.special import stdtrit

    many = len(everything)
    w, open_ = scaled(weights, many)
    own, model = y - (w @ y) / many, f - (w @ f) / many
    squares = w**2 * open_
    scale = float(squares @ model**2)
    factor = float(squares @ (own * model)) / scale if uses_model and scale > 0 else 0.0
    apart = own - factor * model
    value = float((w @ y) / many + factor * (everything.mean() - (w @ f) / many))
    n = float(squares.sum() ** 2 / (squares**2).sum()) if squares.any() else float(len(y))
    free = max(n - 1 - (factor != 0), 1.0)
    variance = float(squares @ apart**2) / many**2 * n / free
    if not is_finite:
        variance += float(w @ own**2) / many / many
    half = -float(stdtrit(free, (1 - level) / 2)) * float(np.sqrt(variance))
    return Limits(value, value - half, value + half)


def weighted_share_limits(
    y: Floats,
    f: NDArray[Any],
    weights: Floats,
    everything: NDArray[Any],
    *,
    level: float = 0.95,
    is_finite: bool = False,
    people: float = 1.0,
) -> Limits:
    """The share of units with y, post-stratified by what the model said of all (`everything`), drawn with weights."""
    from scipy.special import ndtri

    z = float(-ndtri((1 - level) / 2))
    f, everything = _wide_enough(f, everything, weights)
    strata, overall = [], float(weights @ y / weights.sum())
    for c in np.unique(everything):
        mine, many = f == c, int((everything == c).sum())
        if not mine.any():
            strata.append((many / len(everything), overall, 1.0, 0.0, 1.0))  # nobody looked
            continue
        w, open_ = scaled(weights[mine], many)
        p, n = float(w @ y[mine]) / many, worth(w)
        seen = float(w**2 @ (y[mine] - p) ** 2) / many**2 * n / max(n - 1, 1)
        sampled = float(w**2 @ open_ / (w**2).sum()) if is_finite else 1.0
        strata.append((many / len(everything), p, n, seen, sampled))
    share, p, n, seen, sampled = np.array(strata).T
    known = seen > 0
    plain = float((share**2 * p * (1 - p) / n)[known].sum())
    found = float((share**2 * seen).sum())
    n = n * (min(plain / found, people) if found > 0 else 1.0)
    value = float(share @ p)
    centre = (n * p + z * z / 2) / (n + z * z)
    half = z / (n + z * z) * np.sqrt(n * p * (1 - p) + z * z / 4)
    extra = 0.0 if is_finite else z * z * max(float(share @ p**2) - value**2, 0.0) / len(everything)
    down = float((sampled * (share * (p - centre + half)) ** 2).sum())
    up = float((sampled * (share * (centre + half - p)) ** 2).sum())
    low, high = float(value - np.sqrt(down + extra)), float(value + np.sqrt(up + extra))
    return Limits(value, max(low, 0.0), min(high, 1.0))


def _wide_enough(
    f: NDArray[Any], everything: NDArray[Any], weights: Floats
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The model's categories as strata; small ones in which chances differ join the largest.

    Where few of a category's units were to be drawn at the usual chance, those with small chances may all be missing,
    and nothing that was labelled shows it.
    """
    found, place, sizes = np.unique(everything, return_inverse=True, return_counts=True)
    place, mine = place.reshape(-1), np.searchsorted(found, f)
    usual = float((weights**2).sum() / weights.sum()) * len(everything) / weights.sum()
    for c in np.flatnonzero(sizes < LEAST_EXPECTED * usual).tolist():
        if len(np.unique(weights[mine == c])) > 1:
            place[place == c], mine[mine == c] = sizes.argmax(), sizes.argmax()
    return mine, place


def scaled(weights: Floats, many: int) -> tuple[Floats, Floats]:
    """Weights that add up to so many units, and 1 less each unit's chance of having been drawn."""
    w = weights * (many / weights.sum())
    return w, np.clip(1 - 1 / w, 0.0, 1.0)
