"""Simulate how often 95 % intervals contain the true value, and write docs/explanation/coverage.md.

python scripts/coverage_map.py [--simulations 1000] [--draws 1000]

Every interval is made by `estimate`, as users get it. One process, some tens of minutes; progress goes to stderr.
"""

import itertools
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import click
import numpy as np
from numpy.typing import NDArray

from concordant.engines.patterns import patterns_of_cells
from concordant.engines.tally import Tally, tally
from concordant.measures.result import Agreement
from concordant.model.judgements import Judgements
from concordant.model.scale import Level, make_scale
from concordant.randomness import generator
from concordant.uncertainty.estimate import estimate
from concordant.uncertainty.request import ask

PAGE = Path(__file__).parent.parent / "docs" / "explanation" / "coverage.md"
SIZES = (20, 30, 50, 100)
UNSURE, MORE = 0.94, 4  # where less is covered four times as many studies are simulated


@dataclass(frozen=True, kw_only=True)
class Case:
    """Raters who know the category with probability `skill` and else guess by prevalence; the last one may lean."""

    name: str
    n_raters: int
    prevalence: tuple[float, ...]
    skill: float
    lean: float = 0.0
    keys: tuple[str, ...] = ("kappa", "pi", "ac1")
    level: str = "nominal"

    @property
    def patterns(self) -> NDArray[np.int64]:
        """All that a unit can get."""
        return np.array(list(itertools.product(range(len(self.prevalence)), repeat=self.n_raters)))

    def shares(self) -> NDArray[np.float64]:
        """How often each pattern occurs in the population."""
        prevalence, total = np.array(self.prevalence), np.zeros(len(self.patterns))
        guess = np.tile(prevalence, (self.n_raters, 1))
        guess[-1] = (1 - self.lean) * guess[-1] + self.lean * np.eye(len(prevalence))[0]
        for c, share in enumerate(prevalence):
            answer = (1 - self.skill) * guess + self.skill * np.eye(len(prevalence))[c]
            total += share * np.prod([answer[i, self.patterns[:, i]] for i in range(self.n_raters)], axis=0)
        return total

    def data(self, times: NDArray[np.float64]) -> Tally:
        """The tally in which each pattern occurs so often."""
        names = [str(c + 1) for c in range(len(self.prevalence))]
        seen = times > 0
        return Tally(
            scale=make_scale(names, level=Level(self.level), categories=names),
            raters=tuple(f"rater {i + 1}" for i in range(self.n_raters)),
            patterns=patterns_of_cells(self.patterns[seen], times[seen]),
            n_units=int(times.sum()),
        )


EVEN, RARE, FOUR = (0.5, 0.5), (0.95, 0.05), (0.25,) * 4
MANY = ("conger", "pi", "ac1")
CASES = (
    Case(name="2 even categories, κ .90", n_raters=2, prevalence=EVEN, skill=0.95),
    Case(name="2 even categories, κ .98", n_raters=2, prevalence=EVEN, skill=0.99),
    Case(name="2 even categories, κ .49", n_raters=2, prevalence=EVEN, skill=0.7),
    Case(name="5 % and 95 %, κ .64", n_raters=2, prevalence=RARE, skill=0.8),
    Case(name="5 % and 95 %, κ .90", n_raters=2, prevalence=RARE, skill=0.95),
    Case(name="2 even categories, κ .90", n_raters=3, prevalence=EVEN, skill=0.95, keys=MANY),
    Case(name="5 % and 95 %, κ .64", n_raters=3, prevalence=RARE, skill=0.8, keys=MANY),
    Case(name="5 % and 95 %, κ .90", n_raters=5, prevalence=RARE, skill=0.95, keys=MANY),
    Case(name="4 even categories, κ .49", n_raters=3, prevalence=FOUR, skill=0.7, keys=MANY),
    Case(name="70, 20, 5, 5 %, κ .64", n_raters=2, prevalence=(0.7, 0.2, 0.05, 0.05), skill=0.8),
    Case(name="8 even categories, κ .81", n_raters=2, prevalence=(0.125,) * 8, skill=0.9),
    Case(name="2 even categories, one rater leans", n_raters=2, prevalence=EVEN, skill=0.8, lean=0.7),
    Case(
        name="5 ordered categories, quadratic weights",
        n_raters=2,
        prevalence=(0.1, 0.2, 0.4, 0.2, 0.1),
        skill=0.8,
        keys=("weighted_kappa_quadratic", "pi", "ac2"),
        level="ordinal",
    ),
)


