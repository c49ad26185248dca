"""What is promised is shown by tests that exist, in the files that are named."""

import ast
import re
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
PAGE = (TESTS.parent / "docs" / "explanation" / "what-is-promised.md").read_text("utf-8")
ROWS = [line for line in PAGE.splitlines() if line.startswith("| ") and not line.startswith("| what ")]
NAMED = re.compile(r"`([\w/]+\.py)::(\w+)`")


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.split("|")[1].strip()[:50])
def test_a_promise_names_tests_that_exist(row: str) -> None:
    named = NAMED.findall(row)
    assert named
    for file, name in named:
        tree = ast.parse((TESTS / file).read_text("utf-8"))
        [found] = [one for one in tree.body if isinstance(one, ast.FunctionDef) and one.name == name]
        marks = [ast.unparse(mark) for mark in found.decorator_list]
        assert not [mark for mark in marks if "skip" in mark or "xfail" in mark]


def test_there_are_promises() -> None:
    assert len(ROWS) > 25
