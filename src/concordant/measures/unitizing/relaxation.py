"""The best packing of cliques, with proof: its linear relaxation, solved by column generation with HiGHS, made whole.

Every unit is a row that may be used once, every clique a column with its gain. Only few cliques matter, so the
program starts with the best few of every unit and takes in others while they have a positive reduced gain: gain minus
the prices (duals) of the units. When none is left, the solution is optimal over all cliques, those never looked at
included.

From the fractional packing to the best whole one: let y be the prices of the relaxation. A packing's total gain is the
relaxation's minus its *loss*: what its cliques' reduced gains fall short of 0, plus the prices of the units it leaves
alone. So cliques with a small shortfall are enough:

1. take all cliques whose shortfall is under a first guess; they fall into connected components;
2. a component without fractional cliques is solved by the relaxation and loses nothing; the others are searched;
3. a clique left out can only help if its shortfall is under the sum of the losses of the components it touches. Take in
   those that can and repeat; when there are none, the packing is proven to be the best.
"""

import signal
from dataclasses import dataclass
from itertools import pairwise
from threading import current_thread, main_thread
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from concordant.arrays import Floats, Ints
from concordant.errors import MissingExtra
from concordant.measures.unitizing.cliques import Cliques, Draft, flat, reduced
from concordant.progress import Progress, silent

TOLERANCE = 1e-9
USUAL_ROUNDS = 10  # how many more rounds progress expects: their number is not known before the last
SHORT = 5_000  # a linear program with no more columns is solved in a moment: asking would take longer than waiting
MOST_NODES = 3_000  # beyond this many states an integer program is faster
FIRST_GUESS = 0.01  # the first shortfall to look at, as a share of the largest gain
OPTIONS = {
    "threads": 1,
    "presolve": "off",
    "simplex_scale_strategy": 0,  # all entries of the matrix are 1
    "simplex_dual_edge_weight_strategy": 1,  # Devex: cheaper steps, and hardly more of them, than steepest edge
    "dual_feasibility_tolerance": 1e-10,
}


class Source(Protocol):
    """Where cliques come from: all of them in memory, or found as they are asked for."""

    def start(self) -> Cliques:
        """A few good cliques of every unit."""

    def better(self, prices: Floats) -> Cliques:
        """Some cliques with a positive reduced gain; none only if there are none."""

    def above(self, prices: Floats, slack: float) -> Cliques:
        """All cliques whose reduced gain is above -slack."""

    def complete(self, relaxation: "Relaxation") -> "Relaxation":
        """The solution of the program with whatever the source did not put into it."""


@dataclass(frozen=True, eq=False)
class Relaxation:
    """An optimal fractional packing: the cliques in the program, how much of each is used, the units' prices."""

    cliques: Cliques
    share: Floats
    prices: Floats

    @property
    def fractional(self) -> NDArray[np.bool_]:
        """Which cliques are used in part."""
        return (self.share > 1e-7) & (self.share < 1 - 1e-7)


def relax(source: Source, n_units: int, draft: Draft, progress: Progress = silent) -> Relaxation:
    """Solve the relaxation over all cliques of the source; progress is told of every round.

    An interrupt leaves the last solution in the draft.
    """
    cliques = source.start()
    program = Program(cliques, n_units)
    share, prices, done = np.zeros(len(cliques)), np.zeros(n_units), 0
    try:
        while True:
            progress(done, done + USUAL_ROUNDS)
            share, prices = program.solve()
            added = source.better(prices)
            if len(added) == 0:
                return source.complete(Relaxation(cliques, share, np.maximum(prices, 0.0)))
            program.add(added)
            cliques, done = cliques.join(added), done + 1
            share = np.append(share, np.zeros(len(added)))
    except KeyboardInterrupt:
        found = source.complete(Relaxation(cliques, share, prices))
        draft.note(found.cliques, found.share)
        raise


class Program:
    """The linear program inside HiGHS, kept warm while columns are added."""

    def __init__(self, cliques: Cliques, n_units: int) -> None:
        """Make a program with these cliques as columns."""
        self._solver = new_solver(cliques, n_units, **OPTIONS)

    def add(self, cliques: Cliques) -> None:
        """Take in more columns: the solution stays feasible, so the primal simplex goes on from it."""
        self._solver.setOptionValue("simplex_strategy", 4)
        add_columns(self._solver, cliques)

    def solve(self) -> tuple[Floats, Floats]:
        """How much of each clique is used, and the price of each unit."""
        run(self._solver)
        solution = self._solver.getSolution()
        return np.array(solution.col_value), np.array(solution.row_dual)


def new_solver(cliques: Cliques, n_units: int, **options: Any) -> Any:
    """HiGHS, silent, with the packing: a row per unit, a column per clique, the total gain to be as large as can be."""
    highspy = import_highspy()
    solver = highspy.Highs()
    solver.silent()
    for option, value in options.items():
        solver.setOptionValue(option, value)
    low, starts, nothing = np.full(n_units, -highspy.kHighsInf), np.zeros(n_units, np.int32), np.zeros(0, np.int32)
    solver.addRows(n_units, low, np.ones(n_units), 0, starts, nothing, np.zeros(0))
    solver.changeObjectiveSense(highspy.ObjSense.kMaximize)
    add_columns(solver, cliques)
    return solver


def add_columns(solver: Any, cliques: Cliques) -> None:
    """Add cliques as columns."""
    units, _, starts = flat(cliques)
    n, none, most = len(cliques), np.zeros(len(cliques)), np.full(len(cliques), import_highspy().kHighsInf)
    ones = np.ones(len(units))
    solver.addCols(n, cliques.gain, none, most, len(units), starts[:-1].astype(np.int32), units, ones)


