"""When a rater answers one question twice without the one answer knowing of the other: which holds, and that it was so.

Two tabs are open, a telephone comes back from a tunnel: answers arrive in another order than they were given in. An
event names the versions that its rater had seen (`revises`). If the one that holds is among them, it is revised. If
not, neither knew of the other: an answer is kept before no answer, and of two the one given later by the rater's own
clock. Both stay in the log, and researchers are told. Events of form 1 do not say what their rater had seen: the last
to arrive holds, as it did then.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, kw_only=True)
class Version:
    """What a question's answer became by one event; the value is None where it was cleared or put aside."""

    id: str
    at: str
    value: Any

    def is_seen(self, revises: Sequence[str] | None) -> bool:
        """Whether the rater had this version before them."""
        return revises is None or self.id in revises

    def replaces(self, held: "Version | None", revises: Sequence[str] | None) -> bool:
        """Whether this version holds from now on."""
        if held is None or held.is_seen(revises):
            return True
        return self.value is not None and (held.value is None or self.at >= held.at)


@dataclass(frozen=True, kw_only=True)
class Conflict:
    """Two versions of one answer that did not know of each other: the one that holds, and the other."""

    rater: str
    step: int
    unit: str
    question: str
    kept: Version
    other: Version
