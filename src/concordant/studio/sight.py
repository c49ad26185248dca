"""What a page of files shows of judgements: who judged what in one sentence, the columns, and some of its rows.

Everything is found in what was read; a page only words it.
"""

import re
import shlex
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.choices import split
from concordant.errors import ConcordantError
from concordant.model.columns import Column, is_number
from concordant.model.spans import SpanTable
from concordant.model.study import Study
from concordant.readers.account import Account
from concordant.readers.layout import usual
from concordant.readers.span_table import USUAL, usual_column
from concordant.readers.table import ENDINGS, SHEETS, Table, read_table
from concordant.studio.things import JUDGEMENT, Thing, is_given, places_of

MOST_ROWS = 5
LARGE = 4 << 20  # bytes; of larger tables only the beginning is shown
JUDGED, JUDGE, QUESTION, RATED, NOTHING = "unit", "rater", "question", "rated", ""
ROLES = (JUDGED, JUDGE, JUDGEMENT, QUESTION, RATED, NOTHING)
"""What a column can be taken for: the unit, the rater, a judgement, the question, the judgements of one rater."""
SPAN_ROLES = (*USUAL, NOTHING)
"""What a column of a table of spans can be taken for."""


@dataclass(frozen=True, kw_only=True)
class Columns:
    """The columns of a table with what each was taken for, and some of its rows with their numbers.

    `why` says of a column that is nothing why it is not used, or that it is an attribute.
    """

    names: tuple[str, ...] = ()
    can_be: tuple[str, ...] = ROLES
    roles: tuple[str, ...] = ()
    why: tuple[str, ...] = ()
    rows: tuple[tuple[int, tuple[str, ...]], ...] = ()


@dataclass(frozen=True, kw_only=True)
class Asked:
    """A question in the sentence: its scale from the lowest to the highest value, or how many kinds of answers."""

    name: str
    low: str = ""
    high: str = ""
    n: int = 0


@dataclass(frozen=True, kw_only=True)
class Sentence:
    """Who judged what: most units have `most` judgements of a question, `n_alone` have one, which cannot count."""

    n_raters: int
    n_units: int
    questions: tuple[Asked, ...] = ()
    most: int = 0
    n_alone: int = 0
    n_spans: int = 0


def sentence_of(data: Any, account: Account) -> Sentence | None:
    """Who judged what, of judgements and of spans."""
    if isinstance(data, SpanTable):
        return Sentence(n_raters=account.n_raters, n_units=account.n_texts or 0, n_spans=account.n_spans or 0)
    if not isinstance(data, Study):
        return None
    counts = judgements_of_each(data)
    asked = []
    for one in account.questions:
        numbers = [text for text in one.categories if is_number(text)]
        is_scale = one.level not in ("nominal", "set") and len(numbers) == len(one.categories) > 0
        ends = sorted(numbers, key=float) if is_scale else []
        low, high = (ends[0], ends[-1]) if ends else ("", "")
        asked.append(Asked(name=one.name or "", low=low, high=high, n=len(one.categories)))
    given = counts[counts > 0]
    return Sentence(
        n_raters=account.n_raters,
        n_units=account.n_units or 0,
        questions=tuple(asked),
        most=int(np.bincount(given).argmax()) if len(given) else 0,
        n_alone=int((given == 1).sum()),
    )


def judgements_of_each(study: Study) -> NDArray[np.int64]:
    """How many judgements each unit has, question by question."""
    key, n = places_of(study)
    return np.bincount(key[is_given(study)], minlength=n)


def columns_of(
    files: Sequence[Path],
    data: Any,
    chosen: Mapping[str, str],
    *,
    attributes: Sequence[str] = (),
    unused: Sequence[tuple[str, str]] = (),
    things: Sequence[Thing] = (),
) -> Columns:
    """The columns of the first file, if it is a table at all, with some of its rows: also those of `things`."""
    if not files or not files[0].is_file() or files[0].suffix.casefold() not in ENDINGS:
        return Columns()
    table = table_of(files[0], chosen)
    if table is None:
        return Columns()
    reasons = dict.fromkeys(attributes, "attribute") | dict(unused)
    study, are_spans = data if isinstance(data, Study) else None, isinstance(data, SpanTable)
    roles = span_roles(table.names, chosen) if are_spans else roles_of(table.names, study, chosen)
    why = tuple("" if role else reasons.get(name, "") for name, role in zip(table.names, roles, strict=True))
    rows = rows_shown(table, things if len(files) == 1 else ())
    return Columns(names=table.names, can_be=SPAN_ROLES if are_spans else ROLES, roles=roles, why=why, rows=rows)


def span_roles(names: Sequence[str], chosen: Mapping[str, str]) -> tuple[str, ...]:
    """What each column of a table of spans was taken for.

    >>> span_roles(["doc", "who", "begin", "end", "note"], {})
    ('text', 'rater', 'begin', 'end', '')
    """
    taken = {chosen.get(role) or usual_column(role, names): role for role in USUAL}
    return tuple(taken.get(name, NOTHING) for name in names)


