"""Slow and simple ways to the same numbers: what the fast algorithm is checked against."""

from itertools import combinations, product

import numpy as np

from concordant.measures.catalogue import find_measure
from concordant.measures.gamma import GammaOptions
from concordant.measures.result import Agreement
from concordant.measures.unitizing.units import Dissimilarity, Units
from concordant.model.continuum import Continuum
from concordant.uncertainty.estimate import estimates
from concordant.uncertainty.request import ask

Chosen = tuple[int, ...]


def random_continuum(
    seed: int,
    n_raters: int,
    most: int,
    *,
    least: int = 0,
    width: float = 30.0,
    n_categories: int = 3,
    shift: float = 0.0,
) -> Continuum:
    """A small continuum with overlaps, nesting and duplicates."""
    random = np.random.default_rng(seed)
    sizes = random.integers(least, most + 1, n_raters)
    sizes[0] = max(1, sizes[0])
    n = int(sizes.sum())
    begin = np.floor(random.uniform(0, width, n)) if seed % 2 else random.uniform(0, width, n)
    length = np.ceil(random.exponential(5, n)) if seed % 3 else random.uniform(0.5, 20, n)
    return Continuum(
        raters=tuple(f"r{i}" for i in range(n_raters)),
        categories=tuple(f"c{i}" for i in range(n_categories)),
        rater=np.repeat(np.arange(n_raters), sizes),
        begin=begin + shift,
        end=begin + shift + length,
        category=random.integers(0, n_categories, n),
    )


def pair_cost(units: Units, dissimilarity: Dissimilarity, u: int, v: int) -> float:
    """d(u, v), written out for one pair."""
    apart = abs(units.begin[u] - units.begin[v]) + abs(units.end[u] - units.end[v])
    together = (units.end[u] - units.begin[u]) + (units.end[v] - units.begin[v])
    a, b = units.category[u], units.category[v]
    category = float(a != b) if dissimilarity.matrix is None else float(dissimilarity.matrix[a, b])
    place = float((apart / together) ** (1 if dissimilarity.place == "linear" else 2))
    return (dissimilarity.alpha * place + dissimilarity.beta * category) * dissimilarity.delta_empty


def set_cost(units: Units, dissimilarity: Dissimilarity, members: Chosen) -> float:
    """The disorder of one unitary alignment."""
    n_pairs = units.n_raters * (units.n_raters - 1) // 2
    filled = list(combinations(members, 2))
    total = sum(pair_cost(units, dissimilarity, u, v) for u, v in filled)
    return (total + (n_pairs - len(filled)) * dissimilarity.delta_empty) / n_pairs


def all_sets(units: Units) -> list[Chosen]:
    """Every set of at most one unit of each rater, the empty one left out."""
    places = [[None, *range(units.starts[a], units.starts[a + 1])] for a in range(units.n_raters)]
    return [chosen for row in product(*places) if (chosen := tuple(unit for unit in row if unit is not None))]


def brute_force(units: Units, dissimilarity: Dissimilarity) -> float:
    """The least disorder over all partitions, by recursion over sets of open units."""
    by_first: dict[int, list[tuple[int, float]]] = {}
    for members in all_sets(units):
        mask = sum(1 << unit for unit in members)
        by_first.setdefault(members[0], []).append((mask, set_cost(units, dissimilarity, members)))
    best = {0: 0.0}

    def cheapest(open_: int) -> float:
        if open_ not in best:
            first = (open_ & -open_).bit_length() - 1
            fitting = (option for option in by_first[first] if option[0] & open_ == option[0])
            best[open_] = min(cost + cheapest(open_ & ~mask) for mask, cost in fitting)
        return best[open_]

    return cheapest((1 << len(units)) - 1) / (len(units) / units.n_raters)


def integer_program(units: Units, dissimilarity: Dissimilarity) -> float:
    """The least disorder by scipy's integer programming over the full product of units."""
    from scipy.optimize import Bounds, LinearConstraint, milp
    from scipy.sparse import csc_array

    sets = all_sets(units)
    rows = [unit for members in sets for unit in members]
    columns = [number for number, members in enumerate(sets) for _ in members]
    cover = csc_array((np.ones(len(rows)), (rows, columns)), shape=(len(units), len(sets)))
    solution = milp(
        np.array([set_cost(units, dissimilarity, members) for members in sets]),
        integrality=np.ones(len(sets), dtype=np.int64),
        bounds=Bounds(0, 1),
        constraints=LinearConstraint(cover, 1, 1),
        options={"mip_rel_gap": 0.0},
    )
    assert solution.fun is not None
    return float(solution.fun) / (len(units) / units.n_raters)


class Impatient:
    """Presses Ctrl-C when progress is reported for the last of so many times."""

    def __init__(self, times: int) -> None:
        self.left = times

    def __call__(self, done: int, total: int) -> None:
        self.left -= 1
        if self.left == 0:
            raise KeyboardInterrupt


def measure_all(continuum: Continuum, keys: list[str], chosen: GammaOptions) -> list[Agreement]:
    """The measures of these keys on one text, each with the options that it has."""
    requests = []
    for key in keys:
        own = {one.name: getattr(chosen, one.name, None) for one in find_measure(key).options.described()}
        requests.append(
            ask(
                key,
                seed=chosen.seed,
                confidence=chosen.confidence,
                **{k: v for k, v in own.items() if k not in ("seed", "confidence")},
            )
        )
    return estimates(continuum, requests)
