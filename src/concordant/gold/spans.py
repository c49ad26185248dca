"""The gold standard of spans: the units that raters aligned, merged.

Units of different raters are matched by the best alignment (Mathet, Widlöcher & Métivier 2015, section 4), and what is
matched is merged (Braylan & Lease 2021, "Aggregating complex annotations via merging and matching", KDD): a unitary
alignment becomes a gold span if more than half of the raters who judged the text have a unit in it; its borders are the
medians of theirs, its category is the one most of them gave. Raters who marked nothing in a text judged it, too.

A median is always a border that some rater set: of an even number the earlier begin and the later end of the two in the
middle. What exactly half of the raters marked, and what has two most frequent categories, is undecided and named.
"""

import csv
import io
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np

from concordant.arrays import Floats, Ints
from concordant.choices import Choices, choice
from concordant.digits import counted
from concordant.errors import InputError
from concordant.measures.gamma import GammaOptions
from concordant.model.columns import is_number
from concordant.model.continuum import Continuum, continua
from concordant.model.spans import Positions, SpanTable
from concordant.model.tabular import TabularResult, plain
from concordant.progress import Progress, silent
from concordant.readers.rater_files import CURATORS, NOT_A_RATER
from concordant.readers.rater_kinds import BY_NAME
from concordant.uncertainty.aligned import AlignedText, align_texts

MERGED = "spans matched by the best alignment, borders by median, categories by most votes"
UNSEEN = "a table names only raters who marked something in a text; name all who judged every text with --raters"
SPLIT, TIED, VOTES = "half of the raters", "tied category", "votes"
ROUNDING = 1e-9


class SpanGoldOptions(Choices):
    """What may be said of a gold standard of spans."""

    at_least: float | None = choice(
        None, "Spans: share of raters who must have marked a gold span.  [default: more than half]"
    )

    def __post_init__(self) -> None:
        """Refuse what is no share; on the command line it is written as a text."""
        given: Any = self.at_least
        if isinstance(given, str):
            object.__setattr__(self, "at_least", float(given) if is_number(given) else np.nan)
        super().__post_init__()
        if self.at_least is not None and not 0 < self.at_least <= 1:
            raise InputError(f"at_least is {given}", hint="give a share above 0, up to 1, such as 0.5")


@dataclass(frozen=True, kw_only=True)
class GoldSpan:
    """A span with how many raters marked it and how far they differ; the category is None where votes are tied.

    `basis` is "votes", or says why the span is undecided. `begins` and `ends` are the outermost borders that were set,
    `votes` how many raters gave each category.
    """

    text: str
    begin: float
    end: float
    category: str | None
    basis: str
    n_marked: int
    n_raters: int
    begins: tuple[float, float]
    ends: tuple[float, float]
    votes: Mapping[str, int]

    @property
    def share(self) -> float:
        """The share of the raters of the text who marked it."""
        return self.n_marked / self.n_raters


COLUMNS = {
    "text": "the text",
    "rater": "gold, so that the table is one of spans",
    "begin": "median of the begins that were set",
    "end": "median of the ends",
    "category": "what most of the raters who marked the span called it",
    "basis": "votes, or why the span is undecided",
    "n_marked": "how many raters marked it",
    "n_raters": "how many raters judged the text",
    "n_category": "how many raters gave the category",
    "begin_from": "the earliest begin that was set",
    "begin_to": "the latest begin",
    "end_from": "the earliest end",
    "end_to": "the latest end",
}
"""The columns of the table, with their meaning."""


@dataclass(frozen=True, kw_only=True, repr=False)
class SpanStandard(TabularResult):
    """Gold spans, those that are undecided, and the raters of every text that has a gold standard.

    `n_left_out` counts what too few raters marked. `lengths` and `contents` are those of the texts, where known.
    """

    COLUMNS: ClassVar = {name: name for name in COLUMNS if name != "rater"}

    spans: tuple[GoldSpan, ...]
    undecided: tuple[GoldSpan, ...]
    n_left_out: int
    texts: Mapping[str, tuple[str, ...]]
    positions: Positions | None = None
    notes: tuple[str, ...] = ()
    lengths: Mapping[str, float] = field(default_factory=dict)
    contents: Mapping[str, str] = field(default_factory=dict)

    def __repr__(self) -> str:
        """How much was found."""
        found = f"{counted(len(self.spans), 'gold span')} in {counted(len(self.texts), 'text')}"
        return f"<{found}, {len(self.undecided):,} undecided, {self.n_left_out:,} marked by too few>"

    def rows(self) -> list[dict[str, Any]]:
        """One for each gold span, then those that are undecided."""
        return [row_of(one) for one in (*self.spans, *self.undecided)]

    def to_dict(self) -> dict[str, Any]:
        """Everything as JSON can hold it, but for the texts themselves."""
        told = {name: plain(getattr(self, name)) for name in ("spans", "undecided", "n_left_out", "texts", "positions")}
        return {**told, "notes": list(self.notes)}

    def to_csv(self, *, undecided: bool = False) -> str:
        """The gold spans as a table of spans whose rater is gold; or those that are undecided."""
        text = io.StringIO()
        writer = csv.DictWriter(text, list(COLUMNS), lineterminator="\n")
        writer.writeheader()
        writer.writerows(row_of(one) for one in (self.undecided if undecided else self.spans))
        return text.getvalue()


