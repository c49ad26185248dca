"""Published analytic intervals, each named with its source; where none is published for a case, the notes say so."""

from collections.abc import Callable

import numpy as np

from assent.arrays import Floats
from assent.engines.views import Pairs
from assent.measures.distance import closeness_named, set_overlapping, set_weighted
from assent.measures.result import Agreement, Interval
from assent.measures.spec import Setting
from assent.model.scale import Level
from assent.uncertainty import linearised
from assent.uncertainty.correlation_errors import (
    DENOMINATORS,
    MOST_CELLS,
    lin_interval,
    order_error,
    pearson_interval,
    spearman_interval,
)
from assent.uncertainty.intervals import Uncertainty, bounded, no_interval, t_interval
from assent.uncertainty.linearised import StandardError
from assent.uncertainty.reliability_intervals import reliability_interval
from assent.uncertainty.resampling import Sampling

USE_BOOTSTRAP = "use ci=bootstrap"
SHARED_CHANCE = {
    "percent": linearised.percent_error,
    "s": linearised.s_error,
    "brennan_prediger": linearised.uniform_error,
    "pi": linearised.pi_error,
    "fleiss": linearised.pi_error,
    "ac1": linearised.ac1_error,
    "ac2": linearised.ac2_error,
}
OWN_CHANCE: dict[str, Callable[[Setting], Floats]] = {
    "kappa": linearised.asked_closeness,
    "conger": linearised.asked_closeness,
    "weighted_kappa": linearised.asked_closeness,
    "weighted_kappa_linear": lambda setting: closeness_named("linear", setting.scale),
    "weighted_kappa_quadratic": lambda setting: closeness_named("quadratic", setting.scale),
    "set_full": lambda setting: np.eye(len(setting.scale.categories)),
    "set_weighted": lambda setting: set_weighted(setting.scale.members()),
    "set_overlapping": lambda setting: set_overlapping(setting.scale.members()),
}
FISHER: dict[str, Callable[[Pairs, float, float], Interval | None]] = {
    "pearson": pearson_interval,
    "spearman": spearman_interval,
    "lin_ccc": lin_interval,
}
RELIABILITY = ("icc1", "icc1k", "icc_a1", "icc_ak", "icc_c1", "icc_ck", "cronbach_alpha")


def analytic(sampling: Sampling, result: Agreement, *, confidence: float) -> Uncertainty:
    """The published interval of a result that has a value."""
    key, value = result.measure, float(result)
    if key in RELIABILITY:
        return _or_none(reliability_interval(key, sampling.data.panel, value, confidence), key)
    if key in FISHER or key in DENOMINATORS:
        return _of_correlation(sampling, key, value, confidence)
    found = _standard_error(sampling, result)
    if isinstance(found, str):
        return no_interval(f"no published interval for {key}{found}; {USE_BOOTSTRAP}")
    return bounded(t_interval(value, found.error, found.freedom, confidence=confidence, method=found.source))


def _or_none(interval: Interval | None, key: str) -> Uncertainty:
    """An interval, or why there is none."""
    if interval is None:
        return no_interval(f"the published interval of {key} is undefined on these data; {USE_BOOTSTRAP}")
    return Uncertainty(interval=interval)


def _of_correlation(sampling: Sampling, key: str, value: float, confidence: float) -> Uncertainty:
    """Two raters only; coefficients of order need a table of both raters' values."""
    pair = sampling.data.pairs
    if len(pair.pairs) != 1:
        return no_interval(f"no published interval for the mean of {key} over rater pairs; {USE_BOOTSTRAP}")
    if key in FISHER:
        return _or_none(FISHER[key](pair, value, confidence), key)
    if sampling.data.scale.is_continuous or pair.n_categories**2 > MOST_CELLS:
        return no_interval(f"no interval for {key} of so many different values; {USE_BOOTSTRAP}")
    error = order_error(key, pair)
    method = "asymptotic standard error (Goodman & Kruskal 1972; Brown & Benedetti 1977)"
    return bounded(t_interval(value, error, float("inf"), confidence=confidence, method=method))


def _standard_error(sampling: Sampling, result: Agreement) -> StandardError | str:
    """The standard error of an agreement coefficient, or in which case there is none."""
    data, setting = sampling.data, Setting(scale=sampling.data.scale, options=sampling.options)
    key, value = result.measure, float(result)
    if data.n_paired < 2:
        return " of one unit"
    if setting.options.weight != "units":
        return " weighted by judgements"
    if key in SHARED_CHANCE:
        return SHARED_CHANCE[key](data, setting, value, result.expected)
    if key in OWN_CHANCE:
        return linearised.kappa_error(data, OWN_CHANCE[key](setting), value, result.expected or 0.0)
    return _alpha_error(sampling, setting) if key == "alpha" else ""


def _alpha_error(sampling: Sampling, setting: Setting) -> StandardError | str:
    """Gwet's error takes the distances as given: ordinal ones depend on the data."""
    if setting.options.distance is None and setting.scale.level is Level.ORDINAL:
        return " on ordinal data"
    if setting.scale.is_continuous and setting.scale.level is not Level.INTERVAL:
        return f" on {setting.scale.level.value} data with so many different values"
    return linearised.alpha_error(sampling.data, setting)
