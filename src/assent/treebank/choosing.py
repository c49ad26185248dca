"""Choosing among the parses of a sentence by saying yes or no to discriminants, after Carter (1997).

A mark by hand rules out the parses that it is not true of. What then holds in every parse that is left is inferred to
be true, what holds in none of them false. An inference rules out no further parse, because it is true of all that are
left; so one round is Carter's fixpoint, and the order of marks does not matter.

A `Choosing` is a value: every move gives another one. Moves are written as text, the way forms send them and the log
keeps them: `yes NAME`, `no NAME` (the name of a discriminant), `select RESULT`, `reject`; and, never kept, `undo` and
`drop NAME`, which take back the last move and a certain mark.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from typing import Any

import numpy as np

from assent.errors import InputError
from assent.treebank.discriminants import NO_BY_HAND, NO_INFERRED, YES_BY_HAND, YES_INFERRED, Discriminant
from assent.treebank.parses import Flags, Parses
from assent.treebank.profile import Status

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
    def open(self) -> list[Discriminant]:
        """The discriminants that still tell parses apart, in the order to ask for them.

        Those nearest to halving the parses come first. Of several that part them in the same way one stands for all:
        the others come after the last of the different ones, since its answer decides them too.
        """
        n_left, counts = int(self.left.sum()), self.counts
        rows = np.flatnonzero((counts > 0) & (counts < n_left))
        order = rows[np.argsort(np.abs(2 * counts[rows] - n_left), kind="stable")]
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
        counts, n_left = self.counts, int(self.left.sum())
        return "undecided" if bool(((counts > 0) & (counts < n_left)).any()) else "accepted"

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
    return _checked(replace(kept, moves=(*kept.moves, f"{verb} {name}")), f"{verb} to {name}")


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


def _reject(choosing: Choosing, rest: str) -> Choosing:
    kept = _open(choosing)
    return replace(kept, moves=(*kept.moves, REJECT))


def _undo(choosing: Choosing, rest: str) -> Choosing:
    return replace(choosing, moves=choosing.moves[:-1])


def _open(choosing: Choosing) -> Choosing:
    """Without a verdict: the next move takes its place."""
    has_verdict = choosing.is_rejected or choosing.selected is not None
    return _undo(choosing, "") if has_verdict else choosing


def _checked(choosing: Choosing, what: str) -> Choosing:
    if not choosing.left.any():
        raise Contradiction(f"no parse would be left: {what} contradicts earlier decisions", hint="undo one of them")
    return choosing


VERBS: Mapping[str, Callable[[Choosing, str], Choosing]] = {
    YES: lambda choosing, name: _mark(choosing, YES, name),
    NO: lambda choosing, name: _mark(choosing, NO, name),
    "drop": lambda choosing, name: _drop(_open(choosing), name),
    SELECT: _select,
    REJECT: _reject,
    "undo": _undo,
}
