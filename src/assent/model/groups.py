"""Groups of raters: named ones, or those that an attribute of the raters makes."""

from collections.abc import Mapping

import numpy as np

from assent.errors import InputError, nearest
from assent.model.study import Study

Groups = Mapping[str, tuple[str, ...]]


def groups_by_attribute(study: Study, name: str) -> dict[str, tuple[str, ...]]:
    """The raters of each value of a rater attribute."""
    if name not in study.attribute_of("rater"):
        study.column(name)
        raise InputError(f"{name!r} is not an attribute of raters", hint="name the groups: --group native=J1,J2")
    column = study.attributes[name].as_labels()
    first = np.full(len(study.raters), -1, dtype=np.int64)
    first[study.rater.codes[::-1]] = column.codes[::-1]
    return {
        label: tuple(rater for rater, code in zip(study.raters, first.tolist(), strict=True) if code == place)
        for place, label in enumerate(column.labels)
    }


def check_groups(study: Study, groups: Groups) -> None:
    """Refuse a group with a rater who is not in the data, or in two groups."""
    seen: set[str] = set()
    for name, raters in groups.items():
        for rater in raters:
            if rater not in study.raters:
                raise InputError(f"group {name!r}: there is no rater {rater!r}", hint=nearest(rater, study.raters))
            if rater in seen:
                raise InputError(f"rater {rater!r} is in two groups", hint="put every rater in one group")
            seen.add(rater)
