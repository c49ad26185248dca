"""Measure: the best alignment of spans, as data or as a picture.

Examples:
  %(prog)s align spans.csv
  %(prog)s align spans.csv --where text=story_2 -o alignment.svg
  %(prog)s align spans.csv --where text=story_2 --group own=A,B --group foreign=C,D -o groups.svg
  %(prog)s align spans.csv -o alignment.csv
"""

import csv
import io
import json
from pathlib import Path

import click

from concordant.cli.inputs import Source, SpanChoices, data_options, span_options
from concordant.cli.options import JSON, by_option
from concordant.cli.screen import Bar, echo_json, print_blocks, print_notes
from concordant.digits import brief, counted, decimal
from concordant.errors import InputError
from concordant.files import written_whole
from concordant.measures.gamma import GammaOptions
from concordant.report.grid import table
from concordant.uncertainty.aligned import Alignments, align_texts

PICTURES = (".png", ".svg", ".pdf")


@click.command("align")
@data_options
@span_options(chance=False)
@by_option(
    help="Align every value of this column by itself; repeatable.",
)
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    help="Write a CSV or JSON file, or a picture (PNG, SVG, PDF) of up to 8 texts.",
)
@JSON
def command(source: Source, spans: SpanChoices, by: tuple[str, ...], output: str | None, as_json: bool) -> None:
    """Find the best alignment of the spans in DATA: which units of different raters belong together.

    DATA is a table with the columns text, rater, begin, end and category, or a file or folder of another format of
    spans (brat, XMI, WebAnno, CoNLL, TextGrid, ELAN, RTTM, Label Studio, doccano). The alignment is the one with the
    least disorder of all; a unit without partners stands alone.
    """
    read = spans.read(source, source.of(("spans",)).format, by)
    with Bar("aligning") as bar:
        aligned = align_texts(read.texts, GammaOptions.of("align", read.conventions), bar)
    notes = [*read.table.notes, *read.kept, *aligned.notes]
    if output is not None:
        _write(Path(output), aligned)
        click.echo(f"{counted(len(aligned), 'text')} aligned: {output}")
    elif as_json:
        echo_json({**aligned.to_dict(), "notes": notes})
    else:
        for one in aligned:
            whole = one.to_dict()
            least, found = (decimal(whole[name], 4) for name in ("least_disorder", "disorder"))
            disorder = f"disorder {found}" if one.is_proven else f"disorder between {least} and {found}"
            rows = []
            for row in whole["unitary_alignments"]:
                units = [
                    unit and f"{brief(unit['begin'])}-{brief(unit['end'])} {unit['category']}".rstrip()
                    for unit in row["units"].values()
                ]
                rows.append((row["disorder"], *units))
            print_blocks(table(f"{one.title}: {disorder}", ("Disorder", *one.text.raters), rows))
    print_notes([] if as_json and output is None else notes)
    if aligned.is_interrupted:
        raise KeyboardInterrupt


def _write(file: Path, aligned: Alignments) -> None:
    """Write by the file's ending; a picture shows one text, or a few below each other."""
    ending = file.suffix.casefold()
    if ending in PICTURES:
        from concordant.plots.lines import drawn_alignments

        picture = io.BytesIO()
        drawn_alignments(aligned).figure.savefig(picture, format=ending[1:], dpi=150)
        content = picture.getvalue()
    elif ending == ".json":
        whole = [one.to_dict() for one in aligned]
        content = json.dumps(whole, indent=2, ensure_ascii=False, allow_nan=False).encode()
    elif ending == ".csv":
        rows, stream = aligned.rows(), io.StringIO()
        writer = csv.DictWriter(stream, list(rows[0]) if rows else [], lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
        content = stream.getvalue().encode()
    else:
        raise InputError("unknown kind of file", file=file, hint="end it in .csv, .json, .png, .svg or .pdf")
    with written_whole(file) as beside:
        beside.write_bytes(content)
