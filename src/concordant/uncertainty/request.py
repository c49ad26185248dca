"""What is asked of the data, and its signature: one line with which it can be asked again, and compared.

    kappa|level:nominal|units:100|raters:2|dropped:0|ci:bca,95%,units|B:2000|seed:1|scale:2,0f3a55d1|data:3f2a9c1e|…

The first field is the measure. The others are `name:text` with the characters `| , : =` and `%` in names written as
in web addresses (%7C), so that any rater, question or category can be named. `scale` is the number of categories and a
hash of their names in order, `data` the fingerprint of the judgements, `sha256` their whole digest, which print leaves
out. `value` and `interval` are the numbers themselves in full precision. What a reader needs to choose the same
judgements from the file again begins with `from.` (from.where, from.value: the column with the judgements).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import exp, hypot, inf, nan, pi, sqrt
from typing import Any, Literal, cast, get_args
from urllib.parse import unquote

import numpy as np

from concordant.about import VERSION
from concordant.choices import Choices, escape, number, whole
from concordant.engines.tally import Tally
from concordant.errors import InputError, nearest
from concordant.measures.catalogue import CATALOGUE, find_measure
from concordant.measures.result import WHOLE, Agreement
from concordant.measures.spec import DEFAULTS, WithIncomplete, WithPairs, WithShares
from concordant.model.measurable import Measurable
from concordant.randomness import draw_seed
from concordant.uncertainty.intervals import t_quantile
from concordant.uncertainty.resampling import Over
from concordant.uncertainty.significance import monte_carlo_error

Ci = Literal[
    "auto",
    "posterior",
    "bootstrap",
    "bca",
    "jackknife",
    "hull",
    "analytic",
    "linearised",
    "pivots",
    "pairs",
    "chance",
    "none",
]
DRAWN = ("posterior", "bootstrap", "bca")  # so many times
MOST_RESAMPLES = 10_000_000  # their values are kept until the end


@dataclass(frozen=True, kw_only=True)
class Request:
    """One measure to be computed. All of it goes into the signature, so that it can be asked again.

    `permutations` asks for a p-value against chance, `bind_units` for a signature that holds for units of these names
    only, `options` are the measure's own. `selection` says how the data
    were chosen from their source (where, pool, missing …): whoever reads the data writes it, and reads it again to
    verify. `question` and `slice` are copied into the result.
    """

    key: str
    level: str | None = None
    ci: Ci = "auto"
    over: Over = "units"
    confidence: float = 0.95
    resamples: int = 2000
    permutations: int = 0
    seed: int = 0
    bind_units: bool = False
    options: Choices = field(default_factory=Choices)
    raters: tuple[str, ...] | None = None
    question: str | None = None
    slice: Mapping[str, str] | None = None
    selection: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Refuse what cannot be meant."""
        for role, word, known in (
            ("kind of interval", self.ci, get_args(Ci)),
            ("thing to resample", self.over, get_args(Over)),
        ):
            if word not in known:
                raise InputError(f"unknown {role} {word!r}", hint=nearest(word, known))
        check_resampling(confidence=self.confidence, resamples=self.resamples, seed=self.seed)
        if not 0 <= self.permutations <= MOST_RESAMPLES:
            raise InputError(f"{self.permutations:,} permutations cannot be made", hint="1,999 are usual")
        if self.permutations and self.ci == "pairs":
            hint = "leave out the permutations, or choose another interval"
            raise InputError("the mean over random pairs has no permutation test", hint=hint)

    @property
    def is_random(self) -> bool:
        """Whether the interval or the p-value depends on the seed."""
        return self.ci in (*DRAWN, "pairs", "pivots", "chance") or self.permutations > 0


NAMED = tuple(name for name in Request.__dataclass_fields__ if name not in ("key", "options"))


def ask(key: str, *, ci: str | None = None, seed: int | None = None, **given: Any) -> Request:
    """A request by keywords: those that are not of every request must be options of the measure.

    Without `ci` it is `auto`, the interval that suits the measure and the data; without a seed one is drawn.
    """
    chosen = find_measure(key)
    named = {name: given.pop(name) for name in NAMED if name in given}
    if named.get("raters") is not None:
        named["raters"] = tuple(named["raters"])
    own = chosen.options.of(key, given)
    return Request(key=key, ci=cast(Ci, ci or "auto"), seed=draw_seed() if seed is None else seed, options=own, **named)


def check_resampling(*, confidence: float, resamples: int, seed: int) -> None:
    """Refuse numbers with which nothing can be resampled."""
    if not 0 < confidence < 1:
        raise InputError(f"the confidence {confidence:g} is not between 0 and 1", hint="say 0.95 for 95 %")
    if not 1 <= resamples <= MOST_RESAMPLES:
        many = "few" if resamples < 1 else "many"
        raise InputError(f"{resamples:,} resamples are too {many}", hint="2,000 are usual")
    if not isinstance(seed, int | np.integer):
        raise InputError(f"the seed {seed!r} is no whole number", hint="use 0 or more")
    if seed < 0:
        raise InputError(f"the seed {seed} is negative", hint="use 0 or more")


