"""Treebanks in Penn brackets: the same sentences bracketed by two or more raters, one file each."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path

from assent.errors import InputError
from assent.treebank.trees import Bracketing, Counts, Tree, leaf_ancestor, parse_brackets, parseval


@dataclass(frozen=True, slots=True, kw_only=True)
class BracketedCorpus:
    """One tree per sentence and rater; the order of the trees in the files matches them."""

    raters: tuple[str, ...]
    sentences: tuple[tuple[Tree, ...], ...]
    bracketing: Bracketing = field(default_factory=Bracketing)

    def parseval(self) -> list[Counts | None]:
        """Shared spans per sentence, summed over the pairs of raters; None where words differ."""
        return self._compare(lambda a, b: parseval(a, b, self.bracketing) if a.words() == b.words() else None)

    def leaf_ancestor(self) -> list[Counts | None]:
        """Similarity of lineages per sentence, summed over words and pairs of raters; None where words differ."""
        return self._compare(_lineage_counts)

    def _compare(self, compare: Callable[[Tree, Tree], Counts | None]) -> list[Counts | None]:
        return [_sum([compare(a, b) for a, b in combinations(trees, 2)]) for trees in self.sentences]


def _lineage_counts(a: Tree, b: Tree) -> Counts | None:
    words = leaf_ancestor(a, b)
    return None if words is None else Counts(sum(words), len(words), len(words))


def _sum(parts: Sequence[Counts | None]) -> Counts | None:
    known = [part for part in parts if part is not None]
    if len(known) < len(parts):
        return None
    return Counts(*(sum(getattr(part, name) for part in known) for name in ("both", "a", "b")))


def read_bracketed(paths: Sequence[str | Path], bracketing: Bracketing | None = None) -> BracketedCorpus:
    """Read one file per rater; the raters are called as their files. `bracketing` says which nodes Parseval counts."""
    if len(paths) < 2:
        raise InputError("trees of one rater only", hint="name one file per rater: gold.mrg test.mrg")
    files = [Path(path) for path in paths]
    treebanks = [_read(file) for file in files]
    for file, trees in zip(files[1:], treebanks[1:], strict=True):
        if len(trees) != len(treebanks[0]):
            counts = f"{len(trees)} trees, and {files[0]} has {len(treebanks[0])}"
            raise InputError(counts, file=file, hint="the n-th trees of all files must be of one sentence")
    sentences = tuple(zip(*treebanks, strict=True))
    return BracketedCorpus(raters=_names(files), sentences=sentences, bracketing=bracketing or Bracketing())


def _read(file: Path) -> list[Tree]:
    if not file.is_file():
        raise InputError("there is no such file", file=file)
    try:
        trees = parse_brackets(file.read_text(encoding="utf-8"), file=str(file))
    except UnicodeDecodeError as error:
        raise InputError("not UTF-8 text", file=file, hint="convert it first") from error
    if not trees:
        raise InputError("no tree in it", file=file, hint="write trees as (S (NP …) (VP …))")
    return trees


def _names(files: Sequence[Path]) -> tuple[str, ...]:
    stems = tuple(file.stem for file in files)
    return stems if len(set(stems)) == len(stems) else tuple(str(file) for file in files)
