"""The study at a glance: design, counts, what is missing, and how the file was read."""

from collections.abc import Sequence

import numpy as np

from assent.diagnosis.findings import named
from assent.diagnosis.material import Material
from assent.model.study import Study
from assent.plots.labels import counted
from assent.report.coefficients import Independence
from assent.report.document import Block, Cell, Grid, Notice, Points, Section, grid

MOST_RATERS = 60  # listed one by one; a crowd is summarised


def glance_section(study: Study, materials: Sequence[Material], independence: Independence) -> Section:
    """Counts of the whole study and of each question."""
    blocks: list[Block] = [_whole(study, materials, independence), _questions(materials), *_raters(materials)]
    if study.notes:
        blocks.append(Points(items=tuple(study.notes)))
    if independence == "not declared":
        blocks.append(
            Notice(
                tone="note",
                text="Whether the raters worked independently of each other is not declared.",
                more=(("What to do", "Say --independent or --not-independent when you write the report."),),
            )
        )
    return Section(key="study", title="The study at a glance", blocks=tuple(blocks))


def _whole(study: Study, materials: Sequence[Material], independence: Independence) -> Grid:
    """What there is, as name and value."""
    rows: list[tuple[Cell, ...]] = [
        ("Units", len(study.unit.labels)),
        ("Raters", len(study.raters)),
        ("Questions", max(len(study.questions), 1)),
        ("Judgements", sum(material.judgements.n_judgements for material in materials)),
        ("Blank values", study.value.n_blank),
        ("Design", _design(materials)),
        ("Raters worked", independence),
        ("Attributes", named(list(study.attributes), most=20) or "none"),
    ]
    return Grid(title="Design and counts", headers=("", "Study"), rows=tuple(rows))


def _design(materials: Sequence[Material]) -> str:
    """Who judged what: everybody everything, or how much of it."""
    filled = [
        material.judgements.n_judgements / max(material.judgements.n_units * material.judgements.n_raters, 1)
        for material in materials
    ]
    if min(filled) == 1:
        return "crossed: every rater judged every unit"
    sizes = np.concatenate([per_unit(material) for material in materials])
    if sizes.min() == sizes.max():
        return f"every unit has {counted(int(sizes[0]), 'judgement')}, not always by the same raters"
    return f"incomplete: {100 * float(np.mean(filled)):.1f} % of all pairs of unit and rater were judged"


def per_unit(material: Material) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """How many judgements each unit has."""
    data = material.judgements
    return np.bincount(data.rows().unit, minlength=data.n_units)


def _questions(materials: Sequence[Material]) -> Grid:
    """One row per question: its scale and its counts."""
    sizes = [per_unit(material) for material in materials]
    columns: dict[str, Sequence[Cell]] = {
        "Question": [material.question for material in materials],
        "Level": [_level(material) for material in materials],
        "Categories": [_categories(material) for material in materials],
        "Units": [int((size > 0).sum()) for size in sizes],
        "Raters": [len(material.tally.used_raters) for material in materials],
        "Judgements": [int(size.sum()) for size in sizes],
        "Fewest per unit": [int(size.min()) if len(size) else 0 for size in sizes],
        "Mean per unit": [float(size.mean()) if len(size) else None for size in sizes],
        "Most per unit": [int(size.max(initial=0)) for size in sizes],
        "Judged once": [int((size == 1).sum()) for size in sizes],
        "Not judged": [int((size == 0).sum()) for size in sizes],
        "Unanimous": [_unanimous(material) for material in materials],
    }
    title = "Questions" if len(materials) > 1 else "Judgements per unit"
    return grid(title, columns)


def _level(material: Material) -> str:
    """The level, and whether it was guessed."""
    return material.scale.level.value + (" (guessed)" if material.scale.is_guessed else "")


def _categories(material: Material) -> str:
    """The categories in order."""
    if material.scale.is_continuous:
        return "any number"
    return f"{len(material.scale.categories)}: {named(material.scale.categories, most=12)}"


def _unanimous(material: Material) -> int:
    """Units with two judgements or more, all of them the same."""
    seen = material.tally.patterns
    if not len(seen.pattern):
        return 0
    starts = np.nonzero(np.diff(seen.pattern, prepend=-1))[0]
    same = np.maximum.reduceat(seen.code, starts) == np.minimum.reduceat(seen.code, starts)
    return int(seen.weights[same & (seen.sizes > 1)].sum())


def _raters(materials: Sequence[Material]) -> list[Grid]:
    """How much each rater judged; of a crowd only the spread."""
    done: dict[str, dict[str | None, int]] = {}
    for material in materials:
        counts = np.bincount(material.judgements.rows().rater, minlength=material.judgements.n_raters)
        for name, n in zip(material.judgements.raters, counts.tolist(), strict=True):
            done.setdefault(name, {})[material.question] = n
    totals = {name: sum(by_question.values()) for name, by_question in done.items()}
    if len(totals) > MOST_RATERS:
        return [_spread(list(totals.values()))]
    columns: dict[str, Sequence[Cell]] = {"Rater": list(done)}
    if len(materials) > 1:
        columns |= {str(m.question): [done[name].get(m.question, 0) for name in done] for m in materials}
    return [grid("Judgements by rater", columns | {"All": list(totals.values())})]


def _spread(totals: list[int]) -> Grid:
    """Minimum, median, mean and maximum of many raters."""
    numbers = np.array(totals)
    rows: tuple[tuple[Cell, ...], ...] = (
        (len(totals), int(numbers.min()), float(np.median(numbers)), float(numbers.mean()), int(numbers.max())),
    )
    return Grid(title="Judgements by rater", headers=("Raters", "Fewest", "Median", "Mean", "Most"), rows=rows)
