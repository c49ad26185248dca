"""Choosing among the parses of a sentence by saying yes or no to discriminants, after Carter (1997).

The parses stand side by side: which discriminant holds in which of them. Decoding derivations and MRSs is dear
(milliseconds for each parse), so it is done when a sentence is first looked at, and once.

A mark by hand rules out the parses that it is not true of. What then holds in every parse that is left is inferred to
be true, what holds in none of them false. An inference rules out no further parse, because it is true of all that are
left; so one round is Carter's fixpoint, and the order of marks does not matter.

A `Choosing` is a value: every move gives another one. Moves are written as text, the way forms send them and the log
keeps them: `yes NAME`, `no NAME` (the name of a discriminant), `select RESULT`, `reject`; and, never kept, `undo` and
`drop NAME`, which take back the last move and a certain mark.
"""

import hashlib
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.errors import InputError
from concordant.treebank.analyses import Analysis, ChosenAnalysis
from concordant.treebank.discriminants import (
    NO_BY_HAND,
    NO_INFERRED,
    YES_BY_HAND,
    YES_INFERRED,
    Decision,
    Discriminant,
    Status,
)
from concordant.treebank.trees import Tree

Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class ParseTable:
    """`holds[i, j]`: whether discriminant i holds in parse j; discriminants in the order of the sentence."""

    discriminants: tuple[Discriminant, ...]
    holds: Flags
    trees: tuple[Tree | None, ...]


class Parses:
    """All parses that a profile has for a sentence; they go by their numbers in its `result` table."""

    def __init__(
        self, analyses: Sequence[Analysis], lexicon: Mapping[str, str], earlier: Sequence[Decision] = ()
    ) -> None:
        """`lexicon` gives lexical entries their types; without one words are told apart by their entries.

        `earlier` was decided before anybody chooses here.
        """
        if not analyses:
            raise InputError("a sentence without parses cannot be disambiguated")
        self.results = tuple(analysis.result for analysis in analyses)
        self._analyses = tuple(analyses)
        self.lexicon, self.earlier = lexicon, tuple(earlier)
        self._lock = threading.Lock()

    def __len__(self) -> int:
        """How many parses there are."""
        return len(self._analyses)

    @cached_property
    def fingerprint(self) -> str:
        """16 hexadecimal digits that change with any derivation or MRS."""
        cells = "\0".join(f"{one.result}\0{one.derivation}\0{one.mrs}" for one in self._analyses)
        return hashlib.sha256(cells.encode()).hexdigest()[:16]

    @property
    def is_decoded(self) -> bool:
        """Whether asking for the table costs nothing any more."""
        return "_decoded" in self.__dict__

    @property
    def table(self) -> ParseTable:
        """What holds where, decoded by whoever asks first."""
        with self._lock:
            return self._decoded

    @property
    def read(self) -> list[ChosenAnalysis]:
        """Every parse, ready to be asked what holds of it."""
        return [ChosenAnalysis(analysis, self.lexicon) for analysis in self._analyses]

    @cached_property
    def _decoded(self) -> ParseTable:
        read = self.read
        found = [one.discriminants() for one in read]
        discriminants = tuple(sorted(frozenset().union(*found), key=place_of))
        rows = {discriminant: row for row, discriminant in enumerate(discriminants)}
        holds = np.zeros((len(rows), len(found)), dtype=np.bool_)
        for column, held in enumerate(found):
            holds[[rows[discriminant] for discriminant in held], column] = True
        return ParseTable(discriminants, holds, tuple(one.tree for one in read))

    @cached_property
    def rows(self) -> Mapping[str, int]:
        """The row of each discriminant in the table by its name."""
        return {discriminant.name: row for row, discriminant in enumerate(self.table.discriminants)}

    def tree(self, result: int) -> Tree | None:
        """The derivation tree of a parse; None when it cannot be read."""
        return self.table.trees[self.results.index(result)]

    def words(self, start: int, end: int) -> str:
        """The words between two places that spans count (a word may take up several)."""
        return " ".join(word for place, word in self._leaves if start <= place < end)

    @cached_property
    def _leaves(self) -> list[tuple[int, str]]:
        tree = next((tree for tree in self.table.trees if tree is not None), None)
        nodes = tree.nodes() if tree else ()
        return [(node.start, " ".join(node.words())) for node in nodes if node.is_preterminal]


