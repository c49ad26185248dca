"""The best alignments of spans as a result: which units of different raters belong together, text by text."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from typing import Any, ClassVar

from concordant.about import NAME
from concordant.digits import counted
from concordant.errors import InputError
from concordant.measures.gamma import GammaOptions
from concordant.measures.unitizing.alignment import Alignment, Unfinished, alignment_rows, best_alignment
from concordant.measures.unitizing.evidence import dissimilarity_of
from concordant.measures.unitizing.units import Units, too_few_raters, zero_length
from concordant.model.continuum import Continuum, continua
from concordant.model.spans import SpanTable
from concordant.model.tabular import TabularResult
from concordant.progress import Progress, part, silent
from concordant.readers.data import as_data


@dataclass(frozen=True, kw_only=True, eq=False)
class AlignedText:
    """One text with its best alignment; `is_proven` unless the search was interrupted."""

    text: Continuum
    alignment: Alignment
    options: GammaOptions

    @property
    def title(self) -> str:
        """The text and its slice in words."""
        return " · ".join(self.text.slice.values()) or self.text.name

    @property
    def is_proven(self) -> bool:
        """Whether no alignment can have less disorder."""
        return self.alignment.least is None

    @cached_property
    def _whole(self) -> dict[str, Any]:
        dissimilarity = dissimilarity_of(self.text, self.options)
        disorder = float(self.alignment.disorders(dissimilarity)[0])
        return {
            "slice": dict(self.text.slice),
            "raters": list(self.text.raters),
            "disorder": disorder,
            "least_disorder": disorder if self.alignment.least is None else self.alignment.least,
            "unitary_alignments": alignment_rows(self.alignment, self.text, dissimilarity),
        }

    def to_dict(self) -> dict[str, Any]:
        """The alignment as JSON shows it; no alignment has less than the least disorder."""
        return self._whole

    def __repr__(self) -> str:
        """The text, how many unitary alignments it has, and their disorder."""
        whole = self._whole
        return f"<{self.title}: {len(whole['unitary_alignments'])} alignments, disorder {whole['disorder']:.4f}>"

    def plot(self, **options: Any) -> Any:
        """The units of every rater on a line, with what belongs together: matplotlib axes."""
        return import_module(NAME).plot(self, "alignment", **options)


class Alignments(TabularResult, Sequence[AlignedText]):
    """The texts that could be aligned, with notes on the others; `is_interrupted` if the user ended the work."""

    COLUMNS: ClassVar = {key: key for key in ("text", "raters", "alignments", "disorder")}

    def __init__(self, texts: Sequence[AlignedText], notes: Sequence[str], *, is_interrupted: bool = False) -> None:
        """Keep them."""
        self._texts, self._notes, self.is_interrupted = tuple(texts), tuple(notes), is_interrupted

    @property
    def notes(self) -> tuple[str, ...]:
        """Why other texts were not aligned, and what is not proven."""
        return self._notes

    def __getitem__(self, place: Any) -> Any:
        """One text, or a part of them."""
        return self._texts[place]

    def __len__(self) -> int:
        """How many there are."""
        return len(self._texts)

    def __repr__(self) -> str:
        """A line each."""
        return "\n".join([f"{counted(len(self), 'text')} aligned", *map(repr, self._texts[:20])])

    def to_dict(self) -> dict[str, Any]:
        """What `--json` prints."""
        return {"alignments": [text.to_dict() for text in self], "notes": list(self.notes)}

    def rows(self) -> list[dict[str, Any]]:
        """One row per unit with the number and the disorder of its unitary alignment, and the unit's features."""
        places = list(dict.fromkeys(name for one in self for name in one.text.slice))
        features = list(dict.fromkeys(name for one in self for name in one.text.features if name not in places))
        found = []
        for one in self:
            for number, row in enumerate(one.to_dict()["unitary_alignments"], start=1):
                for rater, unit in row["units"].items():
                    if unit is not None:
                        span = {name: unit[name] for name in ("begin", "end", "category")}
                        more = {name: unit.get("features", {}).get(name, "") for name in features}
                        here = {name: one.text.slice.get(name, "") for name in places}
                        about = {"alignment": number, "disorder": row["disorder"], "rater": rater}
                        found.append({**here, **about, **span, **more})
        return found

    def first_rows(self) -> list[dict[str, Any]]:
        """One for each text."""
        wholes = ((one.title, one.to_dict()) for one in self)
        return [
            {
                "text": title,
                "raters": ", ".join(it["raters"]),
                "alignments": len(it["unitary_alignments"]),
                "disorder": it["disorder"],
            }
            for title, it in wholes
        ]


def align(data: Any, *, by: str | Sequence[str] = (), progress: Progress = silent, **options: Any) -> Alignments:
    """The best alignment of every text: the one with the least disorder of all; a unit without partners stands alone.

    `data` is a path, a data frame of spans, or spans that were read before. `options` are those of Gamma that an
    alignment depends on (`alpha=`, `beta=`, `delta_empty=`, `positional=` …) and those of whoever reads the data. After
    an interrupt the texts that are done are returned, the last perhaps not proven the best.
    """
    known = {choice.name for choice in GammaOptions.described()}
    how = GammaOptions.of("align", {name: options.pop(name) for name in list(options) if name in known})
    read = as_data(data, holds="spans", **options)
    texts: Any = [read] if isinstance(read, Continuum) else read
    if isinstance(read, SpanTable):
        texts = continua(read, by=[by] if isinstance(by, str) else list(by))
    if not isinstance(texts, Sequence) or not all(isinstance(text, Continuum) for text in texts):
        raise InputError("only spans can be aligned", hint="give a table with text, rater, begin, end and category")
    return align_texts(texts, how, progress)


def align_texts(texts: Sequence[Continuum], options: GammaOptions, progress: Progress = silent) -> Alignments:
    """Align every text that can be; say why the others cannot."""
    aligned: list[AlignedText] = []
    notes: list[str] = []
    for number, text in enumerate(texts):
        kept = text.keep(text.end > text.begin) if options.zero_length == "drop" else text
        named: Mapping[str, Any] = {"text": kept, "options": options}
        reason = too_few_raters(kept) or zero_length(kept)
        title = " · ".join(text.slice.values()) or text.name
        if reason is not None:
            notes.append(f"{title}: {reason}")
            continue
        try:
            inside = part(progress, number, len(texts))
            found = best_alignment(Units.of(kept), dissimilarity_of(kept, options), inside)
        except Unfinished as unfinished:
            aligned.append(AlignedText(alignment=unfinished.alignment(), **named))
            notes.append(f"{title}: interrupted, so the alignment is the best found so far, not proven the best")
            left = len(texts) - number - 1
            notes += [f"interrupted: {left} of {len(texts)} texts were not aligned"] if left else []
            return Alignments(aligned, notes, is_interrupted=True)
        aligned.append(AlignedText(alignment=found, **named))
        progress(number + 1, len(texts))
    return Alignments(aligned, notes)
