"""The suites of two annotators: directories of profiles, matched by name, or repositories fetched first.

The layout is that of Castro (2011, Figure 6.1): under each annotator's directory a directory per corpus, under it a
directory per suite, each suite a profile. A single profile is a corpus of one suite.
"""

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from assent.errors import InputError
from assent.treebank.tables import is_profile

_CLIENTS = {
    "git": ("git", "clone", "--quiet", "--depth", "1", "--"),
    "svn": ("svn", "export", "--quiet", "--non-interactive", "--"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class SuitePair:
    """One suite as two annotators have it."""

    corpus: str
    suite: str
    a: Path
    b: Path


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteMatch:
    """The suites to compare, and those that only one annotator has."""

    pairs: tuple[SuitePair, ...]
    only_a: tuple[str, ...] = ()
    only_b: tuple[str, ...] = ()


def find_suites(root: Path) -> dict[str, Path]:
    """The profiles of one annotator by their paths below `root`; a single profile has the empty path."""
    return {"": root} if is_profile(root) else _find(root, None, None)


def match_suites(a: Path, b: Path, *, pattern: str | None = None, skip: str | None = None) -> SuiteMatch:
    """Pair the profiles under `a` and `b` by their paths below them.

    `pattern` and `skip` are regular expressions searched in a suite's directory name: only suites that match the first
    and do not match the second are compared.
    """
    wanted, unwanted = _compile(pattern, "--pattern"), _compile(skip, "--skip")
    if is_profile(a) and is_profile(b):
        suite = a.name if a.name == b.name else f"{a.name} | {b.name}"
        return SuiteMatch(pairs=(SuitePair(corpus="", suite=suite, a=a, b=b),))
    found_a, found_b = _find(a, wanted, unwanted), _find(b, wanted, unwanted)
    common = [name for name in found_a if name in found_b]
    if not common:
        raise InputError(f"no suite has the same name under {a} and {b}", hint="suites are matched by directory name")
    pairs = tuple(_pair(name, found_a[name], found_b[name]) for name in common)
    return SuiteMatch(pairs=pairs, only_a=_left_over(found_a, found_b), only_b=_left_over(found_b, found_a))


def _compile(expression: str | None, option: str) -> re.Pattern[str] | None:
    try:
        return None if expression is None else re.compile(expression)
    except re.error as error:
        raise InputError(f"{option} {expression!r} is not a regular expression: {error}") from error


def _find(root: Path, wanted: re.Pattern[str] | None, unwanted: re.Pattern[str] | None) -> dict[str, Path]:
    """The profiles below `root` by relative path, in natural order: SUITE-2 before SUITE-10."""
    if not root.is_dir():
        raise InputError("there is no such directory", file=root, hint="name a profile or a directory of profiles")
    found = [path.parent for path in root.rglob("relations")]
    if not found:
        raise InputError(
            "not a profile, and there is none below it", file=root, hint="a profile has a file 'relations'"
        )
    kept = [path for path in found if _is_wanted(path.name, wanted, unwanted)]
    if not kept:
        raise InputError(f"none of its {len(found)} suites is left by --pattern and --skip", file=root)
    return {path.relative_to(root).as_posix(): path for path in sorted(kept, key=_natural)}


def _is_wanted(name: str, wanted: re.Pattern[str] | None, unwanted: re.Pattern[str] | None) -> bool:
    return (wanted is None or wanted.search(name) is not None) and (unwanted is None or not unwanted.search(name))


def _natural(path: Path) -> list[tuple[int, str]]:
    parts = re.findall(r"\d+|\D+", path.as_posix())
    return [(int(part), "") if part.isdigit() else (-1, part) for part in parts]


def _pair(name: str, a: Path, b: Path) -> SuitePair:
    corpus, _, suite = name.rpartition("/")
    return SuitePair(corpus=corpus, suite=suite, a=a, b=b)


def _left_over(mine: dict[str, Path], other: dict[str, Path]) -> tuple[str, ...]:
    return tuple(name for name in mine if name not in other)


@contextmanager
def local(source: str | Path) -> Iterator[Path]:
    """`source` as a local directory; `git+URL` and `svn+URL` (`#folder` for a part) are fetched and removed after."""
    kind, _, url = str(source).partition("+")
    if kind not in _CLIENTS or not url:
        yield Path(source)
        return
    url, _, folder = url.partition("#")
    with tempfile.TemporaryDirectory(prefix="assent-") as temporary:
        target = Path(temporary) / (Path(url.rstrip("/")).stem or "corpus")
        _fetch(kind, url, target)
        inside = (target / folder).resolve()
        if not inside.is_relative_to(target.resolve()):
            raise InputError(f"{folder!r} leads out of the repository", file=source)
        yield inside


def _fetch(kind: str, url: str, target: Path) -> None:
    """Run the installed client; it never asks for a password, since nobody may be there to answer."""
    client = _CLIENTS[kind]
    if shutil.which(client[0]) is None:
        raise InputError(
            f"{client[0]} is not installed", file=f"{kind}+{url}", hint=f"install {client[0]} or copy the corpus here"
        )
    environment = {**os.environ, "GIT_TERMINAL_PROMPT": "0"}
    done = subprocess.run([*client, url, str(target)], capture_output=True, text=True, env=environment, check=False)
    if done.returncode != 0:
        said = done.stderr.strip().splitlines() or ["no reason given"]
        reason = next((line for line in said if line.startswith(("fatal:", "svn: E"))), said[-1])
        raise InputError(f"cannot be fetched: {reason}", file=f"{kind}+{url}")
