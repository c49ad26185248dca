"""Which interval `auto` is: the one that was shown to hold, by the kind of measure and the size of the data.

The simulations are in docs/explanation/coverage.md. A measure names one of these functions in its field `usual`.
"""

from typing import Any

from concordant.engines.tally import Tally
from concordant.measures.spec import Usual
from concordant.model.scale import Level

MOST_DRAWN = 5_000  # units or clusters: beyond them the posterior and the percentile bootstrap are one
MOST_CLUSTERS = 20_000  # beyond them resamples cost more than they tell: both intervals cover alike there
MOST_RESAMPLED = 50_000  # beyond them raters' shares are not resampled any more
FEW_UNITS = 30
FEW_CLUSTERS = 20

POSTERIOR = "it covers with few units, near-perfect agreement and rare categories"
MANY = f"with more than {MOST_DRAWN:,} it is as good as any"
CLUSTERS = f"more than {MOST_CLUSTERS:,} clusters, hardly two of them alike, need no resamples"
FEW = f"with fewer than {FEW_CLUSTERS} clusters its t allows for their number"
LINEAR = f"with more than {MOST_RESAMPLED:,} each rater's shares need one pass over the judgements"
HULL = "of numbers it covers with few units, where percentiles are too narrow; of skewed units it covers less often"
PIVOTS = "it allows for few units, few raters and holes; of skewed units it covers less often"
MOST_STEPS = 10  # categories of a correlation of ranks
FEW_RANKS = f"with fewer than {FEW_UNITS} units percentiles are too narrow where nearly all are in order"
SKEWED_RANKS = "with few units most of which are of one category, correlations of ranks were covered in 88 % or more"
FEW_SCORES = f"with fewer than {FEW_UNITS} units it covers 92 to 98 % of pairs of normal scores; others are not studied"
NOT_STUDIED = "nothing better was shown for this measure"


def n_drawn(data: Tally) -> int:
    """How many units with a pair of judgements there are, or clusters of units."""
    return data.n_paired if data.bundles is None else data.bundles.n_clusters


def of_categories(data: Tally, options: Any) -> Usual:
    """A coefficient that sees a unit through how often each category was given: units alike are drawn as one."""
    if data.bundles is not None and n_drawn(data) > MOST_CLUSTERS:
        return Usual("linearised", CLUSTERS)
    if data.bundles is not None and n_drawn(data) < FEW_CLUSTERS and data.counts.has_differences:
        return Usual("jackknife", FEW)
    return Usual("bootstrap", MANY) if n_drawn(data) > MOST_DRAWN else Usual("posterior", POSTERIOR)


def of_raters(data: Tally, options: Any) -> Usual:
    """A coefficient of categories that needs the shares of each rater."""
    return Usual("linearised", LINEAR) if n_drawn(data) > MOST_RESAMPLED else of_categories(data, options)


def of_distances(data: Tally, options: Any) -> Usual:
    """alpha: categories, or numbers; where nobody differs a jackknife has no width, and numbers are categories too."""
    is_number = data.scale.level in (Level.INTERVAL, Level.RATIO, Level.BIPOLAR) or data.scale.is_continuous
    if is_number and (data.scale.is_continuous or data.counts.has_differences):
        return Usual("hull", HULL)
    return of_categories(data, options)


def not_studied(data: Tally, options: Any) -> Usual:
    """What has no simulations."""
    few = f"how often this interval covers with fewer than {FEW_UNITS} units was not studied"
    return Usual("bootstrap", NOT_STUDIED, few if n_drawn(data) < FEW_UNITS else "")


def of_ranks(data: Tally, options: Any) -> Usual:
    """A correlation of ranks: in few units nearly all of which are in order, percentiles know no other."""
    if n_drawn(data) >= FEW_UNITS:
        return Usual("bootstrap", NOT_STUDIED)
    n_steps = 0 if data.scale.is_continuous else len(data.scale.categories)
    in_common = min(data.pairs.n_units.tolist(), default=0)
    if 2 <= n_steps <= MOST_STEPS and data.bundles is None and 2 * in_common >= n_drawn(data):
        return Usual("posterior", FEW_RANKS, SKEWED_RANKS)
    return Usual("bootstrap", NOT_STUDIED, FEW_SCORES)


def of_moments(data: Tally, options: Any) -> Usual:
    """A correlation of the scores themselves."""
    return Usual("hull", HULL)


def of_components(data: Tally, options: Any) -> Usual:
    """Scores in any design; pivots take units to be independent."""
    is_free = data.bundles is None or bool(data.scale.asked)
    return Usual("pivots", PIVOTS) if is_free else Usual("bootstrap", NOT_STUDIED)
