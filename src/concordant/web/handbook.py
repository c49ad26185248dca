"""The documentation as pages of HTML, and a search through them: what the studio's guide and the site of files show.

Nothing is kept twice and nothing is made beforehand: pages are read when they are first asked for, without network or
script. A built package has `docs/` beside the templates (`setup.py` puts it there), a checkout beside `src`.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path, PurePosixPath
from posixpath import normpath
from urllib.parse import urlsplit

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup

SHIPPED = Path(__file__).parent / "docs"
FOLDER = SHIPPED if SHIPPED.is_dir() else Path(__file__).parents[3] / "docs"
START, HERE = "index", "/guide"
MOST_FOUND, AROUND = 30, 90
PARTS = {
    "for": "**Who are you?** Where to begin, by what you do",
    "tutorials": "**Tutorials** take you by the hand",
    "how-to": "**How-to guides** solve one task",
    "reference": "**Reference**",
    "explanation": "**Explanation**",
}
"""The folders of pages, and what the index says of each."""
_COMMENT = re.compile(r"<!--.*?-->\s*", re.DOTALL)
_BESIDE_WORDS = re.compile(r"[^\w\- ]")


@dataclass(frozen=True, slots=True)
class Section:
    """What stands below one heading: the heading, where it is, its words without marks."""

    heading: str
    anchor: str
    text: str


@dataclass(frozen=True, slots=True)
class Leaf:
    """One page: its name is the path below `docs/` without the ending."""

    name: str
    title: str
    html: Markup
    sections: tuple[Section, ...]


@dataclass(frozen=True, slots=True)
class Found:
    """A section in which all words stand: its page, where it is, and what stands around the first of them."""

    title: str
    heading: str
    path: str
    excerpt: str


@cache
def names() -> tuple[str, ...]:
    """The names of all pages."""
    return tuple(sorted(path.relative_to(FOLDER).with_suffix("").as_posix() for path in FOLDER.rglob("*.md")))


@cache
def beside() -> dict[str, Path]:
    """What stands beside the pages, pictures and a notebook, by its path."""
    return {path.relative_to(FOLDER).as_posix(): path for path in FOLDER.rglob("*.*") if path.suffix != ".md"}


@cache
def leaf(name: str, root: str = "") -> Leaf:
    """The page of this name in the studio; `root` is what stands before our own addresses."""
    return written(name, partial(address, root=root))


def written(name: str, leads: Callable[[str, str], str]) -> Leaf:
    """The page of this name as HTML; `leads` says where a link on a page leads, given the page's name and the link."""
    text = _COMMENT.sub("", (FOLDER / f"{name}.md").read_text("utf-8"), count=1)
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = markdown.parse(text)
    sections = tuple(_sections(tokens))
    for token in tokens:
        if token.attrs.pop("style", ""):  # columns of numbers; styles inside a page are refused by the policy
            token.attrSet("class", "num")
        for part in token.children or ():
            for key in ("href", "src"):
                if key in part.attrs:
                    part.attrSet(key, leads(name, str(part.attrs[key])))
    html = markdown.renderer.render(tokens, markdown.options, {})
    html = html.replace("<pre>", '<pre tabindex="0">')
    html = html.replace("<th></th>", "<td></td>")
    html = html.replace("<table>", '<div class="scroll" tabindex="0"><table>').replace("</table>", "</table></div>")
    return Leaf(name, sections[0].heading, Markup(html), sections)


def address(name: str, target: str, root: str = "") -> str:
    """Where a link on a page leads here.

    >>> address("how-to/plan", "../reference/study-file.md#answers")
    '/guide/reference/study-file#answers'
    >>> address("how-to/plan", "#answers"), address("how-to/plan", "https://example.org/")
    ('#answers', 'https://example.org/')
    """
    parts = urlsplit(target)
    if parts.scheme or not parts.path:
        return target
    path = normpath(str(PurePosixPath(name).parent / parts.path)).removesuffix(".md")
    return f"{root}{HERE}{'' if path == START else f'/{path}'}{f'#{parts.fragment}' if parts.fragment else ''}"


def search(asked: str, root: str = "") -> list[Found]:
    """The sections in which every word stands, those first that have them in their headings."""
    words = asked.casefold().split()
    ranked = []
    for name in names() if words else ():
        one = leaf(name, root)
        for number, section in enumerate(one.sections):
            head, text = f"{one.title} {section.heading}".casefold(), section.text.casefold()
            if all(word in head or word in text for word in words):
                whole = len(set(words) & set(re.findall(r"\w+", head)))
                rank = -whole, -sum(word in head for word in words), bool(number), name, number
                ranked.append((rank, _found(one, section, words, root)))
    return [found for _, found in sorted(ranked, key=lambda one: one[0])[:MOST_FOUND]]


def _found(one: Leaf, section: Section, words: list[str], root: str) -> Found:
    text = section.text
    at = min((place for word in words if (place := text.casefold().find(word)) >= 0), default=0)
    first, last = max(0, at - AROUND), at + AROUND
    excerpt = f"{'…' if first else ''}{text[first:last].strip()}{'…' if last < len(text) else ''}"
    heading = "" if section is one.sections[0] else section.heading
    return Found(one.title, heading, f"{address('', f'{one.name}.md', root)}#{section.anchor}", excerpt)


def _sections(tokens: list[Token]) -> Iterator[Section]:
    """The sections of a page; each heading is given the anchor that other pages link to."""
    heading, anchor, words, taken = "", "", list[str](), Counter[str]()
    for before, token in zip([None, *tokens], tokens, strict=False):
        if token.type == "heading_open":
            if heading:
                yield Section(heading, anchor, " ".join(words))
            heading, words = "", []
        if before is not None and before.type == "heading_open":
            heading = " ".join(_words(token))
            anchor = _BESIDE_WORDS.sub("", heading.lower()).replace(" ", "-")
            taken[anchor] += 1
            anchor += f"-{taken[anchor] - 1}" if taken[anchor] > 1 else ""
            before.attrSet("id", anchor)
        elif token.type in ("inline", "fence", "code_block"):
            words += " ".join(_words(token)).split()
    yield Section(heading, anchor, " ".join(words))


def _words(token: Token) -> Iterator[str]:
    if token.children is None:
        yield token.content
    for part in token.children or ():
        yield " " if part.type == "softbreak" else part.content
