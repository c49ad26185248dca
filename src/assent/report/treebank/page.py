"""The comparison as one self-contained HTML page, with the two derivation trees of divergent sentences side by side."""

from pathlib import Path
from typing import Any

from assent.errors import MissingExtra
from assent.report.treebank.drawing import draw_pair
from assent.report.treebank.figures import Report, accepted_by, data_figures, front_figures, place, suite_distribution
from assent.treebank.discriminants import TYPE_NAMES
from assent.treebank.sentences import Sentence

MOST_DRAWN = 300  # a page with more trees than this is too heavy to open; the workbook has all sentences


def write_page(report: Report, path: Path) -> None:
    """Write the page to `path`."""
    path.write_text(render_page(report), encoding="utf-8")


def render_page(report: Report) -> str:
    """The page as text."""
    try:
        import jinja2
    except ImportError as error:
        raise MissingExtra("writing a page", "treebank") from error
    loader = jinja2.PackageLoader("assent.report", "templates")
    environment = jinja2.Environment(loader=loader, autoescape=True, trim_blocks=True, lstrip_blocks=True)
    environment.filters["figure"] = show_figure
    comparison = report.comparison
    divergent = comparison.divergent
    return environment.get_template("treebank.html").render(
        report=report,
        comparison=comparison,
        front=front_figures(comparison),
        suites=suite_distribution(comparison),
        data=data_figures(comparison),
        divergent=[_entry(row, report) for row in divergent[:MOST_DRAWN]],
        n_more=max(0, len(divergent) - MOST_DRAWN),
        type_names=TYPE_NAMES,
        place=place,
    )


def _entry(row: Sentence, report: Report) -> dict[str, Any]:
    """A divergent sentence as the page shows it."""
    names = (report.comparison.a, report.comparison.b)
    drawn = draw_pair(*row.trees, names) if row.trees else ()
    return {"row": row, "accepted_by": accepted_by(row, report.comparison), "drawn": drawn}


def show_figure(value: float | None) -> str:
    """A figure for reading: whole numbers with thousands, others with three digits, a dash for none."""
    if value is None:
        return "–"
    return f"{value:,}" if isinstance(value, int) else f"{value:.3f}"
