"""What a kind of question is: everything that differs from one way of answering to another, and where kinds are found.

A kind is a class with a `key` (the `task` of a study file), a check of its answers, and a template of the raters' page
named like it. The rest has defaults that fit an answer which is one text. Values are what JSON holds.
"""

import sys
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, ClassVar, Protocol

import numpy as np

from concordant.about import NAME
from concordant.errors import InputError, nearest
from concordant.model.scale import Level
from concordant.registry import parts
from concordant.tasks.question import Option, Question, Section, Unit, normalised

Fault = tuple[str, str]  # what is wrong, what to do


class Form(Protocol):
    """A form as a browser posts it: several values may have one name."""

    def getlist(self, key: str) -> list[Any]:
        """All values of a name."""

    def multi_items(self) -> list[tuple[str, Any]]:
        """All names and values in the order of the form."""


@dataclass(frozen=True, kw_only=True)
class WordRules:
    """The rules of cleaning that concern written words: whether several are too many, phrases that are kept all the
    same, known words with their parts of speech (without any, all words pass), spellings with what was meant.
    """

    drop_several_words: bool = False
    allowed_phrases: tuple[str, ...] = ()
    lexicon: Mapping[str, frozenset[str]] = field(default_factory=dict)
    spelling: Mapping[str, str] = field(default_factory=dict)

    def fault(self, word: str, part_of_speech: str) -> str | None:
        """What is wrong with a word where one of this part of speech is wanted ("": of any)."""
        form = normalised(word)
        if form in {normalised(phrase) for phrase in self.allowed_phrases}:
            return None
        if self.drop_several_words and " " in form:
            return "several words"
        if not self.lexicon:
            return None
        if (kinds := self.lexicon.get(form)) is None:
            return "not a word"
        return "wrong part of speech" if part_of_speech and part_of_speech not in kinds else None


@dataclass(frozen=True, kw_only=True)
class Around:
    """What is around a question in its study."""

    units: Sequence[Unit]
    others: Sequence[Question]
    has_pairs: bool
    in_passes: bool


@dataclass(frozen=True, kw_only=True)
class Choice:
    """One option on display; `keys` are the keys that choose it, as the browser names them."""

    value: str
    label: str
    keys: str = ""
    key_shown: str = ""
    help: str = ""
    is_text: bool = False

    @classmethod
    def numbered(cls, option: Option, number: int) -> "Choice":
        """An option with its own key and, up to nine, its number."""
        digit = str(number) if number <= 9 else ""
        return cls(
            value=option.value,
            label=option.label,
            help=option.help,
            keys=" ".join(filter(None, [option.key.lower(), digit])),
            key_shown=option.key.upper() or digit,
        )


@dataclass(frozen=True, kw_only=True)
class Swept:
    """An answer after cleaning: what is left of it, what was dropped (part, word, why), what was corrected."""

    value: Any
    dropped: Sequence[tuple[str, str, str]] = ()
    corrected: Sequence[tuple[str, str, str]] = ()


