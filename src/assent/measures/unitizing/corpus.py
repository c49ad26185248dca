"""Unitizing measures over many texts: per text, per slice, per group of raters, and the matrix texts x slices.

The matrix has the shape of the SANTA slides: a row per text, a column per guideline (or whatever the slices are), and
below it Min, Mean, Max and Stddev of every column; a cell is blank, with a reason, where the value is undefined.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from statistics import mean, stdev

from assent.errors import InputError, nearest
from assent.measures.result import Agreement
from assent.measures.unitizing.alpha_u import alpha_u
from assent.measures.unitizing.entries import KEYS
from assent.measures.unitizing.evidence import Evidence, gather
from assent.measures.unitizing.gamma import (
    gamma,
    gamma_cat,
    gamma_k,
    why_no_chance,
    why_no_disorder,
    without_chance,
    without_value,
)
from assent.measures.unitizing.variants import Options
from assent.model.continuum import Continuum
from assent.progress import Progress, silent


def measure_all(
    continuum: Continuum, keys: Sequence[str], options: Options, progress: Progress = silent
) -> list[Agreement]:
    """The measures of these keys on one text; the alignments are computed once for all of them."""
    kept, dropped = _without_zero_length(continuum, options)
    results = _gammas(kept, [key for key in KEYS if key in keys and key != "alpha_u"], options, progress)
    results += [alpha_u(kept)] if "alpha_u" in keys else []
    return [_say_dropped(result, dropped) for result in results]


def _gammas(continuum: Continuum, keys: Sequence[str], options: Options, progress: Progress) -> list[Agreement]:
    """Gamma and its kin; without the work where they are undefined."""
    if not keys:
        return []
    reason = why_no_disorder(continuum)
    if reason is not None:
        return [without_value(key, continuum, options, reason) for key in keys]
    reason = why_no_chance(continuum, options)
    if reason is not None:
        return [without_chance(key, continuum, options, reason) for key in keys]
    evidence = gather(continuum, options, progress, categories=list(keys) != ["gamma"])
    return [result for key in keys for result in _results(key, evidence)]


def _without_zero_length(continuum: Continuum, options: Options) -> tuple[Continuum, int]:
    """The continuum without spans of zero length, if so asked, and how many there were."""
    if not options.drop_zero_length:
        return continuum, 0
    long_enough = continuum.end > continuum.begin
    return continuum.keep(long_enough), int((~long_enough).sum())


def _say_dropped(result: Agreement, dropped: int) -> Agreement:
    """Count spans that were left out."""
    if not dropped:
        return result
    note = f"{dropped} span{'s' * (dropped != 1)} of zero length left out"
    return result.with_(n_dropped=dropped, notes=(*result.notes, note))


def _results(key: str, evidence: Evidence) -> Iterator[Agreement]:
    """The results of one key: Gamma-k has one for every category in the text."""
    if key == "gamma_k":
        present = sorted(set(evidence.continuum.category.tolist()))
        yield from (gamma_k(evidence, evidence.continuum.categories[category]) for category in present)
    else:
        yield {"gamma": gamma, "gamma_cat": gamma_cat}[key](evidence)


def by_groups(texts: Sequence[Continuum], groups: Mapping[str, Sequence[str]]) -> list[Continuum]:
    """Every text for all raters, for each pair of groups, and for each group of two raters or more.

    A comparison of two groups takes the raters of both; the column `raters` of the slice says which.
    """
    if len(groups) == 1:
        raise InputError("there is only one group of raters", hint="name two or more, such as own=A,B foreign=C,D")
    _refuse_unknown([name for members in groups.values() for name in members], texts)
    everybody = sorted({name for text in texts for name in text.raters})
    chosen: dict[str, Sequence[str]] = {"all": everybody}
    chosen |= {f"{a} vs {b}": [*groups[a], *groups[b]] for a, b in combinations(groups, 2)}
    chosen |= {name: members for name, members in groups.items() if len(members) > 1}
    return [
        replace(text.only(members), slice={"raters": name, **text.slice})
        for name, members in chosen.items()
        for text in texts
    ]


def _refuse_unknown(names: Sequence[str], texts: Sequence[Continuum]) -> None:
    """Every rater named in a group must be in the data."""
    known = sorted({name for text in texts for name in text.raters})
    for name in names:
        if name not in known:
            raise InputError(f"no rater {name!r}", hint=nearest(name, known))


@dataclass(frozen=True, kw_only=True)
class Column:
    """One column of a matrix: a cell per text, None where undefined, with the reasons; and what sums it up."""

    title: str
    cells: tuple[float | None, ...]
    reasons: tuple[str | None, ...]
    summary: Mapping[str, float | None]


@dataclass(frozen=True, kw_only=True)
class Matrix:
    """Texts x slices of one quantity: `value`, `observed` or `expected`."""

    quantity: str
    texts: tuple[str, ...]
    columns: tuple[Column, ...]


def matrix(results: Sequence[Agreement], quantity: str = "value") -> Matrix:
    """Arrange one measure's results: a row per text, a column per combination of the other slice values."""
    cells = {(_text(result), _title(result)): result for result in results}
    texts = tuple(dict.fromkeys(text for text, _ in cells))
    titles = dict.fromkeys(title for _, title in cells)
    columns = tuple(_column(title, [cells.get((text, title)) for text in texts], quantity) for title in titles)
    return Matrix(quantity=quantity, texts=texts, columns=columns)


def _text(result: Agreement) -> str:
    """The text a result is about."""
    return (result.slice or {}).get("text", "")


def _title(result: Agreement) -> str:
    """The other slice values."""
    return " · ".join(value for name, value in (result.slice or {}).items() if name != "text")


def _column(title: str, results: Sequence[Agreement | None], quantity: str) -> Column:
    """One column with Min, Mean, Max and Stddev of the cells that have a value."""
    cells = tuple(None if result is None else getattr(result, quantity) for result in results)
    reasons = tuple("not in the data" if result is None else result.reason for result in results)
    defined = [cell for cell in cells if cell is not None]
    summary = {
        "Min": min(defined, default=None),
        "Mean": mean(defined) if defined else None,
        "Max": max(defined, default=None),
        "Stddev": stdev(defined) if len(defined) > 1 else None,
    }
    return Column(title=title, cells=cells, reasons=reasons, summary=summary)
