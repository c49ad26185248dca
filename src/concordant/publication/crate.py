"""What is in an archive, for machines: RO-Crate 1.1 (every file with its SHA-256) and Croissant 1.0 (the columns).

Written by hand: both are one JSON-LD document each, and the packages that make them bring more than the whole program.
"""

import csv
import hashlib
import io
import json
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from concordant.about import NAME
from concordant.publication.citation import to_fill

SELF = "ro-crate-metadata.json"
TYPES = {
    ".csv": "text/csv",
    ".tsv": "text/tab-separated-values",
    ".json": "application/json",
    ".jsonl": "application/jsonl",
    ".md": "text/markdown",
    ".html": "text/html",
    ".toml": "application/toml",
    ".cff": "application/yaml",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".wav": "audio/wav",
    ".txt": "text/plain",
}
ABOUT = {
    "archive.json": "What the numbers were computed with; everything that is not a source follows from it",
    "data/judgements.csv": "Every judgement: who judged which unit how",
    "data/codebook.csv": "What columns and values are",
    "data/spans.csv": "Every marked span",
    "study/study.toml": "The study as it was designed, without the names of its raters",
    "study/plan.json": "Which units were drawn, in which sets, as which pairs",
    "study/log.jsonl": "Everything that happened while judgements were collected, without names and dates",
    "study/decisions.jsonl": "What adjudicators decided",
    "tables/judgements.csv": "Every judgement that the cleaning kept",
    "tables/codebook.csv": "What columns and values mean",
    "report/report.html": "The reliability report, to be read",
    "report/report.md": "The reliability report as text",
    "report/coefficients.csv": "Coefficients with intervals and signatures",
    "DATA-STATEMENT.md": "Who judged what, for whom and how: data statement and datasheet",
    "PRIVACY.md": "What was taken out to protect people",
    "CITATION.cff": "How to cite these data",
    "croissant.json": "The columns, for machines that learn",
    "README.md": "What is here and how to check it",
}


def metadata(root: Path, settings: Mapping[str, Any], made: Mapping[str, bytes]) -> str:
    """The RO-Crate: the whole, then every file."""
    found = files(root, made)
    whole = {
        "@id": "./",
        "@type": "Dataset",
        "name": settings["title"],
        "description": settings["description"],
        "datePublished": settings["made"],
        "license": settings["licence"] or to_fill("a licence, such as CC-BY-4.0"),
        "author": [{"@id": f"#author-{n}"} for n, _ in enumerate(settings["authors"], 1)],
        "hasPart": [{"@id": name} for name in found],
    }
    about = {
        "@id": SELF,
        "@type": "CreativeWork",
        "about": {"@id": "./"},
        "conformsTo": {"@id": "https://w3id.org/ro/crate/1.1"},
    }
    people = [{"@id": f"#author-{n}", "@type": "Person", "name": name} for n, name in enumerate(settings["authors"], 1)]
    program = {"@id": f"#{NAME}", "@type": "SoftwareApplication", "name": NAME, "version": settings["version"]}
    written = {
        "@id": "#archive",
        "@type": "CreateAction",
        "name": "The archive was written",
        "instrument": {"@id": f"#{NAME}"},
        "result": {"@id": "./"},
    }
    graph = [about, whole, *(_file(name, content) for name, content in found.items()), *people, program, written]
    return _json({"@context": "https://w3id.org/ro/crate/1.1/context", "@graph": graph})


def files(root: Path, made: Mapping[str, bytes]) -> dict[str, bytes]:
    """Every file of the archive but the list itself, by name."""
    kept = {path.relative_to(root).as_posix(): path for path in root.rglob("*") if path.is_file()}
    names = sorted({*kept, *made} - {SELF})
    return {name: made[name] if name in made else kept[name].read_bytes() for name in names}


def _file(name: str, content: bytes) -> dict[str, Any]:
    kind = TYPES.get(Path(name).suffix.lower(), "application/octet-stream")
    said = {"description": ABOUT[name]} if name in ABOUT else {}
    return {
        "@id": name,
        "@type": "File",
        "name": name.rpartition("/")[2],
        **said,
        "encodingFormat": kind,
        "contentSize": str(len(content)),
        "sha256": hashlib.sha256(content).hexdigest(),
    }


def croissant(root: Path, settings: Mapping[str, Any], made: Mapping[str, bytes]) -> str:
    """The main table column by column."""
    found = files(root, made)
    name = next((one for one in ("data/judgements.csv", "data/spans.csv", "tables/judgements.csv") if one in found), "")
    content = found.get(name, b"")
    source = {
        "@type": "cr:FileObject",
        "@id": name,
        "name": name,
        "contentUrl": name,
        "encodingFormat": "text/csv",
        "sha256": hashlib.sha256(content).hexdigest(),
    }
    fields = [
        {
            "@type": "cr:Field",
            "@id": f"judgements/{column}",
            "name": column,
            "dataType": kind,
            "source": {"fileObject": {"@id": name}, "extract": {"column": column}},
        }
        for column, kind in _columns(content).items()
    ]
    table = {"@type": "cr:RecordSet", "@id": "judgements", "name": "judgements", "field": fields}
    return _json(
        {
            "@context": CONTEXT,
            "@type": "sc:Dataset",
            "conformsTo": "http://mlcommons.org/croissant/1.0",
            "name": settings["name"],
            "description": settings["description"],
            "license": settings["licence"] or to_fill("a licence, such as CC-BY-4.0"),
            "creator": [{"@type": "sc:Person", "name": name} for name in settings["authors"] or [to_fill("authors")]],
            "datePublished": settings["made"],
            "version": settings["data_version"],
            "citeAs": f"{settings['title']}; see CITATION.cff",
            "distribution": [source] if name else [],
            "recordSet": [table] if name else [],
        }
    )


def _columns(content: bytes) -> dict[str, str]:
    """The columns of a table and what is in them."""
    header, *rows = csv.reader(io.StringIO(content.decode())) if content else [[]]
    return {column: _type([row[i] for row in rows if row[i]]) for i, column in enumerate(header)}


def _type(cells: list[str]) -> str:
    """Whether a column holds whole numbers, numbers or words."""
    for kind, of in (("sc:Integer", np.int64), ("sc:Float", np.float64)):
        with suppress(ValueError, OverflowError):
            np.array(cells).astype(of)
            return kind if cells else "sc:Text"
    return "sc:Text"


def _json(document: Mapping[str, Any]) -> str:
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


CONTEXT: dict[str, Any] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "equivalentProperty": "cr:equivalentProperty",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileProperty": "cr:fileProperty",
    "fileObject": "cr:fileObject",
    "fileSet": "cr:fileSet",
    "format": "cr:format",
    "includes": "cr:includes",
    "isLiveDataset": "cr:isLiveDataset",
    "jsonPath": "cr:jsonPath",
    "key": "cr:key",
    "md5": "cr:md5",
    "parentField": "cr:parentField",
    "path": "cr:path",
    "recordSet": "cr:recordSet",
    "references": "cr:references",
    "regex": "cr:regex",
    "repeated": "cr:repeated",
    "replace": "cr:replace",
    "samplingRate": "cr:samplingRate",
    "sc": "https://schema.org/",
    "separator": "cr:separator",
    "source": "cr:source",
    "subField": "cr:subField",
    "transform": "cr:transform",
}
"""The context of Croissant 1.0, word by word."""
