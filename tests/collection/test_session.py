"""The session: a pure function of the events, valid for any of them; what every page offers."""

from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from concordant.collection import events as ev
from concordant.collection.page import Page, PageKind, current_step, page
from concordant.collection.session import Running, State, advance, passing, start
from concordant.design.description import (
    Checks,
    Instructions,
    Introduction,
    ParticipantQuestion,
    Presentation,
    Training,
)
from concordant.tasks.kind import kinds
from concordant.tasks.question import Unit
from tests.collection.playing import assigned, next_events, planned, whole_session
from tests.design.samples import parses, study, units

TRAINED = Unit(id="t1", item="t1", text="Train", expected={"binary": "yes"}, parses=parses("up", "down"))
TRAINING = Training(units=(TRAINED,), second_try=True)


def full_study(tasks: tuple[str, ...] = ("binary", "multilabel"), **changes: Any) -> Running:
    """A study with every page."""
    return planned(
        study(
            4,
            tasks,
            **{
                "introduction": Introduction(text="Welcome", consent="I agree"),
                "participant": (ParticipantQuestion(id="age", ask="?", kind="number"),),
                "instructions": Instructions(text="Do it"),
                "training": TRAINING,
                "checks": Checks(repeats=1, gap=2),
                **changes,
            },
        )
    )


class Rater:
    """A rater at a page, for step-by-step tests."""

    def __init__(self, study: Running, *, begin: bool = True) -> None:
        self.state = start(study, "A1")
        if begin:
            self.do(assigned(study, "A1"))

    def do(self, *events: ev.Event) -> Page:
        for event in events:
            self.state = advance(self.state, event)
        return page(self.state)

    def answer(self, value: Any, step: int | None = None) -> Page:
        at = current_step(self.state) if step is None else self.state.steps[step]
        assert at is not None
        return self.do(ev.Answered(rater="A1", step=at.number, unit=at.unit, question=at.questions[0], value=value))

    def defer(self) -> Page:
        at = current_step(self.state)
        assert at is not None
        return self.do(ev.Deferred(rater="A1", step=at.number))

    def back(self) -> Page:
        return self.do(ev.WentBack(rater="A1"))

    @property
    def number(self) -> int:
        at = current_step(self.state)
        assert at is not None
        return at.number


def test_a_session_goes_through_all_pages_in_order() -> None:
    made = full_study()
    state, kinds = start(made, "A1"), []
    for event in whole_session(made):
        state = advance(state, event)
        kinds.append(page(state).kind)
    order = list(dict.fromkeys(kinds))
    assert order == [
        PageKind.INTRODUCTION,
        PageKind.PARTICIPANT,
        PageKind.INSTRUCTIONS,
        PageKind.TRAINING,
        PageKind.FEEDBACK,
        PageKind.JUDGING,
        PageKind.THANKS,
    ]
    assert state.is_completed
    assert state.is_finished


def test_without_a_set_the_rater_waits() -> None:
    rater = Rater(planned(study(2)), begin=False)
    assert page(rater.state).kind is PageKind.WAITING
    assert not rater.state.is_finished


def test_not_sure_comes_back_at_the_end_of_the_pass() -> None:
    rater = Rater(planned(study(3, ("binary", "ordinal"))))
    assert rater.defer().n == 1
    assert rater.answer("yes").n == 2
    shown = rater.answer("no")
    assert (shown.n, shown.total) == (3, 3)
    assert shown.step is not None
    assert shown.step.number == 0  # the one put aside, before the second pass begins
    assert shown.answers == {}
    assert rater.defer().step == shown.step  # the only one left comes again at once
    shown = rater.answer("yes")
    assert shown.step is not None
    assert shown.step.pass_number == 1
    assert (shown.n, shown.total, shown.n_passes) == (1, 3, 2)


def test_not_sure_is_not_a_value() -> None:
    rater = Rater(planned(study(2)))
    rater.answer("yes")
    rater.back()
    rater.defer()
    assert rater.state.answers == {}
    assert not rater.state.is_finished


def test_going_back_shows_the_answer_and_changing_it_returns_to_the_place() -> None:
    rater = Rater(planned(study(4)))
    rater.answer("yes")
    rater.answer("no")
    shown = rater.back()
    assert (shown.n, shown.is_revisit, shown.answers) == (2, True, {"binary": "no"})
    shown = rater.back()
    assert (shown.n, shown.can_go_back, shown.answers) == (1, False, {"binary": "yes"})
    shown = rater.answer("no")
    assert (shown.n, shown.is_revisit) == (3, False)
    assert rater.state.answers[(0, "binary")] == "no"


