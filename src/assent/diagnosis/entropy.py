"""How uncertain each unit is: the entropy of its judgements (Boleda, Schulte im Walde & Badia 2009, 5.2).

    H(u) = - sum_c p(c|u) log p(c|u)

0 when all raters gave one category, log K when all K categories are equally frequent. The base of the logarithm
is an option: 2 gives bits. (The document says bits; the numbers in its Table VIII are nats, base e.)
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from assent.arrays import Floats
from assent.diagnosis.material import Material, grouping_attributes
from assent.diagnosis.shares import UnitShares, unit_shares
from assent.errors import InputError
from assent.model.columns import Column
from assent.uncertainty.welch import WelchTest, welch_anova, welch_t


def entropy(shares: ArrayLike, *, base: float = 2.0) -> Floats:
    """The entropy of proportions along the last axis.

    >>> float(entropy([0.5, 0.5]))
    1.0
    """
    if base <= 1:
        raise InputError(f"{base:g} cannot be the base of entropy", hint="use 2 for bits, 2.718281828 for nats")
    p = np.asarray(shares, dtype=np.float64)
    return np.asarray(-(p * np.log(np.where(p > 0, p, 1.0))).sum(axis=-1) / np.log(base)) + 0.0


@dataclass(frozen=True, kw_only=True)
class UnitEntropy:
    """One unit: its entropy, how many judged it, and the share of each category."""

    unit: str
    entropy: float
    n_judgements: int
    shares: tuple[float, ...]


@dataclass(frozen=True, kw_only=True)
class EntropyGroup:
    """The entropies of the units with one value of an attribute."""

    value: str
    n_units: int
    mean: float
    sd: float
    entropies: tuple[float, ...]


@dataclass(frozen=True, kw_only=True)
class EntropyTest:
    """Whether mean entropy differs between the values of an attribute; `test` is None if it cannot be tested."""

    attribute: str
    groups: tuple[EntropyGroup, ...]
    test: WelchTest | None
    reason: str | None = None


@dataclass(frozen=True, kw_only=True)
class Entropies:
    """All units with at least two judgements, the most uncertain first, and tests by attribute."""

    base: float
    categories: tuple[str, ...]
    units: tuple[UnitEntropy, ...]
    tests: tuple[EntropyTest, ...] = ()

    @property
    def most(self) -> int:
        """The largest number of judgements of a unit."""
        return max((unit.n_judgements for unit in self.units), default=0)

    @property
    def mean(self) -> float | None:
        """The mean over units."""
        return float(np.mean([unit.entropy for unit in self.units])) if self.units else None

    @property
    def highest_possible(self) -> float:
        """The entropy of equally frequent categories."""
        return float(np.log(max(len(self.categories), 1)) / np.log(self.base))


def unit_entropies(
    material: Material, *, base: float = 2.0, attributes: Sequence[str] | None = None
) -> Entropies | None:
    """Entropy unit by unit and by attribute (the grouping ones unless named); None for a continuous scale."""
    if material.scale.is_continuous:
        return None
    found = unit_shares(material.judgements)
    paired = found.sizes > 1
    values = entropy(found.shares, base=base)
    chosen = grouping_attributes(material) if attributes is None else tuple(attributes)
    tests = [_by_attribute(name, _column(material, name), found, values, paired) for name in chosen]
    order = np.lexsort((np.arange(len(values)), -values))
    units = [_unit(found, values, int(i)) for i in order[paired[order]]]
    return Entropies(base=base, categories=found.categories, units=tuple(units), tests=tuple(tests))


def _unit(found: UnitShares, values: Floats, i: int) -> UnitEntropy:
    """One unit's line."""
    shares = tuple(float(share) for share in found.shares[i])
    return UnitEntropy(unit=found.units[i], entropy=float(values[i]), n_judgements=int(found.sizes[i]), shares=shares)


def _column(material: Material, name: str) -> Column:
    """A unit attribute; another name is an error."""
    if name not in material.unit_attributes:
        material.study.column(name)
        raise InputError(f"{name!r} is not an attribute of units", hint="entropy is known per unit, not per rater")
    return material.unit_attributes[name]


def _by_attribute(
    name: str, column: Column, found: UnitShares, values: Floats, paired: NDArray[np.bool_]
) -> EntropyTest:
    """Mean entropy for each value of an attribute, with Welch's test."""
    codes = np.where(paired, column.codes[found.places], -1)
    parts = [(label, values[codes == code]) for code, label in enumerate(column.labels) if (codes == code).any()]
    groups = tuple(_group(label, part) for label, part in parts)
    test, reason = _welch([part for _, part in parts])
    return EntropyTest(attribute=name, groups=groups, test=test, reason=reason)


def _group(label: str, part: Floats) -> EntropyGroup:
    """Size, mean and standard deviation."""
    sd = float(part.std(ddof=1)) if len(part) > 1 else 0.0
    return EntropyGroup(
        value=label, n_units=len(part), mean=float(part.mean()), sd=sd, entropies=tuple(float(x) for x in part)
    )


def _welch(parts: list[Floats]) -> tuple[WelchTest | None, str | None]:
    """Welch's t for two groups, his analysis of variance for more, or why not."""
    try:
        return (welch_t(*parts) if len(parts) == 2 else welch_anova(parts)), None
    except InputError as error:
        return None, str(error)
