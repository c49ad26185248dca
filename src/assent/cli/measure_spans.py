"""`assent measure` on spans: Gamma and its kin, per text or as a matrix of texts by slices."""

from collections.abc import Sequence
from typing import Any

import click

from assent.cli.data import Source
from assent.cli.printing import print_json, print_results
from assent.cli.progress import Bar
from assent.cli.spans import SpanChoices
from assent.measures.result import Agreement
from assent.measures.unitizing.corpus import Matrix, matrix
from assent.measures.unitizing.entries import KEYS
from assent.report.tables import ShownTable, table
from assent.report.text import bullet, render
from assent.uncertainty.unitizing import is_interrupted, measure_corpus

QUANTITIES = {"value": "", "observed": "observed disorder, ", "expected": "expected disorder, "}


def measure_spans(
    source: Source,
    spans: SpanChoices,
    keys: Sequence[str],
    *,
    by: Sequence[str],
    confidence: float,
    seed: int | None,
    as_json: bool,
) -> None:
    """Read, measure and print; after an interrupt print what is done and pass it on."""
    read = spans.table(source)
    chosen = spans.options(categories=source.options.get("categories"), seed=seed, confidence=confidence)
    texts = spans.continua(read, source, by)
    with Bar("measuring") as bar:
        results = measure_corpus(texts, keys or KEYS, chosen, bar, spans.selection(source))
    notes = [*read.notes, *spans.kept_features(read, source, by)]
    matrices = _matrices(results) if by or spans.groups else []
    if as_json:
        print_json(results, notes, **({"matrices": [_as_dict(m) for m in matrices]} if matrices else {}))
    elif matrices:
        _print_matrices(matrices, results, notes)
    else:
        print_results([_without_samples(result) for result in results], [*notes, *_about(results)])
    if is_interrupted(results):
        raise KeyboardInterrupt


def _matrices(results: Sequence[Agreement]) -> list[tuple[str, Matrix]]:
    """A matrix for each measure and quantity; Gamma-k, which has a row per category, stays in the JSON."""
    found = []
    for key in (key for key in KEYS if key != "gamma_k"):
        own = [result for result in results if result.measure == key]
        if own:
            found += [(f"{own[0].name}: {words}".rstrip(": "), matrix(own, q)) for q, words in QUANTITIES.items()]
    return [(title.removesuffix(","), shown) for title, shown in found]


def _as_dict(named: tuple[str, Matrix]) -> dict[str, Any]:
    """A matrix as JSON shows it."""
    title, shown = named
    columns = {c.title: {"cells": c.cells, "reasons": c.reasons, **c.summary} for c in shown.columns}
    return {"title": title, "quantity": shown.quantity, "texts": shown.texts, "columns": columns}


def _print_matrices(matrices: list[tuple[str, Matrix]], results: Sequence[Agreement], notes: Sequence[str]) -> None:
    """The matrices, then why cells are blank, then the notes."""
    for title, shown in matrices:
        click.echo(render(_shown(title, shown)) + "\n")
    blank = {_where(result): result.reason for result in results if result.reason and result.measure != "gamma_k"}
    others = dict.fromkeys(note for result in results for note in _without_samples(result).notes)
    said = [*notes, *_about(results), *others, *(f"{where}: {reason}" for where, reason in blank.items())]
    click.echo("\n".join(bullet(note) for note in said))
    click.echo("\nThe signature of every cell is in the output of --json.")


def _without_samples(result: Agreement) -> Agreement:
    """The result without its note about chance samples, which the table and one line for all results say."""
    return result.with_(notes=tuple(note for note in result.notes if not note.startswith("expected disorder")))


def _about(results: Sequence[Agreement]) -> list[str]:
    """The sampler and the seed, which every table of Gamma must name, and what its intervals mean."""
    gammas = [result for result in results if result.measure.startswith("gamma") and "n_samples" in result.details]
    if not gammas:
        return []
    least, most = (f(result.details["n_samples"] for result in gammas) for f in (min, max))
    first = gammas[0].details
    number = f"{least:,}" if least == most else f"{least:,} to {most:,}"
    return [
        f"variant {first['variant']}, sampler {first['sampler']}, {number} chance samples each, seed {first['seed']}",
        "intervals say how exactly chance is known from its samples, not how texts or raters vary",
    ]


def _where(result: Agreement) -> str:
    """The place of a cell in words."""
    return f"{result.name}, " + ", ".join(f"{value}" for value in (result.slice or {}).values())


def _shown(title: str, shown: Matrix) -> ShownTable:
    """The matrix as a table: a row per text, then Min, Mean, Max and Stddev."""
    rows: list[list[Any]] = [[text, *(c.cells[i] for c in shown.columns)] for i, text in enumerate(shown.texts)]
    rows += [[name, *(c.summary[name] for c in shown.columns)] for name in ("Min", "Mean", "Max", "Stddev")]
    return table(title, ["text", *(c.title or "all" for c in shown.columns)], rows)
