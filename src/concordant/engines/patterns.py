"""Distinct unit patterns with multiplicities: what is left of any number of judgements, and which data are the same.

Two units have one pattern if the same raters gave them the same values. With five raters and five
categories a few thousand patterns stand for a hundred million judgements. Where raters are many and
each judges little (a crowd), hardly two units are alike and every unit keeps a pattern of its own;
the form is sparse, so nothing is lost by that.

The order of patterns decides which of them a seed draws. So patterns are put in the order of their hashes: the
same judgements give the same digits however their rows were ordered and whoever counted them.
"""

import hashlib
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.arrays import Floats
from concordant.errors import InputError
from concordant.model.judgements import Grid, Judgements, Rows
from concordant.model.scale import Scale

DENSE_SHARE = 0.05  # a units × raters grid is built only if at least this share of it is filled


@dataclass(frozen=True, kw_only=True, eq=False)
class Patterns:
    """Entry e: in `pattern[e]`, `rater[e]` gave the value `code[e]`. Sorted by pattern, then rater.

    `weights[p]` says how many units have pattern p. Units without any judgement have no pattern.
    """

    pattern: NDArray[np.int64]
    rater: NDArray[np.int64]
    code: NDArray[Any]
    weights: NDArray[np.float64]

    @property
    def sizes(self) -> NDArray[np.int64]:
        """How many judgements each pattern has."""
        return np.bincount(self.pattern, minlength=len(self.weights))


def find_patterns(data: Judgements) -> Patterns:
    """Reduce judgements to their patterns: the one step that looks at every judgement."""
    if data.n_repeats:
        what = f"{data.n_repeats} judgements are repeats, and agreement is of one judgement by each rater"
        raise InputError(what, hint="say --duplicates first or last; models of gold use all")
    if data.scale.is_continuous:
        return units_as_patterns(data.rows(), data.n_units)
    n_categories = len(data.scale.categories)
    fits = fits_key(data.n_raters, n_categories)
    if isinstance(data.table, Grid):
        if fits:
            return _of_keys(keys_of_grid(data.table.cells, n_categories), data.n_raters, n_categories)
        return patterns_of_cells(*np.unique(data.table.cells, axis=0, return_counts=True))
    filled = len(data.table.unit) / max(data.n_units * data.n_raters, 1)
    if filled >= DENSE_SHARE and fits:
        return _of_keys(keys_of_rows(data), data.n_raters, n_categories)
    return units_as_patterns(data.rows(), data.n_units)


def fits_key(n_raters: int, n_categories: int) -> bool:
    """Whether a pattern can be written as one 63-bit number in base (categories + 1)."""
    return n_raters * math.log2(n_categories + 1) < 62


def _key_type(n_raters: int, n_categories: int) -> type[np.signedinteger[Any]]:
    """The smallest integer type that holds a pattern's number."""
    return np.int32 if n_raters * math.log2(n_categories + 1) < 30 else np.int64


def keys_of_grid(cells: NDArray[Any], n_categories: int) -> NDArray[Any]:
    """A grid row is a pattern: each read as one number."""
    keys = np.zeros(len(cells), dtype=_key_type(cells.shape[1], n_categories))
    for column in range(cells.shape[1]):
        keys *= n_categories + 1
        keys += cells[:, column]
        keys += 1
    return keys


def keys_of_rows(data: Judgements) -> NDArray[Any]:
    """Each unit's pattern as a number, added up judgement by judgement."""
    rows, base = data.rows(), len(data.scale.categories) + 1
    kind = _key_type(data.n_raters, base - 1)
    place = np.array([base**power for power in range(data.n_raters - 1, -1, -1)], dtype=kind)
    keys = np.zeros(data.n_units, dtype=kind)
    for rater in range(data.n_raters):
        mine = rows.rater == rater
        keys[rows.unit[mine]] += (rows.value[mine].astype(kind) + 1) * place[rater]
    return keys


def _of_keys(keys: NDArray[Any], n_raters: int, n_categories: int) -> Patterns:
    """Count equal numbers and write the distinct ones as patterns again."""
    base = n_categories + 1
    if float(base) ** n_raters <= max(4 * len(keys), 1 << 16):
        counts = np.bincount(keys, minlength=1)
        distinct = np.nonzero(counts)[0]
        weights = counts[distinct]
    else:
        distinct, weights = np.unique(keys, return_counts=True)
    return patterns_of_keys(distinct, weights, n_raters, n_categories)


