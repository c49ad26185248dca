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

from assent.errors import MissingExtra
from assent.measures.unitizing.cliques import Cliques
from assent.model.spans import Floats, Ints

TOLERANCE = 1e-9


class Source(Protocol):
    """Where cliques come from: all of them in memory, or found as they are asked for."""

    def start(self) -> Cliques:
        """A few good cliques of every unit."""

    def better(self, prices: Floats) -> Cliques:
        """Some cliques with a positive reduced gain; none only if there are none."""

    def above(self, prices: Floats, slack: float) -> Cliques:
        """All cliques whose reduced gain is above -slack."""


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


def relax(source: Source, n_units: int) -> Relaxation:
    """Solve the relaxation over all cliques of the source."""
    cliques = source.start()
    program = Program(cliques, n_units)
    while True:
        share, prices = program.solve()
        added = source.better(prices)
        if len(added) == 0:
            return Relaxation(cliques, share, np.maximum(prices, 0.0))
        program.add(added)
        cliques = cliques.join(added)


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
        highspy = import_highspy()
        self._solver = highspy.Highs()
        self._solver.silent()
        for option, value in (("threads", 1), ("presolve", "off"), ("dual_feasibility_tolerance", 1e-10)):
            self._solver.setOptionValue(option, value)
        self._infinity = highspy.kHighsInf
        self._solver.passModel(packing_model(cliques, n_units))

    def add(self, cliques: Cliques) -> None:
        """Take in more columns: the solution stays feasible, so the primal simplex goes on from it."""
        self._solver.setOptionValue("simplex_strategy", 4)
        units, _, starts = flat(cliques)
        n = len(cliques)
        self._solver.addCols(
            n,
            cliques.gain,
            np.zeros(n),
            np.full(n, self._infinity),
            len(units),
            starts[:-1],
            units,
            np.ones(len(units)),
        )

    def solve(self) -> tuple[Floats, Floats]:
        """How much of each clique is used, and the price of each unit."""
        self._solver.run()
        solution = self._solver.getSolution()
        return np.array(solution.col_value), np.array(solution.row_dual)


def packing_model(cliques: Cliques, n_units: int, *, whole: bool = False) -> Any:
    """The packing as a HiGHS model; `whole` asks for integers."""
    highspy = import_highspy()
    units, _, starts = flat(cliques)
    n = len(cliques)
    model = highspy.HighsLp()
    model.num_col_, model.num_row_, model.sense_ = n, n_units, highspy.ObjSense.kMaximize
    model.col_cost_, model.col_lower_ = cliques.gain, np.zeros(n)
    model.col_upper_ = np.full(n, 1.0 if whole else highspy.kHighsInf)
    model.row_lower_, model.row_upper_ = np.full(n_units, -highspy.kHighsInf), np.ones(n_units)
    model.a_matrix_.format_ = highspy.MatrixFormat.kColwise
    model.a_matrix_.start_, model.a_matrix_.index_ = starts, units
    model.a_matrix_.value_ = np.ones(len(units))
    if whole:
        model.integrality_ = [highspy.HighsVarType.kInteger] * n
    return model


def import_highspy() -> Any:
    """The solver, or which extra brings it."""
    try:
        import highspy
    except ImportError as error:
        raise MissingExtra("aligning three raters or more", "spans") from error
    return highspy


def run_whole(model: Any) -> Floats:
    """Solve an integer model to the end: no gap is allowed."""
    solver = import_highspy().Highs()
    solver.silent()
    for option, value in (("threads", 1), ("mip_rel_gap", 0.0), ("mip_abs_gap", 1e-10)):
        solver.setOptionValue(option, value)
    solver.passModel(model)
    solver.run()
    return np.array(solver.getSolution().col_value)