def test_every_step_back_is_one_page_and_so_is_every_step_forward() -> None:
    rater = Rater(planned(study(6)))
    for _ in range(5):
        rater.answer("yes")
    order = [step.unit for step in rater.state.steps]
    places = [rater.back() for _ in range(6)]
    assert [shown.n for shown in places] == [5, 4, 3, 2, 1, 1]
    assert [shown.step.unit for shown in places if shown.step] == [*reversed(order[:5]), order[0]]
    assert [shown.can_go_back for shown in places] == [True] * 4 + [False] * 2
    rater = Rater(planned(study(6)))
    for _ in range(6):
        rater.answer("no")
    assert (rater.back().n, rater.back().n) == (6, 5)  # from the end, too


def test_going_back_can_be_left_without_a_change() -> None:
    rater = Rater(planned(study(3)))
    rater.answer("yes")
    rater.back()
    shown = rater.do(ev.Continued(rater="A1", page="judging", step=0))
    assert (shown.n, shown.answers) == (2, {})


def test_going_back_from_the_end_is_possible_and_from_the_start_it_is_not() -> None:
    rater = Rater(planned(study(1)))
    assert not page(rater.state).can_go_back
    assert rater.back().n == 1
    assert rater.answer("yes").kind is PageKind.THANKS
    shown = rater.back()
    assert (shown.kind, shown.answers) == (PageKind.JUDGING, {"binary": "yes"})


def test_going_back_can_be_forbidden() -> None:
    rater = Rater(planned(study(2, presentation=Presentation(go_back=False))))
    shown = rater.answer("yes")
    assert not shown.can_go_back
    assert rater.back() == shown


def test_choices_of_several_are_saved_at_once_and_the_page_waits() -> None:
    rater = Rater(planned(study(2, ("multilabel",))))
    shown = rater.answer(["a"])
    assert (shown.n, shown.answers, shown.can_continue) == (1, {"multilabel": ["a"]}, True)
    assert not rater.answer([]).can_continue
    assert rater.do(ev.Continued(rater="A1", page="judging", step=0)).n == 1  # nothing chosen: stays
    rater.answer(["a", "b"])
    assert rater.do(ev.Continued(rater="A1", page="judging", step=0)).n == 2


def test_an_answer_cleared_and_given_again_is_on_the_trail_once() -> None:
    rater = Rater(planned(study(2)))
    rater.answer("yes")
    shown = rater.answer(None, step=0)
    assert shown.step is not None
    assert (shown.step.number, shown.answers) == (0, {})
    rater.answer("no")
    assert rater.state.trail == [0]


def test_an_answer_beyond_the_maximum_changes_nothing() -> None:
    rater = Rater(planned(study(2, ("multilabel",))))
    rater.answer(["a", "b"])
    assert rater.answer(["a", "b", "c"]).answers == {"multilabel": ["a", "b"]}


def test_all_questions_of_a_page_must_be_answered() -> None:
    rater = Rater(planned(study(2, ("binary", "ordinal"), presentation=Presentation(passes=False))))
    assert not rater.answer("yes").can_continue
    shown = rater.do(ev.Answered(rater="A1", step=0, unit="u", question="ordinal", value="a"))
    assert (shown.n, shown.can_continue) == (1, True)
    assert rater.do(ev.Continued(rater="A1", page="judging", step=0)).n == 2


def test_training_shows_whether_the_answer_was_right_and_gives_a_second_try() -> None:
    rater = Rater(planned(study(1, training=TRAINING)))
    shown = rater.answer("no")
    assert (shown.kind, shown.is_right, shown.answers) == (PageKind.FEEDBACK, False, {"binary": "no"})
    shown = rater.do(ev.Continued(rater="A1", page="feedback", step=0))
    assert (shown.kind, shown.is_second_try) == (PageKind.TRAINING, True)
    shown = rater.answer("no")
    assert (shown.kind, shown.is_right, shown.is_second_try) == (PageKind.FEEDBACK, False, True)
    assert rater.do(ev.Continued(rater="A1", page="feedback", step=0)).kind is PageKind.JUDGING


def test_without_a_second_try_training_goes_on() -> None:
    rater = Rater(planned(study(1, training=Training(units=TRAINING.units))))
    rater.answer("no")
    assert rater.do(ev.Continued(rater="A1", page="feedback", step=0)).kind is PageKind.JUDGING


