"""Which conventions Gamma is computed with: named sets of them, and every one by itself.

Publications and programs differ in the weights, in how chance is sampled and in what unaligned units cost; a Gamma
without these conventions cannot be computed again. A variant fixes all of them, an option changes one.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from assent.errors import InputError, nearest

POSITIONAL = ("squared", "linear")
SAMPLERS = ("shuffle", "statistical")
MOST_SAMPLES = 1_000_000
PRECISIONS = MappingProxyType({"high": 0.01, "medium": 0.02, "low": 0.1})


@dataclass(frozen=True, kw_only=True)
class Options:
    """Everything that Gamma's value depends on besides the data.

    `distance` is the least distance between pivots in mean unit lengths; `from_zero` lets the text begin at 0 even if
    no length is known; `positional` is "squared" or "linear"; `matrix` is "identity", "ordinal" (with `order`) or the
    name of a table of category dissimilarities.
    """

    variant: str = "mathet"
    alpha: float = 1.0
    beta: float = 1.0
    delta_empty: float = 1.0
    positional: str = "squared"
    matrix: str = "identity"
    order: tuple[str, ...] = ()
    table: tuple[tuple[str, ...], ...] = ()
    sampler: str = "shuffle"
    distance: float = 1.0
    from_zero: bool = False
    samples: int = 300
    precision: float | None = 0.02
    confidence: float = 0.95
    charge_unaligned: bool = False
    drop_zero_length: bool = False
    seed: int = 0
    workers: int = 1

    def __post_init__(self) -> None:
        """Refuse what cannot be computed."""
        if self.sampler not in SAMPLERS:
            raise InputError(f"no sampler {self.sampler!r}", hint=nearest(self.sampler, SAMPLERS))
        if self.positional not in POSITIONAL:
            hint = nearest(self.positional, POSITIONAL)
            raise InputError(f"no positional dissimilarity {self.positional!r}", hint=hint)
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


VARIANTS: Mapping[str, Options] = MappingProxyType(
    {
        "mathet": Options(),
        "pygamma": Options(
            variant="pygamma",
            sampler="statistical",
            distance=0.5,
            from_zero=True,
            samples=30,
            precision=None,
            charge_unaligned=True,
        ),
        "santa": Options(variant="santa"),
    }
)
"""`mathet`: the paper. `pygamma`: that program's defaults. `santa`: the SANTA slides, with the De they leave out."""


def options(variant: str = "mathet", **changes: Any) -> Options:
    """The options of a variant with some changed; None leaves an option as the variant has it.

    >>> options("pygamma", samples=100).sampler
    'statistical'
    """
    if variant not in VARIANTS:
        raise InputError(f"no variant {variant!r} of gamma", hint=nearest(variant, list(VARIANTS)))
    given = {name: value for name, value in changes.items() if value is not None and name != "precision"}
    if changes.get("precision") is not None:
        given["precision"] = as_precision(changes["precision"])
    return replace(VARIANTS[variant], **given)


def as_precision(value: str | float) -> float | None:
    """A precision by number or by name; "none" asks for no more samples than given.

    >>> as_precision("high")
    0.01
    """
    if isinstance(value, str) and value in PRECISIONS:
        return PRECISIONS[value]
    if value == "none":
        return None
    try:
        return float(value)
    except ValueError as error:
        raise InputError(f"no precision {value!r}", hint=nearest(str(value), [*PRECISIONS, "none"])) from error
