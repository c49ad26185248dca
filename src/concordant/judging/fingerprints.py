"""Signatures of what judging finds, and the fingerprint of the answers of people and models that they carry."""

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from concordant.about import VERSION
from concordant.choices import escape
from concordant.judging.panel import Judge, Panel, is_answer

UNDEFINED = "undefined"


def fingerprint(panel: Panel, asked: Sequence[Judge]) -> str:
    """Eight digits for all answers, whatever the order of rows."""

    def marks(names: Sequence[str]) -> Any:
        return np.array([int.from_bytes(hashlib.sha256(n.encode()).digest()[:8], "little") for n in names], np.uint64)

    with np.errstate(over="ignore"):
        units, humans = marks(panel.units), marks(panel.humans)
        labels = marks(panel.scale.categories)

        def value(codes: Any) -> Any:
            return codes.astype(np.float64).view(np.uint64) if panel.is_continuous else labels[codes]

        def mixed(unit: Any, rater: Any, said: Any) -> int:
            whole = (unit * np.uint64(0x9E3779B97F4A7C15) ^ rater) * np.uint64(0xBF58476D1CE4E5B9) ^ said
            whole = (whole ^ (whole >> np.uint64(31))) * np.uint64(0x94D049BB133111EB)
            return int(whole.sum(dtype=np.uint64))

        total = mixed(units[panel.unit], humans[panel.rater], value(panel.value))
        for judge, mark in zip(asked, marks([judge.name for judge in asked]), strict=True):
            known = is_answer(judge.answer)
            total += mixed(units[known], mark, value(judge.answer[known]))
    return hashlib.sha256(str(total % 2**64).encode()).hexdigest()[:8]


def signed(
    key: str, fields: Mapping[str, str], chosen: Mapping[str, str], marks: str, values: Sequence[float | None]
) -> str:
    """One line with which a result can be computed again: `judges|model:…|score:…|epsilon:…|…`.

    `chosen` says how the data were read; that all judgements were looked at is so in every one of them.
    """
    told = {
        **fields,
        **{f"from.{name}": text for name, text in chosen.items() if name != "kind"},
        "data": marks,
    }
    written = [f"{escape(name)}:{escape(text)}" for name, text in told.items()]
    value = ",".join(UNDEFINED if one is None else repr(one) for one in values)
    return "|".join([key, *written, f"value:{value}", f"v:{escape(VERSION)}"])
