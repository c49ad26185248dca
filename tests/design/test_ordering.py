"""The random orders of participants: uniform, reproducible, and with checks where they belong."""

from collections import Counter
from itertools import permutations

import pytest
from scipy.stats import chisquare

from assent.design.description import Checks, Presentation, Task, Training, Unit
from assent.design.ordering import Kind, Step, schedule
from assent.design.planning import make_plan
from tests.design.samples import study, units

N_RATERS = 2400
SIGNIFICANT = (
    1e-3  # the draws come from fixed seeds: a failure would mean that the orders are not uniform, not bad luck
)


def steps_of_many(n_units: int, tasks: tuple[Task, ...] = (Task.BINARY,)) -> list[tuple[Step, ...]]:
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
        (Task.CATEGORICAL, "categorical", "abc"),
        (Task.PATTERNS, "patterns", ["basic", "active", "result"]),
    ):
        orders = Counter(steps[0].options[question] for steps in steps_of_many(1, (task,)))
        assert chisquare([orders[order] for order in permutations(choices)]).pvalue > SIGNIFICANT
    slots = Counter(steps[0].slots for steps in steps_of_many(1, (Task.PAIRWISE,)))
    assert chisquare([slots[("A", "B")], slots[("B", "A")]]).pvalue > SIGNIFICANT


def test_the_passes_of_a_rater_have_orders_of_their_own() -> None:
    alike = [
        [step.unit for step in steps if step.pass_number == 0] == [step.unit for step in steps if step.pass_number == 1]
        for steps in steps_of_many(3, (Task.BINARY, Task.ORDINAL))
    ]
    assert chisquare([sum(alike), len(alike) - sum(alike)], [N_RATERS / 6, N_RATERS * 5 / 6]).pvalue > SIGNIFICANT


def test_a_rater_gets_the_same_order_again_and_others_get_others() -> None:
    described = study(30)
    plan = make_plan(described)
    assert schedule(described, plan, "A1", 0) == schedule(described, plan, "A1", 0)
    assert schedule(described, plan, "A1", 0) != schedule(described, plan, "A2", 0)


def test_steps_survive_being_stored() -> None:
    for steps in steps_of_many(2, (Task.PAIRWISE, Task.PATTERNS))[:20]:
        assert tuple(Step.from_dict(step.as_dict()) for step in steps) == steps


def test_training_comes_first_and_once_for_each_question() -> None:
    training = Training(units=(Unit(id="t1", item="t1", text="T", expected={"binary": "yes"}),))
    described = study(2, (Task.BINARY, Task.ORDINAL), training=training)
    steps = schedule(described, make_plan(described), "A1", 0)
    assert [step.kind for step in steps] == [Kind.TRAINING] * 2 + [Kind.MAIN] * 4
    assert [step.number for step in steps] == list(range(6))


def test_all_questions_share_a_page_when_there_are_no_passes() -> None:
    described = study(2, (Task.BINARY, Task.ORDINAL), presentation=Presentation(passes=False, shuffle=False))
    steps = schedule(described, make_plan(described), "A1", 0)
    assert [step.questions for step in steps] == [("binary", "ordinal")] * 2


@pytest.mark.parametrize("rater", [f"r{i}" for i in range(50)])
def test_gold_items_are_mixed_in_and_repeats_come_late_enough(rater: str) -> None:
    gold = tuple(Unit(id=f"g{i}", item="g", text="G", expected={"binary": "yes"}) for i in range(3))
    described = study(20, checks=Checks(gold=gold, repeats=4, gap=8))
    steps = schedule(described, make_plan(described), rater, 0)
    kinds = Counter(step.kind for step in steps)
    assert kinds == {Kind.MAIN: 20, Kind.GOLD: 3, Kind.REPEAT: 4}
    first = {step.unit: step.number for step in steps if step.kind is Kind.MAIN}
    for step in steps:
        if step.kind is Kind.REPEAT:
            assert step.number - first[step.unit] >= 8


def test_gold_items_are_equally_likely_everywhere() -> None:
    gold = (Unit(id="g", item="g", text="G", expected={"binary": "yes"}),)
    described = study(5, checks=Checks(gold=gold))
    plan = make_plan(described)
    places = Counter(
        next(step.number for step in schedule(described, plan, f"rater {i}", 0) if step.kind is Kind.GOLD)
        for i in range(N_RATERS)
    )
    assert chisquare([places[i] for i in range(6)]).pvalue > SIGNIFICANT


def test_units_keep_the_order_of_the_plan_without_shuffling() -> None:
    described = study(units=units(5), presentation=Presentation(shuffle=False))
    plan = make_plan(described)
    assert [step.unit for step in schedule(described, plan, "A1", 0)] == list(plan.sets[0])
