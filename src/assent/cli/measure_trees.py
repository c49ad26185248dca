"""`assent measure` on trees: files of brackets, or two profiles."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

from assent.cli.data import Source, split
from assent.cli.printing import print_json, print_results
from assent.cli.progress import Bar
from assent.errors import InputError
from assent.measures.treebanks import OF_BRACKETS, OF_PROFILES
from assent.model.study import Study
from assent.randomness import draw_seed
from assent.treebank.bracketed import BracketedCorpus, read_bracketed
from assent.treebank.comparison import Comparison, compare
from assent.treebank.judging import read_treebanks
from assent.treebank.sentences import Expected, Reading
from assent.treebank.trees import Bracketing
from assent.uncertainty import signature
from assent.uncertainty.estimate import measure
from assent.uncertainty.treebanks import claimed_bracketing, claimed_interval


def measure_trees(
    source: Source, more: Sequence[str], keys: Sequence[str], choices: dict[str, Any], *, as_json: bool
) -> None:
    """Read the trees of all raters, measure, print."""
    which = Bracketing(
        preterminals=choices["preterminals"],
        ignore=frozenset(split(choices["ignore"]) or ()),
        punctuation=frozenset(split(choices["punctuation"]) or ()),
    )
    with Bar("measuring") as bar:
        data = _read([source.path, *more], which, bar)
        seed = draw_seed() if choices["seed"] is None else choices["seed"]
        asked = {name: choices[name] for name in ("ci", "confidence", "resamples")}
        results = [measure(data, key, seed=seed, **asked) for key in keys or _usual(data)]
    (print_json if as_json else print_results)(results, ())


def annotators_study(source: Source, more: Sequence[str]) -> Study:
    """The decisions of several annotators as judgements, one treebank each; other data have all raters in one file."""
    paths = [source.path, *more]
    if not all(Path(path).is_dir() for path in paths):
        hint = "only treebanks (--format trees) have a file for each rater"
        raise InputError(f"{len(paths)} files of data", hint=hint)
    study = read_treebanks({Path(path).resolve().name: path for path in paths})
    for name, values in source.where:
        study = study.where(name, values)
    return study


def verify_trees(claimed: signature.Signature, paths: Sequence[str], *, lexicon: str | None) -> signature.Verification:
    """Compute what a signature says of trees again, and compare."""
    fields = claimed.fields
    data: Comparison | BracketedCorpus
    if any(Path(path).is_dir() for path in paths):
        reading, expected = (
            cast(Reading, fields.get("reading", "resolved")),
            cast(Expected, fields.get("expected", "half")),
        )
        data = compare(*_two(paths), reading=reading, expected=expected, lexicon=lexicon)
    else:
        data = read_bracketed(paths, claimed_bracketing(fields))
    return signature.compare(claimed, measure(data, claimed.key, **claimed_interval(fields)))


def _usual(data: Comparison | BracketedCorpus) -> tuple[str, ...]:
    return OF_PROFILES if isinstance(data, Comparison) else OF_BRACKETS


def _read(paths: Sequence[str], which: Bracketing, bar: Bar) -> Comparison | BracketedCorpus:
    """Profiles if they are directories, else files of brackets."""
    if not any(Path(path).is_dir() for path in paths):
        return read_bracketed(paths, which)
    return compare(*_two(paths), progress=bar)


def _two(paths: Sequence[str]) -> tuple[str, str]:
    if len(paths) != 2:
        raise InputError(f"{len(paths)} treebanks", hint="profiles are compared two by two: name two directories")
    return paths[0], paths[1]
