"""Values that may not mean what they seem: off the scale, spelled in two ways, blank, None, 0, put off until later."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from assent.diagnosis.findings import Finding, Severity, count, named
from assent.diagnosis.forensics.case import Case, off_scale_labels
from assent.model.columns import Column
from assent.model.scale import as_numbers

MISSING_WORDS = frozenset({"none", "na", "n/a", "nan", "null", "nil", "-", "--", "?", "missing", "#n/a"})
DEFERRED_WORDS = frozenset(
    {"not sure", "unsure", "notsure", "not_sure", "skip", "skipped", "deferred", "later", "don't know", "dont know"}
)
RARE_ZERO = 0.02
LEAST_ROWS = 100


def off_scale(case: Case) -> Iterator[Finding]:
    """Values that are not on the declared scale, or numbers far outside all others."""
    declared = off_scale_labels(case.study)
    if declared:
        yield _off_finding(case, declared, "not on the declared scale " + named(case.study.categories or ()))
    elif case.study.categories is None:
        for part in case.parts:
            far = _far_out(part.study.value.as_labels())
            if far:
                yield _off_finding(case, far, f"far from all other values of {part.question or 'the question'}")


def _far_out(column: Column) -> tuple[str, ...]:
    """Numbers given once or twice that lie farther from the rest than the rest is wide."""
    numbers = as_numbers(column.labels)
    if numbers is None or len(numbers) < 4 or len(numbers) > 50:
        return ()
    times = np.bincount(column.codes[column.codes >= 0], minlength=len(numbers))
    rare = times <= max(2, 0.001 * times.sum())
    usual = numbers[~rare]
    if len(usual) < 2:
        return ()
    width = float(np.ptp(usual))
    away = np.maximum(usual.min() - numbers, numbers - usual.max())
    return tuple(column.labels[i] for i in np.nonzero(rare & (away > width))[0].tolist())


def _off_finding(case: Case, labels: tuple[str, ...], why: str) -> Finding:
    """Say which values, how often, and in which row first."""
    column = case.study.value.as_labels()
    codes = [i for i, label in enumerate(column.labels) if label in labels]
    rows = np.nonzero(np.isin(column.codes, codes))[0]
    line = int(rows[0]) + 1 if case.study.row_numbers is None else int(case.study.row_numbers[rows[0]])
    return Finding(
        kind="off-scale",
        severity=Severity.SERIOUS,
        seen=f"{count(len(rows), 'judgement')} with {'a value' if len(labels) == 1 else 'values'} {why}: "
        f"{named([repr(label) for label in labels])} (first in row {line:,}).",
        sure="The values are in the data.",
        advice="Mend the typing errors or declare the scale with --categories. What is off the declared scale is "
        "treated as missing here.",
        evidence={"values": list(labels), "n_judgements": len(rows), "first_row": line},
    )


def spelled_twice(case: Case) -> Iterator[Finding]:
    """Two labels that differ only in case or blanks: probably one category."""
    forms: dict[str, list[str]] = {}
    for label in case.study.value.as_labels().labels[:10_000]:
        forms.setdefault(" ".join(label.casefold().split()), []).append(label)
    doubled = [labels for labels in forms.values() if len(labels) > 1]
    if doubled:
        shown = "; ".join(" and ".join(repr(label) for label in labels) for labels in doubled[:4])
        yield Finding(
            kind="spelled-twice",
            severity=Severity.WARNING,
            seen=f"Values that differ only in case or blanks: {shown}.",
            sure="They are different categories to every coefficient.",
            advice="Give each category one spelling.",
            evidence={"values": doubled},
        )


def blanks(case: Case) -> Iterator[Finding]:
    """Cells without a judgement, and units that nobody judged at all."""
    study = case.study
    n_blank = study.value.n_blank
    if not n_blank:
        return
    codes = study.value.as_labels().codes
    judged = np.bincount(study.unit.codes[codes >= 0], minlength=len(study.unit.labels)) > 0
    n_unjudged = int((~judged).sum())
    which = [study.unit.labels[i] for i in np.nonzero(~judged)[0][:6]]
    unjudged = f" {count(n_unjudged, 'unit')} have no judgement at all ({named(which, 3)} …)." if n_unjudged else ""
    yield Finding(
        kind="blank-values",
        severity=Severity.NOTE,
        seen=f"{count(n_blank, 'value')} of {study.n_rows:,} are blank and read as missing.{unjudged}",
        sure="Counted. A blank is missing; 0, None and NA are values unless declared missing with --missing.",
        advice="Say in the report how many judgements are missing, and why.",
        evidence={"n_blank": n_blank, "n_rows": study.n_rows, "n_unjudged_units": n_unjudged, "units": which},
    )


def missing_words(case: Case) -> Iterator[Finding]:
    """Words for missing, deferred answers, and zeros on a scale that starts at 1, among the values."""
    column = case.study.value.as_labels()
    for words, kind, meaning in (
        (MISSING_WORDS, "missing-words", "words that often mean missing"),
        (DEFERRED_WORDS, "deferred-values", "answers put off until later"),
    ):
        found = [label for label in column.labels[:10_000] if label.strip().casefold() in words]
        if found:
            yield _words_finding(column, found, kind, meaning)
    if _has_strange_zero(column):
        yield _words_finding(column, ["0"], "zero-values", "zeros although the scale seems to begin above")


def _has_strange_zero(column: Column) -> bool:
    """Whether 0 is rare among at least three other whole numbers, all of them above 1."""
    numbers = as_numbers(column.labels)
    if numbers is None or "0" not in column.labels or len(numbers) < 4 or len(column) < LEAST_ROWS:
        return False
    n_zero = int((column.codes == list(column.labels).index("0")).sum())
    return n_zero < RARE_ZERO * len(column) and float(np.sort(numbers)[1]) >= 1


def _words_finding(column: Column, labels: list[str], kind: str, meaning: str) -> Finding:
    """Say which words and how often."""
    times = {label: int((column.codes == list(column.labels).index(label)).sum()) for label in labels}
    shown = ", ".join(f"{label!r} ({n:,})" for label, n in times.items())
    return Finding(
        kind=kind,
        severity=Severity.WARNING,
        seen=f"Among the values are {meaning}: {shown}. They are counted as categories.",
        sure="Counted; whether they are judgements only you can know.",
        advice=f"If they are not judgements, read the data with --missing {','.join(labels)!r}.",
        evidence={"values": times},
    )


def missing_words_elsewhere(case: Case) -> Iterator[Finding]:
    """Texts like None in other columns: values here, missing for much other software."""
    for name in case.study.attribute_of("unit"):
        column = case.study.attributes[name]
        if column.numbers is not None:
            continue
        found = [i for i, label in enumerate(column.labels) if label.strip().casefold() in MISSING_WORDS]
        times = {column.labels[i]: _n_units(case, column.codes == i) for i in found}
        if times:
            words = ", ".join(f"{label!r} ({n:,})" for label, n in times.items())
            yield Finding(
                kind="missing-words-elsewhere",
                severity=Severity.NOTE,
                seen=f"{count(sum(times.values()), 'unit')} with {words} in {name!r}: read as words, not as missing.",
                sure="Counted; whether they are words or missing values only you can know.",
                advice="Other software turns such cells into missing values on reading; switch that off.",
                evidence={"column": name, "n_units": times},
            )


def _n_units(case: Case, rows: NDArray[np.bool_]) -> int:
    """How many units have one of these rows."""
    return len(np.unique(case.study.unit.codes[rows]))
