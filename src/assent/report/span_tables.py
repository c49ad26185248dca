"""The tables of a report of spans: the study at a glance, and the coefficients of every text."""

from collections import Counter
from collections.abc import Sequence

import numpy as np

from assent.arrays import Floats
from assent.measures.result import Agreement
from assent.measures.unitizing.corpus import matrix
from assent.measures.unitizing.entries import KEYS
from assent.model.continuum import Continuum
from assent.report.coefficients import Independence, confidence_text
from assent.report.document import Block, Cell, Grid, Notice, Paragraph, Points, Section, grid

SUMMARY = ("Min", "Mean", "Max", "Stddev")


def glance_section(texts: Sequence[Continuum], independence: Independence, notes: Sequence[str]) -> Section:
    """What there is: texts, raters, spans, categories."""
    blocks: list[Block] = [_whole(texts, independence), _each_text(texts), _raters(texts), _categories(texts)]
    blocks += [Points(items=tuple(notes))] if notes else []
    if independence == "not declared":
        text = "Whether the raters worked independently of each other is not declared."
        hint = "Say --independent or --not-independent when you write the report."
        blocks.append(Notice(tone="note", text=text, more=(("What to do", hint),)))
    return Section(key="study", title="The study at a glance", blocks=tuple(blocks))


def _whole(texts: Sequence[Continuum], independence: Independence) -> Grid:
    """Counts of the whole study."""
    slices = [name for name in texts[0].slice if name != "text"]
    rows: list[tuple[Cell, ...]] = [
        ("Texts", len({text.name for text in texts})),
        ("Raters", len({name for text in texts for name in text.raters})),
        ("Spans", sum(text.n_units for text in texts)),
        ("Categories", len(texts[0].categories)),
        ("Texts compared by", ", ".join(slices) or "nothing"),
        ("Raters worked", independence),
    ]
    return Grid(title="Design and counts", headers=("", "Study"), rows=tuple(rows))


def _place(slices: Sequence[dict[str, str]]) -> dict[str, Sequence[Cell]]:
    """The columns that say where: the text first, then what it is sliced by."""
    names = dict.fromkeys(["text", *(name for one in slices for name in one)])
    return {name.capitalize(): [one.get(name) for one in slices] for name in names}


def _each_text(texts: Sequence[Continuum]) -> Grid:
    """One row per text."""
    columns: dict[str, Sequence[Cell]] = {
        **_place([{"text": text.name, **text.slice} for text in texts]),
        "Raters": [text.n_raters for text in texts],
        "Spans": [text.n_units for text in texts],
        "Fewest of a rater": [int(text.sizes.min(initial=text.n_units)) for text in texts],
        "Most of a rater": [int(text.sizes.max(initial=0)) for text in texts],
    }
    return grid("Texts", columns)


def _raters(texts: Sequence[Continuum]) -> Grid:
    """One row per rater: how much was marked, and how long spans are."""
    names = sorted({name for text in texts for name in text.raters})
    lengths = {name: np.concatenate([_lengths(text, name) for text in texts]) for name in names}
    columns: dict[str, Sequence[Cell]] = {
        "Rater": names,
        "Texts": [sum(name in text.raters for text in texts) for name in names],
        "Spans": [len(lengths[name]) for name in names],
        "Mean length": [float(lengths[name].mean()) if len(lengths[name]) else None for name in names],
    }
    return grid("Raters", columns)


def _lengths(text: Continuum, rater: str) -> Floats:
    """The lengths of a rater's spans."""
    own = text.rater == (text.raters.index(rater) if rater in text.raters else -1)
    lengths: Floats = (text.end - text.begin)[own]
    return lengths


def _categories(texts: Sequence[Continuum]) -> Grid:
    """One row per category, the most used first."""
    counts: Counter[str] = Counter()
    for text in texts:
        used = np.bincount(text.category, minlength=len(text.categories)).tolist()
        counts.update(dict(zip(text.categories, used, strict=True)))
    ranked = counts.most_common()
    columns: dict[str, Sequence[Cell]] = {
        "Category": [name or "(no category)" for name, _ in ranked],
        "Spans": [n for _, n in ranked],
    }
    return grid("Categories", columns)


def agreement_section(results: Sequence[Agreement]) -> Section:
    """The matrix of texts by slices where there are slices, every value with what it rests on, the signatures."""
    blocks: list[Block] = []
    for key in KEYS:
        own = [result for result in results if result.measure == key]
        if own:
            blocks += [*_matrix(own), _values(own)]
    signatures = tuple(result.signature for result in results)
    blocks += [
        Paragraph(
            text="Signatures: each says what was computed on which data; check one with assent verify SIGNATURE DATA."
        ),
        Points(items=signatures, is_code=True),
    ]
    return Section(key="agreement", title="Agreement on spans", blocks=tuple(blocks))


def _matrix(own: Sequence[Agreement]) -> list[Grid]:
    """Texts by slices with Min, Mean, Max and Stddev; Gamma-k has a row per category instead."""
    if own[0].measure == "gamma_k" or not any(set(result.slice or {}) - {"text"} for result in own):
        return []
    shown = matrix(own)
    rows: list[tuple[Cell, ...]] = [(text, *(c.cells[i] for c in shown.columns)) for i, text in enumerate(shown.texts)]
    rows += [(name, *(column.summary[name] for column in shown.columns)) for name in SUMMARY]
    headers = ("Text", *(column.title for column in shown.columns))
    notes = ("A blank cell is undefined or not in the data; the table below says why.",)
    return [Grid(title=f"{own[0].name}: texts by slices", headers=headers, rows=tuple(rows), notes=notes)]


def _values(own: Sequence[Agreement]) -> Grid:
    """Value, interval, disorders and sampling of one measure."""
    intervals = [result.interval for result in own]
    level = confidence_text(own)
    columns: dict[str, Sequence[Cell]] = {
        **_place([dict(result.slice or {}) for result in own]),
        "Value": [result.value if result.value is not None else "undefined" for result in own],
        f"{level} low": [None if ends is None else ends.low for ends in intervals],
        f"{level} high": [None if ends is None else ends.high for ends in intervals],
        "Observed disorder": [result.observed for result in own],
        "Expected disorder": [result.expected for result in own],
        "Sampler": [result.details.get("sampler") for result in own],
        "Samples": [result.details.get("n_samples") for result in own],
        "Expected known to ±": [result.details.get("precision") for result in own],
        "Spans": [result.n_units for result in own],
        "Left out": [result.n_dropped or None for result in own],
        "Why undefined": [result.reason for result in own],
    }
    notes = dict.fromkeys(note for r in own for note in r.notes if not note.startswith("expected disorder from"))
    return grid(own[0].name, columns, notes=list(notes))
