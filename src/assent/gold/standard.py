"""The gold standard of one question: by votes, by adjudication, or by a model of how far each rater can be trusted."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from assent.gold.consensus import Consensus, consensus
from assent.gold.dawid_skene import dawid_skene
from assent.gold.mace import mace
from assent.gold.posterior import Posterior
from assent.model.judgements import Judgements


class Method(StrEnum):
    """How the value of a unit is found."""

    VOTES = "votes"
    ADJUDICATED = "adjudicated"
    DAWID_SKENE = "dawid_skene"
    MACE = "mace"


@dataclass(frozen=True, kw_only=True)
class GoldValue:
    """One unit: its value (None: undecided), how sure it is, and where it comes from.

    `certainty` is the winners' share of the votes or the posterior probability; `basis` says which.
    """

    unit: str
    value: str | None
    certainty: float | None
    basis: str
    n_votes: int


@dataclass(frozen=True, kw_only=True)
class Standard:
    """All units, and for the models how far each rater can be trusted."""

    method: Method
    values: tuple[GoldValue, ...]
    competences: Mapping[str, float]

    @property
    def n_undecided(self) -> int:
        """Units without a value."""
        return sum(one.value is None for one in self.values)


def gold_standard(
    data: Judgements, method: Method, decided: Mapping[str, str] | None = None, *, seed: int = 1
) -> Standard:
    """The gold standard by one method; `decided` are the adjudicated values by unit."""
    votes = consensus(data)
    if method in (Method.VOTES, Method.ADJUDICATED):
        told = decided or {} if method is Method.ADJUDICATED else None
        return Standard(method=method, values=tuple(_voted(votes, told)), competences={})
    model = dawid_skene(data) if method is Method.DAWID_SKENE else mace(data, seed=seed)
    trusted = dict(zip(model.raters, model.competences.tolist(), strict=True))
    return Standard(method=method, values=tuple(_modelled(votes, model)), competences=trusted)


def _voted(votes: Consensus, decided: Mapping[str, str] | None) -> list[GoldValue]:
    """The majority of each unit; with decisions, only what is unanimous or decided."""
    found = []
    for i, unit in enumerate(votes.units):
        share = float(votes.shares[i])
        value, basis = votes.values[i], "votes" if votes.values[i] is not None else "tie"
        if decided is not None:
            value, basis = _adjudicated(decided.get(unit), value, share)
        found.append(GoldValue(unit=unit, value=value, certainty=share, basis=basis, n_votes=int(votes.n_votes[i])))
    return found


def _adjudicated(decision: str | None, vote: str | None, share: float) -> tuple[str | None, str]:
    if decision is not None:
        return decision, "decided"
    return (vote, "unanimous") if share == 1 else (None, "undecided")


def _modelled(votes: Consensus, model: Posterior) -> list[GoldValue]:
    n_votes = dict(zip(votes.units, votes.n_votes.tolist(), strict=True))
    return [
        GoldValue(unit=unit, value=value, certainty=sure, basis="posterior", n_votes=n_votes[unit])
        for unit, value, sure in zip(model.units, model.values, model.certainties.tolist(), strict=True)
    ]
