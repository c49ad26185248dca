"""Files of single raters: who marked what is in the path. Most formats of spans are read in this way.

Folders may be raters and files texts, or the other way round. Where files hold their texts, equal texts tell which it
is; the notes say what was found.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal, NamedTuple

from concordant.choices import Choices, choice
from concordant.errors import InputError
from concordant.model.spans import Mark, Positions, SpanTable
from concordant.readers.format import Format

Order = Literal["rater/text", "text/rater"]
CURATORS = frozenset({
    "curator", "curation", "curation_user", "curated", "initial_cas", "adjudicated", "adjudication", "adjudicator",
    "gold", "gold_standard", "goldstandard", "gold-standard", "gold_annotation", "consensus",
})  # fmt: skip
NOT_A_RATER = "a curated or gold version is not a rater"
NOBODY = "unknown"  # what doccano calls the file with the texts that nobody labelled
UNLABELLED = "texts that nobody labelled"
BESIDE = frozenset({".txt", ".conf", ".xml", ".md", ".dtd"})  # usual companions of files with spans


class FileOptions(Choices):
    """How the paths of files are read."""

    folders: Literal["raters", "texts"] | None = choice(None, "What folders are; files are the other.")


class Part(NamedTuple):
    """One rater's file of one text; `is_single` says that it is all there is, without a folder."""

    text: str
    rater: str
    file: Path
    is_single: bool = False


class Parts(NamedTuple):
    """The files of a folder, what is not used of it, and how it was understood."""

    files: list[Part]
    unused: Mapping[str, str] = {}
    notes: tuple[str, ...] = ()


class Marked(NamedTuple):
    """What a file holds: spans, how long texts are, and who looked at which texts, marking anything or not.

    Unless said it was the file's rater who looked at the file's text. `unused`, `left_out` and `contents` are those of
    the table.
    """

    marks: Iterable[Mark]
    lengths: Mapping[str, float] = {}
    seen: Iterable[tuple[str, str]] | None = None
    unused: Mapping[str, str] = {}
    left_out: Iterable[str] = ()
    notes: tuple[str, ...] = ()
    contents: Mapping[str, str] = {}


def span_format(
    of_file: Callable[[Part], Marked],
    *,
    name: str,
    help: str,
    endings: tuple[str, ...],
    order: Order | None = "rater/text",
    positions: Positions = "steps",
    sniff: Callable[[Path, str], float] | None = None,
    text_in: Callable[[Path], str | None] | None = None,
) -> Format:
    """The format of spans whose files `of_file` reads, one after the other; `positions` are steps or times.

    `order` is that in which the program exports folders, None if it has none; `text_in` gives the text of a file.
    """

    def read(path: str | Path, options: FileOptions) -> SpanTable:
        found = parts(path, endings, order, options=options, text_in=text_in)
        return table_of(str(path), found, map(of_file, found.files), positions=positions)

    return Format(
        name=name, holds="spans", help=help, read=read, endings=endings, options=FileOptions, sniff=sniff,
        in_folders=True,
    )  # fmt: skip


def table_of(name: str, found: Parts, contents: Iterable[Marked], *, positions: Positions = "steps") -> SpanTable:
    """The table of all files together; equal reasons for leaving something out are counted."""
    marks: list[Mark] = []
    lengths: dict[str, float] = {}
    texts: dict[str, str] = {}
    seen: set[tuple[str, str]] = set()
    unused, notes, left_out = dict(found.unused), dict.fromkeys(found.notes), Counter[str]()
    for part, content in zip(found.files, contents, strict=True):
        marks += content.marks
        lengths |= content.lengths
        texts |= content.contents
        seen |= {(part.text, part.rater)} if content.seen is None else set(content.seen)
        unused |= content.unused
        left_out.update(content.left_out)
        notes |= dict.fromkeys(content.notes)
    table = SpanTable.from_marks(name, marks, lengths=lengths, positions=positions, seen=seen)
    reasons = tuple((number, reason) for reason, number in left_out.items())
    return replace(table, unused=unused, notes=tuple(notes), left_out=reasons, contents=texts)


def parts(
    path: str | Path,
    endings: tuple[str, ...],
    order: Order | None,
    *,
    options: FileOptions | None = None,
    text_in: Callable[[Path], str | None] | None = None,
) -> Parts:
    """The files of a folder: `rater/text.ending`, or `text/rater.ending`. A single file is one text of one rater."""
    root = Path(path)
    if not root.exists():
        raise InputError("there is no such file or folder", file=root)
    if not root.is_dir():
        return Parts([Part(text=root.stem, rater=root.stem, file=root, is_single=True)])
    inside = [file for file in sorted(root.rglob("*")) if file.is_file() and not file.name.startswith(".")]
    files = [file for file in inside if file.suffix.casefold() in endings]
    if not files:
        raise InputError(f"there is no file ending in {' or '.join(endings)}", file=root)
    others = {str(f.relative_to(root)) for f in inside if f.suffix.casefold() not in {*endings, *BESIDE}}
    unused = dict.fromkeys(sorted(others), "not a file of this format")
    places = dict(zip(files, places_of(root, files), strict=True))
    folders = None if options is None else options.folders
    chosen, note = way(root, places, order, folders=folders, text_in=text_in)
    found = []
    for file, place in places.items():
        if chosen == "rater/text":
            found.append(Part(text="/".join((*place[1:], file.stem)), rater=place[0], file=file))
        else:
            found.append(Part(text="/".join(place), rater=file.stem, file=file))
    people = [part for part in found if part.rater.casefold() not in CURATORS]
    for part in found if people else ():
        if part.rater.casefold() in CURATORS:
            unused[str(part.file.relative_to(root))] = NOT_A_RATER
    return Parts(people or found, unused, (note,) if note else ())