def test_quitting_keeps_the_place() -> None:
    rater = Rater(planned(study(3)))
    rater.answer("yes")
    before = page(rater.state)
    assert rater.do(ev.Quit(rater="A1")).kind is PageKind.QUIT
    assert rater.do(ev.Shown(rater="A1", page="quit")).kind is PageKind.QUIT
    assert rater.do(ev.Resumed(rater="A1")) == before


def test_two_tabs_do_no_harm() -> None:
    rater = Rater(planned(study(3)))
    rater.answer("yes", step=0)
    shown = rater.answer("no", step=0)  # the other tab still showed the first step
    assert (shown.n, rater.state.answers[(0, "binary")]) == (2, "no")


def test_the_next_step_is_known_early() -> None:
    rater = Rater(planned(study(2)))
    upcoming = page(rater.state).upcoming
    shown = rater.answer("yes")
    assert shown.step == upcoming
    assert shown.upcoming is None


def test_one_can_look_ahead_without_changing_anything() -> None:
    rater = Rater(planned(study(3)))
    step = rater.state.steps[0]
    ahead = page(passing(rater.state, step))
    assert (ahead.n, rater.number) == (2, 0)
    assert rater.answer("yes").step == ahead.step


def test_a_second_assignment_changes_nothing() -> None:
    made = planned(study(3))
    rater = Rater(made)
    before = rater.state
    rater.do(ev.Assigned(rater="A1", set_number=5, plan="", steps=()))
    assert rater.state == before


TASKS = st.lists(st.sampled_from([task for task in kinds() if task != "pairwise"]), min_size=1, max_size=3, unique=True)


@given(tasks=TASKS, together=st.booleans(), seed=st.integers(0, 500), data=st.data())
@settings(max_examples=60)
def test_replaying_any_prefix_gives_a_valid_session(
    tasks: list[str], together: bool, seed: int, data: st.DataObject
) -> None:
    made = full_study(tuple(tasks), presentation=Presentation(passes=not together))
    events = whole_session(made, seed=seed)
    n = data.draw(st.integers(0, len(events)))
    state = advance(start(made, "A1"), *events[:n])
    _check_valid(state)
    _check_can_be_finished(state, seed)


@st.composite
def any_event(draw: st.DrawFn) -> ev.Event:
    """Events as a confused or hostile browser may send them: any step, any question, any value."""
    step = draw(st.integers(-2, 12))
    value = draw(st.sampled_from([None, "yes", "no", "a", ["a"], ["a", "b"], [], 3, "maybe", {"basic": "x"}]))
    question = draw(st.sampled_from(["binary", "multilabel", "patterns", "none"]))
    return draw(
        st.sampled_from(
            [
                ev.Answered(rater="A1", step=step, unit="u1", question=question, value=value),
                ev.Deferred(rater="A1", step=step),
                ev.Continued(rater="A1", page="judging", step=step),
                ev.Continued(rater="A1", page="feedback", step=step),
                ev.Continued(rater="A1", page="instructions"),
                ev.WentBack(rater="A1"),
                ev.Quit(rater="A1"),
                ev.Resumed(rater="A1"),
                ev.Consented(rater="A1", text=""),
                ev.Described(rater="A1", answers={}),
                ev.Shown(rater="A1", page="judging", step=step),
                ev.Completed(rater="A1"),
            ]
        )
    )


@given(events=st.lists(any_event(), max_size=40), place=st.integers(0, 40), seed=st.integers(0, 100))
@settings(max_examples=200)
def test_any_events_at_all_leave_a_valid_session_that_can_be_finished(
    events: list[ev.Event], place: int, seed: int
) -> None:
    made = full_study()
    events.insert(min(place, len(events)), assigned(made, "A1"))
    state = advance(start(made, "A1"), *events)
    _check_valid(state)
    _check_can_be_finished(state, seed)


def _check_valid(state: State) -> None:
    """What must hold of every state and its page."""
    shown = page(state)
    numbers = {step.number for step in state.steps}
    assert state.finished <= numbers
    assert not state.finished & set(state.deferred)
    assert len(set(state.trail)) == len(state.trail)
    assert set(state.trail) <= numbers
    assert state.back is None or 0 <= state.back < len(state.trail)
    if shown.step is not None:
        assert 1 <= shown.n <= shown.total
        assert shown.kind in {PageKind.TRAINING, PageKind.FEEDBACK, PageKind.JUDGING}
    if shown.kind is PageKind.THANKS:
        assert state.is_finished


