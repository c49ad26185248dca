"""Discriminants: the yes/no properties that tell the analyses of a sentence apart, as [incr tsdb()] logs them.

A line of a profile's `decision` table says that an annotator took a discriminant (type, key and span) to be true or
false of the analysis wanted, by hand or because another decision left no choice.

Two logs are compared as the document does it, option by option (Castro 2011, Figure 5.13). An option is a decision by
hand with the decisions that follow from it. The neighbourhood of an option is what the same log says under the same
discriminant label: after a yes the lines below it (a yes stands before its consequences), for a no the lines above and
below. An option is identical if the two logs never contradict each other on a discriminant of either neighbourhood.
Published as an asymmetric loop that need not end, it is made symmetric and terminating here: each label with a decision
by hand in either log is one option, whoever made it.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from concordant.errors import InputError

Status = Literal["accepted", "rejected", "undecided"]
Labels = Literal["within", "across"]
LABELS: tuple[Labels, ...] = ("within", "across")
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """How the options of one sentence compare.

    `unique` ones are stranded: the other log has nothing under their label. They count in the total and are never
    identical. `vacuous` ones count as identical although the neighbourhoods share no discriminant at all.
    """

    total: int = 0
    identical: int = 0
    unique: int = 0
    vacuous: int = 0
    differing: tuple[Discriminant, ...] = ()

    @property
    def common(self) -> int:
        """Options on which both logs have something to say."""
        return self.total - self.unique


def compare_options(a: Sequence[Decision], b: Sequence[Decision], *, labels: Labels = "within") -> Options:
    """Compare two decision logs of one sentence; the order of the two does not matter.

    A label is one within a type of discriminants, or `across` all of them: `sp-hd_n_c` as a constituent and as a twig.
    """
    by_label_a, by_label_b = _by_label(a, labels), _by_label(b, labels)
    every = [*by_label_a, *(label for label in by_label_b if label not in by_label_a)]
    total = identical = unique = vacuous = 0
    differing: list[Discriminant] = []
    for label in every:
        lines_a, lines_b = by_label_a.get(label, []), by_label_b.get(label, [])
        if not any(line.is_manual for line in (*lines_a, *lines_b)):
            continue
        total += 1
        unique += not (lines_a and lines_b)
        values_a, values_b = logged_values(lines_a), logged_values(lines_b)
        near = {line.discriminant for line in (*_neighbourhood(lines_a), *_neighbourhood(lines_b))}
        shared = near & values_a.keys() & values_b.keys()
        against = [key for key in shared if values_a[key] != values_b[key]]
        differing += against
        identical += bool(lines_a and lines_b and not against)
        vacuous += bool(lines_a and lines_b and not shared)
    return Options(total=total, identical=identical, unique=unique, vacuous=vacuous, differing=tuple(sorted(differing)))


def _by_label(decisions: Iterable[Decision], labels: Labels) -> dict[tuple[int, str], list[Decision]]:
    found: dict[tuple[int, str], list[Decision]] = defaultdict(list)
    for decision in decisions:
        type_, word = decision.label
        found[type_ if labels == "within" else 0, word].append(decision)
    return found


def _neighbourhood(lines: list[Decision]) -> list[Decision]:
    """From a leading yes by hand downwards, all lines around a no by hand, nothing without a decision by hand."""
    first = next((place for place, line in enumerate(lines) if line.is_manual), None)
    if first is None:
        return []
    return lines[first:] if lines[first].value else lines
