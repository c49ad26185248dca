"""From a page of the session to what the templates show: choices with their keys, answers so far, fields' names."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from markupsafe import Markup

from assent.collection.events import new_id
from assent.collection.pages import Page, PageKind, page
from assent.collection.session import State, Study, passing
from assent.design.description import CHOOSING, Option, Pattern, Question, Task, Unit
from assent.design.ordering import Step
from assent.design.showing import options_shown, unit_shown
from assent.design.values import as_text
from assent.web.rater.fields import SPAN_ROWS, field_name
from assent.web.rater.treebanking import Bank, Look, expected_tree

AHEAD = 5
AHEAD_WITH_TREES = 2
NO_UNIT = Unit(id="", item="")
TEMPLATES = {PageKind.TRAINING: "judging.html"}
WITH_ITEM = frozenset({PageKind.TRAINING, PageKind.JUDGING, PageKind.FEEDBACK})


@dataclass(frozen=True, kw_only=True)
class Choice:
    """One option on display; `keys` are the keys that choose it, as the browser names them."""

    value: str
    label: str
    keys: str = ""
    key_shown: str = ""
    help: str = ""
    is_text: bool = False


@dataclass(frozen=True, kw_only=True)
class Asked:
    """One question on display with its answer so far."""

    question: Question
    unit: Unit
    step: Step
    position: int
    value: Any = None
    expected: Any = None

    @property
    def id(self) -> str:
        """A name for the question inside the page's HTML."""
        return f"{self.step.number}-{self.position}"

    @property
    def task(self) -> str:
        """The way it is answered."""
        return self.question.task.value

    @property
    def field(self) -> str:
        """The name of the form field."""
        return field_name(self.question)

    @property
    def is_alone(self) -> bool:
        """Whether the page asks nothing else, so that keys are free for its options."""
        return len(self.step.questions) == 1

    @property
    def least(self) -> int:
        """How much must be chosen or filled before the page can be left."""
        if self.question.is_optional or self.question.task is Task.PARSES:  # a lone parse needs no decision
            return 0
        return self.question.minimum if self.question.task in {Task.MULTILABEL, Task.PATTERNS, Task.SPANS} else 1

    @cached_property
    def choices(self) -> list[Choice]:
        """What can be chosen, in the order drawn for this rater, with keys."""
        if self.question.task not in CHOOSING:
            return []
        if self.question.task is Task.PAIRWISE:
            return _pair_choices(self.question, self.unit, self.step)
        options = options_shown(self.question, self.unit, self.step)
        return [_choice(option, number) for number, option in enumerate(options, start=1)]

    @property
    def ranked(self) -> list[Choice]:
        """The options to rank: as ranked so far, else in the order drawn."""
        by_value = {choice.value: choice for choice in self.choices}
        return [by_value[value] for value in self.value or by_value]

    @property
    def patterns(self) -> list[Pattern]:
        """The patterns to fill in the order drawn."""
        by_id = {pattern.id: pattern for pattern in self.question.patterns}
        return [by_id[id] for id in self.step.options.get(self.question.id, tuple(by_id))]

    @property
    def span_rows(self) -> list[dict[str, Any]]:
        """Rows for marking spans without a script: those marked so far, then empty ones."""
        marked = [{**span, "quote": self.unit.text[span["begin"] : span["end"]]} for span in self.value or ()]
        return marked + [{"quote": "", "begin": "", "category": ""}] * (SPAN_ROWS - len(marked))

    def bank(self, look: Look) -> Bank:
        """The parses to choose among, as far as the answer goes."""
        return Bank.of(self.unit, self.value, look)

    @property
    def answer_text(self) -> str:
        """The rater's answer in words."""
        return self._in_words(self.value)

    @property
    def expected_text(self) -> str:
        """The expected answer in words."""
        return self._in_words(self.expected)

    @property
    def expected_tree(self) -> Markup | None:
        """The tree of the expected parse, where parses were asked for."""
        return expected_tree(self.unit, self.expected) if self.question.task is Task.PARSES else None

    def _in_words(self, value: Any) -> str:
        if self.question.task is Task.PARSES:
            return as_text(self.question, value)
        if isinstance(value, Mapping):
            return "; ".join(
                f"{' '.join(p.text.split('___')[0].split())} {value[p.id]}" for p in self.patterns if p.id in value
            )
        labels = {choice.value: choice.label for choice in self.choices}
        values = value if isinstance(value, list) else [] if value is None else [value]
        return ", ".join(
            _span_in_words(v, self.unit) if isinstance(v, Mapping) else labels.get(str(v), str(v)) for v in values
        )


