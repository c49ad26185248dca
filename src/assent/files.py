"""Writing files so that nothing is ever half-written: beside the goal first, then moved into its place."""

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from assent.errors import InputError


@contextmanager
def written_whole(path: str | Path) -> Iterator[Path]:
    """A path beside `path` to write to; it takes the place of `path` when the block ends well, else it is removed.

    >>> import tempfile
    >>> goal = Path(tempfile.mkdtemp()) / "note.txt"
    >>> with written_whole(goal) as beside:
    ...     _ = beside.write_text("done")
    >>> goal.read_text()
    'done'
    """
    goal = Path(path)
    refuse_unwritable(goal)
    beside = goal.with_name(f".{goal.stem[:40]}-{secrets.token_hex(4)}{goal.suffix}")
    try:
        yield beside
        os.replace(beside, goal)
    except OSError as error:
        raise InputError(
            f"cannot be written: {error.strerror or error}", file=goal, hint="choose another place"
        ) from None
    finally:
        beside.unlink(missing_ok=True)


def refuse_unwritable(goal: Path) -> None:
    """Say what is wrong with a goal before any work is done."""
    if goal.is_dir():
        raise InputError("this is a directory", file=goal, hint="name a file in it")
    if not goal.parent.is_dir():
        raise InputError("there is no such folder", file=goal.parent, hint="make it first, or choose another")
    if not os.access(goal.parent, os.W_OK):
        raise InputError("the folder cannot be written to", file=goal.parent, hint="choose another")
