"""From a page of the session to what the templates show: choices with their keys, answers so far, fields' names."""

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from starlette.datastructures import FormData

from concordant.collection.events import ENOUGH, FAILED_CHECK, SCREENED_OUT, new_id
from concordant.collection.page import Page, PageKind, page
from concordant.collection.session import Running, State, end_of, passing
from concordant.design.description import Ending, personal_code
from concordant.design.steps import Step, StepKind
from concordant.tasks.kind import Choice, Kind, kind_of
from concordant.tasks.question import Pattern, Question, Unit
from concordant.web.rater.parse_page import Drawn, Forest, Look, expected_tree

AHEAD = 5
AHEAD_WITH_TREES = 2
NO_UNIT = Unit(id="", item="")
NO_ENDING = Ending(text="")
TEMPLATES = {PageKind.TRAINING: "judging.html"}
WITH_ITEM = frozenset({PageKind.TRAINING, PageKind.JUDGING, PageKind.FEEDBACK})


def field_name(question: Question) -> str:
    """The name of a question's form field; fields with parts (patterns, ranks, quoted spans) add `:` and the part."""
    return f"q:{question.id}"


def value_in(form: FormData, question: Question, unit: Unit) -> Any:
    """The answer to `question` in a posted form; None when it was left empty."""
    return kind_of(question).from_form(form, field_name(question), question, unit)


@dataclass(frozen=True, kw_only=True)
class Asked:
    """One question on display with its answer so far; `version` is the event that made it so."""

    question: Question
    unit: Unit
    step: Step
    position: int
    value: Any = None
    expected: Any = None
    version: str = ""

    @property
    def id(self) -> str:
        """A name for the question inside the page's HTML."""
        return f"{self.step.number}-{self.position}"

    @property
    def kind(self) -> Kind:
        """The way it is answered."""
        return kind_of(self.question)

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
        """How much must be chosen or filled before the page can be left; saying that there is nothing is one."""
        return 0 if self.question.is_optional else max(1, self.kind.least(self.question))

    @property
    def may_be_nothing(self) -> bool:
        """Whether nothing chosen, filled or marked can be the answer."""
        return self.kind.least(self.question) == 0

    @cached_property
    def choices(self) -> list[Choice]:
        """What can be chosen, in the order drawn for this rater, with keys."""
        return self.kind.choices(self.question, self.unit, self.step.options.get(self.question.id), self.step.slots)

    @property
    def ranked(self) -> list[Choice]:
        """The options to rank: as ranked so far, else in the order drawn."""
        by_value = {choice.value: choice for choice in self.choices}
        return [by_value[value] for value in self.value or by_value]

    @property
    def patterns(self) -> list[Pattern]:
        """The patterns to fill in the order drawn; of questions with options that order is of the options."""
        by_id = {pattern.id: pattern for pattern in self.question.patterns}
        return [by_id[id] for id in self.step.options.get(self.question.id, by_id) if id in by_id]

    def forest(self, look: Look) -> Forest:
        """The parses to choose among, as far as the answer goes."""
        return Forest.of(self.unit, self.value, look)

    @property
    def answer_text(self) -> str:
        """The rater's answer in words."""
        return self._in_words(self.value)

    @property
    def expected_text(self) -> str:
        """The expected answer in words."""
        return self._in_words(self.expected)

    def _in_words(self, value: Any) -> str:
        labels = {choice.value: choice.label for choice in self.choices}
        return "" if value is None else self.kind.in_words(self.question, self.unit, value, labels)

    @property
    def expected_tree(self) -> Drawn | None:
        """The tree of the expected parse, where parses were asked for."""
        return expected_tree(self.unit, None if self.expected is None else self.kind.parse_chosen(self.expected))


@dataclass(frozen=True, kw_only=True)
class Stage:
    """What one screen shows."""

    page: Page
    unit: Unit = NO_UNIT
    questions: tuple[Asked, ...] = ()
    advances: bool = False
    has_commented: bool = False
    ending: Ending = NO_ENDING
    is_enough: bool = False
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
    def round(self) -> int:
        """Which round of the items it is, from 1; 0 where there is one round only."""
        step = self.page.step
        return step.pass_number + 1 if step and self.page.kind is PageKind.JUDGING and self.page.n_passes > 1 else 0

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
        return any(asked.kind.marks_spans for asked in self.questions)

    @property
    def has_long_text(self) -> bool:
        """Whether Enter starts a new line in a field, so that going on takes Ctrl and Enter."""
        return any(asked.kind.is_free_text for asked in self.questions)

    @property
    def asks_one(self) -> bool:
        """Whether there is one question, which then stands above the text it is about."""
        return len(self.questions) == 1

    @property
    def defers_among_options(self) -> bool:
        """Whether "Not sure" stands between Yes and No."""
        return self.advances and self.questions[0].kind.defers_among_options

    @property
    def can_quit(self) -> bool:
        """Whether leaving for now makes sense."""
        return self.page.kind not in {PageKind.QUIT, PageKind.BETWEEN, PageKind.THANKS, PageKind.ENDED}

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
    study, now = state.study, page(state)
    if now.step is None:
        return Stage(
            page=now, has_commented=state.has_commented, ending=_ending(state), is_enough=end_of(state) == ENOUGH
        )
    unit = study.unit(now.step.unit)
    asked = tuple(
        Asked(
            question=study.description.question(id),
            unit=unit,
            step=now.step,
            position=position,
            value=now.answers.get(id),
            version=now.versions.get(id, ""),
            expected=unit.expected.get(id) if now.kind is PageKind.FEEDBACK else None,
        )
        for position, id in enumerate(now.step.questions)
    )
    advances = study.advances(now.step)
    return Stage(page=now, unit=unit, questions=asked, advances=advances, has_commented=state.has_commented)


def _ending(state: State) -> Ending:
    """How the rater leaves, with what is theirs filled in."""
    description = state.study.description
    found = {
        SCREENED_OUT: description.screened_out,
        FAILED_CHECK: description.failed_check,
        ENOUGH: replace(description.screened_out, text=""),
    }
    participant = state.origin.get(description.recruitment.participant, "").strip()
    ending = found.get(end_of(state), description.thanks)
    return ending.for_one(participant, personal_code(description.name, state.rater))


def single_stage(study: Running, unit: str, question: str, value: Any) -> Stage:
    """One question about a unit as raters see it, for somebody who decides it; `value` is the answer so far."""
    step = Step(number=0, unit=unit, kind=StepKind.MAIN, questions=(question,), pass_number=0)
    page, shown = Page(kind=PageKind.JUDGING, step=step), study.unit(unit)
    asked = Asked(question=study.description.question(question), unit=shown, step=step, position=0, value=value)
    return Stage(page=page, unit=shown, questions=(asked,), advances=study.advances(step))


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
