"""Drawing units from a pool: simply, or stratified so that rare kinds are not lost (Boleda, Schulte im Walde & Badia
2009, 3.1).

Strata are bands of frequency x types x kinds. Bands divide the *range* of log frequencies into equal parts; kinds
with few units in the pool are put together. The sample is spread evenly over types, inside a type over bands, inside
those over kinds; a stratum that has too few units passes its share on to the others.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from assent.design.description import Sampling, Unit

Stratum = tuple[str, str, str]  # type, kind, band
POOLED = "(pooled)"


def draw(units: Sequence[Unit], sampling: Sampling, rng: np.random.Generator) -> list[Unit]:
    """The sampled units, in the order of the data file."""
    if sampling.method == "all" or sampling.size is None:
        return list(units)
    if sampling.method == "simple":
        chosen = {units[i].id for i in rng.permutation(len(units))[: sampling.size]}
    else:
        chosen = _stratified(units, sampling, sampling.size, rng)
    return [unit for unit in units if unit.id in chosen]


def strata(units: Sequence[Unit], sampling: Sampling) -> dict[str, Stratum]:
    """The stratum of every unit of the pool."""
    types = [unit.attributes.get(sampling.by, "") for unit in units]
    kinds = [unit.attributes.get(sampling.within, "") for unit in units]
    sizes = Counter(zip(types, kinds, strict=True))
    pooled = [
        kind if sizes[type_, kind] >= sampling.pool_below or not sampling.within else POOLED
        for type_, kind in zip(types, kinds, strict=True)
    ]
    keys = zip(types, pooled, _bands(units, sampling), strict=True)
    return dict(zip((unit.id for unit in units), keys, strict=True))


def _bands(units: Sequence[Unit], sampling: Sampling) -> list[str]:
    """The band of each unit: equal parts of the range of log frequencies, from low to high."""
    if not sampling.frequency:
        return [""] * len(units)
    logs = np.log([float(unit.attributes[sampling.frequency]) for unit in units])
    width = (logs.max() - logs.min()) / sampling.bands
    numbers = np.minimum((logs - logs.min()) // width, sampling.bands - 1) if width > 0 else np.zeros(len(units))
    return [band_names(sampling.bands)[int(number)] for number in numbers]


def band_names(n: int) -> list[str]:
    """What bands are called, from the lowest to the highest."""
    return ["low", "medium", "high"] if n == 3 else [f"band {i}" for i in range(1, n + 1)]


def _stratified(units: Sequence[Unit], sampling: Sampling, size: int, rng: np.random.Generator) -> set[str]:
    """Spread over types first, inside them over bands, inside those over kinds."""
    pool = strata(units, sampling)
    chosen: set[str] = set()
    for of_type, n_type in _shares(list(pool), size, lambda id: pool[id][0], rng):
        for of_band, n_band in _shares(of_type, n_type, lambda id: pool[id][2], rng):
            for of_kind, n in _shares(of_band, n_band, lambda id: pool[id][1], rng):
                chosen |= {of_kind[i] for i in rng.permutation(len(of_kind))[:n]}
    return chosen


def _shares(
    ids: list[str], total: int, key: Callable[[str], str], rng: np.random.Generator
) -> list[tuple[list[str], int]]:
    """The ids grouped by a key, each group with its share of the total."""
    groups: dict[str, list[str]] = defaultdict(list)
    for id in ids:
        groups[key(id)].append(id)
    shares = spread(total, {name: len(members) for name, members in groups.items()}, rng)
    return [(members, shares[name]) for name, members in groups.items()]


def spread(total: int, room: Mapping[str, int], rng: np.random.Generator) -> dict[str, int]:
    """Share `total` out as evenly as the room in each place allows; what is left over after even shares goes to
    random places.
    """
    shares = dict.fromkeys(room, 0)
    left = min(total, sum(room.values()))
    while left:
        open_ = [place for place in room if shares[place] < room[place]]
        even = max(left // len(open_), 1)
        for i in rng.permutation(len(open_)):
            more = min(even, room[open_[i]] - shares[open_[i]], left)
            shares[open_[i]] += more
            left -= more
    return shares
