"""Sampling in batches: what the samplers draw, progress, and what an interrupt leaves."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from multiprocessing import active_children
from typing import cast

import numpy as np
import pytest
from numpy.typing import NDArray

from concordant.arrays import Ints
from concordant.measures.evaluation import evaluate
from concordant.measures.gamma import gamma, gamma_cat, options
from concordant.measures.unitizing import evidence
from concordant.measures.unitizing.evidence import (
    Job,
    Shuffle,
    Statistical,
    batch_size,
    gather,
    in_canonical_order,
    sampler_of,
    shared_out,
)
from concordant.measures.unitizing.units import Dissimilarity, Units
from concordant.model.continuum import Continuum
from concordant.progress import Progress
from concordant.randomness import generator
from tests.measures.unitizing.oracles import random_continuum

CHOSEN = options(samples=12, precision="none", seed=3)


def test_progress_is_reported_batch_by_batch() -> None:
    seen: list[tuple[int, int]] = []
    gather(random_continuum(1, 4, 30, least=30, width=300), CHOSEN, lambda done, total: seen.append((done, total)))
    assert seen[-1] == (12, 12)
    assert len(seen) > 1


def interrupted_after(monkeypatch: pytest.MonkeyPatch, batches: int) -> None:
    """Let the user press Ctrl-C in a later batch."""
    run, calls = Job.run, count()

    def impatient(job: Job, progress: Progress) -> object:
        if next(calls) >= batches:
            raise KeyboardInterrupt
        return run(job, progress)

    monkeypatch.setattr(evidence.Job, "run", impatient)


def test_an_interrupt_keeps_the_samples_done(monkeypatch: pytest.MonkeyPatch) -> None:
    continuum = random_continuum(1, 4, 30, least=30, width=300)
    whole = gather(continuum, CHOSEN)
    interrupted_after(monkeypatch, 2)
    part = gather(continuum, options(samples=12, precision="high", seed=3))
    assert part.interrupted
    assert 2 <= len(part.chance) < 12
    assert part.chance.tolist() == whole.chance[: len(part.chance)].tolist()


def test_an_interrupt_before_two_samples_leaves_the_observed_disorder(monkeypatch: pytest.MonkeyPatch) -> None:
    continuum = random_continuum(1, 4, 30, least=30, width=300)
    whole = gather(continuum, CHOSEN)
    interrupted_after(monkeypatch, 0)
    part = gather(continuum, CHOSEN)
    assert part.interrupted
    assert part.observed == whole.observed
    assert len(part.chance) == 0
    results = [evaluate(gamma, part), evaluate(gamma_cat, part)]
    assert [result.reason for result in results] == ["interrupted before two chance samples were drawn"] * 2
    assert [result.observed for result in results] == [whole.observed, None]


def test_an_interrupt_of_the_alignment_leaves_bounds() -> None:
    continuum = random_continuum(1, 4, 30, least=30, width=300)
    whole = gather(continuum, CHOSEN)

    def impatient(done: int, total: int) -> None:
        raise KeyboardInterrupt

    part = gather(continuum, CHOSEN, impatient)
    result = evaluate(gamma, part)
    low, high = result.details["observed_between"]
    assert low <= whole.observed <= high
    assert result.observed is None
    assert f"between {low:.4f} and {high:.4f}" in str(result.reason)
    assert len(part.chance) == 0


def test_workers_end_with_an_interrupt() -> None:
    job = Job(
        sampler_of("shuffle", random_continuum(1, 4, 30, least=30), distance=1.0, bounds=(0.0, 60.0)),
        Dissimilarity(),
        CHOSEN,
        None,
        3,
        0,
    )
    batches = shared_out(Job.run, [job] * 4, 2)
    first, _ = next(batches)
    assert first.tolist() == job.run()[0].tolist()
    with pytest.raises(KeyboardInterrupt):
        batches.throw(KeyboardInterrupt)
    assert not active_children()


def test_what_an_interrupt_left_is_signed_only_if_it_can_be_drawn_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whole batches can: by their number. Less than a batch, or nothing, cannot."""
    continuum = random_continuum(1, 4, 30, least=30, width=300)
    assert gather(continuum, CHOSEN).signed() == {}
    whole = gather(random_continuum(1, 2, 5, least=5), CHOSEN)  # a batch is 200 samples
    interrupted_after(monkeypatch, 2)
    part = gather(continuum, CHOSEN)
    assert part.signed() == {"samples": str(len(part.chance)), "precision": "none"}
    nothing = replace(part, chance=part.chance[:0])
    assert nothing.is_unfinished
    assert nothing.signed() is None
    assert replace(whole, interrupted=True).signed() == {"samples": "12", "precision": "none"}
    assert replace(whole, interrupted=True, chance=whole.chance[:7]).signed() is None


