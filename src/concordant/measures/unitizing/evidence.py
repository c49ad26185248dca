"""The work behind Gamma: the best alignment of the raters' units and those of the chance samples.

Gamma, Gamma-cat and Gamma-k are all computed from this one object, so asking for all of them costs no more than one.

Continua as chance would make them come from two samplers.

`shuffle` (Mathet, Widlöcher & Métivier 2015, section 5.2): every rater of a sample takes a real rater's units, the
text is cut at a random pivot and the two parts change places; units are never split. Pivots of one sample keep a
distance.

`statistical` (the default of pygamma-agreement): the number of units, the gaps between them and their lengths are drawn
from normal distributions with the means and deviations of the data, the categories from their shares.

The choice moves gamma, so its name travels with every result. Samples are drawn in batches of a fixed size, each from a
random stream of its own: how many workers share the batches cannot change them.
"""

import signal
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, replace
from math import ceil
from multiprocessing import active_children
from typing import Any, Protocol, TypeVar

import numpy as np

from concordant.arrays import Floats, Ints
from concordant.errors import InputError
from concordant.measures.gamma import GammaOptions, gamma
from concordant.measures.spec import Asked
from concordant.measures.unitizing.alignment import (
    Alignment,
    Unfinished,
    alignment_rows,
    best_alignment,
    category_disorders,
)
from concordant.measures.unitizing.units import (
    Dissimilarity,
    Marked,
    Units,
    expand,
    marked,
    matrix_between,
    ordinal_matrix,
    too_few_raters,
    whole_text,
    without_units,
    zero_length,
)
from concordant.model.continuum import Continuum
from concordant.progress import Progress, part, silent
from concordant.randomness import generator

BATCH = 2_000  # units aligned at once, about: enough to spread the fixed cost, few enough for the solvers
BATCH_OF_MANY = 500  # the same for four raters or more, whose cliques are many
T = TypeVar("T")
R = TypeVar("R")
TRIES = 200  # how often a pivot that is too near to another is drawn again before any pivot will do


class Sampler(Protocol):
    """Draws continua that have nothing in common but chance."""

    def draw(self, n_samples: int, random: np.random.Generator) -> Units:
        """Many samples, each a block."""


