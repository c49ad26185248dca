"""The study at a glance: design, counts, what is missing, and how the file was read."""

from collections import Counter
from collections.abc import Sequence

import numpy as np

from concordant.arrays import Ints
from concordant.diagnosis.findings import named
from concordant.diagnosis.material import Material
from concordant.digits import counted, per_cent
from concordant.model.continuum import Continuum
from concordant.report.document import Block, Notice, Points
from concordant.report.facts import JudgementFacts, RaterReport, SpanFacts
from concordant.report.grid import Cell, Grid, grid, place_columns, table
from concordant.report.sections import SectionMaker

MOST_RATERS = 60  # listed one by one; a crowd is summarised


def blocks(facts: JudgementFacts | SpanFacts) -> list[Block]:
    """What there is, of judgements or of spans, then what was remarked when the data were read."""
    if isinstance(facts, SpanFacts):
        return [*tables_of_spans(facts), *remarks(facts.options.notes, facts.options)]
    return [*tables_of_judgements(facts), *remarks(facts.study.notes, facts.options)]


def tables_of_judgements(facts: JudgementFacts) -> list[Grid]:
    """Counts of the whole study, of each question and each rater."""
    study, materials = facts.study, facts.materials
    whole = [
        ("Units", len(study.unit.labels)),
        ("Raters", len(study.raters)),
        ("Questions", max(len(study.questions), 1)),
        ("Judgements", sum(material.judgements.n_judgements for material in materials)),
        ("Blank values", study.value.n_blank),
        ("Design", design_text(materials)),
        ("Raters worked", facts.options.independence),
        ("Attributes", named(list(study.attributes), most=20) or "none"),
    ]
    return [
        table("Design and counts", ("", "Study"), whole),
        questions_judged(materials),
        raters_of_judgements(materials),
    ]


def remarks(notes: Sequence[str], options: RaterReport) -> list[Block]:
    """What was remarked when the data were read, and what the authors have not declared."""
    told: list[Block] = [Points(items=tuple(notes))] if notes else []
    if options.independent is None:
        text = "Whether the raters worked independently of each other is not declared."
        hint = "Say --independent or --not-independent when you write the report."
        told.append(Notice(tone="note", text=text, more=(("What to do", hint),)))
    return told


def design_text(materials: Sequence[Material]) -> str:
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
    share = per_cent(float(np.mean(filled)))
    return f"incomplete: {share} of all pairs of unit and rater were judged"


def per_unit(material: Material) -> Ints:
    """How many judgements each unit has."""
    data = material.judgements
    return np.bincount(data.rows().unit, minlength=data.n_units)


def questions_judged(materials: Sequence[Material]) -> Grid:
    """One row per question: its scale, whether its level was guessed, and its counts."""
    sizes, scales = [per_unit(material) for material in materials], [material.scale for material in materials]
    columns: dict[str, Sequence[Cell]] = {
        "Question": [material.question for material in materials],
        "Level": [scale.level.value + (" (guessed)" if scale.is_guessed else "") for scale in scales],
        "Categories": [
            "any number" if scale.is_continuous else f"{len(scale.categories)}: {named(scale.categories, most=12)}"
            for scale in scales
        ],
        "Units": [int((size > 0).sum()) for size in sizes],
        "Raters": [len(material.tally.used_raters) for material in materials],
        "Judgements": [int(size.sum()) for size in sizes],
        "Fewest per unit": [int(size.min()) if len(size) else 0 for size in sizes],
        "Mean per unit": [float(size.mean()) if len(size) else None for size in sizes],
        "Most per unit": [int(size.max(initial=0)) for size in sizes],
        "Judged once": [int((size == 1).sum()) for size in sizes],
        "Not judged": [int((size == 0).sum()) for size in sizes],
        "Unanimous": [n_unanimous(material) for material in materials],
    }
    return grid("Questions" if len(materials) > 1 else "Judgements per unit", columns)


def n_unanimous(material: Material) -> int:
    """Units with two judgements or more, all of them the same."""
    seen = material.tally.patterns
    if not len(seen.pattern):
        return 0
    starts = np.nonzero(np.diff(seen.pattern, prepend=-1))[0]
    same = np.maximum.reduceat(seen.code, starts) == np.minimum.reduceat(seen.code, starts)
    return int(seen.weights[same & (seen.sizes > 1)].sum())


def raters_of_judgements(materials: Sequence[Material]) -> Grid:
    """How much each rater judged; of a crowd only the spread."""
    title = "Judgements by rater"
    done: dict[str, dict[str | None, int]] = {}
    for material in materials:
        counts = np.bincount(material.judgements.rows().rater, minlength=material.judgements.n_raters)
        for name, n in zip(material.judgements.raters, counts.tolist(), strict=True):
            done.setdefault(name, {})[material.question] = n
    totals = np.array([sum(by_question.values()) for by_question in done.values()])
    if len(totals) > MOST_RATERS:
        middle = float(np.median(totals)), float(totals.mean())
        spread = (len(totals), int(totals.min()), *middle, int(totals.max()))
        return table(title, ("Raters", "Fewest", "Median", "Mean", "Most"), [spread])
    columns: dict[str, Sequence[Cell]] = {"Rater": list(done)}
    if len(materials) > 1:
        columns |= {str(m.question): [done[name].get(m.question, 0) for name in done] for m in materials}
    return grid(title, columns | {"All": totals.tolist()})


def tables_of_spans(facts: SpanFacts) -> list[Grid]:
    """Texts, raters, spans, categories."""
    texts = facts.texts
    slices = [name for name in texts[0].slice if name != "text"]
    whole = [
        ("Texts", len({text.name for text in texts})),
        ("Raters", len(facts.raters)),
        ("Spans", sum(text.n_units for text in texts)),
        ("Categories", len(texts[0].categories)),
        ("Texts compared by", ", ".join(slices) or "nothing"),
        ("Raters worked", facts.options.independence),
    ]
    each: dict[str, Sequence[Cell]] = {
        **place_columns([{"text": text.name, **text.slice} for text in texts]),
        "Raters": [text.n_raters for text in texts],
        "Spans": [text.n_units for text in texts],
        "Fewest of a rater": [int(text.sizes.min(initial=text.n_units)) for text in texts],
        "Most of a rater": [int(text.sizes.max(initial=0)) for text in texts],
    }
    counts = Counter(dict.fromkeys((name for text in texts for name in text.categories), 0))
    counts.update(text.categories[category] for text in texts for category in text.category)
    ranked = counts.most_common()
    categories: dict[str, Sequence[Cell]] = {
        "Category": [name or "(no category)" for name, _ in ranked],
        "Spans": [n for _, n in ranked],
    }
    return [
        table("Design and counts", ("", "Study"), whole),
        grid("Texts", each),
        raters_of_spans(texts, facts.raters),
        grid("Categories", categories),
    ]


def raters_of_spans(texts: Sequence[Continuum], names: Sequence[str]) -> Grid:
    """One row per rater: how much was marked, and how long spans are."""
    who = np.concatenate([np.array(text.raters, dtype=object)[text.rater] for text in texts])
    lengths = {name: np.concatenate([text.end - text.begin for text in texts])[who == name] for name in names}
    columns: dict[str, Sequence[Cell]] = {
        "Rater": names,
        "Texts": [sum(name in text.raters for text in texts) for name in names],
        "Spans": [len(lengths[name]) for name in names],
        "Mean length": [float(lengths[name].mean()) if len(lengths[name]) else None for name in names],
    }
    return grid("Raters", columns)


SECTION = SectionMaker(key="study", title="The study at a glance", order=10, of=("judgements", "spans"), blocks=blocks)