def test_the_samples_are_those_of_the_batches_and_no_more() -> None:
    continuum = random_continuum(1, 4, 30, least=30, width=300)
    found = gather(continuum, CHOSEN)
    size = batch_size(continuum)
    sampler = sampler_of("shuffle", continuum, distance=1.0, bounds=continuum.bounds)
    jobs = [
        Job(sampler, evidence.dissimilarity_of(continuum, CHOSEN), CHOSEN, len(continuum.categories), size, batch)
        for batch in range(2)
    ]
    first, second = (job.run() for job in jobs)
    assert found.chance[: 2 * size].tolist() == [*first[0], *second[0]][:12]
    assert found.chance_categories.shape == (12, len(continuum.categories) + 1)
    assert found.chance_categories[:size] == pytest.approx(first[1], nan_ok=True)


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


def three_raters() -> Units:
    """Five units by hand: two raters with two, one with one that begins where the text does."""
    return Units(
        n_raters=3,
        n_blocks=1,
        rater=np.array([0, 0, 1, 1, 2]),
        begin=np.array([12.0, 30.0, 15.0, 50.0, 10.0]),
        end=np.array([20.0, 34.0, 21.0, 60.0, 13.0]),
        category=np.array([2, 0, 2, 2, 1]),
        block=np.zeros(5, dtype=np.int64),
    )


def test_a_shuffled_sample_one_unit_after_the_other() -> None:
    """Every rater takes a real rater's units, moved by the pivot; what begins behind the end starts at the front."""
    units, low, high, n = three_raters(), 10.0, 60.0, 40
    sampler = Shuffle(units, low, high, 6.2)
    drawn, random = sampler.draw(n, generator(5)), generator(5)
    source = random.integers(3, size=(3, n))
    pivots = sampler._pivots(n, random)
    expected = []
    for rater in range(3):
        for sample in range(n):
            for unit in np.flatnonzero(units.rater == source[rater, sample]):
                begin = units.begin[unit] + pivots[rater, sample] - low
                begin -= (high - low) if begin > high else 0
                end = begin + units.end[unit] - units.begin[unit]
                expected.append((rater, sample, begin, end, units.category[unit]))
    found = list(zip(drawn.rater, drawn.block, drawn.begin, drawn.end, drawn.category, strict=True))
    assert np.array(sorted(found)) == pytest.approx(np.array(sorted(expected)))
    assert (drawn.n_raters, drawn.n_blocks) == (3, n)


def test_the_distance_of_pivots_is_counted_in_mean_lengths() -> None:
    sampler = Shuffle.of(three_raters(), 0.5, (10.0, 60.0))
    assert sampler.distance == pytest.approx(0.5 * (8 + 4 + 6 + 10 + 3) / 5)
    assert (sampler.low, sampler.high) == (10.0, 60.0)


def test_normals_are_fitted_to_sizes_gaps_and_lengths() -> None:
    """Gaps: a first 0, then before every unit, but not before one that begins with the text."""
    found = Statistical.of(three_raters(), (10.0, 60.0))
    gaps, lengths, sizes = np.array([0, 2, 10, 5, 29]), np.array([8, 4, 6, 10, 3]), np.array([2, 2, 1])
    assert (found.n_raters, found.low) == (3, 10.0)
    assert found.gap == pytest.approx((gaps.mean(), gaps.std()))
    assert found.length == pytest.approx((lengths.mean(), lengths.std()))
    assert found.size == pytest.approx((sizes.mean(), sizes.std()))
    assert found.categories.tolist() == [2, 0, 1]
    assert found.shares.tolist() == pytest.approx([0.6, 0.2, 0.2])


def test_a_statistical_sample_one_unit_after_the_other() -> None:
    sampler, n = Statistical.of(three_raters(), (10.0, 60.0)), 30
    drawn, random = sampler.draw(n, generator(6)), generator(6)
    sizes = np.abs(random.normal(*sampler.size, (3, n)).astype(int))
    sizes[0] = np.where(sizes[0] == 0, 1, sizes[0])
    total = int(sizes.sum())
    lengths = sampler._lengths(total, random)
    gaps = random.normal(*sampler.gap, total)
    categories = random.choice(sampler.categories, total, p=sampler.shares)
    at = 0
    for rater in range(3):
        for sample in range(n):
            here = 10.0
            for _ in range(sizes[rater, sample]):
                here += gaps[at]
                assert drawn.begin[at] == pytest.approx(here)
                here += lengths[at]
                assert drawn.end[at] == pytest.approx(here)
                assert (drawn.rater[at], drawn.block[at], drawn.category[at]) == (rater, sample, categories[at])
                at += 1
    assert len(drawn) == total == at


def test_a_batch_holds_one_sample_at_least() -> None:
    many = random_continuum(1, 2, 3000, least=2500, width=1e5)
    assert batch_size(many) == 1
    assert batch_size(random_continuum(1, 3, 5, least=5)) == 2000 // 15
    assert batch_size(random_continuum(1, 2, 5, least=5).only([])) == 2000
