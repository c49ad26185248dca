"""Rows and columns of a table that are no judgements: titles, second headers, empty rows, totals, numbers of rows.

What is certain is left out and said; what may be data is refused with what to do.
"""

import re
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from concordant.errors import InputError
from concordant.model.columns import Column, compact, is_number
from concordant.readers.layout import KNOWN, Layout, asked, plain, quoted, usual
from concordant.readers.looks import SURVEY
from concordant.readers.numerals import MISSING
from concordant.readers.sheet_errors import labels_among
from concordant.readers.table import Table

TOTALS = frozenset(
    (
        *(
            "total",
            "totals",
            "sum",
            "sums",
            "mean",
            "means",
            "average",
            "avg",
            "median",
            "sd",
            "std",
            "stdev",
            "grand_total",
        ),
        *(
            "gesamt",
            "summe",
            "mittelwert",
            "mittel",
            "durchschnitt",
            "insgesamt",
            "moyenne",
            "somme",
            "media",
            "suma",
            "σ",
            "kappa",
            "cohens_kappa",
            "cohen_s_kappa",
            "fleiss_kappa",
            "icc",
            "agreement",
            "percent_agreement",
            "übereinstimmung",
            "variance",
            "varianz",
        ),
    )
)
INDEX = re.compile(
    r"unnamed_\d+|column_\d+|index|row(_?(id|number|num|no|nr))?|no|nr|lfd_nr|nummer|zeile|s_?no|serial(_no)?|level_0"
)
ITEM = re.compile(
    r"(?:q|qu|question|frage|item|satz|sentence|stimulus|stim|statement|aussage|aufgabe|text|image|picture|bild|video|clip"
    r"|essay|document|doc|unit|u|pregunta|phrase|frase)_?\d+(?:_.*)?"
)  # how the columns of a table are called where a row is what one person answered
FOOTER = re.compile(
    r"\s*(?:[*†‡©]|(?:data )?sources?\b|notes?\b|legend\b|key\b|copyright\b|footnotes?\b|quellen?\b|anmerkung(?:en)?\b|"
    r"hinweise?\b|legende\b|n\. ?b\.|remarque\b|fuente\b|nota\b)",
    re.IGNORECASE,
)
LAST = 5  # rows at the end of a table that may be totals
LONGEST = 40  # characters of a footer in a message
LOOKED_AT = 10_000  # rows that are looked at for a second header
LEAST_ROWS = 4  # rows below a second header that tell that it is one; rows that tell what a column is computed from
SERIES = re.compile(r"[\W_]*(\d+|(?<![A-Za-z])[A-Za-z])$")  # by which columns of one kind are told apart
IS_RATER = re.compile(r"[A-Za-z]|(r|a|c|rater|coder|annotator|judge|ann|annot|user)[\s_]?\d+", re.IGNORECASE)
MOST_TAIL = 10  # rows below an empty one that may be a summary
ROUNDING = 0.051  # how far a mean in print may be from the mean
ENOUGH_ROWS = 5  # rows counted 1, 2, 3 … that tell that a column counts rows


def refuse_values_as_names(table: Table) -> None:
    """The first row must name columns: titles over the table, or a table without a header, are refused."""
    unnamed = [n for n in table.names if re.fullmatch(r"column \d+", n) and table.columns[n].n_blank < table.n_rows]
    if len(unnamed) > 1:
        what = f"{len(unnamed)} columns have no name: the first row may be a title"
        raise InputError(what, file=table.file, row=1, hint="delete the lines above the names of the columns")
    values = {label for column in table.columns.values() for label in column.as_labels().labels[:1000]}
    if all(map(is_number, table.names)) or (len(table.names) > 1 and set(table.names) <= values):
        shown = ", ".join(table.names[:6])
        what = f"the first row ({shown}) holds values, or names that are values too: it is not counted as data"
        hint = f"say --format matrix if it is data, or --raters {','.join(table.names[:6])} if these are names"
        raise InputError(what, file=table.file, row=1, hint=hint)


