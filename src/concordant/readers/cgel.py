"""CGELBank's trees (.cgel): constituents with their functions, one file for each annotator.

A node is labelled by its category and its function (`NP-Subj`). What is adjudicated is no annotator.
"""

import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from concordant.choices import Choices
from concordant.errors import InputError
from concordant.files import telling_names
from concordant.readers.format import SURE, Format
from concordant.readers.rater_files import CURATORS, NOT_A_RATER

if TYPE_CHECKING:
    from concordant.treebank.trees import BracketedCorpus

PART = re.compile(r'"((?:[^"\\]|\\.)*)"|([()])|([^\s()"]+)')
NODE = re.compile(r"^\s*:[A-Z]\w*(?:-\w+)* \(|^\([A-Z]\w*\s*$", re.MULTILINE)
WORD = frozenset({":t"})
"""What stands before a word as it is written; other properties in small letters (lemmas, corrections) are no words."""


def read(*paths: str | Path, options: Choices) -> "BracketedCorpus":
    """The trees of several files, or of those in a folder."""
    from concordant.treebank.trees import read_bracketed

    files = [file for path in map(Path, paths) for file in (sorted(path.glob("*.cgel")) if path.is_dir() else [path])]
    named = dict(zip(annotators(files), files, strict=True))
    people = {name: file for name, file in named.items() if name.casefold() not in CURATORS} or named
    if not people:
        raise InputError("there is no file of trees", file=paths[0], hint="name one file for each annotator")
    unused = {file.name: NOT_A_RATER for name, file in named.items() if name not in people}
    found = read_bracketed(list(people.values()), list(people), as_brackets=as_brackets)
    return replace(found, unused=unused)


def annotators(files: list[Path]) -> list[str]:
    """The annotators: what differs between the dots of the files' names (`pilot.anna.cgel`, `pilot.ben.cgel`)."""
    inner = [file.stem.split(".") for file in files]
    if len({len(one) for one in inner}) == 1 and len(files) > 1:
        differing = [place for place, parts in enumerate(zip(*inner, strict=True)) if len(set(parts)) == len(files)]
        if differing:
            return [one[differing[-1]] for one in inner]
    return list(telling_names(files))


def as_brackets(text: str) -> str:
    """The trees in Penn brackets, one in a line."""
    made: list[str] = []
    function, is_fresh, name = "", False, ""
    for quoted, bracket, word in PART.findall(re.sub(r"(?m)^#.*$", "", text)):
        if bracket == "(":
            is_fresh = True
        elif bracket:
            made.append(")")
            name = ""
        elif is_fresh and word:
            is_fresh = word == "/" or (len(word) == 1 and word.islower())
            if not is_fresh:
                made.append(f"({word}{f'-{function}' if function else ''}")
                function = ""
        elif word.startswith(":"):
            function, name = ("", word) if word[1:2].islower() else (word[1:], "")
        elif name in WORD:
            made.append(re.sub(r"\s+", "_", quoted.replace("(", "-LRB-").replace(")", "-RRB-")) or "_")
    return " ".join(made)


def sniff(path: Path, head: str) -> float:
    """Nodes with functions before their brackets."""
    return SURE * (path.suffix.casefold() == ".cgel" and NODE.search(head) is not None)


FORMAT = Format(
    name="cgel",
    holds="brackets",
    help="CGELBank's trees, one file for each annotator.",
    read=read,
    endings=(".cgel",),
    sniff=sniff,
    in_folders=True,
    most=None,
)
