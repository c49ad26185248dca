"""Tables with a column for each rater: which columns are raters, by kind and by name.

Numbers are raters whatever their decimals; names are raters where columns share them. What cannot be a rater (a gold
standard, dates, free text, numbers of another size) is named with the reason, and two possible readings are a question.
"""

import re
from collections.abc import Mapping, Sequence

import numpy as np

from concordant.errors import InputError
from concordant.model.columns import Column, blank_out, is_number
from concordant.model.scale import NO, YES
from concordant.readers.doubts import refuse_counts, refuse_shares, refuse_ticks
from concordant.readers.headers import (
    INDEX,
    computed,
    in_a_grid,
    is_of_series,
    numbers_of,
    refuse_judgements_as_names,
    refuse_questions,
    refuse_survey,
    row_numbers_among,
    telling_agreement,
    with_appendix,
    without_right,
)
from concordant.readers.layout import KNOWN, Layout, TableOptions, asked, keys_beside, lacking, plain, quoted, usual
from concordant.readers.looks import (
    ABOUT,
    COMPACT,
    DATE,
    EMPTY,
    GOLD,
    ROW_NUMBERS,
    Kind,
    Look,
    look_at,
    why_no_rater,
    why_perhaps_no_rater,
)
from concordant.readers.sheet_errors import ONLY_ERRORS, errors_in, without_errors
from concordant.readers.spelling import most_numbers
from concordant.readers.table import Table
from concordant.readers.unit_columns import several_rows

COUNTS = ("count", "n", "freq", "frequency")
MODEL = re.compile(
    r"(?:pred(?:icted|ictions?)?|model|system|classifier|machine|automatic|auto|baseline|llm|chat_?gpt|gpt|bert|llama|"
    r"gemini|mistral|mixtral|qwen|deepseek)[\d_].*|(?:pred(?:icted|ictions?)?|model|classifier|machine|llm|chat_?gpt|gpt)"
    r"|(?:ro|al|de|distil)bert\w*"
)
CALLED = "called like models, so taken for models: {} (name those who are people with --raters)"
LONGEST = 40  # characters of a cell in a message
LEAST_PERCENT = 10  # the highest of numbers that may be in per cent, beside shares of one
VERY_FAR = 100  # times the size of all other numbers
LEAST_ROWS = 5  # for saying that a column's numbers are of another size than all others'


def decide_wide(table: Table, given: TableOptions) -> Layout:
    """The layout of a wide table: the raters named, or those that kind and name of the columns tell."""
    notes: list[str] = []
    count = given.count or count_column(table)
    models: tuple[str, ...] = ()
    if given.raters:
        for name in given.raters:
            table.expect(name)
        unit = given.unit or usual("unit", [n for n in table.names if n not in given.raters])
        if unit is None and table.names[0] not in (*given.raters, count) and is_distinct(table, table.names[0]):
            unit = table.names[0]
        left = [name for name in table.names if name not in (unit, count, *given.raters)]
        raters, others = given.raters, dict.fromkeys(left, "not among the raters named")
    else:
        looks = {n: look_at(with_values(table.columns[n], given.missing), table.n_rows) for n in table.names}
        unit = given.unit or unit_column(table, looks, count)
        if given.case == "fold":
            looks = {n: one._replace(names=frozenset(map(str.casefold, one.names))) for n, one in looks.items()}
        raters, others = found_raters(table, given, looks, unit, count)
        models = models_among(raters)
        shown = ", ".join(raters[:6]) + (f" and {len(raters) - 6} more" if len(raters) > 6 else "")
        one = f"no column names raters: {shown!r} is what one rater said, who is called so"
        many = f"wide form: one column per rater ({shown}); say --raters to change it"
        notes += [many if len(raters) > 1 else one, *([CALLED.format(", ".join(models))] if models else [])]
    if unit and unit not in ("unit", given.unit):
        notes.append(f"column {unit!r} was taken for the unit (say --unit to change it)")
    if count and given.count is None:
        notes.append(f"column {count!r} was taken for the number of units with these values")
    return Layout(unit=unit or "", raters=raters, models=models, times=count, others=others, notes=notes)


