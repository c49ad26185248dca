"""Weights, ranks and systems as blocks, and the whole chain from features to systems as one document."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from concordant.digits import BLANK, counted, decimal, interval_text, p_cell
from concordant.report.document import Block, Document, Paragraph, Points, Section
from concordant.report.grid import Cell, Grid, grid, listed, table

if TYPE_CHECKING:
    from concordant.gold.from_features import Chain
    from concordant.gold.ranks import RankedResponses
    from concordant.gold.systems import SystemComparison, SystemDifference
    from concordant.gold.weights import FeatureWeight, Weights

ROWS_SHOWN = 20


def weights_grid(found: "Weights", title: str = "") -> Grid:
    """One row for each feature."""
    columns: dict[str, str | Callable[[FeatureWeight], Cell]] = {
        "Feature": "feature",
        "Preferred": lambda one: whole(one.preferred),
        "Dispreferred": lambda one: whole(one.dispreferred),
        "Net": lambda one: whole(one.net),
        "Weight": lambda one: one.rounded or BLANK,
        "Interval": lambda one: interval_text(one.interval),
        "Logistic": "logistic",
    }
    return listed(title, found.features, columns)


def whole(number: float) -> int | float:
    """Counts without decimals."""
    return int(number) if number == int(number) else number


def weights_notes(found: "Weights") -> Iterator[str]:
    """How many decisions there were, and what else a reader should know."""
    used = found.n_decisions - found.n_same
    yield f"{found.n_decisions:,} decisions, {found.n_same:,} ruled same and left out, {used:,} used"
    if found.reason:
        yield f"no weights: {found.reason}"
    if found.slot is not None:
        shift = decimal(found.slot, 2)
        yield f"the slot A alone shifts the log odds by {shift} (0 means that the slot does not matter)"
    agreed = found.agreement
    if agreed is not None and agreed.value is not None and agreed.observed is not None and agreed.expected is not None:
        yield (
            f"raters agree on the choices: observed {decimal(agreed.observed)}, chance {decimal(agreed.expected)}, "
            f"{agreed.name} {decimal(agreed.value)} on {agreed.n_units:,} pairs"
        )
    yield from found.notes


def raters_grid(found: "Mapping[str | None, Weights]", title: str = "") -> Grid:
    """The weights of all raters together and of each alone, side by side."""
    names = [one.feature for one in next(iter(found.values())).features]
    columns: dict[str, Sequence[Cell]] = {"Feature": [*names, "decisions", "ruled same"]}
    for rater, own in found.items():
        cells = [f"{one.rounded or BLANK} [{interval_text(one.interval)}]" for one in own.features]
        columns[rater or "all raters"] = [*cells, str(own.n_decisions), str(own.n_same)]
    return grid(title, columns, notes=["weight [interval from drawing whole pairs anew]"])


def ranking_blocks(found: "RankedResponses", *, most: int = ROWS_SHOWN) -> Iterator[Block]:
    """The responses, every system item by item, and the systems against each other."""
    rows = [(row["item"], row["unit"], row["score"], row["rank"]) for row in found.ranking.rows()]
    more = len(rows) - most
    notes = [f"{more:,} more responses; -o FILE writes all"] if more > 0 else []
    yield table("", ("Item", "Response", "Score", "Rank"), rows[:most], notes=notes)
    for one in found.systems:
        yield system_grid(one, most)
    if found.differences:
        yield differences_grid(found.differences)


def system_grid(one: "SystemComparison", most: int = ROWS_SHOWN) -> Grid:
    """A system against the ranking: the means over items, all responses, then item by item."""
    means: list[tuple[Cell, Cell]] = [(cell.value, interval_text(cell.interval)) for cell in one.means.values()]
    means = means or [(None, BLANK)] * 2
    rows: list[tuple[Cell, ...]] = [
        ("mean over items", None, *means[0], *means[1]),
        ("all responses", one.whole.n_units, one.whole.spearman.value, BLANK, one.whole.tau_b.value, BLANK),
    ]
    for part in one.items[:most]:
        both = ((own.value, interval_text(own.interval)) for own in (part.spearman, part.tau_b))
        rows.append((part.item or "", part.n_units, *(cell for pair in both for cell in pair)))
    notes = [f"{one.n_undefined} items without a value left out of the means: no two scores differ"]
    further = [f"{len(one.items) - most:,} more items; --json has all"] if len(one.items) > most else []
    headers = ("Item", "Responses", "Spearman", "interval", "Tau-b", "interval ")
    return table(
        f"{one.system} against the ranking", headers, rows, notes=[*(notes if one.n_undefined else []), *further]
    )


def differences_grid(found: "Sequence[SystemDifference]") -> Grid:
    """Two systems against each other, item by item."""
    columns: dict[str, str | Callable[[SystemDifference], Cell]] = {
        "System": "first",
        "less": "second",
        "Coefficient": "name",
        "Items": "n_items",
        "Difference": lambda one: one.difference.value if one.difference else None,
        "Interval": lambda one: interval_text(one.difference.interval if one.difference else None),
        "p": lambda one: p_cell(one.p, one.error),
        "p (Holm)": "p_corrected",
    }
    how = "mean over the items where both have a value; p: signs of the differences turned over, two-sided"
    return listed("Systems against each other", found, columns, notes=[how])


def chain_document(found: "Chain", source: str = "") -> Document:
    """Every step of the chain as a section."""
    vectors, used, ranking = found.vectors, found.weights[found.only], found.ranked.ranking
    whose = f"the preferences of {found.only}" if found.only else "the preferences of all raters"
    made = (
        f"{int(vectors.is_known.sum()):,} of {counted(len(vectors.units), 'response')} have a vector "
        f"({vectors.basis}); {vectors.n_distinct:,} vectors differ."
    )
    paired = f"{counted(found.n_pairs, 'pair')} of {counted(found.n_paired, 'response')}."
    titled: dict[str, tuple[str, Sequence[Block]]] = {
        "features": ("Features: do raters agree on them?", [agreement_grid(found)]),
        "vectors": ("Vectors: one value for each response and feature", [Paragraph(text=made)]),
        "preferences": (
            "Pairs and preferences",
            [Paragraph(text=paired), Points(items=tuple(weights_notes(found.weights[None])))],
        ),
        "weights": ("Weights, rater by rater", [raters_grid(found.weights)]),
        "ranks": (f"Scores and ranks by {whose}", [*ranking_blocks(found.ranked), others_grid(found)]),
        "notes": ("What else to know", [Points(items=found.notes)]),
    }
    weights = ", ".join(f"{name} {weight:g}" for name, weight in used.as_mapping().items())
    return Document(
        title=f"From features to ranks{f': {source}' if source else ''}",
        subtitle=f"{counted(len(ranking.units), 'response')} in {counted(len(ranking.items), 'item')}, by {weights}",
        sections=tuple(
            Section(key=key, title=f"{number}. {title}", blocks=tuple(blocks))
            for number, (key, (title, blocks)) in enumerate(titled.items(), 1)
        ),
    )


def agreement_grid(found: "Chain") -> Grid:
    """How far raters agree on each feature."""
    headers = ("Feature", "Units", "Observed", "Chance", found.agreement[0].name, "interval")
    rows = [
        (one.question, one.n_units, one.observed, one.expected, one.value, interval_text(one.interval))
        for one in found.agreement
    ]
    notes = [f"{one.question}: {one.reason}" for one in found.agreement if one.reason]
    return table("", headers, rows, notes=notes)


def others_grid(found: "Chain") -> Grid:
    """How far the ranking by another rater's weights is the same."""
    rows = [(one.rater, *(own.value for own in one.means.values())) for one in found.by_rater if one.means]
    return table("By the weights of another rater: means over items", ("Rater", "Spearman", "Tau-b"), rows)
