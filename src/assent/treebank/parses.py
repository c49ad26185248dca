"""The parses of one sentence side by side: which discriminant holds in which of them.

Decoding derivations and MRSs is dear (milliseconds for each parse), so it is done when a sentence is first looked at,
and once.
"""

import hashlib
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from assent.errors import InputError
from assent.treebank.analyses import Analysis
from assent.treebank.discriminants import Discriminant
from assent.treebank.resolved import ChosenAnalysis
from assent.treebank.trees import Tree

Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Table:
    """`holds[i, j]`: whether discriminant i holds in parse j; discriminants in the order of the sentence."""

    discriminants: tuple[Discriminant, ...]
    holds: Flags
    trees: tuple[Tree | None, ...]


class Parses:
    """All parses that a profile has for a sentence; they go by their numbers in its `result` table."""

    def __init__(self, analyses: Sequence[Analysis], lexicon: Mapping[str, str]) -> None:
        """`lexicon` gives lexical entries their types; without one words are told apart by their entries."""
        if not analyses:
            raise InputError("a sentence without parses cannot be disambiguated")
        self.results = tuple(analysis.result for analysis in analyses)
        self._analyses = tuple(analyses)
        self._lexicon = lexicon
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
    def table(self) -> Table:
        """What holds where, decoded by whoever asks first."""
        with self._lock:
            return self._decoded

    @cached_property
    def _decoded(self) -> Table:
        read = [ChosenAnalysis(analysis, self._lexicon) for analysis in self._analyses]
        found = [one.discriminants() for one in read]
        discriminants = tuple(sorted(frozenset().union(*found), key=_place))
        rows = {discriminant: row for row, discriminant in enumerate(discriminants)}
        holds = np.zeros((len(rows), len(found)), dtype=np.bool_)
        for column, held in enumerate(found):
            holds[[rows[discriminant] for discriminant in held], column] = True
        return Table(discriminants, holds, tuple(one.tree for one in read))

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


def _place(discriminant: Discriminant) -> tuple[int, int, int, str]:
    """As they stand in the sentence, wider spans first; dependencies, which have no place, last."""
    is_placed = discriminant.end > 0
    return (discriminant.start if is_placed else 10**9, -discriminant.end, discriminant.type, discriminant.key)
