"""How commands print results: a table for people, JSON for programs."""

import json
from collections.abc import Sequence
from typing import Any

import click

from assent.measures.result import Agreement
from assent.report.tables import BLANK, ShownTable, interval_text, level_text, table
from assent.report.text import bullet, render


def print_json(results: Sequence[Agreement], notes: Sequence[str], **more: Any) -> None:
    """The public contract: {"results": [...], "notes": [...]}, numbers unrounded, NaN impossible."""
    whole = {"results": [result.as_dict() for result in results], "notes": list(notes), **more}
    click.echo(json.dumps(whole, indent=2, ensure_ascii=False, allow_nan=False, default=_plain))


def _plain(value: Any) -> Any:
    """numpy numbers and arrays as plain ones."""
    return value.tolist()


def print_results(results: Sequence[Agreement], notes: Sequence[str]) -> None:
    """Tables, then the notes said once, then the signatures."""
    click.echo(render(results_table(results)))
    said = list(dict.fromkeys([*notes, *(f"{r.name}: {r.reason}" for r in results if r.reason), *_shared(results)]))
    if said:
        click.echo("\n" + "\n".join(bullet(note) for note in said))
    click.echo("\nSignatures (check one with `assent verify SIGNATURE DATA`):")
    for result in results:
        click.echo(f"  {result.signature}")


def _shared(results: Sequence[Agreement]) -> list[str]:
    """The notes of the results; those of a single one of several begin with its name."""
    return [note for result in results for note in result.notes]


def results_table(results: Sequence[Agreement], title: str = "") -> ShownTable:
    """One row per result; columns that say nothing here are left out."""
    columns: dict[str, list[Any]] = {}
    if any(r.question for r in results):
        columns["Question"] = [r.question or BLANK for r in results]
    for name in dict.fromkeys(name for r in results for name in (r.slice or {})):
        columns[name] = [(r.slice or {}).get(name, BLANK) for r in results]
    if len({r.raters for r in results}) > 1 and max(len(r.raters) for r in results) <= 2:
        columns["Raters"] = [" & ".join(r.raters) for r in results]
    columns |= {
        "Measure": [r.name for r in results],
        "Value": [r.value if r.value is not None else "undefined" for r in results],
        level_text(results): [interval_text(r.interval) for r in results],
        "Observed": [r.observed for r in results],
        "Expected": [r.expected for r in results],
        "Units": [r.n_units for r in results],
        "Raters ": [r.n_raters for r in results],
        "Reading": [reading(r) for r in results],
    }
    if all(value is None for value in columns["Expected"]):
        del columns["Expected"]
    rows = list(zip(*columns.values(), strict=True))
    return table(title, list(columns), rows)


def reading(result: Agreement) -> str:
    """The reading with its source, or a dash."""
    found = result.interpret()
    return BLANK if found is None else f"{found.label} ({found.benchmark})"
