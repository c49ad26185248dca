"""How judgements are laid out: units with one rater, batches that go with an attribute, contradicting codes."""

import re
from collections.abc import Iterable, Iterator
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from assent.diagnosis.findings import Finding, Severity, count, named
from assent.diagnosis.forensics.case import Case
from assent.diagnosis.material import Material
from assent.model.columns import Column, encode
from assent.randomness import generator

Codes = NDArray[np.int64]
BATCH_NAMES = ("batch", "set", "session", "part", "split")
MOST_LEVELS = 20
LEAST_UNITS = 5
CONFOUNDED = 0.9
ALMOST = 0.9


def single_rated(case: Case) -> Iterator[Finding]:
    """Units with one judgement while others have more: they carry no agreement."""
    sizes = [np.bincount(part.judgements.rows().unit, minlength=part.judgements.n_units) for part in case.parts]
    single = sum(int((size == 1).sum()) for size in sizes)
    judged = sum(int((size > 0).sum()) for size in sizes)
    if not single:
        return
    everything = single == judged
    over = f" (over {count(len(case.parts), 'question')})" if len(case.parts) > 1 else ""
    yield Finding(
        kind="single-rated",
        severity=Severity.SERIOUS if everything else Severity.NOTE,
        seen=f"{single:,} of {judged:,} judged units{over} have one judgement only.",
        sure="Counted.",
        advice="No unit was judged twice, so nothing can be said about agreement."
        if everything
        else "They are left out of observed agreement everywhere; say how many units the coefficient rests on.",
        evidence={"n_single": single, "n_judged": judged},
    )


def confounded_batches(case: Case) -> Iterator[Finding]:
    """Which raters (or which batch) a unit got goes with an attribute: their effects cannot be told apart."""
    part = case.parts[0]
    batches: dict[str, Codes] = {"the raters who judged a unit": _rater_sets(part)}
    batches |= {repr(n): c.codes for n, c in part.unit_attributes.items() if n.casefold() in BATCH_NAMES}
    for what, batch in batches.items():
        for name, column in part.unit_attributes.items():
            if repr(name) not in batches and _levels(column) and is_confounded(batch, column.codes, part.is_paired):
                yield _confounded_finding(what, name, batch, column, part)


def _rater_sets(part: Material) -> Codes:
    """A number for the set of raters who judged each unit: their random marks, combined."""
    rows = part.judgements.rows()
    mark = generator(0).integers(1, 2**62, size=len(part.tally.raters), dtype=np.int64)
    key = np.zeros(part.judgements.n_units, dtype=np.int64)
    np.bitwise_xor.at(key, rows.unit, mark[rows.rater])
    return np.unique(key, return_inverse=True)[1].reshape(-1)


def _levels(column: Column) -> bool:
    """Whether a column sorts units into a few groups."""
    return 2 <= len(column.labels) <= MOST_LEVELS


def is_confounded(batch: Codes, attribute: Codes, paired: NDArray[np.bool_]) -> bool:
    """Whether two batches or more have units, and knowing the attribute nearly tells the batch."""
    table = _table(batch[paired], attribute[paired])
    table = table[table.sum(axis=1) >= LEAST_UNITS][:, table.sum(axis=0) >= LEAST_UNITS] if table.size else table
    if min(table.shape, default=0) < 2 or not table.sum():
        return False
    return cramers_v(table) >= CONFOUNDED


def _table(first: Codes, second: Codes) -> NDArray[np.int64]:
    """Counts of two codings."""
    keep = (first >= 0) & (second >= 0)
    first, second = first[keep].astype(np.int64), second[keep].astype(np.int64)
    if not len(first):
        return np.zeros((0, 0), dtype=np.int64)
    shape = (int(first.max()) + 1, int(second.max()) + 1)
    return np.bincount(first * shape[1] + second, minlength=shape[0] * shape[1]).reshape(shape)


def cramers_v(table: NDArray[np.int64]) -> float:
    """√(χ² / (n (min(rows, columns) - 1))): 1 if one coding tells the other (Cramér 1946)."""
    table = table[table.sum(axis=1) > 0][:, table.sum(axis=0) > 0].astype(np.float64)
    if min(table.shape) < 2:
        return 0.0
    n = table.sum()
    expected = table.sum(axis=1, keepdims=True) * table.sum(axis=0, keepdims=True) / n
    return float(np.sqrt(((table - expected) ** 2 / expected).sum() / (n * (min(table.shape) - 1))))