def _check_can_be_finished(state: State, seed: int) -> None:
    """From anywhere, a willing rater reaches the end."""
    if not state.steps:
        return
    random = Random(seed)
    for _ in range(200):
        shown = page(state)
        if shown.kind is PageKind.THANKS:
            return
        for event in next_events(state, shown, random):
            state = advance(state, event)
    pytest.fail(f"stuck at {page(state)}")


def test_the_session_needs_no_units_of_its_own() -> None:
    made = planned(study(units=units(2)))
    assert advance(start(made, "A1")) == start(made, "A1")


def test_steps_are_known_by_their_numbers_and_no_others() -> None:
    state = Rater(planned(study(2))).state
    assert [state.step(number) for number in (None, -1, 0, 1, 2)] == [None, None, *state.steps, None]


def test_training_cannot_be_put_aside_and_nothing_that_is_not_there() -> None:
    rater = Rater(planned(study(1, training=TRAINING)))
    before = rater.state
    rater.do(ev.Deferred(rater="A1", step=0), ev.Deferred(rater="A1", step=9))
    assert rater.state == before


def test_feedback_is_left_by_its_own_step_only() -> None:
    rater = Rater(planned(study(1, training=TRAINING)))
    rater.answer("no")
    for step in (None, 1, 7):
        assert rater.do(ev.Continued(rater="A1", page="feedback", step=step)).kind is PageKind.FEEDBACK
    rater.do(ev.Continued(rater="A1", page="feedback", step=0))
    rater.answer("no")
    assert rater.state.tries == {0: 2}
    assert not rater.state.is_finished


def test_a_right_answer_needs_no_second_try_and_nothing_expected_is_neither_right_nor_wrong() -> None:
    rater = Rater(planned(study(1, ("binary", "ordinal"), training=TRAINING)))
    assert rater.answer("yes").is_right is True
    shown = rater.do(ev.Continued(rater="A1", page="feedback", step=0))
    assert (shown.kind, rater.number) == (PageKind.TRAINING, 1)
    assert rater.answer("a").is_right is None
    assert rater.do(ev.Continued(rater="A1", page="feedback", step=1)).kind is PageKind.JUDGING


def test_what_the_rater_says_and_does_is_remembered() -> None:
    rater = Rater(planned(study(1)))
    assert (rater.state.set_number, rater.state.has_commented, rater.state.is_completed) == (0, False, False)
    rater.do(ev.Described(rater="A1", answers={"age": "3"}), ev.Commented(rater="A1", text="x"))
    assert (rater.state.described, rater.state.has_commented) == ({"age": "3"}, True)
    seen = [rater.state.is_finished]
    rater.answer("yes")
    seen.append(rater.state.is_finished)
    rater.do(ev.Completed(rater="A1"))
    assert (seen, rater.state.is_completed) == ([False, True], True)


def test_a_step_that_was_put_aside_moves_to_the_end_of_the_trail() -> None:
    rater = Rater(planned(study(4)))
    rater.answer("yes")
    rater.answer("yes")
    rater.back()
    rater.back()
    rater.defer()
    assert (rater.state.trail, rater.state.back, rater.state.deferred) == ([0, 1], None, [0])
    rater.answer("no")
    rater.answer("no")
    rater.answer("yes")
    assert rater.state.trail == [1, 2, 3, 0]
    assert rater.state.deferred == []


def test_parts_of_a_session_are_training_and_passes() -> None:
    made = planned(study(2, ("binary", "ordinal"), training=TRAINING))
    state = Rater(made).state
    assert [list(part) for part in state.steps.stretches] == [[0, 1], [2, 3], [4, 5]]


def test_pages_before_judging_offer_nothing_else() -> None:
    rater = Rater(full_study())
    assert page(rater.state) == Page(kind=PageKind.INTRODUCTION)
    assert rater.do(ev.Consented(rater="A1", text="")) == Page(kind=PageKind.PARTICIPANT)
    assert rater.do(ev.Described(rater="A1", answers={})) == Page(kind=PageKind.INSTRUCTIONS)
    assert rater.do(ev.Continued(rater="A1", page="instructions")).kind is PageKind.TRAINING
    assert rater.do(ev.Quit(rater="A1")) == Page(kind=PageKind.QUIT)
    defaults = Page(kind=PageKind.WAITING)
    assert (defaults.n, defaults.total, defaults.n_passes) == (0, 0, 1)
    offers = (defaults.can_go_back, defaults.can_defer, defaults.can_continue)
    assert (*offers, defaults.is_revisit, defaults.is_second_try) == (False,) * 5


