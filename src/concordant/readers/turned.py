"""Tables with a row for each rater and a column for each unit, as forms and surveys give them, if the user says so."""

from concordant.errors import InputError
from concordant.readers.layout import Layout, TableOptions, usual
from concordant.readers.looks import Kind, look_at, why_no_rater
from concordant.readers.table import Table
from concordant.readers.wide import is_distinct, sharing, with_values


def decide_turned(table: Table, given: TableOptions) -> Layout:
    """The layout of a table with a row for each rater: a column for each unit."""
    if said := next((name for name in ("raters", "unit", "value", "count") if getattr(given, name)), None):
        raise InputError(f"{said} says nothing where rows are raters", hint="--rater names their column")
    first = table.names[0] if is_distinct(table, table.names[0]) else None
    who = given.rater or usual("rater", table.names) or first
    looks = {name: look_at(with_values(table.columns[name], given.missing), table.n_rows) for name in table.names}
    others = {name: why for name, look in looks.items() if name != who and (why := why_no_rater(name, look))}
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
