"""Trees in Penn brackets: the same sentences, one file for each rater."""

import re
from pathlib import Path
from typing import TYPE_CHECKING

from concordant.choices import Choices
from concordant.progress import Progress, silent
from concordant.readers import profiles
from concordant.readers.format import LIKELY, Format
from concordant.readers.table import ENDINGS

if TYPE_CHECKING:
    from concordant.treebank.comparison import Comparison
    from concordant.treebank.trees import BracketedCorpus

TREE = r"\s*\(\s*(?:\(|[^\s(),;|]+\s*\()"


def read(*paths: str | Path, options: Choices, progress: Progress = silent) -> "BracketedCorpus | Comparison":
    """Files of brackets; directories are profiles, whose trees are compared too."""
    if any(Path(path).is_dir() for path in paths):
        return profiles.read(*paths, options=profiles.ProfileOptions(), progress=progress)
    from concordant.treebank.trees import read_bracketed

    return read_bracketed(paths)


def sniff(path: Path, head: str) -> float:
    """A text that begins with two opening brackets is one of trees, unless its ending is that of a table."""
    ending = path.suffix.casefold()
    return LIKELY * (ending in (".mrg", ".ptb") or (ending not in ENDINGS and re.match(TREE, head) is not None))


FORMAT = Format(
    name="trees",
    holds="brackets",
    help="Trees in Penn brackets, one file for each rater; or two annotators' profiles.",
    read=read,
    sniff=sniff,
    most=None,
    is_slow=True,
)