def test_a_training_page_and_its_feedback() -> None:
    both = (TRAINED, replace(TRAINED, id="t2", item="t2"))
    rater = Rater(planned(study(2, training=Training(units=both, second_try=True))))
    steps = rater.state.steps
    shown = page(rater.state)
    assert shown == Page(
        kind=PageKind.TRAINING, step=steps[0], n=1, total=2, n_passes=1, upcoming=steps[1]
    )  # fmt: skip
    told = rater.answer("no")
    assert told == Page(
        kind=PageKind.FEEDBACK, step=steps[0], answers={"binary": "no"}, n=1, total=2, can_continue=True,
        is_right=False, upcoming=steps[1],
    )  # fmt: skip
    again = rater.do(ev.Continued(rater="A1", page="feedback", step=0))
    assert again == Page(
        kind=PageKind.TRAINING, step=steps[0], answers={"binary": "no"}, n=1, total=2, can_continue=True,
        is_second_try=True, upcoming=steps[1],
    )  # fmt: skip
    told = rater.answer("yes")
    assert (told.is_right, told.is_second_try, told.upcoming) == (True, True, steps[1])
    second = rater.do(ev.Continued(rater="A1", page="feedback", step=0))
    assert second == Page(kind=PageKind.TRAINING, step=steps[1], n=2, total=2, upcoming=steps[2])
    rater.answer("yes")
    first = rater.do(ev.Continued(rater="A1", page="feedback", step=1))  # right at once: no second try
    assert first == Page(
        kind=PageKind.JUDGING, step=steps[2], n=1, total=2, can_defer=True, upcoming=steps[3]
    )  # fmt: skip


def test_a_judging_page_with_several_answers() -> None:
    rater = Rater(planned(study(2, ("multilabel", "ordinal"))))
    steps = rater.state.steps
    assert page(rater.state) == Page(
        kind=PageKind.JUDGING, step=steps[0], n=1, total=2, n_passes=2, upcoming=steps[1]
    )  # fmt: skip
    assert rater.do(ev.Continued(rater="A1", page="judging", step=0)).n == 1  # nothing is answered yet
    assert rater.answer(["a"]).can_continue
    second = rater.do(ev.Continued(rater="A1", page="judging", step=0))
    assert second == Page(
        kind=PageKind.JUDGING, step=steps[1], n=2, total=2, n_passes=2, can_go_back=True, upcoming=steps[2]
    )  # fmt: skip
    back = rater.back()
    assert back == Page(
        kind=PageKind.JUDGING, step=steps[0], answers={"multilabel": ["a"]}, n=1, total=2, n_passes=2,
        can_continue=True, is_revisit=True, upcoming=steps[1],
    )  # fmt: skip
    cleared = rater.answer(None)
    assert (cleared.can_continue, rater.state.finished) == (False, set())


def test_the_end_can_be_left_backwards_unless_the_study_forbids_it() -> None:
    for go_back in (True, False):
        rater = Rater(planned(study(2, presentation=Presentation(go_back=go_back))))
        assert page(rater.state).can_go_back is False
        assert rater.answer("yes").can_go_back is go_back
        assert rater.answer("yes") == Page(kind=PageKind.THANKS, can_go_back=go_back)
        assert rater.do(ev.Quit(rater="A1")).kind is PageKind.THANKS  # there is nothing left to come back to
        assert rater.back().kind is (PageKind.JUDGING if go_back else PageKind.THANKS)


def test_steps_that_were_put_aside_come_last_and_are_counted_once() -> None:
    rater = Rater(planned(study(3)))
    steps = rater.state.steps
    assert rater.defer().upcoming == steps[2]
    assert rater.defer().upcoming == steps[0]
    last = rater.answer("yes")
    assert (last.step, last.n, last.upcoming) == (steps[0], 2, steps[1])
    assert rater.answer("no").step == steps[1]
    assert rater.answer("no").kind is PageKind.THANKS


def test_a_question_that_allows_no_doubt_cannot_be_put_aside_unless_another_on_the_page_can() -> None:
    together = Presentation(passes=False)
    assert not page(Rater(planned(study(1, ("ordinal",)))).state).can_defer
    assert page(Rater(planned(study(1, ("ordinal", "binary"), presentation=together))).state).can_defer
