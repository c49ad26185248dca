"""What a page of files shows of judgements: who judged what in one sentence, the columns, and what to look at in them.

Everything is found in what was read; a page only words it. A thing to look at names the rows of the file, says which
choice was taken, and what else could be chosen.
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

MOST_ROWS, MOST_NAMED = 5, 6
LARGE = 4 << 20  # bytes; of larger tables only the beginning is shown
FEW = 0.1  # share of values that are the odd ones
JUDGED, JUDGE, JUDGEMENT, QUESTION, RATED, NOTHING = "unit", "rater", "value", "question", "rated", ""
ROLES = (JUDGED, JUDGE, JUDGEMENT, QUESTION, RATED, NOTHING)
"""What a column can be taken for: the unit, the rater, a judgement, the question, the judgements of one rater."""
SPAN_ROLES = (*USUAL, NOTHING)
"""What a column of a table of spans can be taken for."""
WORDS = (
    ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    ("null", "eins", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun", "zehn"),
)
NUMBERS = {word: str(number) for words in WORDS for number, word in enumerate(words)}


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


@dataclass(frozen=True, kw_only=True)
class Way:
    """One way to take a thing: what would be chosen, and whether it is."""

    key: str
    word: str
    chosen: Mapping[str, str]
    is_taken: bool


@dataclass(frozen=True, kw_only=True)
class Thing:
    """Something to look at: its kind, names that its sentence needs, rows of the file, and ways to take it."""

    kind: str
    about: Mapping[str, str]
    rows: tuple[int, ...]
    n: int
    ways: tuple[Way, ...]


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
    key, n = _places(study)
    return np.bincount(key[_is_given(study)], minlength=n)


def _places(study: Study) -> tuple[NDArray[np.int64], int]:
    """The unit and question of each row as one number, and how many there are."""
    unit, question = study.unit.as_labels(), study.question
    if question is None:
        return unit.codes.astype(np.int64), len(unit.labels)
    asked = question.as_labels()
    return unit.codes.astype(np.int64) * len(asked.labels) + asked.codes, len(unit.labels) * len(asked.labels)


def _is_given(study: Study) -> NDArray[np.bool_]:
    given: NDArray[np.bool_] = study.value.codes >= 0 if study.value.numbers is None else ~np.isnan(study.value.numbers)
    return given & (study.unit.as_labels().codes >= 0)


def columns_of(
    files: Sequence[Path],
    data: Any,
    chosen: Mapping[str, str],
    *,
    attributes: Sequence[str] = (),
    unused: Sequence[tuple[str, str]] = (),
) -> Columns:
    """The columns of the first file, if it is a table at all, with some of its rows."""
    if not files or not files[0].is_file() or files[0].suffix.casefold() not in ENDINGS:
        return Columns()
    table = table_of(files[0], chosen)
    if table is None:
        return Columns()
    reasons = dict.fromkeys(attributes, "attribute") | dict(unused)
    study, are_spans = data if isinstance(data, Study) else None, isinstance(data, SpanTable)
    roles = span_roles(table.names, chosen) if are_spans else roles_of(table.names, study, chosen)
    why = tuple("" if role else reasons.get(name, "") for name, role in zip(table.names, roles, strict=True))
    rows = rows_shown(table, study if len(files) == 1 else None)
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


def rows_shown(table: Table, study: Study | None) -> tuple[tuple[int, tuple[str, ...]], ...]:
    """The first rows, then the first of those that there is something to look at in."""
    odd = {row for one in things_in(study, {}) for row in one.rows[:1]} if study is not None else set()
    places = [*range(min(MOST_ROWS - min(len(odd), 2), table.n_rows))]
    places += [
        place for place in np.flatnonzero(np.isin(table.row_numbers, sorted(odd))).tolist() if place not in places
    ]
    cells = [table.columns[name].as_labels() for name in table.names]
    return tuple((int(table.row_numbers[i]), tuple(_cell(one, i) for one in cells)) for i in places[:MOST_ROWS])


def _cell(column: Column, row: int) -> str:
    code = int(column.codes[row])
    return column.labels[code] if code >= 0 else ""


def things_in(study: Study, chosen: Mapping[str, str]) -> list[Thing]:
    """What to look at in the judgements, the most serious first; choices that were made stay there to be taken back."""
    found = [
        *judged_twice(study, chosen),
        *odd_values(study),
        *differing_in_capitals(study, chosen),
        *said_before(chosen),
    ]
    return found[:MOST_NAMED]


def rows_where(study: Study, mask: NDArray[np.bool_]) -> tuple[int, ...]:
    rows = np.flatnonzero(mask)[:MOST_NAMED]
    return tuple(int(row) + 1 if study.row_numbers is None else int(study.row_numbers[row]) for row in rows)


def judged_twice(study: Study, chosen: Mapping[str, str]) -> list[Thing]:
    """Several judgements of one unit by one rater."""
    key, _ = _places(study)
    rater, given = study.rater.as_labels(), _is_given(study)
    both = key * len(rater.labels) + rater.codes
    _, first, counts = np.unique(both[given], return_index=True, return_counts=True)
    if not len(counts) or counts.max() < 2:
        return []
    is_later = np.zeros(study.n_rows, dtype=bool)
    later = np.ones(int(given.sum()), dtype=bool)
    later[first] = False
    is_later[np.flatnonzero(given)[later]] = True
    taken = chosen.get("duplicates", "")
    ways = tuple(
        Way(key=f"twice_{way}", word="", chosen={"duplicates": way}, is_taken=way == taken) for way in ("first", "last")
    )
    return [Thing(kind="twice", about={}, rows=rows_where(study, is_later), n=int((counts > 1).sum()), ways=ways)]


def rows_by_question(study: Study) -> list[tuple[str, NDArray[np.bool_]]]:
    """Each question with its rows."""
    if study.question is None:
        return [("", np.ones(study.n_rows, dtype=bool))]
    asked = study.question.as_labels()
    return [(name, asked.codes == code) for code, name in enumerate(asked.labels)]


def odd_values(study: Study) -> list[Thing]:
    """Words among numbers: one that means a number may be read as it, any other left out."""
    value, found = study.value, list[Thing]()
    if value.numbers is not None:
        return found
    for question, rows in rows_by_question(study):
        counts = np.bincount(value.codes[rows & (value.codes >= 0)], minlength=len(value.labels))
        words = [code for code in np.flatnonzero(counts).tolist() if not is_number(value.labels[code])]
        if not words or counts[words].sum() > FEW * counts.sum():
            continue
        for code in words[:MOST_NAMED]:
            label = value.labels[code]
            if any(sign in label for sign in ",:="):
                continue
            about = {"question": question, "value": label}
            mask = rows & (value.codes == code)
            n, places = int(mask.sum()), rows_where(study, mask)
            ways = [Way(key="odd_missing", word="", chosen={"+missing": label}, is_taken=False)]
            if (meant := NUMBERS.get(label.casefold())) is not None:
                ways.insert(0, recoding(study, question, label, meant))
            found.append(Thing(kind="odd", about=about, rows=places, n=n, ways=tuple(ways)))
    return found


def recoding(study: Study, question: str, old: str, new: str) -> Way:
    """The way to read a value as another, in the column that it stands in."""
    column = next((name for name, role in study.role_of.items() if role == JUDGEMENT), question)
    named = question if column == "value" and question and "value" in study.role_of else column
    return Way(key="odd_read", word=new, chosen={"+recode": f"{named}:{old}={new}"}, is_taken=False)


def differing_in_capitals(study: Study, chosen: Mapping[str, str]) -> list[Thing]:
    """Values that differ only in capitals, or did before they were read as one."""
    value = study.value
    if chosen.get("case") == "fold":
        ways = (
            Way(key="case_one", word="", chosen={"case": "fold"}, is_taken=True),
            Way(key="case_two", word="", chosen={"case": ""}, is_taken=False),
        )
        return [Thing(kind="folded", about={}, rows=(), n=0, ways=ways)]
    if value.numbers is not None or len(value.labels) > 1000:
        return []
    alike: dict[str, list[int]] = {}
    for code, label in enumerate(value.labels):
        alike.setdefault(label.casefold(), []).append(code)
    found = []
    for codes in [codes for codes in alike.values() if len(codes) > 1]:
        counts = {code: int((value.codes == code).sum()) for code in codes}
        rare, usual = sorted(codes, key=lambda code: counts[code])[:: len(codes) - 1][:2]
        about = {"value": value.labels[rare], "usual": value.labels[usual], "m": f"{counts[usual]:,}"}
        ways = (
            Way(key="case_one", word="", chosen={"case": "fold"}, is_taken=False),
            Way(key="case_two", word="", chosen={"case": ""}, is_taken=True),
        )
        rows = rows_where(study, value.codes == rare)
        found.append(Thing(kind="case", about=about, rows=rows, n=counts[rare], ways=ways))
    return found


def said_before(chosen: Mapping[str, str]) -> list[Thing]:
    """What was chosen to be read otherwise, or left out, each of which can be taken back."""
    found = []
    for option in ("recode", "missing"):
        for one in split(chosen.get(option, "")):
            ways = (
                Way(key="stay", word="", chosen={}, is_taken=True),
                Way(key="as_it_is", word="", chosen={f"-{option}": one}, is_taken=False),
            )
            found.append(Thing(kind=f"said_{option}", about={"value": one}, rows=(), n=0, ways=ways))
    return found


def ways_out(problem: str) -> tuple[str, tuple[Mapping[str, str], ...]]:
    """A problem without the commands that settle it, and what each of these chooses.

    >>> ways_out("a or b; say which: `concordant read x.csv --unit a` or `concordant read x.csv --unit 'b c'`")
    ('a or b', ({'unit': 'a'}, {'unit': 'b c'}))
    >>> ways_out("this can be read as a or b; say --format a or --format b")
    ('this can be read as a or b', ({'format': 'a'}, {'format': 'b'}))
    """
    told, _, rest = problem.partition("; say ")
    commands = re.findall(r"`[^`]*`", rest) if rest.startswith("which:") else re.findall(r"--format \w+", rest)
    found = []
    for words in (shlex.split(command.strip("`")) for command in commands):
        options = {word[2:]: words[at + 1] for at, word in enumerate(words[:-1]) if word.startswith("--")}
        found.append(options)
    return (told, tuple(found)) if found else (problem, ())


def with_way(chosen: Mapping[str, str], change: Mapping[str, str]) -> dict[str, str]:
    """The choices after a way was taken: `+name` adds to a list, `-name` takes away from it.

    >>> with_way({"missing": "NA"}, {"+missing": "x"}), with_way({"recode": "a:b=c"}, {"-recode": "a:b=c"})
    ({'missing': 'NA,x'}, {})
    """
    made = dict(chosen)
    for name, value in change.items():
        bare = name.lstrip("+-")
        parts = [one for one in split(made.get(bare, "")) if one != value]
        made[bare] = ",".join([*parts, value] if name[0] == "+" else parts) if name[0] in "+-" else value
    return {name: value for name, value in made.items() if value}


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
