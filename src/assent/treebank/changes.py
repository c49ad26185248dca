"""What changed since an earlier version of the same two treebanks."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from assent.errors import InputError
from assent.treebank.comparison import Comparison
from assent.treebank.sentences import Sentence

Kind = Literal["settled", "new divergence", "still divergent", "choice changed", "added", "removed"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """A sentence that is not as it was; `before` or `after` is None if that version does not have it."""

    kind: Kind
    before: Sentence | None
    after: Sentence | None

    @property
    def row(self) -> Sentence:
        """The newer of the two rows."""
        found = self.after or self.before
        if found is None:
            raise ValueError("a change without a sentence")
        return found


def earlier_sources(previous: str | Path, a: str | Path, b: str | Path) -> tuple[Path, Path]:
    """The earlier versions of the sources `a` and `b`: the directories of the same names under `previous`."""
    found = tuple(Path(previous) / Path(str(source).rstrip("/").partition("#")[0]).stem for source in (a, b))
    for path in found:
        if not path.is_dir():
            hint = "the earlier version of each annotator's directory must be there under the same name"
            raise InputError("there is no such directory", file=path, hint=hint)
    return found[0], found[1]


def changes(before: Comparison, after: Comparison) -> list[Change]:
    """The sentences whose choices or divergence changed, in the order of the newer version, removed ones last."""
    old, new = _by_place(before), _by_place(after)
    places = [*new, *(place for place in old if place not in new)]
    found = [(_kind(old.get(place), new.get(place)), old.get(place), new.get(place)) for place in places]
    return [Change(kind=kind, before=was, after=now) for kind, was, now in found if kind is not None]


def _by_place(comparison: Comparison) -> dict[tuple[str, str, str], Sentence]:
    is_single = len({(row.corpus, row.suite) for row in comparison.sentences}) == 1
    return {
        ("", "", row.sentence) if is_single else (row.corpus, row.suite, row.sentence): row
        for row in comparison.sentences
    }


def _kind(was: Sentence | None, now: Sentence | None) -> Kind | None:
    """What happened to a sentence; None if nothing did."""
    if was is None or now is None:
        return "added" if was is None else "removed"
    if was.is_divergent != now.is_divergent:
        return "settled" if was.is_divergent else "new divergence"
    if now.is_divergent:
        return "still divergent"
    is_same = (was.a[:2], was.b[:2]) == (now.a[:2], now.b[:2])
    return None if is_same else "choice changed"