def found_raters(
    table: Table, given: TableOptions, looks: Mapping[str, Look], unit: str | None, count: str | None
) -> tuple[tuple[str, ...], dict[str, str]]:
    """The raters' columns, and why the others are none; what can be read in another way too is asked."""
    known = {name: one for name, one in looks.items() if name not in (unit, count)}
    is_found = unit is not None and given.unit is None
    if unit is not None and is_found:
        refuse_survey(table, unit, says_when=False)
    try:
        raters, others = only_rater(table, known, given.value, unit) or rater_columns(table, known)
    except InputError:
        refuse_answers(table, answers_among(table, known), given.unit, unit)
        raise
    refuse_judgements_as_names(table, unit, raters)
    refuse_answers(table, raters, given.unit, unit)
    if unit is not None and is_found:
        refuse_survey(table, unit, says_when=looks[unit].kind is Kind.DATES)
    if given.unit is None:
        refuse_questions(table, raters)
    if count is None:
        refuse_counts(table, raters, looks)
        refuse_shares(table, raters)
    if given.empty is None:
        refuse_ticks(table, raters)
    if unit is not None and given.duplicates == "refuse" and not is_distinct(table, unit):
        raise several_rows(table, unit, raters)
    return raters, others


def with_values(column: Column, missing: Sequence[str]) -> Column:
    """The column with the values that were declared missing, and errors of a spreadsheet, blank."""
    column = without_errors(column)
    return blank_out(column, set(missing)) if missing and column.numbers is None else column


def count_column(table: Table) -> str | None:
    """The column that says how many units have the row's values."""
    for name in table.names:
        if plain(name) in COUNTS and all(map(str.isdecimal, table.columns[name].as_labels().labels)):
            return name
    return None


def is_distinct(table: Table, name: str) -> bool:
    """Whether no two rows have one value, and none is blank."""
    column = table.columns[name]
    return column.n_blank == 0 and table.n_rows > 1 and len(column.as_labels().labels) == table.n_rows


def unit_column(table: Table, looks: Mapping[str, Look], count: str | None) -> str | None:
    """The column that names units: by its name; or the first, if all its values differ and it cannot be a rater."""
    known = {plain(name): name for name in reversed(table.names) if plain(name) in KNOWN["unit"]}
    named = [known[word] for word in KNOWN["unit"] if word in known]
    first = table.names[0]
    if named:
        distinct = [name for name in named if is_distinct(table, name)] or named[:1]
        return next(iter(keys_beside(distinct[0], distinct)), distinct[0])
    if first == count or not is_distinct(table, first):
        return None
    if looks[first].kind is not Kind.NUMBERS or is_index(first):
        return first
    cells = table.columns[first].text()
    if not all(map(is_number, cells)):  # a word for missing among them
        return None
    numbers = cells.astype(np.float64)
    if (numbers != np.round(numbers)).any():
        return None
    rest = [one for name, one in looks.items() if name not in (first, count) and one.kind is Kind.NUMBERS]
    if not rest:
        return first
    steps = np.diff(numbers)
    most = max(one.high for one in rest)
    is_apart = looks[first].low > most or looks[first].high < min(one.low for one in rest)
    is_alike = looks[first].high <= most and is_of_series(first, [n for n in table.names[1:] if n in looks])
    if is_apart or (numbers[0] in (0, 1) and len(steps) > 1 and (steps == 1).all() and not is_alike):
        return first
    if (steps == steps[0]).all():
        raters = [name for name in table.names if looks[name].kind is Kind.NUMBERS and name != count]
        what = f"column {first!r} may name the units or be a rater"
        raise asked(table, what, f"--unit {quoted(first)}", f"--raters {quoted(*raters)}")
    return None


def is_index(name: str) -> bool:
    """Whether a column is called as those that number rows are."""
    word = plain(name)
    return word in ("", "number", "line", "x") or bool(INDEX.fullmatch(word))