SOURCE = "from."  # before the names of what the reader of the data wrote, which may be called like our fields
UNDEFINED = "undefined"
CLOSE = 1e-9  # computers may differ in the last digits of a sum, not in the ninth


def sign(result: Agreement, request: Request, data: Measurable) -> str:
    """The signature of a result; nothing if it cannot be computed again (the user ended the work)."""
    told = data.signed()
    if told is None:
        return ""
    fields = {name: text for name, text in told.items() if name != "scale"}  # a long number, which stands further back
    fields |= {"units": str(result.n_units), "raters": str(result.n_raters), "dropped": str(result.n_dropped)}
    if request.question is not None:
        fields["question"] = escape(request.question)
    if request.slice is not None:
        fields["slice"] = ",".join(f"{escape(name)}={escape(level)}" for name, level in request.slice.items())
    if request.raters is not None:
        fields["pair"] = ",".join(escape(rater) for rater in request.raters)
    fields |= {f"{SOURCE}{name}": escape(text) for name, text in request.selection.items()}
    fields |= request.options.signed()
    over = [request.over] if request.ci in (*DRAWN, "jackknife") else []
    how = [request.ci, f"{100 * request.confidence:.12g}%", *over]
    fields["ci"] = "none" if request.ci == "none" else ",".join(how)
    if request.ci in DRAWN:
        fields["B"] = str(request.resamples)
    if request.permutations:
        fields["permutations"] = str(request.permutations)
    if request.is_random:
        fields["seed"] = str(request.seed)
    fields |= {**told, "data": data.fingerprint, WHOLE: data.digest}
    if request.bind_units:
        fields["bound"] = data.bound if isinstance(data, Tally) else data.digest
    fields["value"] = UNDEFINED if result.value is None else repr(result.value)
    if isinstance(data, Tally) and data.is_crowd and request.ci in ("bootstrap", "bca"):
        fields["draws"] = "counts" if find_measure(request.key).view == "counts" else "patterns"
    if request.over != "units" and request.ci in ("bootstrap", "bca"):
        fields["draws"] = "pairs"
    if result.interval is not None and result.interval.n_clusters is not None:
        fields["clusters"] = str(result.interval.n_clusters)
    if result.interval is not None:
        fields["interval"] = f"{result.interval.low!r},{result.interval.high!r}"
    if "chance_test" in result.details:
        fields["p"] = repr(result.details["chance_test"]["p"])
        fields["test"] = "exact" if result.details["chance_test"]["is_exact"] else "drawn"
    fields["v"] = VERSION
    return "|".join([request.key, *(f"{escape(name)}:{text}" for name, text in fields.items())])


@dataclass(frozen=True, kw_only=True)
class Signature:
    """A signature taken apart: the measure and the fields as they stand."""

    key: str
    fields: Mapping[str, str]

    @property
    def question(self) -> str | None:
        """The question that was measured, if one was named."""
        return unquote(self.fields["question"]) if "question" in self.fields else None

    @property
    def slice(self) -> dict[str, str] | None:
        """The slice that was measured, if there was one."""
        if "slice" not in self.fields:
            return None
        parts = (part.partition("=") for part in self.fields["slice"].split(",") if part)
        return {unquote(name): unquote(level) for name, _, level in parts}

    @property
    def raters(self) -> tuple[str, ...] | None:
        """The raters that were chosen, if some were."""
        return tuple(unquote(rater) for rater in self.fields["pair"].split(",")) if "pair" in self.fields else None

    @property
    def selection(self) -> dict[str, str]:
        """What the reader of the data wrote into the signature."""
        written = {name: text for name, text in self.fields.items() if name.startswith(SOURCE)}
        return {name.removeprefix(SOURCE): unquote(text) for name, text in written.items()}

    def request(self, matrices: Mapping[str, Any]) -> Request:
        """The same request again; weights or distances given as a matrix must be given again."""
        ci, _, rest = self.fields["ci"].partition(",")
        share, _, over = rest.partition(",")
        place = self.slice or {}
        given = {**matrices, "category": place.get("category")}
        return Request(
            key=self.key,
            level=self.fields.get("level"),
            ci=cast(Ci, ci),
            over=cast(Over, over or "units"),
            confidence=0.95 if ci == "none" else number(share.rstrip("%")) / 100,
            resamples=whole(self.fields.get("B", "1")),
            permutations=whole(self.fields.get("permutations", "0")),
            seed=whole(self.fields.get("seed", "0")),
            bind_units="bound" in self.fields,
            options=find_measure(self.key).options.claimed(self.key, self.fields, given),
            raters=self.raters,
            question=self.question,
            slice=self.slice,
            selection=self.selection,
        )


