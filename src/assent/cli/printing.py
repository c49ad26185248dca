"""How commands print results: a table for people, JSON for programs."""

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from assent.measures.result import Agreement
from assent.report.tables import BLANK, ShownTable, interval_text, level_text, table
from assent.report.text import bullet, render

if TYPE_CHECKING:
    from assent.uncertainty.differences import Difference

MOST_UNITS = 20  # rows of the table of units
MARKS = "¹²³⁴⁵⁶⁷⁸⁹"


def print_json(results: Sequence[Agreement], notes: Sequence[str], **more: Any) -> None:
    """The public contract: {"results": [...], "notes": [...]}, numbers unrounded, NaN impossible."""
    whole = {"results": [result.as_dict() for result in results], "notes": list(notes), **more}
    click.echo(json.dumps(whole, indent=2, ensure_ascii=False, allow_nan=False, default=_plain))


def _plain(value: Any) -> Any:
    """numpy numbers and arrays as plain ones."""
    return value.tolist()


def print_results(results: Sequence[Agreement], notes: Sequence[str]) -> None:
    """A table, then the notes said once, then the signatures."""
    readings = Readings(results)
    click.echo(render(results_table(results, readings)))
    said = [*readings.footnotes, *_tests(results), *notes, *(f"{r.name}: {r.reason}" for r in results if r.reason)]
    click.echo("\n" + "\n".join(bullet(note) for note in dict.fromkeys([*said, *_notes(results)])))
    click.echo("\nSignatures (check one with `assent verify SIGNATURE DATA`):")
    for result in results:
        click.echo(f"  {result.signature or f'(none: {result.name} was interrupted)'}")


def _tests(results: Sequence[Agreement]) -> list[str]:
    """What the p-values are of."""
    tests = [r.details["chance_test"] for r in results if "chance_test" in r.details]
    if not tests:
        return []
    n, shuffled = tests[0]["permutations"], "every rater's judgements shuffled over the units"
    return [f"p: {n:,} permutations, {shuffled}; two-sided, whether the value is other than chance alone would make it"]


def _notes(results: Sequence[Agreement]) -> list[str]:
    """The results' notes; one that not all share says whose it is, or how many share it."""
    owners: dict[str, list[Agreement]] = {}
    for result in results:
        for note in result.notes:
            owners.setdefault(note, []).append(result)
    return [note if len(mine) == len(results) else f"{_owners(mine)}: {note}" for note, mine in owners.items()]


def _owners(results: Sequence[Agreement]) -> str:
    """Whose a note is."""
    if len(results) > 3:
        return f"{len(results)} results"
    return "; ".join(", ".join([*filter(None, [r.question]), *(r.slice or {}).values(), r.name]) for r in results)


class Readings:
    """Readings for a table: a label with a mark in the cell, the mark's source below the table."""

    def __init__(self, results: Sequence[Agreement]) -> None:
        """Find the reading of every result and number the sources."""
        self._found = [result.interpret() for result in results]
        sources = dict.fromkeys((r.benchmark, r.caution) for r in self._found if r is not None)
        self._marks = {benchmark: MARKS[i] for i, (benchmark, _) in enumerate(sources)}
        self.footnotes = [f"{self._marks[name]} reading after {name}: {caution}" for name, caution in sources]

    def cells(self) -> list[str]:
        """One cell per result."""
        return [BLANK if r is None else f"{r.label} {self._marks[r.benchmark]}" for r in self._found]


