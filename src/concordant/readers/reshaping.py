"""Tables in other shapes than one row for each judgement or one column for each rater, made into one of these.

Values are read as others, columns are questions; several judgements stand in a row, each with its rater beside it
(`rater_1, label_1, rater_2, label_2`: the cell says who judged, not the column); or a row is what one rater answered.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from concordant.digits import counted
from concordant.errors import InputError, nearest
from concordant.model.columns import Column, stacked
from concordant.readers.headers import INDEX, numbers_of, row_numbers_among
from concordant.readers.layout import KNOWN, Layout, TableOptions, asked, plain, quoted, usual
from concordant.readers.looks import ABOUT, ROW_NUMBERS, Kind, look_at, why_no_rater
from concordant.readers.table import Table
from concordant.readers.wide import is_distinct, sharing, with_values

QUESTION, VALUE = "question", "value"
SUFFIX = re.compile(r"(.+?)_?(\d+)|(.+)_([a-z])")
PREFIX = re.compile(r"(.+?)_?(\d+)_(.+)|(.+)_([a-z])_(.+)")
NAMING = frozenset({"name", "id"})
VALUES = frozenset({*KNOWN["value"], "code", "coding", "class", "decision", "stance", "sentiment", "tag"})


def recoded(table: Table, said: Sequence[str]) -> Table:
    """The table with values read as others, as `COLUMN:OLD=NEW` says; what is not there is refused."""
    columns, notes = dict(table.columns), list(table.notes)
    for one in said:
        name, colon, change = one.partition(":")
        old, equals, new = (part.strip() for part in change.partition("="))
        if not (colon and equals):
            raise InputError(f"{one!r} is not COLUMN:OLD=NEW", hint="for example rating:good=1")
        table.expect(name.strip())
        column = columns[name.strip()].as_labels()
        if old not in column.labels:
            raise InputError(
                "there is no such value", file=table.file, column=name, hint=nearest(old, list(column.labels))
            )
        labels = [label for label in dict.fromkeys(new if each == old else each for each in column.labels) if label]
        place = {label: number for number, label in enumerate(labels)} | {"": -1}
        codes = np.array([*(place[new if each == old else each] for each in column.labels), -1])[column.codes]
        n = int((column.codes == column.labels.index(old)).sum())
        notes.append(f"{counted(n, 'cell')} of {name.strip()!r} with {old!r} read as {repr(new) if new else 'missing'}")
        columns[name.strip()] = Column(codes=codes, labels=labels)
    return table._replace(columns=columns, notes=tuple(notes))


def with_questions(table: Table, options: TableOptions) -> tuple[Table, TableOptions]:
    """The table in long form, a row for each of the columns that are questions."""
    if options.question or options.value:
        raise InputError("columns are questions, so no column names the question or the value", file=table.file)
    for name in options.questions:
        table.expect(name)
    others = [name for name in table.names if name not in options.questions]
    if taken := next((name for name in (QUESTION, VALUE) if name in others), None):
        raise InputError(f"the column {taken!r} is in the way", file=table.file, hint="rename it")
    n, times = table.n_rows, len(options.questions)
    rows = np.tile(np.arange(n), times)
    which = Column(codes=np.repeat(np.arange(times), n), labels=list(options.questions))
    values = stacked([table.column(name).as_labels() for name in options.questions])
    columns = {name: table.columns[name].take(rows) for name in others if name in table.columns}
    long = table._replace(
        columns={**columns, QUESTION: which, VALUE: values},
        names=(*others, QUESTION, VALUE),
        row_numbers=table.row_numbers[rows],
        orders={},
    )
    return long, replace(options, questions=(), question=QUESTION, value=VALUE)


class Pairs(NamedTuple):
    """The columns of each pair: by what they hold (a stem such as `label`), one column for each pair."""

    rater: str
    value: str
    stems: Mapping[str, Sequence[str]]


def taken_apart(name: str) -> tuple[str, str] | None:
    """What a column holds and of which pair; a rater's name is called as raters are.

    >>> taken_apart("Label 2"), taken_apart("coder_b"), taken_apart("annotator1_name"), taken_apart("rater2_label")
    (('label', '2'), ('coder', 'b'), ('annotator', '1'), ('label', '2'))
    """
    word = plain(name)
    if (found := PREFIX.fullmatch(word)) and (found.group(1) or found.group(4)) in KNOWN["rater"]:
        who, key, what = (found.group(i) or found.group(i + 3) for i in (1, 2, 3))
        return (who if what in NAMING else what), key
    if found := SUFFIX.fullmatch(word):
        return (found.group(1) or found.group(3)), (found.group(2) or found.group(4))
    return None


def stems_in(names: Sequence[str]) -> dict[str, dict[str, str]]:
    """The columns of pairs by what they hold and the key of their pair; nothing if no column names raters."""
    found: dict[str, dict[str, str]] = {}
    for name in names:
        if (apart := taken_apart(name)) is not None:
            found.setdefault(apart[0], {})[apart[1]] = name
    raters = next((found[word] for word in KNOWN["rater"] if len(found.get(word, ())) > 1), {})
    return {stem: mine for stem, mine in found.items() if raters and mine.keys() == raters.keys()}


def pairs_in(names: Sequence[str], given: TableOptions) -> Pairs | None:
    """The pairs that the names of columns make; which of several columns is the value is asked.

    None if there are none, or if the options name columns that are there.
    """
    said = {given.rater, given.value, *(given.raters or ())} - {None}
    if said & set(names) or given.rows == "raters" or given.questions:
        return None
    stems = stems_in(names)
    rater = given.rater or next((word for word in KNOWN["rater"] if word in stems), None)
    others = [stem for stem in stems if stem != rater and stem not in ABOUT]
    if rater not in stems or not others or (given.value and given.value not in stems):
        return None
    known = [stem for stem in others if stem in VALUES] or others
    value = given.value or known[0]
    return Pairs(rater, value, {stem: tuple(mine.values()) for stem, mine in stems.items()})


def with_pairs(table: Table, options: TableOptions) -> tuple[Table, TableOptions]:
    """The table with a row for each pair of a rater and a judgement, if its columns are such pairs."""
    found = pairs_in(table.names, options)
    if found is None:
        return table, options
    who, given = found.stems[found.rater], found.stems[found.value]
    if not options.rater or not options.value:
        if not is_of_raters(table, found, options):
            return table, options
        refuse_doubts(table, found)
    n, times = table.n_rows, len(who)
    rows = np.tile(np.arange(n), times)
    inside = {name for mine in found.stems.values() for name in mine}
    left = [name for name in table.names if name not in inside]
    called = {stem: f"{stem}_*" for stem in found.stems}
    columns = {name: table.columns[name].take(rows) for name in left}
    columns |= {
        called[stem]: stacked([table.columns[name].as_labels() for name in mine]) for stem, mine in found.stems.items()
    }
    unit = options.unit or usual("unit", left) or next((name for name in left if is_distinct(table, name)), None)
    if unit is None:
        unit = "row"
        columns |= {unit: Column(codes=rows, labels=[str(place + 1) for place in range(n)])}
    blank = (columns[called[found.rater]].codes < 0) & (columns[called[found.value]].codes < 0)
    note = f"columns are pairs: {', '.join(who)} name the raters of {', '.join(given)}"
    notes = [f"{note} (--raters {quoted(*given[:2])} takes each column for a rater)"]
    notes += [f"{counted(int(blank.sum()), 'pair')} without rater and judgement"] if blank.any() else []
    long = table._replace(
        columns=columns,
        names=tuple(columns),
        row_numbers=table.row_numbers[rows],
        orders={},
        notes=(*table.notes, *notes),
    ).take(np.flatnonzero(~blank))
    return long, replace(options, unit=unit, rater=called[found.rater], value=called[found.value])


def is_of_raters(table: Table, found: Pairs, options: TableOptions) -> bool:
    """Whether the columns called like raters can hold their names: where the others' name says nothing, no numbers."""
    if found.value in VALUES or options.value:
        return True
    return all(look_at(table.columns[name], table.n_rows).kind is not Kind.NUMBERS for name in found.stems[found.rater])


