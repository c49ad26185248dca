"""Write a report of data to a file, in the format that its ending names."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from assent.errors import InputError, nearest
from assent.files import refuse_unwritable, written_whole
from assent.model.columns import Column
from assent.model.judgements import Judgements
from assent.model.study import Study
from assent.progress import Progress, silent
from assent.report.building import Choices, build
from assent.report.document import Document

ENDINGS = (".html", ".xlsx", ".tex", ".md")


def write_report(data: Study | Judgements, path: str | Path, *, progress: Progress = silent, **choices: Any) -> None:
    """Measure, diagnose, draw and write. `choices` are the fields of `Choices`: measures, by, independent, seed …"""
    write = writer_for(path)
    document = build(as_study(data), Choices(**choices), progress)
    with written_whole(path) as beside:
        write(document, beside)


def writer_for(path: str | Path) -> Callable[[Document, Path], None]:
    """The writer for a path's ending; an unknown ending or an unwritable place is refused before any work is done."""
    ending = Path(path).suffix.lower()
    if ending not in ENDINGS:
        raise InputError(
            f"a report ends in {', '.join(ENDINGS)}, not {ending!r}", file=path, hint=nearest(ending, ENDINGS)
        )
    refuse_unwritable(Path(path))
    if ending == ".xlsx":
        from assent.report.xlsx import write

        return write
    render = _renderer(ending)
    return lambda document, goal: _write_text(goal, render(document))


def _renderer(ending: str) -> Callable[[Document], str]:
    """The format as text."""
    if ending == ".html":
        from assent.report import html

        return html.render
    if ending == ".tex":
        from assent.report import latex

        return latex.render
    from assent.report import markdown

    return markdown.render


def _write_text(goal: Path, text: str) -> None:
    goal.write_text(text, encoding="utf-8", newline="\n")


def as_study(data: Study | Judgements) -> Study:
    """Judgements as a study with one question; a study as it is."""
    if isinstance(data, Study):
        return data
    if not isinstance(data, Judgements):
        raise InputError(
            f"a report is written of a study or of judgements, not of {type(data).__name__}",
            hint="read the data with assent.read",
        )
    rows = data.rows()
    units = data.unit_names if data.unit_names is not None else [str(i + 1) for i in range(data.n_units)]
    value = (
        Column(codes=np.zeros(0, dtype=np.int8), labels=[], numbers=rows.value)
        if data.scale.is_continuous
        else Column(codes=rows.value, labels=data.scale.categories)
    )
    return Study(
        name="judgements",
        unit=Column(codes=rows.unit, labels=units),
        rater=Column(codes=rows.rater, labels=data.raters),
        value=value,
        level=None if data.scale.is_guessed else data.scale.level,
        categories=data.scale.categories or None,
        notes=data.notes,
    )
