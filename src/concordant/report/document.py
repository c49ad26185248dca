"""A report before it has a format: sections made of a few kinds of blocks. Built once, written in every format."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

from concordant.about import NAME
from concordant.errors import ConcordantError
from concordant.report.grid import Grid, Link

if TYPE_CHECKING:
    from concordant.measures.result import Agreement
    from concordant.plots.picture import Picture
    from concordant.treebank.trees import Tree

WITH_VERIFY = f"; check one with {NAME} verify SIGNATURE DATA"
SIGNED = "% signature: "
"""What stands at the end of a row of a LaTeX table before its signature: it is not printed, and `verify` reads it."""
Tone = Literal["serious", "warning", "note"]


@dataclass(frozen=True, kw_only=True)
class Paragraph:
    """Running text."""

    text: str


@dataclass(frozen=True, kw_only=True)
class Points:
    """A list, of texts or places in the report; `is_code` for lines that are copied rather than read (signatures)."""

    items: tuple[str | Link, ...]
    is_code: bool = False
    is_open: bool = False


@dataclass(frozen=True, kw_only=True)
class Notice:
    """Something the reader must not miss: what it is, and further sentences with a heading each.

    `lack` is the reason where the notice stands in the place of something that could not be made.
    """

    tone: Tone
    text: str
    more: tuple[tuple[str, str], ...] = ()
    lack: str = ""


@dataclass(frozen=True, kw_only=True)
class Drawing:
    """A picture, and the command that draws it again."""

    picture: "Picture"
    command: str


@dataclass(frozen=True, kw_only=True)
class TreePair:
    """Two analyses of one sentence side by side; the nodes that the other does not have are marked in each."""

    LEGEND: ClassVar[str] = "Nodes that the other analysis does not have are marked ≠."
    DRAWN: ClassVar[str] = "Nodes that the other analysis does not have are framed; point at a node to see its words."

    trees: "tuple[Tree, Tree]"
    names: tuple[str, str]
    captions: tuple[str, str]


@dataclass(frozen=True, kw_only=True)
class Case:
    """One case to look at closely, folded on a page. A workbook leaves it out: the section's table has its figures."""

    title: str
    remark: str
    blocks: "tuple[Paragraph | Grid | TreePair, ...]"
    is_open: bool = False


Block = Paragraph | Points | Grid | Notice | Drawing | TreePair | Case


@dataclass(frozen=True, kw_only=True)
class Section:
    """A heading with what stands below it; `key` names it in links.

    A workbook gives each table a sheet, the first one named `sheet` (or like the section); with `is_one_sheet` all
    blocks stand below each other on one.
    """

    key: str
    title: str
    blocks: tuple[Block, ...]
    sheet: str = ""
    is_one_sheet: bool = False
    is_first: bool = False


@dataclass(frozen=True, kw_only=True)
class Document:
    """The whole report."""

    title: str
    subtitle: str
    sections: tuple[Section, ...] = ()

    def __repr__(self) -> str:
        """The title and what there is, not the contents."""
        return f"<{self.title}: {', '.join(section.key for section in self.sections)}>"


def signature_blocks(results: "Sequence[Agreement]", how_to_check: str = "") -> list[Block]:
    """The signatures, to be copied."""
    said = f"Signatures: each says what was computed on which data{how_to_check}."
    return [Paragraph(text=said), Points(items=tuple(r.short_signature for r in results if r.signature), is_code=True)]


def drawn(kind: str, source: str, make: "Callable[[], Picture]", command: str = "") -> Block:
    """The picture with the command that draws it, or why there is none, in its place."""
    try:
        return Drawing(picture=make(), command=f"{NAME} {command or f'plot {kind}'} {source} -o {kind}.svg")
    except ConcordantError as error:
        return Notice(tone="note", text=f"There is no picture of the kind {kind}: {error}", lack=str(error))


def typed(selection: Mapping[str, str]) -> list[str]:
    """The options with which data were read, as they are typed.

    >>> typed({"level": "ordinal", "where": "genre=news;set=1", "only": "A,B"})
    ['--level', 'ordinal', '--where', 'genre=news', '--where', 'set=1', '--raters', 'A,B']
    """
    words = []
    for name, value in selection.items():
        option = f"--{'raters' if name == 'only' else name.removeprefix('column_')}"
        words += [word for one in (value.split(";") if name == "where" else [value]) for word in (option, one)]
    return words
