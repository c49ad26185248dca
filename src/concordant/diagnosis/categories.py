"""Which categories raters confuse, how often each is used, how far raters differ in using them and in which direction,
and how uncertain each unit is.

From the coincidence matrix o_ck (all pairs of judgements of one unit, both ways round; Krippendorff 2011):

    specific agreement of c   o_cc / n_c: if one rater says c, how often does another
    confusion of c and k      o_ck against n_c n_k / (n - 1), what chance would give

For two raters and two categories: prevalence index |yes-yes - no-no| / n and bias index |yes-no - no-yes| / n
(Byrt, Bishop & Carlin 1993). A high prevalence index lowers kappa, a high bias index raises it.

Do two raters disagree in one direction? McNemar (1947), exact: of the b + c units on which they differ, b go one way;
under no tendency b is binomial with share 1/2. Stuart (1955) and Maxwell (1970) ask for more than two categories
whether both raters use them equally often: d' S⁻¹ d, chi-squared with K - 1 degrees of freedom.

The entropy of a unit's judgements (Boleda, Schulte im Walde & Badia 2009, 5.2) is 0 when all raters gave one category,
log K when all K categories are equally frequent:

    H(u) = - sum_c p(c|u) log p(c|u)

The base of the logarithm is an option: 2 gives bits. (The document says bits; the numbers in its Table VIII are nats,
base e.)
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from concordant.arrays import Floats
from concordant.diagnosis.association import bowker, sign_test
from concordant.diagnosis.consistency import MOST_PAIRS
from concordant.diagnosis.findings import SURE, Finding, not_by_chance, note
from concordant.diagnosis.material import Material, UnitShares, grouping_attributes, unit_shares
from concordant.digits import brief, counted, decimal, p_text, percent
from concordant.engines.tally import Tally
from concordant.errors import InputError
from concordant.model.columns import Column
from concordant.model.scale import Level
from concordant.uncertainty.significance import WelchTest, welch_anova, welch_t


@dataclass(frozen=True, kw_only=True)
class CategoryUse:
    """One category: its share of all judgements, of each rater's, and how often raters agree on it."""

    category: str
    n_judgements: int
    share: float
    by_rater: tuple[float | None, ...]
    specific_agreement: float | None


@dataclass(frozen=True)
class Confusion:
    """Two categories given to the same units: `share` of all disagreement, `ratio` to what chance would give."""

    first: str
    second: str
    n_pairs: float
    share: float
    ratio: float


@dataclass(frozen=True, kw_only=True)
class Balance:
    """Two raters, two categories: prevalence and bias indices, and kappa adjusted for both (2 A_o - 1)."""

    raters: tuple[str, str]
    prevalence: float
    bias: float
    adjusted_kappa: float


@dataclass(frozen=True, kw_only=True)
class Categories:
    """The use of all categories and the confusions, the largest first."""

    raters: tuple[str, ...]
    uses: tuple[CategoryUse, ...]
    confusions: tuple[Confusion, ...]
    balance: Balance | None


def category_profile(material: Material, *, trust_raters: bool = True) -> Categories | None:
    """How categories are used and confused; None for a continuous scale. Without trust nothing is said by rater."""
    if material.scale.is_continuous:
        return None
    found = unit_shares(material.judgements)
    both = found.coincidences()
    data, totals, n_c = material.tally, found.counts.sum(axis=0), both.sum(axis=1)
    raters = data.used_raters if trust_raters else ()
    by_rater = data.pairs.rater_totals(only_paired=False)
    judged = by_rater.sum(axis=1)
    places = [r for r, name in enumerate(data.raters) if name in raters]
    uses = tuple(
        CategoryUse(
            category=category,
            n_judgements=int(totals[c]),
            share=float(totals[c] / max(totals.sum(), 1)),
            by_rater=tuple(float(by_rater[r, c] / judged[r]) if judged[r] else None for r in places),
            specific_agreement=float(both[c, c] / n_c[c]) if n_c[c] > 0 else None,
        )
        for c, category in enumerate(data.scale.categories)
    )
    balance = None
    if len(raters) == 2 and len(data.scale.categories) == 2 and len(data.pairs.pairs):
        table = data.pairs.tables()[0]
        n = float(table.sum())
        balance = Balance(
            raters=(raters[0], raters[1]),
            prevalence=float(abs(table[1, 1] - table[0, 0]) / n),
            bias=float(abs(table[1, 0] - table[0, 1]) / n),
            adjusted_kappa=float(2 * np.trace(table) / n - 1),
        )
    return Categories(raters=raters, uses=uses, confusions=confusions(found.categories, both), balance=balance)


