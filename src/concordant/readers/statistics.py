"""Files of SPSS, Stata and SAS, read by pyreadstat: tables whose values may have labels.

Labels stand for the numbers where every value that occurs has one; on an ordinal variable of SPSS their numbers order
them. What the file declares missing is missing.
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import numpy as np

from concordant.digits import counted
from concordant.errors import InputError, MissingExtra
from concordant.model.columns import encode, number_label
from concordant.model.study import Study
from concordant.readers.format import SURE, Format
from concordant.readers.judgement_table import judgements_of
from concordant.readers.layout import TableOptions
from concordant.readers.sheet_errors import DECLARED
from concordant.readers.table import Table

Program = Literal["sav", "por", "dta", "sas7bdat", "xport"]
SAS = bytes.fromhex("000000000000000000000000c2ea8160b31411cfbd92080009c7318c181f1011")
OLD_STATA = (".dta", range(0x69, 0x74))  # the first byte is the version of the format
LAST_KEY = 200  # where the name of a portable file of SPSS stands


def read(path: str | Path, options: TableOptions) -> Study:
    """The judgements of a file."""
    file = Path(path)
    program = program_of(file)
    if program is None:
        raise InputError("this is no file of SPSS, Stata or SAS", file=file, hint="save it from there again")
    columns, meta = cells_of(file, program, options)
    if not columns or not len(next(iter(columns.values()))):
        raise InputError("the file has no rows", file=file)
    notes: list[str] = []
    for name in columns:
        notes += declared_missing(columns, name, meta)
    orders = labelled(columns, meta, notes)
    made = {name: encode(np.array([label_of(cell) for cell in cells], dtype=object)) for name, cells in columns.items()}
    lines = np.arange(1, len(next(iter(columns.values()))) + 1)
    return judgements_of(Table(str(path), made, tuple(made), lines, tuple(notes), orders), options)


def labelled(columns: dict[str, list[Any]], meta: Any, notes: list[str]) -> dict[str, tuple[str, ...]]:
    """Put labels for numbers where every value has one, and give the categories of ordinal variables in order.

    Variables that share a label are treated alike: a rater's labels beside another one's numbers say nothing.
    """
    known: dict[str, dict[Any, str]] = {}
    for name, labels in meta.variable_value_labels.items():
        ranges = meta.missing_ranges.get(name, ())
        if name in columns and meta.variable_measure.get(name) == "scale":
            notes.append(f"labels of {name!r} not used: the file says that it is a scale")
        elif name in columns:
            known[name] = {value: str(label).strip() for value, label in labels.items() if not is_within(value, ranges)}
    wrong = {
        name: labels
        for name, labels in known.items()
        if not {*columns[name]} - {None, DECLARED} <= set(labels) or len(set(labels.values())) < len(labels)
    }
    orders: dict[str, tuple[str, ...]] = {}
    for name, labels in known.items():
        alike = next((other for other, its in wrong.items() if its.items() & labels.items()), name)
        if name in wrong or alike != name:
            why = "some values have none, or several share one" if name in wrong else f"those of {alike!r} are not"
            notes.append(f"labels of {name!r} not used: {why}")
            continue
        columns[name] = [labels.get(value, value) for value in columns[name]]
        if meta.variable_measure.get(name) == "ordinal":
            orders[name] = tuple(labels[value] for value in sorted(labels))
    return orders


def is_within(value: Any, ranges: Sequence[Mapping[str, Any]]) -> bool:
    """Whether a value lies in a range of values that mean missing."""
    return any(type(value) is type(one["lo"]) and one["lo"] <= value <= one["hi"] for one in ranges)


def declared_missing(columns: dict[str, list[Any]], name: str, meta: Any) -> list[str]:
    """Mark what the file declares missing in a column (SPSS: values; Stata, SAS: .a to .z), and say how many cells."""
    ranges, letters = meta.missing_ranges.get(name, ()), {*meta.missing_user_values.get(name, ())}
    gone = [is_within(value, ranges) or (isinstance(value, str) and value in letters) for value in columns[name]]
    if not any(gone):
        return []
    labels = meta.variable_value_labels.get(name, {})
    told = dict.fromkeys(
        str(labels[value]) for value, is_gone in zip(columns[name], gone, strict=True) if is_gone and value in labels
    )
    columns[name] = [DECLARED if is_gone else value for value, is_gone in zip(columns[name], gone, strict=True)]
    why = f" ({', '.join(told)})" if told else ""
    return [f"{counted(sum(gone), 'value')} of {name!r} declared missing in the file{why}"]


def label_of(cell: Any) -> str:
    """A cell as a label: whole numbers without a point, nothing where it is missing."""
    if cell is None:
        return ""
    return number_label(cell) if isinstance(cell, float) else str(cell)


def cells_of(file: Path, program: Program, options: TableOptions) -> tuple[dict[str, list[Any]], Any]:
    """The columns, and what the file says about them."""
    try:
        import pyreadstat
    except ModuleNotFoundError:
        raise MissingExtra("reading files of SPSS, Stata and SAS", "statistics") from None
    readers: Mapping[str, Callable[..., Any]] = {
        "sav": pyreadstat.read_sav, "por": pyreadstat.read_por, "dta": pyreadstat.read_dta,
        "sas7bdat": pyreadstat.read_sas7bdat, "xport": pyreadstat.read_xport,
    }  # fmt: skip
    how: dict[str, Any] = {} if program == "por" else {"encoding": options.encoding}
    how |= {"user_missing": True} if program in ("sav", "dta", "sas7bdat") else {}
    try:
        columns, meta = readers[program](str(file), output_format="dict", **how)
    except (pyreadstat.ReadstatError, pyreadstat.PyreadstatError, ValueError, OSError, UnicodeError) as error:
        raise InputError(f"the file cannot be read: {error}", file=file, hint="save it from there again") from None
    if None in columns:
        raise InputError("a variable has no name", file=file, hint="save it from there again")
    return dict(columns), meta


def program_of(file: Path) -> Program | None:
    """Which program wrote a file, as its first bytes tell."""
    with file.open("rb") as stream:
        head = stream.read(LAST_KEY + 100)
    if head.startswith((b"$FL2", b"$FL3")):
        return "sav"
    if b"ASCII SPSS PORT FILE" in head:
        return "por"
    is_old_stata = file.suffix.casefold() == OLD_STATA[0] and head[:1] and head[0] in OLD_STATA[1]
    if head.startswith(b"<stata_dta>") or is_old_stata:
        return "dta"
    if head.startswith(SAS):
        return "sas7bdat"
    return "xport" if head.startswith(b"HEADER RECORD*******LIB") else None


FORMAT = Format(
    name="statistics",
    holds="judgements",
    help="A data file of SPSS, Stata or SAS.",
    read=read,
    options=TableOptions,
    sniff=lambda path, head: SURE * (path.is_file() and program_of(path) is not None),
)
