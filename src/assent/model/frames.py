"""Columns of any data frame, through narwhals; no data frame library is required or imported here."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from assent.errors import InputError, nearest
from assent.model.columns import Column, blank_out, encode

if TYPE_CHECKING:
    import narwhals as nw


def frame_columns(frame: Any, names: Sequence[str], *, missing: Mapping[str, Sequence[Any]]) -> list[Column]:
    """The named columns, encoded; a name that is not there is an error that suggests the nearest."""
    import narwhals as nw

    table = nw.from_native(frame)
    eager = table.collect() if isinstance(table, nw.LazyFrame) else table
    for name in names:
        if name not in eager.columns:
            raise InputError("the data frame has no such column", column=name, hint=nearest(name, eager.columns))
    return [encode_series(eager[name], missing.get(name, ())) for name in names]


def encode_series(series: "nw.Series[Any]", missing: Sequence[Any] = ()) -> Column:
    """Numbers as they are (blanks become NaN), anything else by its distinct texts."""
    import narwhals as nw

    if series.dtype.is_integer() and series.null_count() == 0:
        return encode(series.to_numpy(), missing=missing)
    if series.dtype.is_numeric():
        return encode(series.cast(nw.Float64).to_numpy(), missing=missing)
    return _encode_texts(series.cast(nw.String), {str(value) for value in missing})


def _encode_texts(series: "nw.Series[Any]", missing: set[str]) -> Column:
    """By the distinct texts, so that rows are never looped over in Python."""
    import narwhals as nw

    filled = series.fill_null("")
    labels = filled.unique(maintain_order=True).to_list()
    places = filled.replace_strict(labels, list(range(len(labels))), return_dtype=nw.Int64)
    return blank_out(Column(codes=np.asarray(places.to_numpy()), labels=labels), {"", *missing})
