"""Write the documentation as a site of files: python scripts/make_site.py [TARGET]

The pages are made by what makes the guide of the studio, so that both show the same; fonts, styles and the words to
search lie beside them. Nothing is written as long as anything is wrong.
"""

import json
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from posixpath import normpath, relpath
from urllib.parse import urlsplit

from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape

from concordant.about import NAME, VERSION
from concordant.web.handbook import FOLDER, PARTS, START, Leaf, beside, names, written

ROOT = Path(__file__).parent.parent
OWN, STATIC = Path(__file__).parent / "site", ROOT / "src" / "concordant" / "web" / "static"
SHARED = ("tokens.css", "pages.css", "mark.svg", "fonts")
SEARCH = "search"
_LINK = re.compile(r'(?:href|src)="([^"]*)"')
_PICTURE = re.compile(r'<img[^>]*\balt=""')


def leads(_: str, target: str) -> str:
    """A link between pages as one between files.

    >>> leads("how-to/plan", "../reference/study-file.md#answers"), leads("how-to/plan", "https://example.org/a.md")
    ('../reference/study-file.html#answers', 'https://example.org/a.md')
    """
    parts = urlsplit(target)
    return target if parts.scheme else parts._replace(path=re.sub(r"\.md$", ".html", parts.path)).geturl()


def mistakes(leaves: dict[str, Leaf]) -> Iterator[str]:
    """What is wrong with the pages, one line for each: dead links, pictures without words, lost pages."""
    anchors = {name: {one.anchor for one in leaf.sections} for name, leaf in leaves.items()}
    reached = {START}
    for name, leaf in leaves.items():
        if _PICTURE.search(leaf.html):
            yield f"{name}: a picture says nothing to those who do not see it"
        for target in _LINK.findall(leaf.html):
            parts = urlsplit(target.replace("&amp;", "&"))
            if parts.scheme:
                continue
            path = normpath(f"{name}/../{parts.path}") if parts.path else f"{name}.html"
            other = path.removesuffix(".html")
            if other not in leaves and path not in beside():
                yield f"{name}: there is no {target}"
            elif parts.fragment and parts.fragment not in anchors.get(other, ()):
                yield f"{name}: {other} has no section {parts.fragment}"
            elif other != name:
                reached |= {other, path}
    yield from (f"{name}: no page leads here" for name in sorted({*leaves, *beside()} - reached))


def parts_of(leaves: dict[str, Leaf]) -> dict[str, list[Leaf]]:
    """The pages in the parts of the index; pages of single measures stand in an index of their own."""
    heads = {folder: re.sub(r"\*\*(.*?)\*\*.*", r"\1", title) for folder, title in PARTS.items()}
    return {
        heads[folder]: [leaf for name, leaf in leaves.items() if name.startswith(f"{folder}/") and _listed(name)]
        for folder in PARTS
    }


def _listed(name: str) -> bool:
    return name.count("/") == 1 or name.endswith(f"/{START}")


def words(leaves: dict[str, Leaf]) -> str:
    """What the search looks through, as a script: a page opened from a disk may not read other files."""
    rows = [
        [leaf.title, one.heading if number else "", f"{leaf.name}.html#{one.anchor}", one.text]
        for leaf in leaves.values()
        for number, one in enumerate(leaf.sections)
    ]
    return f"const SECTIONS = {json.dumps(rows, ensure_ascii=False, separators=(',', ':'))};\n"


def make(target: Path) -> int:
    """Write the site to a folder, and say how many pages it has; ValueError with what is wrong, if anything is."""
    leaves = {name: written(name, leads) for name in names()}
    if wrong := list(mistakes(leaves)):
        raise ValueError("\n".join(wrong))
    pages = Environment(loader=FileSystemLoader(OWN), undefined=StrictUndefined, autoescape=select_autoescape())
    page, parts = pages.get_template("page.html"), parts_of(leaves)
    shutil.rmtree(target, ignore_errors=True)
    for name, leaf in {**leaves, SEARCH: None}.items():
        file = target / f"{name}.html"
        file.parent.mkdir(parents=True, exist_ok=True)
        up = relpath(".", file.relative_to(target).parent.as_posix())
        told = {"leaf": leaf, "here": name, "parts": parts, "up": up, "product": NAME, "version": VERSION}
        file.write_text(page.render(told), encoding="utf-8")
    for path in beside():
        (target / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(FOLDER / path, target / path)
    for path in SHARED:
        copy = shutil.copytree if (STATIC / path).is_dir() else shutil.copy
        copy(STATIC / path, target / path)
    for path in ("site.css", "search.js"):
        shutil.copy(OWN / path, target / path)
    (target / "words.js").write_text(words(leaves), encoding="utf-8")
    return len(leaves)


def main() -> None:
    """Write it, or say what is wrong."""
    target = Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "site")
    if target.exists() and not (target / "words.js").exists() and any(target.iterdir()):
        sys.exit(f"{target} is a folder with other things in it: name one that is new or empty")
    try:
        print(f"{make(target)} pages: open {target / 'index.html'}")
    except ValueError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
