"""The random orders of participants: uniform, reproducible, and with checks where they belong."""

import hashlib
import json
import struct
import tracemalloc
from collections import Counter
from dataclasses import replace
from itertools import permutations

import pytest
from scipy.stats import chisquare

from concordant.design.description import Checks, Presentation, Training
from concordant.design.plan import make_plan
from concordant.design.steps import (
    DrawnSteps,
    Layout,
    Step,
    StepKind,
    StoredSteps,
    layout_of,
    least_filled,
    schedule,
    stream,
)
from concordant.tasks.question import Unit
from tests.design.samples import study, units

N_RATERS = 2400
PINNED_STEPS = "u5mcab u3mcab u4mcab ggcba u1mcba u4rcba u2mcab u3mAB u1mBA u5mBA u2mAB u4mAB ggAB u1rBA"
PINNED_SETS = [0, 1, 4, 1, 4, 3, 0, 2, 0, 0, 1, 4]
SIGNIFICANT = (
    1e-3  # the draws come from fixed seeds: a failure would mean that the orders are not uniform, not bad luck
)


def steps_of_many(n_units: int, tasks: tuple[str, ...] = ("binary",)) -> list[DrawnSteps]:
    described = study(n_units, tasks)
    plan = make_plan(described)
    return [schedule(described, plan, f"rater {i}", 0) for i in range(N_RATERS)]


def test_every_order_of_units_is_equally_likely() -> None:
    orders = Counter(tuple(step.unit for step in steps) for steps in steps_of_many(4))
    counts = [orders[order] for order in permutations(["u1", "u2", "u3", "u4"])]
    assert sum(counts) == N_RATERS
    assert chisquare(counts).pvalue > SIGNIFICANT


def test_every_order_is_equally_likely_over_seeds_too() -> None:
    seeds = range(N_RATERS)
    orders = Counter()  # type: Counter[tuple[str, ...]]
    for seed in seeds:
        described = study(3, seed=seed)
        steps = schedule(described, make_plan(described), "A1", 0)
        orders[tuple(step.unit for step in steps)] += 1
    assert chisquare([orders[order] for order in permutations(["u1", "u2", "u3"])]).pvalue > SIGNIFICANT


def test_every_order_of_options_patterns_and_slots_is_equally_likely() -> None:
    for task, question, choices in (
        ("categorical", "categorical", "abc"),
        ("patterns", "patterns", ["basic", "active", "result"]),
    ):
        orders = Counter(steps[0].options[question] for steps in steps_of_many(1, (task,)))
        assert chisquare([orders[order] for order in permutations(choices)]).pvalue > SIGNIFICANT
    slots = Counter(steps[0].slots for steps in steps_of_many(1, ("pairwise",)))
    assert chisquare([slots[("A", "B")], slots[("B", "A")]]).pvalue > SIGNIFICANT


def test_the_passes_of_a_rater_have_orders_of_their_own() -> None:
    alike = [
        [step.unit for step in steps if step.pass_number == 0] == [step.unit for step in steps if step.pass_number == 1]
        for steps in steps_of_many(3, ("binary", "ordinal"))
    ]
    assert chisquare([sum(alike), len(alike) - sum(alike)], [N_RATERS / 6, N_RATERS * 5 / 6]).pvalue > SIGNIFICANT


def test_a_rater_gets_the_same_order_again_and_others_get_others() -> None:
    described = study(30)
    plan = make_plan(described)
    assert schedule(described, plan, "A1", 0) == schedule(described, plan, "A1", 0)
    assert schedule(described, plan, "A1", 0) != schedule(described, plan, "A2", 0)


def test_steps_survive_being_stored() -> None:
    for steps in steps_of_many(2, ("pairwise", "patterns"))[:20]:
        assert tuple(Step.from_dict(step.to_dict()) for step in steps) == tuple(steps)


def test_training_comes_first_and_once_for_each_question() -> None:
    training = Training(units=(Unit(id="t1", item="t1", text="T", expected={"binary": "yes"}),))
    described = study(2, ("binary", "ordinal"), training=training)
    steps = schedule(described, make_plan(described), "A1", 0)
    assert [step.kind for step in steps] == [StepKind.TRAINING] * 2 + [StepKind.MAIN] * 4
    assert [step.number for step in steps] == list(range(6))