def read_signature(text: str) -> Signature:
    """Take a signature apart; anything else is an error."""
    key, *fields = text.strip().split("|")
    named = {unquote(name): value for name, _, value in (field.partition(":") for field in fields)}
    if not key or not {"data", "value", "v"} <= set(named):
        raise InputError("this is not a signature", hint="copy the whole line: kappa|level:nominal|…|v:0.2.0")
    # 0.1.0 wrote the confidence of intervals from chance samples without the kind of interval, and of measures that
    # have none nothing at all; and it signed options that a measure of judgements does not have, and did not use.
    options = CATALOGUE[key].options if key in CATALOGUE else Choices
    idle = {one.name for one in DEFAULTS.described()} - {one.name for one in options.described()}
    kept = {name: value for name, value in named.items() if name not in idle}
    if "ci" not in kept:
        share = kept.pop("confidence", None)
        kept["ci"] = "none" if share is None else f"chance,{100 * number(share):.12g}%"
    if issubclass(options, WithShares) and "shares" not in kept:  # made when every measure had a convention of its own
        kept["shares"] = options.earlier(kept)
        kept.pop("singletons", None)
    if issubclass(options, WithIncomplete):  # made when units that not everybody judged were dropped
        kept.setdefault("incomplete", "drop")
    if issubclass(options, WithPairs) and "pair_weights" not in kept:  # when one pair without a value left no mean
        kept |= {"pair_weights": "equal", "undefined_pairs": "refuse"}
    return Signature(key=key, fields=kept)


@dataclass(frozen=True, kw_only=True)
class Verification:
    """Whether the data give the signature again, and if not where they differ."""

    matches: bool
    differences: tuple[str, ...]
    result: Any  # what was computed: an `Agreement`, or a result with a signature of its own


def compare(claimed: Signature, result: Any) -> Verification:
    """Compare a signature with what was computed again; the data, which explain the rest, come first."""
    found = read_signature(result.signature).fields
    unsaid = {"v", *({WHOLE, "draws"} - set(claimed.fields))}  # in print, and until 0.1.0
    names = sorted({*claimed.fields, *found} - unsaid, key=lambda name: (name != "data", name))
    differences = [
        f"{name}: {claimed.fields.get(name, 'nothing')} in the signature, {found.get(name, 'nothing')} computed"
        for name in names
        if not _same(name, claimed.fields, found)
    ]
    if differences and claimed.fields["v"] != found["v"]:
        differences.append(f"version: {claimed.fields['v']} in the signature, {found['v']} here")
    return Verification(matches=not differences, differences=tuple(differences), result=result)


def _same(name: str, one: Mapping[str, str], two: Mapping[str, str]) -> bool:
    """Whether a field is the same; numbers up to the last digits that computers may differ in."""
    if name in ("test", "p") and "p" in one and "p" in two and "test" not in one:  # drawn in another order until 0.1.0
        return name == "test" or _same_but_for_draws(one, two)
    if name == "interval" and name in two and "draws" in two and "draws" not in one:  # so were crowds, and raters
        return name not in one or _near(one, two)
    if name not in one or name not in two:
        return False
    if name in ("value", "interval", "p"):  # what is undefined must be so in both
        ours, theirs = (
            [nan if part == UNDEFINED else number(part) for part in side[name].split(",")] for side in (one, two)
        )
        return len(ours) == len(theirs) and np.allclose(ours, theirs, rtol=CLOSE, atol=CLOSE, equal_nan=True)
    return one[name] == two[name]


def _near(one: Mapping[str, str], two: Mapping[str, str]) -> bool:
    """Whether the ends of two intervals of as many draws differ by no more than chance makes them (4 standard errors).

    The error of a normal quantile: √(p (1 - p) / B) / φ(z) standard deviations.
    """
    ours, theirs = ([number(end) for end in side["interval"].split(",")] for side in (one, two))
    share = number(one["ci"].split(",")[1].rstrip("%")) / 100
    z = t_quantile((1 + share) / 2, inf)
    spread = max(ours[1] - ours[0], theirs[1] - theirs[0]) / (2 * z)
    height = exp(-z * z / 2) / sqrt(2 * pi)
    error = spread * sqrt((1 - share**2) / 4 / whole(one["B"])) / height
    return all(abs(a - b) <= 4 * sqrt(2) * error for a, b in zip(ours, theirs, strict=True))


def _same_but_for_draws(one: Mapping[str, str], two: Mapping[str, str]) -> bool:
    """Whether two p-values of as many permutations differ by no more than chance makes them (4 standard errors)."""
    ours, theirs, n = number(one["p"]), number(two["p"]), whole(one["permutations"])
    return abs(ours - theirs) <= 4 * hypot(monte_carlo_error(ours, n), monte_carlo_error(theirs, n))
