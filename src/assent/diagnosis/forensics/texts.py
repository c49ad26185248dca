"""Identical texts inside an item: often judged once and copied to all, so that there are fewer judgements than rows."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assent.diagnosis.findings import Finding, Severity, count
from assent.diagnosis.forensics.case import Case
from assent.diagnosis.material import Material
from assent.diagnosis.slices import usual_measure
from assent.engines.membership import UnitTally
from assent.measures.catalogue import find_measure
from assent.measures.evaluation import evaluate
from assent.model.columns import Column

ITEM_NAMES = ("item", "item_id", "prompt", "stimulus", "image", "document", "doc", "context", "task")
LEAST_LENGTH = 10


def duplicated_texts(case: Case) -> Iterator[Finding]:
    """Texts that occur more than once in an item, with both numbers of units and both coefficients."""
    first = case.parts[0]
    name = next((n for n, column in first.unit_attributes.items() if is_text(column)), None)
    if name is None:
        return
    item = next((n for n in first.unit_attributes if n.casefold() in ITEM_NAMES), None)
    forms = {label: normalised(label) for label in case.study.attributes[name].labels}
    looks = [_look(part, name, item, forms) for part in case.parts if name in part.unit_attributes]
    if looks and looks[0]["n_units"] > looks[0]["n_distinct"]:
        yield _finding(name, item, looks, [part.question for part in case.parts])


def is_text(column: Column) -> bool:
    """Whether the labels are running text: most have a blank and they are long."""
    labels = list(column.labels[:1000])
    if len(labels) < 2:
        return False
    spaced = sum(" " in label.strip() for label in labels)
    return 2 * spaced > len(labels) and sum(map(len, labels)) >= LEAST_LENGTH * len(labels)


def normalised(text: str) -> str:
    """The text without what does not count: case, extra blanks, final punctuation.

    >>> normalised("  The boy  is dancing. ")
    'the boy is dancing'
    """
    return re.sub(r"[\s.!?,;:…]+$", "", " ".join(text.casefold().split()))


def same_text(part: Material, name: str, item: str | None, forms: Mapping[str, str]) -> NDArray[np.int64]:
    """For each unit the number of its text within its item: units with one number have one text."""
    column = part.unit_attributes[name]
    texts: dict[str, int] = {}
    number = np.array([*(texts.setdefault(forms[label], len(texts)) for label in column.labels), len(texts)])
    owner = np.zeros(len(column.codes), dtype=np.int64) if item is None else part.unit_attributes[item].codes
    key = (owner.astype(np.int64) + 1) * (len(texts) + 1) + number[column.codes]
    return np.unique(key, return_inverse=True)[1].reshape(-1)


def _look(part: Material, name: str, item: str | None, forms: Mapping[str, str]) -> dict[str, Any]:
    """All units with two judgements against one unit for each distinct text."""
    whole = part.by_unit
    text = same_text(part, name, item, forms)
    paired = np.nonzero(part.is_paired)[0]
    _, first = np.unique(text[paired], return_index=True)
    once = np.zeros(len(text), dtype=bool)
    once[paired[first]] = True
    values = [_value(whole, mask) for mask in (part.is_paired, once)]
    return {
        "n_units": len(paired),
        "n_distinct": len(first),
        "n_judged_alike": _n_alike(whole, text, paired),
        "value_of_all": values[0],
        "value_of_distinct": values[1],
        "measure": usual_measure(whole.whole),
    }


def _value(whole: UnitTally, mask: NDArray[np.bool_]) -> float | None:
    """The usual coefficient of some units."""
    return evaluate(find_measure(usual_measure(whole.whole)), whole.of_units(mask)).value


def _n_alike(whole: UnitTally, text: NDArray[np.int64], paired: NDArray[np.int64]) -> int:
    """How many units have the same judgements as the first unit with their text."""
    _, first, which = np.unique(text[paired], return_index=True, return_inverse=True)
    pattern = whole.pattern_of[paired]
    return int((pattern == pattern[first][which.reshape(-1)]).sum())


def _finding(name: str, item: str | None, looks: list[dict[str, Any]], questions: list[str | None]) -> Finding:
    """Say it, with the coefficients of every question."""
    n, distinct = looks[0]["n_units"], looks[0]["n_distinct"]
    alike = all(look["n_judged_alike"] == look["n_units"] for look in looks)
    where = f" within {item!r}" if item else ""
    return Finding(
        kind="duplicated-texts",
        severity=Severity.WARNING,
        seen=f"The {count(n, 'unit')} judged twice have {distinct:,} different texts ({name!r}{where}, case and final "
        f"punctuation ignored). {_both(looks, questions)}",
        sure="All copies of a text have the same judgements, so they were judged once and copied."
        if alike
        else "Copies of a text have different judgements, so at least some were judged separately.",
        advice="Report both numbers. Intervals that treat copies as independent units are too narrow: measure the "
        "distinct texts, or resample texts.",
        evidence={"column": name, "item": item, "n_units": n, "n_distinct": distinct, "judged_once": alike}
        | {"by_question": [{"question": q, **look} for q, look in zip(questions, looks, strict=True)]},
    )


def _both(looks: list[dict[str, Any]], questions: list[str | None]) -> str:
    """Both coefficients of every question."""
    shown = [
        " ".join(
            [*([question] if question else []), _digits(look["value_of_all"]), "→", _digits(look["value_of_distinct"])]
        )
        for question, look in zip(questions, looks, strict=True)
    ]
    return f"{looks[0]['measure']} of all units → of distinct texts: {', '.join(shown)}."


def _digits(value: float | None) -> str:
    """Three decimals, or a word."""
    return "undefined" if value is None else f"{value:.3f}"