def place_of(discriminant: Discriminant) -> tuple[int, int, int, str]:
    """As they stand in the sentence, wider spans first; dependencies, which have no place, last."""
    is_placed = discriminant.end > 0
    return (discriminant.start if is_placed else 10**9, -discriminant.end, discriminant.type, discriminant.key)


VOID = 5
YES, NO, SELECT, REJECT = "yes", "no", "select", "reject"


class State(StrEnum):
    """What is known of a discriminant, and how it came to be known. Shared ones hold in every parse there is."""

    YES_MARKED = "yes marked"
    NO_MARKED = "no marked"
    YES_INFERRED = "yes inferred"
    NO_INFERRED = "no inferred"
    SHARED = "yes shared"
    OPEN = "open"

    @property
    def word(self) -> str:
        """Yes, no or open."""
        return self.partition(" ")[0]

    @property
    def how(self) -> str:
        """Marked, inferred, shared or open."""
        return self.rpartition(" ")[2]

    @property
    def answer(self) -> str | None:
        """Yes or no where a decision made it so: what is shared by all parses was never decided."""
        return None if self in (State.SHARED, State.OPEN) else self.word

    @property
    def code(self) -> int:
        """The `d-state` of a profile; void where nothing was decided."""
        return CODES.get(self, VOID)


CODES: Mapping[State, int] = {
    State.YES_MARKED: YES_BY_HAND,
    State.NO_MARKED: NO_BY_HAND,
    State.YES_INFERRED: YES_INFERRED,
    State.NO_INFERRED: NO_INFERRED,
}


class Contradiction(InputError):
    """A move that would leave no parse at all."""


@dataclass(frozen=True)
class Choosing:
    """Where somebody stands with a sentence: the moves that count, in the order they were made."""

    parses: Parses
    moves: tuple[str, ...] = ()

    def after(self, moves: Iterable[str]) -> "Choosing":
        """The state after further moves; raises InputError for one that means nothing, or contradicts the others."""
        now = self
        for move in moves:
            verb, _, rest = move.partition(" ")
            if verb not in VERBS:
                raise InputError(f"{move!r} is no move", hint="say yes, no, drop, select, reject or undo")
            now = VERBS[verb](now, rest)
        return now

    @cached_property
    def marks(self) -> Mapping[int, bool]:
        """The discriminants marked by hand, by their rows."""
        parted = [move.partition(" ") for move in self.moves]
        return {self.parses.rows[name]: verb == YES for verb, _, name in parted if verb in (YES, NO)}

    @property
    def selected(self) -> int | None:
        """The parse that was selected directly."""
        verb, _, result = self._last.partition(" ")
        return int(result) if verb == SELECT else None

    @property
    def is_rejected(self) -> bool:
        """Whether no parse is good enough."""
        return self._last == REJECT

    @property
    def _last(self) -> str:
        """A verdict is always the last move: what comes after it takes its place."""
        return self.moves[-1] if self.moves else ""

    @cached_property
    def left(self) -> Flags:
        """Which parses are left: those that every mark is true of, or the selected one alone."""
        if self.selected is not None:
            return np.array([result == self.selected for result in self.parses.results])
        holds = self.parses.table.holds
        wanted = np.array(list(self.marks.values()), dtype=np.bool_)[:, np.newaxis]
        left: Flags = (holds[list(self.marks)] == wanted).all(axis=0)
        return left

    @cached_property
    def counts(self) -> Any:
        """In how many of the parses that are left each discriminant holds."""
        return self.parses.table.holds[:, self.left].sum(axis=1)

    @property
    def results(self) -> tuple[int, ...]:
        """The numbers of the parses that are left."""
        return tuple(result for result, is_left in zip(self.parses.results, self.left.tolist(), strict=True) if is_left)

    @cached_property
    def states(self) -> Mapping[Discriminant, State]:
        """The state of every discriminant, those that all parses share included."""
        n_left, n_everywhere = int(self.left.sum()), len(self.parses)
        everywhere, counts = self.parses.table.holds.sum(axis=1).tolist(), self.counts.tolist()
        found = {}
        for row, discriminant in enumerate(self.parses.table.discriminants):
            n = counts[row]
            if row in self.marks:
                found[discriminant] = State.YES_MARKED if self.marks[row] else State.NO_MARKED
            elif everywhere[row] == n_everywhere:
                found[discriminant] = State.SHARED
            elif 0 < n < n_left:
                found[discriminant] = State.OPEN
            else:
                found[discriminant] = State.YES_INFERRED if n else State.NO_INFERRED
        return found

    @property
    def _open_rows(self) -> Any:
        """The rows of the discriminants that hold in some of the parses that are left and not in all."""
        return np.flatnonzero((self.counts > 0) & (self.counts < int(self.left.sum())))

    @property
    def open(self) -> list[Discriminant]:
        """The discriminants that still tell parses apart, in the order to ask for them.

        Those nearest to halving the parses come first. Of several that part them in the same way one stands for all:
        the others come after the last of the different ones, since its answer decides them too.
        """
        rows = self._open_rows
        order = rows[np.argsort(np.abs(2 * self.counts[rows] - int(self.left.sum())), kind="stable")]
        held = self.parses.table.holds[order][:, self.left]
        is_first = np.zeros(len(order), dtype=np.bool_)
        if len(order):
            is_first[np.unique(held ^ held[:, :1], axis=0, return_index=True)[1]] = True
        ordered = [*order[is_first].tolist(), *order[~is_first].tolist()]
        return [self.parses.table.discriminants[row] for row in ordered]

    @property
    def verdict(self) -> Status:
        """Rejected; accepted when nothing is left to decide; else undecided."""
        if self.is_rejected:
            return "rejected"
        return "undecided" if len(self._open_rows) else "accepted"

    def as_value(self) -> dict[str, Any]:
        """All of it as JSON: what the log keeps, complete without the profile.

        `result` is the parse chosen. Where several are left that no discriminant tells apart it is the first of them.
        """
        verdict = self.verdict
        return {
            "verdict": verdict,
            "result": self.results[0] if verdict == "accepted" else None,
            "n_left": len(self.results),
            "moves": list(self.moves),
            "states": {discriminant.name: str(state) for discriminant, state in self.states.items()},
        }


