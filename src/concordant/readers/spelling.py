"""How cells are spelled: blanks around them, words for missing among numbers, names that differ in capitals only.

Nothing of it happens in silence: what is taken for the same or for missing is said, and so is what is not.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from shlex import quote
from unicodedata import normalize

import numpy as np

from concordant.errors import InputError
from concordant.model.columns import Column, blank_out, is_number, number_label
from concordant.model.many_labels import ManyLabels
from concordant.model.scale import NO, YES
from concordant.model.study import Study
from concordant.readers.numerals import MISSING, merged

CODES = frozenset({"-9", "-99", "-999", "-9999", "99", "999", "9999"})  # numbers that often stand for missing
MOST_LABELS = 100_000  # labels of a column that are looked at
MOST_NAMED = 3
LONGEST = 300  # digits of a number
WHOLE = re.compile(r"(\d+)\.0+")  # a number of a thing, as a spreadsheet may write it
TIME = re.compile(r"\d?\d:\d\d(:\d\d)?")
SEVERAL = re.compile(r"\s*[;,|/]\s*")
DATE_OF_EXCEL = re.compile(r"\d\d?-[A-Z][a-z]{2}|[A-Z][a-z]{2}-\d\d|\d{4}-\d\d-\d\d 00:00:00")
INVISIBLE = "\u200b\u200e\u200f\u2060\ufeff"  # characters without width that copying brings to the ends of cells
UNSEEN = dict.fromkeys(map(ord, INVISIBLE))
LATIN = str.maketrans("АВЕІЈКМНОРСТУХаеіјорсухΑΒΕΖΗΙΚΜΝΟΡΤΥΧο", "ABEIJKMHOPCTYXaeijopcyxABEZHIKMNOPTYXo")
"""Letters of other alphabets (Cyrillic, Greek) that look like Latin ones."""
LONG = 40  # characters of an average label: running text, whose blanks nobody compares


def trimmed(columns: Mapping[str, Column]) -> tuple[dict[str, Column], list[str]]:
    """Columns without blanks at the ends of cells, and what to say: `Anna ` is Anna.

    Where two cells are one text in two encodings of Unicode (u with two dots, and ü), they are one.
    """
    made, shown, composed = dict(columns), [], []
    for name, column in columns.items():
        labels = column.labels
        if column.numbers is not None or (isinstance(labels, ManyLabels) and not labels.have_blanks_around):
            continue
        stripped = [label.strip().strip(INVISIBLE).strip() for label in labels]
        padded = [label for label, bare in zip(labels, stripped, strict=True) if label != bare]
        if padded:
            made[name] = merged(replace(column, labels=stripped))
            if sum(map(len, padded)) <= LONG * len(padded):
                shown.append(f"{padded[0]!r} in column {name!r}")
        labels = made[name].labels
        if not all(map(str.isascii, labels)):
            whole = [normalize("NFC", label) for label in labels]
            if len(set(whole)) < len(whole):
                made[name] = merged(replace(made[name], labels=whole))
                twice = next(label for label in whole if whole.count(label) > 1)
                composed.append(
                    f"letters and their marks were joined: {twice!r} in column {name!r} was written in two ways"
                )
    more = f" and in {len(shown) - MOST_NAMED} more columns" if len(shown) > MOST_NAMED else ""
    said = [f"blanks around cells were removed: {', '.join(shown[:MOST_NAMED])}{more}"] if shown else []
    return made, said + composed


def without_missing(values: Column, notes: list[str]) -> Column:
    """Among numbers `NA`, `.` and their like are missing; among names they may be a value. Either is said.

    A number that often stands for missing, and lies far from all others, is named.
    """
    if values.numbers is not None or len(values.labels) > MOST_LABELS:
        return values
    words = [label for label in values.labels if label.casefold() in MISSING]
    rest = [label for label in values.labels if label not in words]
    numbers = [float(label) for label in rest if is_number(label)]
    for code in CODES.intersection(rest) if len(numbers) > 3 else ():
        others = [number for number in numbers if number != float(code)]
        low, high = min(others), max(others)
        if max(low - float(code), float(code) - high) > high - low:
            n = times(values, code)
            notes.append(f"the value {code} ({n}) lies far from all others: if it means missing, say --missing={code}")
    if "-1" in rest and sorted(numbers)[:1] == [-1.0] and max(numbers) >= 2 and sorted(numbers)[1] >= 0:
        n = times(values, "-1")
        notes.append(f"the value -1 ({n}) is the only one below zero: if it means missing, say --missing=-1")
    if not words or not rest:
        return values
    named = ", ".join(f"{word!r} ({times(values, word)})" for word in words)
    if len(numbers) < len(rest) or len(rest) < 2:
        notes.append(f"{named} is taken for a value; if it means missing, say --missing {','.join(words)}")
        return values
    notes.append(f"among numbers {named} is taken for missing")
    return blank_out(values, set(words))


def times(column: Column, label: str) -> str:
    """How often a label stands in a column, in words."""
    n = int((column.codes == list(column.labels).index(label)).sum())
    return "once" if n == 1 else f"{n:,} times"


def alike(column: Column, what: str, *, fold: bool, notes: list[str]) -> Column:
    """Names that differ only in capitals stay apart, and that is said; or are one, the most frequent, with `fold`."""
    if column.numbers is not None or len(column.labels) > MOST_LABELS:
        return column
    looks: dict[str, str] = {}
    for label in column.labels:
        other = looks.setdefault(" ".join(label.translate(LATIN | UNSEEN).casefold().split()), label)
        if other.casefold() != label.casefold():
            notes.append(f"{other!r} and {label!r} look alike (other letters or blanks): counted as different {what}")
    groups: dict[str, list[str]] = {}
    for label in column.labels:
        groups.setdefault(label.casefold(), []).append(label)
    several = [group for group in groups.values() if len(group) > 1]
    if not several:
        return column
    shown = " and ".join(repr(label) for label in several[0]) + (" and others" if len(several) > 1 else "")
    if not fold:
        notes.append(f"{shown} differ only in capitals: counted as different {what} (if they are one, say --case fold)")
        return column
    notes.append(f"{shown} are one of the {what}, as --case fold says")
    often = dict(
        zip(column.labels, np.bincount(column.codes[column.codes >= 0], minlength=len(column.labels)), strict=True)
    )
    chosen = {name: max(group, key=lambda label: int(often[label])) for name, group in groups.items()}
    return merged(replace(column, labels=[chosen[label.casefold()] for label in column.labels]))


def one_label_each(values: Column, notes: list[str]) -> Column:
    """A number that is written in several ways (2, 2.0, 02) is one value; that is said."""
    labels = values.labels
    if too_long := next(
        (one for one in labels[:MOST_LABELS] if len(one) > LONGEST and one.strip("+-").isdecimal()), ""
    ):
        what = f"a value is a number of {len(too_long):,} digits"
        raise InputError(what, hint="mend the file, or declare it missing with --missing")
    if values.numbers is not None or not 1 < len(labels) <= MOST_LABELS or not all(map(is_number, labels)):
        return values
    numbers = [number_label(float(label)) for label in labels]
    places = {number: i for i, number in enumerate(dict.fromkeys(numbers))}
    if len(places) == len(labels):
        return values
    first = next(number for i, number in enumerate(numbers) if number in numbers[:i])
    same = [label for label, number in zip(labels, numbers, strict=True) if number == first]
    notes.append(f"numbers that are written in several ways are one value: {', '.join(same)}")
    to = np.array([*(places[number] for number in numbers), -1])
    return Column(codes=to[values.codes], labels=list(places))


def numbered(column: Column, what: str, notes: list[str]) -> Column:
    """Things called 1 here and 1.0 there are the same; that is said."""
    if column.numbers is not None or len(column.labels) > MOST_LABELS:
        return column
    known = set(column.labels)
    bare = (label for label in column.labels if label[:1] == "0" and label.isdecimal())
    if other := next((label for label in bare if label.lstrip("0") in known), None):
        notes.append(f"{other!r} and {other.lstrip('0')!r} are counted as different {what}: a spreadsheet drops zeros")
    same = [label for label in column.labels if (number := WHOLE.fullmatch(label)) and number.group(1) in known]
    if not same:
        return column
    notes.append(f"{same[0]!r} and {same[0].partition('.')[0]!r} are one of the {what}")
    return merged(replace(column, labels=[WHOLE.sub(r"\1", label) for label in column.labels]))


def padded_times(values: Column, notes: list[str]) -> Column:
    """Times with and without a zero before them (1:30, 01:30) are one value; that is said."""
    if values.numbers is not None or not 1 < len(values.labels) <= MOST_LABELS:
        return values
    if not all(map(TIME.fullmatch, values.labels)):
        return values
    labels = [label.zfill(len(label) + (label[1] == ":")) for label in values.labels]
    if len(set(labels)) == len(labels):
        return values
    short = next(label for label in values.labels if label[1] == ":")
    notes.append(f"times that are written in two ways are one value: {short!r} is 0{short}")
    return merged(replace(values, labels=labels))


def say_doubts(values: Column, notes: list[str]) -> None:
    """Name values that may be something else than they are taken for: several choices in a cell, dates of Excel."""
    labels = values.labels
    if values.numbers is not None or len(labels) > MOST_LABELS:
        return
    known = set(labels)
    parts = {label: SEVERAL.split(label) for label in labels if SEVERAL.search(label)}
    lists = [label for label in labels if label.startswith("[") and label.endswith("]")]
    if several := lists or [label for label, made in parts.items() if all(made) and known.intersection(made)]:
        hint = "if it holds several choices, join them by + and say --level set"
        notes.append(f"{several[0]!r} is taken for one value; {hint}")
    others = [label for label in labels if not is_number(label) and label.casefold() not in MISSING]
    if others and len(others) < len(labels) - len(others) and not most_numbers(labels):
        notes.append(f"the values are numbers and {others[0][:LONG]!r}: all count as names")
    words = {label.strip().casefold(): label for label in labels}
    for of_one in (YES | {"1"}, NO | {"0"}):
        same = [label for word, label in words.items() if word in of_one]
        short = [label for label in same if any(other != label and means(label, other) for other in same)]
        if len(short) > 1:
            notes.append(f"{short[0]!r} and {short[1]!r} may mean the same: they count as different values")
    if dates := [label for label in labels if DATE_OF_EXCEL.fullmatch(label)]:
        notes.append(f"{dates[0]!r} is taken for a value; it may be a date that a spreadsheet made of something else")


def means(one: str, other: str) -> bool:
    """Whether of two words for yes (or for no) one is short for the other, or a number for it.

    >>> means("y", "yes"), means("TRUE", "1"), means("no", "irrelevant")
    (True, True, False)
    """
    first, second = sorted((one.strip().casefold(), other.strip().casefold()), key=len)
    return second.startswith(first) or first in ("0", "1") or {first, second} in ({"yes", "true"}, {"no", "false"})


def say_shifted(values: Column, raters: Column, notes: list[str]) -> None:
    """Name two raters whose whole numbers are the same but for one step (0, 1 and 1, 2): they may mean the same."""
    if values.numbers is not None or len(values.labels) > 20 or len(raters.labels) > 100:
        return
    if len(raters.labels) < 2 or not all(label.lstrip("-").isdecimal() for label in values.labels):
        return
    used = np.zeros((len(raters.labels), len(values.labels)), dtype=bool)
    given = (values.codes >= 0) & (raters.codes >= 0)
    used[raters.codes[given], values.codes[given]] = True
    numbers = np.array([int(label) for label in values.labels])
    sets = [frozenset(numbers[row].tolist()) for row in used]
    for rater, mine in zip(raters.labels, sets, strict=True):
        above = frozenset(number + 1 for number in mine)
        if len(mine) > 1 and above in sets:
            other = raters.labels[sets.index(above)]
            uses = [", ".join(map(str, sorted(one))) for one in (mine, above)]
            why = "if these are the same answers, recode them"
            notes.append(f"{rater!r} uses {uses[0]} and {other!r} {uses[1]}: {why}")
            return


def most_numbers(labels: Sequence[str]) -> list[str]:
    """What is no number in a column most of whose labels are numbers; nothing if there is none, or too much."""
    others = [label for label in labels if not is_number(label) and label.strip().casefold() not in MISSING]
    n_numbers = sum(map(is_number, labels))
    return others if n_numbers > 2 * len(others) and n_numbers > 2 else []


class WordsAmongNumbers(InputError):
    """Judgements are numbers but for a few words, and nobody has said what those mean."""


def refuse_words_among_numbers(study: Study) -> None:
    """Judgements of a question that are numbers but for a few words have no scale until it is said what those mean."""
    value = study.value
    if study.level is not None or study.categories is not None or value.numbers is not None or study.scales:
        return
    labels = value.labels
    if len(labels) > MOST_LABELS or all(map(is_number, labels)) or not any(map(is_number, labels)):
        return
    asked = np.zeros(study.n_rows, dtype=np.int64) if study.question is None else study.question.codes
    for question in np.unique(asked).tolist():
        codes = np.unique(value.codes[asked == question])
        if others := most_numbers([labels[code] for code in codes.tolist() if code >= 0]):
            shown = ", ".join(repr(one[:LONG]) for one in others[:MOST_NAMED])
            declared = quote(",".join(one[:LONG] for one in others[:MOST_NAMED]))
            hint = f"say --missing {declared} if that means missing, or --level nominal if all are names"
            raise WordsAmongNumbers(f"judgements are numbers, but for {shown}", file=study.name, hint=hint)