def import_highspy() -> Any:
    """The solver, or which extra brings it."""
    try:
        import highspy
    except ImportError as error:
        raise MissingExtra("aligning three raters or more", "spans") from error
    return highspy


def solve_whole(cliques: Cliques, n_units: int) -> Floats:
    """How much of each clique the best whole packing uses, 0 or 1: branch and bound to the end, no gap is allowed."""
    solver, n = new_solver(cliques, n_units, threads=1, mip_rel_gap=0.0, mip_abs_gap=1e-10), len(cliques)
    kinds = np.full(n, int(import_highspy().HighsVarType.kInteger), dtype=np.uint8)
    solver.changeColsIntegrality(n, np.arange(n, dtype=np.int32), kinds)
    run(solver, whole=True)
    return np.array(solver.getSolution().col_value)


def run(solver: Any, *, whole: bool = False) -> None:
    """Solve to the end, or until Ctrl-C. A program for `whole` numbers can take long however small it is.

    Python sees an interrupt only between two of its own instructions, and one call of the solver can take minutes. So
    while the solver runs, Ctrl-C only leaves a note; the solver asks for it at each of its steps, stops if there is
    one, and the interrupt is raised when it has. Asking does not change what the solver does: results stay the same.
    Nothing is changed where an interrupt would not arrive as KeyboardInterrupt: in another thread, or when the
    program has a handler of its own.
    """
    is_short = not whole and solver.getNumCol() <= SHORT
    is_main = current_thread() is main_thread()
    if is_short or not is_main or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        solver.run()
        return
    pressed: list[int] = []

    def answer(kind: Any, message: str, seen: Any, given: Any, data: Any) -> None:
        given.user_interrupt = bool(pressed)

    solver.setCallback(answer, None)
    kinds = import_highspy().cb.HighsCallbackType
    for kind in (kinds.kCallbackSimplexInterrupt, kinds.kCallbackMipInterrupt):
        solver.startCallback(kind)
    signal.signal(signal.SIGINT, lambda number, _: pressed.append(number))
    try:
        solver.run()
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if pressed:
        raise KeyboardInterrupt


def cheapest_cover(sets: list[list[int]], cost: list[float], alone: list[float]) -> list[int] | None:
    """The numbers of the disjoint sets with the least cost, where unit u left alone costs alone[u].

    Units are taken from left to right: the first open unit is left alone or covered by a set that begins with it. Two
    ways to cover the same units meet in one state, of which only the cheaper goes on. None when there are too many.
    """
    by_first: list[list[tuple[float, int, int]]] = [[] for _ in alone]  # cost, bit mask and number of each set
    for number, members in enumerate(sets):
        by_first[min(members)].append((cost[number], sum(1 << unit for unit in members), number))
    full = (1 << len(alone)) - 1
    best, best_chosen = float("inf"), tuple[int, ...]()
    seen: dict[int, float] = {}
    stack: list[tuple[float, int, tuple[int, ...]]] = [(0.0, 0, ())]
    while stack:
        spent, covered, chosen = stack.pop()
        if spent >= best or seen.get(covered, float("inf")) <= spent:
            continue
        seen[covered] = spent
        if covered == full:
            best, best_chosen = spent, chosen
            continue
        if len(seen) > MOST_NODES:
            return None
        open_ = full & ~covered
        unit = (open_ & -open_).bit_length() - 1
        steps = [(spent + alone[unit], covered | 1 << unit, chosen)]
        for dear, mask, number in by_first[unit]:
            if not mask & covered:
                steps.append((spent + dear, covered | mask, (number, *chosen)))
        stack.extend(sorted(steps, key=lambda step: -step[0]))  # the cheapest is taken next
    return list(best_chosen)


class Components(NamedTuple):
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
    if found is None:  # HiGHS' branch and bound with no gap allowed
        members = np.where(inside.members >= 0, local[inside.members], -1).astype(np.int32)
        chosen = np.flatnonzero(solve_whole(Cliques(members, inside.gain), len(units)) > 0.5)
    else:
        chosen = np.array(found, dtype=np.int64)
    covered = np.isin(units, flat_units[np.isin(clique, chosen)])
    return inside.take(chosen), float(shortfall[chosen].sum() + prices[units[~covered]].sum())


def _still_needed(source: Source, prices: Floats, components: Components, losses: Floats, kept: Cliques) -> Cliques:
    """Cliques left out so far whose shortfall is under the losses of the components they touch."""
    candidates = source.above(prices - losses[components.of_unit], 0.0)
    candidates = candidates.take(_can_help(candidates, prices, components, losses))
    seen = {row.tobytes() for row in kept.members[_can_help(kept, prices, components, losses)]}
    fresh = (row.tobytes() not in seen for row in candidates.members)
    return candidates.take(np.fromiter(fresh, dtype=bool, count=len(candidates)))


def _can_help(cliques: Cliques, prices: Floats, components: Components, losses: Floats) -> NDArray[np.bool_]:
    """Which cliques' shortfall is under the losses of the components they touch."""
    label = np.where(cliques.members >= 0, components.of_unit[cliques.members], -1)
    label.sort(axis=1)
    repeated = np.zeros(label.shape, dtype=bool)
    repeated[:, 1:] = label[:, 1:] == label[:, :-1]
    touched = np.where((label >= 0) & ~repeated, losses[label], 0.0).sum(axis=1)
    return np.asarray(-reduced(cliques, prices) < touched - 1e-12)
