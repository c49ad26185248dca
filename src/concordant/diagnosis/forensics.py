"""Is anything wrong with the data themselves? Small checks, each silent unless it finds something.

Values may not mean what they seem: off the scale, spelled in two ways, blank, None, 0, put off until later. Judgements
may be laid out badly: units with one rater, batches that go with an attribute, contradicting codes, copies. Identical
texts inside an item were often judged once and copied to all, so that there are fewer judgements than rows.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import permutations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.diagnosis import behaviour
from concordant.diagnosis.findings import Finding, Severity, named, note, serious, warning
from concordant.diagnosis.material import Case, Codes, Material, count_pairs, off_scale_labels
from concordant.diagnosis.slices import usual_measure
from concordant.digits import counted, decimal
from concordant.measures.catalogue import find_measure
from concordant.measures.evaluation import evaluate
from concordant.model.columns import Column, encode
from concordant.model.scale import as_numbers
from concordant.randomness import generator


def examine(case: Case, *, trust_raters: bool = False) -> tuple[list[Finding], str | None]:
    """Run every check; and why statistics about raters are refused, if they are."""
    found, refused = run(case, behaviour.sorted_slots, behaviour.anonymous_slots), None
    if found and not trust_raters:
        kind = found[0].kind.partition("-")[0]
        refused = f"the columns are {kind}: places in a table, not raters (say --trust-raters if they are people)"
    else:
        found += run(case, behaviour.constant_rater, behaviour.copied_raters, behaviour.straight_lining)
        found += run(case, behaviour.one_answer_to_all, behaviour.too_fast)
    found += run(case, off_scale, spelled_twice, duplicated_texts, confounded_batches, contradicting_codes)
    return found + run(case, behaviour.slot_bias, missing_words, single_rated, blanks, missing_words_elsewhere), refused


def run(case: Case, *checks: Callable[[Case], Iterable[Finding]]) -> list[Finding]:
    """What these checks find."""
    return [finding for check in checks for finding in check(case)]


MISSING_WORDS = frozenset({"none", "na", "n/a", "nan", "null", "nil", "-", "--", "?", "missing", "#n/a"})
DEFERRED_WORDS = frozenset(
    {"not sure", "unsure", "notsure", "not_sure", "skip", "skipped", "deferred", "later", "don't know", "dont know"}
)
RARE_ZERO, LEAST_ROWS = 0.02, 100


def off_scale(case: Case) -> Iterator[Finding]:
    """Values that are not on the declared scale, or numbers far outside all others."""
    declared = off_scale_labels(case.study)
    if declared:
        yield _off_finding(case, declared, "not on the declared scale " + named(case.study.categories or ()))
    elif case.study.categories is None:
        for part in case.parts:
            far = far_out(part.study.value.as_labels())
            if far:
                yield _off_finding(case, far, f"far from all other values of {part.question or 'the question'}")


def far_out(column: Column) -> tuple[str, ...]:
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
    return serious(
        kind="off-scale",
        seen=f"{counted(len(rows), 'judgement')} with {'a value' if len(labels) == 1 else 'values'} {why}: "
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
        yield warning(
            kind="spelled-twice",
            seen=f"Values that differ only in case or blanks: {shown}.",
            sure="They are different categories to every coefficient.",
            advice="Give each category one spelling.",
            evidence={"values": doubled},
        )


def blanks(case: Case) -> Iterator[Finding]:
    """Cells without a judgement, and units that nobody judged at all."""
    study, n_blank = case.study, case.study.value.n_blank
    if not n_blank:
        return
    judged = np.bincount(study.unit.codes[study.value.as_labels().codes >= 0], minlength=len(study.unit.labels))
    n_unjudged, which = int((judged == 0).sum()), [study.unit.labels[i] for i in np.nonzero(judged == 0)[0][:6]]
    has, are = ("has" if n_unjudged == 1 else "have"), ("is" if n_blank == 1 else "are")
    unjudged = f" {counted(n_unjudged, 'unit')} {has} no judgement at all ({named(which, 3)} …)." if n_unjudged else ""
    yield note(
        kind="blank-values",
        seen=f"{counted(n_blank, 'value')} of {study.n_rows:,} {are} blank and read as missing.{unjudged}",
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
    numbers, n_zero = as_numbers(column.labels), 0
    if numbers is not None and "0" in column.labels and len(numbers) >= 4 and len(column) >= LEAST_ROWS:
        n_zero = int((column.codes == list(column.labels).index("0")).sum())
    # rare among at least three other whole numbers, all of them above
    if numbers is not None and 0 < n_zero < RARE_ZERO * len(column) and float(np.sort(numbers)[1]) >= 1:
        yield _words_finding(column, ["0"], "zero-values", "zeros although the scale seems to begin above")


def _words_finding(column: Column, labels: list[str], kind: str, meaning: str) -> Finding:
    """Say which words and how often."""
    times = {label: int((column.codes == list(column.labels).index(label)).sum()) for label in labels}
    shown = ", ".join(f"{label!r} ({n:,})" for label, n in times.items())
    return warning(
        kind=kind,
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
        times = {column.labels[i]: len(np.unique(case.study.unit.codes[column.codes == i])) for i in found}
        if times:
            words = ", ".join(f"{label!r} ({n:,})" for label, n in times.items())
            yield note(
                kind="missing-words-elsewhere",
                seen=f"{counted(sum(times.values()), 'unit')} with {words} in {name!r}: read as words, not as missing.",
                sure="Counted; whether they are words or missing values only you can know.",
                advice="Other software turns such cells into missing values on reading; switch that off.",
                evidence={"column": name, "n_units": times},
            )


BATCH_NAMES = ("batch", "set", "session", "part", "split")
MOST_LEVELS, LEAST_UNITS = 20, 5
CONFOUNDED, ALMOST, ALMOST_V = 0.9, 0.9, 0.8


def single_rated(case: Case) -> Iterator[Finding]:
    """Units with one judgement while others have more: they carry no agreement."""
    sizes = [np.bincount(part.judgements.rows().unit, minlength=part.judgements.n_units) for part in case.parts]
    single = sum(int((size == 1).sum()) for size in sizes)
    judged = sum(int((size > 0).sum()) for size in sizes)
    if not single:
        return
    everything = single == judged
    over = f" (over {counted(len(case.parts), 'question')})" if len(case.parts) > 1 else ""
    yield Finding(
        kind="single-rated",
        severity=Severity.SERIOUS if everything else Severity.NOTE,
        seen=f"{single:,} of {judged:,} judged units{over} have one judgement only.",
        sure="Counted.",
        advice="No unit was judged twice, so nothing can be said about agreement."
        if everything
        else "They are left out of observed agreement everywhere; say how many units the coefficient rests on.",
        evidence={"n_single": single, "n_judged": judged},
    )


def confounded_batches(case: Case) -> Iterator[Finding]:
    """Which raters (or which batch) a unit got goes with an attribute: their effects cannot be told apart."""
    part = case.parts[0]
    # a number for the set of raters who judged each unit: their random marks, combined
    rows = part.judgements.rows()
    mark = generator(0).integers(1, 2**62, size=len(part.tally.raters), dtype=np.int64)
    key = np.zeros(part.judgements.n_units, dtype=np.int64)
    np.bitwise_xor.at(key, rows.unit, mark[rows.rater])
    batches: dict[str, Codes] = {"the raters who judged a unit": np.unique(key, return_inverse=True)[1].reshape(-1)}
    batches |= {repr(n): c.codes for n, c in part.unit_attributes.items() if n.casefold() in BATCH_NAMES}
    for what, batch in batches.items():
        for name, column in part.unit_attributes.items():
            if repr(name) in batches or not _levels(column):
                continue
            table = _table(batch[part.is_paired], column.codes[part.is_paired])
            large = table[table.sum(axis=1) >= LEAST_UNITS][:, table.sum(axis=0) >= LEAST_UNITS]
            if cramers_v(large) >= CONFOUNDED:
                v = cramers_v(table)
                yield warning(
                    kind="confounded-batch",
                    seen=f"{what[0].upper()}{what[1:]} goes with {name!r}: units of one value were judged together, "
                    "those of another elsewhere.",
                    sure=f"Cramér's V is {decimal(v, 2)} (1 means that one tells the other).",
                    advice=f"A difference in agreement between the values of {name!r} may be a difference between "
                    "raters. Let every rater judge units of every kind.",
                    evidence={"batch": what, "attribute": name, "cramers_v": v},
                )


def _levels(column: Column) -> bool:
    """Whether a column sorts units into a few groups."""
    return 2 <= len(column.labels) <= MOST_LEVELS


def _table(first: Codes, second: Codes) -> NDArray[np.int64]:
    """Counts of two codings."""
    keep = (first >= 0) & (second >= 0)
    first, second = first[keep], second[keep]
    return count_pairs(first, second, (int(first.max(initial=-1)) + 1, int(second.max(initial=-1)) + 1))


def cramers_v(table: NDArray[np.int64]) -> float:
    """√(χ² / (n (min(rows, columns) - 1))): 1 if one coding tells the other (Cramér 1946)."""
    table = table[table.sum(axis=1) > 0][:, table.sum(axis=0) > 0].astype(np.float64)
    if min(table.shape) < 2:
        return 0.0
    n = table.sum()
    expected = table.sum(axis=1, keepdims=True) * table.sum(axis=0, keepdims=True) / n
    return float(np.sqrt(((table - expected) ** 2 / expected).sum() / (n * (min(table.shape) - 1))))


def contradicting_codes(case: Case) -> Iterator[Finding]:
    """Two columns that say nearly the same thing, and contradict each other in a few units."""
    part = case.parts[0]
    columns, new = {n: c for n, c in part.unit_attributes.items() if _levels(c)}, {}
    for name, code in parts_of_names(part.units).items():
        tables = [_table(code.codes, column.codes) > 0 for column in columns.values()]
        # not a column that sorts units into the very same groups
        if not any((table.sum(axis=0) == 1).all() and (table.sum(axis=1) == 1).all() for table in tables):
            new[name] = code
    columns |= new
    told = set()
    for one, two in permutations(columns, 2):
        if frozenset((one, two)) in told:
            continue
        first, second = columns[one], columns[two]
        found = contradiction(first.codes, second.codes)
        if found is None:
            continue
        told.add(frozenset((one, two)))
        usual, breaks = found
        cells = _table(first.codes[breaks], second.codes[breaks])
        shown = [
            f"{counted(int(cells[c, k]), 'unit')} with {first.labels[c]!r} and {second.labels[k]!r}"
            for c, k in zip(*np.nonzero(cells), strict=True)
        ]
        rule = ", ".join(f"{first.labels[c]!r} means {second.labels[k]!r}" for c, k in enumerate(usual.tolist()))
        yield warning(
            kind="contradicting-codes",
            seen=f"{one!r} and {two!r} contradict each other: {named(shown, 3)}; usually {rule}.",
            sure=f"{int(breaks.sum()):,} of {counted(len(breaks), 'unit')} break a rule that holds for the rest.",
            advice="Decide which column is right before you slice by either, and say which you used.",
            evidence={"columns": [one, two], "n_units": int(breaks.sum()), "n_known": len(breaks)},
        )


def parts_of_names(units: tuple[str, ...]) -> dict[str, Column]:
    """Codes inside the units' names: `I28T-gNNS-p001` has a second part that sorts units into groups."""
    parts = [re.split(r"[-_./:|]", unit) for unit in units]
    if len({len(one) for one in parts}) != 1 or len(parts[0]) < 2:
        return {}
    columns = (encode([one[i] for one in parts]).as_labels() for i in range(len(parts[0])))
    return {f"part {i + 1} of the unit's name": column for i, column in enumerate(columns) if _levels(column)}


