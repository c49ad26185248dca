"""What an adjudicator wrote into the workbook: decisions and comments, read back from the sheet of divergent sentences.

A decision is the name of the annotator who is right, `accepted` with the number of an analysis, or `rejected`. A
sentence is settled when there is a decision; a comment alone leaves it open. In thinned profiles, which list the chosen
analysis only, two different analyses have one number: there the name is kept, and the number is refused.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from concordant.errors import InputError
from concordant.readers.workbook import read_sheet, refuse_bomb
from concordant.treebank.comparison import Comparison, Lost
from concordant.treebank.sentences import Sentence

SHEET, DECISION, COMMENTS = "Divergent", "Decision", "Comments"
Key = tuple[str, str]  # suite and sentence, as the workbook has them
_ANALYSIS = re.compile(r"(?:accepted )?(\d+)(?:\.0)?")


@dataclass(frozen=True)
class Ruling:
    """What was written about one sentence, in the row of the sheet."""

    row: int
    decision: str = ""
    comment: str = ""


def read_rulings(path: str | Path) -> dict[Key, Ruling]:
    """The rows of a workbook in which something was written."""
    file = Path(path)
    if not file.is_file():
        raise InputError("there is no such workbook", file=file)
    refuse_bomb(file)
    try:
        cells = read_sheet(file, SHEET)[0].rows()
    except InputError:
        raise
    except Exception as error:  # fastexcel raises what its parts raise
        raise InputError("cannot be read as a workbook", file=file, hint="name the .xlsx report") from error
    header, *rows = [[str(cell or "").strip() for cell in row] for row in cells] or [[]]
    places = {}
    for name in ("Suite", "Sentence", DECISION, COMMENTS):
        if name not in header:
            what, hint = f"the sheet {SHEET!r} has no column {name!r}", "name a report written with -o report.xlsx"
            raise InputError(what, file=file, hint=hint)
        places[name] = header.index(name)
    found: dict[Key, Ruling] = {}
    for number, row in enumerate(rows, start=2):
        suite, sentence, decision, comment = (row[place] for place in places.values())
        if not (decision or comment):
            continue
        key = suite, sentence.removesuffix(".0")
        if not key[1] or key in found:
            what = "a decision without a sentence" if not key[1] else f"the sentence {key[1]} stands there twice"
            raise InputError(what, file=file, row=number)
        found[key] = Ruling(number, decision, comment)
    return found


def decided(ruling: Ruling, row: Sentence | None, comparison: Comparison) -> str:
    """The decision in one form: `accepted 3` or `rejected`; empty where only a comment was written.

    It stays a name where one number means a different analysis on each side.
    """
    said, names = ruling.decision, (comparison.a, comparison.b)
    if not said:
        return ""
    if said.casefold() in ("rejected", "reject"):
        return "rejected"
    one_number = str(row.a) if row is not None and row.is_divergent and str(row.a) == str(row.b) else None
    analysis = _ANALYSIS.fullmatch(said.casefold())
    if analysis:
        choice = f"accepted {analysis[1]}"
        if choice == one_number:
            what = f"{said!r} in row {ruling.row} of the workbook can be either of two analyses with this number"
            raise InputError(what, hint=f"write {names[0]} or {names[1]}")
        return choice
    name = next((name for name in names if name.casefold() == said.casefold()), None)
    if name is None:
        hint = f"write {names[0]}, {names[1]}, accepted and a number, or rejected"
        raise InputError(f"{said!r} in row {ruling.row} of the workbook is no decision", hint=hint)
    if row is None or one_number is not None:
        return name
    return str(row.a if name == comparison.a else row.b)


@dataclass(frozen=True, kw_only=True)
class Ruled:
    """A sentence about which something was written: what was decided, who was right, whether it is still divergent."""

    key: Key
    text: str
    decision: str
    right: str
    comment: str
    is_divergent: bool
    is_there: bool


def place(row: Sentence | Lost) -> str:
    """Where a sentence is: corpus and suite."""
    return f"{row.corpus} - {row.suite}" if row.corpus else row.suite


def ruled(rulings: Mapping[Key, Ruling], comparison: Comparison) -> Iterator[Ruled]:
    """What the rulings mean for a comparison."""
    rows = {(place(row), row.sentence): row for row in comparison.sentences}
    for key, ruling in rulings.items():
        row = rows.get(key)
        decision, right = decided(ruling, row, comparison), ""
        if row is not None and decision:
            sides = ((comparison.a, row.a), (comparison.b, row.b))
            right = " and ".join(name for name, choice in sides if decision in (name, str(choice))) or "neither"
        yield Ruled(
            key=key,
            text=row.text if row else "",
            decision=decision,
            right=right,
            comment=ruling.comment,
            is_divergent=row is not None and row.is_divergent,
            is_there=row is not None,
        )