def confusions(categories: tuple[str, ...], both: Floats) -> tuple[Confusion, ...]:
    """Pairs of categories that stand on one unit, most frequent first."""
    n_c, n = both.sum(axis=1), float(both.sum())
    chance, apart = np.outer(n_c, n_c) / (n - 1), (n - float(np.trace(both))) / 2
    found = []
    for c, k in zip(*np.nonzero(np.triu(both, 1) > 1e-9), strict=True):
        times = float(both[c, k])
        found.append(Confusion(categories[c], categories[k], times, times / apart, float(times / chance[c, k])))
    return tuple(sorted(found, key=lambda one: -one.n_pairs))


SKEWED, MUCH, LEAST_CONFUSED = 0.9, 1.5, 10


def on_categories(question: str | None, level: Level, profile: Categories | None) -> Iterator[Finding]:
    """Categories that are confused more than chance would, and scales used at one place only."""
    from scipy.special import bdtrc

    if profile is None:
        return
    top = max(profile.uses, key=lambda use: use.share, default=None)
    if top is not None and top.share >= SKEWED and top.share < 1:
        yield note(
            kind="skewed-categories",
            seen=f"{top.category!r} takes {percent(top.share)} of all judgements.",
            sure="Counted.",
            advice="Agreement by chance is high then, and kappa low for a few disagreements: report observed agreement "
            "by category, and AC1 or S beside it.",
            evidence={"category": top.category, "share": top.share},
            question=question,
        )
    if not level.is_ordered and len(profile.uses) > 2 and profile.confusions:
        most = profile.confusions[0]
        shares = {use.category: use.share for use in profile.uses}
        other = (1 - sum(share**2 for share in shares.values())) / 2
        expected = shares[most.first] * shares[most.second] / other if other > 0 else 1.0
        p = float(bdtrc(int(most.n_pairs) - 1, round(most.n_pairs / most.share), min(expected, 1.0)))
        if most.n_pairs >= LEAST_CONFUSED and most.share >= MUCH * expected and p < SURE:
            yield note(
                kind="confused-categories",
                seen=f"{most.first!r} and {most.second!r} make up {percent(most.share)} of all disagreement; by their "
                f"frequency they would make up {percent(expected)}.",
                sure=f"Binomial test: {p_text(p)}.",
                advice="Sharpen the border between the two, or merge them and measure again.",
                evidence={"categories": [most.first, most.second], "share": most.share, "expected": expected, "p": p},
                question=question,
            )


@dataclass(frozen=True)
class Direction:
    """Two raters: their contingency table, how often each gives more of a category alone, and the test."""

    raters: tuple[str, str]
    categories: tuple[str, ...]
    table: tuple[tuple[int, ...], ...]
    only_first: tuple[int, ...]
    only_second: tuple[int, ...]
    method: str
    statistic: float | None
    freedom: int
    p: float | None
    reason: str | None = None
    symmetry: tuple[float, int, float] | None = None  # Bowker's chi-square, degrees of freedom and p

    @property
    def n_units(self) -> int:
        """Units that both judged."""
        return sum(map(sum, self.table))

    @property
    def n_apart(self) -> int:
        """Units on which they differ."""
        return sum(self.only_first)


def directions(data: Tally) -> tuple[Direction, ...]:
    """One result for each rater pair with common units (the first few hundred pairs of a crowd)."""
    if data.scale.is_continuous:
        return ()
    both = zip(data.pairs.pairs[:MOST_PAIRS].tolist(), data.pairs.tables()[:MOST_PAIRS], strict=True)
    return tuple(
        direction(table, (data.raters[one], data.raters[two]), data.scale.categories)
        for (one, two), table in both
        if table.sum() > 0
    )


