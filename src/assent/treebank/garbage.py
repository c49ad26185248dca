"""Looking for garbage less often while a suite is compared.

Python looks for unreachable cycles whenever there are some hundreds of objects more than before. A suite in memory is
hundreds of thousands of objects that all stay reachable, and going through them again and again took an eighth of the
time of a comparison.
"""

import gc
from collections.abc import Iterator
from contextlib import contextmanager

_OBJECTS = 50_000  # PyDelphin's derivations are cyclic: this much garbage is a few megabytes


@contextmanager
def rare_collection() -> Iterator[None]:
    """Collect cycles only after every 50,000 new objects, and as before afterwards; switched off it stays off."""
    before = gc.get_threshold()
    gc.set_threshold(max(before[0], _OBJECTS) if before[0] else 0, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)