class Kind(ABC):
    """A kind of question. The defaults fit an answer that is one text; a kind overrides what is otherwise with it."""

    key: ClassVar[str]
    """The task, as study files name it."""
    label: ClassVar[str] = ""
    """Its name in the list of those who make a study by a form; empty where a form is not enough to describe it."""
    settings: ClassVar[Section] = {}
    """The settings of a question that matter to this kind. Those that `Question` has no field for are its `more`."""
    begins: ClassVar[Mapping[str, Any]] = {}
    """The settings with which a new question of this kind begins in the study builder."""
    options: ClassVar[tuple[Option, ...]] = ()
    """What can be chosen where the study file does not say."""
    level: ClassVar[Level | None] = None
    """The level of measurement; None where answers are no categories and only their sameness counts."""
    joint: ClassVar[str] = ""
    """The sign between the parts of a written answer, where it has parts."""

    advances: ClassVar[bool] = False
    """Whether one choice is the whole answer, so that answering turns the page."""
    defers_among_options: ClassVar[bool] = False
    """Whether "Not sure" stands among the options."""
    redraws: ClassVar[bool] = False
    """Whether the page is drawn anew after every choice, with what follows from it."""
    compares: ClassVar[bool] = False
    """Whether the unit's two texts, A and B, are compared, in slots drawn for each rater."""
    is_free_text: ClassVar[bool] = False
    """Whether lines are written, in which Enter begins another one."""
    marks_spans: ClassVar[bool] = False
    """Whether answers are spans of the unit's text, which the question itself then shows."""
    chooses_parses: ClassVar[bool] = False
    """Whether answers are choices among the parses of a sentence."""
    lists_answers: ClassVar[bool] = False
    """Whether answers are made of few names, so that they can be listed."""
    becomes_many: ClassVar[str] = ""
    """What there are more judgements of than answers, in words; empty where an answer is one judgement."""

    # ---- the study file ----

    def faults(self, question: Question, around: Around) -> list[Fault]:
        """What the study lacks for such a question; whatever the kind, `maximum` is not less than `minimum`."""
        is_wrong = question.maximum is not None and question.maximum < question.minimum
        return [("maximum is less than minimum", "raise maximum or lower minimum")] if is_wrong else []

    def categories(self, question: Question) -> tuple[str, ...]:
        """The declared categories, used or not."""
        return tuple(option.value for option in question.options)

    # ---- answers ----

    @abstractmethod
    def problem(self, question: Question, unit: Unit, value: Any) -> str | None:
        """What is wrong with a value as an answer; None when nothing is. It may still be unfinished."""

    def is_enough(self, question: Question, value: Any) -> bool:
        """Whether the rater may go on with this answer: it has as many parts as are wanted."""
        return "minimum" not in self.settings or len(value) >= question.minimum

    def least(self, question: Question) -> int:
        """How many fields of the page must be chosen or filled before it can be left."""
        return question.minimum if "minimum" in self.settings else 1

    def settled(self, question: Question, unit: Unit, value: Any) -> Any:
        """The answer as it is stored, with what follows from it."""
        return value

    def same(self, question: Question, expected: Any, value: Any) -> bool:
        """Whether an answer (or None) is the expected one; a set is, in any order."""
        return set(value or ()) == set(expected) if self.level is Level.SET else bool(value == expected)

    def parse(self, question: Question, written: str) -> Any:
        """The answer that a cell of a data file stands for; ValueError when it is not written as the kind wants."""
        return [part.strip() for part in written.split(self.joint)] if self.joint else written.strip()

    def write(self, question: Question, value: Any) -> str:
        """An answer as a cell."""
        return str(value)

    def words(self, value: Any) -> str | None:
        """The words of an answer, where its cell tells only the classes they stand for."""
        return None

    def judgements(self, unit: Unit, question: Question, value: Any) -> Iterator[tuple[Unit, Question, Any]]:
        """What an answer says of which units: most say one thing of one."""
        yield unit, question, value

    def measured(self, question: Question) -> tuple[Question, ...]:
        """The questions that such judgements answer."""
        return (question,)

    # ---- the page ----

    def choices(
        self, question: Question, unit: Unit, order: Sequence[str] | None, slots: tuple[str, str] | None
    ) -> list[Choice]:
        """What can be chosen, in the order drawn for the rater, with keys; the texts to rank come from the unit."""
        if "options" not in self.settings:
            return []
        found = question.options or tuple(Option(value=key, label=text) for key, text in unit.alternatives.items())
        by_value = {option.value: option for option in found}
        return [Choice.numbered(by_value[value], number) for number, value in enumerate(order or by_value, start=1)]

    def from_form(self, form: Form, name: str, question: Question, unit: Unit) -> Any:
        """The answer in a posted form, None when it was left empty; of the right shape, not yet checked.

        Fields are called `name`, or `name:` and a part. A browser writes line ends as CR LF, we store LF.
        """
        values = texts_in(form, name)
        return values[-1].replace("\r\n", "\n").strip() or None if values else None

    def from_program(self, said: Any, choices: Sequence[Choice]) -> Any:
        """What a program wrote as an answer: options by their value or label, texts to compare by their number.

        Of the right shape, not yet checked; ValueError when it is none. None is no answer.
        """
        if isinstance(said, list):
            return [option_named(one, choices) for one in said]
        found = None if said is None else option_named(said, choices)
        return [found] if self.level is Level.SET and isinstance(found, str) else found

    def shown_to_programs(self, question: Question, unit: Unit, value: Any) -> dict[str, Any]:
        """What a program that answers must know besides options and patterns."""
        return {}

    def in_words(self, question: Question, unit: Unit, value: Any, labels: Mapping[str, str]) -> str:
        """An answer in words for its rater; `labels` are those of the choices on the page."""
        return ", ".join(labels.get(str(one), str(one)) for one in (value if isinstance(value, list) else [value]))

    def label_of(self, question: Question, unit: Unit, text: str) -> str:
        """A written answer in words for researchers."""
        labels = labels_of(question)
        parts = text.split(self.joint) if self.joint else [text]
        return f" {self.joint} ".join(labels.get(part, part) for part in parts)

    def parse_chosen(self, value: Any) -> int | None:
        """The parse that an answer chose, where it chose one."""
        return None

    # ---- cleaning, and the demonstration ----

    def n_chosen(self, value: Any) -> int:
        """How many were chosen at once, where too many can be."""
        return len(value) if self.level is Level.SET else 1

    def n_fields(self, value: Any) -> int:
        """How many words of an answer cleaning looks at one by one; none where an answer is kept or dropped whole."""
        return 0

    def sweep(self, question: Question, value: Any, rules: WordRules) -> Swept:
        """An answer after cleaning its words; the value is None when nothing is left."""
        return Swept(value=value)

    @property
    def is_swept(self) -> bool:
        """Whether cleaning looks into its answers at all."""
        return type(self).sweep is not Kind.sweep

    def invent(self, question: Question, unit: Unit, truth: int, care: float, random: np.random.Generator) -> Any:
        """An invented answer: `truth` says what is there, `care` how often the rater sees it."""
        values = [option.value for option in question.options] or list(unit.alternatives)
        return values[truth % len(values) if random.random() < care else int(random.integers(0, len(values)))]

    # ---- where its page is ----

    @property
    def template(self) -> str:
        """The name of its template."""
        return f"rater/tasks/{self.key}.html"

    @property
    def folder(self) -> Path | None:
        """Where another package keeps the template (KEY.html) and the script, if any (KEY.js): beside its module."""
        module = sys.modules[type(self).__module__]
        is_ours = type(self).__module__.split(".")[0] == NAME or module.__file__ is None
        return None if is_ours else Path(str(module.__file__)).parent