def is_of_series(name: str, others: Sequence[str]) -> bool:
    """Whether a column is called like another one but for a number or a letter at the end, as V1 and V2 are."""
    return SERIES.sub("", name) in {SERIES.sub("", other) for other in others} and SERIES.search(name) is not None


def refuse_judgements_as_names(table: Table, unit: str | None, raters: Sequence[str]) -> None:
    """Raters who are all called like values, beside a unit that is not called like one, are a first row of data."""
    if unit is None or plain(unit) in KNOWN["unit"] or INDEX.fullmatch(plain(unit)) or plain(unit) in ("", "number"):
        return
    values = {label for name in raters for label in table.columns[name].as_labels().labels[:1000]}
    if len(raters) > 1 and set(raters) <= values:
        shown = ", ".join((unit, *raters[:6]))
        what = f"the first row ({shown}) holds values, or names that are values too: it is not counted as data"
        hint = f"put names above the columns, or say --raters {','.join(raters[:6])} if these are names"
        raise InputError(what, file=table.file, row=1, hint=hint)


def refuse_survey(table: Table, unit: str, *, says_when: bool) -> None:
    """Ask whether a row is what one person answered, where columns are those of a survey or the unit says when."""
    is_survey = len({plain(name) for name in table.names} & SURVEY) > 1
    if is_survey or says_when:
        why = "this looks like a survey" if is_survey else f"column {unit!r} says when"
        what = f"{why}, so that a row may be what one person answered"
        who = usual("rater", table.names)
        is_named = who is None or len(set(table.columns[who].text())) == table.n_rows
        raise asked(
            table, what, "--rows raters" + ("" if is_named else f" --rater {quoted(unit)}"), f"--unit {quoted(unit)}"
        )


def refuse_questions(table: Table, raters: Sequence[str]) -> None:
    """Ask whether a row is what one person answered, where all columns are called like questions or items."""
    if len(raters) > 1 and (
        all(ITEM.fullmatch(plain(n)) for n in raters) or all(n.rstrip().endswith("?") for n in raters)
    ):
        what = f"the columns are called like questions ({', '.join(raters[:3])}): a row may be what one person answered"
        raise asked(table, what, "--rows raters", f"--raters {quoted(*raters)}")


def refuse_second_header(table: Table, columns: Sequence[str]) -> None:
    """A first row of words over numbers, or of values that occur nowhere else, is a second header."""
    over_numbers = [name for name in columns if is_over_numbers(table.columns[name])] if table.n_rows > 2 else []
    if len(over_numbers) > 1:
        _refuse_second(table, [str(table.columns[name].text()[0]) for name in over_numbers])
    if table.n_rows <= LEAST_ROWS:
        return
    first, rest = [], set()
    for name in columns:
        column = table.columns[name].as_labels()
        code = int(column.codes[0])
        below = {column.labels[other] for other in np.unique(column.codes[1:LOOKED_AT]).tolist() if other >= 0}
        if code < 0 or 2 * len(below) >= min(table.n_rows, LOOKED_AT):  # values that hardly repeat tell nothing
            continue
        first.append(column.labels[code])
        rest |= below
    is_words = len(first) > 1 and not any(map(is_number, first)) and not rest & set(first)
    if is_words and len(first) == len(columns):
        _refuse_second(table, first)


def is_over_numbers(column: Column) -> bool:
    """Whether the first cell is a word and all below are numbers."""
    if column.numbers is not None or not len(column) or column.codes[0] < 0:
        return False
    first = column.labels[int(column.codes[0])]
    below = [column.labels[other] for other in np.unique(column.codes[1:LOOKED_AT]).tolist() if other >= 0]
    known = [label for label in below if label.strip().casefold() not in MISSING]
    is_word = not is_number(first) and first.strip().casefold() not in MISSING
    return is_word and bool(known) and all(map(is_number, known))


