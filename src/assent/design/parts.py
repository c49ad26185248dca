"""The smaller parts of a study file: each function makes one value of one table that the schema has accepted."""

import re
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from assent.design.checking import Source
from assent.design.description import (
    Example,
    Instructions,
    Introduction,
    Media,
    Option,
    ParticipantQuestion,
    Pattern,
    Question,
    Rater,
    Task,
    Thanks,
)
from assent.design.rows import DataFile
from assent.design.texts import normalised
from assent.design.units import IMAGES, media_fault

Table = Mapping[str, Any]

YES_NO = (Option(value="yes", label="Yes", key="y"), Option(value="no", label="No", key="n"))
A_B_SAME = (
    Option(value="A", label="A", key="a"),
    Option(value="B", label="B", key="b"),
    Option(value="same", label="Same / unsure", key="s"),
)
DEFAULT_OPTIONS = {Task.BINARY: YES_NO, Task.PAIRWISE: A_B_SAME, Task.PARSES: YES_NO}


def question(source: Source, number: int, table: Table) -> Question:
    """A question, with the options its task has by itself when none are given."""
    task = Task(table["task"])
    renamed = {("is_optional" if key == "optional" else key): value for key, value in table.items()}
    plain = {key: value for key, value in renamed.items() if key not in {"task", "options", "patterns"}}
    return Question(
        **plain,
        task=task,
        options=options(table.get("options")) or DEFAULT_OPTIONS.get(task, ()),
        patterns=tuple(pattern(entry) for entry in table.get("patterns", ())),
    )


def options(entries: list[Any] | None) -> tuple[Option, ...]:
    """Options written as texts or as tables; without a key of their own the first nine get 1 to 9."""
    tables = [{"value": entry} if isinstance(entry, str) else entry for entry in entries or ()]
    return tuple(
        Option(
            value=table["value"],
            label=table.get("label", table["value"]),
            key=table.get("key", str(i) if i < 10 else ""),
            help=table.get("help", ""),
        )
        for i, table in enumerate(tables, 1)
    )


def pattern(table: Table) -> Pattern:
    """A pattern to fill in; its class is its own id unless another is named."""
    return Pattern(**{"category": table["id"], **table})


def rater(table: Table) -> Rater:
    """An invited rater; sets are numbered from 1 in the file and from 0 inside."""
    number = table.get("set")
    return Rater(id=table["id"], attributes=table.get("attributes", {}), set=None if number is None else number - 1)


def introduction(table: Table | None) -> Introduction | None:
    """The first page."""
    return Introduction(**table) if table is not None else None


def participant(table: Table) -> ParticipantQuestion:
    """A question about the participant."""
    plain = {key: value for key, value in table.items() if key not in {"options", "required"}}
    return ParticipantQuestion(**plain, options=options(table.get("options")), is_required=table.get("required", False))


def instructions(source: Source, folder: Path, table: Table | None) -> Instructions | None:
    """The page that says what to do, with its examples."""
    if table is None:
        return None
    examples = [_example(source, folder, i, entry) for i, entry in enumerate(table.get("examples", ()))]
    return Instructions(text=table["text"], examples=tuple(examples))


def _example(source: Source, folder: Path, number: int, table: Table) -> Example:
    image = table.get("image")
    if image and (fault := media_fault(folder, image, IMAGES)):
        source.report(("instructions", "examples", number, "image"), f"image {image!r} {fault}")
    plain = {key: value for key, value in table.items() if key not in {"image", "image_alt"}}
    return Example(**plain, image=Media(path=image, alt=table.get("image_alt", "")) if image else None)


def thanks(table: Table) -> Thanks:
    """The last page."""
    renamed = {("asks_comment" if key == "comment" else key): value for key, value in table.items()}
    return Thanks(**renamed)


def lexicon(data: DataFile) -> dict[str, frozenset[str]]:
    """Words with the parts of speech they can be."""
    found: dict[str, set[str]] = defaultdict(set)
    for row in data.rows:
        found[normalised(row.cells["word"])].add(row.cells["part_of_speech"].strip())
    return {word: frozenset(kinds) for word, kinds in found.items()}


def spelling(data: DataFile) -> dict[str, str]:
    """Spellings to normalise."""
    return {normalised(row.cells["written"]): row.cells["meant"].strip() for row in data.rows}


def split_toml_message(message: str, text: str) -> tuple[str, int]:
    """What the TOML parser complains about, and the line it names (the last line for the end of the document)."""
    found = re.search(r" \(at line (\d+), column \d+\)$", message)
    if found is None:
        return message.removesuffix(" (at end of document)"), text.count("\n") + 1
    return message[: found.start()], int(found[1])
