"""Bringing much into memory at once: how often Python looks for garbage meanwhile, and how it makes many values."""

import gc
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

T = TypeVar("T")

OBJECTS = 50_000  # PyDelphin's derivations are cyclic: this much garbage is a few megabytes


_lock, _within = threading.Lock(), list[tuple[int, int, int]]()


@contextmanager
def rare_collection() -> Iterator[None]:
    """Collect cycles only after every 50,000 new objects, and as before afterwards; switched off it stays off.

    Python looks for unreachable cycles whenever there are some hundreds of objects more than before. A suite or a log
    in memory is hundreds of thousands of objects that all stay reachable, and going through them again and again took
    an eighth of the time of a comparison, and two fifths of that of a long log. Several threads may do so at once: it
    is as before when the last of them is through.
    """
    with _lock:
        before = _within[0] if _within else gc.get_threshold()
        _within.append(before)
        gc.set_threshold(max(before[0], OBJECTS) if before[0] else 0, *before[1:])
    try:
        yield
    finally:
        with _lock:
            _within.pop()
            if not _within:
                gc.set_threshold(*before)


@contextmanager
def staying() -> Iterator[None]:
    """What is made within is not looked through for garbage, neither meanwhile nor afterwards: for imports, which stay.

    That took a tenth of measuring a small file, and a sixth of a server's start.
    """
    gc.disable()
    try:
        yield
        gc.freeze()
    finally:
        gc.enable()


def one_of_many(of: type[T], values: dict[str, Any]) -> T:
    """A frozen dataclass with these fields, made five times faster than by calling it, for hundreds of thousands.

    Nothing is checked: every field without a default must be there, and no other. The values are kept, not copied.
    """
    made = object.__new__(of)
    vars(made).update(values)
    return made
