"""What a measure is: a name, what it needs, and a function from a view of the tally to its parts."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, TypeVar, cast

import numpy as np

from assent.arrays import Floats
from assent.engines.tally import Tally
from assent.engines.views import Counts, Pairs, Panel
from assent.errors import InputError
from assent.model.scale import Level, Scale

View = TypeVar("View", Counts, Pairs, Panel, Tally)

ANY = frozenset(Level)
ORDERED = frozenset({Level.ORDINAL, Level.INTERVAL, Level.RATIO, Level.BIPOLAR})
NUMERIC = frozenset({Level.INTERVAL, Level.RATIO, Level.BIPOLAR})
UNORDERED = frozenset({Level.NOMINAL})


@dataclass(frozen=True, kw_only=True)
class Options:
    """Choices that some measures offer; each is named in the signature when it is not the default."""

    weights: str | Floats | None = None
    distance: str | Floats | None = None
    singletons: Literal["keep", "drop"] = "keep"
    weight: Literal["units", "judgements"] = "units"

    def __post_init__(self) -> None:
        """Refuse a choice that is not offered."""
        offered = {"singletons": ("keep", "drop"), "weight": ("units", "judgements")}
        for name, choices in offered.items():
            if getattr(self, name) not in choices:
                raise InputError(f"unknown {name} {getattr(self, name)!r}", hint=f"use {' or '.join(choices)}")


DEFAULTS = Options()


@dataclass(frozen=True, kw_only=True)
class Setting:
    """What a measure's function gets besides the view."""

    scale: Scale
    options: Options


@dataclass(frozen=True, kw_only=True)
class Parts:
    """What a measure's function returns. Arrays have the leading axes of the view's weights; NaN is undefined."""

    value: Floats
    observed: Floats | None = None
    expected: Floats | None = None
    why: str | None = None
    notes: tuple[str, ...] = ()
    details: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Needs:
    """What data a measure can use (`problems`) and what data it suits (`cautions`), asked before computing."""

    suits: frozenset[Level]
    accepts: frozenset[Level] = ANY
    max_raters: int | None = None
    many_raters: str = ""  # what to use instead when there are more
    missing: Literal["uses every pair", "drops units not judged by both", "drops incomplete units"]
    continuous: bool = False
    made_for: str = ""  # what it measures when that is not judgements at some level: spans …
    takes_steps_as_equal: bool = False  # computes with the values, so that ordinal data become interval data

    def problems(self, data: Tally) -> list[str]:
        """Why the measure cannot be computed on these data, in sentences; empty if it can."""
        return [sentence for sentence in (self._level(data), self._raters(data)) if sentence]

    def _level(self, data: Tally) -> str:
        level = data.scale.level
        if level not in self.accepts:
            levels = ", ".join(lv.value for lv in Level if lv in self.accepts)
            return f"needs {levels} data, and these are {level.value}"
        if data.scale.is_continuous and not self.continuous:
            return "needs categories, and the scale is continuous"
        return ""

    def _raters(self, data: Tally) -> str:
        n = len(data.used_raters)
        if self.max_raters is not None and n > self.max_raters:
            return f"compares {self.max_raters} raters, and there are {n}; use {self.many_raters}"
        return ""

    def cautions(self, data: Tally) -> list[str]:
        """Why the measure does not suit these data although it can be computed."""
        level = data.scale.level
        if level in self.suits or level not in self.accepts:
            return []
        if self.takes_steps_as_equal:
            return [f"takes the steps between {level.value} values as equal"]
        if level in ORDERED or level is Level.CIRCULAR:
            return [f"treats all disagreements alike although the values are {level.value}"]
        if level is Level.SET:
            return ["treats sets as plain categories: {a} and {a, b} count as entirely different"]
        return [f"is not made for {level.value} data"]


@dataclass(frozen=True, kw_only=True)
class Measure(Generic[View]):
    """One coefficient of the catalogue."""

    key: str
    name: str
    cite: tuple[str, ...]
    kind: Literal["agreement", "correlation", "reliability", "raw"]
    needs: Needs
    view: Literal["counts", "pairs", "panel", "tally"]
    compute: Callable[[View, Setting], Parts]
    name_of: Callable[[Tally, Options], str] | None = None

    @property
    def doc(self) -> str:
        """Chance model, formula and source: the function's docstring."""
        return self.compute.__doc__ or ""

    def look(self, data: Tally) -> View:
        """The view of the tally that the function wants."""
        return cast(View, data if self.view == "tally" else getattr(data, self.view))

    def full_name(self, data: Tally, options: Options) -> str:
        """The exact name of what is computed on these data."""
        return self.name_of(data, options) if self.name_of else self.name


def measure(
    *,
    key: str,
    name: str,
    cite: Sequence[str],
    needs: Needs,
    view: Literal["counts", "pairs", "panel", "tally"],
    kind: Literal["agreement", "correlation", "reliability", "raw"] = "agreement",
    name_of: Callable[[Tally, Options], str] | None = None,
) -> Callable[[Callable[[View, Setting], Parts]], Measure[View]]:
    """Make a measure of a function; its docstring becomes the measure's explanation."""

    def wrap(compute: Callable[[View, Setting], Parts]) -> Measure[View]:
        return Measure(
            key=key, name=name, cite=tuple(cite), kind=kind, needs=needs, view=view, compute=compute, name_of=name_of
        )

    return wrap


def corrected(observed: Floats, expected: Floats, *, why: str) -> Parts:
    """(A_o - A_e) / (1 - A_e): the formula that all chance-corrected coefficients share."""
    room = 1 - expected
    undefined = np.abs(room) < 1e-12
    value = np.divide(observed - expected, room, out=np.full(np.shape(room), np.nan), where=~undefined)
    return Parts(value=np.asarray(value), observed=observed, expected=expected, why=why)


NO_PAIR = "no unit was judged by two raters"
ONE_CATEGORY = "all judgements are in one category, so agreement by chance is 1 and the formula is 0/0"
