"""The document's own comparison of two decision logs, option by option (Castro 2011, Figure 5.13).

An option is a decision by hand with the decisions that follow from it. The neighbourhood of an option is what the
same log says under the same discriminant label: after a yes the lines below it (a yes stands before its
consequences), for a no the lines above and below. An option is identical if the two logs never contradict each other
on a discriminant of either neighbourhood. Published as an asymmetric loop that need not end, it is made symmetric and
terminating here: each label with a decision by hand in either log is one option, whoever made it.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from assent.treebank.discriminants import Decision, Discriminant, logged_values


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


def compare_options(a: Sequence[Decision], b: Sequence[Decision]) -> Options:
    """Compare two decision logs of one sentence; the order of the two does not matter."""
    by_label_a, by_label_b = _by_label(a), _by_label(b)
    labels = [*by_label_a, *(label for label in by_label_b if label not in by_label_a)]
    total = identical = unique = vacuous = 0
    differing: list[Discriminant] = []
    for label in labels:
        lines_a, lines_b = by_label_a.get(label, []), by_label_b.get(label, [])
        if not any(line.is_manual for line in (*lines_a, *lines_b)):
            continue
        total += 1
        unique += not (lines_a and lines_b)
        shared, against = _contradictions(lines_a, lines_b)
        differing += against
        identical += bool(lines_a and lines_b and not against)
        vacuous += bool(lines_a and lines_b and not shared)
    return Options(total=total, identical=identical, unique=unique, vacuous=vacuous, differing=tuple(sorted(differing)))


def _by_label(decisions: Iterable[Decision]) -> dict[tuple[int, str], list[Decision]]:
    found: dict[tuple[int, str], list[Decision]] = defaultdict(list)
    for decision in decisions:
        found[decision.label].append(decision)
    return found


def _contradictions(a: list[Decision], b: list[Decision]) -> tuple[int, list[Discriminant]]:
    """How many discriminants of either neighbourhood both logs decide, and those decided differently."""
    values_a, values_b = logged_values(a), logged_values(b)
    near = {line.discriminant for line in (*_neighbourhood(a), *_neighbourhood(b))}
    shared = near & values_a.keys() & values_b.keys()
    return len(shared), [key for key in shared if values_a[key] != values_b[key]]


def _neighbourhood(lines: list[Decision]) -> list[Decision]:
    """From a leading yes by hand downwards, all lines around a no by hand, nothing without a decision by hand."""
    first = next((place for place, line in enumerate(lines) if line.is_manual), None)
    if first is None:
        return []
    return lines[first:] if lines[first].value else lines
