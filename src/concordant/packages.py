"""Packages that can be called: the public API has functions of the same names as some folders."""

import inspect
import sys
from collections.abc import Callable
from importlib import import_module
from types import ModuleType
from typing import Any


def callable_as(package: str, home: str, function: str) -> None:
    """Let a package be called as the function of that name in its module `home`, which is imported only then.

    Whoever asks for its signature or its help gets those of the function.
    """

    def called() -> Callable[..., Any]:
        found: Callable[..., Any] = getattr(import_module(f"{package}.{home}"), function)
        return found

    class Package(ModuleType):
        def __call__(self, *given: Any, **options: Any) -> Any:
            return called()(*given, **options)

        @property
        def __signature__(self) -> inspect.Signature:
            return inspect.signature(called())

    sys.modules[package].__class__ = Package
