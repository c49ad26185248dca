"""Treebanks as ordinary judgements: a unit is a discriminant of a sentence, a value is yes or no.

So everything that works on judgements works on treebanks: slices by suite, entropy, forensics, alpha for any number of
annotators.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path

from assent.errors import InputError
from assent.model.columns import encode
from assent.model.scale import Level
from assent.model.study import Study
from assent.treebank.discriminants import TYPE_NAMES, logged_values
from assent.treebank.lexicon import read_lexicon
from assent.treebank.profile import Annotation, read_profile
from assent.treebank.resolved import ChosenAnalysis
from assent.treebank.sentences import value_of
from assent.treebank.suites import find_suites

_COLUMNS = ("unit", "rater", "value", "suite", "sentence", "type")


def read_treebanks(annotators: Mapping[str, str | Path], *, lexicon: str | Path | None = None) -> Study:
    """The judgements of several annotators (name -> profile or directory of suites) on their common discriminants.

    Every discriminant in anybody's log is a unit. Whoever did not decide it is taken to judge as the analysis they
    chose says; where that cannot be told the judgement is missing.
    """
    known = read_lexicon(lexicon) if lexicon else {}
    rows = list(_rows({name: Path(path) for name, path in annotators.items()}, known))
    if not rows:
        raise InputError("no decisions in it", file=", ".join(map(str, annotators.values())), hint="is it annotated?")
    columns = {name: encode(list(cells)) for name, cells in zip(_COLUMNS, zip(*rows, strict=True), strict=True)}
    return Study(
        name=" ".join(str(path) for path in annotators.values()),
        unit=columns["unit"],
        rater=columns["rater"],
        value=columns["value"],
        attributes={name: columns[name].as_labels() for name in ("suite", "sentence", "type")},
        level=Level.NOMINAL,
        categories=("no", "yes"),
    )


def _rows(annotators: Mapping[str, Path], lexicon: Mapping[str, str]) -> Iterator[tuple[str, ...]]:
    """One row per judgement, suite by suite."""
    suites = {name: find_suites(path) for name, path in annotators.items()}
    for suite in dict.fromkeys(suite for found in suites.values() for suite in found):
        profiles = {name: read_profile(found[suite]) for name, found in suites.items() if suite in found}
        for sentence in dict.fromkeys(key for profile in profiles.values() for key in profile.annotations):
            known = {name: profile.annotations.get(sentence) for name, profile in profiles.items()}
            yield from _sentence_rows(suite, sentence, {n: a for n, a in known.items() if a is not None}, lexicon)


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
