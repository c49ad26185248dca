"""tagtog's export: `ann.json/members/USER/…/DOCUMENT.ann.json`; entities are spans, labels of documents judgements.

The legend names classes and labels.

`master` is the version that was merged from all members, so it is no rater. A document may have several parts (title,
paragraphs), each with positions of its own: a part is a text.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from concordant.choices import Choices
from concordant.digits import counted
from concordant.errors import InputError
from concordant.model.spans import Mark, SpanTable
from concordant.model.study import Study
from concordant.readers.answers import Answer, AnswerOptions, Answers
from concordant.readers.format import LIKELY, SURE, Format
from concordant.readers.json_records import document
from concordant.readers.rater_files import NOT_A_RATER

ENDING, LEGEND, MASTER = ".ann.json", "annotations-legend.json", "master"
MOST_LOOKED_AT = 20  # documents that are looked at for labels


def members_of(root: Path) -> tuple[dict[Path, str], dict[str, str]]:
    """Whose each file is, and the files that are no member's."""
    files = sorted(root.rglob(f"*{ENDING}")) if root.is_dir() else [root]
    if not files:
        raise InputError(f"there is no file ending in {ENDING}", file=root)
    owners = {file: owner_of(file, root) for file in files}
    people = {file: owner for file, owner in owners.items() if owner != MASTER} or owners
    return people, {str(file.relative_to(root)): NOT_A_RATER for file in files if file not in people}


def read_labels(path: str | Path, options: AnswerOptions) -> Study:
    """The labels that members gave to whole documents."""
    root = Path(path)
    people, unused = members_of(root)
    legend = legend_of(root)
    answers = Answers(root)
    answers.unused |= unused
    for file, owner in people.items():
        found = document(file)
        if not isinstance(found, dict) or not isinstance(found.get("metas", {}), dict):
            raise InputError("this has no labels of the document", file=file, hint="export as ann.json")
        entities = found.get("entities") or ()
        answers.left_out["entities are spans (--format tagtog)"] += len(entities)
        for key, given in found.get("metas", {}).items():
            value = given.get("value") if isinstance(given, dict) else given
            is_guess = found.get("anncomplete") is False and is_by_model(given)
            answers.left_out["labels proposed by a model, of documents not confirmed"] += is_guess
            if not is_guess:
                name = str(legend.get(key, key))
                answers.given.append(Answer(file.name.removesuffix(ENDING), owner, name, value, 1))
    if not answers.given:
        raise InputError("no document has a label", file=root, hint="say --format tagtog if these are spans")
    return answers.study(options)


def read(path: str | Path, options: Choices) -> SpanTable:
    """The spans of a file, or of all members in a folder."""
    root = Path(path)
    owners, unused = members_of(root)
    people = list(owners)
    legend = legend_of(root)
    marks: list[Mark] = []
    seen: set[tuple[str, str]] = set()
    n_labels, n_open, n_made = 0, 0, 0
    for file in people:
        found = document(file)
        if not isinstance(found, dict) or not isinstance(found.get("entities"), list):
            raise InputError("this has no list of entities", file=file, hint="export as ann.json")
        name = file.name.removesuffix(ENDING)
        parts = (found.get("annotatable") or {}).get("parts") or [""]
        seen |= {(f"{name}/{part}" if len(parts) > 1 else name, owners[file]) for part in parts}
        is_done = found.get("anncomplete") is not False
        entities = [one for one in found["entities"] if is_done or not is_by_model(one)]
        n_made += sum(map(is_by_model, found["entities"]))
        n_open += not is_done
        marks += marks_of(entities, name, owners[file], legend, is_single=len(parts) == 1, file=file)
        n_labels += len(found.get("metas") or {})
    table = SpanTable.from_marks(str(path), marks, seen=seen)
    notes: tuple[str, ...] = () if legend or not marks else (f"classes are tagtog's ids, since {LEGEND} is not there",)
    notes += (f"{counted(n_open, 'document')} not confirmed by their members",) * bool(n_open)
    notes += (f"{counted(n_made, 'span')} proposed by a model: used where the document was confirmed",) * bool(n_made)
    left_out = ((n_labels, "labels of whole documents are no spans (--format tagtog_choices)"),) if n_labels else ()
    return replace(table, unused=unused, notes=(*table.notes, *notes), left_out=left_out)


