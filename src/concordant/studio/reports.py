"""Reports are made once for each state of the data, behind: whoever asks has them at once, or sees how far they are."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field, fields, is_dataclass
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from concordant.about import NAME
from concordant.progress import Progress
from concordant.report.document import Document
from concordant.report.formats import format_for

MOST = 12
"""How many reports are kept; that asked for longest ago goes first."""


Maker = Callable[[Progress], Document | Mapping[str, bytes]]


def as_bytes(document: Document, ending: str) -> bytes:
    """A report in the format of an ending."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"report.{ending}"
        format_for(path).write(document, path)
        return path.read_bytes()


@dataclass
class Making:
    """A report that is being made, or was: `done` of `total` steps. One made elsewhere comes as written files."""

    future: Future[Document | Mapping[str, bytes]] = field(default_factory=Future)
    done: int = 0
    total: int = 0
    _files: dict[str, bytes] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def as_file(self, ending: str) -> bytes:
        """The report in the format of an ending, once it is made; drawn and written once."""
        document = self.future.result()
        if not isinstance(document, Document):
            return document[ending]
        with self._lock:
            if ending not in self._files:
                self._files[ending] = as_bytes(document, ending)
            return self._files[ending]

    def report(self, done: int, total: int) -> None:
        """Take note of how far it is."""
        self.done, self.total = done, total

    def is_made(self, within: float) -> bool:
        """Whether it is ready, or is in so many seconds."""
        return bool(wait([self.future], timeout=within).done)


class Reports:
    """The reports of one server by what they are made of."""

    def __init__(self) -> None:
        """Nobody has asked for one."""
        self._lock = threading.Lock()
        self._made: OrderedDict[str, Making] = OrderedDict()
        self._behind = ThreadPoolExecutor(max_workers=1, thread_name_prefix=f"{NAME}-report")

    def of(self, data: object, title: str, make: Maker) -> Making:
        """The report of these data under this title: the one that was made before, or one that is begun now."""
        key = fingerprint((data, title))
        with self._lock:
            known = self._made.pop(key, None)
            if known is None or (known.future.done() and known.future.exception() is not None):
                known = Making()
                known.future = self._behind.submit(make, known.report)
            self._made[key] = known
            while len(self._made) > MOST:
                self._made.popitem(last=False)[1].future.cancel()
        return known

    def close(self) -> None:
        """Wait for one that is under way; no other is begun."""
        self._behind.shutdown(cancel_futures=True)


def fingerprint(value: object) -> str:
    """A hash of everything in a value: data of the same content have the same.

    >>> fingerprint({"a": np.array([1, 2])}) == fingerprint({"a": np.array([1, 2])})
    True
    """
    digest = sha256()
    _tell(value, digest.update)
    return digest.hexdigest()


def _tell(value: Any, say: Callable[[bytes], None]) -> None:
    if is_dataclass(value):
        said: Any = [type(value).__name__, *((one.name, getattr(value, one.name)) for one in fields(value))]
    elif isinstance(value, Mapping):
        said = list(value.items())
    elif isinstance(value, np.ndarray):
        said = value.tolist() if value.dtype == object else [str(value.dtype), value.shape, value.tobytes()]
    elif isinstance(value, frozenset):
        said = sorted(value)
    else:
        is_many = isinstance(value, list | tuple) and not all(isinstance(one, str) for one in value)
        said = list(value) if is_many else None
    say(f"{type(value).__name__} {'' if said is not None else repr(value)}\n".encode())
    for one in said or ():
        _tell(one, say)
    say(b".\n")
