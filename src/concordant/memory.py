"""Bringing much into memory at once: how often Python looks for garbage meanwhile, and how it makes many values."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

T = TypeVar("T")

OBJECTS = 50_000  # PyDelphin's derivations are cyclic: this much garbage is a few megabytes


@contextmanager
def rare_collection() -> Iterator[None]:
    """Collect cycles only after every 50,000 new objects, and as before afterwards; switched off it stays off.

    Python looks for unreachable cycles whenever there are some hundreds of objects more than before. A suite or a log
    in memory is hundreds of thousands of objects that all stay reachable, and going through them again and again took
    an eighth of the time of a comparison, and two fifths of that of a long log.
    """
    before = gc.get_threshold()
    gc.set_threshold(max(before[0], OBJECTS) if before[0] else 0, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)


def one_of_many(of: type[T], values: dict[str, Any]) -> T:
    """A frozen dataclass with these fields, made five times faster than by calling it, for hundreds of thousands.

    Nothing is checked: every field without a default must be there, and no other. The values are kept, not copied.
    """
    made = object.__new__(of)
    vars(made).update(values)
    return made