def patterns_of_keys(distinct: NDArray[Any], weights: NDArray[Any], n_raters: int, n_categories: int) -> Patterns:
    """Write distinct numbers as patterns again: the last rater is the last digit, 0 is missing."""
    base = n_categories + 1
    cells = np.empty((len(distinct), n_raters), dtype=np.int64)
    rest = distinct.astype(np.int64)
    for column in range(n_raters - 1, -1, -1):
        cells[:, column] = rest % base - 1
        rest //= base
    return patterns_of_cells(cells, weights)


def patterns_of_cells(cells: NDArray[Any], weights: NDArray[Any]) -> Patterns:
    """Patterns from distinct grid rows, leaving out the row in which everything is missing."""
    judged = (cells >= 0).any(axis=1)
    cells, weights = cells[judged], weights[judged]
    pattern, rater = np.nonzero(cells >= 0)
    return Patterns(
        pattern=pattern, rater=rater, code=cells[pattern, rater].astype(np.int64), weights=weights.astype(np.float64)
    )


def units_as_patterns(rows: Rows, n_units: int) -> Patterns:
    """Every judged unit is a pattern of its own."""
    sizes = np.bincount(rows.unit, minlength=n_units)
    number = np.cumsum(sizes > 0) - 1
    unit, rater, value = _by_unit(rows)
    return Patterns(
        pattern=number[unit],
        rater=rater.astype(np.int64, copy=False),
        code=value if value.dtype.kind == "f" else value.astype(np.int64, copy=False),
        weights=np.ones(int((sizes > 0).sum())),
    )


