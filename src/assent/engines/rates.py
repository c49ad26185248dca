"""How often each rater gives a category, on the units that can agree or disagree."""

import numpy as np

from assent.engines.tally import Tally


def category_rates(data: Tally, category: str, raters: tuple[str, ...]) -> tuple[float | None, ...]:
    """Each rater's share of one category among the units with two judgements or more; None for one who judged none."""
    patterns = data.patterns
    entry = (patterns.sizes > 1)[patterns.pattern]
    weight = patterns.weights[patterns.pattern] * entry
    said = weight * (patterns.code == data.scale.categories.index(category))
    size = len(data.raters)
    total, given = (np.bincount(patterns.rater, weights=w, minlength=size) for w in (weight, said))
    places = [data.raters.index(rater) for rater in raters]
    return tuple(float(given[i] / total[i]) if total[i] else None for i in places)
