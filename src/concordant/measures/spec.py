"""What a measure is: what it is of, what it looks at, what may be chosen, and a function from a view to its parts."""

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from inspect import cleandoc
from typing import Any, Generic, Literal, NamedTuple, TypeVar, cast

import numpy as np

from concordant.arrays import Floats
from concordant.choices import Choices, always, choice, never
from concordant.engines.tally import Tally
from concordant.errors import InputError
from concordant.measures.benchmarks import Benchmark
from concordant.measures.result import Interval
from concordant.model.measurable import KINDS, Measurable
from concordant.model.scale import Level, Scale
from concordant.progress import Progress, silent

View = TypeVar("View")

ANY = frozenset(Level)
ORDERED = frozenset({Level.ORDINAL, Level.INTERVAL, Level.RATIO, Level.BIPOLAR})
NUMERIC = frozenset({Level.INTERVAL, Level.RATIO, Level.BIPOLAR})
UNORDERED = frozenset({Level.NOMINAL})
TITLES = ("When not to use it", "In other tools", "Example")
NO_PAIR = "no unit was judged by two raters"
RESAMPLED = ("bootstrap", "bca", "jackknife")
OF_JUDGEMENTS = (*RESAMPLED, "analytic", "pairs", "none")
OF_SCORES = ("pivots", *OF_JUDGEMENTS, "hull")
OF_CATEGORIES = (*OF_JUDGEMENTS, "posterior", "linearised")
OF_SENTENCES = (*RESAMPLED, "none")


class WithWeights(Choices):
    """Partial credit."""

    weights: str | Floats | None = choice(
        None,
        "Partial credit: linear, quadratic, ordinal, radical, ratio, circular, bipolar, or a CSV matrix.",
    )


class WithDistance(Choices):
    """Distances between categories."""

    distance: str | Floats | None = choice(
        None, "Distance for alpha: masi, jaccard, nominal, tree_edit, or a CSV matrix of squared distances."
    )


class WithShares(Choices):
    """Units with one judgement: whether chance knows them.

    `singletons` is an older name of the same choice. A signature that says neither was made when measures differed;
    `earlier` says what a measure with these options did then.
    """

    shares: Literal["paired", "all"] = always(
        "paired", "Judgements that chance is made of: of units with two or more, or all (as irrCAC does)."
    )
    singletons: Literal["keep", "drop"] | None = never(None, "Older name of --shares: drop is paired, keep is all.")

    def __init__(self, **given: Any) -> None:
        """Take the older name as what it means."""
        meant = {"keep": "all", "drop": "paired"}.get(given.get("singletons") or "")
        if meant is not None:
            old = given.pop("singletons")
            if given.setdefault("shares", meant) != meant:
                what = f"singletons {old} is shares {meant}, not {given['shares']}"
                raise InputError(what, hint="give shares alone")
        super().__init__(**given)

    @classmethod
    def earlier(cls, signed: Mapping[str, str]) -> str:
        """Chance over all judgements, unless units with one were dropped."""
        return "paired" if signed.get("singletons") == "drop" else "all"


class RaterShares(WithShares):
    """Chance by the shares of each rater."""

    @classmethod
    def earlier(cls, signed: Mapping[str, str]) -> str:
        """Two raters: the units that both judged; more: all judgements of each."""
        return "paired" if signed.get("raters") in ("1", "2") else "all"


class PairedShares(WithShares):
    """A measure that has no form with all judgements, and says so."""

    @classmethod
    def earlier(cls, signed: Mapping[str, str]) -> str:
        """As today."""
        return "paired"


class WithPairs(Choices):
    """Means over rater pairs. Until 0.1.0 every pair counted equally, and one without a value left no mean."""

    pair_weights: Literal["units", "equal"] = always(
        "units", "Means over rater pairs: a pair counts by its common units, or all equally."
    )
    undefined_pairs: Literal["leave-out", "refuse"] = choice(
        "leave-out", "A rater pair without a value: left out and named if it is small, or there is no mean."
    )


class WithWeight(Choices):
    """What counts once."""

    weight: Literal["units", "judgements"] = choice(
        "units", "What counts once in observed agreement with missing judgements."
    )


class WithIncomplete(Choices):
    """Units that not every rater judged. A signature that does not name the choice was made when they were dropped."""

    incomplete: Literal["use", "drop"] = always(
        "use",
        "Intraclass correlations, units that not every rater judged: use them (variance components) or drop them.",
    )


