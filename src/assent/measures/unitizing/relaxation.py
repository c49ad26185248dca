"""The linear relaxation of the packing of cliques, solved by column generation with HiGHS.

Every unit is a row that may be used once, every clique a column with its gain. Only few cliques matter, so the
program starts with the best few of every unit and takes in others while they have a positive reduced gain: gain minus
the prices (duals) of the units. When none is left, the solution is optimal over all cliques, those never looked at
included.
"""

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from assent.arrays import Floats, Ints
from assent.errors import MissingExtra
from assent.measures.unitizing.cliques import Cliques
from assent.measures.unitizing.draft import Draft
from assent.measures.unitizing.interrupts import run
from assent.progress import Progress, silent

TOLERANCE = 1e-9
USUAL_ROUNDS = 10
"""How many more rounds progress expects: their number is not known before the last."""


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


def flat(cliques: Cliques) -> tuple[Ints, Ints, Ints]:
    """The units of all cliques one after the other, the clique each belongs to, and where each clique starts."""
    present = cliques.members >= 0
    clique = np.repeat(np.arange(len(cliques)), present.sum(axis=1))
    return cliques.members[present], clique, np.searchsorted(clique, np.arange(len(cliques) + 1))


def reduced(cliques: Cliques, prices: Floats) -> Floats:
    """Gain minus the prices of the units used."""
    padded = np.append(prices, 0.0)
    gain: Floats = cliques.gain - padded[cliques.members].sum(axis=1)
    return gain


def best_of_each_unit(cliques: Cliques, score: Floats, most: int) -> Ints:
    """The numbers of those cliques that are among the `most` best of at least one of their units."""
    units, clique, _ = flat(cliques)
    order = np.lexsort((-score[clique], units))
    ordered = units[order]
    rank = np.arange(len(ordered)) - np.searchsorted(ordered, ordered, "left")
    return np.unique(clique[order[rank < most]])


class Program:
    """The linear program inside HiGHS, kept warm while columns are added."""

    def __init__(self, cliques: Cliques, n_units: int) -> None:
        """Make a program with these cliques as columns."""
        self._solver = new_solver(**OPTIONS)
        fill(self._solver, cliques, n_units)

    def add(self, cliques: Cliques) -> None:
        """Take in more columns: the solution stays feasible, so the primal simplex goes on from it."""
        self._solver.setOptionValue("simplex_strategy", 4)
        add_columns(self._solver, cliques)

    def solve(self) -> tuple[Floats, Floats]:
        """How much of each clique is used, and the price of each unit."""
        run(self._solver)
        solution = self._solver.getSolution()
        return np.array(solution.col_value), np.array(solution.row_dual)


def new_solver(**options: Any) -> Any:
    """HiGHS, silent, with these options."""
    solver = import_highspy().Highs()
    solver.silent()
    for option, value in options.items():
        solver.setOptionValue(option, value)
    return solver


def fill(solver: Any, cliques: Cliques, n_units: int) -> None:
    """Write the packing into a solver: a row per unit, a column per clique, the total gain to be as large as can be."""
    highspy = import_highspy()
    nothing = np.zeros(0, dtype=np.int32)
    low, high = np.full(n_units, -highspy.kHighsInf), np.ones(n_units)
    solver.addRows(n_units, low, high, 0, np.zeros(n_units, dtype=np.int32), nothing, np.zeros(0))
    solver.changeObjectiveSense(highspy.ObjSense.kMaximize)
    add_columns(solver, cliques)


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
    highspy = import_highspy()
    solver = new_solver(threads=1, mip_rel_gap=0.0, mip_abs_gap=1e-10)
    fill(solver, cliques, n_units)
    n = len(cliques)
    kinds = np.full(n, int(highspy.HighsVarType.kInteger), dtype=np.uint8)
    solver.changeColsIntegrality(n, np.arange(n, dtype=np.int32), kinds)
    run(solver, whole=True)
    return np.array(solver.getSolution().col_value)
