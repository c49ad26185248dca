"""Gamma, Gamma-cat and Gamma-k from the evidence: 1 - observed disorder / expected disorder.

The expected disorder is a mean over chance samples, so Gamma has an error even on fixed data: the interval says where
the value of infinitely many samples lies. It says nothing about other texts or other raters. What aligns units is
loaded when spans are measured, so that the catalogue costs nothing.

Publications and programs differ in the weights, in how chance is sampled and in what unaligned units cost; a Gamma
without these conventions cannot be computed again. A variant fixes all of them, an option changes one.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, Self, cast

import numpy as np

from concordant.arrays import Floats
from concordant.choices import always, choice, never
from concordant.errors import InputError, nearest
from concordant.measures.result import Interval
from concordant.measures.spec import Asked, Parts, Setting, measure
from concordant.measures.unitizing.units import SPANS, Marked, SpanOptions, marked
from concordant.progress import part

if TYPE_CHECKING:
    from concordant.measures.unitizing.evidence import Evidence
    from concordant.model.continuum import Continuum

MOST_SAMPLES = 1_000_000
PRECISIONS = MappingProxyType({"high": 0.01, "medium": 0.02, "low": 0.1, "none": None})
PYGAMMA = {
    "sampler": "statistical",
    "distance": 0.5,
    "from_zero": True,
    "samples": 30,
    "precision": None,
    "charge_unaligned": True,
}
# `mathet`: the paper. `pygamma`: that program's defaults. `santa`: the SANTA slides, with the De they leave out.
VARIANTS: Mapping[str, Mapping[str, Any]] = MappingProxyType({"mathet": {}, "pygamma": PYGAMMA, "santa": {}})


class GammaOptions(SpanOptions):
    """Everything that Gamma's value depends on besides the data.

    `distance` is the least distance between pivots in mean unit lengths; `from_zero` lets the text begin at 0 even if
    no length is known; `positional` is "squared" or "linear"; `matrix` is "identity", "ordinal" (with `order`) or the
    name of a table of category dissimilarities. A variant fixes all of them, and others are signed where they differ
    from it. `seed` and `confidence` are those of the request, which signs them.
    """

    variant: Literal["mathet", "pygamma", "santa"] = always("mathet", "Gamma: whose conventions.")
    alpha: float = always(1.0, "Gamma: weight of positions.")
    beta: float = always(1.0, "Gamma: weight of categories.")
    delta_empty: float = always(1.0, "Gamma: cost of a unit left alone.")
    positional: Literal["squared", "linear"] = choice(
        "squared", "Gamma: how distances of positions count, squared as published or linear."
    )
    matrix: str = always("identity")
    order: tuple[str, ...] = choice(())
    table: tuple[tuple[str, ...], ...] = never(())
    sampler: Literal["shuffle", "statistical"] = always("shuffle", "Gamma: how chance is sampled.")
    distance: float = choice(1.0)
    from_zero: bool = choice(False)
    samples: int = always(300, "Gamma: chance samples to begin with.")
    precision: float | None = always(
        0.02, "Gamma: sample until the expected disorder is this exact: high, medium, low, none, or a number."
    )
    charge_unaligned: bool = choice(False)
    workers: int = never(1, "Gamma: processes that share the texts, or the samples of one.")
    seed: int = never(0)
    confidence: float = never(0.95)

    def __post_init__(self) -> None:
        """Refuse what cannot be computed."""
        given: Any = self.precision
        if isinstance(given, str):
            object.__setattr__(self, "precision", as_precision(given))
        super().__post_init__()
        if not 2 <= self.samples <= MOST_SAMPLES:
            raise InputError(f"{self.samples:,} samples", hint="chance needs at least 2, better hundreds; not millions")
        if self.seed < 0:
            raise InputError(f"the seed {self.seed} is negative", hint="use 0 or more")
        if self.precision is not None and not 0 < self.precision < 1:
            raise InputError(f"the precision is {self.precision:g}", hint="give a number between 0 and 1, such as 0.02")
        if not 0 < self.confidence < 1:
            raise InputError(
                f"the confidence is {self.confidence:g}", hint="give a number between 0 and 1, such as 0.95"
            )
        if self.workers < 1:
            raise InputError(f"{self.workers} workers", hint="give 1 or more")

    @property
    def conventions(self) -> dict[str, Any]:
        """What a reader must know to compute the value again."""
        return {
            "variant": self.variant,
            "alpha": self.alpha,
            "beta": self.beta,
            "delta_empty": self.delta_empty,
            "positions": self.positional,
            "categories": self.matrix,
            "sampler": self.sampler,
            "pivot_distance": self.distance if self.sampler == "shuffle" else None,
            "seed": self.seed,
        }

    @classmethod
    def of(cls, owner: str, given: Mapping[str, Any]) -> Self:
        """The options of a variant with some changed.

        >>> GammaOptions.of("gamma", {"variant": "pygamma", "samples": 100}).sampler
        'statistical'
        """
        variant = given.get("variant", "mathet")
        if variant not in VARIANTS:
            raise InputError(f"no variant {variant!r} of gamma", hint=nearest(variant, list(VARIANTS)))
        return super().of(owner, {**VARIANTS[variant], **given})

    def usual(self) -> Self:
        """The variant as it is."""
        return type(self)(variant=self.variant, **VARIANTS[self.variant])


class CategoryOptions(GammaOptions):
    """Gamma-k is of one category, which stands in a signature as part of the place that was measured."""

    category: str | None = never(None)


def options(variant: str = "mathet", **changes: Any) -> GammaOptions:
    """The options of a variant with some changed; None leaves an option as the variant has it.

    >>> options("pygamma", samples=100).sampler
    'statistical'
    """
    given = {name: value for name, value in changes.items() if value is not None}
    return GammaOptions.of("gamma", {"variant": variant, **given})


def as_precision(value: str | float) -> float | None:
    """A precision by number or by name; "none" asks for no more samples than given.

    >>> as_precision("high")
    0.01
    """
    if isinstance(value, str) and value in PRECISIONS:
        return PRECISIONS[value]
    try:
        return float(value)
    except ValueError as error:
        raise InputError(f"no precision {value!r}", hint=nearest(str(value), list(PRECISIONS))) from error


MOST_LEFT_OUT = 0.1  # with a larger share of pairs without a value there is none across groups
ONLY_GAMMA = "it is not defined across groups of raters; gamma is"
NO_CHANCE = "the chance samples have no disorder, so the formula is 0/0"
NO_PAIR = "the best alignment has no pair of units near enough to compare categories"
NO_CHANCE_PAIR = "no chance sample has a pair of units near enough to compare categories"


def evidence(data: "Continuum", asked: Asked) -> Marked:
    """The alignments that all three look at; across groups of raters those of every two."""
    from concordant.measures.unitizing.evidence import gathered

    if data.across is None:
        return gathered(data, asked)
    first, second = (tuple(name for name in names if name in data.raters) for names in data.across)
    plain = marked(data, asked)
    options = replace(asked.options, seed=asked.seed, confidence=asked.confidence)
    if not (first and second):
        return replace(plain, options=options, why="only one of the two groups of raters worked on this text")
    found, left_out, pairs = [], [], list(product(first, second))
    for done, pair in enumerate(pairs if gamma.key in asked.keys else ()):
        own = replace(asked, keys=frozenset({gamma.key}), progress=part(asked.progress, done, len(pairs)))
        one = gathered(replace(data.only(pair), across=None), own)
        if one.why is None:
            found.append((pair, cast("Evidence", one)))
        else:
            left_out.append(f"{' & '.join(pair)}: {one.why}")
    few = len(left_out) > MOST_LEFT_OUT * len(pairs)
    why = f"{len(left_out)} of {len(pairs)} pairs of raters have no value ({left_out[0]})" if few else None
    return Across(**vars(replace(plain, options=options, why=why)), pairs=tuple(found), left_out=tuple(left_out))


@dataclass(frozen=True, kw_only=True, eq=False)
class Across(Marked):
    """The evidence of every pair of raters across two groups; those without a value are left out."""

    pairs: "tuple[tuple[tuple[str, str], Evidence], ...]"
    left_out: tuple[str, ...]

    @property
    def is_unfinished(self) -> bool:
        """Whether an interrupt left too little for a value."""
        return any(one.is_unfinished for _, one in self.pairs)

    @property
    def interrupted(self) -> bool:
        """Whether an interrupt ended the work on a pair."""
        return any(one.interrupted for _, one in self.pairs)

    @property
    def chance(self) -> Floats:
        """The mean over pairs, sample by sample: pairs share their random numbers."""
        n = min(len(one.chance) for _, one in self.pairs)
        return np.asarray(np.mean([one.chance[:n] for _, one in self.pairs], axis=0))

    def signed(self) -> dict[str, str] | None:
        """Nothing more, unless the work was ended."""
        return None if self.interrupted else {}


of_spans = partial(measure, needs=SPANS, of=("spans",), ready=evidence, options=GammaOptions, ci=("chance",))


@of_spans(key="gamma", name="Mathet's gamma", cite=("mathet-2015",), recommended={"spans": (1, 1)})
def gamma(data: Marked, setting: Setting) -> Parts:
    """How far raters agree on where units are and what they are called, both at once.

    gamma = 1 - observed disorder / expected disorder

    Units of different raters are aligned so that the disorder is least. Two units differ by d = alpha d_pos + beta
    d_cat, where d_pos = ((|begin - begin| + |end - end|) / (length + length))^2 De (without the square if positions are
    linear), and d_cat is De for different categories (or an entry of a matrix); a pair with an empty place costs De. A
    unitary alignment's disorder is the mean over all pairs of raters, an alignment's the sum over its unitary
    alignments divided by the mean number of units per rater.

    Chance takes real raters' units and cuts the text at a random pivot, exchanging the two parts (sampler `shuffle`),
    or draws numbers, gaps and lengths of units from normal distributions (`statistical`); the mean disorder of
    hundreds of such samples is expected. The best alignment is the true optimum.

    Across two groups of raters (--group own=A,B --group foreign=C,D gives own × foreign) both disorders are means over
    every pair of one rater of each group, aligned by themselves, so that pairs within a group do not count.

    When not to use it: If the units are given and only categories are judged (use alpha), or on a text with one unit
    that spans it: chance then has nothing to shuffle. On texts with a handful of units the value says little; give the
    interval, the sampler, and values per text rather than one mean. Values of different samplers or weights cannot be
    compared.

    In other tools: pygamma-agreement `compute_gamma` (statistical sampler, 30 samples, single precision: `--variant
    pygamma` follows its conventions), the authors' Gamma Software (alpha 3 by default), DKPro Statistics
    `GammaAgreement`. Potato's "gamma" is an approximation. Not Goodman and Kruskal's gamma (`gk_gamma`).

    Example: Gamma was .62 (interval from 300 shuffled samples .61 to .63; alpha = beta = 1, delta_empty = 1; two
    raters, 84 units).
    """
    if data.why is not None:
        return _without(data, data.why, observed=data.observed)
    if isinstance(data, Across):
        return _mean_across(data)
    found = cast("Evidence", data)
    details = {"samples": found.chance.tolist(), "alignment": found.rows()}
    return _coefficient(found, found.observed, found.chance, details, shown=True)


@of_spans(key="gamma_cat", name="Mathet's gamma-cat", cite=("mathet-2017",), recommended={"spans": (2, 2)})
def gamma_cat(data: Marked, setting: Setting) -> Parts:
    """How far raters agree on the categories of the units that the best alignment puts together.

    disorder = sum of w d_cat / sum of w over aligned pairs, w = max(0, 1 - alpha d_pos) / (units in the alignment - 1)

    and the coefficient is 1 - observed / expected with the same chance samples as gamma. Units left alone do not count
    (the variant `pygamma` charges them De).

    When not to use it: Alone: it ignores units that only one rater marked, so two raters who agree on three units and
    miss fifty others can reach 1. Report it beside gamma.

    In other tools: pygamma-agreement `gamma_cat` also charges units left alone and gives 1 without disorder; `--variant
    pygamma` follows it.

    Example: Gamma-cat was .81 where gamma was .55: raters disagree on where units are rather than on their categories.
    """
    return _categorical(data, 0, {})


def each_category(data: Marked, options: CategoryOptions) -> Sequence[tuple[CategoryOptions, dict[str, str]]]:
    """The category that was asked for, or every one in the text."""
    if options.category is not None:
        return [(options, {"category": options.category})]
    if data.why is not None:
        return [(options, {})]
    names = [data.continuum.categories[number] for number in sorted(set(data.continuum.category.tolist()))]
    return [(replace(options, category=name), {"category": name}) for name in names]


@of_spans(key="gamma_k", name="Mathet's gamma-k", cite=("mathet-2017",), each=each_category, options=CategoryOptions)
def gamma_k(data: Marked, setting: Setting) -> Parts:
    """Gamma-cat for one category k: only aligned pairs with a unit of category k count. One value for each category.

    When not to use it: For rare categories: a value over a handful of aligned pairs moves with each of them. Look at
    the number of units.

    In other tools: pygamma-agreement `gamma_k(category)`, with units left alone charged.

    Example: Gamma-k of "embedded narrative" was .35, of "frame narrative" .77.
    """
    name, known = setting.options.category, data.continuum.categories
    if data.why is None and name not in known:
        raise InputError(f"no category {name!r} in these spans", hint=nearest(str(name), known))
    return _categorical(data, known.index(name) + 1 if data.why is None else 0, {"category": name})


def _mean_across(data: Across) -> Parts:
    """1 - mean observed / mean expected disorder of the pairs: no pair with next to no disorder decides."""
    if data.is_unfinished:
        return _without(data, "interrupted before every pair was measured", details={"interrupted": True})
    pairs = [
        {"raters": list(names), "observed": one.observed, "expected": float(one.chance.mean())}
        for names, one in data.pairs
    ]
    observed = float(np.mean([one.observed for _, one in data.pairs]))
    parts = _coefficient(data, observed, data.chance, {"pairs": pairs, "left_out": list(data.left_out)})
    named = f"without {'; '.join(data.left_out)}"
    return replace(parts, notes=(*parts.notes, *([named] if data.left_out else [])))


def _categorical(data: Marked, column: int, details: dict[str, Any]) -> Parts:
    """A coefficient over one column of the categorical disorders."""
    if data.why is not None or isinstance(data, Across):
        return _without(data, data.why or ONLY_GAMMA)
    found = cast("Evidence", data)
    chance = found.chance_categories[:, column] if len(found.chance) else np.zeros(0)
    chance = chance[~np.isnan(chance)]
    observed = float(found.observed_categories[column])
    if not found.is_unfinished:
        if np.isnan(observed):
            return _without(data, NO_PAIR)
        if len(chance) < 2:
            return _without(data, NO_CHANCE_PAIR)
        details = {**details, "samples": chance.tolist()}
    return _coefficient(found, observed, chance, details)


def _without(data: Marked, why: str, **parts: Any) -> Parts:
    """No value, for this reason."""
    details = {**data.options.conventions, **parts.pop("details", {})}
    return Parts(value=np.array(np.nan), why=why, details=details, **parts)


def _coefficient(
    found: "Evidence | Across", observed: float, chance: Floats, details: dict[str, Any], *, shown: bool = False
) -> Parts:
    """1 - observed / expected with the interval that the samples leave; of Gamma the observed disorder is `shown`."""
    options = found.options
    if found.is_unfinished:
        least, ended = cast("Evidence", found).alignment.least, {**details, "interrupted": True}
        if least is None:
            why = "interrupted before two chance samples were drawn"
            return _without(found, why, observed=observed if shown else None, details=ended)
        known = f"the observed disorder is between {least:.4f} and {observed:.4f}"
        why = f"interrupted: the best alignment is not proven ({known}), and chance was not sampled"
        return _without(found, why, details={**ended, "observed_between": [least, observed]})
    expected = float(chance.mean())
    if expected == 0:
        return _without(found, NO_CHANCE, observed=observed, expected=0.0)
    from scipy.special import stdtrit

    n = len(chance)
    t = float(stdtrit(n - 1, (1 + options.confidence) / 2))
    margin = t * float(chance.std(ddof=1)) / float(n**0.5)  # half of Student's interval for the mean of the samples
    exact, method = margin / expected, f"chance samples ({options.sampler})"
    notes, ended = [f"expected disorder from {n} {method}, so it is known to ± {exact:.2%}"], {}
    if found.interrupted:
        notes.append(f"interrupted: only {n} samples were drawn")
        ended = {"interrupted": True, "n_drawn": len(found.chance)}
    interval = None
    if margin < expected:  # else chance could have no disorder at all
        low, high = 1 - observed / (expected - margin), 1 - observed / (expected + margin)
        interval = Interval(low=low, high=high, level=options.confidence, method=method)
    return Parts(
        value=np.array(1 - observed / expected),
        observed=np.array(observed),
        expected=np.array(expected),
        interval=interval,
        notes=tuple(notes),
        details={**options.conventions, "n_samples": n, "precision": exact, **ended, **details},
    )


MEASURES = (gamma, gamma_cat, gamma_k)
