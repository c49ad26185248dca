"""Discriminants: the yes/no properties that tell the analyses of a sentence apart, as [incr tsdb()] logs them.

A line of a profile's `decision` table says that an annotator took a discriminant (type, key and span) to be true or
false of the analysis wanted, by hand or because another decision left no choice.
"""

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from assent.errors import InputError

RELATION, LEXICAL_TYPE, CONSTITUENT, SELECTION, REJECTION, DEPENDENCY, TWIG = range(1, 8)
TYPE_NAMES: Mapping[int, str] = {
    RELATION: "relation",
    LEXICAL_TYPE: "lexical type",
    CONSTITUENT: "constituent",
    SELECTION: "selected tree",
    REJECTION: "rejection",
    DEPENDENCY: "elementary dependency",
    TWIG: "twig",
}

YES_BY_HAND, NO_BY_HAND, YES_INFERRED, NO_INFERRED = range(1, 5)
_MEANING: Mapping[int, bool] = {YES_BY_HAND: True, YES_INFERRED: True, NO_BY_HAND: False, NO_INFERRED: False}


_NAMED = re.compile(rf"({'|'.join(TYPE_NAMES.values())}) (.*) \[(\d+)-(\d+)\]", re.DOTALL)


class Discriminant(NamedTuple):
    """What can hold of an analysis: a property of a stretch of the sentence, `key` in lower case."""

    type: int
    key: str
    start: int
    end: int

    @property
    def name(self) -> str:
        """A name that no other discriminant of the sentence has: `constituent hd-cmp_u_c [2-5]`."""
        return f"{TYPE_NAMES[self.type]} {self.key} [{self.start}-{self.end}]"

    @classmethod
    def named(cls, name: str) -> "Discriminant":
        """The discriminant that a name stands for.

        >>> Discriminant.named("lexical type v_see_le [1-2]")
        Discriminant(type=2, key='v_see_le', start=1, end=2)
        """
        parts = _NAMED.fullmatch(name)
        if parts is None:
            raise InputError(f"{name!r} is not the name of a discriminant")
        kind, key, start, end = parts.groups()
        return cls(next(number for number, known in TYPE_NAMES.items() if known == kind), key, int(start), int(end))

    def __str__(self) -> str:
        """The key with its place: `hd-cmp_u_c [2-5]`; dependencies have no place."""
        return self.key if self.type == DEPENDENCY else f"{self.key} [{self.start}-{self.end}]"


class Decision(NamedTuple):
    """One logged decision about one discriminant."""

    state: int
    discriminant: Discriminant

    @property
    def is_manual(self) -> bool:
        """Whether the annotator clicked; the other decisions follow from those."""
        return self.state in (YES_BY_HAND, NO_BY_HAND)

    @property
    def value(self) -> bool:
        """Yes (states 1 and 3) or no (states 2 and 4)."""
        return _MEANING[self.state]

    @property
    def label(self) -> tuple[int, str]:
        """The discriminant label of Castro (2011): the first word of the key, within a type."""
        return self.discriminant.type, self.discriminant.key.split(" ", 1)[0]


def is_option(state: int, type_: int) -> bool:
    """Whether a log line decides a discriminant: selections, rejections and void lines (state 5) do not."""
    return state in _MEANING and type_ not in (SELECTION, REJECTION)


def logged_values(decisions: Iterable[Decision]) -> dict[Discriminant, bool]:
    """What the log says of each discriminant; of several lines about one the last counts."""
    return {decision.discriminant: decision.value for decision in decisions}
