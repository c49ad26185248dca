"""The samplers: what is kept, what is random, and that names do not matter."""

from collections.abc import Iterator
from typing import cast

import numpy as np
import pytest
from numpy.typing import NDArray

from assent.arrays import Ints
from assent.measures.unitizing.chance import Shuffle, Statistical, batch_size, in_canonical_order, sampler_of
from assent.measures.unitizing.units import Units
from assent.model.continuum import Continuum
from assent.randomness import generator
from tests.measures.unitizing.oracles import random_continuum


@pytest.fixture
def continuum() -> Continuum:
    return random_continuum(4, 3, 8, least=4, width=100)


def test_shuffling_keeps_every_raters_lengths_and_categories(continuum: Continuum) -> None:
    sampler = Shuffle.of(in_canonical_order(continuum), 1.0, continuum.bounds)
    drawn = sampler.draw(50, generator(1))
    own = {
        tuple(sorted(zip(length, category, strict=True))) for length, category in pieces(in_canonical_order(continuum))
    }
    for sample in range(50):
        for rater in range(3):
            chosen = (drawn.block == sample) & (drawn.rater == rater)
            found = sorted(zip(np.round(drawn.lengths[chosen], 9), drawn.category[chosen], strict=True))
            assert tuple(found) in own


def pieces(units: Units) -> Iterator[tuple[NDArray[np.float64], Ints]]:
    for rater in range(units.n_raters):
        own = units.rater == rater
        yield np.round(units.lengths[own], 9), units.category[own]


def test_shuffling_moves_units_around_the_text(continuum: Continuum) -> None:
    low, high = continuum.bounds
    drawn = Shuffle.of(in_canonical_order(continuum), 1.0, (low, high)).draw(200, generator(2))
    assert drawn.begin.min() >= low
    assert drawn.begin.max() <= high


def test_pivots_keep_their_distance_while_there_is_room(continuum: Continuum) -> None:
    sampler = Shuffle.of(in_canonical_order(continuum), 0.5, (0.0, 1000.0))
    pivots = sampler._pivots(500, generator(3))
    gaps = np.abs(pivots[:, None] - pivots[None]) + 1e9 * np.eye(3)[:, :, None]
    assert gaps.min() >= sampler.distance
    crowded = Shuffle.of(in_canonical_order(continuum), 0.5, (0.0, 0.1))._pivots(5, generator(3))
    assert crowded.shape == (3, 5)


def test_statistical_samples_have_the_datas_numbers(continuum: Continuum) -> None:
    sampler = Statistical.of(in_canonical_order(continuum), continuum.bounds)
    drawn = sampler.draw(3000, generator(4))
    sizes = np.bincount(drawn.block * 3 + drawn.rater, minlength=9000)
    assert sizes.mean() == pytest.approx(continuum.sizes.mean() - 0.5, abs=0.25)
    lengths = continuum.end - continuum.begin
    assert abs(drawn.lengths.mean() - np.abs(lengths).mean()) < 0.35 * lengths.std()
    assert (drawn.lengths > 0).all()
    shares = np.bincount(drawn.category, minlength=3) / len(drawn)
    assert shares == pytest.approx(np.bincount(continuum.category, minlength=3) / continuum.n_units, abs=0.02)


def test_lengths_next_to_nothing_are_drawn_again() -> None:
    class Stuck:
        """Draws a length of zero first."""

        draws = iter([np.array([3.0, 0.0]), np.array([2.0])])

        def normal(self, mean: float, deviation: float, n: int) -> NDArray[np.float64]:
            return next(self.draws)

    sampler = Statistical(2, 0.0, (5.0, 0.0), (1.0, 0.0), (1.0, 1.0), np.array([0]), np.array([1.0]))
    assert sampler._lengths(2, cast(np.random.Generator, Stuck())).tolist() == [3.0, 2.0]


def test_a_rater_without_units_has_no_gaps() -> None:
    continuum = random_continuum(4, 2, 8, least=4).only(["r0"])
    alone = Continuum(
        raters=("r0", "r1"), categories=continuum.categories, rater=continuum.rater, begin=continuum.begin,
        end=continuum.end, category=continuum.category,
    )  # fmt: skip
    sampler = sampler_of("statistical", alone, distance=1.0, bounds=alone.bounds)
    assert len(sampler.draw(10, generator(1))) > 0


@pytest.mark.parametrize("kind", ["shuffle", "statistical"])
def test_names_change_no_sample(continuum: Continuum, kind: str) -> None:
    renamed = Continuum(
        raters=("a", "b", "c"),
        categories=("z", "y", "x"),
        rater=2 - continuum.rater,
        begin=continuum.begin,
        end=continuum.end,
        category=2 - continuum.category,
    )
    one, two = (sampler_of(kind, c, distance=1.0, bounds=c.bounds).draw(5, generator(9)) for c in (continuum, renamed))
    assert one.begin.tolist() == two.begin.tolist()
    assert one.category.tolist() == (2 - two.category).tolist()


def test_batches_depend_on_the_continuum_alone() -> None:
    assert batch_size(random_continuum(1, 2, 5, least=5)) == 200
    assert batch_size(random_continuum(1, 4, 5, least=5)) == 25