def _refuse_second(table: Table, first: Sequence[str]) -> None:
    what = f"the row below the names of the columns ({', '.join(first[:4])}) looks like a second header"
    raise InputError(what, file=table.file, row=int(table.row_numbers[0]), hint="delete it, or the first one")


def without_repeated_names(table: Table) -> tuple[Table, list[tuple[int, str]]]:
    """The table without rows that repeat the names of its columns, as files below each other have them."""
    same = np.ones(table.n_rows, dtype=bool)
    for name, column in table.columns.items():
        if column.numbers is not None or name not in labels_among(column, {name}):
            return table, []
        same &= column.codes == list(column.labels).index(name)
    n = int(same.sum())
    if not n or len(table.columns) < 2:
        return table, []
    left = table.take(np.flatnonzero(~same))
    columns = {name: compact(column) for name, column in left.columns.items()}
    return left._replace(columns=columns), [(n, "the names of the columns once more")]


def without_empty_rows(table: Table, columns: Sequence[str]) -> tuple[Table, list[tuple[int, str]]]:
    """The table without rows in which none of these columns has a value."""
    if not columns or not all(table.columns[name].n_blank for name in columns):
        return table, []
    blank = np.ones(table.n_rows, dtype=bool)
    for name in columns:
        column = table.columns[name]
        blank &= column.codes < 0 if column.numbers is None else np.isnan(column.numbers)
    n = int(blank.sum())
    if not n or n == table.n_rows:
        return table, []
    return table.take(np.nonzero(~blank)[0]), [(n, "empty rows")]


def without_totals(table: Table, layout: Layout) -> tuple[Table, list[tuple[int, str]]]:
    """The table of numbers without rows of totals at its end."""
    if not layout.unit:
        return table, []
    unit = table.columns[layout.unit].text()
    last = range(max(table.n_rows - LAST, 1), table.n_rows)
    found = [i for i in last if plain(str(unit[i])) in TOTALS or _is_made_of_those_above(table, layout, i)]
    if not found or found[-1] != table.n_rows - 1 or found != list(range(found[0], table.n_rows)):
        return table, []
    cells = [str(c) for n in layout.raters for c in table.columns[n].take(np.array(found)).as_labels().text()]
    if not all(is_number(cell.removesuffix("%").strip()) for cell in cells if cell):
        return table, []
    names = ", ".join(repr(str(unit[i])) for i in found)
    return table.take(np.arange(found[0])), [(len(found), f"computed from the rows above: {names}")]


def _is_made_of_those_above(table: Table, layout: Layout, row: int) -> bool:
    """Whether a row holds the sum or the mean of those above it in every rater's column, and no rater says so much."""
    if len(layout.raters) < 2 or not LEAST_ROWS <= row < LOOKED_AT:
        return False
    cells = np.array([numbers_of(table.columns[name].take(np.arange(row + 1))) for name in layout.raters])
    above, made = cells[:, :-1], cells[:, -1]
    if np.isnan(cells).any():
        return False
    if np.allclose(made, above.sum(axis=1)):
        return bool((made > above.max(axis=1)).all())
    is_mean = bool(np.abs(made - above.mean(axis=1)).max() <= ROUNDING)
    return is_mean and bool((above == np.round(above)).all() and (made != np.round(made)).any())


def is_footer(text: str) -> bool:
    """Whether a line says where a table comes from, or what it adds up to.

    >>> is_footer("Source: an invented survey"), is_footer("Total: 6"), is_footer("sentence 6")
    (True, True, False)
    """
    return FOOTER.match(text) is not None or plain(text.partition(":")[0]) in TOTALS


