"""Tables in memory: data frames of any library, with the index of pandas; records; mappings of columns."""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from concordant.errors import InputError
from concordant.model.columns import Column, encode, encode_series, frame_of, is_number, order_of
from concordant.readers.layout import KNOWN, plain, usual
from concordant.readers.numerals import with_points
from concordant.readers.table import Table

ACCEPTED = "give a path, a data frame, an array (units in rows, raters in columns), or data that were read before"
IN_MEMORY = "data frame"
COMMAND = re.compile(rf"`\w+ read '{IN_MEMORY}' --([a-z]+) ([^`]+)`")
OPTION = re.compile(r"(?<!\w)--([a-z][a-z-]*)(?:=| (?=[\w'-])(?!(?:and|or|to|if|with|for|counts?|says?)\b))?")
MOST_ROWS_LOOKED_AT = 10_000
BLANK = {"", "None", "nan", "NaN", "--"}
"""How a missing cell of an array is written, a masked one too."""


def as_table(thing: Any) -> Table:
    """A table from a data frame of any library that narwhals knows, from records, or from a mapping of columns.

    What an index of pandas says (texts, or levels with a name) stands before the columns; numbers of rows say nothing.

    >>> as_table([{"unit": "a", "value": 1}, {"unit": "b"}]).names
    ('unit', 'value')
    """
    orders: dict[str, tuple[str, ...]] = {}
    if is_records(thing):
        names = list(dict.fromkeys(name for record in thing for name in record))
        thing = {name: [record.get(name) for record in thing] for name in names}
    if isinstance(thing, Mapping):
        if any(isinstance(cells, Mapping) for cells in thing.values()):
            what = "a mapping of mappings does not say whether raters or units come first"
            raise InputError(what, hint="give columns: {'unit': […], 'rater': […], 'value': […]}")
        columns = {str(name): encode(cells) for name, cells in thing.items()}
    else:
        columns, orders = _of_frame(thing)
    lengths = {len(column) for column in columns.values()}
    if len(lengths) != 1:
        raise InputError("the columns differ in length" if lengths else "there are no columns", hint=ACCEPTED)
    rows = np.arange(1, lengths.pop() + 1)
    columns, notes = with_points(columns, ",")  # where a comma may be between two choices
    return Table(IN_MEMORY, columns, tuple(columns), rows, orders=orders, notes=tuple(notes))


def _of_frame(thing: Any) -> tuple[dict[str, Column], dict[str, tuple[str, ...]]]:
    """The columns of a data frame, with the order of those that have one."""
    import narwhals as nw

    if hasattr(thing, "index") and getattr(getattr(thing, "columns", None), "nlevels", 1) > 1:
        raise InputError("the columns have names of several levels", hint="give each one name: frame.columns = […]")
    is_series = hasattr(thing, "to_frame") and index_names(thing)
    frame = frame_of(thing.to_frame(thing.name or "value") if is_series else thing)
    if not isinstance(frame, nw.DataFrame | nw.LazyFrame):
        raise InputError(f"{type(thing).__name__} is nothing that can be read", hint=ACCEPTED)
    eager = frame.collect() if isinstance(frame, nw.LazyFrame) else frame
    levels = {
        name: nw.from_native(thing.index.get_level_values(level).to_series(), series_only=True)
        for level, name in index_names(thing).items()
        if name not in eager.columns
    }
    found = {str(name): series for name, series in (*levels.items(), *((n, eager[n]) for n in eager.columns))}
    orders = {name: order for name, series in found.items() if (order := order_of(series))}
    return {name: encode_series(series) for name, series in found.items()}, orders


def is_records(thing: Any) -> bool:
    """Whether this is a list of mappings, a row each."""
    return isinstance(thing, list | tuple) and bool(thing) and all(isinstance(one, Mapping) for one in thing)


def index_names(thing: Any) -> dict[int, str]:
    """The levels of an index of pandas that say something, with their names: `unit`, where texts have none."""
    index: Any = getattr(thing, "index", None)
    if not hasattr(index, "get_level_values"):
        return {}
    named = {level: str(name) for level, name in enumerate(index.names) if name is not None}
    return named or ({0: "unit"} if index.nlevels == 1 and index.inferred_type == "string" else {})


def unit_of_index(thing: Any, names: Sequence[str]) -> str | None:
    """The column that an index makes the unit: its only one, unless another is called so or it is called otherwise."""
    levels = list(index_names(thing).values())
    others = [name for name in names if name not in levels]
    if len(levels) != 1 or levels[0] not in names or usual("unit", others):
        return None
    is_other = any(plain(levels[0]) in KNOWN[role] for role in ("rater", "value", "question"))
    return None if is_other else levels[0]


def refuse_rows_of_judgements(array: Any) -> None:
    """Refuse an array whose columns are of different kinds: then its rows are judgements, and no units × raters.

    >>> refuse_rows_of_judgements([["yes", "no"], ["yes", "yes"]])
    >>> refuse_rows_of_judgements([["A", "u1", "x"], ["B", "u1", "x"], ["A", "u2", "y"]])  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    concordant.errors.InputError: the columns of the array have no value in common; if a row is one judgement, ...
    """
    cells = np.asarray(array)[:MOST_ROWS_LOOKED_AT]
    if cells.dtype.kind not in "UO" or len(cells) < 2:
        return
    columns = [set(map(str, column.tolist())) - BLANK for column in cells.T]
    given = [labels for labels in columns if labels]
    numbers = [sum(map(is_number, labels)) / len(labels) for labels in given]
    is_mixed = {0.0, 1.0} <= set(numbers) <= {0.0, 1.0}
    if not is_mixed and (len(given) < 3 or sum(map(len, given)) > len(set().union(*given))):
        return
    what = "are some of words and some of numbers" if is_mixed else "have no value in common"
    hint = "if a row is one judgement, give columns: {'rater': […], 'unit': […], 'value': […]}; if columns are raters, "
    raise InputError(f"the columns of the array {what}", hint=f"{hint}name them: raters=[…]")


@contextmanager
def said_in_python() -> Iterator[None]:
    """What is refused of data in memory is said in words of Python, not as options of a command."""
    try:
        yield
    except InputError as error:
        raise InputError(in_python(str(error))) from None


def in_python(message: str) -> str:
    """A message with keywords in place of options of the command line.

    >>> in_python("say which: `concordant read 'data frame' --raters A,B`")
    "say which: `raters=['A', 'B']`"
    >>> in_python("say --unit, --rater and --value, or --level set")
    'say unit=, rater= and value=, or level=set'
    """

    def keyword(match: re.Match[str]) -> str:
        name, text = match[1], match[2].strip("'")
        return f"`{name}={text.split(',') if name == 'raters' else text!r}`"

    return OPTION.sub(lambda match: f"{match[1].replace('-', '_')}=", COMMAND.sub(keyword, message))
