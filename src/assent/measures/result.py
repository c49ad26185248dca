"""What a measure returns: a value or the reason why there is none, with everything needed to defend it."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Self

from assent.errors import Undefined
from assent.measures.benchmarks import Reading, benchmark_for, read_value


@dataclass(frozen=True, kw_only=True)
class Interval:
    """Two ends, the confidence level (0.95) and the exact name of the method."""

    low: float
    high: float
    level: float
    method: str

    @property
    def width(self) -> float:
        """High end minus low end."""
        return self.high - self.low

    def as_dict(self) -> dict[str, float | str]:
        """The interval as JSON shows it."""
        return {"low": self.low, "high": self.high, "level": self.level, "method": self.method}


@dataclass(frozen=True, kw_only=True)
class Agreement:
    """One coefficient, computed. `value` is None when it is undefined, and then `reason` says why."""

    measure: str
    name: str
    value: float | None
    reason: str | None = None
    observed: float | None = None
    expected: float | None = None
    interval: Interval | None = None
    n_units: int = 0
    n_raters: int = 0
    n_judgements: int = 0
    n_dropped: int = 0
    raters: tuple[str, ...] = ()
    question: str | None = None
    slice: Mapping[str, str] | None = None
    notes: tuple[str, ...] = ()
    details: Mapping[str, Any] = field(default_factory=dict)
    signature: str = ""

    def __post_init__(self) -> None:
        """A value or a reason: never both, never neither, never a NaN."""
        if (self.value is None) == (self.reason is None):
            raise ValueError(f"{self.measure}: exactly one of value and reason must be given")
        if self.value is not None and self.value != self.value:
            raise ValueError(f"{self.measure}: NaN is not a value; give a reason")

    def __float__(self) -> float:
        """The value; raises with the reason when it is undefined."""
        if self.value is None:
            raise Undefined(f"{self.name} is undefined: {self.reason}")
        return self.value

    def interpret(self, benchmark: str | None = None) -> Reading | None:
        """What a value of this size is called, by whom; None if it is undefined or no published scale reads it.

        The scale is the one made for this measure unless `benchmark` names another; a scale made for other
        measures is refused. The low end of the interval is read as well as the value.
        """
        scale = benchmark_for(self.measure, benchmark)
        if scale is None or self.value is None:
            return None
        ends = None if self.interval is None else (self.interval.low, self.interval.high)
        return read_value(self.value, ends, scale)

    def with_(self, **changes: Any) -> Self:
        """A copy with some fields changed."""
        return replace(self, **changes)

    def as_dict(self) -> dict[str, Any]:
        """The result as JSON shows it: keys in the order of the public contract, numbers unrounded."""
        return {
            "measure": self.measure,
            "name": self.name,
            "question": self.question,
            "slice": None if self.slice is None else dict(self.slice),
            "raters": list(self.raters),
            "value": self.value,
            "reason": self.reason,
            "observed": self.observed,
            "expected": self.expected,
            "interval": None if self.interval is None else self.interval.as_dict(),
            "n_units": self.n_units,
            "n_raters": self.n_raters,
            "n_judgements": self.n_judgements,
            "n_dropped": self.n_dropped,
            "notes": list(self.notes),
            "details": dict(self.details),
            "signature": self.signature,
        }