def only_rater(
    table: Table, looks: Mapping[str, Look], said: str | None, unit: str | None
) -> tuple[tuple[str], dict[str, str]] | None:
    """The column of judgements where one rater gave all and none is named, as in a gold standard; None elsewhere.

    It is the one that the user names, or the only one that can hold judgements; every unit stands in one row.
    """
    is_each_once = unit is not None and is_distinct(table, unit)
    if said is not None and (said not in looks or not is_each_once):
        raise lacking("rater", table.names, table.file)
    why = {name: why_no_rater(name, look) for name, look in looks.items()}
    left = [name for name, reason in why.items() if reason is None and looks[name].kind is not Kind.TEXT]
    gold = [name for name in looks if GOLD.search(plain(name)) and looks[name].kind in (Kind.NAMES, Kind.NUMBERS)]
    found = said or (left[0] if left and usual("value", table.names) == left[0] else gold[0] if gold else None)
    is_only = len(left) == 1 if found in left else not left and len(gold) == 1
    if found is None or not (said or (is_only and is_each_once and usual("unit", table.names))):
        return None
    return (found,), {name: why[name] or "beside the only judgements" for name in looks if name != found}


def rater_columns(table: Table, looks: Mapping[str, Look]) -> tuple[tuple[str, ...], dict[str, str]]:
    """The raters' columns, and why the others are none."""
    others = {name: why for name, look in looks.items() if (why := why_no_rater(name, look))}
    others |= {name: ONLY_ERRORS for name, why in others.items() if why == EMPTY and errors_in(table.columns[name])}
    others |= beside(table, [name for name in looks if name not in others])
    numbers = [name for name, look in looks.items() if look.kind is Kind.NUMBERS and name not in others]
    others |= (more := no_raters_of(table, numbers))
    numbers = [name for name in numbers if name not in more]
    names = {n: look.names for n, look in looks.items() if look.kind in (Kind.NAMES, Kind.TEXT) and n not in others}
    groups = [group for group in sharing(names) if len(group) > 1]
    if len(numbers) > 1:
        groups.append(of_one_size(table, numbers, looks) if not groups else numbers)
    if len(groups) > 1:
        refuse_beside_raters(table, [name for group in groups for name in group])
        what = f"the raters may be the columns {', '.join(groups[0][:4])}, or {', '.join(groups[1][:4])}"
        raise asked(table, what, *(f"--raters {quoted(*group)}" for group in groups[:2]))
    if not groups and (value := usual("value", table.names)) is not None and usual("unit", table.names) is not None:
        what = f"no column was found for the rater: {value!r} may be the value, but nothing says who gave it"
        raise InputError(what, file=table.file, hint=f"name it with --rater; columns: {', '.join(table.names[:12])}")
    for name, labels in names.items() if numbers or not groups else ():
        refuse_mixed(table, name, labels, [one for one in table.names if one in (name, *numbers)])
    if not groups:
        raise without_raters(table, looks, names, others)
    aside = {name: why for name in groups[0] if (why := why_perhaps_no_rater(name))}
    if len(groups[0]) - len(aside) > 1:
        groups[0], others = [name for name in groups[0] if name not in aside], {**others, **aside}
    refuse_doubtful(table, groups[0], looks)
    for name in looks:
        if name not in groups[0] and name not in others:
            refuse_half_shared(table, name, names, groups[0])
            kind = looks[name].kind
            text = "free text" if kind is Kind.TEXT else "names that no rater gave"
            others[name] = "numbers beside names" if kind is Kind.NUMBERS else text
    return tuple(name for name in table.names if name in groups[0]), others


def refuse_beside_raters(table: Table, left: Sequence[str]) -> None:
    """Where a column names raters, one of the columns left is the judgement: ask which."""
    if left and (who := usual("rater", [name for name in table.names if name not in left])):
        what = f"column {who!r} names raters, and nothing says which column is the judgement"
        raise asked(table, what, *(f"--rater {quoted(who)} --value {quoted(name)}" for name in left[:2]))


def refuse_other_words(table: Table, looks: Mapping[str, Look], others: Mapping[str, str]) -> None:
    """Refuse answers beside a column of raters, and words for yes and no that are others in each column."""
    left = answers_among(table, {name: look for name, look in looks.items() if name not in others})
    refuse_beside_raters(table, left)
    words = {name: {label.casefold() for label in table.columns[name].as_labels().labels[:20]} for name in left}
    if len(left) > 1 and all(mine and mine <= YES | NO | {"0", "1"} for mine in words.values()):
        shown = "; ".join(", ".join(table.columns[name].as_labels().labels[:2]) for name in left[:3])
        what = f"columns {', '.join(left[:4])} say yes and no in different words ({shown})"
        raise InputError(what, file=table.file, hint="write them in one way")