def batch_size(continuum: Continuum) -> int:
    """How many samples of this continuum are drawn and aligned together; depends on nothing else."""
    units = BATCH if continuum.n_raters <= 3 else BATCH_OF_MANY
    return max(1, units // max(1, continuum.n_units))


def sampler_of(kind: str, continuum: Continuum, *, distance: float, bounds: tuple[float, float]) -> Sampler:
    """The sampler called `kind`; `distance` is the least one between pivots, in mean unit lengths."""
    plain = in_canonical_order(continuum)
    return Shuffle.of(plain, distance, bounds) if kind == "shuffle" else Statistical.of(plain, bounds)


def in_canonical_order(continuum: Continuum) -> Units:
    """The units with raters ordered by their spans and categories by first use, so that names change no sample."""
    spans = [np.flatnonzero(continuum.rater == rater) for rater in range(continuum.n_raters)]
    order = sorted(range(continuum.n_raters), key=lambda r: [*continuum.begin[spans[r]], *continuum.end[spans[r]]])
    units = np.concatenate([spans[rater] for rater in order])
    return Units.of(continuum).take(units, rater=np.argsort(order)[continuum.rater[units]])


@dataclass(frozen=True, eq=False)
class Shuffle:
    """Cut and swap: `distance` is the least distance between two pivots of a sample."""

    units: Units
    low: float
    high: float
    distance: float

    @classmethod
    def of(cls, units: Units, distance: float, bounds: tuple[float, float]) -> "Shuffle":
        """Shuffle these units within the text's bounds."""
        return cls(units, *bounds, distance * float(units.lengths.mean()))

    def draw(self, n_samples: int, random: np.random.Generator) -> Units:
        """Many samples: for every rater a real one, and a pivot by which its units move."""
        n, units = self.units.n_raters, self.units
        source = random.integers(n, size=(n, n_samples))
        shift = self._pivots(n_samples, random).ravel() - self.low
        slot, at = expand(units.starts[source.ravel()], units.starts[source.ravel() + 1])
        move = shift[slot]
        move = np.where(units.begin[at] + move > self.high, move - (self.high - self.low), move)
        begin, end = units.begin[at] + move, units.end[at] + move
        return units.take(at, n_blocks=n_samples, rater=slot // n_samples, begin=begin, end=end, block=slot % n_samples)

    def _pivots(self, n_samples: int, random: np.random.Generator) -> Floats:
        """One pivot per rater and sample; one too near to an earlier pivot of its sample is drawn again."""
        pivots = random.uniform(self.low, self.high, (self.units.n_raters, n_samples))
        for rater in range(1, self.units.n_raters):
            for _ in range(TRIES):
                near = np.flatnonzero((np.abs(pivots[:rater] - pivots[rater]) < self.distance).any(axis=0))
                if len(near) == 0:
                    break
                pivots[rater, near] = random.uniform(self.low, self.high, len(near))
        return pivots


@dataclass(frozen=True, eq=False)
class Statistical:
    """Normal numbers of units, gaps and lengths (mean, deviation), categories by their shares."""

    n_raters: int
    low: float
    size: tuple[float, float]
    gap: tuple[float, float]
    length: tuple[float, float]
    categories: Ints
    shares: Floats

    @classmethod
    def of(cls, units: Units, bounds: tuple[float, float]) -> "Statistical":
        """Fit the normals to these units. A gap of 0 is added, so that a single unit has gaps too."""
        sizes = np.diff(units.starts)
        gaps = np.concatenate([[0.0], *(_gaps(units, rater, bounds[0]) for rater in range(units.n_raters))])
        codes, first, counts = np.unique(units.category, return_index=True, return_counts=True)
        order = np.argsort(first)
        size, gap, length = ((float(each.mean()), float(each.std())) for each in (sizes, gaps, units.lengths))
        return cls(units.n_raters, bounds[0], size, gap, length, codes[order], counts[order] / len(units))

    def draw(self, n_samples: int, random: np.random.Generator) -> Units:
        """Many samples: units follow one another, each after a gap (which may be negative: an overlap)."""
        sizes = np.abs(random.normal(*self.size, (self.n_raters, n_samples)).astype(np.int64))
        sizes[0] = np.maximum(sizes[0], 1)
        counts = sizes.ravel()
        slot = np.repeat(np.arange(len(counts)), counts)
        lengths = self._lengths(len(slot), random)
        ends = np.cumsum(random.normal(*self.gap, len(slot)) + lengths)
        before = np.concatenate([[0.0], ends])[np.cumsum(counts) - counts]
        end = ends - before[slot] + self.low
        return Units(
            n_raters=self.n_raters,
            n_blocks=n_samples,
            rater=slot // n_samples,
            begin=end - lengths,
            end=end,
            category=random.choice(self.categories, len(slot), p=self.shares),
            block=slot % n_samples,
        )

    def _lengths(self, n: int, random: np.random.Generator) -> Floats:
        """Absolute values of normal lengths; one that is next to nothing is drawn again."""
        lengths = np.abs(random.normal(*self.length, n))
        least = 1e-6 * self.length[0]
        while (short := np.flatnonzero(lengths < least)).size:
            lengths[short] = np.abs(random.normal(*self.length, len(short)))
        return lengths


def _gaps(units: Units, rater: int, low: float) -> Floats:
    """The gaps before each of a rater's units; none before a first unit at the text's begin."""
    own = slice(units.starts[rater], units.starts[rater + 1])
    begin, end = units.begin[own], units.end[own]
    gaps: Floats = begin - np.concatenate([[low], end[:-1]])[: len(begin)]
    return gaps[1:] if len(begin) and begin[0] <= low else gaps


@dataclass(frozen=True, kw_only=True, eq=False)
class Evidence(Marked):
    """Observed and chance disorders. In `categories` column 0 is over all categories, column k + 1 for category k."""

    alignment: Alignment
    observed: float
    observed_categories: Floats
    chance: Floats
    chance_categories: Floats
    interrupted: bool

    @property
    def is_unfinished(self) -> bool:
        """Whether an interrupt left too little for a value."""
        return self.alignment.least is not None or (self.interrupted and len(self.chance) < 2)

    def rows(self) -> list[dict[str, Any]]:
        """The best alignment as plain data."""
        return alignment_rows(self.alignment, self.continuum, dissimilarity_of(self.continuum, self.options))

    def signed(self) -> dict[str, str] | None:
        """How many samples an interrupt left; None where these cannot be drawn again by their number."""
        if not self.interrupted:
            return {}
        drawn, batch = len(self.chance), batch_size(self.continuum)
        if self.is_unfinished or min(batch, drawn) != min(batch, self.options.samples):
            return None
        return {"samples": str(drawn), "precision": "none"}


def gathered(data: Continuum, asked: Asked) -> Marked:
    """The evidence for what was asked, without the work where it leads to nothing."""
    plain = marked(data, asked)
    options = replace(asked.options, seed=asked.seed, confidence=asked.confidence)
    kept = plain.continuum
    why = too_few_raters(kept) or without_units(kept) or zero_length(kept)
    if why is not None:
        return replace(plain, options=options, why=why)
    why = whole_text(kept) if options.sampler == "shuffle" else None
    if why is None:
        return gather(kept, options, asked.progress, categories=asked.keys != {gamma.key}, given=data)
    observed = None
    if gamma.key in asked.keys:
        dissimilarity = dissimilarity_of(kept, options)
        observed = float(best_alignment(Units.of(kept), dissimilarity).disorders(dissimilarity)[0])
    return replace(plain, options=options, why=why, observed=observed)


def gather(
    continuum: Continuum,
    options: GammaOptions,
    progress: Progress = silent,
    *,
    categories: bool = True,
    given: Continuum | None = None,
) -> Evidence:
    """Align the raters' units, then chance samples until the precision is reached.

    Gamma alone needs no `categories`: there are then no columns of categorical disorders. An interrupt ends the work:
    the best alignment found so far is kept with its least possible disorder, or the samples done so far.
    """
    dissimilarity = dissimilarity_of(continuum, options)
    n_categories = len(continuum.categories) if categories else None
    try:
        alignment = best_alignment(Units.of(continuum), dissimilarity, part(progress, 0, options.samples))
    except Unfinished as unfinished:
        alignment = unfinished.alignment()
    bounds = (0.0, continuum.bounds[1]) if options.from_zero else continuum.bounds
    sampler = sampler_of(options.sampler, continuum, distance=options.distance, bounds=bounds)
    size = min(batch_size(continuum), options.samples)
    first = Job(sampler, dissimilarity, options, n_categories, size, batch=0)
    chance, (observed, observed_categories) = Chance(first, progress), first.measured(alignment)
    if alignment.least is None:
        chance.sample(options.samples)
        chance.sample(required_samples(chance.found()[0], options))
    disorders, categories_found = chance.found()
    return Evidence(
        given=given or continuum,
        continuum=continuum,
        options=options,
        alignment=alignment,
        observed=float(observed[0]),
        observed_categories=observed_categories[0],
        chance=disorders,
        chance_categories=categories_found,
        interrupted=chance.interrupted or alignment.least is not None,
    )


def dissimilarity_of(continuum: Continuum, options: GammaOptions) -> Dissimilarity:
    """The dissimilarity that the options describe, for this continuum's categories."""
    matrix = None
    if options.matrix == "ordinal":
        matrix = ordinal_matrix(options.order, continuum.categories)
    elif options.matrix != "identity":
        matrix = matrix_between(options.table, continuum.categories, file=options.matrix)
    empty, place = options.delta_empty, options.positional
    return Dissimilarity(alpha=options.alpha, beta=options.beta, delta_empty=empty, place=place, matrix=matrix)


def required_samples(disorders: Floats, options: GammaOptions) -> int:
    """How many samples bring the mean disorder within the precision: (z cv / precision)^2, section 5.3 of the paper."""
    mean = float(disorders.mean()) if len(disorders) else 0.0
    if options.precision is None or mean == 0:
        return len(disorders)
    from scipy.special import ndtri

    z = float(ndtri((1 + options.confidence) / 2))
    return ceil((z * float(disorders.std()) / mean / options.precision) ** 2)


@dataclass(frozen=True, eq=False)
class Job:
    """One batch of samples: everything a worker needs."""

    sampler: Sampler
    dissimilarity: Dissimilarity
    options: GammaOptions
    n_categories: int | None
    n_samples: int
    batch: int

    def run(self, progress: Progress = silent) -> tuple[Floats, Floats]:
        """Draw the batch from its own random stream, align it and measure every sample."""
        units = self.sampler.draw(self.n_samples, generator(self.options.seed, self.batch))
        return self.measured(best_alignment(units, self.dissimilarity, progress))

    def measured(self, alignment: Alignment) -> tuple[Floats, Floats]:
        """Every block's disorder and categorical disorders, if they are asked for."""
        categories = np.zeros((alignment.units.n_blocks, 0))
        if self.n_categories is not None:
            charge = self.options.charge_unaligned
            categories = category_disorders(alignment, self.dissimilarity, self.n_categories, charge_unaligned=charge)
        return alignment.disorders(self.dissimilarity), categories


def shared_out(work: Callable[[T], R], jobs: Sequence[T], workers: int) -> Generator[R, None, None]:
    """What comes of each job, in order, by several processes. Ctrl-C is for the first, which ends the others."""
    others = active_children()
    with ProcessPoolExecutor(workers, initializer=signal.signal, initargs=(signal.SIGINT, signal.SIG_IGN)) as pool:
        handed_in = [pool.submit(work, job) for job in jobs]
        try:
            yield from (done.result() for done in handed_in)
        except BrokenProcessPool:
            what = "a process that shared the work was ended from outside"
            raise InputError(what, hint="memory may have run out: fewer --workers") from None
        except KeyboardInterrupt:
            for worker in set(active_children()).difference(others):
                worker.terminate()
            raise


class Chance:
    """Samples in whole batches like `first`; asking for more goes on where the last call ended."""

    def __init__(self, first: Job, progress: Progress) -> None:
        """Prepare to sample."""
        width = 0 if first.n_categories is None else first.n_categories + 1
        self._first, self._progress, self._wanted = first, progress, 0
        self._batches = [(np.zeros(0), np.zeros((0, width)))]
        self.interrupted = False

    def sample(self, wanted: int) -> None:
        """Sample until there are `wanted` samples, by this process or by several."""
        if self.interrupted or wanted <= self._wanted:
            return
        self._wanted, size, workers = wanted, self._first.n_samples, self._first.options.workers
        n_batches, done = ceil(wanted / size), len(self._batches) - 1
        jobs = [replace(self._first, batch=batch) for batch in range(done, n_batches)]
        alone = (job.run(part(self._progress, job.batch, n_batches)) for job in jobs)
        try:
            for found in alone if workers == 1 or len(jobs) == 1 else shared_out(Job.run, jobs, workers):
                self._batches.append(found)
                self._progress(min(wanted, (len(self._batches) - 1) * size), wanted)
        except KeyboardInterrupt:
            self.interrupted = True

    def found(self) -> tuple[Floats, Floats]:
        """The samples' disorders and categorical disorders, in the order of their drawing."""
        disorders, categories = (np.concatenate(each)[: self._wanted] for each in zip(*self._batches, strict=True))
        return disorders, categories
