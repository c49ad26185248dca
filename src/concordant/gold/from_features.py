"""From features to systems in one go (SAILS 4.2-4.3), every step from what was collected in the step before.

features judged → one vector for each response → pairs made of them → preferences → weights, rater by rater
→ scores and ranks within items → automatic systems against the ranking, and against each other
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from concordant.diagnosis.findings import named
from concordant.digits import counted
from concordant.errors import InputError
from concordant.gold.feature_values import Vectors, by_question, feature_vectors
from concordant.gold.ranks import RankedResponses, rank_responses, rank_vectors
from concordant.gold.systems import compare_system
from concordant.gold.weights import Preferences, Weights, read_preferences, weigh_by_rater
from concordant.measures.chance_corrected import fleiss
from concordant.measures.kappas import kappa
from concordant.measures.result import Agreement
from concordant.model.study import Study
from concordant.model.tabular import plain
from concordant.readers.data import as_study
from concordant.uncertainty.estimate import measure
from concordant.uncertainty.paired import Mean


@dataclass(frozen=True, kw_only=True)
class RaterRanking:
    """The ranking by the weights of one rater against that by the weights used: means over items by coefficient."""

    rater: str
    means: Mapping[str, Mean]


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Chain:
    """Every step: agreement on each feature, the vectors, the preferences and weights, the ranking and the systems.

    `weights` are those of all raters together (None) and of each alone; the ranking is by those of `only`.
    """

    agreement: tuple[Agreement, ...]
    vectors: Vectors
    n_pairs: int
    n_paired: int
    weights: Mapping[str | None, Weights]
    only: str | None
    ranked: RankedResponses
    by_rater: tuple[RaterRanking, ...]
    notes: tuple[str, ...]

    def __repr__(self) -> str:
        """What was done."""
        return f"<{self.vectors!r} → {counted(self.n_pairs, 'pair')} → {self.weights[self.only]!r} → {self.ranked!r}>"

    def to_dict(self) -> dict[str, Any]:
        """Everything as JSON can hold it."""
        vectors = {"basis": self.vectors.basis, "n_distinct": self.vectors.n_distinct, "units": self.vectors.rows()}
        return {
            "agreement": plain(list(self.agreement)),
            "vectors": vectors,
            "pairs": {"n_pairs": self.n_pairs, "n_responses": self.n_paired},
            "weights": {rater or "all": plain(one) for rater, one in self.weights.items()},
            "only": self.only,
            "by_rater": plain(list(self.by_rater)),
            "ranking": self.ranked.to_dict(),
            "notes": list(self.notes),
        }


def chain(
    features: Any,
    preferences: Any,
    *,
    scores: Any = None,
    system: str | tuple[str, ...] = (),
    values: str | None = None,
    only: str | None = None,
    item: str | None = None,
    decisions: str | Path | None = None,
    resamples: int = 2000,
    confidence: float = 0.95,
    seed: int = 1,
    **reading: Any,
) -> Chain:
    """The whole way from judged features and collected preferences to ranks, and to systems compared with them.

    `features` and `preferences` are the folders of two studies, their exports, or tables. `values` says how a response
    gets its vector (see `feature_vectors`), `only` whose preferences count (all unless said), `scores` is a table of
    systems' scores by response.
    """
    how: dict[str, Any] = {"confidence": confidence, "seed": seed}
    chosen = read_preferences(preferences)
    if chosen.rater is None:
        raise InputError("the pairs have no column 'rater'", hint="say who decided")
    taken: dict[str, Any] = {"values": values, "features": chosen.features, "item": item, "decisions": decisions}
    vectors = feature_vectors(features, **taken, **reading)
    weights = weigh_by_rater(chosen, resamples=resamples, **how)
    used = weights.get(only)
    if used is None:
        raise InputError(f"there is no rater {only!r}", hint=f"raters: {', '.join(map(str, chosen.rater.labels))}")
    if used.reason:
        raise InputError(f"no weights: {used.reason}", hint="collect more preferences, or take another rater's")
    ranked = rank_responses(vectors, weights=used.as_mapping(), scores=scores, system=system, **how)
    return Chain(
        agreement=tuple(agreement_on(as_study(features, **reading), chosen.features, **how)),
        vectors=vectors,
        n_pairs=len(chosen.pair.labels),
        n_paired=0 if chosen.units is None else len({*chosen.units[0].labels, *chosen.units[1].labels}),
        weights=weights,
        only=only,
        ranked=ranked,
        by_rater=tuple(rankings_of_raters(vectors, weights, ranked, only)),
        notes=(*vectors.notes, *other_vectors(vectors, chosen)),
    )


def agreement_on(study: Study, features: Sequence[str], **how: Any) -> Iterator[Agreement]:
    """How far raters agree on each feature."""
    parts = by_question(study)
    for name in features:
        data = parts[name].judgements
        yield measure(data, (kappa if len(data.raters) == 2 else fleiss).key, **how).with_(question=name)


def rankings_of_raters(
    vectors: Vectors, weights: Mapping[str | None, Weights], ranked: RankedResponses, only: str | None
) -> Iterator[RaterRanking]:
    """Would the weights of another rater rank the responses otherwise?"""
    for rater, own in weights.items():
        if rater is not None and rater != only and not own.reason:
            other = rank_vectors(vectors, own.as_mapping())
            found = compare_system(ranked.ranking, rater, other.scores, ci="none")
            yield RaterRanking(rater=rater, means=found.means)


def other_vectors(vectors: Vectors, chosen: Preferences) -> list[str]:
    """What is said where the pairs were made of other features than the responses have now, or of other responses."""
    if chosen.units is None:
        return ["the pairs do not name their responses, so their features cannot be compared with the vectors"]
    known = dict(zip(vectors.units, vectors.values, strict=True))
    own = {
        unit: row
        for column, rows in zip(chosen.units, (chosen.first, chosen.second), strict=True)
        for unit, row in zip(column.text().tolist(), rows, strict=True)
    }
    strange = [unit for unit in own if unit not in known]
    changed = [unit for unit, row in own.items() if unit in known and not np.array_equal(known[unit], row)]
    notes = []
    if strange:
        notes.append(f"{counted(len(strange), 'response')} in pairs were not judged here: {named(strange)}")
    if changed:
        notes.append(
            f"{counted(len(changed), 'response')} had other features when the pairs were made, or are undecided now; "
            f"weights rest on those of the pairs: {named(changed)}"
        )
    return notes
