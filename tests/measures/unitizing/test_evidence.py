"""Sampling in batches: progress, and what an interrupt leaves."""

from itertools import count
from multiprocessing import active_children

import pytest

from assent.measures.unitizing import evidence
from assent.measures.unitizing.chance import sampler_of
from assent.measures.unitizing.dissimilarity import Dissimilarity
from assent.measures.unitizing.evidence import Job, gather, shared_out
from assent.measures.unitizing.gamma import gamma, gamma_cat
from assent.measures.unitizing.variants import options
from assent.progress import Progress
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
    results = [gamma(part), gamma_cat(part)]
    assert [result.reason for result in results] == ["interrupted before two chance samples were drawn"] * 2
    assert [result.observed for result in results] == [whole.observed, None]


def test_an_interrupt_of_the_alignment_leaves_bounds() -> None:
    continuum = random_continuum(1, 4, 30, least=30, width=300)
    whole = gather(continuum, CHOSEN)

    def impatient(done: int, total: int) -> None:
        raise KeyboardInterrupt

    part = gather(continuum, CHOSEN, impatient)
    result = gamma(part)
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
    batches = shared_out([job] * 4, 2)
    first, _ = next(batches)
    assert first.tolist() == job.run()[0].tolist()
    with pytest.raises(KeyboardInterrupt):
        batches.throw(KeyboardInterrupt)
    assert not active_children()
