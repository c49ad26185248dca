"""REFI-QDA (`.qdpx`), how programs for qualitative analysis exchange projects: codings of passages in texts are spans.

The code is the category, with the codes above it (`Food/Milk`); who made a coding is its rater. Codings of pictures,
sounds, videos and pages, and those of whole sources, are not spans of text and are counted.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from concordant.choices import Choices
from concordant.errors import InputError
from concordant.model.spans import Mark
from concordant.readers.format import SURE, Format
from concordant.readers.markup import children, local, root_of
from concordant.readers.rater_files import Marked, Part, Parts, table_of
from concordant.readers.zipped import names_in, opened, unpacked

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

    from concordant.model.spans import SpanTable

NO_CODE, NO_TEXT = "a passage without a code", "a coding of something else than a passage of a text"
UNKNOWN = "unknown"


def read(path: str | Path, options: Choices) -> "SpanTable":
    """The codings of a project."""
    file = Path(path)
    with opened(file) as archive:
        names = archive.namelist()
        project = next((name for name in names if name.casefold().endswith(".qde")), None)
        if project is None:
            raise InputError("this archive has no project (.qde)", file=file, hint="export it as REFI-QDA project")
        root = root_of(unpacked(archive, project, file), file)
        texts = {Path(name).name: name for name in names if name.casefold().endswith(".txt")}
        content = codings(root, file)
        lengths = {
            text: float(len(unpacked(archive, texts[stored], file).decode("utf-8-sig", "replace")))
            for text, stored in stored_texts(root).items()
            if stored in texts
        }
    return table_of(str(path), Parts([Part(file.stem, UNKNOWN, file)]), [content._replace(lengths=lengths)])


def codings(root: "Element", file: Path) -> Marked:
    """All codings of passages in texts, and what is none."""
    users = {
        one.get("guid"): one.get("name", "") or one.get("guid", "") for one in root.iter() if local(one.tag) == "User"
    }
    codes = code_paths(root)
    marks: list[Mark] = []
    left_out: list[str] = []
    n_codings = sum(local(one.tag) == "Coding" for one in root.iter())
    with_spans = set()
    for source, name in text_sources(root).items():
        for passage in (one for one in source.iter() if local(one.tag) == "PlainTextSelection"):
            found = children(passage, "Coding")
            left_out += [NO_CODE] * (not found)
            for coding in found:
                user = coding.get("creatingUser") or passage.get("creatingUser")
                begin, end = place_of(passage, file)
                code = codes.get(next((r.get("targetGUID") for r in children(coding, "CodeRef")), None))
                if code is None:
                    raise InputError("a coding has no code of the project", file=file, hint="export it again")
                marks.append(Mark(name, users.get(user, user or UNKNOWN), begin, end, code))
                with_spans.add(name)
    left_out += [NO_TEXT] * (n_codings - len(marks))
    unused = {f"source {one}": "no coding in its text" for one in text_sources(root).values() if one not in with_spans}
    seen = {(mark.text, mark.rater) for mark in marks}
    return Marked(marks, {}, seen, unused, left_out)


def text_sources(root: "Element") -> dict["Element", str]:
    """The texts with their names; where two have one name the guid is added."""
    found = [one for one in root.iter() if local(one.tag) == "TextSource"]
    names = [one.get("name", "") for one in found]
    return {
        one: name if names.count(name) == 1 else f"{name} {one.get('guid')}"
        for one, name in zip(found, names, strict=True)
    }


def stored_texts(root: "Element") -> dict[str, str]:
    """The file of the plain text of every source."""
    return {name: one.get("plainTextPath", "").rpartition("/")[2] for one, name in text_sources(root).items()}


def code_paths(root: "Element") -> Mapping[str | None, str]:
    """The codes by their ids, each with those above it."""
    found: dict[str | None, str] = {}

    def add(parent: "Element", above: str) -> None:
        for code in children(parent, "Code"):
            path = f"{above}{code.get('name', '')}"
            found[code.get("guid")] = path
            add(code, f"{path}/")

    for codes in (one for one in root.iter() if local(one.tag) == "Codes"):
        add(codes, "")
    return found


def place_of(passage: "Element", file: Path) -> tuple[float, float]:
    """Begin and end of a passage."""
    try:
        return float(passage.get("startPosition", "")), float(passage.get("endPosition", ""))
    except ValueError as error:
        what = f"the passage {passage.get('guid')!r} has no start and end"
        raise InputError(what, file=file, hint="export it again") from error


def sniff(path: Path, head: str) -> float:
    """An archive with a project in it."""
    if path.suffix.casefold() not in {".qdpx", ".zip"} or not head.startswith("PK"):
        return 0.0
    return SURE * any(name.casefold().endswith(".qde") for name in names_in(path))


FORMAT = Format(
    name="qdpx",
    holds="spans",
    help="REFI-QDA projects (.qdpx) of programs for qualitative analysis: codings of passages.",
    read=read,
    endings=(".qdpx", ".zip"),
    sniff=sniff,
)
