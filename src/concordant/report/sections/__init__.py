"""The sections of reports, one module each, found by themselves.

A module here, or one that another package announces by an entry point in the group `concordant.report.sections`, holds
`SECTION`, a `SectionMaker`. Its `blocks` is called with the facts of the report: `JudgementFacts`, `SpanFacts` or
`TreebankFacts`, whichever it is `of`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from concordant.errors import ConcordantError
from concordant.registry import parts
from concordant.report.document import Block, Notice, Section


@dataclass(frozen=True, kw_only=True)
class SectionMaker:
    """A section: where it stands (`order`), of which kinds of data it speaks, and how its blocks are made.

    `is_first` belongs on the first page of a report that is read; the rest is folded there.

    No blocks means no section; an error that the user can do something about is told in its place.
    """

    key: str
    title: str
    order: int
    of: tuple[str, ...]
    blocks: Callable[[Any], Sequence[Block]]
    sheet: str = ""
    is_one_sheet: bool = False
    is_first: bool = False

    def make(self, facts: Any) -> Section:
        """The section of these facts."""
        try:
            blocks = tuple(self.blocks(facts))
        except ConcordantError as error:
            blocks = (Notice(tone="note", text=f"This section is empty: {error}", lack=str(error)),)
        return Section(
            key=self.key,
            title=self.title,
            blocks=blocks,
            sheet=self.sheet,
            is_one_sheet=self.is_one_sheet,
            is_first=self.is_first,
        )


def sections_of(facts: Any) -> tuple[Section, ...]:
    """All sections that speak of this kind of data, in their order."""
    makers = sorted(parts("report/sections", "SECTION"), key=lambda maker: maker.order)
    made = [maker.make(facts) for maker in makers if facts.kind in maker.of]
    return tuple(section for section in made if section.blocks)