@dataclass
class Cell:
    """How often an interval contained the truth, how wide it was, how often the value was undefined or it missing."""

    covered: list[bool] = field(default_factory=list)
    widths: list[float] = field(default_factory=list)
    undefined: int = 0
    missing: int = 0

    def add(self, result: Agreement, truth: float) -> None:
        """Count one study."""
        if result.value is None:
            self.undefined += 1
        elif result.interval is None:
            self.missing += 1
        else:
            self.covered.append(result.interval.low - 1e-9 <= truth <= result.interval.high + 1e-9)
            self.widths.append(result.interval.width)

    @property
    def share(self) -> float:
        """The share of studies with a value and an interval that contains the truth."""
        return float(np.mean(self.covered)) if self.covered else float("nan")

    @property
    def width(self) -> float:
        """The mean width."""
        return float(np.mean(self.widths)) if self.widths else float("nan")

    def text(self) -> str:
        """Coverage, and how many had no interval if any."""
        lost = self.missing / max(self.missing + len(self.covered), 1)
        return f"{self.share:.3f}" + (f" ({lost:.0%} none)" if lost >= 0.005 else "")


def of_categories(case: Case, n: int, key: str, ci: str, simulations: int, draws: int) -> Cell:
    """One cell: studies of n units drawn from the population of a case."""
    shares, cell = case.shares(), Cell()
    options = {"weights": "quadratic"} if case.level == "ordinal" and key == "pi" else {}
    how = {"resamples": draws, **options}
    truth = float(estimate(case.data(shares * 2.0**40), ask(key, ci="none", seed=0, **options)))
    random, known = generator(20, CASES.index(case) if case in CASES else 99, n), {}
    for number in range(MORE * simulations if ci == "auto" else simulations):
        if number == simulations and cell.share >= UNSURE:
            break
        times = random.multinomial(n, shares).astype(np.float64)
        if (drawn := times.tobytes()) not in known:  # studies that are alike have one interval
            known[drawn] = estimate(case.data(times), ask(key, ci=ci, seed=number, **how))
        cell.add(known[drawn], truth)
    return cell


def scores(random: np.random.Generator, n: int, r: int, share: float, skewed: bool) -> NDArray[np.float64]:
    """Units × raters, of whose variance this share is the units'."""
    units = random.exponential(size=n) - 1 if skewed else random.normal(size=n)
    found: NDArray[np.float64] = np.sqrt(share) * units[:, None] + np.sqrt(1 - share) * random.normal(size=(n, r))
    return found


def of_numbers(n: int, r: int, share: float, skewed: bool, key: str, ci: str, simulations: int, draws: int) -> Cell:
    """One cell of numbers: the truth is the share of the variance that is the units'."""
    random, cell = generator(21, n, r, round(100 * share), skewed), Cell()
    for number in range(simulations):
        data = Judgements.from_matrix(scores(random, n, r, share, skewed), level="interval")
        cell.add(estimate(data, ask(key, ci=ci, seed=number, resamples=draws)), share)
    return cell


@dataclass(frozen=True, kw_only=True)
class Panel:
    """Scores = unit + rater + rest with these variances; of all that raters could judge a share is filled."""

    n: int
    r: int
    filled: float
    units: float
    raters: float
    rest: float
    skewed: bool = False

    @property
    def truth(self) -> float:
        """The dependability of one rater."""
        return self.units / (self.units + self.raters + self.rest)

    def scores(self, random: np.random.Generator) -> NDArray[np.float64]:
        """Units × raters, NaN where nothing was judged; every unit has two judgements or more."""
        units = random.exponential(size=(self.n, 1)) - 1 if self.skewed else random.normal(size=(self.n, 1))
        raters, rest = random.normal(size=self.r), random.normal(size=(self.n, self.r))
        y = np.sqrt(self.units) * units + np.sqrt(self.raters) * raters + np.sqrt(self.rest) * rest
        seen = random.random(y.shape) < self.filled
        seen[seen.sum(axis=1) < 2, :2] = True
        return np.where(seen, y, np.nan)


