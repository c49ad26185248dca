"""A measure in words: what it imagines, its formula, when not to use it, what other tools call it, its sources.

The chance model and the formula are the measure's docstring; the rest is in `explanations.toml` and
`references.toml` beside this module.
"""

import tomllib
from functools import cache
from importlib.resources import files
from inspect import cleandoc
from textwrap import fill
from typing import Any

from assent.measures.benchmarks import benchmark_for
from assent.measures.catalogue import find_measure
from assent.measures.spec import Measure
from assent.model.scale import Level

WIDTH = 100


@cache
def _load(name: str) -> dict[str, Any]:
    """A TOML file beside this module."""
    return tomllib.loads(files("assent.measures").joinpath(name).read_text(encoding="utf-8"))


def citation(key: str) -> str:
    """The full citation of a reference."""
    return str(_load("references.toml")[key])


def advice(key: str) -> dict[str, str]:
    """`when_not`, `elsewhere` and `example` of a measure."""
    return dict(_load("explanations.toml")[key])


def explain(key: str) -> str:
    """All there is to say about a measure, as text for a terminal."""
    measure, told = find_measure(key), advice(key)
    sections = {
        "Data": data_needed(measure),
        "When not to use it": told["when_not"],
        "In other tools": told["elsewhere"],
        "Reading": _reading(key),
        "Example (invented)": told["example"],
        "Source": "\n".join(citation(source) for source in measure.cite),
    }
    head = f"{measure.name} ({key})\n\n{cleandoc(measure.doc)}"
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


def _reading(key: str) -> str:
    """The scale on which the value is read."""
    scale = benchmark_for(key)
    if scale is None:
        return "No published scale is used for it."
    labels = ", ".join([scale.lowest, *(_from(band.label, band.border, band.is_closed) for band in scale.bands)])
    return f"{labels} ({scale.name}). {scale.caution}"


def _from(label: str, border: float, is_closed: bool) -> str:
    """A band in words.

    >>> _from("good", 0.8, True)
    'good from 0.8'
    """
    return f"{label} {'from' if is_closed else 'above'} {border:g}"


def _indented(text: str) -> str:
    """Paragraphs filled to the width of a page, two spaces in."""
    return "\n".join(
        fill(line, WIDTH, initial_indent="  ", subsequent_indent="  ", break_on_hyphens=False)
        for line in text.splitlines()
    )
