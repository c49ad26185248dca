"""A study, described: what is shown, what is asked, of whom, and around which pages.

These are the values that `assent.design.study_file.read` makes of a study's TOML file and its data files. They are
frozen and complete: the pages, the session, the cleaning and the export need nothing else.

The vocabulary: a *unit* is one thing that is judged (a row of the units file); units may belong to an *item* (the
picture and the prompt they share). A *question* is asked about every unit and has a *task*, the way it is answered.
Texts of pages are plain text in which a blank line starts a paragraph, `- ` a list entry and `*word*` is emphasised.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from pathlib import Path
from types import MappingProxyType

from assent.treebank.parses import Parses


class Task(StrEnum):
    """How a question is answered; the comment says what the JSON value of an answer looks like."""

    BINARY = "binary"  # "yes"
    CATEGORICAL = "categorical"  # "noun"
    MULTILABEL = "multilabel"  # ["noun", "verb"]
    ORDINAL = "ordinal"  # "4", one of the options, which are in order
    SLIDER = "slider"  # 62.5
    PAIRWISE = "pairwise"  # "A", "B" or "same": the pair's own A and B, whatever the slots they were shown in
    RANKING = "ranking"  # ["b", "a", "c"], best first
    TEXT = "text"  # "any words"
    PATTERNS = "patterns"  # {"basic": "small"}: the filled patterns with their words
    SPANS = "spans"  # [{"begin": 0, "end": 4, "category": "PER"}]: characters of the unit's text
    PARSES = "parses"  # {"verdict": "accepted", "result": 3, …}: see `assent.treebank.choosing.Choosing.as_value`


ADVANCING = frozenset({Task.BINARY, Task.CATEGORICAL, Task.ORDINAL, Task.PAIRWISE})
"""Tasks where one choice is the whole answer, so that answering turns the page."""

CHOOSING = frozenset(
    {Task.BINARY, Task.CATEGORICAL, Task.MULTILABEL, Task.ORDINAL, Task.PAIRWISE, Task.RANKING, Task.SPANS}
)
"""Tasks with a list of options."""


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
    """One question about every unit. Which fields matter depends on the task; `assent check` refuses the others."""

    id: str
    task: Task
    ask: str
    title: str = ""
    help: str = ""
    options: tuple[Option, ...] = ()
    patterns: tuple[Pattern, ...] = ()
    minimum: int = 1
    maximum: int | None = None
    low: float = 0.0
    high: float = 100.0
    step: float = 1.0
    low_label: str = ""
    high_label: str = ""
    max_length: int = 2000
    shuffle: bool = False
    not_sure: bool = False
    is_optional: bool = False

    @property
    def advances(self) -> bool:
        """Whether one choice is the whole answer."""
        return self.task in ADVANCING


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
    def media(self) -> tuple[Media, ...]:
        """Whatever has to be fetched before the unit can be shown."""
        return tuple(medium for medium in (self.image, self.audio) if medium is not None)


@dataclass(frozen=True, kw_only=True)
class Example:
    """An example of the instructions: what was shown, what was answered and why."""

    text: str
    answer: str
    explanation: str = ""
    image: Media | None = None


@dataclass(frozen=True, kw_only=True)
class ParticipantQuestion:
    """A question about the participant. `kind` is text, number or choice."""

    id: str
    ask: str
    kind: str = "text"
    options: tuple[Option, ...] = ()
    low: float | None = None
    high: float | None = None
    is_required: bool = False


@dataclass(frozen=True, kw_only=True)
class Introduction:
    """The first page: what the study is, and what the participant agrees to (empty: nothing to agree to)."""

    text: str
    consent: str = ""


@dataclass(frozen=True, kw_only=True)
class Instructions:
    """What to do, with examples."""

    text: str
    examples: tuple[Example, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Training:
    """Items whose expected answer is shown after answering; with `second_try` a wrong answer is asked again once."""

    units: tuple[Unit, ...]
    second_try: bool = False


@dataclass(frozen=True, kw_only=True)
class Thanks:
    """The last page: thanks, the purpose, perhaps a comment; a code and a link back for crowd platforms."""

    text: str
    purpose: str = ""
    asks_comment: bool = False
    code: str = ""
    return_url: str = ""


@dataclass(frozen=True, kw_only=True)
class Guidelines:
    """The rules beside the item; every page shown is logged with their version."""

    version: str
    text: str


@dataclass(frozen=True, kw_only=True)
class Presentation:
    """How units meet raters: one question at a time (`passes`) or all together, in which order."""

    passes: bool = True
    shuffle: bool = True
    shuffle_slots: bool = True
    go_back: bool = True


@dataclass(frozen=True, kw_only=True)
class Checks:
    """Items that watch over quality: gold items mixed in, and own items repeated at least `gap` items later."""

    gold: tuple[Unit, ...] = ()
    repeats: int = 0
    gap: int = 10


@dataclass(frozen=True, kw_only=True)
class Sampling:
    """Which units of the pool are used: all, `simple` or `stratified` (SPEC: bands of log frequency x types)."""

    method: str = "all"
    size: int | None = None
    frequency: str = ""
    bands: int = 3
    by: str = ""
    within: str = ""
    pool_below: int = 20


@dataclass(frozen=True, kw_only=True)
class Sets:
    """Into how many sets the units are split; each participant judges one set."""

    count: int = 1


@dataclass(frozen=True, kw_only=True)
class Pairing:
    """Preference pairs: `per_group` pairs for every combination of the `within` columns, by the `vector` columns."""

    vector: tuple[str, ...]
    per_group: int
    within: tuple[str, ...] = ("item",)


@dataclass(frozen=True, kw_only=True)
class Rater:
    """A rater invited by name, with attributes that slice the results later (never shown to other raters)."""

    id: str
    attributes: Mapping[str, str] = field(default_factory=dict)
    set: int | None = None


@dataclass(frozen=True, kw_only=True)
class CleaningRules:
    """Who and what is left out of the cleaned export (each rule is counted; a rule that is None is not applied)."""

    min_share: float | None = None
    max_overfilled: int | None = None
    too_many: int = 3
    min_gold: float | None = None
    min_seconds: float | None = None
    drop_overfilled: bool = False
    drop_several_words: bool = False
    allowed_phrases: tuple[str, ...] = ()
    lexicon: Mapping[str, frozenset[str]] = field(default_factory=dict)
    spelling: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Description:
    """A whole study. `units` are judged; `rows` are all rows of the units file, before identical texts were merged.

    `profile` is the folder of the profile that the units come from, where they do.
    """

    name: str
    title: str
    folder: Path
    language: str = "en"
    seed: int = 1
    is_open: bool = False
    questions: tuple[Question, ...]
    units: tuple[Unit, ...]
    rows: tuple[Unit, ...] = ()
    profile: Path | None = None
    raters: tuple[Rater, ...] = ()
    introduction: Introduction | None = None
    participant: tuple[ParticipantQuestion, ...] = ()
    instructions: Instructions | None = None
    training: Training | None = None
    thanks: Thanks = Thanks(text="")
    guidelines: Guidelines | None = None
    presentation: Presentation = Presentation()
    checks: Checks = Checks()
    sampling: Sampling = Sampling()
    sets: Sets = Sets()
    pairing: Pairing | None = None
    cleaning: CleaningRules = CleaningRules()

    def question(self, id: str) -> Question:
        """The question with this id; the id must exist."""
        return self._question_by_id[id]

    @cached_property
    def _question_by_id(self) -> Mapping[str, Question]:
        return {question.id: question for question in self.questions}

    @cached_property
    def unit_by_id(self) -> Mapping[str, Unit]:
        """Every unit that can be shown: those of the pool, training and gold."""
        training = self.training.units if self.training else ()
        return MappingProxyType({unit.id: unit for unit in (*self.units, *training, *self.checks.gold)})
