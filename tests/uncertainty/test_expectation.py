"""The width that a plan promises, against the interval that results show of simulated studies with that plan."""

from dataclasses import replace

import numpy as np
import pytest

from concordant.design.assignment import ASSUMED
from concordant.design.description import Allocation, Assignment, Description
from concordant.design.plan import make_plan
from concordant.model.judgements import Judgements
from concordant.model.scale import Level
from concordant.randomness import generator
from concordant.tasks.kind import kind_of
from concordant.tasks.question import Option
from concordant.uncertainty.estimate import measure
from concordant.uncertainty.expectation import Answers, alpha_width, expectation_table, expected_of
from tests.design.samples import QUESTIONS, study

SEVEN = tuple(Option(value=f"{n}", label=f"{n}") for n in range(1, 8))
PARTLY = Assignment(names=("1", "2", "3", "4"), judgements=2, overlap=0.25)
DESIGNS = {
    "yes or no, everything judged by two": (study(100, ("binary",)), None),
    "three names, a quarter judged by all four, the rest by two": (
        study(80, ("categorical",), n_sets=4, assignment=PARTLY, raters=()),
        None,
    ),
    "a scale of seven, sixty judged by five": (
        replace(study(60, raters=()), questions=(replace(QUESTIONS["ordinal"], options=SEVEN),)),
        5,
    ),
}
HARD = {
    "hardly any units, many judgements": (study(12, ("categorical",), raters=()), 10),
    "twenty units, two raters": (study(20, ("binary",)), None),
    "twenty units on a scale": (study(20, ("ordinal",)), None),
    "numbers": (study(60, ("slider",), raters=()), 3),
    "few numbers": (study(20, ("slider",)), None),
    "some judged once": (
        study(120, ("ordinal",), n_sets=4, assignment=replace(PARTLY, judgements=1, overlap=0.4), raters=()),
        None,
    ),
}


def simulated(description: Description, raters: int | None, seed: int) -> float | None:
    """The width of the interval of one study: who sees what is there says it, everybody else says anything."""
    random, plan, (asked,) = generator(seed), make_plan(description), description.measured
    sets = plan.sets if len(plan.sets) > 1 else plan.sets * (raters or len(description.raters))
    place = {id: row for row, id in enumerate(dict.fromkeys(id for members in sets for id in members))}
    values = kind_of(asked).categories(asked)
    n = len(values) or 1001
    truth, cells = random.integers(n, size=len(place)), np.full((len(place), len(sets)), np.nan)
    for rater, members in enumerate(sets):
        rows = np.array([place[id] for id in members])
        sees = random.random(len(rows)) < np.sqrt(ASSUMED)
        cells[rows, rater] = np.where(sees, truth[rows], random.integers(n, size=len(rows)))
    level = kind_of(asked).level
    categories = range(n) if values else None
    interval = measure(
        Judgements.from_matrix(cells, level=level, categories=categories), "alpha", seed=1, resamples=1000
    ).interval
    return None if interval is None else interval.width


def ratio(description: Description, raters: int | None, studies: int) -> float:
    """The predicted width over the mean of the widths of so many studies."""
    widths = [width for seed in range(studies) if (width := simulated(description, raters, seed)) is not None]
    assert len(widths) > 0.9 * studies
    predicted = expected_of(description, make_plan(description), raters).width
    assert predicted is not None
    return predicted / float(np.mean(widths))


@pytest.mark.parametrize("design", DESIGNS)
def test_a_plan_promises_the_width_that_results_show(design: str) -> None:
    assert 0.85 < ratio(*DESIGNS[design], studies=20) < 1.15


@pytest.mark.slow
@pytest.mark.parametrize("design", [*DESIGNS, *HARD])
def test_designs_of_all_sorts_get_the_width_they_were_promised(design: str) -> None:
    assert 0.8 < ratio(*(DESIGNS | HARD)[design], studies=200) < 1.2


def test_the_question_with_the_widest_interval_is_the_one_that_counts() -> None:
    both = study(50, ("categorical", "ordinal", "text"))
    found = expected_of(both, make_plan(both))
    assert found.answers is not None
    assert found.answers.title == QUESTIONS["ordinal"].ask
    widths = [expected_of(one, make_plan(one)).width for one in (study(50, ("ordinal",)), study(50, ("categorical",)))]
    assert found.width == max(width for width in widths if width is not None)


@pytest.mark.parametrize("task", ["text", "ranking", "spans"])
def test_what_alpha_is_not_measured_of_has_no_width(task: str) -> None:
    found = expected_of(one := study(50, (task,)), make_plan(one))
    assert (found.is_measured, found.width) == (False, None)


@pytest.mark.parametrize("per_unit", [{1: 40}, {2: 1}, {}, {0: 4, 1: 3}])
def test_fewer_than_two_units_that_are_judged_twice_have_no_interval(per_unit: dict[int, int]) -> None:
    assert alpha_width(per_unit, Answers(title="", n=3, level=Level.NOMINAL)) is None


def test_whoever_comes_gets_one_set_after_the_other() -> None:
    """Five raters of two sets: three of the first, two of the second."""
    described = study(20, ("binary",), n_sets=2, raters=())
    plan = make_plan(described)
    found = expected_of(described, plan, 5)
    assert found.n_judgements == 3 * len(plan.sets[0]) + 2 * len(plan.sets[1])
    assert (found.per_unit[3], found.per_unit[2]) == (len(plan.sets[0]), len(plan.sets[1]))


@pytest.mark.parametrize(("budget", "most"), [(None, 4 * 20), (50, 50), (10_000, 4 * 20)])
def test_judgements_that_are_allocated_later_are_counted_at_most(budget: int | None, most: int) -> None:
    described = study(20, ("binary",), raters=(), allocation=Allocation(question="binary", most=4, budget=budget))
    table = expectation_table(described, make_plan(described))
    rows = {str(row[0]): row[1] for row in table.rows}
    assert rows["judgements with those allocated later, at most"] == most
