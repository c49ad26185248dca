"""Writing files so that nothing is ever half-written: beside the goal first, then moved into its place."""

import os
import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from concordant.errors import InputError


def telling_names(places: Sequence[str | Path]) -> tuple[str, ...]:
    """What to call things by the last part of their paths or addresses in which all of them differ.

    >>> telling_names(["A/tc-006", "B/tc-006"]), telling_names(["gold.mrg", "test.mrg"])
    (('A', 'B'), ('gold', 'test'))
    """
    first = [tail[0] for tail in telling_tails(places)]
    last = [Path(part).stem or part for part in first]
    for names in (last, first, [str(place) for place in places]):
        if len(set(names)) == len(names):
            return tuple(names)
    return tuple(f"{place} ({i})" for i, place in enumerate(places, 1))


def telling_tails(places: Sequence[str | Path]) -> list[tuple[str, ...]]:
    """The last parts of paths or addresses, from the one on in which all of them differ.

    >>> telling_tails(["x/A/tc-006", "y/B/tc-006"])
    [('A', 'tc-006'), ('B', 'tc-006')]
    """
    texts = [str(place).replace("#", "/", 1) if is_address(place) else str(place) for place in places]
    parts = [Path(text.rstrip("/")).parts or (text,) for text in texts]
    for n in range(1, min(map(len, parts), default=0) + 1):
        for last in ([Path(part[-n]).stem or part[-n] for part in parts], [part[-n] for part in parts]):
            if len(set(last)) == len(last):
                return [part[-n:] for part in parts]
    return parts


def is_address(place: str | Path) -> bool:
    """Whether this is a repository's address, in which #folder names a part."""
    return str(place).startswith(("git+", "svn+"))


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
