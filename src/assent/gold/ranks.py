"""Scores and ranks: each response's weighted features, its rank within its item, and any system's scores beside."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from assent.arrays import Floats
from assent.engines.tally import tally
from assent.errors import InputError
from assent.gold.preferences import numbers
from assent.measures.catalogue import find_measure
from assent.measures.evaluation import evaluate
from assent.measures.result import Agreement
from assent.model.columns import Column, encode
from assent.model.judgements import Judgements
from assent.readers.table import Table
from assent.readers.tables import read_table

UNIT_NAMES = ("unit", "response", "response_id", "id", "text")
ITEM_NAMES = ("item", "item_id", "prompt", "task")


@dataclass(frozen=True, kw_only=True, eq=False)
class Ranking:
    """Responses with their scores and ranks; rank 1 is the best of its item, equal scores share the best rank."""

    units: tuple[str, ...]
    items: tuple[str, ...]
    item: NDArray[np.int64]
    scores: Floats
    ranks: NDArray[np.int64]
    features: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class ItemComparison:
    """A system against the ranking in one item (None: all responses together)."""

    item: str | None
    n_units: int
    spearman: Agreement
    tau_b: Agreement


@dataclass(frozen=True, kw_only=True)
class SystemComparison:
    """Item by item, the means over the items that have a value, and how many have none."""

    system: str
    items: tuple[ItemComparison, ...]
    whole: ItemComparison
    mean_spearman: float | None
    mean_tau_b: float | None
    n_undefined: int


def score(features: Floats, weights: Sequence[float]) -> Floats:
    """The weighted sum of each response's features."""
    return np.asarray(features @ np.asarray(weights, dtype=np.float64))


def rank_within(item: NDArray[np.int64], scores: Floats) -> NDArray[np.int64]:
    """Ranks within each item: the highest score gets 1, equal scores share the best rank (1, 2, 2, 4)."""
    rounded = np.round(scores, 12)
    order = np.lexsort((-rounded, item))
    starts = np.nonzero(np.append(True, np.diff(item[order]) != 0))[0] if len(order) else order
    first = np.repeat(starts, np.diff(np.append(starts, len(order))))
    new = np.append(True, (np.diff(item[order]) != 0) | (np.diff(rounded[order]) != 0))[: len(order)]
    lead = np.maximum.accumulate(np.where(new, np.arange(len(order)), 0))
    ranks = np.empty(len(order), dtype=np.int64)
    ranks[order] = lead - first + 1
    return ranks


def read_ranking(
    path: str | Path, weights: Mapping[str, float], *, unit: str | None = None, item: str | None = None
) -> tuple[Ranking, Table]:
    """Read responses with a column for every feature that has a weight, and rank them."""
    if not weights:
        raise InputError("there are no weights", hint="give feature=0.6,other=0.4, or a .json or .csv file")
    table = read_table(path)
    lacking = [name for name in weights if name not in table.names]
    if lacking:
        raise InputError(
            f"there is no column for the feature {lacking[0]!r}",
            file=table.file,
            hint=f"columns: {', '.join(table.names[:12])}",
        )
    units, items = _column(table, unit, UNIT_NAMES), _column(table, item, ITEM_NAMES)
    features = np.column_stack([numbers(table, name) for name in weights])
    return rank(units, items, features, weights, n_rows=table.n_rows), table


def _column(table: Table, given: str | None, usual: Sequence[str]) -> Column | None:
    """The column named, or one with a usual name."""
    names = {name.casefold(): name for name in reversed(table.names)}
    found = given or next((names[word] for word in usual if word in names), None)
    return None if found is None else table.column(found).as_labels()


def rank(
    units: Column | None, items: Column | None, features: Floats, weights: Mapping[str, float], *, n_rows: int
) -> Ranking:
    """Score and rank; without units rows are numbered, without items all are one item."""
    item = np.zeros(n_rows, dtype=np.int64) if items is None else items.codes.astype(np.int64)
    scores = score(features, list(weights.values()))
    return Ranking(
        units=tuple(str(i + 1) for i in range(n_rows)) if units is None else tuple(units.text().tolist()),
        items=("all",) if items is None else tuple(items.labels),
        item=item,
        scores=scores,
        ranks=rank_within(item, scores),
        features=tuple(weights),
    )


def compare_system(ranking: Ranking, system: str, values: Floats) -> SystemComparison:
    """Spearman and tau-b of a system's scores with the ranking's, within each item and over all."""
    parts = [_compare(ranking, values, ranking.item == i, name) for i, name in enumerate(ranking.items)]
    whole = _compare(ranking, values, np.ones(len(values), dtype=bool), None)
    known = [part for part in parts if part.spearman.value is not None and part.tau_b.value is not None]
    return SystemComparison(
        system=system,
        items=tuple(parts),
        whole=whole,
        mean_spearman=float(np.mean([float(part.spearman) for part in known])) if known else None,
        mean_tau_b=float(np.mean([float(part.tau_b) for part in known])) if known else None,
        n_undefined=len(parts) - len(known),
    )


def _compare(ranking: Ranking, values: Floats, rows: NDArray[np.bool_], item: str | None) -> ItemComparison:
    """One item."""
    scores = np.concatenate([np.round(ranking.scores[rows], 12), values[rows]])
    n = int(rows.sum())
    data = tally(
        Judgements.from_columns(
            Column(codes=np.tile(np.arange(n), 2), labels=[str(i) for i in range(n)]),
            Column(codes=np.repeat([0, 1], n), labels=["weights", "system"]),
            encode(scores),
            level="interval",
        )
    )
    spearman, tau_b = (evaluate(find_measure(key), data) for key in ("spearman", "tau_b"))
    return ItemComparison(item=item, n_units=n, spearman=spearman, tau_b=tau_b)