def without_footer(table: Table, layout: Layout) -> tuple[Table, list[tuple[int, str]]]:
    """The table without lines below it (its source, notes, titles of totals), in which no rater says anything.

    Units at the end that nobody judged are told, since they may be such lines too.
    """
    is_blank = np.ones(table.n_rows, dtype=bool)
    for name in layout.raters:
        column = table.columns[name]
        is_blank &= column.codes < 0 if column.numbers is None else np.isnan(column.numbers)
        if name == table.names[0] and column.numbers is None:  # no unit stands before it, so that a line may begin here
            lines = [code for code, label in enumerate(column.labels) if ":" in label and is_footer(label)]
            is_blank |= np.isin(column.codes, lines)
    judged = np.flatnonzero(~is_blank)
    first = int(judged[-1]) + 1 if len(judged) else table.n_rows
    if first == table.n_rows:
        return table, []
    tail = table.take(np.arange(first, table.n_rows))
    texts = [tail.columns[name].text() for name in ([layout.unit] if layout.unit else tail.names)]
    said = [next((str(cell) for cell in cells if cell), "") for cells in zip(*texts, strict=True)]
    footers, units = [text for text in said if is_footer(text)], [text for text in said if not is_footer(text)]
    if units:
        more = f" and {len(units) - 3:,} more" if len(units) > 3 else ""
        shown = ", ".join(repr(text[:LONGEST]) for text in units[:3]) + more
        note = f"nobody judged the last of the units ({shown}): delete rows that are not units"
        table = table._replace(notes=(*table.notes, note))
    if not footers:
        return table, []
    kept = np.append(np.arange(first), first + np.flatnonzero([not is_footer(text) for text in said]))
    shown = ", ".join(repr(text[:LONGEST]) for text in footers[:3])
    left = table.take(kept)
    columns = {name: column if column.numbers is not None else compact(column) for name, column in left.columns.items()}
    return left._replace(columns=columns), [(len(footers), f"below the table: {shown}")]


def refuse_tail(table: Table, layout: Layout) -> None:
    """Rows below an empty row at the end, not one of them whole, may be a summary: they are not taken for units."""
    steps = np.flatnonzero(np.diff(table.row_numbers) > 1)
    if not len(steps) or table.n_rows - int(steps[-1]) - 1 > min(MOST_TAIL, int(steps[-1])):
        return
    tail = table.take(np.arange(int(steps[-1]) + 1, table.n_rows))
    whole = np.ones(tail.n_rows, dtype=bool)
    for name in layout.raters:
        whole &= tail.columns[name].text() != ""
    if not whole.any():
        shown = ", ".join(str(cell) for cell in tail.columns[layout.unit or layout.raters[0]].text()[:3])
        what = f"the rows below an empty one ({shown}) lack raters, so that they may be a summary"
        hint = "delete them, or the empty row if they are data"
        raise InputError(what, file=table.file, row=int(tail.row_numbers[0]), hint=hint)


def without_right(table: Table) -> tuple[str, ...]:
    """The columns right of an empty one without a name: another table beside this one."""
    for place, name in enumerate(table.names):
        is_gap = re.fullmatch(r"column \d+", name) and table.columns[name].n_blank == table.n_rows
        if is_gap and 1 < place < len(table.names) - 1:
            return table.names[place + 1 :]
    return ()


def numbers_of(column: Column) -> NDArray[np.float64]:
    """The first cells of a column as numbers; what is none is not a number."""
    if column.numbers is not None:
        return column.numbers[:LOOKED_AT]
    known = [float(label) if is_number(label) else np.nan for label in column.labels]
    numbers: NDArray[np.float64] = np.array([*known, np.nan])[column.codes[:LOOKED_AT]]
    return numbers


def row_numbers_among(columns: Mapping[str, NDArray[np.float64]]) -> list[str]:
    """The columns that count rows: called so, or 1, 2, 3 … where no other column has these numbers in another order."""
    found = []
    for name, numbers in columns.items():
        counts = len(numbers) > 1 and numbers[0] in (0, 1) and bool((np.diff(numbers) == 1).all())
        others = [other for other in columns.values() if other is not numbers]
        is_ranking = any(np.array_equal(np.sort(other), numbers) for other in others)
        is_long = len(columns) > 2 and len(numbers) >= ENOUGH_ROWS
        if counts and (INDEX.fullmatch(plain(name)) or (is_long and not is_ranking)):
            found.append(name)
    return found


