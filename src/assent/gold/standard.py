"""The gold standard of one question: by votes, by adjudication, or by a model of how far each rater can be trusted."""

import csv
import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from assent.diagnosis.shares import UnitShares, unit_shares
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

    `shares` has every category's share of the votes or its posterior probability, `certainty` the winner's; `basis`
    says which it is.
    """

    unit: str
    value: str | None
    certainty: float
    basis: str
    n_votes: int
    shares: Mapping[str, float]


@dataclass(frozen=True, kw_only=True)
class Standard:
    """All units, and for the models how far each rater can be trusted."""

    method: Method
    categories: tuple[str, ...]
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
    votes, competences = unit_shares(data), {}
    if method in (Method.VOTES, Method.ADJUDICATED):
        values = _voted(votes, decided or {} if method is Method.ADJUDICATED else None)
    else:
        model = dawid_skene(data) if method is Method.DAWID_SKENE else mace(data, seed=seed)
        values = _modelled(votes, model)
        competences = dict(zip(model.raters, model.competences.tolist(), strict=True))
    return Standard(method=method, categories=votes.categories, values=tuple(values), competences=competences)


def _voted(votes: UnitShares, decided: Mapping[str, str] | None) -> Iterator[GoldValue]:
    """The majority of each unit; with decisions, only what is unanimous or decided."""
    columns = (votes.units, votes.shares.tolist(), votes.sizes.tolist(), votes.is_tied.tolist())
    for unit, row, n_votes, is_tied in zip(*columns, strict=True):
        shares = dict(zip(votes.categories, row, strict=True))
        top = max(shares, key=lambda name: shares[name])
        value, basis = (None, "tie") if is_tied else (top, "votes")
        if decided is not None:
            value, basis = _adjudicated(decided.get(unit), top, shares[top])
        sure = shares[top] if value is None else shares.get(value, 0.0)
        yield GoldValue(unit=unit, value=value, certainty=sure, basis=basis, n_votes=n_votes, shares=shares)


def _adjudicated(decision: str | None, vote: str, share: float) -> tuple[str | None, str]:
    if decision is not None:
        return decision, "decided"
    return (vote, "unanimous") if share == 1 else (None, "undecided")


def _modelled(votes: UnitShares, model: Posterior) -> Iterator[GoldValue]:
    """The most probable category of each unit."""
    columns = (model.units, model.values, model.probabilities.tolist(), votes.sizes.tolist())
    for unit, value, row, n_votes in zip(*columns, strict=True):
        shares = dict(zip(model.categories, row, strict=True))
        yield GoldValue(
            unit=unit, value=value, certainty=shares[value], basis="posterior", n_votes=n_votes, shares=shares
        )


def as_csv(standards: Mapping[str | None, Standard]) -> str:
    """The standards of one or several questions as one file; `p_…` are shares of votes or posterior probabilities."""
    categories = list(dict.fromkeys(name for found in standards.values() for name in found.categories))
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    asks_one = len(standards) == 1
    head = ["unit", "value", "certainty", "basis", "n_votes", *(f"p_{name}" for name in categories)]
    writer.writerow(head if asks_one else ["question", *head])
    for question, found in standards.items():
        rows = _rows(found, categories)
        writer.writerows(rows if asks_one else ([question, *row] for row in rows))
    return text.getvalue()


def _rows(found: Standard, categories: list[str]) -> Iterator[list[object]]:
    for one in found.values:
        shares = (one.shares.get(name, "") for name in categories)
        yield [one.unit, one.value, one.certainty, one.basis, one.n_votes, *shares]
