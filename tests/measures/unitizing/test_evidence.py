"""Sampling in batches: progress, and what an interrupt leaves."""

from itertools import count

import pytest

from assent.measures.unitizing import evidence
from assent.measures.unitizing.evidence import Job, gather
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


def test_an_interrupt_before_any_sample_is_passed_on(monkeypatch: pytest.MonkeyPatch) -> None:
    interrupted_after(monkeypatch, 0)
    with pytest.raises(KeyboardInterrupt):
        gather(random_continuum(1, 4, 30, least=30, width=300), CHOSEN)
