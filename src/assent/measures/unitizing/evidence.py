"""The work behind Gamma: the best alignment of the raters' units and those of the chance samples.

Gamma, Gamma-cat and Gamma-k are all computed from this one object, so asking for all of them costs no more than one.
"""

import signal
from collections.abc import Generator, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from math import ceil
from multiprocessing import active_children

import numpy as np

from assent.arrays import Floats
from assent.measures.unitizing.alignment import Alignment, Unfinished, best_alignment
from assent.measures.unitizing.categories import category_disorders
from assent.measures.unitizing.chance import Sampler, batch_size, sampler_of
from assent.measures.unitizing.dissimilarity import Dissimilarity, matrix_between, ordinal_matrix
from assent.measures.unitizing.units import Units
from assent.measures.unitizing.variants import Options
from assent.model.continuum import Continuum
from assent.progress import Progress, part, silent
from assent.randomness import generator


@dataclass(frozen=True, kw_only=True, eq=False)
class Evidence:
    """Observed and chance disorders. In `categories` column 0 is over all categories, column k + 1 for category k."""

    continuum: Continuum
    options: Options
    alignment: Alignment
    observed: float
    observed_categories: Floats
    chance: Floats
    chance_categories: Floats
    interrupted: bool


def gather(continuum: Continuum, options: Options, progress: Progress = silent, *, categories: bool = True) -> Evidence:
    """Align the raters' units, then chance samples until the precision is reached.

    Gamma alone needs no `categories`: there are then no columns of categorical disorders. An interrupt ends the work:
    the best alignment found so far is kept with its least possible disorder, or the samples done so far.
    """
    dissimilarity = dissimilarity_of(continuum, options)
    n_categories = len(continuum.categories) if categories else None
    alignment = _align(continuum, dissimilarity, part(progress, 0, options.samples))
    observed, observed_categories = _measure(alignment, dissimilarity, options, n_categories)
    chance = _Chance(continuum, options, dissimilarity, n_categories, progress)
    if alignment.least is None:
        chance.sample(options.samples)
        chance.sample(required_samples(chance.disorders(), options))
    return Evidence(
        continuum=continuum,
        options=options,
        alignment=alignment,
        observed=float(observed[0]),
        observed_categories=observed_categories[0],
        chance=chance.disorders(),
        chance_categories=chance.categories(),
        interrupted=chance.interrupted or alignment.least is not None,
    )


def _align(continuum: Continuum, dissimilarity: Dissimilarity, progress: Progress) -> Alignment:
    """The best alignment of the raters' units, or the best one found before an interrupt."""
    try:
        return best_alignment(Units.of(continuum), dissimilarity, progress)
    except Unfinished as unfinished:
        return unfinished.alignment()


def dissimilarity_of(continuum: Continuum, options: Options) -> Dissimilarity:
    """The dissimilarity that the options describe, for this continuum's categories."""
    matrix = None
    if options.matrix == "ordinal":
        matrix = ordinal_matrix(options.order, continuum.categories)
    elif options.matrix != "identity":
        matrix = matrix_between(options.table, continuum.categories, file=options.matrix)
    return Dissimilarity(
        alpha=options.alpha,
        beta=options.beta,
        delta_empty=options.delta_empty,
        place=options.positional,
        matrix=matrix,
    )


def required_samples(disorders: Floats, options: Options) -> int:
    """How many samples bring the mean disorder within the precision: (z cv / precision)^2, section 5.3 of the paper."""
    mean = float(disorders.mean()) if len(disorders) else 0.0
    if options.precision is None or mean == 0:
        return len(disorders)
    from scipy.special import ndtri

    z = float(ndtri((1 + options.confidence) / 2))
    return ceil((z * float(disorders.std()) / mean / options.precision) ** 2)


