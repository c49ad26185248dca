"""Every setting of a study file: its name, its type, its default and what it means.

The reader checks files against these tables, and the reference page is tested against them, so a setting that is not
here does not exist.
"""

from dataclasses import dataclass
from typing import Any

from assent.design.description import Task

TEXT = "a text"
NUMBER = "a number"
WHOLE = "a whole number"
YES_NO = "true or false"
TEXTS = "a list of texts"
TABLE = "a table"
TABLES = "a list of tables"
WORDS = "texts by name"


@dataclass(frozen=True)
class Setting:
    """One key of a table. `type` is one of the kinds above; `choices` limits a text, `low` a number."""

    type: str
    meaning: str
    default: Any = None
    is_required: bool = False
    choices: tuple[str, ...] = ()
    low: float | None = None


Section = dict[str, Setting]


def _required(type: str, meaning: str, **more: Any) -> Setting:
    return Setting(type, meaning, is_required=True, **more)


STUDY: Section = {
    "name": _required(TEXT, "a short name for links and tables: small letters, digits and hyphens"),
    "title": _required(TEXT, "the name that raters see"),
    "language": Setting(TEXT, "the language of buttons and messages, like en or ca", "en"),
    "seed": Setting(WHOLE, "the number all random choices come from; the same seed gives the same plan", 1, low=0),
    "open": Setting(YES_NO, "whether anybody with the link may take part; otherwise only those in [[raters]]", False),
    "units": _required(TABLE, "the data file or the profile with what is judged"),
    "questions": _required(TABLES, "what is asked about every unit"),
    "presentation": Setting(TABLE, "how units meet raters"),
    "introduction": Setting(TABLE, "the first page"),
    "participant": Setting(TABLES, "questions about the participant"),
    "instructions": Setting(TABLE, "the page that says what to do"),
    "training": Setting(TABLE, "items whose expected answer is shown after answering"),
    "gold": Setting(TABLE, "items with a known answer, mixed in unseen"),
    "repeats": Setting(TABLE, "items shown a second time, to measure how stable a rater is"),
    "thanks": Setting(TABLE, "the last page"),
    "guidelines": Setting(TABLE, "the rules beside the item"),
    "sample": Setting(TABLE, "which units of the data file are used"),
    "sets": Setting(TABLE, "sets of units, one for each participant"),
    "pairs": Setting(TABLE, "preference pairs made of the units"),
    "raters": Setting(TABLES, "the raters invited by name"),
    "cleaning": Setting(TABLE, "who and what is left out of the cleaned export"),
}

UNITS: Section = {
    "file": Setting(TEXT, "the data file: .csv, .tsv or .jsonl, one unit per row"),
    "profile": Setting(TEXT, "instead of a file, the folder of an [incr tsdb()] profile: its sentences are the units"),
    "lexicon": Setting(TEXT, "lexical types for a profile: a grammar's lexicon.tdl, or a .tsv of entry and type"),
    "parsed_only": Setting(YES_NO, "leave out the sentences of a profile that have no parses", False),
    "id": Setting(TEXT, "the column with a name for each unit", "id"),
    "item": Setting(TEXT, "the column with the item a unit belongs to; without it every unit is its own item"),
    "text": Setting(TEXT, "the column with the text to judge"),
    "prompt": Setting(TEXT, "the column with the question or context shown above the text"),
    "image": Setting(TEXT, "the column with the path of a picture (.svg, .png, .jpg, .gif, .webp)"),
    "image_alt": Setting(TEXT, "the column with words for those who cannot see the picture"),
    "audio": Setting(TEXT, "the column with the path of a sound (.mp3, .ogg, .wav, .m4a, .flac)"),
    "audio_alt": Setting(TEXT, "the column with words for those who cannot hear the sound"),
    "alternatives": Setting(TEXTS, "the columns with the texts to compare (two for pairwise, more for ranking)"),
    "merge_identical": Setting(YES_NO, "judge identical texts of an item once and fan the answer out at export", True),
}

QUESTION: Section = {
    "id": _required(TEXT, "a short name for the question; the column or value in exports"),
    "task": _required(TEXT, "how the question is answered", choices=tuple(Task)),
    "ask": _required(TEXT, "the question, as raters read it"),
    "title": Setting(TEXT, "the name of the feature or criterion, shown above the question", ""),
    "help": Setting(TEXT, "a short explanation beside the question", ""),
    "options": Setting(TABLES, "what can be chosen: texts, or tables with value, label, key and help"),
    "patterns": Setting(TABLES, "the patterns to fill in (task patterns)"),
    "minimum": Setting(WHOLE, "how many must be chosen, filled or marked at least", 1, low=0),
    "maximum": Setting(WHOLE, "how many may be chosen, filled or marked at most; enforced", low=1),
    "low": Setting(NUMBER, "the low end of a slider", 0.0),
    "high": Setting(NUMBER, "the high end of a slider", 100.0),
    "step": Setting(NUMBER, "the step of a slider", 1.0),
    "low_label": Setting(TEXT, "words at the low end of a slider or an ordinal scale", ""),
    "high_label": Setting(TEXT, "words at the high end of a slider or an ordinal scale", ""),
    "max_length": Setting(WHOLE, "how many characters may be written", 2000, low=1),
    "shuffle": Setting(YES_NO, "whether options or patterns come in a new random order each time", False),
    "not_sure": Setting(YES_NO, "whether the unit may be put aside; it comes back at the end", False),
    "optional": Setting(YES_NO, "whether the question may be left unanswered", False),
}

