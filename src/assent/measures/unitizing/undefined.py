"""Why a unitizing measure has no value on a continuum: one sentence each."""

import numpy as np

from assent.model.continuum import Continuum


def too_few_raters(continuum: Continuum) -> str | None:
    """Agreement needs two raters."""
    if continuum.n_raters >= 2:
        return None
    who = f"a single rater ({continuum.raters[0]})" if continuum.raters else "no rater"
    return f"there is {who} in this text; agreement needs two"


def without_units(continuum: Continuum) -> str | None:
    """Every rater must have marked something."""
    idle = [name for name, size in zip(continuum.raters, continuum.sizes, strict=True) if size == 0]
    return f"rater {idle[0]!r} marked no unit in this text" if idle else None


def zero_length(continuum: Continuum) -> str | None:
    """The dissimilarity divides by lengths."""
    empty = np.flatnonzero(continuum.begin == continuum.end)
    if len(empty) == 0:
        return None
    unit = empty[0]
    where = f"rater {continuum.raters[continuum.rater[unit]]!r} at {continuum.begin[unit]:.17g}"
    count = "a span has" if len(empty) == 1 else f"{len(empty)} spans have"
    first = "" if len(empty) == 1 else "the first: "
    return (
        f"{count} zero length ({first}{where}), and dissimilarity divides by length; --zero-length drop leaves them out"
    )


def whole_text(continuum: Continuum) -> str | None:
    """Cutting and swapping cannot move a unit that is as long as the text."""
    low, high = continuum.bounds
    for rater in np.flatnonzero(continuum.sizes == 1):
        unit = int(np.argmax(continuum.rater == rater))
        if continuum.begin[unit] <= low and continuum.end[unit] >= high:
            known = "" if continuum.length is not None else ", as far as units show it (the text's length is not known)"
            who = f"the only unit of rater {continuum.raters[rater]!r}"
            return f"{who} spans the whole text{known}, so it cannot be shuffled"
    return None
