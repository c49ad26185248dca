"""Things that several treebank tests need: printed numbers, decision logs, profiles written to disk."""

import gzip
from collections.abc import Iterable, Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from concordant.treebank.discriminants import Decision, Discriminant

EXAMPLE = Path(str(files("concordant"))) / "examples" / "treebank"

RELATIONS = (EXAMPLE / "anna" / "diaries" / "SUITE-1-V1" / "relations").read_text(encoding="utf-8")


def printed(number: str) -> Any:
    """A number as a document prints it: equal within half a unit of its last digit."""
    digits = len(number.partition(".")[2])
    return pytest.approx(float(number), abs=0.5 * 10**-digits + 1e-12)


def decisions(text: str, type_: int = 6) -> list[Decision]:
    """A log written as `state key` lines, like the figures of Castro (2011)."""
    lines = [line.strip().split(" ", 1) for line in text.strip().splitlines()]
    return [Decision(int(state), Discriminant(type_, key.strip(), 0, 0)) for state, key in lines]


def write_profile(path: Path, tables: Mapping[str, Iterable[Sequence[Any]]], *, zipped: bool = False) -> Path:
    """A profile on disk; cells are written as they are."""
    path.mkdir(parents=True, exist_ok=True)
    (path / "relations").write_text(RELATIONS, encoding="utf-8")
    for name, rows in tables.items():
        content = "".join("@".join(map(str, row)) + "\n" for row in rows).encode()
        if zipped:
            (path / f"{name}.gz").write_bytes(gzip.compress(content))
        else:
            (path / name).write_bytes(content)
    return path


def one_sentence(
    *,
    decisions: Iterable[Sequence[Any]] = (),
    trees: Iterable[Sequence[Any]] = (),
    preferences: Iterable[Sequence[Any]] = (),
    results: Iterable[Sequence[Any]] = ((1, 0, "", ""),),
) -> dict[str, list[Sequence[Any]]]:
    """The tables of a profile with the single sentence 1. Decisions are (version, state, type, key, start, end)."""
    return {
        "item": [(1, "Ana ri.")],
        "parse": [(1, 1, 2)],
        "result": list(results),
        "tree": list(trees),
        "preference": list(preferences),
        "decision": [(1, v, s, t, k, "", a, b, "1-jan-2020") for v, s, t, k, a, b in decisions],
    }
