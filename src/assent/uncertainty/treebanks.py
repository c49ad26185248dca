"""Measures of trees: how a request is answered on two profiles, or on files of brackets."""

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import unquote

from assent.errors import InputError, nearest
from assent.measures.result import Agreement
from assent.measures.treebanks import OF_BRACKETS, OF_PROFILES
from assent.progress import Progress, silent
from assent.treebank.bracketed import BracketedCorpus
from assent.treebank.comparison import Comparison
from assent.treebank.trees import Bracketing
from assent.uncertainty.over_sentences import Resampling, measure_options, measure_trees
from assent.uncertainty.request import Request
from assent.uncertainty.signature import escape


def measure_comparison(data: Comparison, request: Request, progress: Progress = silent) -> Agreement:
    """A measure of two compared treebanks."""
    _check_key(request.key, OF_PROFILES, "two treebanks")
    if request.key == "y_option":
        return measure_options(data, _resampling(request))
    chosen = [row for row in data.sentences if row.a.status == row.b.status == "accepted"]
    rows = [getattr(row, request.key) for row in chosen]
    return measure_trees(request.key, rows, (data.a, data.b), _resampling(request))


def measure_bracketed(data: BracketedCorpus, request: Request, progress: Progress = silent) -> Agreement:
    """A measure of bracketed trees; of more than two raters all pairs count."""
    _check_key(request.key, OF_BRACKETS, "trees in brackets")
    rows = data.parseval() if request.key == "parseval" else data.leaf_ancestor()
    chosen = bracketing_fields(data.bracketing) if request.key == "parseval" else {}
    return measure_trees(request.key, rows, data.raters, _resampling(request), chosen)


def bracketing_fields(which: Bracketing) -> dict[str, str]:
    """What a signature says of the nodes that Parseval counts, as far as it is not the default."""
    fields = {} if which.preterminals else {"preterminals": "no"}
    labels = {"ignore": which.ignore, "punctuation": which.punctuation}
    return fields | {name: ",".join(map(escape, sorted(chosen))) for name, chosen in labels.items() if chosen}


def claimed_bracketing(fields: Mapping[str, str]) -> Bracketing:
    """The nodes that a signature says were counted."""
    labels = {name: fields.get(name, "").split(",") for name in ("ignore", "punctuation")}
    kept = {name: frozenset(unquote(label) for label in found if label) for name, found in labels.items()}
    return Bracketing(preterminals=fields.get("preterminals") != "no", **kept)


def claimed_interval(fields: Mapping[str, str]) -> dict[str, Any]:
    """How a signature says the interval was made, as options of `measure`."""
    if fields.get("ci", "none") == "none":
        return {"ci": "none"}
    kind, level, *_ = fields["ci"].split(",")
    confidence = float(level.rstrip("%")) / 100
    return {"ci": kind, "confidence": confidence, "resamples": int(fields["B"]), "seed": int(fields["seed"])}


def _check_key(key: str, known: Sequence[str], data: str) -> None:
    if key not in known:
        raise InputError(f"{key} is no measure of {data}", hint=nearest(key, tuple(known)))


def _resampling(request: Request) -> Resampling:
    """The draws that were asked for; there is only one way to be unsure about a sum over sentences."""
    kinds: dict[Any, int] = {"bootstrap": request.resamples, "none": 0}
    if request.ci not in kinds:
        raise InputError(f"no {request.ci} interval for {request.key}", hint="use ci=bootstrap or ci=none")
    return Resampling(n=kinds[request.ci], seed=request.seed, level=request.confidence)