def test_all_questions_share_a_page_when_there_are_no_passes() -> None:
    described = study(2, ("binary", "ordinal"), presentation=Presentation(passes=False, shuffle=False))
    steps = schedule(described, make_plan(described), "A1", 0)
    assert [step.questions for step in steps] == [("binary", "ordinal")] * 2


@pytest.mark.parametrize("rater", [f"r{i}" for i in range(50)])
def test_gold_items_are_mixed_in_and_repeats_come_late_enough(rater: str) -> None:
    gold = tuple(Unit(id=f"g{i}", item="g", text="G", expected={"binary": "yes"}) for i in range(3))
    described = study(20, checks=Checks(gold=gold, repeats=4, gap=8))
    steps = schedule(described, make_plan(described), rater, 0)
    kinds = Counter(step.kind for step in steps)
    assert kinds == {StepKind.MAIN: 20, StepKind.GOLD: 3, StepKind.REPEAT: 4}
    first = {step.unit: step.number for step in steps if step.kind is StepKind.MAIN}
    for step in steps:
        if step.kind is StepKind.REPEAT:
            assert step.number - first[step.unit] >= 8


def test_gold_items_are_equally_likely_everywhere() -> None:
    gold = (Unit(id="g", item="g", text="G", expected={"binary": "yes"}),)
    described = study(5, checks=Checks(gold=gold))
    plan = make_plan(described)
    places = Counter(
        next(step.number for step in schedule(described, plan, f"rater {i}", 0) if step.kind is StepKind.GOLD)
        for i in range(N_RATERS)
    )
    assert chisquare([places[i] for i in range(6)]).pvalue > SIGNIFICANT


def test_units_keep_the_order_of_the_plan_without_shuffling() -> None:
    described = study(units=units(5), presentation=Presentation(shuffle=False))
    plan = make_plan(described)
    assert [step.unit for step in schedule(described, plan, "A1", 0)] == list(plan.sets[0])


def test_the_draws_of_a_rater_are_the_same_in_every_version() -> None:
    """A running study goes on after an update: the first 128 bits of the SHA-256 of the id, as four whole numbers."""
    assert stream("Ada") == struct.unpack(">4I", hashlib.sha256(b"Ada").digest()[:16])


def test_a_step_is_stored_with_everything_that_was_drawn() -> None:
    step = Step(number=3, unit="u1", questions=("q", "r"), kind=StepKind.GOLD, pass_number=1)
    plain = {"number": 3, "unit": "u1", "questions": ["q", "r"], "kind": "gold", "pass_number": 1}
    assert step.to_dict() == {**plain, "options": {}, "slots": None}
    full = replace(step, options={"q": ("b", "a")}, slots=("B", "A"))
    assert full.to_dict() == {**plain, "options": {"q": ["b", "a"]}, "slots": ["B", "A"]}
    assert Step.from_dict(full.to_dict()) == full
    assert Step(number=0, unit="u", questions=()).pass_number == 0


def test_passes_are_counted_from_0_and_training_belongs_to_the_first() -> None:
    training = Training(units=(Unit(id="t", item="t", text="T", expected={"binary": "yes"}),))
    described = study(2, ("binary", "ordinal", "slider"), training=training)
    steps = schedule(described, make_plan(described), "A1", 0)
    assert [step.pass_number for step in steps] == [0, 0, 0, 0, 0, 1, 1, 2, 2]
    assert [step.questions for step in steps[3:]] == [("binary",)] * 2 + [("ordinal",)] * 2 + [("slider",)] * 2


def test_options_are_drawn_only_where_they_are_shuffled_and_slots_only_for_pairs() -> None:
    described = study(1, ("categorical", "ordinal", "pairwise"), presentation=Presentation(passes=False))
    [step] = schedule(described, make_plan(described), "A1", 0)
    assert list(step.options) == ["categorical"]
    assert sorted(step.options["categorical"]) == ["a", "b", "c"]
    assert step.slots is not None
    plain = study(1, ("ordinal",))
    [step] = schedule(plain, make_plan(plain), "A1", 0)
    assert (dict(step.options), step.slots) == ({}, None)


def test_slots_stay_as_they_are_without_shuffling() -> None:
    described = study(3, ("pairwise",), presentation=Presentation(shuffle_slots=False))
    plan = make_plan(described)
    assert {step.slots for i in range(40) for step in schedule(described, plan, f"r{i}", 0)} == {("A", "B")}