@dataclass(frozen=True, kw_only=True)
class Stage:
    """What one screen shows."""

    page: Page
    unit: Unit = NO_UNIT
    questions: tuple[Asked, ...] = ()
    advances: bool = False
    has_commented: bool = False
    event_id: str = field(default_factory=new_id)

    @property
    def kind(self) -> str:
        """The kind of page."""
        return self.page.kind.value

    @property
    def template(self) -> str:
        """The template that draws it."""
        return TEMPLATES.get(self.page.kind, f"{self.kind}.html")

    @property
    def step_number(self) -> int | str:
        """The step's number; nothing on pages that are no steps."""
        return self.page.step.number if self.page.step else ""

    @property
    def key(self) -> str:
        """A name by which the browser knows a screen that it fetched early."""
        return f"{self.kind}-{self.step_number}"

    @property
    def done(self) -> int:
        """How much of the pass is done."""
        return max(self.page.n - 1, 0)

    @property
    def is_guided(self) -> bool:
        """Whether the guidelines stand beside it."""
        return self.page.kind in WITH_ITEM

    @property
    def marks_text(self) -> bool:
        """Whether the unit's text is shown by the question itself, to be marked."""
        return any(asked.question.task is Task.SPANS for asked in self.questions)

    @property
    def has_long_text(self) -> bool:
        """Whether Enter starts a new line in a field, so that going on takes Ctrl and Enter."""
        return any(asked.question.task is Task.TEXT for asked in self.questions)

    @property
    def asks_one(self) -> bool:
        """Whether there is one question, which then stands above the text it is about."""
        return len(self.questions) == 1

    @property
    def defers_among_options(self) -> bool:
        """Whether "Not sure" stands between Yes and No."""
        return self.advances and self.questions[0].question.task is Task.BINARY

    @property
    def can_quit(self) -> bool:
        """Whether leaving for now makes sense."""
        return self.page.kind not in {PageKind.QUIT, PageKind.THANKS}

    @property
    def defer_key(self) -> str:
        """The key for "Not sure": U, or 0 where an option has U."""
        taken = {key for asked in self.questions for choice in asked.choices for key in choice.keys.split()}
        return "0" if "u" in taken else "u"


class Frame(Stage):
    """The page around the screens, without any: what a browser keeps for when it cannot reach the server."""

    kind = "offline"
    can_quit = False


def frame() -> Stage:
    """The frame of a rater's page."""
    return Frame(page=Page(kind=PageKind.WAITING))


def stage(state: State) -> Stage:
    """What to show now."""
    return replace(_stage_of(state.study, page(state)), has_commented=state.has_commented)


def stages_ahead(state: State) -> list[Stage]:
    """What to show now and the judging pages that follow when every step is answered, to be fetched early."""
    stages = [stage(state)]
    most = AHEAD_WITH_TREES if stages[0].unit.parses else AHEAD
    while len(stages) < most and stages[-1].page.kind is PageKind.JUDGING and stages[-1].page.step:
        state = passing(state, stages[-1].page.step)
        following = stage(state)
        if following.page.kind is not PageKind.JUDGING:
            break
        stages.append(following)
    return stages


def _stage_of(study: Study, shown: Page) -> Stage:
    step = shown.step
    if step is None:
        return Stage(page=shown)
    unit = unit_shown(study.description, study.plan, step.unit)
    asked = tuple(
        Asked(
            question=study.description.question(id),
            unit=unit,
            step=step,
            position=position,
            value=shown.answers.get(id),
            expected=unit.expected.get(id) if shown.kind is PageKind.FEEDBACK else None,
        )
        for position, id in enumerate(step.questions)
    )
    return Stage(page=shown, unit=unit, questions=asked, advances=study.advances(step))


def _choice(option: Option, number: int) -> Choice:
    digit = str(number) if number <= 9 else ""
    keys = " ".join(filter(None, [option.key.lower(), digit]))
    return Choice(
        value=option.value, label=option.label, help=option.help, keys=keys, key_shown=option.key.upper() or digit
    )


def _pair_choices(question: Question, unit: Unit, step: Step) -> list[Choice]:
    """The two texts in the slots drawn, then whatever else may be said (that they are the same)."""
    slots = step.slots or ("A", "B")
    texts = [
        Choice(value=slot, label=unit.alternatives[slot], keys=f"{number} {arrow}", key_shown=str(number), is_text=True)
        for number, slot, arrow in zip((1, 2), slots, ("ArrowLeft", "ArrowRight"), strict=True)
    ]
    others = [option for option in question.options if option.value not in slots]
    return texts + [_choice(option, number) for number, option in enumerate(others, start=3)]


def _span_in_words(span: Mapping[str, Any], unit: Unit) -> str:
    return f"{unit.text[span['begin'] : span['end']]} ({span['category']})"
