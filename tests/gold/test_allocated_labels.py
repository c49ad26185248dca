"""What allocation saves, simulated: as much as the published prototype of the rule, and nothing where it saves nothing."""

import numpy as np
import pytest

from concordant.errors import InputError
from concordant.gold.allocated_labels import plan_labels
from concordant.randomness import generator


def pilot(a: float, b: float, n: int = 400, votes: int = 5) -> list[list[str]]:
    """Invented units whose share of yes is drawn from Beta(a, b)."""
    random = generator(3)
    shares = random.beta(a, b, size=n)
    found: list[list[str]] = np.where(random.random((n, votes)) < shares[:, None], "yes", "no").tolist()
    return found


# What an independent program of the rule finds, of 120 studies each with known shares: .42, .37, .47, .31.
@pytest.mark.parametrize(("a", "b", "saved"), [(0.5, 0.5, 0.42), (1, 1, 0.37), (0.3, 1.5, 0.47), (4, 4, 0.31)])
def test_labels_cost_a_third_to_a_half_less(a: float, b: float, saved: float) -> None:
    found = plan_labels(pilot(a, b), 5, seed=1)
    assert found.saved == pytest.approx(saved, abs=0.05)
    assert found.is_worth_it
    assert found.saved_range is not None
    assert found.saved_range[0] < saved + 0.02


def test_the_same_seed_gives_the_same() -> None:
    rows = pilot(1, 1, n=60)
    assert plan_labels(rows, 5, seed=4) == plan_labels(rows, 5, seed=4)
    assert plan_labels(rows, 5).to_dict()["worth_it"] in (True, False)


def test_a_rule_that_stops_early_says_that_it_does_not_get_there() -> None:
    found = plan_labels(pilot(4, 4, n=100), 15, seed=1, sure=0.6)
    assert found.needed is None
    assert found.saved is None
    assert not found.is_worth_it


@pytest.mark.parametrize("votes", [2, 16])
def test_what_leaves_nothing_to_allocate_is_refused(votes: int) -> None:
    with pytest.raises(InputError, match="nothing to allocate"):
        plan_labels(pilot(1, 1, n=20), votes, seed=1)


def test_a_pilot_without_differences_is_refused() -> None:
    with pytest.raises(InputError, match="several judgements and two categories"):
        plan_labels([["yes", "yes"]] * 5, 5, seed=1)