class WithK(Choices):
    """The mean of several raters."""

    k: int = choice(1, "Dependability and generalizability: of the mean of so many raters.")

    def __post_init__(self) -> None:
        """Refuse what is no number of raters."""
        super().__post_init__()
        if self.k < 1:
            raise InputError(f"the mean of {self.k} raters", hint="give 1 or more")


class WithQuestions(Choices):
    """Several questions at once: each scale from 0 to 1, or numbers as they are (R's irr)."""

    spread: Literal["alike", "raw"] = choice("alike", "Iota: every question's scale from 0 to 1, or raw numbers.")


class Options(WithQuestions, WithK, WithIncomplete, WithWeight, WithShares, WithDistance, WithWeights, WithPairs):
    """All choices of measures of judgements: the form in which their functions get them."""


DEFAULTS = Options()


@dataclass(frozen=True, kw_only=True)
class Asked:
    """What making data ready may depend on besides the data.

    `keys` are the measures that will look at them, so that what only some of them need is left out.
    """

    options: Any = DEFAULTS
    confidence: float = 0.95
    seed: int = 0
    keys: frozenset[str] = frozenset()
    progress: Progress = silent


@dataclass(frozen=True, kw_only=True)
class Setting:
    """What a measure's function gets besides the view."""

    data: Any
    options: Any = DEFAULTS
    confidence: float = 0.95

    @property
    def scale(self) -> Scale:
        """The scale of judgements."""
        return cast(Scale, self.data.scale)


@dataclass(frozen=True, kw_only=True)
class Parts:
    """What a measure's function returns. Arrays have the leading axes of the view's weights; NaN is undefined.

    `interval` is the measure's own, of those that offer `chance`.
    """

    value: Floats
    observed: Floats | None = None
    expected: Floats | None = None
    why: str | None = None
    notes: tuple[str, ...] = ()
    details: dict[str, Any] = field(default_factory=dict)
    interval: Interval | None = None


@dataclass(frozen=True, kw_only=True)
class Computed:
    """A value, and what it was computed from: all that a published error may need to know."""

    key: str
    data: Tally
    setting: Setting
    value: float
    expected: float
    confidence: float

    @property
    def undefined(self) -> str:
        """Why there is no interval where what is published has no value."""
        return f"the published interval of {self.key} is undefined on these data"


@dataclass(frozen=True, kw_only=True)
class StandardError:
    """A standard error, its degrees of freedom (infinite for a normal interval) and where it comes from.

    `influence` is how much one unit of each pattern of the measure's view moves the value, where the error is made of
    that: then it can be added up over units that belong together.
    """

    error: float
    freedom: float
    source: str
    on_z: bool = False  # the error of Fisher's z = atanh(value)
    influence: Floats | None = None


Error = StandardError | str  # or why there is none for these data


class Pivots(NamedTuple):
    """Draws of a coefficient from the pivots of what it is made of, and what the reader must know about them."""

    values: Floats
    notes: tuple[str, ...] = ()


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
    crossed: bool = False  # knows what to do with raters × questions

    def problems(self, data: Tally) -> list[str]:
        """Why the measure cannot be computed on these data, in sentences; empty if it can."""
        found, level, n = [], data.scale.level, len(data.used_raters)
        if data.scale.asked and not self.crossed:
            found.append("has no form for raters × questions; take the questions one by one")
        if level not in self.accepts:
            levels = ", ".join(lv.value for lv in Level if lv in self.accepts)
            found.append(f"needs {levels} data, and these are {level.value}")
        elif data.scale.is_continuous and not self.continuous:
            found.append("needs categories, and the scale is continuous")
        if self.max_raters is not None and n > self.max_raters:
            found.append(f"compares {self.max_raters} raters, and there are {n}; use {self.many_raters}")
        return found

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


Published = Callable[[Computed], Error | Interval]


class Usual(NamedTuple):
    """The interval that `auto` is on some data, why it is that one, and what to beware of."""

    ci: str
    why: str
    caution: str = ""


