"""Scores and ranks: each response's weighted features, its rank within its item, and any system's scores beside."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from concordant.about import NAME
from concordant.arrays import Floats
from concordant.errors import InputError
from concordant.gold.cells import numbers
from concordant.gold.feature_values import ITEM_NAMES, Vectors, feature_vectors
from concordant.gold.systems import (
    Ranking,
    SystemComparison,
    SystemDifference,
    compare_system,
    differences,
    rank_within,
)
from concordant.gold.weights import weigh
from concordant.model.columns import Column, encode
from concordant.model.judgements import Judgements
from concordant.model.scale import as_numbers
from concordant.model.study import Study
from concordant.model.tabular import TabularResult, plain
from concordant.readers import as_given
from concordant.readers.data import any_table
from concordant.readers.study_folder import is_study
from concordant.readers.table import Table, read_table

UNIT_NAMES = ("unit", "response", "response_id", "id", "text")
MOST_SHOWN = 20


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class RankedResponses(TabularResult):
    """A ranking, and every system compared with it."""

    COLUMNS: ClassVar = {key: key for key in ("item", "unit", "score", "rank")}

    ranking: Ranking
    systems: tuple[SystemComparison, ...] = ()
    differences: tuple[SystemDifference, ...] = ()
    notes: tuple[str, ...] = ()

    def __repr__(self) -> str:
        """How much was ranked."""
        compared = f", compared with {', '.join(one.system for one in self.systems)}" if self.systems else ""
        return f"<{len(self.ranking.units):,} responses ranked in {len(self.ranking.items):,} items{compared}>"

    def rows(self) -> list[dict[str, Any]]:
        """One for each response, best first within its item."""
        return self.ranking.rows()

    def first_rows(self) -> list[dict[str, Any]]:
        """The first responses."""
        return self.rows()[:MOST_SHOWN]

    def to_dict(self) -> dict[str, Any]:
        """Everything as JSON can hold it."""
        systems = [
            {**plain(one), "mean_spearman": one.mean_spearman, "mean_tau_b": one.mean_tau_b} for one in self.systems
        ]
        told = {"systems": systems, "differences": plain(list(self.differences)), "notes": list(self.notes)}
        return {"responses": self.rows(), **told}


def rank_responses(
    responses: Any,
    *,
    weights: Mapping[str, float] | str | Path,
    unit: str | None = None,
    item: str | None = None,
    system: str | Sequence[str] = (),
    scores: Any = None,
    only: str | None = None,
    values: str | None = None,
    decisions: str | Path | None = None,
    ci: str = "bootstrap",
    confidence: float = 0.95,
    seed: int = 1,
    **reading: Any,
) -> RankedResponses:
    """Score and rank responses by their features, and compare the scores of systems with the ranking.

    `responses` is a table with a column for every feature that has a weight; or judgements of the features: a study's
    folder, its export, whatever holds judgements (`values`, `decisions` and what `reading` says as `feature_vectors`
    takes them). `weights` by feature, or what `read_weights` reads; `only` takes the preferences of one rater. `scores`
    is a table of systems' scores by unit, `system` names its columns (else all numbers), or those of `responses`.
    """
    chosen = read_weights(weights, only=only) if isinstance(weights, str | Path) else weights
    if not chosen:
        raise InputError("there are no weights", hint="give feature=0.6,other=0.4, a .json or .csv file, or a study")
    table = wide_table(responses, chosen)
    names = [system] if isinstance(system, str) else list(system)
    if table is None:
        if names and scores is None:
            raise InputError("judgements have no scores of systems", hint="name a table of them with scores (--scores)")
        how: dict[str, Any] = {"values": values, "item": item, "decisions": decisions, "unit": unit, **reading}
        judged = responses
        if not isinstance(responses, Vectors):
            judged = feature_vectors(responses, features=tuple(chosen), **as_given(how))
        ranking, notes, own = rank_vectors(judged, chosen), (f"values {judged.basis}", *judged.notes), {}
    else:
        said = as_given({"values": values, "decisions": decisions, **reading})
        for name in said:
            raise InputError(f"{name} says nothing about a table with a column for each feature", hint="leave it out")
        units, items = _column(table, unit, UNIT_NAMES), _column(table, item, ITEM_NAMES)
        ranking = rank(units, items, np.column_stack([numbers(table, name) for name in chosen]), chosen)
        notes, own = tuple(table.notes), {} if scores is not None else {name: numbers(table, name) for name in names}
    found = own if scores is None else read_scores(scores, ranking.units, names, unit=unit)
    ask: dict[str, Any] = {"confidence": confidence, "seed": seed}
    systems = [compare_system(ranking, name, own, ci=ci, **ask) for name, own in found.items()]
    compared = differences(systems, **ask) if len(systems) > 1 else ()
    return RankedResponses(ranking=ranking, systems=tuple(systems), differences=compared, notes=notes)


def is_wide(responses: Any, features: Iterable[str]) -> bool:
    """Whether there is a column for every feature; if not, these are judgements of them."""
    return wide_table(responses, features) is not None


def wide_table(responses: Any, features: Iterable[str]) -> Table | None:
    """The table with a column for every feature; None if these are judgements of them."""
    if isinstance(responses, Study | Judgements | Vectors) or (
        isinstance(responses, str | Path) and is_study(responses)
    ):
        return None
    table = any_table(responses)
    lacking = [name for name in features if name not in table.names]
    if not lacking:
        return table
    if {"question", "feature"} & {name.casefold() for name in table.names}:  # one row for each judgement
        return None
    what, hint = f"there is no column for the feature {lacking[0]!r}", f"columns: {', '.join(table.names[:12])}"
    raise InputError(what, file=table.file, hint=hint)


def rank_vectors(vectors: Vectors, weights: Mapping[str, float]) -> Ranking:
    """Score and rank the units that have a value of every feature."""
    known = vectors.is_known
    if not known.any():
        raise InputError("no unit has a value of every feature", hint="adjudicate, or take the values of one rater")
    places = [vectors.features.index(name) for name in weights]
    units, items = (np.array(one, dtype=object)[known] for one in (vectors.units, vectors.items))
    return rank(encode(units), encode(items), vectors.values[known][:, places], weights)


def read_scores(
    source: Any, units: Sequence[str], systems: Sequence[str] = (), *, unit: str | None = None
) -> dict[str, Floats]:
    """The scores of each system in the order of `units`, from a table with a row for each; every unit needs one."""
    table = any_table(source)
    key = _column(table, unit if unit in table.names else None, UNIT_NAMES)
    if key is None:
        raise InputError("no column names the response", file=table.file, hint=f"call it {' or '.join(UNIT_NAMES[:3])}")
    rows = {name: row for row, name in enumerate(key.text().tolist())}
    if len(rows) < len(key):
        twice = next(name for name, times in Counter(key.text().tolist()).items() if times > 1)
        raise InputError(f"there are two rows for {twice!r}", file=table.file, hint="give each response one")
    lacking = [name for name in units if name not in rows]
    if lacking:
        hint = f"{len(lacking):,} of {len(units):,} responses have no row"
        raise InputError(f"there is no score for {lacking[0]!r}", file=table.file, hint=hint)
    order = np.array([rows[name] for name in units])
    columns = {name: column for name, column in table.columns.items() if column.labels != key.labels}
    usual = [n for n, c in columns.items() if c.numbers is not None or (c.labels and as_numbers(c.labels) is not None)]
    if not (chosen := list(systems or usual)):
        raise InputError("no column has scores", file=table.file, hint="name one with system (--system)")
    return {name: numbers(table, name, order) for name in chosen}


def read_weights(source: str | Path, *, only: str | None = None) -> dict[str, float]:
    """Weights from the command line, from a table, the rounded ones of `weights --json`, or from preferences.

    Preferences are the folder of a preference test or a table of pairs; `only` counts the decisions of one rater.
    """
    path, text = Path(source), str(source)
    if is_study(path) or (path.suffix in (".csv", ".tsv") and {"pair", "choice"} <= set(read_table(path).names)):
        weighed = weigh(path, only=only)
        if weighed.reason:
            raise InputError(f"no weights: {weighed.reason}", file=path, hint="collect more preferences")
        return weighed.as_mapping()
    if only is not None:
        raise InputError("the weights are of nobody in particular", hint="leave out --only, or name the preferences")
    if path.suffix == ".json":
        if not path.exists():
            raise InputError("there is no such file", file=path)
        try:
            features = json.loads(path.read_text(encoding="utf-8"))["weights"]["features"]
            return {one["feature"]: float(one["rounded"]) for one in features}
        except (KeyError, TypeError, ValueError):
            raise InputError(f"this is not the output of `{NAME} weights --json`", file=path) from None
    if path.suffix in (".csv", ".tsv"):
        found = read_table(path)
        names, values = found.column("feature").text().tolist(), numbers(found, "weight")
        return dict(zip(map(str, names), map(float, values), strict=True))
    try:
        pairs = [part.split("=") for part in text.split(",") if part.strip()]
        return {name.strip(): float(value) for name, value in pairs}
    except ValueError:
        raise InputError(
            f"--weights {text!r} is not feature=0.6,other=0.4", hint="or name a .json or .csv file"
        ) from None


def _column(table: Table, given: str | None, usual: Sequence[str]) -> Column | None:
    """The column named, or one with a usual name."""
    names = {name.casefold(): name for name in reversed(table.names)}
    found = given or next((names[word] for word in usual if word in names), None)
    return None if found is None else table.column(found).as_labels()


def rank(units: Column | None, items: Column | None, features: Floats, weights: Mapping[str, float]) -> Ranking:
    """Score and rank; without units rows are numbered, without items all are one item."""
    n_rows = len(features)
    item = np.zeros(n_rows, dtype=np.int64) if items is None else items.codes.astype(np.int64)
    scores = np.asarray(features @ np.array(list(weights.values()), dtype=np.float64))
    return Ranking(
        units=tuple(str(i + 1) for i in range(n_rows)) if units is None else tuple(units.text().tolist()),
        items=("all",) if items is None else tuple(items.labels),
        item=item,
        scores=scores,
        ranks=rank_within(item, scores),
    )
