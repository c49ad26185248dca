"""The catalogue: every measure by its key, and in words. A measure is found by itself, here or elsewhere (`registry`).

In words: what it imagines, its formula, when not to use it, what other tools call it, its sources. The measure's
docstring says it; the bibliography is `references.toml` beside this module.
"""

import re
from collections.abc import Iterable
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from textwrap import fill
from typing import Any

from concordant.errors import InputError, nearest
from concordant.measures.spec import TITLES, Measure
from concordant.model.measurable import KINDS
from concordant.model.scale import Level
from concordant.registry import parts

ORDER = {"raw": 0, "agreement": 0, "correlation": 1, "reliability": 2}


def by_key(families: Iterable[Iterable[Measure[Any]]]) -> dict[str, Measure[Any]]:
    """Measures of judgements first (agreement, covariation, reliability), then those of spans and of trees."""
    measures = sorted(
        (one for family in families for one in family),
        key=lambda one: (list(KINDS).index(one.of[0]), ORDER[one.kind]),
    )
    found: dict[str, Measure[Any]] = {}
    for one in measures:
        if one.key in found:
            raise InputError(f"two measures have the key {one.key}: {found[one.key].name} and {one.name}")
        found[one.key] = one
    return found


CATALOGUE = by_key(parts("measures", "MEASURES"))


def find_measure(key: str) -> Measure[Any]:
    """The measure of that key; an unknown key is an error that suggests the nearest, or whose name it is."""
    if key not in CATALOGUE:
        raise InputError(f"unknown measure {key!r}", hint=_meant(key))
    return CATALOGUE[key]


def _meant(key: str) -> str:
    """The measures with such a name (krippendorf, cohen), else the nearest key, else what there is."""
    words = dict.fromkeys(word for one in CATALOGUE.values() for word in re.findall(r"[^\W\d_]{4,}", one.name))
    for name in get_close_matches(key.capitalize(), words, n=1, cutoff=0.9):
        return f"{name} is in the name of {', '.join(k for k, one in CATALOGUE.items() if name in one.name)}"
    return nearest(key, list(CATALOGUE))


def measures_of(kind: str) -> tuple[str, ...]:
    """The keys of all measures of a kind of data."""
    return tuple(key for key, one in CATALOGUE.items() if kind in one.of)


WIDTH = 100


@cache
def _references() -> dict[str, str]:
    import tomllib  # measuring needs no bibliography

    return tomllib.loads(Path(__file__).with_name("references.toml").read_text(encoding="utf-8"))


def citation(source: str) -> str:
    """The full citation of a reference; a source that is not a key of the bibliography is a citation already."""
    return source if " " in source else _references()[source]


def explain(key: str) -> str:
    """All there is to say about a measure, as text for a terminal."""
    measure = find_measure(key)
    when_not, elsewhere, example = TITLES
    sections = {
        "Data": data_needed(measure),
        when_not: measure.told(when_not),
        elsewhere: measure.told(elsewhere),
        "Reading": _reading(measure),
        "Example (invented)": measure.told(example),
        "Source": "\n".join(citation(source) for source in measure.cite),
    }
    head = f"{measure.name} ({key})\n\n{measure.doc}"
    return "\n\n".join([head, *(f"{title}:\n{_indented(text)}" for title, text in sections.items())])


def data_needed(measure: Measure[Any]) -> str:
    """Levels, raters and missing judgements, from the measure's own declaration."""
    needs = measure.needs
    if needs.made_for:
        return f"Made for {needs.made_for}."
    levels = ", ".join(level.value for level in Level if level in needs.suits)
    raters = f"{needs.max_raters} raters" if needs.max_raters else "two raters or more"
    numbers = "; any numbers" if needs.continuous else ""
    return f"Made for {levels} data{numbers}; {raters}; missing judgements: {needs.missing}."


def _reading(measure: Measure[Any]) -> str:
    """The scale on which the value is read: good from 0.8, excellent above 0.9."""
    if not measure.reads_on:
        return "No published scale is used for it."
    scale = measure.reads_on[0]
    bands = [f"{band.label} {'from' if band.is_closed else 'above'} {band.border:g}" for band in scale.bands]
    return f"{', '.join([scale.lowest, *bands])} ({scale.name}). {scale.caution}"


def _indented(text: str) -> str:
    """Paragraphs filled to the width of a page, two spaces in."""
    return "\n".join(
        fill(line, WIDTH, initial_indent="  ", subsequent_indent="  ", break_on_hyphens=False)
        for line in text.splitlines()
    )
