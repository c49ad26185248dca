"""A study whose rows are taken in another way: units in clusters, several questions as one or crossed with raters."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from concordant.engines.tally import Tally
from concordant.errors import InputError
from concordant.measures.dependability import dependability, generalizability
from concordant.model.judgements import Judgements
from concordant.model.several_questions import as_one, crossed
from concordant.model.study import Study


def clustered(data: Any, cluster: str) -> Any:
    """A study, or a table of another engine, whose units belong together where that column is the same."""
    if hasattr(data, "clustered"):
        return data.clustered(cluster)
    if isinstance(data, Judgements | Tally):
        raise InputError("these judgements have no columns", hint="say .with_clusters([…]) of them, a label per unit")
    raise InputError("only judgements have clusters of units", hint="leave out cluster")


Together = Literal["as_one", "crossed"]
CROSSED = (dependability.key, generalizability.key)
WAYS = {
    "as_one": "taken as one",
    "crossed": "crossed",
    "pool": "pooled",
    "pairs": "taken by pairs of raters",
    "groups": "taken by groups of raters",
    "permutations": "tested by permutations",
}


def joined(data: Any, kind: Together, ways: Mapping[str, Any]) -> tuple[Study, list[str]]:
    """A study whose questions are taken together, with what is to be said of that."""
    found = together(data, kind, [name for name, is_asked in ways.items() if is_asked])
    return found, [note for note in found.notes if note not in data.notes]


def together(data: Any, kind: Together = "as_one", ways: Sequence[str] = ()) -> Study:
    """A study whose questions are answered as one, or crossed with its raters; other ways to take data are refused."""
    if not isinstance(data, Study):
        raise InputError("only a study in memory has questions to take together", hint=f"leave out {kind}")
    if others := [name for name in ways if name != kind]:
        first, second = WAYS[others[0]], WAYS[kind]
        raise InputError(f"questions are {first} or {second}, not both", hint="leave out one of the two")
    return as_one(data) if kind == "as_one" else crossed(data)
