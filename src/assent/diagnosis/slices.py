"""Agreement in parts of the data: one row per value of an attribute, per question or pooled.

The columns are those of a careful published table: the number of units (Total), each rater's rate of yes for
two-category questions, their average, agreement by chance, observed agreement and the coefficient with its interval.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from assent.diagnosis.material import Material, materials, pooled_material
from assent.engines.membership import UnitTally
from assent.engines.rates import category_rates
from assent.engines.subset import with_raters
from assent.engines.tally import Tally, tally
from assent.errors import InputError
from assent.measures.result import Agreement
from assent.model.columns import Column
from assent.model.scale import Level
from assent.model.study import Study
from assent.uncertainty.estimate import measure
from assent.uncertainty.request import Ci

Mask = NDArray[np.bool_]


@dataclass(frozen=True, kw_only=True)
class SliceRow:
    """One part: which one, how much of it both raters judged, how often they say yes, and the coefficient."""

    question: str | None
    slice: Mapping[str, str]
    total: int
    yes_rates: tuple[float | None, ...]  # one for each rater of the table; empty unless there are two categories
    average: float | None
    result: Agreement

    @property
    def chance(self) -> float | None:
        """Agreement expected by chance."""
        return self.result.expected

    @property
    def observed(self) -> float | None:
        """Observed agreement."""
        return self.result.observed


@dataclass(frozen=True, kw_only=True)
class SliceTable:
    """All parts by the same attributes, with one coefficient. `yes` is the category whose rate is shown."""

    by: tuple[str, ...]
    measure: str
    raters: tuple[str, ...]
    yes: str | None
    rows: tuple[SliceRow, ...]
    n_without_pairs: int = 0  # parts in which no unit was judged twice


def usual_measure(data: Tally, *, trust_raters: bool = True) -> str:
    """The coefficient when none is asked for: kappa or Fleiss for names, alpha for what is ordered.

    Where raters cannot be told apart it must be one that forgets who judged.
    """
    if data.scale.level is Level.SET and trust_raters:
        return "set_weighted"
    if data.scale.level is Level.NOMINAL:
        return "kappa" if len(data.used_raters) <= 2 and trust_raters else "fleiss"
    return "alpha"


def slice_tables(
    study: Study,
    by: Sequence[str] = (),
    *,
    pool: bool = False,
    key: str | None = None,
    ci: Ci = "jackknife",
    seed: int = 0,
    raters: Sequence[str] | None = None,
    yes: str | None = None,
) -> tuple[SliceTable, ...]:
    """Cut a study by attributes; each question gets a table (one table if they are pooled).

    Attributes of units are cut from one tally. An attribute of raters or of single judgements is cut from the rows.
    """
    parts = [pooled_material(study)] if pool else list(materials(study))
    return tuple(slice_material(part, by, key=key, ci=ci, seed=seed, raters=raters, yes=yes) for part in parts)


def slice_material(
    material: Material,
    by: Sequence[str],
    *,
    key: str | None = None,
    ci: Ci = "jackknife",
    seed: int = 0,
    raters: Sequence[str] | None = None,
    yes: str | None = None,
    trust_raters: bool = True,
) -> SliceTable:
    """Cut one question. Without trust in raters no rate of a single rater is shown."""
    data = material.tally if raters is None else with_raters(material.tally, raters)
    chosen = key or usual_measure(data, trust_raters=trust_raters)
    shown = _yes(data, yes) if trust_raters else None
    parts = list(_parts(material, by, raters))
    rows = tuple(
        _row(material.question, where, part, chosen, ci=ci, seed=seed, yes=shown, raters=data.used_raters)
        for where, part in parts
        if part.n_paired
    )
    lacking = len(parts) - len(rows)
    return SliceTable(
        by=tuple(by), measure=chosen, raters=data.used_raters, yes=shown, rows=rows, n_without_pairs=lacking
    )


def _yes(data: Tally, asked: str | None) -> str | None:
    """The category whose rate is shown: the one asked for, or the last of two (1 of 0/1, yes of no/yes)."""
    if asked is not None and asked not in data.scale.categories:
        raise InputError(f"there is no category {asked!r}", hint=f"categories: {', '.join(data.scale.categories[:12])}")
    if asked is not None:
        return asked
    return data.scale.categories[1] if len(data.scale.categories) == 2 else None


def _parts(
    material: Material, by: Sequence[str], raters: Sequence[str] | None
) -> Iterator[tuple[dict[str, str], Tally]]:
    """Each combination of values with its tally."""
    if all(name in material.unit_attributes for name in by):
        found = _cut_units(material.by_unit, {name: material.unit_attributes[name] for name in by})
    else:
        found = ((where, tally(part.judgements())) for where, part in material.study.slices(by))
    for where, part in found:
        yield where, part if raters is None else with_raters(part, raters)


def _cut_units(whole: UnitTally, columns: Mapping[str, Column]) -> Iterator[tuple[dict[str, str], Tally]]:
    """Slices by attributes of units; combinations without units are left out."""
    for codes in product(*(range(len(column.labels)) for column in columns.values())):
        mask: Mask = np.ones(len(whole.pattern_of), dtype=bool)
        for column, code in zip(columns.values(), codes, strict=True):
            mask &= column.codes == code
        if mask.any():
            labels = [column.labels[code] for column, code in zip(columns.values(), codes, strict=True)]
            yield dict(zip(columns, labels, strict=True)), whole.of_units(mask)


def _row(
    question: str | None,
    where: Mapping[str, str],
    data: Tally,
    key: str,
    *,
    ci: Ci,
    seed: int,
    yes: str | None,
    raters: tuple[str, ...],
) -> SliceRow:
    """One slice measured."""
    result = measure(data, key, ci=ci, seed=seed, question=question, slice=where)
    rates = category_rates(data, yes, raters) if yes is not None else ()
    known = [rate for rate in rates if rate is not None]
    average = float(np.mean(known)) if known else None
    return SliceRow(
        question=question, slice=where, total=result.n_units, yes_rates=rates, average=average, result=result
    )