def _mark(choosing: Choosing, verb: str, name: str) -> Choosing:
    """Mark a discriminant, or mark it anew; a verdict made before is taken back by that."""
    row = choosing.parses.rows.get(name)
    if row is None:
        raise InputError(f"the sentence has no discriminant {name!r}")
    if choosing.parses.table.holds[row].all():
        raise Contradiction(f"{name} holds in every parse", hint="there is nothing to decide about it")
    kept = _drop(_open(choosing), name)
    marked = replace(kept, moves=(*kept.moves, f"{verb} {name}"))
    if not marked.left.any():
        what = f"no parse would be left: {verb} to {name} contradicts earlier decisions"
        raise Contradiction(what, hint="undo one of them")
    return marked


def _drop(choosing: Choosing, name: str) -> Choosing:
    return replace(choosing, moves=tuple(move for move in choosing.moves if move.partition(" ")[2] != name))


def _select(choosing: Choosing, result: str) -> Choosing:
    """Take a parse that is left; the marks stay."""
    kept = _open(choosing)
    if result not in map(str, choosing.parses.results):
        raise InputError(f"the sentence has no parse {result!r}")
    if result not in map(str, kept.results):
        raise Contradiction(f"parse {result} was ruled out", hint="undo the decision that ruled it out first")
    return replace(kept, moves=(*kept.moves, f"{SELECT} {result}"))


def _undo(choosing: Choosing, rest: str) -> Choosing:
    return replace(choosing, moves=choosing.moves[:-1])


def _open(choosing: Choosing) -> Choosing:
    """Without a verdict: the next move takes its place."""
    has_verdict = choosing.is_rejected or choosing.selected is not None
    return _undo(choosing, "") if has_verdict else choosing


VERBS: Mapping[str, Callable[[Choosing, str], Choosing]] = {
    YES: lambda choosing, name: _mark(choosing, YES, name),
    NO: lambda choosing, name: _mark(choosing, NO, name),
    "drop": lambda choosing, name: _drop(_open(choosing), name),
    SELECT: _select,
    REJECT: lambda choosing, _: replace(choosing, moves=(*_open(choosing).moves, REJECT)),
    "undo": _undo,
}
