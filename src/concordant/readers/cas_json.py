"""UIMA CAS JSON, an export of INCEpTION: `text/rater.json`, with its type system inside."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from concordant.errors import InputError
from concordant.readers.cas import Structure, document_of
from concordant.readers.format import SURE
from concordant.readers.json_records import as_json
from concordant.readers.layers import Document, layered_format
from concordant.readers.rater_files import text_of

STRUCTURES = "%FEATURE_STRUCTURES"


def of_file(file: Path) -> Document:
    """The layers of one document."""
    return of_text(text_of(file), file)


def of_text(content: str, file: Path | str) -> Document:
    """The layers of a document as it is written."""
    found = structures_of(content, file)
    text, sofa = sofa_of(found, file)
    return document_of(text, structures(found, sofa, file), file)


def structures_of(content: str, file: Path | str) -> list[Mapping[str, Any]]:
    """All feature structures, which are a list or named by their ids."""
    try:
        record = as_json(content, file)
    except (json.JSONDecodeError, RecursionError) as error:
        raise InputError(f"not JSON: {error}", file=file, hint="export it again") from error
    found = record.get(STRUCTURES) if isinstance(record, dict) else None
    if isinstance(found, dict):
        found = [{"%ID": name, **one} for name, one in found.items() if isinstance(one, dict)]
    if not isinstance(found, list) or not all(isinstance(one, dict) for one in found):
        raise InputError("this is not UIMA CAS JSON", file=file, hint="export it as UIMA CAS JSON 0.4.0")
    return found


def sofa_of(found: list[Mapping[str, Any]], file: Path | str) -> tuple[str, str]:
    """The text and the id of the first subject of analysis that has one."""
    for one in found:
        if one.get("%TYPE") == "uima.cas.Sofa" and isinstance(one.get("sofaString"), str):
            return one["sofaString"], str(one.get("%ID"))
    raise InputError("this document has no text", file=file, hint="export it as UIMA CAS JSON 0.4.0")


def structures(found: list[Mapping[str, Any]], sofa: str, file: Path | str) -> Iterator[Structure]:
    """The annotations of a text; keys that begin with @ point to others."""
    for one in found:
        if "begin" not in one or "end" not in one or str(one.get("@sofa")) != sofa:
            continue
        begin, end = one["begin"], one["end"]
        if type(begin) is not int or type(end) is not int:
            raise InputError(f"{one.get('%TYPE')} {begin}-{end} has no position", file=file, hint="export it again")
        plain = {key: value for key, value in one.items() if key[:1] not in "%@^" and key not in {"begin", "end"}}
        values = {key: written(value) for key, value in plain.items() if isinstance(value, str | int | float)}
        links = {key.lstrip("@^") for key in one if key[:1] in "@^" and key != "@sofa"} | plain.keys() - values.keys()
        yield Structure(str(one.get("%TYPE", "")), begin, end, values, frozenset(links))


def written(value: str | float) -> str:
    """A plain value as a text; booleans as XMI writes them."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def text_in(file: Path) -> str | None:
    """The text of a document."""
    try:
        return sofa_of(structures_of(text_of(file), file), file)[0]
    except InputError:
        return None  # the reader will say what is wrong with it


def sniff(path: Path, head: str) -> float:
    """CAS JSON names its types, its views or its structures at the beginning."""
    is_object = path.suffix.casefold() == ".json" and head.lstrip()[:1] == "{"
    return SURE * (is_object and any(f'"{key}"' in head for key in ("%TYPES", STRUCTURES)))


FORMAT = layered_format(
    of_file,
    name="cas_json",
    help="UIMA CAS JSON as INCEpTION exports it: a file for each text and rater.",
    endings=(".json",),
    order="text/rater",
    sniff=sniff,
    text_in=text_in,
)
