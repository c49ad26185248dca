"""Every setting of a study file: its name, its type, its default and what it means; and what is wrong with a file.

Files are checked against these tables, and the reference page is tested against them, so a setting that is not here
does not exist. All mistakes are collected, so that one check shows them all, each with its line.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from concordant.about import NAME
from concordant.design.toml_lines import Place, key_lines, line_of
from concordant.errors import ConcordantError, nearest
from concordant.tasks.kind import is_list_of_text, is_text_by_name, kinds
from concordant.tasks.question import NUMBER, SHARED, TABLE, TABLES, TEXT, TEXTS, WHOLE, WORDS, YES_NO, Section, Setting
from concordant.treebank.parsed import MOST


@dataclass(frozen=True, order=True)
class Problem:
    """One mistake: file, line (0 for the whole file), what is wrong, what to do, the place of the setting if any."""

    file: Path
    line: int
    what: str
    hint: str = ""
    place: Place = field(default=(), compare=False)

    def __str__(self) -> str:
        """`file:line: what; hint`, which editors and terminals turn into a link."""
        place = f"{self.file}:{self.line}" if self.line else str(self.file)
        return f"{place}: {self.what}" + (f"; {self.hint}" if self.hint else "")


class StudyError(ConcordantError):
    """A study file with mistakes cannot be used."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        """Show the first mistake, and how to see the others."""
        self.problems = tuple(sorted(set(problems)))
        more = len(self.problems) - 1
        rest = f" (and {more} more: `{NAME} check` shows all)" if more else ""
        super().__init__(f"{self.problems[0]}{rest}")


def _required(type: str, meaning: str, **more: Any) -> Setting:
    return Setting(type, meaning, is_required=True, **more)


KINDS = ("human", "model")
OPTION: Section = {
    "value": _required(TEXT, "what is stored"),
    "label": Setting(TEXT, "what is shown; the value if absent"),
    "key": Setting(TEXT, "the keyboard key that chooses it", ""),
    "help": Setting(TEXT, "a short explanation", ""),
}

ENDING: Section = {
    "code": Setting(
        TEXT, "the code a crowd platform wants; {personal} is one of the participant's own, {participant} their id", ""
    ),
    "return_url": Setting(
        TEXT, "the address that leads back to a crowd platform; it may hold {participant} and {personal}", ""
    ),
}

SECTIONS: dict[str, Section] = {
    "": {
        "name": _required(TEXT, "a short name for links and tables: small letters, digits and hyphens"),
        "title": _required(TEXT, "the name that raters see"),
        "language": Setting(TEXT, "the language of buttons and messages, like en or ca", "en"),
        "seed": Setting(WHOLE, "the number all random choices come from; the same seed gives the same plan", 1, low=0),
        "open": Setting(YES_NO, "whether anybody with the link may take part; else only those in [[raters]]", False),
        "format": Setting(WHOLE, "the form of this file; a newer one than the program knows is refused", 1, low=1),
        "units": _required(TABLE, "the data file or the profile with what is judged"),
        "questions": _required(TABLES, "what is asked about every unit"),
        "presentation": Setting(TABLE, "how units meet raters"),
        "introduction": Setting(TABLE, "the first page"),
        "participant": Setting(TABLES, "questions about the participant"),
        "instructions": Setting(TABLE, "the page that says what to do"),
        "training": Setting(TABLE, "items whose expected answer is shown after answering"),
        "gold": Setting(TABLE, "items with a known answer, mixed in unseen"),
        "repeats": Setting(TABLE, "items shown a second time, to measure how stable a rater is"),
        "comprehension": Setting(TABLE, "questions about the instructions that must be answered rightly to begin"),
        "thanks": Setting(TABLE, "the last page"),
        "screened_out": Setting(TABLE, "the end for those whose answers about themselves are not accepted"),
        "failed_check": Setting(TABLE, "the end for those who did not pass a check"),
        "recruitment": Setting(TABLE, "participants that a crowd platform or a participant pool sends"),
        "guidelines": Setting(TABLE, "the rules beside the item"),
        "sample": Setting(TABLE, "which units of the data file are used"),
        "sets": Setting(TABLE, "sets of units, one for each participant"),
        "assignment": Setting(TABLE, "how many judgements a unit gets, and which units are judged by several"),
        "allocation": Setting(TABLE, "after the planned judgements, whoever comes judges where it helps most"),
        "pairs": Setting(TABLE, "preference pairs made of the units"),
        "raters": Setting(TABLES, "the raters invited by name"),
        "cleaning": Setting(TABLE, "who and what is left out of the cleaned export"),
    },
    "units": {
        "file": Setting(TEXT, "the data file: .csv, .tsv or .jsonl, one unit per row"),
        "profile": Setting(
            TEXT, "instead of a file, the folder of a profile, or what ACE printed: its sentences are the units"
        ),
        "lexicon": Setting(TEXT, "lexical types for a profile: a grammar's lexicon.tdl, or a .tsv of entry and type"),
        "parsed_only": Setting(YES_NO, "leave out sentences that have no parses, or more than most_parses", False),
        "most_parses": Setting(WHOLE, "how many parses of one sentence are unpacked from a packed forest", MOST, low=1),
        "carried": Setting(TEXT, "the folder `carried` that carry wrote: sentences begin with what survived of them"),
        "id": Setting(TEXT, "the column with a name for each unit", "id"),
        "item": Setting(TEXT, "the column with the item a unit belongs to; without it every unit is its own item"),
        "text": Setting(TEXT, "the column with the text to judge"),
        "prompt": Setting(TEXT, "the column with the question or context shown above the text"),
        "image": Setting(TEXT, "the column with the path of a picture (.svg, .png, .jpg, .gif, .webp)"),
        "image_alt": Setting(TEXT, "the column with words for those who cannot see the picture"),
        "audio": Setting(TEXT, "the column with the path of a sound (.mp3, .ogg, .wav, .m4a, .flac)"),
        "audio_alt": Setting(TEXT, "the column with words for those who cannot hear the sound"),
        "alternatives": Setting(TEXTS, "the columns with the texts to compare (two for pairwise, more for ranking)"),
        "merge_identical": Setting(
            YES_NO, "judge identical texts of an item once and fan the answer out at export", True
        ),
    },
    "questions.options": OPTION,
    "questions.patterns": {
        "id": _required(TEXT, "a short name for the pattern"),
        "text": _required(TEXT, "the words around the blank, which is written ___"),
        "category": Setting(TEXT, "the class that filling this pattern chooses; the id if absent"),
        "part_of_speech": Setting(TEXT, "what kind of word is wanted in the blank", ""),
    },
    "presentation": {
        "passes": Setting(YES_NO, "ask one question about all units, then the next; false asks all on one page", True),
        "shuffle": Setting(YES_NO, "show the units in a random order of the rater's own", True),
        "shuffle_slots": Setting(YES_NO, "draw which of the two of a pair comes first", True),
        "go_back": Setting(YES_NO, "whether raters may go back and change an answer", True),
    },
    "introduction": {
        "text": _required(TEXT, "what the study is about"),
        "consent": Setting(TEXT, "what the participant agrees to by a tick; without it there is nothing to tick", ""),
    },
    "participant": {
        "id": _required(TEXT, "a short name; a column of the exported raters"),
        "ask": _required(TEXT, "the question"),
        "kind": Setting(TEXT, "how it is answered", "text", choices=("text", "number", "choice")),
        "options": Setting(TABLES, "what can be chosen (kind choice)"),
        "low": Setting(NUMBER, "the smallest number accepted"),
        "high": Setting(NUMBER, "the largest number accepted"),
        "required": Setting(YES_NO, "whether it must be answered; otherwise it is reported as 'not reported'", False),
        "accept": Setting(
            TEXTS,
            "the options with which one may take part; any other leads to the end [screened_out] (kind choice)",
            [],
        ),
    },
    "participant.options": OPTION,
    "comprehension": {
        "questions": _required(TABLES, "the questions, each with its right answer"),
        "tries": Setting(
            WHOLE, "how often one may try; whoever fails the last time gets the end [failed_check]", 2, low=1
        ),
        "text": Setting(TEXT, "what stands above the questions", ""),
    },
    "comprehension.questions": {
        "id": _required(TEXT, "a short name for the question"),
        "ask": _required(TEXT, "the question"),
        "options": _required(TABLES, "what can be chosen"),
        "right": _required(TEXT, "the value of the right option"),
    },
    "comprehension.questions.options": OPTION,
    "instructions": {
        "text": _required(TEXT, "what to do"),
        "examples": Setting(TABLES, "examples: what was shown, what was answered, why"),
    },
    "instructions.examples": {
        "text": _required(TEXT, "what was shown"),
        "answer": _required(TEXT, "what was answered"),
        "explanation": Setting(TEXT, "why", ""),
        "image": Setting(TEXT, "the path of a picture"),
        "image_alt": Setting(TEXT, "words for those who cannot see the picture", ""),
    },
    "training": {
        "file": _required(TEXT, "a data file like that of [units], with a column for each question's expected answer"),
        "second_try": Setting(YES_NO, "whether a wrong answer is asked a second time", False),
    },
    "gold": {
        "file": _required(TEXT, "a data file like that of [units], with a column for each question's expected answer"),
    },
    "repeats": {
        "count": _required(WHOLE, "how many of a rater's units come again in each pass", low=1),
        "gap": Setting(WHOLE, "how many places later it comes again at least; 1 is the very next place", 10, low=1),
    },
    "thanks": {
        "text": _required(TEXT, "thanks"),
        "purpose": Setting(TEXT, "what the study is for, told at the end", ""),
        "comment": Setting(YES_NO, "whether to ask for a comment", False),
        **ENDING,
    },
    "screened_out": {"text": _required(TEXT, "what they read"), **ENDING},
    "failed_check": {
        "text": _required(TEXT, "what they read"),
        **ENDING,
        "min_gold": Setting(NUMBER, "whoever gets a smaller share of the gold items right ends here too", low=0),
    },
    "recruitment": {
        "participant": Setting(
            TEXT, "the parameter of the link that names the participant, like PROLIFIC_PID; nobody comes in without", ""
        ),
        "gone_after": Setting(NUMBER, "after how many hours unseen somebody's place is given to others", 72, low=0.1),
        "comes_anew": Setting(YES_NO, "whether whoever was revoked may begin anew in the same browser", False),
    },
    "guidelines": {
        "version": _required(TEXT, "the version; logged with every page shown"),
        "file": Setting(TEXT, "the text file with the guidelines"),
        "text": Setting(TEXT, "the guidelines themselves, instead of a file"),
    },
    "sample": {
        "method": _required(TEXT, "how units are drawn", choices=("simple", "stratified")),
        "size": _required(WHOLE, "how many units are drawn", low=1),
        "frequency": Setting(
            TEXT, "the column with frequencies; bands are equal parts of the range of their logarithms"
        ),
        "bands": Setting(WHOLE, "how many bands of frequency", 3, low=1),
        "by": Setting(TEXT, "the column with the types to balance"),
        "within": Setting(TEXT, "the column with the kinds to balance inside each type"),
        "pool_below": Setting(WHOLE, "kinds with fewer units than this in the pool are put together", 20, low=1),
    },
    "sets": {
        "count": _required(WHOLE, "how many sets; each participant judges one", low=1),
    },
    "assignment": {
        "judgements": Setting(WHOLE, "in how many of the dealt sets each unit is", 1, low=1),
        "overlap": Setting(NUMBER, "the share of units that is in every dealt set, from 0 to 1", 0, low=0),
        "by": Setting(TEXT, "instead of dealing, the column of the units that names their set; `item` for the item"),
        "file": Setting(TEXT, "instead of dealing, a data file with the columns set and unit; units may be in several"),
        "rounds": Setting(WHOLE, "in how many rounds units are judged, one after the other", 1, low=1),
        "first_round": Setting(NUMBER, "the share of the units in the first round; otherwise all have as many", low=0),
        "rounds_by": Setting(TEXT, "instead of dealing rounds, the column of the units that names their round"),
        "open_rounds": Setting(WHOLE, "how many rounds may be judged now; all unless said. Raise it later", low=1),
    },
    "allocation": {
        "question": Setting(TEXT, "the question whose labels are wanted; the first unless said"),
        "size": Setting(WHOLE, "how many units each further rater gets; as many as a set has unless said", low=1),
        "most": Setting(WHOLE, "how often a unit is judged at most, planned judgements included", 15, low=3),
        "sure": Setting(
            NUMBER, "how likely the leading answer has to be the majority's, for a unit to need no more", 0.95, low=0.5
        ),
        "budget": Setting(WHOLE, "how many judgements of the question there are at most, planned ones included", low=1),
    },
    "pairs": {
        "vector": _required(TEXTS, "the columns whose values are the annotation vector of a unit"),
        "per_group": _required(WHOLE, "how many pairs for each group", low=1),
        "within": Setting(TEXTS, "the columns that make a group, with `item` for the item", ["item"]),
    },
    "raters": {
        "id": _required(TEXT, "the rater's name in the data"),
        "set": Setting(WHOLE, "the number of the set this rater judges, from 1; otherwise the least filled", low=1),
        "sets": Setting(
            TEXTS,
            "instead of one set, several by name: dealt ones are 1, 2 …; `all` and `shared` are always there",
        ),
        "attributes": Setting(WORDS, "anything known about the rater, to slice the results by", {}),
        "kind": Setting(TEXT, "a model's answers are left out of people's agreement", "human", choices=KINDS),
        "prompt": Setting(TEXT, "of a model: the name of the prompt it is asked with"),
        "temperature": Setting(NUMBER, "of a model: the temperature it is asked with", low=0),
    },
    "cleaning": {
        "min_share": Setting(NUMBER, "leave out raters who answered less than this share of their units", low=0),
        "max_overfilled": Setting(WHOLE, "leave out raters with this many answers or more above `too_many`", low=1),
        "too_many": Setting(WHOLE, "how many choices or patterns in one answer are too many", 3, low=2),
        "min_gold": Setting(NUMBER, "leave out raters with a smaller share of right gold items", low=0),
        "min_seconds": Setting(NUMBER, "leave out raters whose median time per unit is shorter", low=0),
        "drop_overfilled": Setting(YES_NO, "drop answers with `too_many` or more", False),
        "drop_several_words": Setting(YES_NO, "drop filled patterns of more than one word", False),
        "allowed_phrases": Setting(TEXTS, "phrases of several words that are kept all the same", []),
        "lexicon": Setting(TEXT, "a data file with the columns word and part_of_speech: all other words are dropped"),
        "spelling": Setting(TEXT, "a data file with the columns written and meant: spellings to normalise, recorded"),
    },
}
"""Every table of a study file by its name but that of questions, to which their kinds add: see `sections`."""


@cache
def sections() -> dict[str, Section]:
    """All tables of a study file by their names, made when first asked for: kinds of questions add their settings."""
    own = {name: setting for kind in kinds().values() for name, setting in kind.settings.items()}
    question = {
        "id": _required(TEXT, "a short name for the question; the column or value in exports"),
        "task": _required(TEXT, "how the question is answered", choices=tuple(kinds())),
        "ask": _required(TEXT, "the question, as raters read it"),
        "title": Setting(TEXT, "the name of the feature or criterion, shown above the question", ""),
        "help": Setting(TEXT, "a short explanation beside the question", ""),
        **SHARED,
        **own,
        "not_sure": Setting(YES_NO, "whether the unit may be put aside; it comes back at the end", False),
        "optional": Setting(YES_NO, "whether the question may be left unanswered", False),
    }
    return {**SECTIONS, "questions": question}


IS_OF: dict[str, Callable[[Any], bool]] = {
    TEXT: lambda value: isinstance(value, str),
    NUMBER: lambda value: isinstance(value, int | float) and not isinstance(value, bool),
    WHOLE: lambda value: isinstance(value, int) and not isinstance(value, bool),
    YES_NO: lambda value: isinstance(value, bool),
    TEXTS: is_list_of_text,
    TABLE: lambda value: isinstance(value, dict),
    TABLES: lambda value: isinstance(value, list) and all(isinstance(entry, dict | str) for entry in value),
    WORDS: is_text_by_name,
}


class Source:
    """The text of a study file: where things stand in it, and what was found wrong with it."""

    def __init__(self, path: Path, text: str) -> None:
        """Find the line of every key."""
        self.path = path
        self.problems: list[Problem] = []
        self._lines = key_lines(text)

    def report(self, place: Place, what: str, hint: str = "") -> None:
        """Note a mistake at a place like `("questions", 0, "task")`."""
        self.problems.append(Problem(self.path, line_of(self._lines, place) or 1, what, hint, place))

    def check(self, document: Mapping[str, Any]) -> None:
        """Report all that the schema does not allow; lists of plain texts are left to their setting."""
        for name, section in sections().items():
            for place, table in tables_at(document, tuple(name.split(".")) if name else ()):
                if isinstance(table, dict):
                    for key, what, hint in faults(section, table):
                        self.report((*place, key), what, hint)


def tables_at(value: Any, names: tuple[str, ...], place: Place = ()) -> Iterator[tuple[Place, Any]]:
    """Every value under the names, going through lists."""
    if isinstance(value, list):
        for i, entry in enumerate(value):
            yield from tables_at(entry, names, (*place, i))
    elif not names:
        yield place, value
    elif isinstance(value, dict) and names[0] in value:
        yield from tables_at(value[names[0]], names[1:], (*place, names[0]))


def faults(section: Section, table: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    """The key, what is wrong, what to do. A missing key has no line of its own, so its table's is shown."""
    for key, value in table.items():
        if (setting := section.get(key)) is None:
            yield key, f"there is no setting {key!r} here", nearest(key, list(section))
        elif not IS_OF[setting.type](value):
            yield key, f"{key}: expected {setting.type}, found {value!r}", ""
        elif setting.choices and value not in setting.choices:
            known = f"{value!r} is not one of {', '.join(setting.choices)}; {nearest(value, setting.choices)}"
            yield key, f"{key}: {known}", ""
        elif setting.low is not None and value < setting.low:
            yield key, f"{key}: expected {setting.low:g} or more, found {value:g}", ""
    for key, setting in section.items():
        if setting.is_required and key not in table:
            yield key, f"{key!r} is missing", f"it is {setting.meaning}"