def direction(table: Floats, raters: tuple[str, str], categories: tuple[str, ...]) -> Direction:
    """Test a table of counts: rows are the first rater's categories."""
    counts = np.asarray(table, dtype=np.float64)
    whole, apart = counts.astype(int), (counts - np.diag(np.diag(counts))).astype(int)
    test = mcnemar(counts) if len(counts) == 2 else stuart_maxwell(counts)
    first, second = (tuple(apart.sum(axis=axis).tolist()) for axis in (1, 0))
    rows = tuple(map(tuple, whole.tolist()))
    return Direction(raters, categories, rows, first, second, *test, symmetry=bowker(counts))


Test = tuple[str, float | None, int, float | None, str | None]


def mcnemar(table: Floats) -> Test:
    """The exact binomial test on the two cells of disagreement."""
    method = "McNemar's exact test, two-sided"
    b, c = float(table[0, 1]), float(table[1, 0])
    if b + c == 0:
        return method, None, 1, None, "the two raters never disagree"
    return method, min(b, c), 1, sign_test(b, c), None


def stuart_maxwell(table: Floats) -> Test:
    """Marginal homogeneity; categories that neither uses apart from the other have no say."""
    from scipy.special import chdtrc

    method = "Stuart-Maxwell test"
    apart = table - np.diag(np.diag(table))
    used = apart.sum(axis=0) + apart.sum(axis=1) > 0
    apart = apart[np.ix_(used, used)]
    if len(apart) < 2:
        return method, None, 0, None, "the two raters never disagree"
    d = (apart.sum(axis=1) - apart.sum(axis=0))[:-1]
    s = (np.diag(apart.sum(axis=0) + apart.sum(axis=1)) - apart - apart.T)[:-1, :-1]
    if np.linalg.matrix_rank(s) < len(s):
        return method, None, len(s), None, "too few disagreements between some categories for the test"
    statistic = float(d @ np.linalg.solve(s, d))
    return method, statistic, len(s), float(chdtrc(len(s), statistic)), None


def on_directions(found: Sequence[tuple[str | None, Direction]]) -> Iterator[Finding]:
    """Disagreements that go one way."""
    tested = [((question, one), one.p) for question, one in found if one.p is not None]
    for (question, one), p in not_by_chance(tested):
        c = int(np.argmax(np.abs(np.array(one.only_first) - np.array(one.only_second))))
        first, second = one.raters
        yield note(
            kind="direction",
            seen=f"{first} and {second} disagree in one direction: only {first} says {one.categories[c]!r} in "
            f"{one.only_first[c]:,} units, only {second} in {one.only_second[c]:,}.",
            sure=f"{one.method}, corrected for {counted(len(tested), 'test')}: {p_text(p)}.",
            advice="Disagreement in one direction is a difference in standards, not noise: settle border cases.",
            evidence={"only_first": one.only_first, "only_second": one.only_second, "p": one.p, "p_holm": p},
            question=question,
            raters=one.raters,
        )


def entropy(shares: ArrayLike, *, base: float = 2.0) -> Floats:
    """The entropy of proportions along the last axis.

    >>> float(entropy([0.5, 0.5]))
    1.0
    """
    if base <= 1:
        raise InputError(f"{brief(base)} cannot be the base of entropy", hint="use 2 for bits, 2.718281828 for nats")
    p = np.asarray(shares, dtype=np.float64)
    return np.asarray(-(p * np.log(np.where(p > 0, p, 1.0))).sum(axis=-1) / np.log(base)) + 0.0


@dataclass(frozen=True)
class UnitEntropy:
    """One unit: its entropy, how many judged it, and the share of each category."""

    unit: str
    entropy: float
    n_judgements: int
    shares: tuple[float, ...]


@dataclass(frozen=True, kw_only=True)
class EntropyGroup:
    """The entropies of the units with one value of an attribute."""

    value: str
    n_units: int
    mean: float
    sd: float
    entropies: tuple[float, ...]


