"""Signatures of unitizing results: one line from which the value can be computed again and compared."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import unquote

from assent import __version__
from assent.measures.result import Agreement
from assent.measures.unitizing.variants import Options, options
from assent.model.continuum import Continuum
from assent.uncertainty.signature import SOURCE, escape, number, whole

NUMBERS = ("alpha", "beta", "delta_empty", "confidence")
COUNTS = ("samples", "seed")
NAMES = ("positional", "matrix", "sampler", "precision")


def sign(result: Agreement, continuum: Continuum, chosen: Options, selection: Mapping[str, str]) -> Agreement:
    """The result with its signature; `selection` says how the spans were chosen from their source."""
    fields = {
        **({} if result.measure == "alpha_u" else _conventions(chosen)),
        **({"zero_length": "drop"} if chosen.drop_zero_length else {}),
        **{f"{SOURCE}{name}": escape(text) for name, text in selection.items()},
        **_place(result),
        "units": str(result.n_units),
        "raters": str(result.n_raters),
        "dropped": str(result.n_dropped),
        "data": continuum.fingerprint,
        "value": "undefined" if result.value is None else repr(result.value),
    }
    if result.interval is not None:
        fields["interval"] = f"{result.interval.low!r},{result.interval.high!r}"
    fields["v"] = __version__
    return result.with_(signature="|".join([result.measure, *(f"{name}:{text}" for name, text in fields.items())]))


def _conventions(chosen: Options) -> dict[str, str]:
    """The options, as far as the value depends on them."""
    precision = "none" if chosen.precision is None else f"{chosen.precision!r}"
    order = {"order": ",".join(map(escape, chosen.order))} if chosen.order else {}
    return {
        "variant": chosen.variant,
        **{name: repr(float(getattr(chosen, name))) for name in NUMBERS},
        **({} if chosen.positional == "squared" else {"positional": chosen.positional}),
        "matrix": escape(chosen.matrix),
        **order,
        "sampler": chosen.sampler,
        "samples": str(chosen.samples),
        "precision": precision,
        "seed": str(chosen.seed),
    }


def _place(result: Agreement) -> dict[str, str]:
    """The slice that was measured."""
    if not result.slice:
        return {}
    return {"slice": ",".join(f"{escape(name)}={escape(value)}" for name, value in result.slice.items())}


def options_of(fields: Mapping[str, str], table: tuple[tuple[str, ...], ...] = ()) -> Options:
    """The options of a signature; a matrix between categories must be given again."""
    changes: dict[str, Any] = {name: number(fields[name]) for name in NUMBERS if name in fields}
    changes |= {name: whole(fields[name]) for name in COUNTS if name in fields}
    changes |= {name: unquote(fields[name]) for name in NAMES if name in fields}
    changes["order"] = tuple(unquote(name) for name in fields.get("order", "").split(",") if name)
    changes["drop_zero_length"] = fields.get("zero_length") == "drop"
    return options(fields.get("variant", "mathet"), table=table, **changes)
