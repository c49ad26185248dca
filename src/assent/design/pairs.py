"""Preference pairs that teach the most: the vector-covering rule.

Within a group no annotation vector is used again until every distinct vector has been used once, and no pair has two
equal vectors: nothing is learned from comparing two responses with the same features. Which response stands for its
vector is drawn, those used least first; the same two responses are never paired twice.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np

from assent.design.description import Pairing, Unit
from assent.design.plan import Pair

Vector = tuple[str, ...]
Two = tuple[Unit, Unit]


def make_pairs(units: Sequence[Unit], pairing: Pairing, rng: np.random.Generator) -> tuple[Pair, ...]:
    """All pairs of a study, group by group; a group with too few different responses gives as many as there are."""
    groups: dict[Vector, list[Unit]] = defaultdict(list)
    for unit in units:
        groups[tuple(unit.item if name == "item" else unit.attributes[name] for name in pairing.within)].append(unit)
    pairs: list[Pair] = []
    for key, members in groups.items():
        for a, b in _pairs_of_group(members, pairing, rng):
            pairs.append(Pair(id=f"{'-'.join(key)}-{len(pairs) + 1}", item=a.item, a=a.id, b=b.id))
    return tuple(pairs)


def vector(unit: Unit, pairing: Pairing) -> Vector:
    """The annotation vector of a unit."""
    return tuple(unit.attributes[name] for name in pairing.vector)


def _pairs_of_group(units: Sequence[Unit], pairing: Pairing, rng: np.random.Generator) -> list[Two]:
    by_vector: dict[Vector, list[Unit]] = defaultdict(list)
    for unit in units:
        by_vector[vector(unit, pairing)].append(unit)
    possible = sum(len(by_vector[v]) * len(by_vector[w]) for v, w in combinations(by_vector, 2))
    stream = _vectors(list(by_vector), rng)
    pairs: list[Two] = []
    uses: Counter[str] = Counter()
    while len(pairs) < min(pairing.per_group, possible):
        pair = _free_pair(by_vector[next(stream)], by_vector[next(stream)], pairs, uses, rng)
        pair = pair or _any_free_pair(by_vector, pairs, uses, rng)
        uses.update(unit.id for unit in pair)
        pairs.append(pair)
    return pairs


def _vectors(distinct: list[Vector], rng: np.random.Generator) -> Iterator[Vector]:
    """An endless stream, round after round: every vector once in each round, never the same twice in a row."""
    last: Vector | None = None
    while True:
        order = [distinct[i] for i in rng.permutation(len(distinct))]
        if order[0] == last:
            order.append(order.pop(0))
        yield from order
        last = order[-1]


def _free_pair(
    ones: list[Unit], others: list[Unit], taken: list[Two], uses: Counter[str], rng: np.random.Generator
) -> Two | None:
    """Two responses not paired before, those used least first and drawn among equals."""
    before = {frozenset((a.id, b.id)) for a, b in taken}
    free = [(a, b) for a in ones for b in others if frozenset((a.id, b.id)) not in before]
    if not free:
        return None
    burden = [uses[a.id] + uses[b.id] for a, b in free]
    lightest = [pair for pair, n in zip(free, burden, strict=True) if n == min(burden)]
    return lightest[int(rng.integers(len(lightest)))]


def _any_free_pair(
    by_vector: dict[Vector, list[Unit]], taken: list[Two], uses: Counter[str], rng: np.random.Generator
) -> Two:
    """When two vectors have no new responses left: the next best of the others."""
    choices = [
        pair
        for v, w in combinations(by_vector, 2)
        if (pair := _free_pair(by_vector[v], by_vector[w], taken, uses, rng))
    ]
    return min(choices, key=lambda pair: uses[pair[0].id] + uses[pair[1].id])
