"""A measure's key stands in its own module and nowhere else: what others want to know of it, they ask it."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import concordant
from concordant.measures.catalogue import CATALOGUE

SOURCE = Path(concordant.__file__).parent
OTHER_MEANINGS = {  # the same letters for something else
    "cli/report.py": {"gamma": "the options of spans"},
    "diagnosis/recheck.py": dict.fromkeys(("kappa", "pi", "s", "alpha", "fleiss", "gamma"), "words in printed tables"),
    "judging/alt_test.py": {"kappa": "a word in a sentence"},
    "judging/perspective.py": {"alpha": "a column of a table"},
    "measures/benchmarks.py": {"fleiss": "a scale"},
    "measures/treebanks.py": {"kappa": "a column of sentences"},
    "measures/gamma.py": {"alpha": "the weight of positions"},
    "plots/picture.py": {"s": "a marker"},
    "web/pages/build_pages.py": {"s": "an ending of words"},
    "readers/headers.py": {"kappa": "a row below a table"},
    "readers/looks.py": {"kappa": "a column of a table"},
    "readers/numerals.py": {"percent": "a way to write numbers"},
    "report/sections/alignments.py": {"alpha": "the weight of positions"},
    "tasks/pairwise.py": {"s": "a key of the keyboard"},
    "treebank/trees.py": {"edm": "a module of PyDelphin"},
}


PUBLISHED = "reproduction/"  # each study there says which coefficients its printed tables hold


def home(key: str) -> str:
    """The module of a measure, or the folder of its family."""
    parts = CATALOGUE[key].compute.__module__.split(".")[1:]
    return "/".join(parts[:2])


def words(tree: ast.Module) -> Iterator[str]:
    """The strings of a module, without parts of longer ones and the s of a plural."""
    parts = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    parts |= {id(node.left) for node in ast.walk(tree) if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in parts:
            yield node.value


def named() -> Iterator[tuple[str, str]]:
    """The files that name a key that is not theirs, and the key."""
    for path in sorted(SOURCE.rglob("*.py")):
        place = path.relative_to(SOURCE).as_posix()
        if place.startswith(PUBLISHED):
            continue
        for word in words(ast.parse(path.read_text("utf-8"))):
            if word in CATALOGUE and not place.startswith(home(word)):
                yield place, word
    for path in sorted([*SOURCE.rglob("*.html"), *SOURCE.rglob("*.js")]):
        for key in re.findall(r"""(?<=[=(,\[] )["'](\w+)["']""", path.read_text("utf-8")):
            if key in CATALOGUE:
                yield path.relative_to(SOURCE).as_posix(), key


def test_no_module_names_the_key_of_another() -> None:
    found = set(named())
    meant = {(place, word) for place, words_there in OTHER_MEANINGS.items() for word in words_there}
    assert found - meant == set()
    assert meant - found == set()