def row_of(one: GoldSpan) -> dict[str, Any]:
    """A span as a row."""
    named = one.category if one.category is not None else " / ".join(leaders(one.votes))
    places = {"begin": one.begin, "end": one.end, "begin_from": one.begins[0], "begin_to": one.begins[1]}
    places |= {"end_from": one.ends[0], "end_to": one.ends[1]}
    row: dict[str, Any] = {name: int(place) if place == round(place) else place for name, place in places.items()}
    row |= {"text": one.text, "rater": "gold", "category": named, "basis": one.basis}
    row |= {"n_marked": one.n_marked, "n_raters": one.n_raters, "n_category": max(one.votes.values())}
    return {name: row[name] for name in COLUMNS}


def leaders(votes: Mapping[str, int]) -> list[str]:
    """The categories with the most votes."""
    return [name for name, n in votes.items() if n == max(votes.values())]


def is_spans(data: Any) -> bool:
    """Whether these are spans that were read."""
    listed = isinstance(data, list | tuple) and bool(data) and all(isinstance(one, Continuum) for one in data)
    return listed or isinstance(data, SpanTable | Continuum)


def gold_of(
    data: Any,
    how: GammaOptions,
    options: SpanGoldOptions,
    *,
    raters: Sequence[str] | None = None,
    texts: Sequence[Continuum] | None = None,
    progress: Progress = silent,
) -> SpanStandard:
    """The gold standard of a table of spans, or of texts with spans; of a table `texts` may be made already.

    With `raters` exactly these judged every text.
    """
    if not isinstance(data, SpanTable):
        return merged([data] if isinstance(data, Continuum) else data, how, options, progress=progress)
    found = continua(data, raters=raters or ()) if texts is None else texts
    judged: dict[str, set[str]] = {}
    for text, rater in data.seen:
        judged.setdefault(text, set()).add(rater)
    blank = {text: tuple(raters or sorted(who)) for text, who in judged.items() if text not in set(data.text.tolist())}
    standard = merged(found, how, options, blank=blank, progress=progress)
    partial = raters is None and not data.seen and any(len(one.raters) < len(data.raters) for one in found)
    told = (note for note in data.notes if BY_NAME in note)
    notes = (*standard.notes, *told, *((UNSEEN,) * partial))
    return replace(standard, notes=notes, lengths=data.lengths, contents=data.contents)


def merged(
    texts: Sequence[Continuum],
    how: GammaOptions,
    options: SpanGoldOptions,
    *,
    blank: Mapping[str, Sequence[str]] | None = None,
    progress: Progress = silent,
) -> SpanStandard:
    """The gold standard of texts; `blank` are texts in which these raters marked nothing."""
    people, notes = zip(*map(people_of, texts), strict=True) if texts else ((), ())
    aligned = align_texts(people, how, progress)
    if aligned.is_interrupted:
        raise KeyboardInterrupt
    judged = {one.text.name: one.text.raters for one in aligned}
    for text, who in (blank or {}).items():
        own = tuple(name for name in who if name.casefold() not in CURATORS)
        judged |= {text: own} if len(own) > 1 else {}
    if not judged:
        why = aligned.notes[0] if aligned.notes else "no text was judged by two raters"
        raise InputError(f"there is no gold standard: {why}")
    spans = [span for one in aligned for span in spans_of(one)]
    bases = [basis_of(span, options.at_least) for span in spans]
    found = [replace(span, basis=basis) for span, basis in zip(spans, bases, strict=True) if basis is not None]
    without = tuple(f"no gold: {reason}" for reason in aligned.notes)
    return SpanStandard(
        spans=tuple(one for one in found if one.basis == VOTES),
        undecided=tuple(one for one in found if one.basis != VOTES),
        n_left_out=bases.count(None),
        texts=judged,
        positions=next((one.positions for one in people if one.positions is not None), None),
        notes=(MERGED, *dict.fromkeys(note for note in notes if note), *without),
    )


def people_of(text: Continuum) -> tuple[Continuum, str]:
    """The text without curated or gold versions, and a note if there was one."""
    people = [name for name in text.raters if name.casefold() not in CURATORS]
    if len(people) == len(text.raters):
        return text, ""
    left = [name for name in text.raters if name not in people]
    return text.only(people), f"{', '.join(left)}: {NOT_A_RATER}"


def basis_of(span: GoldSpan, at_least: float | None) -> str | None:
    """Why a span is gold, or undecided; None if too few raters marked it."""
    needed = 0.5 if at_least is None else at_least
    if span.share < needed - ROUNDING:
        return None
    if at_least is None and 2 * span.n_marked == span.n_raters:
        return SPLIT
    return TIED if span.category is None else VOTES


def spans_of(one: AlignedText) -> Iterator[GoldSpan]:
    """Every unitary alignment of a text, merged."""
    text = one.text
    for row in one.alignment.rows():
        units = row[row >= 0]
        votes = Counter(sorted(text.categories[code] for code in text.category[units].tolist()))
        lead = leaders(votes)
        begins, ends = np.sort(text.begin[units]), np.sort(text.end[units])
        yield GoldSpan(
            text=text.name,
            begin=middle(begins, 0),
            end=middle(ends, 1),
            category=lead[0] if len(lead) == 1 else None,
            basis="",
            n_marked=len(units),
            n_raters=text.n_raters,
            begins=(float(begins[0]), float(begins[-1])),
            ends=(float(ends[0]), float(ends[-1])),
            votes=dict(votes.most_common()),
        )


def middle(places: Floats | Ints, which: int) -> float:
    """The median of sorted positions: of an even number the first or the second of the two in the middle.

    >>> middle(np.array([1, 3, 8]), 0), middle(np.array([1, 3]), 0), middle(np.array([1, 3]), 1)
    (3.0, 1.0, 3.0)
    """
    return float(places[(len(places) - 1 + which) // 2])
