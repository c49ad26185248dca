"""Signatures: one line that says what was computed on which data, so that it can be computed again and compared.

    kappa|level:nominal|units:100|raters:2|dropped:0|ci:bca,95%,units|B:2000|seed:1|scale:2,0f3a55d1|data:3f2a9c1e|…

The first field is the measure. The others are `name:text` with the characters `| , : =` and `%` in names written as
in web addresses (%7C), so that any rater, question or category can be named. `scale` is the number of
categories and a hash of their names in order, `data` the fingerprint of the judgements. `value` and
`interval` are the numbers themselves in full precision. What a reader needs to choose the same judgements from the file
again begins with `from.` (from.where, from.value: the column with the judgements).
"""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, cast
from urllib.parse import unquote

import numpy as np

from assent import __version__
from assent.engines.tally import Tally
from assent.errors import InputError
from assent.measures.result import Agreement
from assent.measures.spec import DEFAULTS, Options
from assent.model.scale import Scale
from assent.uncertainty.request import Ci, Request
from assent.uncertainty.resampling import Over

SPECIAL = "%|,:=\n\r"
OPTIONS = ("weights", "distance", "singletons", "weight")
SOURCE = "from."  # before the names of what the reader of the data wrote, which may be called like our fields
UNDEFINED = "undefined"
CLOSE = 1e-9  # computers may differ in the last digits of a sum, not in the ninth


def escape(text: str) -> str:
    """A name as it stands in a signature.

    >>> escape("a|b, 50 %")
    'a%7Cb%2C 50 %25'
    """
    return "".join(f"%{ord(char):02X}" if char in SPECIAL else char for char in text)


def make(result: Agreement, request: Request, data: Tally) -> str:
    """The signature of a result."""
    fields = {
        "level": data.scale.level.value,
        "units": str(result.n_units),
        "raters": str(result.n_raters),
        "dropped": str(result.n_dropped),
        **_where(request),
        **_options(request.options),
        **_interval_fields(request),
        "scale": scale_code(data.scale),
        "data": data.fingerprint,
        **_numbers(result),
        "v": __version__,
    }
    return "|".join([request.key, *(f"{escape(name)}:{text}" for name, text in fields.items())])


def _where(request: Request) -> dict[str, str]:
    """Which part of a study was measured."""
    fields = {} if request.question is None else {"question": escape(request.question)}
    if request.slice is not None:
        fields["slice"] = _joined(f"{escape(name)}={escape(level)}" for name, level in request.slice.items())
    if request.raters is not None:
        fields["pair"] = _joined(escape(rater) for rater in request.raters)
    return fields | {f"{SOURCE}{name}": escape(text) for name, text in request.selection.items()}


def _joined(parts: Iterable[str]) -> str:
    return ",".join(parts)


def _options(options: Options) -> dict[str, str]:
    """The options that are not the default; a matrix is named by its hash."""
    chosen = {name: getattr(options, name) for name in OPTIONS}
    return {name: option_code(choice) for name, choice in chosen.items() if _differs(choice, getattr(DEFAULTS, name))}


def _differs(choice: Any, default: Any) -> bool:
    return isinstance(choice, np.ndarray) or choice != default


def option_code(choice: Any) -> str:
    """An option as it stands in a signature."""
    return f"matrix,{_hash(choice.tobytes())}" if isinstance(choice, np.ndarray) else escape(str(choice))


def _interval_fields(request: Request) -> dict[str, str]:
    """How the interval and the p-value were made, as far as it changes the numbers."""
    fields = {"ci": _interval_code(request)}
    if request.ci in ("bootstrap", "bca"):
        fields["B"] = str(request.resamples)
    if request.permutations:
        fields["permutations"] = str(request.permutations)
    return fields | ({"seed": str(request.seed)} if request.is_random else {})


def _interval_code(request: Request) -> str:
    """The kind of interval, the confidence and what was drawn: `bca,95%,units`."""
    if request.ci == "none":
        return "none"
    over = [] if request.ci in ("analytic", "pairs") else [request.over]
    return _joined([request.ci, f"{100 * request.confidence:.12g}%", *over])


def scale_code(scale: Scale) -> str:
    """How many categories, and a hash of their names in order."""
    return f"{len(scale.categories)},{_hash(chr(0).join(scale.categories).encode())}"


def _hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:8]


