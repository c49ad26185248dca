"""Recordings with tiers (ELAN, Praat, EXMARaLDA): positions in seconds, the tier is a feature.

A tier is a line of annotations. It may be that of a speaker, of a level of description or of a rater, and the first
two are usual. So a tier is a rater where the file names its annotator, where all tiers are called rater, annotator,
coder or judge, or where the user says so; otherwise the folder names the rater, or the file.
"""

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Literal, NamedTuple

import numpy as np

from concordant.choices import choice
from concordant.errors import InputError
from concordant.model.spans import Mark, SpanTable
from concordant.readers.format import Format
from concordant.readers.rater_files import FileOptions, parts

CALLED_RATER = re.compile(r"(rater|annotator|coder|judge)[\W_]*\w{0,3}", re.IGNORECASE)


class TierOptions(FileOptions):
    """Whose the tiers are, and whose the files."""

    tiers: Literal["raters", "layers"] | None = choice(
        None, "Whether each tier is a rater, or a layer of one rater; found out where the file says who annotated."
    )


class Tier(NamedTuple):
    """One line of annotations: begin, end and value each; `about` are further features of all of them."""

    name: str
    annotations: Sequence[tuple[float, float, str]]
    annotator: str | None = None
    about: Mapping[str, str] = {}


class Recording(NamedTuple):
    """What a file holds; `length` is that of the recording if it is known."""

    tiers: Sequence[Tier]
    length: float | None = None
    notes: Sequence[str] = ()
    left_out: Sequence[tuple[int, str]] = ()


def tier_format(of_file: Callable[[Path], Recording], *, name: str, help: str, endings: tuple[str, ...]) -> Format:
    """The format of recordings whose files `of_file` reads."""

    def read(path: str | Path, options: TierOptions) -> SpanTable:
        marks: list[Mark] = []
        lengths: dict[str, float] = {}
        seen: set[tuple[str, str]] = set()
        notes: dict[str, None] = {}
        left_out = Counter[str]()
        recordings = cache(of_file)
        inside = parts(path, endings, "rater/text", options=options, text_in=lambda file: length_in(recordings(file)))
        notes |= dict.fromkeys(inside.notes)
        for part in inside.files:
            found = recordings(part.file)
            whose, why = owners(found.tiers, part.rater, options.tiers, is_single=part.is_single)
            notes |= dict.fromkeys((*found.notes, *why))
            left_out.update({why: n for n, why in found.left_out})
            lengths |= {} if found.length is None else {part.text: found.length}
            for tier, rater in zip(found.tiers, whose, strict=True):
                about = {**tier.about, **({} if rater == tier.name else {"tier": tier.name})}
                marks += [Mark(part.text, rater, *annotation, about) for annotation in tier.annotations]
                seen.add((part.text, rater))
        table = SpanTable.from_marks(str(path), marks, lengths=lengths, positions="time", seen=seen)
        return replace(
            table,
            notes=(*table.notes, *notes),
            left_out=tuple((n, why) for why, n in left_out.items()),
            unused=inside.unused,
        )

    return Format(name=name, holds="spans", help=help, read=read, endings=endings, options=TierOptions, in_folders=True)


def length_in(recording: Recording) -> str | None:
    """How long a recording is, in place of its text: files of one recording are as long as each other."""
    return None if recording.length is None else f"{recording.length:.3f}"


def owners(
    tiers: Sequence[Tier], rater: str, asked: Literal["raters", "layers"] | None, *, is_single: bool
) -> tuple[list[str], list[str]]:
    """Who made each tier of a file, and what is to be said about it; `rater` is who the path names."""
    if asked is not None:
        return [tier.name if asked == "raters" else rater for tier in tiers], []
    if not is_single or any(tier.annotator for tier in tiers):
        return [tier.annotator or rater for tier in tiers], []
    if len(tiers) > 1 and all(CALLED_RATER.fullmatch(tier.name) for tier in tiers):
        return [tier.name for tier in tiers], ["each tier is a rater, as the tiers' names say"]
    if len(tiers) > 1:
        why = f"{len(tiers)} tiers are taken for layers of one rater; if each is a rater, say --read tiers=raters"
        return [rater] * len(tiers), [why]
    return [rater] * len(tiers), []


def filled(times: Sequence[float | None], file: Path) -> list[float]:
    """Points on a time line in their order, those without a time spread evenly between their neighbours."""
    known = [place for place, time in enumerate(times) if time is not None]
    if not known or known[0] != 0 or known[-1] != len(times) - 1:
        raise InputError("the time line does not begin and end with a time", file=file, hint="align its ends")
    spread: list[float] = np.interp(
        np.arange(len(times)), known, [float(times[place] or 0) for place in known]
    ).tolist()
    return spread