def places_of(root: Path, files: Sequence[Path]) -> list[tuple[str, ...]]:
    """The folders of every file below the root, as far as they differ: what all paths share names nobody."""
    inner = [file.relative_to(root).parent.parts for file in files]
    first = n_shared(inner)
    rest = [place[first:] for place in inner]
    last = n_shared([place[::-1] for place in rest])
    names = [place[: len(place) - last] for place in rest]
    shared = inner[0][first - 1] if first else root.name
    return [place or (shared,) for place in names]


def n_shared(places: Sequence[tuple[str, ...]]) -> int:
    """How many of the first parts are the same in all.

    >>> n_shared([("x", "a"), ("x", "b")])
    1
    """
    shortest = min(map(len, places))
    return next((at for at in range(shortest) if len({place[at] for place in places}) > 1), shortest)


def way(
    root: Path,
    places: Mapping[Path, tuple[str, ...]],
    usual: Order | None,
    *,
    folders: str | None,
    text_in: Callable[[Path], str | None] | None,
) -> tuple[Order, str]:
    """Whether folders are raters or texts, and what to say of it.

    Files of one text by several raters hold the same text: so two texts in one folder mean that a folder is no text,
    and two under one name that a name is none. Where this does not tell, the program's usual order does, or the user.
    """
    if folders is not None:
        return ("rater/text" if folders == "raters" else "text/rater"), ""
    texts = {file: text_in(file) for file in places} if text_in and len(places) > 1 else {}
    by_folder, by_name = defaultdict[Any, list[Path]](list), defaultdict[Any, list[Path]](list)
    for file, place in places.items():
        by_folder[place].append(file)
        by_name[(*place[1:], file.stem)].append(file)

    def verdict(groups: Mapping[Any, list[Path]]) -> bool | None:
        """Whether files that would be one text have the same text; None if there are no two or no texts."""
        several = [{texts.get(file) for file in files} for files in groups.values() if len(files) > 1]
        if not several or any(None in found for found in several):
            return None
        return all(len(found) == 1 for found in several)

    folder, name = verdict(by_folder), verdict(by_name)
    if (name and folder is not True) or (folder is False and name is not False):
        why = "files of one name hold the same text" if name else "files of one folder hold different texts"
        return "rater/text", f"folders are the raters: {why}"
    if (folder and name is not True) or (name is False and folder is not False):
        why = "files of one folder hold the same text" if folder else "files of one name hold different texts"
        return "text/rater", f"files are the raters: {why}"
    if usual is not None and text_in is None and all(file.parent == root for file in places):
        return "text/rater", ""
    if usual is not None and len(places) > 1 and all(file.parent == root for file in places):
        hint = "say --folders texts if every file is a rater's, or --folders raters if every file is a text"
        raise InputError("the files may be those of several raters, or several texts of one", file=root, hint=hint)
    if usual is not None or len(places) == 1:
        return usual or "rater/text", ""
    if all(len(files) == 1 for files in by_folder.values()) and len(by_name) == 1:
        return "rater/text", "folders are the raters: each holds a file of the same name"
    hint = "say --folders raters, or --folders texts if every file is a rater's"
    raise InputError("folders can be raters or texts here, and nothing tells which", file=root, hint=hint)


def lines(file: Path) -> list[str]:
    """The lines of a UTF-8 file."""
    return text_of(file).splitlines()


def text_of(file: Path) -> str:
    """The text of a UTF-8 file, line ends as they are."""
    try:
        with file.open(encoding="utf-8-sig", newline="") as stream:
            return stream.read()
    except UnicodeDecodeError as error:
        raise InputError(f"not UTF-8 at byte {error.start}", file=file, hint="save it as UTF-8") from error
    except IsADirectoryError as error:
        raise InputError("this is a folder, and the format is one file", file=file, hint="name the file") from error


def number(cell: str, file: Path, row: int | None, kind: Callable[[str], float] = float) -> float:
    """A position in a file."""
    try:
        return kind(cell)
    except ValueError as error:
        raise InputError(f"{cell!r} is not a position", file=file, row=row, hint="give a number") from error