def _by_unit(rows: Rows) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Units, raters and values in the order of units, then raters; no rater judged a unit twice.

    Numbers are sorted much faster than an order of them is found: so all three are packed into one where they fit.
    """
    key = rows.key(int(rows.rater.max(initial=0)) + 1)
    if (key[1:] > key[:-1]).all():
        return rows.unit, rows.rater, rows.value
    top = int(rows.rater.max(initial=0)).bit_length(), int(rows.value.max(initial=0)).bit_length()
    if rows.value.dtype.kind == "f" or int(rows.unit.max(initial=0)).bit_length() + sum(top) > 63:
        order = np.argsort(key)
        return rows.unit[order], rows.rater[order], rows.value[order]
    packed = (rows.unit.astype(np.int64) << top[0] | rows.rater) << top[1] | rows.value
    packed.sort()
    return packed >> sum(top), packed >> top[1] & (1 << top[0]) - 1, packed & (1 << top[1]) - 1


def pattern_hashes(patterns: Patterns, raters: Sequence[str], scale: Scale) -> NDArray[np.uint64]:
    """A 64-bit number for each pattern, made from the labels of its raters and values."""
    who = label_hashes(raters)[patterns.rater]
    is_number = patterns.code.dtype.kind == "f"
    said = patterns.code.view(np.uint64) if is_number else label_hashes(scale.categories)[patterns.code]
    entry = scattered(who + scattered(said))
    starts = np.nonzero(np.diff(patterns.pattern, prepend=-1))[0]
    return np.add.reduceat(entry, starts) if len(entry) else entry


def canonical(patterns: Patterns, raters: Sequence[str], scale: Scale) -> Patterns:
    """The same patterns in the order of their hashes, equal ones merged."""
    return placed(patterns, raters, scale)[0]


def placed(patterns: Patterns, raters: Sequence[str], scale: Scale) -> tuple[Patterns, NDArray[np.int64]]:
    """The patterns in canonical order, equal ones merged, and where each of those given is now."""
    hashes = pattern_hashes(patterns, raters, scale)
    distinct, first, place = np.unique(hashes, return_index=True, return_inverse=True)
    sizes = patterns.sizes
    starts = np.cumsum(sizes) - sizes
    kept = sizes[first]
    before = np.cumsum(kept) - kept
    order = np.repeat(starts[first] - before, kept) + np.arange(int(kept.sum()))
    ordered = Patterns(
        pattern=np.repeat(np.arange(len(distinct)), kept),
        rater=patterns.rater[order],
        code=patterns.code[order],
        weights=np.bincount(place.reshape(-1), weights=patterns.weights, minlength=len(distinct)).astype(np.float64),
    )
    return ordered, place.reshape(-1)


def fingerprint(patterns: Patterns, raters: Sequence[str], scale: Scale) -> str:
    """Eight hexadecimal digits from the sorted pattern hashes with their weights."""
    distinct, place = np.unique(pattern_hashes(patterns, raters, scale), return_inverse=True)
    weights = np.bincount(place.reshape(-1), weights=patterns.weights, minlength=len(distinct)).astype("<i8")
    return hashlib.sha256(distinct.astype("<u8").tobytes() + weights.tobytes()).hexdigest()[:8]


def digest(patterns: Patterns, raters: Sequence[str], scale: Scale) -> str:
    """The SHA-256 of the patterns themselves, who and what by name: unlike sums of hashes nobody can forge it.

    Raters and categories are numbered in the order of their names, and patterns are in the order of their hashes.
    """
    hashes = pattern_hashes(patterns, raters, scale)
    ordered = patterns if (hashes[1:] > hashes[:-1]).all() else canonical(patterns, raters, scale)
    used = np.flatnonzero(np.bincount(ordered.rater, minlength=1))
    who, place = _in_order([raters[r] for r in used.tolist()])
    rater = np.full(len(raters), -1, dtype=np.int64)
    rater[used] = place
    is_number = ordered.code.dtype.kind == "f"
    what, rank = _in_order(() if is_number else scale.categories)
    key = ordered.pattern * max(len(used), 1) + rater[ordered.rater]
    entry = np.argsort(key)
    code = ordered.code[entry] if is_number else rank[ordered.code[entry]]
    return _hashed(("", *who, "", *what), (ordered.weights, key[entry], code))


def _hashed(names: Sequence[str], arrays: Sequence[NDArray[Any]]) -> str:
    """The SHA-256 of names and numbers."""
    found = hashlib.sha256("\0".join(names).encode())
    for numbers in arrays:
        found.update(numbers.astype("<f8" if numbers.dtype.kind == "f" else "<i8", copy=False).tobytes())
    return found.hexdigest()


def _in_order(names: Sequence[str]) -> tuple[list[str], NDArray[np.int64]]:
    """The names in order, and the place of each there."""
    order = sorted(range(len(names)), key=lambda one: names[one])
    place = np.empty(len(names), dtype=np.int64)
    place[order] = np.arange(len(names))
    return [names[one] for one in order], place


def unit_digest(data: Judgements) -> str:
    """The SHA-256 of every unit by its name, with who judged it how."""
    rows, names = data.rows(), data.unit_names
    if names is None:
        raise InputError("the units have no names to bind", hint="leave out bind_units")
    units, unit = _in_order(names)
    who, rater = _in_order(data.raters)
    is_number = rows.value.dtype.kind == "f"
    what, rank = _in_order(() if is_number else data.scale.categories)
    value = rows.value if is_number else rank[rows.value]
    entry = np.lexsort((rater[rows.rater], unit[rows.unit]))
    numbers = (unit[rows.unit][entry], rater[rows.rater][entry], value[entry])
    return _hashed((*units, "", *who, "", *what), numbers)


def label_hashes(labels: Sequence[str]) -> NDArray[np.uint64]:
    """A 64-bit number for each label."""
    digests = (hashlib.blake2b(label.encode(), digest_size=8).digest() for label in labels)
    return np.array([int.from_bytes(d, "little") for d in digests], dtype=np.uint64)


def scattered(x: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Scatter the bits (the finaliser of SplitMix64, Steele et al. 2014), so that sums of hashes rarely collide."""
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


def value_steps(patterns: Patterns, positions: Floats) -> tuple[NDArray[np.bool_], NDArray[np.bool_], Floats]:
    """For each pattern: do its values never fall, never rise, and how far apart are the lowest and the highest."""
    scores, size = positions[patterns.code], len(patterns.weights)
    follows = np.nonzero(np.diff(patterns.pattern) == 0)[0]
    step, owner = scores[follows + 1] - scores[follows], patterns.pattern[follows]
    falls, rises = (np.bincount(owner[side], minlength=size) for side in (step < 0, step > 0))
    starts = np.nonzero(np.diff(patterns.pattern, prepend=-1))[0]
    spread = np.maximum.reduceat(scores, starts) - np.minimum.reduceat(scores, starts) if len(scores) else scores
    return falls == 0, rises == 0, spread
