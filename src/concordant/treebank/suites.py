"""The suites of annotators: directories of profiles, matched by name, or repositories fetched first.

The layout is that of Castro (2011, Figure 6.1): under each annotator's directory a directory per corpus, under it a
directory per suite, each suite a profile. A single profile is a corpus of one suite.

Treebanks can be read as ordinary judgements: a unit is a discriminant of a sentence, a value is yes or no. So
everything that works on judgements works on treebanks: slices by suite, entropy, forensics, alpha for any number of
annotators.
"""

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from concordant.about import NAME
from concordant.errors import InputError
from concordant.model.columns import encode
from concordant.model.scale import Level
from concordant.model.study import Study
from concordant.treebank.analyses import ChosenAnalysis, read_lexicon
from concordant.treebank.discriminants import TYPE_NAMES, logged_values
from concordant.treebank.profile import Annotation, read_profile
from concordant.treebank.relations import is_profile
from concordant.treebank.sentences import value_of

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
    parted = [(name, *name.rpartition("/")) for name in common]
    pairs = [SuitePair(corpus=corpus, suite=suite, a=found_a[n], b=found_b[n]) for n, corpus, _, suite in parted]
    return SuiteMatch(pairs=tuple(pairs), only_a=_left_over(found_a, found_b), only_b=_left_over(found_b, found_a))


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
    chosen = [path for path in found if wanted is None or wanted.search(path.name)]
    kept = [path for path in chosen if unwanted is None or not unwanted.search(path.name)]
    if not kept:
        raise InputError(f"none of its {len(found)} suites is left by --pattern and --skip", file=root)
    digits = re.compile(r"(\d+)")  # in natural order a number counts as one
    naturally = {path: [(int(p), "") if p.isdigit() else (-1, p) for p in digits.split(str(path))] for path in kept}
    return {path.relative_to(root).as_posix(): path for path in sorted(kept, key=naturally.__getitem__)}


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
    with tempfile.TemporaryDirectory(prefix=f"{NAME}-") as temporary:
        target = Path(temporary) / (Path(url.rstrip("/")).stem or "corpus")
        fetch(kind, url, target)
        inside = (target / folder).resolve()
        if not inside.is_relative_to(target.resolve()):
            raise InputError(f"{folder!r} leads out of the repository", file=source)
        yield inside


def fetch(kind: str, url: str, target: Path) -> None:
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


_COMMITS: Mapping[str, tuple[tuple[str, ...], ...]] = {  # is this a working copy; add; commit
    "git": (("rev-parse",), ("add", "--"), ("commit", "-q", "-m")),
    "svn": (("info",), ("add", "--force"), ("commit", "-q", "--non-interactive", "-m")),
}


def commit_file(path: str | Path, message: str) -> None:
    """Commit one file, and nothing else, to the Git or Subversion working copy that it lies in."""
    file = Path(path).resolve()
    for client, (asks, add, commit) in _COMMITS.items():
        if shutil.which(client) is None or _said(client, *asks, folder=file.parent) is not None:
            continue
        only = ("--", file.name) if client == "git" else (file.name,)
        said = _said(client, *add, file.name, folder=file.parent)
        said = said or _said(client, *commit, message, *only, folder=file.parent)
        if said:
            raise InputError(f"was written, but cannot be committed: {said}", file=path)
        return
    hint = "write it into a working copy, or leave --commit out"
    raise InputError("was written, but lies in no Git or Subversion working copy", file=path, hint=hint)


def _said(*command: str, folder: Path) -> str | None:
    """What a client complains of; None when all is well."""
    environment = {**os.environ, "GIT_TERMINAL_PROMPT": "0"}
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, env=environment, check=False)
    return None if done.returncode == 0 else (done.stderr or done.stdout).strip().splitlines()[-1]


_COLUMNS = ("unit", "rater", "value", "suite", "sentence", "type")


def read_treebanks(annotators: Mapping[str, str | Path], *, lexicon: str | Path | None = None) -> Study:
    """The judgements of several annotators (name -> profile or directory of suites) on their common discriminants.

    Every discriminant in anybody's log is a unit. Whoever did not decide it is taken to judge as the analysis they
    chose says; where that cannot be told the judgement is missing.
    """
    known = read_lexicon(lexicon) if lexicon else {}
    suites = {name: find_suites(Path(path)) for name, path in annotators.items()}
    rows: list[tuple[str, ...]] = []
    for suite in dict.fromkeys(suite for found in suites.values() for suite in found):
        profiles = {name: read_profile(found[suite]) for name, found in suites.items() if suite in found}
        for sentence in dict.fromkeys(key for profile in profiles.values() for key in profile.annotations):
            given = {name: profile.annotations.get(sentence) for name, profile in profiles.items()}
            rows += _sentence_rows(suite, sentence, {n: a for n, a in given.items() if a is not None}, known)
    if not rows:
        raise InputError("no decisions in it", file=", ".join(map(str, annotators.values())), hint="is it annotated?")
    columns = {name: encode(list(cells)) for name, cells in zip(_COLUMNS, zip(*rows, strict=True), strict=True)}
    roles: dict[str, Any] = {role: columns.pop(role) for role in ("unit", "rater", "value")}
    return Study(
        name=" ".join(str(path) for path in annotators.values()),
        attributes={name: column.as_labels() for name, column in columns.items()},
        clusters={"sentences": columns["sentence"].as_labels()},
        level=Level.NOMINAL,
        categories=("no", "yes"),
        **roles,
    )


def _sentence_rows(
    suite: str, sentence: str, annotations: Mapping[str, Annotation], lexicon: Mapping[str, str]
) -> Iterator[tuple[str, ...]]:
    logs = {name: logged_values(annotation.decisions) for name, annotation in annotations.items()}
    keys = dict.fromkeys(key for log in logs.values() for key in log)
    for name, annotation in annotations.items():
        chosen = ChosenAnalysis(annotation.chosen, lexicon) if annotation.chosen else None
        for key in keys:
            value = value_of(key, chosen, logs[name])
            if value is not None:
                unit = f"{suite}:{sentence} {key.name}" if suite else f"{sentence} {key.name}"
                yield unit, name, "yes" if value else "no", suite, f"{suite}:{sentence}", TYPE_NAMES[key.type]
