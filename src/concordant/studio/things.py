"""What there is to look at in judgements that were read: rows of the file, the choice that was taken, the others."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from concordant.choices import split
from concordant.model.columns import is_number
from concordant.model.scale import Level
from concordant.model.study import Study
from concordant.readers.numerals import MISSING

MOST_NAMED = 6
FEW = 0.1  # share of values that are the odd ones
LEVEL, DUPLICATES = "level", "duplicates"
JUDGEMENT = "value"
WORDS = (
    ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    ("null", "eins", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun", "zehn"),
)
NUMBERS = {word: str(number) for words in WORDS for number, word in enumerate(words)}


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


def things_in(study: Study, chosen: Mapping[str, str], names: Study | None = None) -> list[Thing]:
    """What to look at in the judgements, the most serious first; choices that were made stay there to be taken back.

    `names` are the judgements with every value as a name, before anything was chosen about odd ones.
    """
    odd = odd_values(study if names is None else names, chosen)
    found = [
        *judged_twice(study, chosen),
        *odd,
        *differing_in_capitals(study, chosen),
        *said_before(chosen, [way for one in odd for way in one.ways]),
    ]
    return found[:MOST_NAMED]


def rows_where(study: Study, mask: NDArray[np.bool_]) -> tuple[int, ...]:
    rows = np.flatnonzero(mask)[:MOST_NAMED]
    return tuple(int(row) + 1 if study.row_numbers is None else int(study.row_numbers[row]) for row in rows)


def judged_twice(study: Study, chosen: Mapping[str, str]) -> list[Thing]:
    """Several judgements of one unit by one rater."""
    key, _ = places_of(study)
    rater, given = study.rater.as_labels(), is_given(study)
    both = key * len(rater.labels) + rater.codes
    _, first, counts = np.unique(both[given], return_index=True, return_counts=True)
    if not len(counts) or counts.max() < 2:
        return []
    is_later = np.zeros(study.n_rows, dtype=bool)
    later = np.ones(int(given.sum()), dtype=bool)
    later[first] = False
    is_later[np.flatnonzero(given)[later]] = True
    taken = chosen.get(DUPLICATES, "")
    ways = tuple(
        Way(key=f"twice_{way}", word="", chosen={DUPLICATES: way}, is_taken=way == taken) for way in ("first", "last")
    )
    return [Thing(kind="twice", about={}, rows=rows_where(study, is_later), n=int((counts > 1).sum()), ways=ways)]


def rows_by_question(study: Study) -> list[tuple[str, NDArray[np.bool_]]]:
    """Each question with its rows."""
    if study.question is None:
        return [("", np.ones(study.n_rows, dtype=bool))]
    asked = study.question.as_labels()
    return [(name, asked.codes == code) for code, name in enumerate(asked.labels)]


def odd_values(study: Study, chosen: Mapping[str, str]) -> list[Thing]:
    """Words among numbers: one that means a number may be read as it, any may be left out, or all count as names."""
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
            if label.strip().casefold() in MISSING or any(sign in label for sign in ",:="):
                continue
            about = {"question": question, "value": label}
            mask = rows & (value.codes == code)
            n, places = int(mask.sum()), rows_where(study, mask)
            ways = ways_of_odd(chosen, column_of(study, question), label)
            found.append(Thing(kind="odd", about=about, rows=places, n=n, ways=ways))
    return found


def ways_of_odd(chosen: Mapping[str, str], column: str, label: str) -> tuple[Way, ...]:
    """What can be made of a word among numbers, the likeliest first; each way takes the others back.

    >>> [(way.key, way.is_taken) for way in ways_of_odd({"recode": "mark:four=4"}, "mark", "four")]
    [('odd_read', True), ('odd_missing', False), ('odd_names', False)]
    """
    number = NUMBERS.get(label.casefold(), "")
    back = {"-recode": f"{column}:{label}={number}", "-missing": label}
    numbers = {LEVEL: ""} if chosen.get(LEVEL) == Level.NOMINAL.value else {}
    read = {"-missing": label, "+recode": back["-recode"], **numbers}
    found = {
        **({"odd_read": read} if number else {}),
        "odd_missing": {"-recode": back["-recode"], "+missing": label, **numbers},
        "odd_names": {**back, LEVEL: Level.NOMINAL.value},
    }
    return tuple(
        Way(key=key, word=number, chosen=way, is_taken=with_way(chosen, way) == chosen) for key, way in found.items()
    )


def column_of(study: Study, question: str) -> str:
    """The column of the file that holds the judgements of a question."""
    column = next((name for name, role in study.role_of.items() if role == JUDGEMENT), question)
    return question if column == "value" and question and "value" in study.role_of else column


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


def said_before(chosen: Mapping[str, str], offered: Sequence[Way]) -> list[Thing]:
    """What was chosen to be read otherwise, or left out, each of which can be taken back; what is `offered` is said."""
    found = []
    for option in ("recode", "missing"):
        known = {way.chosen.get(f"+{option}") for way in offered}
        for one in split(chosen.get(option, "")):
            if one in known:
                continue
            ways = (
                Way(key="stay", word="", chosen={}, is_taken=True),
                Way(key="as_it_is", word="", chosen={f"-{option}": one}, is_taken=False),
            )
            found.append(Thing(kind=f"said_{option}", about={"value": one}, rows=(), n=0, ways=ways))
    return found


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


def places_of(study: Study) -> tuple[NDArray[np.int64], int]:
    """The unit and question of each row as one number, and how many there are."""
    unit, question = study.unit.as_labels(), study.question
    if question is None:
        return unit.codes.astype(np.int64), len(unit.labels)
    asked = question.as_labels()
    return unit.codes.astype(np.int64) * len(asked.labels) + asked.codes, len(unit.labels) * len(asked.labels)


def is_given(study: Study) -> NDArray[np.bool_]:
    """Which rows hold a judgement of a unit."""
    given: NDArray[np.bool_] = study.value.codes >= 0 if study.value.numbers is None else ~np.isnan(study.value.numbers)
    return given & (study.unit.as_labels().codes >= 0)
