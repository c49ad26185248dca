"""The formats of reports, one module each, found by themselves.

A module here, or one that another package announces by an entry point in the group `concordant.report.formats`, holds
`FORMAT`: the endings of its files and how a document is written to one.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from concordant.errors import InputError, nearest
from concordant.files import refuse_unwritable
from concordant.registry import parts
from concordant.report.document import Document


@dataclass(frozen=True, kw_only=True)
class ReportFormat:
    """A way to write a document; it is named by the first of its `endings`."""

    endings: tuple[str, ...]
    order: int
    write: Callable[[Document, Path], object]


def as_text(render: Callable[[Document], str]) -> Callable[[Document, Path], object]:
    """A writer from a function that makes the whole text."""
    return lambda document, path: path.write_bytes(render(document).encode())


def format_for(path: str | Path) -> ReportFormat:
    """The format of a path's ending; an unknown ending or an unwritable place is refused before any work is done."""
    ending = Path(path).suffix.lower()
    known: list[ReportFormat] = sorted(parts("report/formats", "FORMAT"), key=lambda one: one.order)
    found = next((one for one in known if ending in one.endings), None)
    if found is None:
        names = [one.endings[0] for one in known]
        raise InputError(f"a report ends in {', '.join(names)}, not {ending!r}", file=path, hint=nearest(ending, names))
    refuse_unwritable(Path(path))
    return found
