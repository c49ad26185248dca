"""[incr tsdb()] profiles of two annotators, compared sentence by sentence."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from concordant.choices import Choices, choice
from concordant.errors import InputError
from concordant.progress import Progress, silent
from concordant.readers.format import LIKELY, Format

if TYPE_CHECKING:
    from concordant.treebank.comparison import Comparison


class ProfileOptions(Choices):
    """What `compare` may be told: how values are found, what chance gives, which suites, and whose lexicon."""

    reading: Literal["resolved", "log", "thesis"] = choice(
        "resolved",
        "How a decision that a log does not record is found: read off the chosen tree (resolved), not at all (log), or "
        "estimated as in Castro 2011 (thesis).",
    )
    expected: Literal["half", "forest"] = choice(
        "half", "Agreement by chance: a coin for each decision, or a random analysis of the forest."
    )
    labels: Literal["within", "across"] = choice(
        "within", "Logs: a label is one within a type of discriminants, or across all types."
    )
    pattern: str | None = choice(None, "Compare only suites whose directory name matches this regular expression.")
    skip: str | None = choice(None, "Leave out suites whose directory name matches this regular expression.")
    lexicon: str | Path | None = choice(None, "Lexical types: a grammar's lexicon.tdl, or a TSV of entry and type.")
    edm: bool = choice(True, "Also match the dependencies of the MRSs, which takes longest.")


def read(*paths: str | Path, options: ProfileOptions, progress: Progress = silent) -> "Comparison":
    """Two annotators' treebanks, compared."""
    from concordant.treebank.comparison import compare

    if len(paths) != 2:
        raise InputError(f"{len(paths)} treebanks", hint="profiles are compared two by two: name two directories")
    return compare(*paths, progress=progress, **asdict(options))


def holds_profiles(path: Path) -> bool:
    """Whether a directory is a profile or holds profiles; that of a study is read for its answers."""
    return next(path.rglob("relations"), None) is not None and not (path / "study.toml").is_file()


FORMAT = Format(
    name="profiles",
    holds="profiles",
    help="[incr tsdb()] profiles of two annotators, compared sentence by sentence.",
    read=read,
    options=ProfileOptions,
    endings=(),  # but folders
    sniff=lambda path, head: LIKELY * holds_profiles(path),
    most=None,
    is_slow=True,
)
