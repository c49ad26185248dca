"""The examples in docstrings say what happens."""

import doctest
import importlib

import pytest

from tests.test_shape import dotted, modules

OPTIONS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL
SHOWN = [dotted(path) for path in modules() if ">>> " in path.read_text(encoding="utf-8")]


@pytest.mark.parametrize("name", SHOWN)
def test_the_examples_of_a_module_hold(name: str) -> None:
    failed, tried = doctest.testmod(importlib.import_module(name), optionflags=OPTIONS)
    assert tried
    assert not failed