def _confounded_finding(what: str, name: str, batch: Codes, column: Column, part: Material) -> Finding:
    """Say it."""
    v = cramers_v(_table(batch[part.is_paired], column.codes[part.is_paired]))
    return Finding(
        kind="confounded-batch",
        severity=Severity.WARNING,
        seen=f"{what[0].upper()}{what[1:]} goes with {name!r}: units of one value were judged together, those of "
        "another elsewhere.",
        sure=f"Cramér's V is {v:.2f} (1 means that one tells the other).",
        advice=f"A difference in agreement between the values of {name!r} may be a difference between raters. Let "
        "every rater judge units of every kind.",
        evidence={"batch": what, "attribute": name, "cramers_v": v},
    )


def contradicting_codes(case: Case) -> Iterator[Finding]:
    """Two columns that say nearly the same thing, and contradict each other in a few units."""
    part = case.parts[0]
    columns = {n: c for n, c in part.unit_attributes.items() if _levels(c)}
    columns |= {n: c for n, c in _parts_of_names(part.units).items() if not _is_known(c, columns.values())}
    told = set()
    for one, two in permutations(columns, 2):
        if frozenset((one, two)) in told:
            continue
        found = contradiction(columns[one].codes, columns[two].codes)
        if found is not None:
            told.add(frozenset((one, two)))
            yield _contradiction_finding(one, two, columns[one], columns[two], found)


def _parts_of_names(units: tuple[str, ...]) -> dict[str, Column]:
    """Codes inside the units' names: `I28T-gNNS-p001` has a second part that sorts units into groups."""
    parts = [re.split(r"[-_./:|]", unit) for unit in units]
    if len({len(one) for one in parts}) != 1 or len(parts[0]) < 2:
        return {}
    columns = (encode([one[i] for one in parts]).as_labels() for i in range(len(parts[0])))
    return {f"part {i + 1} of the unit's name": column for i, column in enumerate(columns) if _levels(column)}


def _is_known(code: Column, columns: Iterable[Column]) -> bool:
    """Whether a column sorts units into the very same groups."""
    tables = (_table(code.codes, column.codes) > 0 for column in columns)
    return any((table.sum(axis=0) == 1).all() and (table.sum(axis=1) == 1).all() for table in tables)


def contradiction(first: Codes, second: Codes) -> tuple[Codes, NDArray[np.bool_]] | None:
    """What each value of the first coding usually means in the second, and the units that break it; None if none do.

    The codings must say nearly the same: usual meanings differ, each holds for 9 of 10 units, and V is high.
    """
    table = _table(first, second)
    if min(table.shape, default=0) < 2 or (table.sum(axis=1) < LEAST_UNITS).any():
        return None
    usual = table.argmax(axis=1)
    held = table.max(axis=1) / table.sum(axis=1)
    if (held == 1).all() or (held < ALMOST).any() or len(set(usual.tolist())) < 2 or len(set(usual)) < table.shape[1]:
        return None
    if cramers_v(table) < ALMOST - 0.1:
        return None
    known = (first >= 0) & (second >= 0)
    return usual, known & (usual[np.maximum(first, 0)] != second)


def _contradiction_finding(
    one: str, two: str, first: Column, second: Column, found: tuple[Codes, NDArray[np.bool_]]
) -> Finding:
    """Say which combinations are unusual."""
    usual, breaks = found
    cells = _table(first.codes[breaks], second.codes[breaks])
    shown = [
        f"{count(int(cells[c, k]), 'unit')} with {first.labels[c]!r} and {second.labels[k]!r}"
        for c, k in zip(*np.nonzero(cells), strict=True)
    ]
    rule = ", ".join(f"{first.labels[c]!r} means {second.labels[k]!r}" for c, k in enumerate(usual.tolist()))
    return Finding(
        kind="contradicting-codes",
        severity=Severity.WARNING,
        seen=f"{one!r} and {two!r} contradict each other: {named(shown, 3)}; usually {rule}.",
        sure=f"{int(breaks.sum()):,} of {count(len(breaks), 'unit')} break a rule that holds for the rest.",
        advice="Decide which column is right before you slice by either, and say which you used.",
        evidence={"columns": [one, two], "n_units": int(breaks.sum()), "n_known": len(breaks)},
    )