def without_raters(
    table: Table, looks: Mapping[str, Look], names: Mapping[str, frozenset[str]], others: Mapping[str, str]
) -> InputError:
    """What to say of a table in which no raters were found."""
    folded = {name: frozenset(map(str.casefold, labels)) for name, labels in names.items()}
    if alike := next((group for group in sharing(folded) if len(group) > 1), None):
        what = f"columns {', '.join(alike[:4])} hold the same names, but for capitals"
        hint = f"say --case fold if they mean the same, or --raters {quoted(*alike)} if not"
        return InputError(what, file=table.file, hint=hint)
    refuse_other_words(table, looks, others)
    open_ = next((f": {note}" for note in table.notes if "left as text" in note or "formula" in note), "")
    open_ = next((f": of {name!r} {why}" for name, why in others.items() if why == ONLY_ERRORS), open_)
    return InputError(
        f"neither rater and value columns nor one column per rater were found{open_}",
        file=table.file,
        hint="say --unit, --rater and --value (--value alone for one rater), or --raters a,b; columns: "
        + ", ".join(table.names[:12]),
    )


def beside(table: Table, names: Sequence[str]) -> dict[str, str]:
    """The columns of another table right of this one, behind an empty column; if they are whole, that is asked."""
    right = [name for name in without_right(table) if name in names]
    if right and all(table.columns[name].n_blank == 0 for name in right):
        left = [name for name in names if name not in right]
        what = f"an empty column stands before {', '.join(right[:4])}: another table may begin there"
        raise asked(table, what, f"--raters {quoted(*left)}", f"--raters {quoted(*left, *right)}")
    return dict.fromkeys(right, "behind an empty column, so that another table may begin there")


def no_raters_of(table: Table, numbers: Sequence[str]) -> dict[str, str]:
    """The columns of numbers that count rows, are computed from others or say more about one; doubts are asked."""
    cells = {name: numbers_of(table.columns[name]) for name in numbers}
    found = dict.fromkeys(row_numbers_among(cells), ROW_NUMBERS)
    days = [name for name in numbers if all(map(COMPACT.fullmatch, table.columns[name].as_labels().labels))]
    found |= dict.fromkeys(days if len(numbers) - len(days) > 1 else (), "dates or times")
    left = [name for name in numbers if name not in found]
    if not in_a_grid(left):
        for name, more in with_appendix(left).items():
            if more.rpartition("_")[2] in ABOUT:
                found[name] = "a number about the unit or the judgement"
            elif not more.isdecimal():
                raise doubt(table, f"column {name!r} is called like another one and {more!r}", left, name)
    for name, (why, is_certain) in computed({n: cells[n] for n in left if n not in found}).items():
        if not is_certain:
            raise doubt(table, f"the numbers of column {name!r} are {why}", left, name)
        found[name] = why
    return found


def doubt(table: Table, what: str, names: Sequence[str], one: str) -> InputError:
    """A question about one column: it may be a rater or not."""
    without_it = f"--raters {quoted(*(name for name in names if name != one))}"
    return asked(table, f"{what}: it may be a rater or not", without_it, f"--raters {quoted(*names)}")


def refuse_doubtful(table: Table, raters: Sequence[str], looks: Mapping[str, Look]) -> None:
    """Ask about columns that can be raters and something else: answers to several questions, days, a comparison."""
    every = f"--raters {quoted(*raters)}"
    called = [name for name in raters if plain(name) in KNOWN["value"] and looks[name].kind is Kind.NAMES]
    if len(called) == 1 and len(raters) > 2:
        raise doubt(table, f"column {called[0]!r} is called like a result beside raters", raters, called[0])
    if some := in_a_grid(raters):
        what = f"the columns are called like raters and questions ({', '.join(raters[:4])} …): one question at a time"
        raise asked(table, what, f"--raters {quoted(*some)}", every)
    if all(DATE.fullmatch(name.strip()) for name in raters):
        what = f"the columns are called like dates ({', '.join(raters[:3])}): one rater may have judged on several days"
        raise InputError(what, file=table.file, hint=f"say {every} if each is to count as a rater")
    if len(raters) > 2:
        for name, why in telling_agreement({name: table.columns[name] for name in raters}).items():
            raise doubt(table, f"column {name!r} says {why}", raters, name)


