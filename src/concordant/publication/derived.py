"""Everything in an archive that follows from its sources: made when it is written, and again when it is checked.

The sources are `archive.json`, the data (or the study's folder), and what people wrote themselves. The rest is a
function of them, so a check makes it again and compares: no digit stands in an archive that nobody can recompute.
"""

import csv
import io
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import chdir
from pathlib import Path
from typing import Any

from concordant.errors import InputError
from concordant.progress import Progress, silent
from concordant.publication import citation, crate, statement
from concordant.publication.tables import FOLDER, read_judgements, read_spans
from concordant.report.document import Document, Points
from concordant.report.facts import write_report
from concordant.report.formats import format_for
from concordant.uncertainty.request import UNDEFINED, read_signature

SETTINGS, METADATA = "archive.json", "ro-crate-metadata.json"
STATEMENT, CITATION, README = "DATA-STATEMENT.md", "CITATION.cff", "README.md"
FILLED_IN = (STATEMENT, CITATION, METADATA)
COEFFICIENTS, CODEBOOK = "report/coefficients.csv", "data/codebook.csv"
COLUMNS = ("question", "slice", "measure", "value", "low", "high", "units", "raters", "signature")


def data_of(root: Path, settings: Mapping[str, Any]) -> Any:
    """The judgements or spans that the numbers are about; None if nothing was judged that can be measured."""
    if settings["data"] == "judgements":
        return read_judgements(root, settings["reading"])
    if settings["data"] == "spans":
        return read_spans(root, settings["reading"])
    from concordant.readers.study_log import read_log  # what reads databases is another extra

    try:
        with chdir(root):
            return read_log(Path(FOLDER))
    except InputError:
        return None


def derived(root: Path, settings: Mapping[str, Any], progress: Progress = silent) -> dict[str, bytes]:
    """The contents of every file that follows from the sources under `root`, by name; the list of all files last."""
    made: dict[str, bytes] = {}
    if settings["data"] == "study":
        made |= dict(_tables(root))
    data = data_of(root, settings)
    if settings["data"] == "judgements":
        made[CODEBOOK] = statement.codebook(data).encode()
    if data is not None:
        made |= _report(data, settings, progress)
    given = set(settings["given"])
    found = {**{path.relative_to(root).as_posix(): path for path in root.rglob("*") if path.is_file()}, **made}
    told = statement.Told(settings=settings, names=tuple(sorted(found)), data=data, root=root, made=made)
    if STATEMENT not in given:
        made[STATEMENT] = statement.data_statement(told).encode()
    if CITATION not in given:
        made[CITATION] = citation.citation(settings).encode()
    made["croissant.json"] = crate.croissant(root, settings, made).encode()
    made[README] = statement.readme(told).encode()
    made[METADATA] = crate.metadata(root, settings, made).encode()
    return made


def _tables(root: Path) -> Iterator[tuple[str, bytes]]:
    """What `export` writes of the study."""
    from concordant.collection.export import export

    with tempfile.TemporaryDirectory(prefix="tables-") as place, chdir(root):
        for file in export(FOLDER, Path(place) / "judgements.csv").files:
            name = file.name.removeprefix("judgements.") if file.name != "judgements.csv" else file.name
            if name != "recruitment.csv":
                yield f"tables/{name}", file.read_bytes()


def _report(data: Any, settings: Mapping[str, Any], progress: Progress) -> dict[str, bytes]:
    """The report, and its coefficients as a table with their signatures."""
    document = write_report(data, progress=progress, **settings["report"])
    made = {}
    with tempfile.TemporaryDirectory(prefix="report-") as place:
        for ending in (".html", ".md"):
            path = Path(place) / f"report{ending}"
            format_for(path).write(document, path)
            made[f"report/{path.name}"] = path.read_bytes()
    return {**made, COEFFICIENTS: _coefficients(signatures_in(document)).encode()}


def signatures_in(document: Document) -> list[str]:
    """Every signature of a report, in its order."""
    blocks = [block for section in document.sections for block in section.blocks]
    items = [str(item) for block in blocks if isinstance(block, Points) and block.is_code for item in block.items]
    return list(dict.fromkeys(item for item in items if "|value:" in item))


def _coefficients(signatures: list[str]) -> str:
    """One row for each signature; numbers in full."""
    table = io.StringIO()
    writer = csv.writer(table, lineterminator="\n")
    writer.writerow(COLUMNS)
    for text in signatures:
        one = read_signature(text)
        low, _, high = one.fields.get("interval", ",").partition(",")
        place = "; ".join(f"{name}={level}" for name, level in (one.slice or {}).items())
        value = "" if one.fields["value"] == UNDEFINED else one.fields["value"]
        counts = (one.fields.get("units", ""), one.fields.get("raters", ""))
        writer.writerow([one.question or "", place, one.key, value, low, high, *counts, text])
    return table.getvalue()