@dataclass(frozen=True, kw_only=True)
class EntropyTest:
    """Whether mean entropy differs between the values of an attribute; `test` is None if it cannot be tested."""

    attribute: str
    groups: tuple[EntropyGroup, ...]
    test: WelchTest | None = None
    reason: str | None = None


@dataclass(frozen=True, kw_only=True)
class Entropies:
    """All units with at least two judgements, the most uncertain first, and tests by attribute."""

    base: float
    categories: tuple[str, ...]
    units: tuple[UnitEntropy, ...]
    tests: tuple[EntropyTest, ...] = ()

    @property
    def most(self) -> int:
        """The largest number of judgements of a unit."""
        return max((unit.n_judgements for unit in self.units), default=0)

    @property
    def mean(self) -> float | None:
        """The mean over units."""
        return float(np.mean([unit.entropy for unit in self.units])) if self.units else None

    @property
    def highest_possible(self) -> float:
        """The entropy of equally frequent categories."""
        return float(np.log(max(len(self.categories), 1)) / np.log(self.base))


def unit_entropies(
    material: Material, *, base: float = 2.0, attributes: Sequence[str] | None = None
) -> Entropies | None:
    """Entropy unit by unit and by attribute (the grouping ones unless named); None for a continuous scale."""
    if material.scale.is_continuous:
        return None
    found = unit_shares(material.judgements)
    paired, values, tests = found.sizes > 1, entropy(found.shares, base=base), []
    for name in grouping_attributes(material) if attributes is None else attributes:
        if name not in material.unit_attributes:
            material.study.column(name)
            raise InputError(f"{name!r} is not an attribute of units", hint="entropy is known per unit, not per rater")
        tests.append(entropy_by(name, material.unit_attributes[name], found, values, paired))
    order = np.lexsort((np.arange(len(values)), -values))
    units = [
        UnitEntropy(found.units[i], float(values[i]), int(found.sizes[i]), tuple(found.shares[i].tolist()))
        for i in order[paired[order]].tolist()
    ]
    return Entropies(base=base, categories=found.categories, units=tuple(units), tests=tuple(tests))


def entropy_by(name: str, column: Column, found: UnitShares, values: Floats, paired: NDArray[np.bool_]) -> EntropyTest:
    """Mean entropy for each value of an attribute, with Welch's test."""
    codes = np.where(paired, column.codes[found.places], -1)
    parts = [(label, values[codes == code]) for code, label in enumerate(column.labels) if (codes == code).any()]
    groups = tuple(
        EntropyGroup(
            value=label,
            n_units=len(part),
            mean=float(part.mean()),
            sd=float(part.std(ddof=1)) if len(part) > 1 else 0.0,
            entropies=tuple(map(float, part)),
        )
        for label, part in parts
    )
    samples = [part for _, part in parts]
    try:
        test = welch_t(*samples) if len(samples) == 2 else welch_anova(samples)
    except InputError as error:
        return EntropyTest(attribute=name, groups=groups, reason=str(error))
    return EntropyTest(attribute=name, groups=groups, test=test)


def on_entropy(found: Sequence[tuple[str | None, Entropies | None]]) -> Iterator[Finding]:
    """Attributes that go with the uncertainty of units; with two raters per unit slices say the same, and better."""
    tests = [(question, one) for question, part in found if part is not None and part.most > 2 for one in part.tests]
    tested = [((question, one, one.test), one.test.p) for question, one in tests if one.test is not None]
    for (question, one, test), p in not_by_chance(tested):
        ordered = sorted(one.groups, key=lambda group: -group.mean)
        hard, easy = (f"{decimal(g.mean, 2)} where it is {g.value!r}" for g in (ordered[0], ordered[-1]))
        yield note(
            kind="entropy",
            seen=f"Units differ in difficulty by {one.attribute!r}: mean entropy {hard}, {easy}.",
            sure=f"{test.method}: {test.text}; corrected for {counted(len(tested), 'test')}: {p_text(p)}.",
            advice="Read the units with the highest entropy of the hardest group first.",
            evidence={"attribute": one.attribute, "means": {g.value: g.mean for g in one.groups}, "p_holm": p},
            question=question,
        )