def refuse_mixed(table: Table, name: str, labels: frozenset[str], left: Sequence[str]) -> None:
    """A column of numbers with a few other cells is a rater's whose table is damaged, or something else: ask."""
    if others := most_numbers(sorted(labels)):
        refuse_beside_raters(table, left)
        what = f"column {name!r} holds numbers and {others[0][:LONGEST]!r}, so that it may be a rater or not"
        hint = f"mend the cell, or say --missing {quoted(*(one[:LONGEST] for one in others[:3]))} if it means missing"
        raise InputError(what, file=table.file, column=name, hint=hint)


def models_among(raters: Sequence[str]) -> tuple[str, ...]:
    """The columns that are called like models, if two others are left."""
    found = tuple(name for name in raters if MODEL.fullmatch(plain(name)))
    return found if len(raters) - len(found) > 1 else ()


def sharing(names: Mapping[str, frozenset[str]]) -> list[list[str]]:
    """Columns of names in groups: two belong together if half of the fewer names stand in both."""
    groups: list[list[str]] = []
    for name, mine in names.items():
        with_it = [
            group for group in groups if any(2 * len(mine & names[o]) >= min(len(mine), len(names[o])) for o in group)
        ]
        groups = [group for group in groups if group not in with_it] + [[*(n for g in with_it for n in g), name]]
    return groups


def refuse_half_shared(table: Table, name: str, names: Mapping[str, frozenset[str]], raters: Sequence[str]) -> None:
    """A column that shares some names with the raters, but less than half, may be one more rater."""
    if name in names and any(names[name] & names.get(rater, frozenset()) for rater in raters):
        what = f"column {name!r} shares some values with {', '.join(raters[:4])}, but few: it may be a rater or not"
        raise asked(table, what, f"--raters {quoted(*raters, name)}", f"--raters {quoted(*raters)}")


def of_one_size(table: Table, numbers: list[str], looks: Mapping[str, Look]) -> list[str]:
    """The columns of numbers; one whose numbers lie far from all others' may be something else, so that is asked.

    With few rows, or one other column, only what lies very far is.
    """
    is_telling = len(numbers) > 2 and table.n_rows >= LEAST_ROWS
    for name in numbers:
        rest = [looks[other] for other in numbers if other != name]
        low, high = min(one.low for one in rest), max(one.high for one in rest)
        apart = max(low - looks[name].high, looks[name].low - high)
        cells = numbers_of(table.columns[name])
        is_share = looks[name].high <= 1 and high >= LEAST_PERCENT and bool((cells != np.round(cells)).any())
        if is_share or apart > (high - low if is_telling else VERY_FAR * max(high - low, abs(low), abs(high), 1)):
            others = [other for other in numbers if other != name]
            what = f"the numbers of column {name!r} are of another size than the others: it may be a rater or not"
            raise asked(table, what, f"--raters {quoted(*others)}", f"--raters {quoted(*numbers)}")
    return numbers


def answers_among(table: Table, looks: Mapping[str, Look]) -> list[str]:
    """The columns that may be answers, if another one names raters; a tool's own and those of one value come last."""
    able = (Kind.NAMES, Kind.NUMBERS)
    found = [name for name, look in looks.items() if look.kind in able and not why_no_rater(name, look)]
    return sorted(found, key=lambda name: (name[0] == "_", len(table.columns[name].as_labels().labels) < 2))


def refuse_answers(table: Table, raters: Sequence[str], said: str | None, unit: str | None) -> None:
    """Where a column names raters, the others are none: answers to questions, or units if each rater has one row."""
    who = usual("rater", [name for name in table.names if name not in (*raters, said)])
    if who is None or len(raters) < 2:
        return
    if who == unit or is_distinct(table, who):
        what = f"column {who!r} names raters, each in one row, so that {', '.join(raters[:4])} … may be units"
        raise asked(table, what, "--rows raters", f"--unit {quoted(who)}")
    what = f"column {who!r} names raters, so the others are answers: {', '.join(raters[:4])}"
    unit_said = f"--unit {quoted(unit)} " if unit else ""
    one = f"{unit_said}--rater {quoted(who)} --value {quoted(raters[0])}"
    each = f"{unit_said}--rater {quoted(who)} --questions {quoted(*raters)}"
    raise asked(table, what, each, one, f"--raters {quoted(*raters)}")
