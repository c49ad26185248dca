"""From the fractional packing to the best whole one, with proof.

Let y be the prices of the relaxation. A packing's total gain is the relaxation's minus its *loss*: what its cliques'
reduced gains fall short of 0, plus the prices of the units it leaves alone. So cliques with a small shortfall are
enough:

1. take all cliques whose shortfall is under a first guess; they fall into connected components;
2. a component without fractional cliques is solved by the relaxation and loses nothing; the others are searched;
3. a clique left out can only help if its shortfall is under the sum of the losses of the components it touches. Take in
   those that can and repeat; when there are none, the packing is proven to be the best.
"""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from assent.arrays import Floats, Ints
from assent.measures.unitizing.cliques import Cliques
from assent.measures.unitizing.draft import Draft
from assent.measures.unitizing.relaxation import Relaxation, Source, flat, reduced, solve_whole
from assent.measures.unitizing.search import cheapest_cover
from assent.progress import Progress, silent

FIRST_GUESS = 0.01
"""The first shortfall to look at, as a share of the largest gain."""


@dataclass(frozen=True, eq=False)
class Components:
    """Which component each unit and each clique belongs to."""

    of_unit: Ints
    of_clique: Ints
    n: int


def make_whole(
    relaxation: Relaxation, source: Source, order: Ints, draft: Draft, progress: Progress = silent
) -> Cliques:
    """The best whole packing. `order` ranks the units by place, so that the search walks along the text.

    Progress counts the components of each round; a further round starts again. The draft is told what is known.
    """
    used = relaxation.cliques.take(relaxation.share > 0.5)
    if not relaxation.fractional.any():
        return used
    fractional = relaxation.cliques.take(relaxation.fractional)
    prices = relaxation.prices
    draft.most = float(prices.sum())
    draft.note(relaxation.cliques, relaxation.share)
    kept = source.above(prices, FIRST_GUESS * float(relaxation.cliques.gain.max()))
    while True:
        components = _components(kept, len(prices))
        chosen, losses = _solve(kept, components, used, fractional, prices, order, progress)
        draft.note(chosen, np.ones(len(chosen)))
        missing = _still_needed(source, prices, components, losses, kept)
        if len(missing) == 0:
            return chosen
        kept = kept.join(missing)


def _components(kept: Cliques, n_units: int) -> Components:
    """Units that share a clique, directly or by others, are in one component."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    units, clique, _ = flat(kept)
    size = n_units + len(kept)
    graph = csr_array((np.ones(len(units)), (units, n_units + clique)), shape=(size, size))
    n, label = connected_components(graph, directed=False)
    return Components(label[:n_units], label[n_units:], int(n))


def _solve(
    kept: Cliques,
    components: Components,
    used: Cliques,
    fractional: Cliques,
    prices: Floats,
    order: Ints,
    progress: Progress,
) -> tuple[Cliques, Floats]:
    """The best packing of the kept cliques and the loss of every component."""
    open_ = np.zeros(components.n, dtype=bool)
    open_[components.of_unit[fractional.members.max(axis=1)]] = True
    chosen = used.take(~open_[components.of_unit[used.members.max(axis=1)]])
    losses = np.zeros(components.n)
    by_component = np.argsort(components.of_clique, kind="stable")
    bounds = np.searchsorted(components.of_clique[by_component], np.arange(components.n + 1))
    for done, component in enumerate(np.flatnonzero(open_)):
        progress(done, int(open_.sum()))
        inside = kept.take(by_component[bounds[component] : bounds[component + 1]])
        best, losses[component] = _solve_one(inside, prices, order)
        chosen = chosen.join(best)
    return chosen, losses


def _solve_one(inside: Cliques, prices: Floats, order: Ints) -> tuple[Cliques, float]:
    """The best packing of one component and its loss: by search, or by integer programming when that takes too long."""
    flat_units, clique, starts = flat(inside)
    units = np.unique(flat_units)
    units = units[np.argsort(order[units], kind="stable")]
    shortfall = np.maximum(-reduced(inside, prices), 0.0)
    local = np.empty(int(units.max()) + 1, dtype=np.int64)
    local[units] = np.arange(len(units))
    sets = [local[flat_units[low:high]].tolist() for low, high in pairwise(starts)]
    found = cheapest_cover(sets, shortfall.tolist(), prices[units].tolist())
    chosen = np.array(_integer_program(inside, local, len(units)) if found is None else found, dtype=np.int64)
    covered = np.isin(units, flat_units[np.isin(clique, chosen)])
    return inside.take(chosen), float(shortfall[chosen].sum() + prices[units[~covered]].sum())


def _integer_program(inside: Cliques, local: Ints, n_units: int) -> list[int]:
    """The numbers of the cliques in the best packing, by HiGHS' branch and bound with no gap allowed."""
    members = np.where(inside.members >= 0, local[inside.members], -1).astype(np.int32)
    share = solve_whole(Cliques(members, inside.gain), n_units)
    return [int(number) for number in np.flatnonzero(share > 0.5)]


def _still_needed(source: Source, prices: Floats, components: Components, losses: Floats, kept: Cliques) -> Cliques:
    """Cliques left out so far whose shortfall is under the losses of the components they touch."""
    candidates = source.above(prices - losses[components.of_unit], 0.0)
    candidates = candidates.take(_can_help(candidates, prices, components, losses))
    return candidates.take(~_among(candidates, kept.take(_can_help(kept, prices, components, losses))))


def _can_help(cliques: Cliques, prices: Floats, components: Components, losses: Floats) -> NDArray[np.bool_]:
    """Which cliques' shortfall is under the losses of the components they touch."""
    return -reduced(cliques, prices) < _touched_losses(cliques, components, losses) - 1e-12


def _touched_losses(cliques: Cliques, components: Components, losses: Floats) -> Floats:
    """The sum of the losses of the different components that each clique touches."""
    label = np.where(cliques.members >= 0, components.of_unit[cliques.members], -1)
    label.sort(axis=1)
    repeated = np.zeros(label.shape, dtype=bool)
    repeated[:, 1:] = label[:, 1:] == label[:, :-1]
    touched: Floats = np.where((label >= 0) & ~repeated, losses[label], 0.0).sum(axis=1)
    return touched


def _among(cliques: Cliques, others: Cliques) -> NDArray[np.bool_]:
    """Which cliques are among the others."""
    seen = {row.tobytes() for row in others.members}
    return np.fromiter((row.tobytes() in seen for row in cliques.members), dtype=bool, count=len(cliques))