def table_of(file: Path, chosen: Mapping[str, str]) -> Table | None:
    """The table, or the beginning of a large one."""
    how: dict[str, Any] = {name: chosen.get(name) or None for name in ("encoding", "separator")}
    how["sheet"] = (chosen.get("sheet") or None) if file.suffix.casefold() in SHEETS else None
    with suppress(ConcordantError):
        if file.stat().st_size <= LARGE:
            return read_table(file, **how)
        with TemporaryDirectory() as folder, file.open("rb") as stream:
            part = Path(folder) / file.name
            part.write_bytes(stream.read(1 << 16).rpartition(b"\n")[0])
            return read_table(part, **how)
    return None


def roles_of(names: Sequence[str], study: Study | None, chosen: Mapping[str, str]) -> tuple[str, ...]:
    """What each column was taken for; of a table that was not read, what was said of it."""
    if study is None:
        said = {chosen[role]: role for role in (JUDGED, JUDGE, JUDGEMENT, QUESTION) if chosen.get(role)}
        said |= dict.fromkeys(split(chosen.get("questions", "")), JUDGEMENT)
        said |= {} if JUDGE in said.values() else dict.fromkeys(split(chosen.get("raters", "")), RATED)
        for role in (JUDGED, JUDGE):  # what the reader would take, where nothing was said
            if role not in said.values() and (likely := usual(role, [name for name in names if name not in said])):
                said[likely] = role
        return tuple(said.get(name, NOTHING) for name in names)
    found = dict(study.role_of) | dict.fromkeys(split(chosen.get("questions", "")), JUDGEMENT)
    if JUDGEMENT not in found.values() and chosen.get("rows") != "raters":
        found = dict.fromkeys((*study.raters, *study.models), RATED) | found
    return tuple(found.get(name, NOTHING) for name in names)


def rows_shown(table: Table, things: Sequence[Thing]) -> tuple[tuple[int, tuple[str, ...]], ...]:
    """The first rows, then the first of those that there is something to look at in."""
    odd = {row for one in things for row in one.rows[:1]}
    places = [*range(min(MOST_ROWS - min(len(odd), 2), table.n_rows))]
    places += [
        place for place in np.flatnonzero(np.isin(table.row_numbers, sorted(odd))).tolist() if place not in places
    ]
    cells = [table.columns[name].as_labels() for name in table.names]
    return tuple((int(table.row_numbers[i]), tuple(_cell(one, i) for one in cells)) for i in places[:MOST_ROWS])


def _cell(column: Column, row: int) -> str:
    code = int(column.codes[row])
    return column.labels[code] if code >= 0 else ""


def ways_out(problem: str) -> tuple[str, tuple[Mapping[str, str], ...]]:
    """A problem without the commands that settle it, and what each of these chooses.

    >>> ways_out("a or b; say which: `concordant read x.csv --unit a` or `concordant read x.csv --unit 'b c'`")
    ('a or b', ({'unit': 'a'}, {'unit': 'b c'}))
    >>> ways_out("this can be read as a or b; say --format a or --format b")
    ('this can be read as a or b', ({'format': 'a'}, {'format': 'b'}))
    >>> ways_out("but for 'x y'; say --missing 'x y' if it means missing, or --level nominal if not")
    ("but for 'x y'", ({'missing': 'x y'}, {'level': 'nominal'}))
    """
    told, _, rest = problem.partition("; say ")
    is_which = rest.startswith("which:")
    commands = re.findall(r"`[^`]*`" if is_which else r"--(?:format|missing|level) (?:'[^']*'|[\w,]+)", rest)
    found = []
    for words in (shlex.split(command.strip("`")) for command in commands):
        options = {word[2:]: words[at + 1] for at, word in enumerate(words[:-1]) if word.startswith("--")}
        found.append(options)
    return (told, tuple(found)) if found else (problem, ())


def with_roles(chosen: Mapping[str, str], names: Sequence[str], roles: Sequence[str]) -> dict[str, str]:
    """The choices by which columns are what they were said to be.

    >>> with_roles({"level": "ordinal"}, ["a", "b", "c", "d"], ["unit", "rater", "value", "value"])
    {'level': 'ordinal', 'unit': 'a', 'rater': 'b', 'questions': 'c,d'}
    >>> with_roles({}, ["a", "b", "c", "d"], ["text", "rater", "begin", "end"])
    {'text': 'a', 'rater': 'b', 'begin': 'c', 'end': 'd'}
    """
    if set(roles) - {*ROLES}:  # of spans
        rest = {name: value for name, value in chosen.items() if name not in USUAL}
        return rest | {role: name for name, role in zip(names, roles, strict=False) if role}
    made = {name: value for name, value in chosen.items() if name not in (JUDGED, JUDGE, JUDGEMENT, QUESTION)}
    of = {role: [name for name, one in zip(names, roles, strict=False) if one == role] for role in ROLES}
    is_wide = bool(of[RATED]) and not of[JUDGEMENT]
    for name in ("questions", "raters"):
        if name == "questions" or is_wide or RATED in roles:
            made.pop(name, None)
    for role in (JUDGED, JUDGE, QUESTION):
        if of[role]:
            made[role] = of[role][0]
    if len(of[JUDGEMENT]) > 1:
        made["questions"] = ",".join(of[JUDGEMENT])
        made.pop(QUESTION, None)
    elif of[JUDGEMENT]:
        made["value"] = of[JUDGEMENT][0]
    if is_wide:
        made["raters"] = ",".join(of[RATED])
        made.pop(JUDGE, None)
    return made
