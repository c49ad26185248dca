"""`assent align`: the best alignment of spans, as data or as a picture."""

import csv
import io
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from assent.cli.data import Source, data_options
from assent.cli.progress import Bar
from assent.cli.spans import SpanChoices, span_options
from assent.errors import InputError
from assent.files import written_whole
from assent.measures.unitizing.alignment import Alignment, Unfinished, best_alignment
from assent.measures.unitizing.evidence import dissimilarity_of
from assent.measures.unitizing.gamma import alignment_rows
from assent.measures.unitizing.undefined import too_few_raters, zero_length
from assent.measures.unitizing.units import Units
from assent.measures.unitizing.variants import Options
from assent.model.continuum import Continuum
from assent.progress import part
from assent.report.tables import table
from assent.report.text import bullet, render

PICTURES = (".png", ".svg", ".pdf")
EPILOG = """\b
Examples:
  assent align spans.csv
  assent align spans.csv --where text=story_2 -o alignment.svg
  assent align spans.csv -o alignment.csv
"""


@click.command("align", epilog=EPILOG)
@data_options
@span_options(chance=False)
@click.option("--by", multiple=True, metavar="COLUMN", help="Align every value of this column by itself; repeatable.")
@click.option(
    "-o", "--output", metavar="FILE", help="Write a CSV or JSON file, or a picture (PNG, SVG, PDF) of one text."
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON with unrounded numbers.")
def command(source: Source, spans: SpanChoices, by: tuple[str, ...], output: str | None, as_json: bool) -> None:
    """Find the best alignment of the spans in DATA: which units of different raters belong together.

    DATA is a table with the columns text, rater, begin, end and category, or a file or folder of another format of
    spans (brat, XMI, WebAnno, CoNLL, TextGrid, ELAN, RTTM, Label Studio, doccano). The alignment is the one with the
    least disorder of all; a unit without partners stands alone.
    """
    read = spans.table(source)
    options = spans.options(categories=source.options.get("categories"), seed=0)
    texts = spans.continua(read, source, by)
    with Bar("aligning") as bar:
        aligned, notes, interrupted = _align(texts, options, bar)
    notes = [*read.notes, *spans.kept_features(read, source, by), *notes]
    if output is not None:
        _write(Path(output), aligned, options)
        click.echo(f"{len(aligned)} text{'s' * (len(aligned) != 1)} aligned: {output}")
        click.echo("\n".join(bullet(note) for note in notes), nl=bool(notes))
    elif as_json:
        whole = {"alignments": [_as_dict(*found, options) for found in aligned], "notes": notes}
        click.echo(json.dumps(whole, indent=2, ensure_ascii=False, allow_nan=False))
    else:
        _print(aligned, options, notes)
    if interrupted:
        raise KeyboardInterrupt


Aligned = tuple[Continuum, Alignment]


def _align(texts: Sequence[Continuum], options: Options, bar: Bar) -> tuple[list[Aligned], list[str], bool]:
    """Align every text that can be; say why the others cannot; whether the user ended it, which keeps what is done."""
    aligned: list[Aligned] = []
    notes: list[str] = []
    for number, text in enumerate(texts):
        kept = text.keep(text.end > text.begin) if options.drop_zero_length else text
        reason = too_few_raters(kept) or zero_length(kept)
        if reason is not None:
            notes.append(f"{_title(text)}: {reason}")
            continue
        try:
            inside = part(bar, number, len(texts))
            aligned.append((kept, best_alignment(Units.of(kept), dissimilarity_of(kept, options), inside)))
        except Unfinished as unfinished:
            aligned.append((kept, unfinished.alignment()))
            notes.append(f"{_title(text)}: interrupted, so the alignment is the best found so far, not proven the best")
            left = len(texts) - number - 1
            notes += [f"interrupted: {left} of {len(texts)} texts were not aligned"] if left else []
            return aligned, notes, True
        bar(number + 1, len(texts))
    return aligned, notes, False


def _title(text: Continuum) -> str:
    """The text and its slice in words."""
    return " · ".join(text.slice.values()) or text.name


def _as_dict(text: Continuum, alignment: Alignment, options: Options) -> dict[str, Any]:
    """One text's alignment as JSON shows it; no alignment has less than the least disorder."""
    dissimilarity = dissimilarity_of(text, options)
    disorder = float(alignment.disorders(dissimilarity)[0])
    return {
        "slice": dict(text.slice),
        "raters": list(text.raters),
        "disorder": disorder,
        "least_disorder": disorder if alignment.least is None else alignment.least,
        "unitary_alignments": alignment_rows(alignment, text, dissimilarity),
    }


def _print(aligned: Sequence[Aligned], options: Options, notes: Sequence[str]) -> None:
    """A table per text."""
    for text, alignment in aligned:
        whole = _as_dict(text, alignment, options)
        title = f"{_title(text)}: {_disorder(whole['least_disorder'], whole['disorder'])}"
        rows = [(row["disorder"], *map(_unit, row["units"].values())) for row in whole["unitary_alignments"]]
        click.echo(render(table(title, ("Disorder", *text.raters), rows)) + "\n")
    click.echo("\n".join(bullet(note) for note in notes), nl=bool(notes))


def _disorder(least: float, found: float) -> str:
    """The disorder, or between which ends the least one lies."""
    return f"disorder {found:.4f}" if least == found else f"disorder between {least:.4f} and {found:.4f}"


def _unit(unit: dict[str, Any] | None) -> str:
    """One unit in a cell."""
    return "–" if unit is None else f"{unit['begin']:g}-{unit['end']:g} {unit['category']}".rstrip()


def _write(file: Path, aligned: Sequence[Aligned], options: Options) -> None:
    """Write by the file's ending."""
    ending = file.suffix.casefold()
    if ending in PICTURES:
        content = _picture(aligned, ending)
    elif ending == ".json":
        whole = [_as_dict(*found, options) for found in aligned]
        content = json.dumps(whole, indent=2, ensure_ascii=False, allow_nan=False).encode()
    elif ending == ".csv":
        content = _as_csv(aligned, options).encode()
    else:
        raise InputError("unknown kind of file", file=file, hint="end it in .csv, .json, .png, .svg or .pdf")
    with written_whole(file) as beside:
        beside.write_bytes(content)


def _as_csv(aligned: Sequence[Aligned], options: Options) -> str:
    """One row per unit with the number and the disorder of its unitary alignment, and the unit's features."""
    stream = io.StringIO()
    names = list(dict.fromkeys(name for text, _ in aligned for name in text.slice))
    features = list(dict.fromkeys(name for text, _ in aligned for name in text.features if name not in names))
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow([*names, "alignment", "disorder", "rater", "begin", "end", "category", *features])
    for text, alignment in aligned:
        place = [text.slice.get(name, "") for name in names]
        for number, row in enumerate(_as_dict(text, alignment, options)["unitary_alignments"], start=1):
            marked = ((rater, unit) for rater, unit in row["units"].items() if unit is not None)
            for rater, unit in marked:
                more = [unit.get("features", {}).get(name, "") for name in features]
                span = [unit["begin"], unit["end"], unit["category"], *more]
                writer.writerow([*place, number, row["disorder"], rater, *span])
    return stream.getvalue()


def _picture(aligned: Sequence[Aligned], ending: str) -> bytes:
    """The picture of one text."""
    from assent.plots.spans import timeline

    if len(aligned) != 1:
        hint = "choose a text with --where text=NAME"
        raise InputError(f"a picture shows one text, and {len(aligned)} were aligned", hint=hint)
    text, alignment = aligned[0]
    stream = io.BytesIO()
    title = _title(text) + (" (not proven the best alignment)" if alignment.least is not None else "")
    timeline(text, alignment.rows(), title=title).savefig(stream, format=ending[1:], dpi=150)
    return stream.getvalue()
