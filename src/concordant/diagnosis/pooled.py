"""All rater pairs of a question together, where single pairs judged too few units to be read by themselves.

Ten units say nothing about one pair; twenty-one pairs on the same ten units, or nine pairs on a batch each, may say
much (Amidei, Piwek & Willis 2019: a pilot of ten items and seven judges; QG-STEC, where two judges share a batch).
The statistic is S, concordant less discordant pairs of units, summed over all rater pairs; two units are compared only
within a batch, that is among the units judged by the same raters, so that batches may differ in level. Each rater's
values are shuffled within each batch, independently of the others: then every S has mean 0 and no two are correlated.
Large batches, where shuffling takes long, have the normal distribution with the exact variance of S (Kendall 1970,
chapter 4), which S comes to there.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from concordant.arrays import Floats
from concordant.diagnosis.consistency import Consistency
from concordant.diagnosis.consistency import Verdict as Reading
from concordant.diagnosis.findings import Finding, note
from concordant.diagnosis.material import Material
from concordant.diagnosis.slices import as_ordered
from concordant.digits import counted, decimal, p_text
from concordant.measures.correlation import tau_b
from concordant.measures.result import Agreement
from concordant.randomness import generator
from concordant.uncertainty.estimate import measure

DRAWS = 1999
MOST_STEPS = 5_000_000  # comparisons of two units, over all draws of a batch
MOST_CELLS = 2_000_000
SURE = 0.05


@dataclass(frozen=True, kw_only=True)
class Pooled:
    """What all pairs say together: the mean tau-b with its interval, and the p of the test that pools them."""

    question: str | None
    n_pairs: int
    n_undecided: int
    n_units: int
    n_batches: int
    correlation: Agreement
    p: float


def pooled(material: Material, consistency: Consistency, *, seed: int = 0) -> Pooled | None:
    """The test of all pairs together; None where pairs can be read by themselves, or values have no order."""
    n_undecided = consistency.verdicts.get(Reading.UNDECIDED, 0)
    ordered, data = as_ordered(material.tally), material.judgements
    if n_undecided < 2 or ordered is None or data.n_units * data.n_raters > MOST_CELLS:
        return None
    rows = data.rows()
    scores = rows.value if ordered.scale.is_continuous else ordered.positions[rows.value]
    cells = np.full((data.n_units, data.n_raters), np.nan)
    cells[rows.unit, rows.rater] = scores
    batches = batches_of(cells)
    return Pooled(
        question=material.question,
        n_pairs=len(consistency.pairs) + consistency.n_pairs_left_out,
        n_undecided=n_undecided,
        n_units=sum(len(batch) for batch in batches),
        n_batches=len(batches),
        correlation=measure(ordered, tau_b.key, ci="jackknife", seed=seed, question=material.question),
        p=pooled_p(batches, seed=seed),
    )


def batches_of(cells: Floats) -> list[Floats]:
    """The units that the same raters judged, a matrix units × raters each; those that can be compared."""
    masks, place = np.unique(~np.isnan(cells), axis=0, return_inverse=True)
    parts = (cells[place.reshape(-1) == number][:, mask] for number, mask in enumerate(masks))
    return [part for part in parts if min(part.shape) > 1]


def pooled_p(batches: list[Floats], *, seed: int = 0) -> float:
    """How often shuffled judgements covary as much as these, two-sided."""
    random = generator(seed)
    observed, drawn, variance = 0.0, np.zeros(DRAWS), 0.0
    for batch in batches:
        n, k = batch.shape
        observed += float(surplus(batch[None])[0])
        if n * (n - 1) // 2 * k * DRAWS > MOST_STEPS:
            variance += variance_of(batch)
            continue
        shuffled = np.broadcast_to(batch, (DRAWS, n, k))
        drawn += surplus(random.permuted(shuffled, axis=1))
    drawn += random.normal(0.0, np.sqrt(variance), DRAWS)
    return float((1 + (np.abs(drawn) >= abs(observed) - 1e-9).sum()) / (1 + DRAWS))


def surplus(cells: Floats) -> Floats:
    """Concordant less discordant pairs of units, over all pairs of raters, of each matrix (draws, units, raters).

    >>> surplus(np.array([[[1, 1, 1], [2, 2, 2], [3, 3, 1]]], dtype=float)).tolist()
    [3.0]
    """
    n = cells.shape[1]
    total = np.zeros(len(cells))
    for lag in range(1, n):
        signs = np.sign(cells[:, lag:] - cells[:, :-lag])
        total += ((signs.sum(axis=2) ** 2 - (signs**2).sum(axis=2)) / 2).sum(axis=1)
    return total


def variance_of(batch: Floats) -> float:
    """The variance of the surplus when every rater's values are shuffled, ties and all: the sum over rater pairs."""
    n = len(batch)
    sizes = [np.unique(column, return_counts=True)[1].astype(float) for column in batch.T]
    twice = np.array([(t * (t - 1)).sum() for t in sizes])
    thrice = np.array([(t * (t - 1) * (t - 2)).sum() for t in sizes])
    spread = np.array([(t * (t - 1) * (2 * t + 5)).sum() for t in sizes])
    one, other = np.triu_indices(len(sizes), 1)
    found = (n * (n - 1) * (2 * n + 5) - spread[one] - spread[other]) / 18
    found += twice[one] * twice[other] / (2 * n * (n - 1))
    if n > 2:
        found += thrice[one] * thrice[other] / (9 * n * (n - 1) * (n - 2))
    return float(found.sum())


def on_pooled(found: Pooled | None) -> Iterator[Finding]:
    """What can be said of all pairs where little can be said of one."""
    if found is None:
        return
    many = f"{found.n_undecided:,} of {counted(found.n_pairs, 'rater pair')} judged too few units to be read alone"
    tau, where = found.correlation, "" if found.n_batches == 1 else f" in {found.n_batches:,} batches"
    size = "has no value" if tau.value is None else decimal(tau.value, 2)
    ends = "" if tau.interval is None else f" [{decimal(tau.interval.low, 2)}, {decimal(tau.interval.high, 2)}]"
    reading = tau.interpret()
    read = f", {reading.label} ({reading.benchmark})" if reading else ""
    is_sure = found.p < SURE
    together = "all pairs together covary" if is_sure and (tau.value or 0) > 0 else "all pairs together show no order"
    if is_sure and (tau.value or 0) < 0:
        together = "all pairs together go against each other"
    yield note(
        kind="pooled",
        seen=f"{many}; {together}: mean tau-b {size}{ends}{read}.",
        sure=f"Permutation test over {counted(found.n_units, 'unit')}{where}, all pairs pooled: {p_text(found.p)}.",
        advice="Speak of the raters as a whole, not of single pairs; who stands apart needs more common units."
        if is_sure
        else "Judge more common units before anything is said about these raters.",
        evidence={"p": found.p, tau_b.key: tau.value, "n_pairs": found.n_pairs, "n_undecided": found.n_undecided}
        | {"n_units": found.n_units, "n_batches": found.n_batches},
        question=found.question,
    )
