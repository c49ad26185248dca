"""Parts that are found by themselves: modules of a folder of this package, and modules that other packages announce.

A part is a module that holds a certain name: `FORMAT` in readers, `KIND` in tasks, `MEASURES` in measures, `SECTION` in
report. Another package announces its module by an entry point in the group of the folder, written as the name of this
package, a dot and the folder. Modules of the folder without the name are not imported: they may need an optional part.
"""

import sys
from functools import cache
from importlib import import_module
from itertools import islice
from os import walk
from pkgutil import ModuleInfo, iter_modules
from re import search
from typing import TYPE_CHECKING, Any

from concordant.about import NAME
from concordant.errors import InputError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint


@cache
def parts(folder: str, name: str, but: str = "") -> tuple[Any, ...]:
    """What the modules of a folder call `name`, in the order of the modules' names; then those of other packages.

    Modules of the folder whose texts have the pattern `but` are left out, and not imported.
    """
    inside = f"{NAME}.{folder.replace('/', '.')}"
    own = [one.name for one in iter_modules(import_module(inside).__path__) if _may_hold(one, name, but)]
    modules = [import_module(f"{inside}.{module}") for module in own]
    found = [getattr(module, name) for module in modules if hasattr(module, name)]
    for point in _announced(inside):
        try:
            found.append(getattr(point.load(), name))
        except (ImportError, AttributeError) as error:
            raise InputError(
                f"the package that announces {point.value} in {point.group} cannot be loaded: {error}",
                hint=f"mend or uninstall {point.dist.name if point.dist else 'it'}",
            ) from error
    return tuple(found)


def _may_hold(module: ModuleInfo, name: str, but: str) -> bool:
    """Whether a module's text gives `name` a value; a module without a text must be imported to see."""
    folder = getattr(module.module_finder, "path", "/")  # what is in an archive has no text here
    text = _content(f"{folder}/{module.name}/__init__.py" if module.ispkg else f"{folder}/{module.name}.py")
    is_left_out = bool(but) and search(but.encode(), text) is not None
    return not text or (search(rf"\n{name}\b.*=".encode(), text) is not None and not is_left_out)


def _content(path: str) -> bytes:
    """What is in a file; nothing if there is none. (Paths as objects would take four times as long.)"""
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError:
        return b""


@cache
def _groups() -> bytes:
    """What all installed packages announce. To look it up properly costs a twentieth of measuring a small file."""
    tops = (top for folder in sys.path for top in islice(walk(folder or "."), 1))
    about = (f"{top}/{name}" for top, names, _ in tops for name in names if name.endswith("-info"))
    return b"".join(_content(f"{place}/entry_points.txt") for place in about)


def _announced(group: str) -> "list[EntryPoint]":
    """The entry points of a group by their names."""
    if f"[{group}]".encode() not in _groups():
        return []
    from importlib.metadata import entry_points

    return sorted(entry_points(group=group), key=lambda point: point.name)
