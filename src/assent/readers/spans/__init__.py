"""Spans IN: one module per format, each with the same `read(path)`, and `read_spans`, which finds the right one."""

from importlib import import_module
from pathlib import Path
from typing import Any

from assent.errors import InputError, nearest
from assent.model.spans import SpanTable

FORMATS = ("long", "brat", "xmi", "webanno", "conll", "textgrid", "elan", "rttm", "label_studio", "doccano")
"""The modules of this package; each says in its first lines which files it reads and what becomes of them."""

ENDINGS = {
    ".csv": "long",
    ".tsv": "long",
    ".txt": "long",
    ".xlsx": "long",
    ".parquet": "long",
    ".ann": "brat",
    ".xmi": "xmi",
    ".zip": "xmi",
    ".conll": "conll",
    ".bio": "conll",
    ".iob": "conll",
    ".textgrid": "textgrid",
    ".eaf": "elan",
    ".rttm": "rttm",
    ".json": "label_studio",
    ".jsonl": "doccano",
}


def read_spans(path: str | Path, *, format: str | None = None, **columns: Any) -> SpanTable:
    """Read spans from a file, or from a folder with a file per rater and text.

    `columns` (text, rater, begin, end, category) name the columns of a long table; other formats have none.
    """
    name = format or find_format(path)
    if name not in FORMATS:
        raise InputError(f"unknown format {name!r}", hint=nearest(name, FORMATS))
    chosen = {role: column for role, column in columns.items() if column is not None}
    if chosen and name != "long":
        raise InputError(f"the format {name} has no columns to name", file=path, hint="leave out the column options")
    table: SpanTable = import_module(f"assent.readers.spans.{name}").read(path, **chosen)
    return table


def find_format(path: str | Path) -> str:
    """The format by the ending of the file, or of the files in a folder; WebAnno's TSV is known by its first line."""
    file = Path(path)
    if str(path) == "-":
        return "long"
    if not file.exists():
        raise InputError("there is no such file or folder", file=file)
    samples = sorted(p for p in file.rglob("*") if p.is_file()) if file.is_dir() else [file]
    for sample in samples:
        ending = sample.suffix.casefold()
        if ending == ".tsv" and sample.read_bytes()[:20].startswith(b"#FORMAT=WebAnno TSV"):
            return "webanno"
        if ending in ENDINGS and not (file.is_dir() and ENDINGS[ending] == "long"):
            return ENDINGS[ending]
    raise InputError("no format of spans is known by this ending", file=file, hint=f"say one of {', '.join(FORMATS)}")
