"""What the diagnosis says: findings that state what was seen, how sure that is, and what to do about it."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from enum import StrEnum
from typing import Any

import numpy as np


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

    def as_dict(self) -> dict[str, Any]:
        """The finding as JSON shows it."""
        shown: dict[str, Any] = plain({f.name: getattr(self, f.name) for f in fields(self)})
        return shown


def by_severity(findings: list[Finding]) -> tuple[Finding, ...]:
    """The most serious first; within a severity in the order they were found."""
    rank = list(Severity)
    return tuple(sorted(findings, key=lambda finding: rank.index(finding.severity)))


def plain(value: Any) -> Any:
    """Any result of the diagnosis as JSON can hold it: numbers unrounded, undefined as null.

    >>> plain({"share": np.float64(0.5), "raters": ("J1", "J2")})
    {'share': 0.5, 'raters': ['J1', 'J2']}
    """
    if hasattr(value, "as_dict") and not isinstance(value, Finding):
        return value.as_dict()
    if is_dataclass(value) and not isinstance(value, type):
        return {f.name: plain(getattr(value, f.name)) for f in fields(value)}
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, np.ndarray):
        return plain(value.tolist())
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return _scalar(value)


def _scalar(value: Any) -> Any:
    """A number, text, truth value or nothing."""
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, StrEnum):
        return value.value
    if isinstance(value, float) and not np.isfinite(value):
        return None
    return value


def count(n: int, noun: str) -> str:
    """A number with its noun.

    >>> count(1, "unit"), count(1293, "unit")
    ('1 unit', '1,293 units')
    """
    return f"{n:,} {noun}{'s' * (n != 1)}"


def named(names: tuple[str, ...] | list[str], most: int = 6) -> str:
    """A few names and how many more.

    >>> named(["a", "b", "c"], most=2)
    'a, b and 1 more'
    """
    shown = ", ".join(names[:most])
    return shown + (f" and {len(names) - most:,} more" if len(names) > most else "")


def p_text(p: float) -> str:
    """A p-value in words.

    >>> p_text(0.0000001), p_text(0.0312)
    ('p < .001', 'p = .031')
    """
    return "p < .001" if p < 0.001 else f"p = {p:.3f}".replace("0.", ".", 1)