def _numbers(result: Agreement) -> dict[str, str]:
    """The value, the interval and the p-value in full precision."""
    fields = {"value": UNDEFINED if result.value is None else repr(result.value)}
    if result.interval is not None:
        fields["interval"] = f"{result.interval.low!r},{result.interval.high!r}"
    if "chance_test" in result.details:
        fields["p"] = repr(result.details["chance_test"]["p"])
    return fields


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
        ci, confidence, over = _read_ci(self.fields.get("ci", "none"))
        return Request(
            key=self.key,
            level=self.fields.get("level"),
            ci=ci,
            over=over,
            confidence=confidence,
            resamples=whole(self.fields.get("B", "1")),
            permutations=whole(self.fields.get("permutations", "0")),
            seed=whole(self.fields.get("seed", "0")),
            options=self._read_options(matrices),
            raters=self.raters,
            question=self.question,
            slice=self.slice,
            selection=self.selection,
        )

    def _read_options(self, matrices: Mapping[str, Any]) -> Options:
        """The options, with matrices put in the place of their hashes."""
        chosen: dict[str, Any] = {name: unquote(self.fields[name]) for name in OPTIONS if name in self.fields}
        for name, text in chosen.items():
            if text.startswith("matrix,"):
                chosen[name] = _the_matrix(name, text, matrices)
        return Options(**chosen)


def _the_matrix(name: str, code: str, matrices: Mapping[str, Any]) -> Any:
    """The matrix with that hash."""
    if matrices.get(name) is None:
        raise InputError(f"the signature was made with a matrix of {name}", hint=f"give the same matrix with --{name}")
    matrix = np.asarray(matrices[name], dtype=np.float64)
    if option_code(matrix) != code:
        raise InputError(f"this is not the matrix of {name} in the signature", hint="give the same matrix")
    return matrix


def _read_ci(text: str) -> tuple[Ci, float, Over]:
    """`bca,95%,units` as three values."""
    if text == "none":
        return "none", 0.95, "units"
    kind, _, rest = text.partition(",")
    share, _, over = rest.partition(",")
    return cast(Ci, kind), number(share.rstrip("%")) / 100, cast(Over, over or "units")


def parse(text: str) -> Signature:
    """Take a signature apart; anything else is an error."""
    key, *fields = text.strip().split("|")
    named = dict(field.partition(":")[::2] for field in fields)
    if not key or not {"data", "value", "v"} <= set(named):
        raise InputError("this is not a signature", hint="copy the whole line: kappa|level:nominal|…|v:0.1.0")
    return Signature(key=key, fields={unquote(name): value for name, value in named.items()})


@dataclass(frozen=True, kw_only=True)
class Verification:
    """Whether the data give the signature again, and if not where they differ."""

    matches: bool
    differences: tuple[str, ...]
    result: Agreement


def compare(claimed: Signature, result: Agreement) -> Verification:
    """Compare a signature with what was computed again."""
    found = parse(result.signature).fields
    names = sorted({*claimed.fields, *found} - {"v"}, key=_rank)
    differences = tuple(
        _difference(name, claimed.fields, found) for name in names if not _same(name, claimed.fields, found)
    )
    if differences and claimed.fields["v"] != found["v"]:
        differences += (f"version: {claimed.fields['v']} in the signature, {found['v']} here",)
    return Verification(matches=not differences, differences=differences, result=result)


def _rank(name: str) -> tuple[bool, str]:
    """What explains the rest comes first: the data."""
    return name != "data", name


def _same(name: str, one: Mapping[str, str], two: Mapping[str, str]) -> bool:
    """Whether a field is the same; numbers up to the last digits that computers may differ in."""
    if name not in one or name not in two:
        return False
    if name in ("value", "interval", "p") and UNDEFINED not in (one[name], two[name]):
        ours, theirs = _floats(one[name]), _floats(two[name])
        return len(ours) == len(theirs) and np.allclose(ours, theirs, rtol=CLOSE, atol=CLOSE)
    return one[name] == two[name]


def _floats(text: str) -> list[float]:
    """Numbers between commas."""
    return [number(part) for part in text.split(",")]


def number(text: str) -> float:
    """A number in a signature; anything else means that the line was damaged."""
    try:
        return float(text)
    except ValueError:
        raise InputError(f"{text!r} in the signature is not a number", hint="copy the whole line") from None


def whole(text: str) -> int:
    """A whole number in a signature."""
    try:
        return int(text)
    except ValueError:
        raise InputError(f"{text!r} in the signature is not a whole number", hint="copy the whole line") from None


def _difference(name: str, claimed: Mapping[str, str], found: Mapping[str, str]) -> str:
    """One field as claimed and as found."""
    return f"{name}: {claimed.get(name, 'nothing')} in the signature, {found.get(name, 'nothing')} computed"
