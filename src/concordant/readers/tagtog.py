"""tagtog's export: `ann.json/members/USER/…/DOCUMENT.ann.json`; entities are spans, their classes named by the legend.

`master` is the version that was merged from all members, so it is no rater. A document may have several parts (title,
paragraphs), each with positions of its own: a part is a text.
"""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from concordant.choices import Choices
from concordant.digits import counted
from concordant.errors import InputError
from concordant.model.spans import Mark, SpanTable
from concordant.readers.format import SURE, Format
from concordant.readers.json_records import document
from concordant.readers.rater_files import NOT_A_RATER

ENDING, LEGEND, MASTER = ".ann.json", "annotations-legend.json", "master"


def read(path: str | Path, options: Choices) -> SpanTable:
    """The spans of a file, or of all members in a folder."""
    root = Path(path)
    files = sorted(root.rglob(f"*{ENDING}")) if root.is_dir() else [root]
    if not files:
        raise InputError(f"there is no file ending in {ENDING}", file=root)
    owners = {file: owner_of(file, root) for file in files}
    people = [file for file in files if owners[file] != MASTER] or files
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
    unused = {str(file.relative_to(root)): NOT_A_RATER for file in files if file not in people}
    notes: tuple[str, ...] = () if legend or not marks else (f"classes are tagtog's ids, since {LEGEND} is not there",)
    notes += (f"{counted(n_open, 'document')} not confirmed by their members",) * bool(n_open)
    notes += (f"{counted(n_made, 'span')} proposed by a model: used where the document was confirmed",) * bool(n_made)
    left_out = ((n_labels, "labels of whole documents are no spans"),) if n_labels else ()
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


FORMAT = Format(
    name="tagtog",
    holds="spans",
    help="tagtog's ann.json: a folder for each member.",
    read=read,
    endings=(".json",),
    sniff=sniff,
)