def test_every_unit_that_can_come_again_does_and_at_every_place_that_is_late_enough() -> None:
    """Of four units with a gap of 3, the first two can come again: the first at two places, the second at the end."""
    described = study(4, checks=Checks(repeats=1, gap=3), presentation=Presentation(shuffle=False))
    plan = make_plan(described)
    seen = Counter[tuple[int, int]]()
    for i in range(N_RATERS):
        units_of = [step.unit for step in schedule(described, plan, f"rater {i}", 0)]
        [again] = [unit for unit, n in Counter(units_of).items() if n == 2]
        first = units_of.index(again)
        seen[first, units_of.index(again, first + 1)] += 1
    assert set(seen) == {(0, 3), (0, 4), (1, 4)}
    assert chisquare([seen[0, 3], seen[0, 4], seen[1, 4]], [600, 600, 1200]).pvalue > SIGNIFICANT


def test_gold_items_are_never_repeated_and_no_unit_twice() -> None:
    gold = tuple(Unit(id=f"g{i}", item="g", text="G", expected={"binary": "yes"}) for i in range(5))
    described = study(6, checks=Checks(gold=gold, repeats=3, gap=3))
    plan = make_plan(described)
    for i in range(60):
        repeats = [step.unit for step in schedule(described, plan, f"r{i}", 0) if step.kind is StepKind.REPEAT]
        assert len(set(repeats)) == 3
        assert not {unit for unit in repeats if unit.startswith("g")}


def test_a_study_that_runs_draws_the_same_in_every_version() -> None:
    gold = (Unit(id="g", item="g", text="G", expected={"binary": "yes"}),)
    described = study(5, ("categorical", "pairwise"), checks=Checks(gold=gold, repeats=1, gap=2), seed=11)
    steps = schedule(described, make_plan(described), "Ada", 0)
    drawn = " ".join(
        f"{step.unit}{step.kind[0]}{''.join(step.options.get('categorical', step.slots or ()))}" for step in steps
    )
    assert drawn == PINNED_STEPS
    plan = make_plan(study(6, n_sets=5))
    assert [least_filled(plan, f"r{i}", {}) for i in range(12)] == PINNED_SETS


def test_a_set_that_nobody_began_counts_as_empty() -> None:
    plan = make_plan(study(6, n_sets=2))
    assert least_filled(plan, "x", {0: 1}) == 1
    assert least_filled(plan, "x", {0: 7, 1: 1}) == 1
    assert {least_filled(plan, f"r{i}", {0: 0}) for i in range(30)} == {0, 1}


def test_what_is_derived_depends_on_the_layout_that_was_logged_alone() -> None:
    gold = (Unit(id="g", item="g", text="G", expected={"binary": "yes"}),)
    training = Training(units=(Unit(id="t", item="t", text="T", expected={"binary": "yes"}),))
    described = study(9, ("categorical", "pairwise"), checks=Checks(gold=gold, repeats=2, gap=3), training=training)
    plan, stored = make_plan(described), json.loads(json.dumps(layout_of(described).to_dict()))
    again = DrawnSteps(Layout.from_dict(stored), plan.sets[0], plan.seed, "Ada")
    assert again == schedule(described, plan, "Ada", 0)
    assert again != schedule(replace(described, checks=Checks()), plan, "Ada", 0)
    assert again[2:5] == tuple(again)[2:5]
    assert again[-1] == tuple(again)[-1]
    with pytest.raises(IndexError):
        again[len(again)]


def test_derived_and_stored_steps_have_the_same_parts() -> None:
    training = Training(units=(Unit(id="t", item="t", text="T", expected={"binary": "yes"}),))
    described = study(4, ("binary", "ordinal"), training=training)
    derived = schedule(described, make_plan(described), "Ada", 0)
    stored = StoredSteps(derived[:])
    assert (derived.stretches, derived.n_asked, len(derived)) == (stored.stretches, stored.n_asked, len(stored))
    assert derived.stretches == (range(2), range(2, 6), range(6, 10))
    assert derived.n_asked == 8
    assert StoredSteps([]).stretches == ()


def test_a_hundred_thousand_units_cost_a_rater_little() -> None:
    described = study(units=units(100_000))
    stored = json.dumps(layout_of(described).to_dict())
    plan = make_plan(described)
    tracemalloc.start()
    step = schedule(described, plan, "Ada", 0)[0]
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 50 * 100_000, "a few numbers for each unit; the steps themselves would be ten times as much"
    assert step.number == 0
    assert len(stored) < 1000
