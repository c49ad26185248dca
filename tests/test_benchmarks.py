"""Benchmarks and scripts are run rarely: what they import from the package must exist all the same."""

import ast
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

from concordant.about import NAME

ROOT = Path(__file__).parents[1]
FILES = sorted([*(ROOT / "benchmarks").glob("*.py"), *(ROOT / "scripts").glob("*.py")])


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_every_name_that_is_imported_exists(file: Path) -> None:
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == NAME:
            module = import_module(str(node.module))
            for alias in node.names:
                is_module = hasattr(module, "__path__") and find_spec(f"{node.module}.{alias.name}") is not None
                is_there = is_module or hasattr(module, alias.name)
                assert is_there, f"line {node.lineno}: {node.module} has no {alias.name}"
