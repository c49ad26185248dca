"""Write a report of data to a file, in the format that its ending names."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from assent.diagnosis.material import as_study as as_study
from assent.errors import InputError, nearest
from assent.files import refuse_unwritable, written_whole
from assent.model.continuum import Continuum
from assent.model.judgements import Judgements
from assent.model.spans import SpanTable
from assent.model.study import Study
from assent.progress import Progress, silent
from assent.report.building import Choices, build
from assent.report.document import Document
from assent.report.spans import SpanReport, build_spans

ENDINGS = (".html", ".xlsx", ".tex", ".md")


Spans = SpanTable | Continuum | Sequence[Continuum]


def write_report(
    data: Study | Judgements | Spans, path: str | Path, *, progress: Progress = silent, **choices: Any
) -> None:
    """Measure, diagnose, draw and write.

    `choices` are the fields of `Choices` (measures, by, independent, seed …), for spans those of `SpanReport`.
    """
    write = writer_for(path)
    document = _document(data, choices, progress)
    with written_whole(path) as beside:
        write(document, beside)


def _document(data: Any, choices: dict[str, Any], progress: Progress) -> Document:
    """The report of judgements or of spans."""
    texts = data if isinstance(data, list | tuple) else [data]
    if all(isinstance(text, SpanTable | Continuum) for text in texts):
        return build_spans(data, SpanReport(**choices), progress)
    return build(as_study(data), Choices(**choices), progress)


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