PANELS = (
    Panel(n=20, r=2, filled=1, units=1, raters=0.2, rest=0.5),
    Panel(n=50, r=2, filled=1, units=1, raters=0, rest=0.1),
    Panel(n=20, r=3, filled=1, units=1, raters=0.2, rest=0.5),
    Panel(n=30, r=5, filled=1, units=1, raters=0.1, rest=0.3),
    Panel(n=20, r=4, filled=0.8, units=1, raters=0, rest=0.1),
    Panel(n=30, r=6, filled=0.6, units=1, raters=0.2, rest=0.5),
    Panel(n=30, r=5, filled=0.6, units=0.3, raters=0.1, rest=1),
    Panel(n=50, r=10, filled=0.4, units=1, raters=0.1, rest=1),
    Panel(n=100, r=20, filled=0.2, units=1, raters=0.3, rest=0.5),
    Panel(n=20, r=3, filled=1, units=1, raters=0.2, rest=0.5, skewed=True),
    Panel(n=50, r=3, filled=1, units=1, raters=0.2, rest=0.5, skewed=True),
    Panel(n=100, r=3, filled=1, units=1, raters=0.2, rest=0.5, skewed=True),
)


def of_panel(panel: Panel, ci: str, simulations: int) -> Cell:
    """One cell of variance components; the truth is the share of the variance that is the units'."""
    random, cell = generator(24, PANELS.index(panel)), Cell()
    for number in range(simulations):
        data = Judgements.from_matrix(panel.scores(random), level="interval")
        cell.add(estimate(data, ask("icc_a1", ci=ci, seed=number)), panel.truth)
    return cell


def of_pairs(n: int, rho: float, key: str, simulations: int, draws: int, ci: str = "auto") -> Cell:
    """One cell of correlations: normal scores of two raters, those of gamma and tau-b cut into five categories."""
    random, cell, is_cut = generator(25, n, round(100 * rho)), Cell(), key in ("gk_gamma", "tau_b")

    def drawn(random: np.random.Generator, n: int) -> NDArray[np.float64]:
        both = random.multivariate_normal([0, 0], [[1, rho], [rho, 1]], n)
        return np.digitize(both, CUTS).astype(np.float64) if is_cut else both

    exact = {"pearson": rho, "lin_ccc": rho, "spearman": 6 / np.pi * np.arcsin(rho / 2)}
    many = Judgements.from_matrix(drawn(generator(26), 2_000_000 if is_cut else 2), level="interval")
    truth = exact[key] if key in exact else float(estimate(tally(many), ask(key, ci="none", seed=0)))
    for number in range(simulations):
        data = Judgements.from_matrix(drawn(random, n), level="interval")
        cell.add(estimate(data, ask(key, ci=ci, seed=number, resamples=draws)), truth)
    return cell


CUTS = (-0.84, -0.25, 0.25, 0.84)  # fifths of the normal distribution