def texts_in(form: Form, name: str) -> list[str]:
    """The values of a field that are texts."""
    return [value for value in form.getlist(name) if isinstance(value, str)]


def option_named(said: Any, choices: Sequence[Choice]) -> Any:
    """The value of the one option that a program meant; ValueError where it meant none. Without options, as it is."""
    if not choices:
        return said
    is_word = isinstance(said, str | int | float) and not isinstance(said, bool)
    word = normalised(said if isinstance(said, str) else f"{said:.12g}").strip("\"'`*") if is_word else ""
    names = {one.value: {one.key_shown} if one.is_text else {one.value, one.label} for one in choices}
    meant = [value for value, known in names.items() if word in {normalised(name) for name in known}]
    if len(meant) != 1:
        raise ValueError(f"{str(said)[:80]!r} is not one of the options")
    return meant[0]


def is_nothing(form: Form, name: str) -> bool:
    """Whether a rater has said that there is nothing to choose, to fill or to mark; what was chosen goes before it."""
    return bool(texts_in(form, f"{name}:"))


def labels_of(question: Question) -> dict[str, str]:
    """The labels of a question's options by their values."""
    return {option.value: option.label for option in question.options}


def is_text_by_name(value: Any) -> bool:
    """Whether a value is a mapping to texts."""
    return isinstance(value, Mapping) and all(isinstance(entry, str) for entry in value.values())


def is_list_of_text(value: Any) -> bool:
    """Whether a value is a list of texts."""
    return isinstance(value, list) and all(isinstance(entry, str) for entry in value)


@cache
def kinds() -> Mapping[str, Kind]:
    """All kinds by their keys, those of other packages after our own."""
    found: dict[str, Kind] = {}
    for kind in parts("tasks", "KIND"):
        if kind.key in found:
            raise InputError(f"two packages have a kind of question {kind.key!r}", hint="uninstall one of them")
        found[kind.key] = kind
    return found


def kind_named(key: str) -> Kind:
    """The kind with this key; an unknown key is an error that suggests the nearest."""
    if (found := kinds().get(key)) is None:
        raise InputError(f"there is no task {key!r}", hint=nearest(key, list(kinds())))
    return found


def kind_of(question: Question) -> Kind:
    """The kind that a question is of."""
    return kind_named(question.task)


def problem(question: Question, unit: Unit, value: Any) -> str | None:
    """What is wrong with `value` as an answer to `question` about `unit`; None when nothing is. A null clears an
    answer.
    """
    return None if value is None else kind_of(question).problem(question, unit, value)


def is_complete(question: Question, value: Any) -> bool:
    """Whether the rater may go on: enough is chosen, filled or written, or the question is optional."""
    return question.is_optional or (value is not None and kind_of(question).is_enough(question, value))


def as_text(question: Question, value: Any) -> str:
    """A given answer as one cell; nothing where there is none."""
    return "" if value is None else kind_of(question).write(question, value)


YES_OR_NO = (Option(value="yes", label="Yes", key="y"), Option(value="no", label="No", key="n"))


class SingleChoice(Kind):
    """A kind whose answer is the value of one option."""

    level = Level.NOMINAL
    advances = True
    lists_answers = True

    def faults(self, question: Question, around: Around) -> list[Fault]:
        """Two options or more."""
        return too_few_options(question)

    def problem(self, question: Question, unit: Unit, value: Any) -> str | None:
        """Anything that is not an option."""
        return option_problem(question, value)


def too_few_options(question: Question) -> list[Fault]:
    """Whether there is nothing to choose between."""
    return [] if len(question.options) >= 2 else [("there must be two options or more", "list them under options")]


def option_problem(question: Question, value: Any) -> str | None:
    """What is wrong with a value that should be an option."""
    if isinstance(value, str) and any(option.value == value for option in question.options):
        return None
    return f"{value!r} is not an option of {question.id!r}"