def computed(columns: Mapping[str, NDArray[np.float64]]) -> dict[str, tuple[str, bool]]:
    """Which columns are computed from those before them, and whether that is certain: no rater gives such values."""
    found: dict[str, tuple[str, bool]] = {}
    before: dict[str, NDArray[np.float64]] = {}
    for name, numbers in columns.items():
        told = _formula(numbers, list(before.values())) if len(before) > 1 else None
        if told is None:
            before[name] = numbers
        else:
            found[name] = (told[0].format(", ".join(before)), told[1])
    return found


def _formula(numbers: NDArray[np.float64], before: Sequence[NDArray[np.float64]]) -> tuple[str, bool] | None:
    """How a column is computed from others, and whether its values could not be a rater's."""
    rows = np.array([*before, numbers])
    rows = rows[:, ~np.isnan(rows).any(axis=0)]
    if rows.shape[1] < LEAST_ROWS:
        return None
    given, made = rows[:-1], rows[-1]
    is_whole, differ = bool((given == np.round(given)).all()), (given != given[0]).any(axis=0)
    if np.allclose(made, given.sum(axis=0)) and (np.count_nonzero(given, axis=1) > 1).all():
        return "the sum of {}", bool(made.max() > given.max())
    if np.count_nonzero(differ) < 2:
        return None
    if np.abs(made - given.mean(axis=0)).max() <= ROUNDING:
        return "the mean of {}", is_whole and bool((made != np.round(made)).any())
    apart = given[0] - given[1]
    if len(given) == 2 and (np.allclose(made, apart) or np.allclose(made, -apart)):
        return "the difference of {}", bool(made.min() < 0 <= given.min())
    if len(given) == 2 and np.allclose(made, np.abs(apart)):
        return "how far apart {} are", False
    return None


def telling_agreement(columns: Mapping[str, Column]) -> dict[str, str]:
    """The last column, if it has two values, one where all others are the same and one where they differ."""
    *before, last = columns
    made = columns[last].as_labels()
    rows = np.array([columns[name].text()[:LOOKED_AT] for name in before])
    same = (rows == rows[0]).all(axis=0)
    codes = made.codes[:LOOKED_AT]
    if len(before) < 2 or len(same) < LEAST_ROWS or len(made.labels) != 2 or not 0 < same.sum() < len(same):
        return {}
    is_told = len({*codes[same].tolist()}) == len({*codes[~same].tolist()}) == 1 and codes.min() >= 0
    return {last: f"whether {', '.join(before)} are the same"} if is_told else {}


def in_a_grid(names: Sequence[str]) -> tuple[str, ...]:
    """The first of several groups, if the names are pairs (A_q1, B_q1, A_q2, B_q2): those with one part the same."""
    for pattern in (r"(.+?)[\s_.:|/-]+(.+)", r"(.+)[\s_.:|/-]+(.+?)"):
        halves = [(one.group(1), one.group(2)) for name in names if (one := re.fullmatch(pattern, name))]
        left, right = dict.fromkeys(one for one, _ in halves), dict.fromkeys(one for _, one in halves)
        if len(halves) == len(names) == len(left) * len(right) and len(left) > 1 and len(right) > 1:
            is_rater = all(map(IS_RATER.fullmatch, right)) and not all(map(IS_RATER.fullmatch, left))
            wanted = halves[0][0 if is_rater else 1]
            return tuple(n for n, half in zip(names, halves, strict=True) if half[0 if is_rater else 1] == wanted)
    return ()


def with_appendix(names: Sequence[str]) -> dict[str, str]:
    """The columns that are called like another one and a word more (anna, anna_time), with that word."""
    found = {}
    for name in names:
        for base in names:
            if base != name and plain(name).startswith(f"{plain(base)}_"):
                found[name] = plain(name).removeprefix(f"{plain(base)}_")
    return found