def _measure(
    alignment: Alignment, dissimilarity: Dissimilarity, options: Options, n_categories: int | None
) -> tuple[Floats, Floats]:
    """Every block's disorder and categorical disorders, if they are asked for."""
    if n_categories is None:
        return alignment.disorders(dissimilarity), np.zeros((alignment.units.n_blocks, 0))
    categories = category_disorders(alignment, dissimilarity, n_categories, charge_unaligned=options.charge_unaligned)
    return alignment.disorders(dissimilarity), categories


@dataclass(frozen=True, eq=False)
class Job:
    """One batch of samples: everything a worker needs."""

    sampler: Sampler
    dissimilarity: Dissimilarity
    options: Options
    n_categories: int | None
    n_samples: int
    batch: int

    def run(self, progress: Progress = silent) -> tuple[Floats, Floats]:
        """Draw the batch from its own random stream, align it and measure every sample."""
        units = self.sampler.draw(self.n_samples, generator(self.options.seed, self.batch))
        alignment = best_alignment(units, self.dissimilarity, progress)
        return _measure(alignment, self.dissimilarity, self.options, self.n_categories)


def shared_out(jobs: list[Job], workers: int) -> Generator[tuple[Floats, Floats], None, None]:
    """The batches in order, by several processes. Ctrl-C is for the first process, which ends the others."""
    others = active_children()
    with ProcessPoolExecutor(workers, initializer=signal.signal, initargs=(signal.SIGINT, signal.SIG_IGN)) as pool:
        handed_in = [pool.submit(Job.run, job) for job in jobs]
        try:
            yield from (batch.result() for batch in handed_in)
        except KeyboardInterrupt:
            for worker in set(active_children()).difference(others):
                worker.terminate()
            raise


class _Chance:
    """Samples in whole batches; asking for more goes on where the last call ended."""

    def __init__(
        self,
        continuum: Continuum,
        options: Options,
        dissimilarity: Dissimilarity,
        n_categories: int | None,
        progress: Progress,
    ) -> None:
        """Prepare to sample."""
        bounds = (0.0, continuum.bounds[1]) if options.from_zero else continuum.bounds
        self._sampler = sampler_of(options.sampler, continuum, distance=options.distance, bounds=bounds)
        self._size = min(batch_size(continuum), options.samples)
        self._dissimilarity, self._options, self._progress = dissimilarity, options, progress
        self._n_categories = n_categories
        self._found: list[tuple[Floats, Floats]] = []
        self._wanted = 0
        self.interrupted = False

    def sample(self, wanted: int) -> None:
        """Sample until there are `wanted` samples."""
        if self.interrupted or wanted <= self._wanted:
            return
        self._wanted = wanted
        batches = range(len(self._found), ceil(wanted / self._size))
        try:
            for found in self._run([self._job(batch) for batch in batches]):
                self._found.append(found)
                self._progress(min(wanted, len(self._found) * self._size), wanted)
        except KeyboardInterrupt:
            self.interrupted = True

    def disorders(self) -> Floats:
        """The samples' disorders, in the order of their drawing."""
        return np.concatenate([np.zeros(0), *(disorders for disorders, _ in self._found)])[: self._wanted]

    def categories(self) -> Floats:
        """The samples' categorical disorders."""
        width = 0 if self._n_categories is None else self._n_categories + 1
        return np.concatenate([np.zeros((0, width)), *(categories for _, categories in self._found)])[: self._wanted]

    def _job(self, batch: int) -> Job:
        """The batch with this number."""
        return Job(self._sampler, self._dissimilarity, self._options, self._n_categories, self._size, batch)

    def _run(self, jobs: list[Job]) -> Iterator[tuple[Floats, Floats]]:
        """The batches in order, by this process or by several."""
        if self._options.workers == 1 or len(jobs) == 1:
            n_batches = ceil(self._wanted / self._size)
            yield from (job.run(part(self._progress, job.batch, n_batches)) for job in jobs)
            return
        yield from shared_out(jobs, self._options.workers)