def contradiction(first: Codes, second: Codes) -> tuple[NDArray[np.int64], NDArray[np.bool_]] | None:
    """What each value of the first coding usually means in the second, and the units that break it; None if none do.

    The codings must say nearly the same: usual meanings differ, each holds for 9 of 10 units, and V is high.
    """
    table = _table(first, second)
    if min(table.shape) < 2 or (table.sum(axis=1) < LEAST_UNITS).any():
        return None
    usual, held = table.argmax(axis=1), table.max(axis=1) / table.sum(axis=1)
    if (held == 1).all() or (held < ALMOST).any() or len(set(usual.tolist())) < table.shape[1]:
        return None
    return (usual, (first >= 0) & (second >= 0) & (usual[first] != second)) if cramers_v(table) >= ALMOST_V else None


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
    looks = [
        {"question": part.question, **copies(part, same_text(part, name, item, forms))}
        for part in case.parts
        if name in part.unit_attributes
    ]
    if not looks or looks[0]["n_units"] <= looks[0]["n_distinct"]:
        return
    n, distinct = looks[0]["n_units"], looks[0]["n_distinct"]
    alike = all(look["n_judged_alike"] == look["n_units"] for look in looks)
    where = f" within {item!r}" if item else ""
    both = []
    for look in looks:
        ends = ("undefined" if v is None else decimal(v) for v in (look["value_of_all"], look["value_of_distinct"]))
        both.append(f"{look['question']} " * bool(look["question"]) + " → ".join(ends))
    yield warning(
        kind="duplicated-texts",
        seen=f"The {counted(n, 'unit')} judged twice have {distinct:,} different texts ({name!r}{where}, case and "
        f"final punctuation ignored). {looks[0]['measure']} of all units → of distinct texts: {', '.join(both)}.",
        sure="All copies of a text have the same judgements, so they were judged once and copied."
        if alike
        else "Copies of a text have different judgements, so at least some were judged separately.",
        advice="Report both numbers. Intervals that treat copies as independent units are too narrow: measure the "
        "distinct texts, or resample texts.",
        evidence={"column": name, "item": item, "n_units": n, "n_distinct": distinct, "judged_once": alike}
        | {"by_question": looks},
    )


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


def copies(part: Material, text: NDArray[np.int64]) -> dict[str, Any]:
    """All units with two judgements against one for each distinct text; and how many were judged like the first."""
    whole, paired = part.by_unit, np.nonzero(part.is_paired)[0]
    _, first, which = np.unique(text[paired], return_index=True, return_inverse=True)
    once = np.zeros(len(text), dtype=bool)
    once[paired[first]] = True
    key, pattern = usual_measure(whole.whole), whole.pattern_of[paired]
    of_all, of_distinct = (evaluate(find_measure(key), whole.of_units(mask)).value for mask in (part.is_paired, once))
    return {
        "n_units": len(paired),
        "n_distinct": len(first),
        "n_judged_alike": int((pattern == pattern[first][which.reshape(-1)]).sum()),
        "value_of_all": of_all,
        "value_of_distinct": of_distinct,
        "measure": key,
    }