def refuse_doubts(table: Table, found: Pairs) -> None:
    """Ask where the value may be in several columns, or where a row names one rater twice: those may be judgements."""
    others = [stem for stem in found.stems if stem != found.rater and stem not in ABOUT]
    known = [stem for stem in others if stem in VALUES] or others
    if len(known) > 1:
        what = f"the columns are pairs of {found.rater} and {', '.join(known)}, and nothing says which is the judgement"
        raise asked(table, what, *(f"--rater {found.rater} --value {stem}" for stem in known[:2]))
    names = found.stems[found.rater]
    codes = stacked([table.columns[name].as_labels() for name in names]).codes.reshape(len(names), -1)
    if any(((mine == other) & (mine >= 0)).any() for place, mine in enumerate(codes) for other in codes[place + 1 :]):
        what = f"columns {', '.join(names[:3])} hold one name twice in a row: they may be raters or judgements"
        raise asked(table, what, f"--rater {found.rater} --value {found.value}", f"--raters {quoted(*names)}")


def decide_turned(table: Table, given: TableOptions) -> Layout:
    """The layout of a table with a row for each rater: a column for each unit."""
    if said := next((name for name in ("raters", "unit", "value", "count") if getattr(given, name)), None):
        raise InputError(f"{said} says nothing where rows are raters", hint="--rater names their column")
    looks = {name: look_at(with_values(table.columns[name], given.missing), table.n_rows) for name in table.names}
    able = [name for name in (table.names[0], usual("unit", table.names)) if name and is_distinct(table, name)]
    first = next((name for name in able if looks[name].kind is not Kind.DATES), None)
    who = given.rater or usual("rater", table.names) or first
    others = {name: why for name, look in looks.items() if name != who and (why := why_no_rater(name, look))}
    counting = row_numbers_among({n: numbers_of(table.columns[n]) for n in looks if INDEX.fullmatch(plain(n))})
    others |= dict.fromkeys((name for name in counting if name != who), ROW_NUMBERS)
    left = {name: look for name, look in looks.items() if name != who and name not in others}
    numbers = [name for name, look in left.items() if look.kind is Kind.NUMBERS]
    groups = sharing({name: look.names for name, look in left.items() if look.kind is Kind.NAMES})
    names = [name for group in groups if len(group) > 1 for name in group]
    if numbers and names:
        what = (
            f"{', '.join(numbers[:3])} hold numbers, and {', '.join(names[:3])} names: they cannot be measured together"
        )
        raise InputError(what, file=table.file, hint="keep the columns of one kind of question")
    units = tuple(name for name in left if name in (numbers or names))
    others |= dict.fromkeys((name for name in left if name not in units), "free text, or names that only it has")
    if len(units) < 2 or (who is not None and not is_distinct(table, who)):
        what = "there are no two columns of judgements" if len(units) < 2 else f"{who!r} names a rater twice, or nobody"
        raise InputError(what, file=table.file, hint="a row is to hold all answers of one rater")
    shown = ", ".join(units[:6]) + (f" and {len(units) - 6} more" if len(units) > 6 else "")
    notes = [f"a row for each rater ({repr(who) if who else 'numbered'}), a column for each unit ({shown})"]
    return Layout(unit=who or "", raters=units, is_turned=True, others=others, notes=notes)
