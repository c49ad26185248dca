"""What can be measured: every kind of data answers the same few questions, and that is all a new kind needs.

Data as they are read say what `kind` they are, and what they hold: in one line, and in a notebook as a small table,
however large they are. Before they are measured they become `Measurable`: judgements a tally, spans the units that
count (with their alignments, for measures that need them), treebanks a table of sentences.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple, Protocol

KINDS: Mapping[str, str] = MappingProxyType(
    {
        "judgements": "judgements of given units",
        "spans": "spans",
        "profiles": "two annotators' treebanks",
        "brackets": "trees in brackets",
    }
)
"""Each kind in words."""


class Used(NamedTuple):
    """How much enters a coefficient, how many units do not, and what to say about those."""

    n_units: int
    n_judgements: int
    n_dropped: int
    notes: tuple[str, ...] = ()


class Measurable(Protocol):
    """Data that are ready to be measured."""

    @property
    def kind(self) -> str:
        """A key of KINDS."""

    @property
    def unit(self) -> str:
        """What is drawn again in a bootstrap, in the plural: units, sentences."""

    @property
    def used_raters(self) -> tuple[str, ...]:
        """Who judged."""

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader of any result must know about the data."""

    @property
    def fingerprint(self) -> str:
        """Eight hexadecimal digits that change when what is measured does."""

    @property
    def digest(self) -> str:
        """The whole SHA-256 of what is measured, which nobody can find other data for."""

    def used(self, *, complete: bool = False) -> Used:
        """What enters a coefficient; with `complete` only units that every rater judged."""

    def signed(self) -> dict[str, str] | None:
        """What a signature must say of the data besides their fingerprint; None if they cannot be had again."""


WIDTH = 60  # characters of one fact


class Summary(ABC):
    """A value with a short `repr` and a table for notebooks, both made of its facts."""

    __slots__ = ()

    @abstractmethod
    def facts(self) -> dict[str, object]:
        """What there is to say, in a few words each; what is empty or None is left out."""

    def _said(self) -> dict[str, str]:
        """The facts as short texts, numbers with commas at the thousands."""
        said = {}
        for name, fact in self.facts().items():
            if fact not in (None, "", ()):
                text = f"{fact:,}" if isinstance(fact, int) else str(fact)
                said[name] = text if len(text) <= WIDTH else f"{text[: WIDTH - 1]}…"
        return said

    def __repr__(self) -> str:
        """One line."""
        return f"<{type(self).__name__} {', '.join(f'{name}: {text}' for name, text in self._said().items())}>"

    def _repr_html_(self) -> str:
        """A small table, as notebooks show it."""
        from html import escape

        rows = (f"<tr><th>{escape(name)}</th><td>{escape(text)}</td></tr>" for name, text in self._said().items())
        return f"<table><caption>{type(self).__name__}</caption><tbody>{''.join(rows)}</tbody></table>"


def named(names: Sequence[str], most: int = 5) -> str:
    """How many there are and the first of them.

    >>> named(["Ida", "Jon", "Kim"], most=2)
    '3 (Ida, Jon, …)'
    """
    if not names:
        return ""
    first = [names[place] for place in range(min(most, len(names)))]
    return f"{len(names):,} ({', '.join(first + ['…'] * (len(names) > most))})"