def owner_of(file: Path, root: Path) -> str:
    """Whose a file is: the folder below `members`, `master`, or the file itself where there is neither."""
    places = file.relative_to(root).parts if root.is_dir() else file.parts
    if "members" in places[:-2]:
        return places[places.index("members") + 1]
    return MASTER if MASTER in places[:-1] else file.name.removesuffix(ENDING)


def legend_of(root: Path) -> dict[str, str]:
    """The names of classes; empty without a legend beside or above the files."""
    above = (folder / LEGEND for folder in (root, *root.parents[:4]) if (folder / LEGEND).is_file())
    place = next(above, None) or next(root.rglob(LEGEND) if root.is_dir() else iter(()), None)
    found = document(place) if place is not None else {}
    return {str(id): str(name) for id, name in found.items()} if isinstance(found, dict) else {}


def is_by_model(entity: Any) -> bool:
    """Whether only models, and no user, made an entity."""
    confidence = entity.get("confidence") if isinstance(entity, dict) else None
    who = confidence.get("who") if isinstance(confidence, dict) else None
    return bool(who) and all(str(one).startswith("ml:") for one in who or ())


def marks_of(
    entities: list[Any], name: str, rater: str, legend: dict[str, str], *, is_single: bool, file: Path
) -> Iterator[Mark]:
    """The spans of a document, from the first begin to the last end of their pieces."""
    for row, entity in enumerate(entities, start=1):
        try:
            pieces = [(int(one["start"]), int(one["start"]) + len(one["text"])) for one in entity["offsets"]]
            category, part = str(entity["classId"]), str(entity["part"])
        except (KeyError, TypeError, ValueError) as error:
            raise InputError(f"an entity has no offsets, class or part: {error}", file=file, row=row) from None
        text = name if is_single else f"{name}/{part}"
        begin, end = min(one for one, _ in pieces), max(one for _, one in pieces)
        yield Mark(text, rater, begin, end, legend.get(category, category))


def sniff(path: Path, head: str) -> float:
    """Documents with `annotatable` parts and `entities`; a folder that holds one."""
    if path.is_dir():
        first = next(path.rglob(f"*{ENDING}"), None)
        return 0.0 if first is None else sniff(first, first.read_text("utf-8", errors="replace")[:4096])
    return SURE * ('"annotatable"' in head and ('"entities"' in head or '"anncomplete"' in head))


def sniff_spans(path: Path, head: str) -> float:
    """The same, unless there are only labels of documents."""
    return sniff(path, head) if "classId" in sample_of(path, head) else min(sniff(path, head), LIKELY)


def sniff_labels(path: Path, head: str) -> float:
    """The same, where documents have labels; entities beside them are likelier what is asked about."""
    sample = sample_of(path, head)
    has_labels = re.search(r'"metas"\s*:\s*\{\s*"', sample) is not None
    return has_labels * (min(sniff(path, head), LIKELY) if "classId" in sample else sniff(path, head))


def sample_of(path: Path, head: str) -> str:
    """The head of a file, or of some in a folder."""
    if not path.is_dir():
        return head
    files = sorted(path.rglob(f"*{ENDING}"))[:MOST_LOOKED_AT]
    return "".join(one.read_text("utf-8", errors="replace")[:4096] for one in files)


FORMAT = (
    Format(
        name="tagtog",
        holds="spans",
        help="tagtog's ann.json: a folder for each member.",
        read=read,
        endings=(".json",),
        sniff=lambda path, head: (
            min(sniff(path, head), LIKELY) if sniff_labels(path, head) == SURE else sniff(path, head)
        ),
    ),
    Format(
        name="tagtog_choices",
        holds="judgements",
        help="tagtog's labels of whole documents: a folder for each member.",
        read=read_labels,
        endings=(".json",),
        options=AnswerOptions,
        sniff=sniff_labels,
    ),
)
