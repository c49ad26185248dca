"""What brings an older database up to date: one module for each change, `0001_….py` upwards, each with `upgrade`.

A module is found by its number and never changed once it was released. `upgrade(connection)` runs inside one
transaction with all the others and uses no table of `collection.database`: those are as they are today, the
database is as it was then. Afterwards every table is made that is missing, so that a new one needs nothing from its
module but the number. A table without a module is missing from databases whose version stays: whoever reads it must do
without it, and whoever writes it makes it first, as `collection.checkpoint` does.
"""

from collections.abc import Callable
from importlib import import_module
from pkgutil import iter_modules

from sqlalchemy import Connection

Upgrade = Callable[[Connection], None]


def upgrades() -> dict[int, Upgrade]:
    """Every upgrade under the version it leads to, in order."""
    names = sorted(found.name for found in iter_modules(__path__))
    return {int(name.partition("_")[0]): import_module(f"{__name__}.{name}").upgrade for name in names}


def latest() -> int:
    """The version of a database made today."""
    return max(upgrades())
