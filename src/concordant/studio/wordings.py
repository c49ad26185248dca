"""The guidelines of a study that is built, wherever they stand: their text, their file, what their versions said."""

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path

from concordant.design.description import Description
from concordant.errors import InputError
from concordant.files import written_whole
from concordant.studio.drafts import LONGEST_FILE, WorkingDraft
from concordant.studio.projects import Studio

VERSIONS = "_versions"
RULES, RULES_VERSION = "guidelines.txt", "guidelines-version.txt"
SHOWN = "rules-of"
"""The field of a form that names the file whose guidelines it shows."""
SAME, ADDED, REMOVED = "same", "added", "removed"
PIECE = re.compile(r"\s+|\w+|[^\w\s]")
MOST_PIECES = 20_000  # compared word by word; longer texts line by line


@dataclass(frozen=True, kw_only=True)
class Wording:
    """One version of the guidelines; `parts` are its words and those it dropped, each the same, added or removed."""

    version: str
    text: str
    parts: tuple[tuple[str, str], ...]


def wordings(draft: WorkingDraft) -> list[Wording]:
    """Every version that was published, the latest first; the draft before them if it says something else."""
    known = list(published_rules(draft.studio, draft.name))
    now = str(draft.document.get("guidelines", {}).get("version", "")), rules_of(draft)
    if now[1] and now != (known[-1] if known else None):
        known.append(now)
    before = ["", *(text for _, text in known)]
    found = [
        Wording(version=version, text=text, parts=tuple(differing(earlier, text)))
        for (version, text), earlier in zip(known, before, strict=False)
    ]
    return found[::-1]


def rules_file(draft: WorkingDraft) -> Path | None:
    """The file with the guidelines, where they stand in one that can be read and lies in the study's folder."""
    table = draft.document.get("guidelines", {})
    name, folder = table.get("file") if isinstance(table, dict) else None, draft.folder.resolve()
    file = (folder / str(name)).resolve()
    if not name or not file.is_relative_to(folder) or not file.is_file():
        return None
    with suppress(UnicodeDecodeError):
        text_in(file)
        return file
    return None


def text_in(file: Path) -> str:
    """What a file says, with the ends of its lines as they are."""
    with file.open(encoding="utf-8", newline="") as stream:
        return stream.read()


def rules_of(draft: WorkingDraft) -> str:
    """The guidelines, wherever they stand."""
    table, file = draft.document.get("guidelines", {}), rules_file(draft)
    written = str(table.get("text", "")) if isinstance(table, dict) else ""
    return text_in(file).replace("\r\n", "\n") if file else written


def stored_rules(draft: WorkingDraft, form: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """Write the guidelines of a form into their file, if they stand in one; returns what is left for the study file.

    The file keeps every byte where its text is the same, and else the ends of its lines. What the form shows of a file
    that is not the one it names is not written.
    """
    fields, file = list(form), rules_file(draft)
    given = dict(fields)
    named = given.get("guidelines.file", "")
    if file is None or not named or "guidelines.text" not in given:
        return fields
    if draft.document["guidelines"]["file"] == named == given.get(SHOWN):
        before = text_in(file)
        said = given["guidelines.text"].replace("\r\n", "\n").strip("\n")
        if len(said) > LONGEST_FILE:
            raise InputError(f"guidelines have {LONGEST_FILE:,} characters at most", hint="nothing was changed")
        if said != before.replace("\r\n", "\n").strip("\n"):
            end = "\r\n" if "\r\n" in before else "\n"
            with written_whole(file) as beside:
                after = before[len(before.rstrip("\r\n")) :] or end
                beside.write_text(said.replace("\n", end) + after, encoding="utf-8", newline="")
    return [(name, text) for name, text in fields if name != "guidelines.text"]


def published_rules(studio: Studio, name: str) -> Iterator[tuple[str, str]]:
    """Version and text of the guidelines, in the order of publishing; one that stayed the same once."""
    last = None
    if studio.home is None:
        return
    for file in sorted((studio.home / VERSIONS / name).glob(f"*/{RULES}")):
        told = file.with_name(RULES_VERSION).read_text(encoding="utf-8"), file.read_text(encoding="utf-8")
        if told != last:
            yield told
        last = told


def differing(before: str, after: str) -> Iterator[tuple[str, str]]:
    """What stayed, what came and what went, in the order of reading.

    >>> list(differing("Mark the verb.", "Mark the main verb."))
    [('same', 'Mark the '), ('added', 'main '), ('same', 'verb.')]
    """
    if not before:
        yield SAME, after
        return
    is_short = len(before) + len(after) < MOST_PIECES
    old, new = (PIECE.findall(text) if is_short else text.splitlines(keepends=True) for text in (before, after))
    for tag, i, j, k, n in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag == "equal":
            yield SAME, "".join(new[k:n])
            continue
        if i < j:
            yield REMOVED, "".join(old[i:j])
        if k < n:
            yield ADDED, "".join(new[k:n])


def keep_rules(description: Description, kept: Path) -> None:
    """The guidelines of a version, which may lie in a file of their own."""
    if description.guidelines is not None:
        (kept / RULES).write_text(description.guidelines.text, encoding="utf-8", newline="")
        (kept / RULES_VERSION).write_text(description.guidelines.version, encoding="utf-8")