OPTION: Section = {
    "value": _required(TEXT, "what is stored"),
    "label": Setting(TEXT, "what is shown; the value if absent"),
    "key": Setting(TEXT, "the keyboard key that chooses it", ""),
    "help": Setting(TEXT, "a short explanation", ""),
}

PATTERN: Section = {
    "id": _required(TEXT, "a short name for the pattern"),
    "text": _required(TEXT, "the words around the blank, which is written ___"),
    "category": Setting(TEXT, "the class that filling this pattern chooses; the id if absent"),
    "part_of_speech": Setting(TEXT, "what kind of word is wanted in the blank", ""),
}

PRESENTATION: Section = {
    "passes": Setting(YES_NO, "ask one question about all units, then the next; false asks all on one page", True),
    "shuffle": Setting(YES_NO, "show the units in a random order of the rater's own", True),
    "shuffle_slots": Setting(YES_NO, "draw which of the two of a pair comes first", True),
    "go_back": Setting(YES_NO, "whether raters may go back and change an answer", True),
}

INTRODUCTION: Section = {
    "text": _required(TEXT, "what the study is about"),
    "consent": Setting(TEXT, "what the participant agrees to by a tick; without it there is nothing to tick", ""),
}

PARTICIPANT: Section = {
    "id": _required(TEXT, "a short name; a column of the exported raters"),
    "ask": _required(TEXT, "the question"),
    "kind": Setting(TEXT, "how it is answered", "text", choices=("text", "number", "choice")),
    "options": Setting(TABLES, "what can be chosen (kind choice)"),
    "low": Setting(NUMBER, "the smallest number accepted"),
    "high": Setting(NUMBER, "the largest number accepted"),
    "required": Setting(YES_NO, "whether it must be answered; otherwise it is reported as 'not reported'", False),
}

INSTRUCTIONS: Section = {
    "text": _required(TEXT, "what to do"),
    "examples": Setting(TABLES, "examples: what was shown, what was answered, why"),
}

EXAMPLE: Section = {
    "text": _required(TEXT, "what was shown"),
    "answer": _required(TEXT, "what was answered"),
    "explanation": Setting(TEXT, "why", ""),
    "image": Setting(TEXT, "the path of a picture"),
    "image_alt": Setting(TEXT, "words for those who cannot see the picture", ""),
}

TRAINING: Section = {
    "file": _required(TEXT, "a data file like that of [units], with a column for each question's expected answer"),
    "second_try": Setting(YES_NO, "whether a wrong answer is asked a second time", False),
}

GOLD: Section = {
    "file": _required(TEXT, "a data file like that of [units], with a column for each question's expected answer"),
}

REPEATS: Section = {
    "count": _required(WHOLE, "how many of a rater's units come again in each pass", low=1),
    "gap": Setting(WHOLE, "how many units lie between at least", 10, low=1),
}

THANKS: Section = {
    "text": _required(TEXT, "thanks"),
    "purpose": Setting(TEXT, "what the study is for, told at the end", ""),
    "comment": Setting(YES_NO, "whether to ask for a comment", False),
    "code": Setting(TEXT, "the completion code a crowd platform wants", ""),
    "return_url": Setting(TEXT, "the address that brings participants back to a crowd platform", ""),
}

GUIDELINES: Section = {
    "version": _required(TEXT, "the version; logged with every page shown"),
    "file": Setting(TEXT, "the text file with the guidelines"),
    "text": Setting(TEXT, "the guidelines themselves, instead of a file"),
}

SAMPLE: Section = {
    "method": _required(TEXT, "how units are drawn", choices=("simple", "stratified")),
    "size": _required(WHOLE, "how many units are drawn", low=1),
    "frequency": Setting(TEXT, "the column with frequencies; bands are equal parts of the range of their logarithms"),
    "bands": Setting(WHOLE, "how many bands of frequency", 3, low=1),
    "by": Setting(TEXT, "the column with the types to balance"),
    "within": Setting(TEXT, "the column with the kinds to balance inside each type"),
    "pool_below": Setting(WHOLE, "kinds with fewer units than this in the pool are put together", 20, low=1),
}

SETS: Section = {
    "count": _required(WHOLE, "how many sets; each participant judges one", low=1),
}

PAIRS: Section = {
    "vector": _required(TEXTS, "the columns whose values are the annotation vector of a unit"),
    "per_group": _required(WHOLE, "how many pairs for each group", low=1),
    "within": Setting(TEXTS, "the columns that make a group, with `item` for the item", ["item"]),
}

RATER: Section = {
    "id": _required(TEXT, "the rater's name in the data"),
    "set": Setting(WHOLE, "the number of the set this rater judges, from 1; without it the least filled one", low=1),
    "attributes": Setting(WORDS, "anything known about the rater, to slice the results by", {}),
}

CLEANING: Section = {
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
}

SECTIONS: dict[str, Section] = {
    "": STUDY,
    "units": UNITS,
    "questions": QUESTION,
    "questions.options": OPTION,
    "questions.patterns": PATTERN,
    "presentation": PRESENTATION,
    "introduction": INTRODUCTION,
    "participant": PARTICIPANT,
    "participant.options": OPTION,
    "instructions": INSTRUCTIONS,
    "instructions.examples": EXAMPLE,
    "training": TRAINING,
    "gold": GOLD,
    "repeats": REPEATS,
    "thanks": THANKS,
    "guidelines": GUIDELINES,
    "sample": SAMPLE,
    "sets": SETS,
    "pairs": PAIRS,
    "raters": RATER,
    "cleaning": CLEANING,
}
