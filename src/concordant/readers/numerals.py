"""Numbers as people and their programs write them: decimal commas, thousands, percent; what was done is said."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from concordant.model.columns import Column
from concordant.readers.sheet_errors import ERRORS

MISSING = frozenset(
    (
        *("na", "n/a", "n.a.", "n.a", "#n/a", "nan", "none", "null", "nil", "missing", "k.a.", "?", "-", "--", "–"),
        *(".", "*", *map(str.casefold, ERRORS)),
    )
)
"""Words for missing among numbers, in small letters."""
MINUS = "\u2212"
FEW = 1000  # labels that tell whether a column has such numbers
COMMA = re.compile(r"[-+]?\d+(,\d+)?")
THOUSANDS = re.compile(r"[-+]?[1-9]\d{0,2}[.,]\d{3}")
ENGLISH = re.compile(r"[-+]?\d{1,3}((,\d{3})+(\.\d+)?|,\d{3}(,\d{3})+)|[-+]?\d+(\.\d+)?")
GERMAN = re.compile(r"[-+]?\d{1,3}((\.\d{3})+,\d+|\.\d{3}(\.\d{3})+)|[-+]?\d+(,\d+)?")
PERCENT = re.compile(r"[-+]?\d+([.,]\d+)?\s*%")


def with_points(columns: Mapping[str, Column], separator: str = "") -> tuple[dict[str, Column], list[str]]:
    """Columns with plain numbers for those with decimal commas, separated thousands or percent signs, and what to say.

    What may be two things (`1,234`; in a table whose cells are separated by commas any `1,2`, which may be two choices)
    stays as it is written.
    """
    made, notes = dict(columns), []
    for name, column in columns.items():
        if column.numbers is None and any(label.startswith(MINUS) for label in column.labels[:FEW]):
            made[name] = column = merged(replace(column, labels=[minus(label) for label in column.labels]))
            notes.append(f"minus signs: in column {name!r} {MINUS} was read as -")
        if column.numbers is not None:
            continue
        if separator == ";" and (pointed := thousands_by_points(column.labels)):
            if any(label.isdecimal() and len(label) == 3 for label in column.labels):
                made[name] = merged(replace(column, labels=[label.replace(".", "") for label in column.labels]))
                notes.append(f"thousands: {pointed!r} in column {name!r} was read as {pointed.replace('.', '')}")
            else:
                notes.append(f"{pointed!r} in column {name!r} was read with a decimal point; it may count thousands")
            continue
        if not any("," in label or "%" in label for label in column.labels[:FEW]):
            continue
        cells = [label.strip() for label in column.labels]
        labels = [label for label in cells if label.casefold() not in MISSING]
        if (read := plain_numbers(labels, separator)) is None:
            continue
        numbers, how = read
        i = next(i for i, label in enumerate(labels) if "," in label or "%" in label)
        if numbers == labels:
            notes.append(
                f"{labels[i]!r} in column {name!r} {how}: it is left as text (write it with a point, or whole)"
            )
        else:
            as_read = dict(zip(labels, numbers, strict=True))
            made[name] = merged(replace(column, labels=[as_read.get(label, label) for label in cells]))
            notes.append(f"{how}: {labels[i]!r} in column {name!r} was read as {numbers[i]}")
    return made, notes


def minus(label: str) -> str:
    """A number with a typographic minus sign with a plain one; any other label as it is."""
    return f"-{label[1:]}" if label.startswith(MINUS) and label[1:2].isdecimal() else label


def plain_numbers(labels: list[str], separator: str = "") -> tuple[list[str], str] | None:
    """The labels as plain numbers, and how they were written; the same labels if that is open; None if they are none.

    >>> plain_numbers(["3,5", "2"])
    (['3.5', '2'], 'decimal commas')
    >>> plain_numbers(["1.234,5", "12,25"])
    (['1234.5', '12.25'], 'thousands and decimal commas')
    >>> plain_numbers(["1,234", "900"])
    (['1,234', '900'], 'may have a decimal comma or count thousands')
    >>> plain_numbers(["40 %", "7.5%"])
    (['40', '7.5'], 'percent')
    """
    if all(map(PERCENT.fullmatch, labels)):
        return [label.rstrip("% \t\xa0").replace(",", ".") for label in labels], "percent"
    with_comma = [label for label in labels if "," in label]
    if with_comma and all(map(THOUSANDS.fullmatch, (label for label in labels if not label.isdecimal()))):
        return labels, "may have a decimal comma or count thousands"
    if with_comma and all(map(COMMA.fullmatch, labels)):
        if separator == ",":
            return labels, "may have a decimal comma or be two choices"
        return [label.replace(",", ".") for label in labels], "decimal commas"
    if with_comma and all(map(GERMAN.fullmatch, labels)):
        return [label.replace(".", "").replace(",", ".") for label in labels], "thousands and decimal commas"
    if with_comma and all(map(ENGLISH.fullmatch, labels)):
        return [label.replace(",", "") for label in labels], "thousands"
    return None


def thousands_by_points(labels: Sequence[str]) -> str | None:
    """The first label with a point, if all that have one may count thousands (1.250) and the others are whole.

    >>> thousands_by_points(["1.250", "900"]), thousands_by_points(["1.25", "900"])
    ('1.250', None)
    """
    pointed = [label for label in labels if "." in label]
    if not all(map(THOUSANDS.fullmatch, pointed)) or not all(label.isdecimal() for label in labels if "." not in label):
        return None
    return pointed[0] if pointed and not any("," in label for label in pointed) else None


def merged(column: Column) -> Column:
    """The column with equal labels as one; labels that became empty are blank."""
    places = {label: i for i, label in enumerate(dict.fromkeys(label for label in column.labels if label))}
    if len(places) == len(column.labels):
        return column
    to = np.array([*(places.get(label, -1) for label in column.labels), -1])
    return Column(codes=to[column.codes], labels=list(places))