def clustered(random: np.random.Generator, n_clusters: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Two raters' judgements of texts of 1 to 8 units, easy and hard texts; and the text of each unit."""
    text = np.repeat(np.arange(n_clusters), random.integers(1, 9, n_clusters))
    share, skill = random.beta(1, 1, n_clusters)[text], random.choice([0.5, 0.95], n_clusters)[text]
    truth = random.random(len(text)) < share
    guess = random.random((len(text), 2)) < share[:, None]
    knows = random.random((len(text), 2)) < skill[:, None]
    return np.where(knows, truth[:, None], guess).astype(np.int64), text


def of_clusters(n_clusters: int, key: str, ci: str, together: bool, simulations: int, draws: int) -> Cell:
    """One cell of clusters; the truth is that of 200,000 texts."""
    random, cell = generator(22, n_clusters), Cell()
    many = Judgements.from_matrix(clustered(generator(23), 200_000)[0], level="nominal", categories=[0, 1])
    truth = float(estimate(tally(many), ask(key, ci="none", seed=0)))
    for number in range(simulations):
        cells, text = clustered(random, n_clusters)
        data = Judgements.from_matrix(cells, level="nominal", categories=[0, 1])
        data = data.with_clusters([f"t{t}" for t in text], "texts") if together else data
        cell.add(estimate(data, ask(key, ci=ci, seed=number, resamples=draws)), truth)
    return cell


def table(head: list[str], rows: list[list[str]]) -> str:
    """A table in Markdown."""
    return "\n".join(f"| {' | '.join(row)} |" for row in [head, ["---"] * len(head), *rows])


def tables(page: str) -> list[str]:
    """The tables of a page in Markdown."""
    return re.findall(r"(?m)(?:^\|.*\|$\n?)+", page)


def category_rows(simulations: int, draws: int) -> Iterator[list[str]]:
    """For every case: the default at each size and its width, then the bootstrap."""
    for case in CASES:
        for key in case.keys:
            usual = [of_categories(case, n, key, "auto", simulations, draws) for n in SIZES]
            before = [of_categories(case, n, key, "bootstrap", simulations, draws) for n in (20, 50)]
            lost = usual[0].undefined / (usual[0].undefined + len(usual[0].covered))
            shown = [*(one.text() for one in usual), f"{usual[0].width:.2f}", f"{lost:.0%}"]
            yield [case.name, str(case.n_raters), key, *shown, *(one.text() for one in before)]
            print(case.name, case.n_raters, key, [one.text() for one in usual], file=sys.stderr, flush=True)


NUMBERS = tuple(itertools.product((20, 50), ((2, 0.9), (2, 0.5), (4, 0.9), (4, 0.5)), (False, True)))


def number_rows(key: str, ci: str, simulations: int, draws: int) -> Iterator[list[str]]:
    """For every kind of numbers: one interval, its width, then the bootstrap."""
    for n, (r, share), skewed in NUMBERS:
        usual, before = (of_numbers(n, r, share, skewed, key, one, simulations, draws) for one in (ci, "bootstrap"))
        kind = "skewed" if skewed else "normal"
        yield [str(n), str(r), f"{share:.1f}", kind, usual.text(), f"{usual.width:.2f}", before.text()]
        print(key, n, r, share, kind, usual.text(), file=sys.stderr, flush=True)


def panel_rows(simulations: int) -> Iterator[list[str]]:
    """For every design: the default and its width, and in complete ones the F distribution."""
    for panel in PANELS:
        usual = of_panel(panel, "auto", simulations)
        analytic = of_panel(panel, "analytic", simulations).text() if panel.filled == 1 else ""
        kind = "skewed" if panel.skewed else "normal"
        design = [str(panel.n), str(panel.r), f"{panel.filled:.0%}", f"{panel.truth:.2f}", kind]
        yield [*design, usual.text(), f"{usual.width:.2f}", analytic]
        print("components", design, usual.text(), analytic, file=sys.stderr, flush=True)


def pair_rows(simulations: int, draws: int) -> Iterator[list[str]]:
    """For every correlation: the default at several sizes and its width, then the bootstrap."""
    for key, rho in itertools.product(("pearson", "spearman", "lin_ccc", "tau_b", "gk_gamma"), (0.5, 0.9, 0.98)):
        how = {"simulations": simulations // 2, "draws": draws // 2}
        cells = [of_pairs(n, rho, key, **how) for n in (10, 20, 50)]
        before = [of_pairs(n, rho, key, **how, ci="bootstrap").text() for n in (10, 20)]
        yield [key, f"{rho:.2f}", *(cell.text() for cell in cells), f"{cells[1].width:.2f}", *before]
        print(key, rho, [cell.text() for cell in cells], before, file=sys.stderr, flush=True)


def cluster_rows(simulations: int, draws: int) -> Iterator[list[str]]:
    """For numbers of clusters: the default and the bootstrap over them, and the default over units."""
    for n, key in itertools.product((20, 40, 60), ("kappa", "alpha")):
        how = {"simulations": simulations, "draws": draws}
        cells = [
            of_clusters(n, key, ci, together, **how)
            for ci, together in (("auto", True), ("bootstrap", True), ("auto", False))
        ]
        yield [str(n), key, *(cell.text() for cell in cells)]
        print("clusters", n, key, [cell.text() for cell in cells], file=sys.stderr, flush=True)


KINDS = ("categories", "alpha", "icc", "components", "correlations", "clusters")


@click.command()
@click.option("--simulations", default=1000)
@click.option("--draws", default=1000)
@click.option("--keep", multiple=True, type=click.Choice(KINDS), help="Tables that stay as they are on the page.")
def main(simulations: int, draws: int, keep: tuple[str, ...]) -> None:
    """Simulate all cells and write the page."""
    kept = dict(zip(KINDS, tables(PAGE.read_text(encoding="utf-8")), strict=True)) if keep else {}
    sizes, width = [f"n {n}" for n in SIZES], "width, n 20"
    head = ["population", "raters", "measure", *sizes, width, "undefined, n 20", "bootstrap, n 20", "n 50"]
    numeric = ["n", "raters", "true value", "units", "default", "width", "bootstrap"]
    panels = ["n", "raters", "filled", "true value", "units", "default", "width", "analytic"]
    words = ["texts", "measure", "default over texts", "bootstrap over texts", "over units"]
    made: dict[str, Callable[[], str]] = {
        "categories": lambda: table(head, list(category_rows(simulations, draws))),
        "alpha": lambda: table(numeric, list(number_rows("alpha", "auto", simulations, draws))),
        "icc": lambda: table(
            [*numeric[:4], "analytic", *numeric[5:]], list(number_rows("icc_a1", "analytic", simulations, draws))
        ),
        "components": lambda: table(panels, list(panel_rows(simulations))),
        "correlations": lambda: table(
            ["measure", "correlation", "n 10", "n 20", "n 50", width, "bootstrap, n 10", "n 20"],
            list(pair_rows(simulations, draws)),
        ),
        "clusters": lambda: table(words, list(cluster_rows(simulations, draws))),
    }
    written = {name: kept[name].rstrip("\n") if name in keep else make() for name, make in made.items()}
    every = coverages(written["categories"])
    PAGE.write_text(
        TEXT.format(
            simulations=f"{simulations:,}",
            draws=f"{draws:,}",
            error=f"{np.sqrt(0.95 * 0.05 / simulations):.3f}",
            cells=len(every),
            least=f"{every.min():.3f}",
            most=f"{every.max():.3f}",
            middle=f"{np.median(every):.3f}",
            within=f"{np.mean((every >= 0.93) & (every <= 0.97)):.0%}",
            below=int((every < 0.93).sum()),
            **written,
        ),
        encoding="utf-8",
    )


def coverages(page: str) -> NDArray[np.float64]:
    """What the default covers in each cell of the table of categories."""
    rows = [row.strip("| ").split(" | ") for row in page.splitlines()[2:]]
    return np.array([float(cell.split()[0]) for row in rows for cell in row[3 : 3 + len(SIZES)]])


TEXT = """<!-- made by scripts/coverage_map.py: do not edit -->

# Do the intervals cover?

A 95 % interval should contain the true value in 95 of 100 studies. This page says how often it does: the interval that
you get by default (`--ci auto`), and the percentile bootstrap, which was the default before and still is that of
rank correlations from 30 units on. Every cell is {simulations} simulated studies with {draws} draws each; its Monte
Carlo error is {error}. Where the default covered less than .94 of them, three times as many more were simulated.

## Categories: the pattern posterior

Raters know a unit's category with a certain probability and else guess by the shares of the categories. Coverage is
counted among the studies in which the value is defined; `none` is the share of these without an interval. The true
value is that of the population, computed from the shares of all patterns.

Over {cells} cells coverage lies between {least} and {most} (median {middle}); {within} of the cells lie between .93 and
.97, and {below} of them below. Above .97 it is mostly where a disagreement, or a category, is expected only once or
twice: the interval is wide then, and that is what the data allow.

{categories}

## Numbers: the hull of two jackknives

Krippendorff's alpha of interval data; units are normal or skewed (exponential), and the true value is their share of
the variance. Of more skewed units (lognormal, sigma .75) with four raters the interval covers .84 to .91. Fewer degrees
of freedom for heavy tails hardly help (.85 to .91): it misses where no unit of the long tail was drawn, which the data
cannot show. Where they show it, the interval covers .96 or more.

{alpha}

## Intraclass correlations

ICC(A,1) of the same studies by the F distribution (`--ci analytic`), which rests on normal scores. The default,
generalized pivots, allows for skewed units.

{icc}

## Variance components

ICC(A,1), which is the dependability of one rater, with raters of different levels, in complete and in sparse designs:
the default, generalized pivots. With two raters hardly anything is known of how much raters differ, so that the
interval is wide. The F distribution knows complete designs only.

{components}

## Correlations

Two raters whose scores are normal; those of tau-b and gamma are cut into five categories; half as many studies and
draws. The default is the hull of two jackknives for Pearson's correlation and Lin's concordance. For ranks it is the
percentile bootstrap, but the pattern posterior for fewer than 30 units in up to ten categories: where nearly all units
are in order, percentiles know of no other order, and miss. The posterior is wide there. Where 69 % of the units are of
the first of five categories it covers .88 to 1.00 (10 to 29 units, two and three raters, correlations of 0 to .98, 300
studies of each), and the percentile bootstrap .47 to .75 of ten units with a correlation of .9. From 30 units on gamma
is still covered too rarely where nearly all units are in order (.98; .79 of 30 units): there the posterior covers .99.

{correlations}

## Units that belong together

Texts of 1 to 8 units, half of them easy and half hard, two raters. The last column draws every unit alone: that is the
price of forgetting that units belong together.

{clusters}

## Not simulated

Light's kappa, gamma of spans and treebank measures in small samples; raters drawn together with units. Notes say so
where there are fewer than 30 units.
"""

if __name__ == "__main__":
    main()