@dataclass(frozen=True, kw_only=True)
class Measure(Generic[View]):
    """One coefficient of the catalogue, with all that is known of it: nothing else names its key.

    Its docstring is the chance model in a phrase and the formula, then a paragraph for each of the `TITLES`.
    `recommended` says which place it has among the handful that answers most questions, for a level of measurement (or
    a kind of data): with two raters, with more; None where it is not one of them. `standard_error` is what others have
    published: an error, an interval that rests on none, or a sentence that says why there is none for these data.
    `pivots` draws values for an interval that respects how few units and raters there are.

    It is `of` some kinds of data, which `ready` prepares for it if they are no tally; it looks at them as a `view`, has
    `options` of its own and offers the intervals `ci`. `usual` says which of them `auto` is on some data with some
    options; without it, it is the first. A measure with a value for `each` of something (categories) says for which
    options, and where in the data that is.
    """

    key: str
    name: str
    cite: tuple[str, ...]
    kind: Literal["agreement", "correlation", "reliability", "raw"] = "agreement"
    needs: Needs
    compute: Callable[[View, Setting], Parts]
    view: Literal["counts", "pairs", "panel", "scores", "whole"] = "whole"
    of: tuple[str, ...] = ("judgements",)
    ready: Callable[[Any, Asked], Measurable] | None = None
    each: Callable[[Any, Any], Sequence[tuple[Any, dict[str, str]]]] | None = None
    options: type[Choices] = Choices
    ci: tuple[str, ...] = OF_JUDGEMENTS
    usual: Callable[[Any, Any], Usual] | None = None
    name_of: Callable[[Any, Any], str] | None = None
    reads_on: tuple[Benchmark, ...] = ()  # the scales made for it, the usual one first
    recommended: Mapping[str, tuple[int | None, int | None]] = field(default_factory=dict)
    standard_error: Published | None = None
    pivots: Callable[[Computed, np.random.Generator], Pivots | str] | None = None

    def __post_init__(self) -> None:
        """A measure that is not explained is a mistake of its author, seen at once."""
        told = self.compute.__doc__ or ""
        missing = [title for title in TITLES if f" {title}: " not in told and f"\n{title}: " not in told]
        if missing and sys.flags.optimize < 2:  # -OO takes all docstrings away
            raise ValueError(f"the docstring of measure {self.key} has no paragraph {' and no '.join(missing)}")

    @property
    def _told(self) -> str:
        return cleandoc(self.compute.__doc__ or "")

    @property
    def doc(self) -> str:
        """Chance model and formula: the function's docstring up to the first title."""
        return self._told.partition(f"\n\n{TITLES[0]}: ")[0]

    def told(self, title: str) -> str:
        """The paragraph of the docstring with that title, in one line."""
        after = self._told.partition(f"\n\n{title}: ")[2]
        return " ".join(after.partition("\n\n")[0].split())

    def place(self, what: str, *, many: bool) -> int | None:
        """Its place among the measures recommended for a level or a kind of data; None if it is not recommended."""
        return self.recommended.get(what, (None, None))[many]

    def problems(self, data: Any) -> list[str]:
        """Why it cannot be computed on these data, in sentences; empty if it can."""
        if data.kind not in self.of:
            wanted = self.needs.made_for or KINDS[self.of[0]]
            return [f"needs {wanted}, and these are {KINDS[data.kind]}"]
        return self.needs.problems(data) if data.kind == "judgements" else []

    def cautions(self, data: Any) -> list[str]:
        """Why it does not suit these data although it can be computed."""
        return self.needs.cautions(data) if data.kind == "judgements" and data.kind in self.of else []

    def look(self, data: Any) -> View:
        """What the function wants to see of data that are ready."""
        return cast(View, data if self.view == "whole" else getattr(data, self.view))

    def automatic(self, data: Any, options: Any) -> Usual:
        """The interval that `auto` is on data that are ready."""
        return Usual(self.ci[0], "") if self.usual is None else self.usual(data, options)

    def full_name(self, data: Any, options: Any) -> str:
        """The exact name of what is computed on these data."""
        return self.name_of(data, options) if self.name_of and data.kind in self.of else self.name


def measure(**known: Any) -> Callable[[Callable[[View, Setting], Parts]], Measure[View]]:
    """Make a measure of a function; its docstring becomes the measure's explanation. `known` are fields of Measure."""
    return lambda compute: Measure(compute=compute, **known)


def number(part: Any) -> float | None:
    """A part as a number; None where there is none."""
    return None if part is None or not np.isfinite(part) else float(part)


def undefined(data: Any, why: str = NO_PAIR) -> Parts:
    """No value for any of the weights of a view."""
    return Parts(value=np.full(data.weights.shape[:-1], np.nan), why=why)


def only_paired(setting: Setting, why: str) -> tuple[str, ...]:
    """The note of a measure that was asked for all judgements and has no such form."""
    return (f"shares all: {why}",) if setting.options.shares == "all" else ()


def corrected(observed: Floats, expected: Floats, *, why: str) -> Parts:
    """(A_o - A_e) / (1 - A_e): the formula that all chance-corrected coefficients share."""
    room = 1 - expected
    undefined = np.abs(room) < 1e-12
    value = np.divide(observed - expected, room, out=np.full(np.shape(room), np.nan), where=~undefined)
    return Parts(value=np.asarray(value), observed=observed, expected=expected, why=why)