def results_table(results: Sequence[Agreement], readings: Readings) -> ShownTable:
    """One row per result; columns that say nothing here are left out."""
    columns = _where(results)
    names = {r.name for r in results}
    if len(names) > 1 or not columns:
        columns["Measure"] = [r.name for r in results]
    columns |= _rates(results) if any(r.slice for r in results) else {}
    columns |= {
        "Value": [r.value if r.value is not None else "undefined" for r in results],
        level_text(results): [interval_text(r.interval) for r in results],
        "Observed": [r.observed for r in results],
        "Expected": [r.expected for r in results],
        "known to ±": [_exactness(r) for r in results],
        "p": [r.details.get("chance_test", {}).get("p") for r in results],
        "Units": [r.n_units for r in results],
        "Raters": [r.n_raters for r in results],
        "Reading": readings.cells(),
    }
    kept = {name: cells for name, cells in columns.items() if any(cell not in (None, BLANK) for cell in cells)}
    return table("" if "Measure" in kept else names.pop(), list(kept), list(zip(*kept.values(), strict=True)))


def _exactness(result: Agreement) -> str | None:
    """How exactly the expected disorder is known from chance samples, in per cent."""
    return f"{result.details['precision']:.1%}" if result.details.get("n_samples") else None


def _rates(results: Sequence[Agreement]) -> dict[str, list[Any]]:
    """How often each rater said yes, and the average: the columns of a table of slices with two categories."""
    each = [r.details.get("yes_rates") for r in results]
    raters = {tuple(rates) for rates in each if rates}
    if not all(each) or len(raters) != 1:
        return {}
    yes = results[0].details["yes"]
    names = raters.pop()
    columns: dict[str, list[Any]] = {f"{name}: {yes}": [rates[name] for rates in each if rates] for name in names}
    known = [[rate for rate in rates.values() if rate is not None] for rates in each if rates]
    return columns | {f"Average: {yes}": [sum(rates) / len(rates) if rates else None for rates in known]}


def _where(results: Sequence[Agreement]) -> dict[str, list[Any]]:
    """The columns that say which part of the study a row is about."""
    columns: dict[str, list[Any]] = {}
    if any(r.question for r in results):
        columns["Question"] = [r.question or BLANK for r in results]
    for name in dict.fromkeys(name for r in results for name in (r.slice or {})):
        columns[name] = [(r.slice or {}).get(name, BLANK) for r in results]
    if len({r.raters for r in results}) > 1 and all(len(r.raters) == 2 for r in results):
        columns["Pair"] = [" & ".join(r.raters) for r in results]
    return columns


def print_differences(found: "Sequence[Difference]") -> None:
    """Which slices or groups differ, and how sure that is."""
    if not found:
        return
    columns: dict[str, list[Any]] = {
        "Question": [one.question for one in found],
        "Measure": [one.name for one in found],
        "First": [one.first for one in found],
        "Second": [one.second for one in found],
        "Difference": [one.difference for one in found],
        "p": [one.p for one in found],
        "Note": [one.reason or one.note for one in found],
    }
    kept = {name: cells for name, cells in columns.items() if any(cell is not None for cell in cells)}
    rows = list(zip(*kept.values(), strict=True))
    click.echo(render(table("\nDifferences (permutation tests, two-sided)", list(kept), rows)))


def print_breakdown(results: Sequence[Agreement], units: Sequence[Mapping[str, Any]]) -> None:
    """Values of single categories and units, where they were asked for."""
    rows = [
        (
            *filter(None, [result.question]),
            *(result.slice or {}).values(),
            result.name,
            category,
            one["value"],
            one["reason"] or "",
        )
        for result in results
        for category, one in result.details.get("categories", {}).items()
    ]
    if rows:
        where = [*filter(None, [results[0].question and "Question"]), *(results[0].slice or {})]
        shown = table(
            "\nEach category against the rest", [*where, "Measure", "Category", "Value", "Why undefined"], rows
        )
        click.echo(render(shown))
    if units:
        cells = [(u["question"] or BLANK, u["unit"], u["n_judgements"], u["agreement"]) for u in units[:MOST_UNITS]]
        left = f"{len(units) - MOST_UNITS:,} more units with higher agreement: --json shows all"
        notes = [left] if len(units) > MOST_UNITS else []
        title = "\nUnits, the least agreed on first"
        click.echo(render(table(title, ("Question", "Unit", "Judgements", "Agreeing pairs"), cells, notes=notes)))
