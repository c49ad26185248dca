"""What is asked, and about what: a question with its options, a unit with its texts and media; and settings.

A *unit* is one thing that is judged (a row of the units file); units may belong to an *item* (the picture and the
prompt they share). A *question* is asked about every unit and has a *task*: the kind of question it is. A *setting* is
a key of a study file: a type, a default, a meaning. Here are those that kinds of questions share.
"""

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from concordant.treebank.disambiguation import Parses


@dataclass(frozen=True, kw_only=True)
class Option:
    """One thing to choose: the value stored, the label shown, the key that chooses it, a short explanation."""

    value: str
    label: str
    key: str = ""
    help: str = ""


@dataclass(frozen=True, kw_only=True)
class Pattern:
    """A definitional pattern with one blank, written `___` in `text`; filling it is choosing its `category`."""

    id: str
    text: str
    category: str
    part_of_speech: str = ""

    @property
    def parts(self) -> tuple[str, str]:
        """The words before and after the blank."""
        before, _, after = self.text.partition("___")
        return before.rstrip("_"), after.lstrip("_")


@dataclass(frozen=True, kw_only=True)
class Question:
    """One question about every unit. Which fields matter depends on the task; a check of the study refuses the others.

    `more` holds the settings that only the question's own kind has.
    """

    id: str
    task: str
    ask: str
    title: str = ""
    help: str = ""
    options: tuple[Option, ...] = ()
    patterns: tuple[Pattern, ...] = ()
    minimum: int = 1
    maximum: int | None = None
    low: float | None = None
    high: float | None = None
    step: float = 1.0
    low_label: str = ""
    high_label: str = ""
    max_length: int = 2000
    shuffle: bool = False
    not_sure: bool = False
    is_optional: bool = False
    more: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Media:
    """A picture or a sound of a unit: its path under the study's folder and the words for those who cannot see it."""

    path: str
    alt: str = ""


@dataclass(frozen=True, kw_only=True)
class Unit:
    """One thing to judge.

    `alternatives` are texts to compare (A and B of a pair, the texts to rank) by the value that chooses them.
    `copies` are the ids of all rows that have the same text in the same item, its own first: they are judged once and
    fanned out at export. `parses` are those of a sentence that comes from a profile.
    """

    id: str
    item: str
    text: str = ""
    prompt: str = ""
    image: Media | None = None
    audio: Media | None = None
    alternatives: Mapping[str, str] = field(default_factory=dict)
    copies: tuple[str, ...] = ()
    attributes: Mapping[str, str] = field(default_factory=dict)
    expected: Mapping[str, object] = field(default_factory=dict)
    explanation: str = ""
    parses: Parses | None = field(default=None, repr=False)

    @property
    def words(self) -> str:
        """What is judged, in its words; by its name only where it has none."""
        return self.text or " / ".join(self.alternatives.values()) or self.prompt or self.id

    @property
    def media(self) -> tuple[Media, ...]:
        """Whatever has to be fetched before the unit can be shown."""
        return tuple(medium for medium in (self.image, self.audio) if medium is not None)


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
    """One key of a table. `type` is one of those above; `choices` limits a text, `low` a number."""

    type: str
    meaning: str
    default: Any = None
    is_required: bool = False
    choices: tuple[str, ...] = ()
    low: float | None = None


Section = dict[str, Setting]

SHARED: Section = {
    "options": Setting(TABLES, "what can be chosen: texts, or tables with value, label, key and help"),
    "patterns": Setting(TABLES, "the patterns to fill in (task patterns)"),
    "minimum": Setting(WHOLE, "how many must be chosen, filled or marked at least", 1, low=0),
    "maximum": Setting(WHOLE, "how many may be chosen, filled or marked at most; enforced", low=1),
    "low": Setting(NUMBER, "the low end of a slider (0 if absent), the smallest number accepted"),
    "high": Setting(NUMBER, "the high end of a slider (100 if absent), the largest number accepted"),
    "step": Setting(NUMBER, "the step of a slider", 1.0),
    "low_label": Setting(TEXT, "words at the low end of a slider or an ordinal scale", ""),
    "high_label": Setting(TEXT, "words at the high end of a slider or an ordinal scale", ""),
    "max_length": Setting(WHOLE, "how many characters may be written", 2000, low=1),
    "shuffle": Setting(YES_NO, "whether options or patterns come in a new random order each time", False),
}


def shared(*names: str) -> Section:
    """Some of the shared settings, as a kind of question declares that it has them."""
    return {name: SHARED[name] for name in names}


def normalised(text: str) -> str:
    """The form in which texts are compared.

    >>> normalised("  The boy  is eating. ") == normalised("the boy is eating")
    True
    """
    folded = unicodedata.normalize("NFC", unicodedata.normalize("NFKC", text).casefold())
    return " ".join(folded.split()).rstrip(".!… ").strip()
