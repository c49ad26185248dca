"""What the diagnosis says: findings that state what was seen, how sure that is, and what to do about it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import partial
from typing import Any, TypeVar

import numpy as np

from concordant.model.tabular import fields_of
from concordant.notebook import table


class Severity(StrEnum):
    """How much a finding matters."""

    SERIOUS = "serious"  # numbers that depend on it must not be believed
    WARNING = "warning"  # look at it before you publish
    NOTE = "note"  # the reader should know


@dataclass(frozen=True, kw_only=True)
class Finding:
    """One thing that was noticed. `evidence` holds the numbers behind the sentences, unrounded."""

    kind: str
    severity: Severity
    seen: str
    sure: str
    advice: str
    evidence: Mapping[str, Any] = field(default_factory=dict)
    question: str | None = None
    raters: tuple[str, ...] = ()

    def __repr__(self) -> str:
        """What was seen, with its weight."""
        return f"<{self.severity.value}: {f'{self.question}: ' if self.question else ''}{self.seen}>"

    def _repr_html_(self) -> str:
        """The finding as a small table in a notebook."""
        told = (("What was seen", self.seen), ("How sure", self.sure), ("What to do", self.advice))
        return table((self.severity.value, self.question or ""), [one for one in told if one[1]])

    def to_dict(self) -> dict[str, Any]:
        """The finding as JSON shows it."""
        return fields_of(self)


serious, warning, note = (partial(Finding, severity=severity) for severity in Severity)


def by_severity(findings: list[Finding]) -> tuple[Finding, ...]:
    """The most serious first; within a severity in the order they were found."""
    rank = list(Severity)
    return tuple(sorted(findings, key=lambda finding: rank.index(finding.severity)))


def named(names: tuple[str, ...] | list[str], most: int = 6) -> str:
    """A few names and how many more.

    >>> named(["a", "b", "c"], most=2)
    'a, b and 1 more'
    """
    shown = ", ".join(names[:most])
    return shown + (f" and {len(names) - most:,} more" if len(names) > most else "")


SURE = 0.001
Tested = TypeVar("Tested")


def holm(p_values: Sequence[float]) -> list[float]:
    """Holm's step-down correction.

    >>> holm([0.01, 0.04])
    [0.02, 0.04]
    """
    order = np.argsort(p_values)
    steps = np.asarray(p_values, dtype=np.float64)[order] * np.arange(len(p_values), 0, -1)
    corrected = np.empty(len(p_values))
    corrected[order] = np.minimum(np.maximum.accumulate(steps), 1.0)
    return [float(p) for p in corrected]


def not_by_chance(tested: Sequence[tuple[Tested, float]]) -> Iterator[tuple[Tested, float]]:
    """What was tested and stays significant, with its corrected p-value."""
    for (one, _), p in zip(tested, holm([p for _, p in tested]), strict=True):
        if p < SURE:
            yield one, p
