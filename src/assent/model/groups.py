"""Groups of raters: named ones, or those that an attribute of the raters makes."""

from collections.abc import Mapping, Sequence

import numpy as np

from assent.errors import InputError, nearest
from assent.model.study import Study

Groups = Mapping[str, tuple[str, ...]]


def named_groups(texts: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Groups of raters written as `own=A,B`; one text may name several.

    >>> named_groups(["own=Ida,Jon,foreign=Kim"])
    {'own': ('Ida', 'Jon'), 'foreign': ('Kim',)}
    """
    groups: dict[str, list[str]] = {}
    for text in texts:
        name = ""
        for part in text.split(","):
            before, equals, after = part.partition("=")
            name = before.strip() if equals else name
            rater = (after if equals else part).strip()
            if not (name and rater):
                raise InputError(f"{text!r} is not a group of raters", hint="write NAME=RATER,RATER: native=J1,J2")
            groups.setdefault(name, []).append(rater)
    return {name: tuple(raters) for name, raters in groups.items()}


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
