"""What a plan was made from, as a fingerprint, and whether a study is still that one: columns may have been added."""

import hashlib
import json
from collections.abc import Collection, Iterator, Sequence
from dataclasses import asdict
from itertools import islice
from typing import TYPE_CHECKING, Any

from concordant.design.assignment import designed
from concordant.design.description import Description

if TYPE_CHECKING:
    from concordant.design.plan import Plan

MOST_COMPARED = 200_000  # units, times what their columns may have been


def is_made_from(plan: "Plan", description: Description) -> bool:
    """Whether a plan was made from this study, or from what it was before columns of attributes were added."""
    names = list(dict.fromkeys(name for unit in description.rows for name in unit.attributes))
    most = max(len(names) + 1, MOST_COMPARED // max(len(description.rows), 1))
    return any(fingerprint(description, old) == plan.fingerprint for old in islice(without_added(names), most))


def without_added(names: Sequence[str]) -> Iterator[list[str]]:
    """What the columns may have been: all, those before others at the right, or before others in one place and there.

    >>> ["".join(old) for old in without_added("abc")]
    ['abc', 'ab', 'a', '', 'bc', 'ac', 'c', 'b']
    """
    yield from (list(names[:n]) for n in range(len(names), -1, -1))
    for end in range(len(names), 0, -1):  # with what stays before a block at the right
        for size in range(1, end):
            yield from ([*names[:start], *names[start + size : end]] for start in range(end - size))


def fingerprint(description: Description, attributes: Collection[str] | None = None) -> str:
    """What the plan depends on, as 16 hexadecimal digits: units, questions and design, but not the wording of pages."""
    rows = [(u, u.attributes if attributes is None else set(attributes) & set(u.attributes)) for u in description.rows]
    design: dict[str, Any] = {
        "units": [[unit.id, unit.item, unit.text, {n: unit.attributes[n] for n in names}] for unit, names in rows],
        "judged": [unit.id for unit in description.units],
        "questions": [[q.id, q.task, [option.value for option in q.options]] for q in description.questions],
        "sampling": asdict(description.sampling),
        "sets": {"count": description.n_sets},
        "pairing": asdict(description.pairing) if description.pairing else None,
        "seed": description.seed,
    }
    if description.assignment is not None:
        design["assignment"] = designed(description.assignment)
    if parses := [unit.parses.fingerprint for unit in description.units if unit.parses]:
        design["parses"] = parses
    canonical = json.dumps(design, sort_keys=True, ensure_ascii=True)
    return hashlib.sha256(canonical.encode()).hexdigest()[:16]
