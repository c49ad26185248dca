"""What is asked of the data: a measure, how sure to be of it, and where the judgements come from."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from assent.errors import InputError, nearest
from assent.measures.spec import DEFAULTS, Options
from assent.uncertainty.resampling import Over

Ci = Literal["bootstrap", "bca", "jackknife", "analytic", "pairs", "none"]
MOST_RESAMPLES = 10_000_000  # their values are kept until the end


@dataclass(frozen=True, kw_only=True)
class Request:
    """One measure to be computed. All of it goes into the signature, so that it can be asked again.

    `permutations` asks for a p-value against chance. `selection` says how the judgements were chosen from their source
    (where, pool, missing …): whoever reads the data writes it, and reads it again to verify. `question` and `slice` are
    copied into the result. `gamma` are the options of unitizing measures (variant, alpha, sampler …).
    """

    key: str
    level: str | None = None
    ci: Ci = "bootstrap"
    over: Over = "units"
    confidence: float = 0.95
    resamples: int = 2000
    permutations: int = 0
    seed: int = 0
    options: Options = DEFAULTS
    raters: tuple[str, ...] | None = None
    question: str | None = None
    slice: Mapping[str, str] | None = None
    selection: Mapping[str, str] = field(default_factory=dict)
    gamma: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Refuse what cannot be meant."""
        _check("kind of interval", self.ci, get_args(Ci))
        _check("thing to resample", self.over, get_args(Over))
        check_resampling(confidence=self.confidence, resamples=self.resamples, seed=self.seed)
        if not 0 <= self.permutations <= MOST_RESAMPLES:
            raise InputError(f"{self.permutations:,} permutations cannot be made", hint="1,000 are usual")
        if self.permutations and self.ci == "pairs":
            hint = "leave out the permutations, or choose another interval"
            raise InputError("the mean over random pairs has no permutation test", hint=hint)

    @property
    def is_random(self) -> bool:
        """Whether the interval or the p-value depends on the seed."""
        return self.ci in ("bootstrap", "bca", "pairs") or self.permutations > 0


def check_resampling(*, confidence: float, resamples: int, seed: int) -> None:
    """Refuse numbers with which nothing can be resampled."""
    if not 0 < confidence < 1:
        raise InputError(f"the confidence {confidence:g} is not between 0 and 1", hint="say 0.95 for 95 %")
    if not 1 <= resamples <= MOST_RESAMPLES:
        many = "few" if resamples < 1 else "many"
        raise InputError(f"{resamples:,} resamples are too {many}", hint="2,000 are usual")
    if seed < 0:
        raise InputError(f"the seed {seed} is negative", hint="use 0 or more")


def _check(role: str, word: str, known: tuple[str, ...]) -> None:
    """Refuse an unknown word and suggest the nearest."""
    if word not in known:
        raise InputError(f"unknown {role} {word!r}", hint=nearest(word, known))
