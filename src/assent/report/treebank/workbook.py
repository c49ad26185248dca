"""The adjudicator's workbook: figures, divergent sentences with room for comments, and all that lies behind them.

Castro's front sheet (Figure 6.3) holds the figures and the divergent sentences; here the sentences have a sheet of
their own, so that its header can stay in view and its columns can be filtered.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from assent.errors import MissingExtra
from assent.measures.result import Agreement
from assent.report.treebank.figures import Report, accepted_by, data_figures, front_figures, place, suite_distribution
from assent.treebank.discriminants import TYPE_NAMES
from assent.treebank.sentences import Difference, Sentence

_LONGEST = 30_000  # a cell holds at most 32,767 characters
_LINE, _MOST_LINES = 15, 27  # points; a row is at most 409 points high
_OPTIONS = {"strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False}


class _Sheets:
    """An open workbook with the few formats that all sheets share."""

    def __init__(self, path: Path) -> None:
        try:
            import xlsxwriter
        except ImportError as error:
            raise MissingExtra("writing a workbook", "treebank") from error
        self.book = xlsxwriter.Workbook(str(path), _OPTIONS)
        self.bold = self.book.add_format({"bold": True})
        self.title = self.book.add_format({"bold": True, "font_size": 14})
        self.header = self.book.add_format(
            {"bold": True, "bg_color": "#DDE6F0", "bottom": 1, "text_wrap": True, "indent": 1}
        )
        self.text = self.book.add_format({"text_wrap": True, "valign": "top", "align": "left", "indent": 1})
        self.number = self.book.add_format({"num_format": "0.000", "valign": "top"})
        self.whole = self.book.add_format({"num_format": "#,##0", "valign": "top"})
        self.open = self.book.add_format({"text_wrap": True, "valign": "top", "bg_color": "#FFFBE6", "border": 1})
        self.link = self.book.add_format({"font_color": "#0563C1", "underline": 1, "valign": "top"})
        self._widths: dict[str, Sequence[int]] = {}

    def sheet(self, name: str, widths: Sequence[int]) -> Any:
        """A new sheet with these column widths."""
        sheet = self.book.add_worksheet(name)
        sheet.set_landscape()
        sheet.fit_to_pages(1, 0)
        self._widths[name] = widths
        for column, width in enumerate(widths):
            sheet.set_column(column, column, width)
        return sheet

    def table(self, name: str, columns: Sequence[tuple[str, int]], rows: Iterable[Sequence[Any]]) -> Any:
        """A sheet with a header that stays in view, filters and one row per entry."""
        sheet = self.sheet(name, [width for _, width in columns])
        for column, (title, _) in enumerate(columns):
            sheet.write_string(0, column, title, self.header)
        end = self.rows(sheet, 1, rows)
        sheet.freeze_panes(1, 0)
        sheet.autofilter(0, 0, end - 1, len(columns) - 1)
        sheet.repeat_rows(0)
        return sheet

    def row(self, sheet: Any, number: int, cells: Sequence[Any]) -> None:
        """One row: numbers stay numbers, nothing stays empty, text is never taken for a formula."""
        sheet.set_row(number, _LINE * self._n_lines(sheet, cells))
        for column, cell in enumerate(cells):
            if cell is None:
                sheet.write_blank(number, column, None, self.text)
            elif isinstance(cell, int | float):
                sheet.write_number(number, column, cell, self.whole if isinstance(cell, int) else self.number)
            else:
                sheet.write_string(number, column, _clipped(str(cell)), self.text)

    def _n_lines(self, sheet: Any, cells: Sequence[Any]) -> int:
        """How many lines the row needs: not every program fits the height of rows to folded text."""
        texts = [
            (cell, width) for cell, width in zip(cells, self._widths[sheet.name], strict=False) if isinstance(cell, str)
        ]
        needed = (sum(1 + len(line) // width for line in text.splitlines()) for text, width in texts)
        return min(max(needed, default=1) or 1, _MOST_LINES)

    def rows(self, sheet: Any, number: int, rows: Iterable[Sequence[Any]]) -> int:
        """Several rows from `number` on; gives the number of the row after them."""
        for row in rows:
            self.row(sheet, number, row)
            number += 1
        return number

    def go_to(self, sheet: Any, number: int, column: int, target: str, shown: str | int) -> None:
        """A link to another place in the workbook; a number that is a link stays a number."""
        sheet.write_url(number, column, f"internal:{target}", self.link, str(shown))
        if isinstance(shown, int):
            sheet.write_number(number, column, shown, self.link)


def _clipped(text: str) -> str:
    return text if len(text) <= _LONGEST else text[:_LONGEST] + " … (cut: a cell can hold no more)"


def write_workbook(report: Report, path: Path) -> None:
    """Write all sheets to `path`."""
    sheets = _Sheets(path)
    _front(sheets, report)
    _divergent(sheets, report)
    _differences(sheets, report)
    _data(sheets, report)
    _sentences(sheets, report)
    _lost(sheets, report)
    if report.before is not None:
        _changes(sheets, report)
    sheets.book.close()


def _front(sheets: _Sheets, report: Report) -> None:
    """Type, tool, date, counts, suites and coefficients, with links to the other sheets."""
    sheet, comparison = sheets.sheet("Report", [44, 44, 14, 12, 12, 18, 80]), report.comparison
    sheet.write_string(0, 0, "Agreement between two treebankers", sheets.title)
    tool = f"assent {report.version}"
    about = [
        ("Type", f"Comparison of the annotators {comparison.a} and {comparison.b}"),
        ("Tool used", tool),
        ("Date", report.date),
        ("Reading", f"{comparison.reading}, expected agreement {comparison.expected}"),
    ]
    number = sheets.rows(sheet, 2, [*about, *front_figures(comparison)])
    number = _suites(sheets, sheet, number + 1, report)
    number = _coefficients(sheets, sheet, number + 1, report.results)
    _links(sheets, sheet, number + 1, report)


def _suites(sheets: _Sheets, sheet: Any, number: int, report: Report) -> int:
    _headings(sheets, sheet, number, ("Suite distribution: corpus", "First suite", "Last suite", "Sentences"))
    return sheets.rows(sheet, number + 1, suite_distribution(report.comparison))


_COEFFICIENTS = ("Coefficients", "Value", "Low", "High", "Sentences", "Mean per sentence", "Notes")


def _coefficients(sheets: _Sheets, sheet: Any, number: int, results: Sequence[Agreement]) -> int:
    _headings(sheets, sheet, number, _COEFFICIENTS)
    return sheets.rows(sheet, number + 1, [_coefficient(result) for result in results])


def _coefficient(result: Agreement) -> tuple[Any, ...]:
    low, high = (result.interval.low, result.interval.high) if result.interval else (None, None)
    note = result.reason or "; ".join(result.notes)
    return result.name, result.value, low, high, result.n_units, result.details.get("macro"), note


def _headings(sheets: _Sheets, sheet: Any, number: int, titles: Sequence[str]) -> None:
    for column, title in enumerate(titles):
        sheet.write_string(number, column, title, sheets.header)


def _links(sheets: _Sheets, sheet: Any, number: int, report: Report) -> None:
    targets = [
        ("Divergent", f"{len(report.comparison.divergent):,} divergent sentences, with room for comments"),
        ("Differences", "the discriminants on which they differ"),
        ("Data", "counts and averages"),
        ("Sentences", "all sentences"),
        ("Lost", f"{len(report.comparison.lost):,} lost sentences and what could not be read"),
    ]
    if report.before is not None:
        targets.append(("Changes", f"{len(report.changes):,} sentences changed since the earlier version"))
    for row, (name, text) in enumerate(targets, start=number):
        sheets.go_to(sheet, row, 0, f"'{name}'!A1", f"{name}: {text}")


_DIVERGENT = (
    ("Suite", 26),
    ("Sentence", 12),
    ("Text", 60),
    ("Accepted by", 24),
    ("Choice of {a}", 16),
    ("Choice of {b}", 16),
    ("K", 8),
    ("Differences", 12),
    ("Discriminants on which they differ", 72),
    ("Comments", 50),
)


def _divergent(sheets: _Sheets, report: Report) -> None:
    """One row per sentence to adjudicate; the last column is the adjudicator's."""
    comparison = report.comparison
    columns = [(title.format(a=comparison.a, b=comparison.b), width) for title, width in _DIVERGENT]
    rows = [
        (
            place(row),
            _number_or_text(row.sentence),
            row.text,
            accepted_by(row, comparison),
            str(row.a),
            str(row.b),
            row.kappa,
            len(row.differing),
            "\n".join(_difference(d, report) for d in row.differing),
        )
        for row in comparison.divergent
    ]
    sheet = sheets.table("Divergent", columns, rows)
    first_difference = 1
    for number, row in enumerate(comparison.divergent, start=1):
        sheet.write_blank(number, len(_DIVERGENT) - 1, None, sheets.open)
        if row.differing:
            sheets.go_to(sheet, number, 7, f"'Differences'!A{first_difference + 1}", len(row.differing))
        first_difference += len(row.differing)


def _difference(difference: Difference, report: Report) -> str:
    who = report.comparison.a if difference.a else report.comparison.b
    return f"{difference.discriminant} ({TYPE_NAMES[difference.discriminant.type]}): only {who}"


def _number_or_text(name: str) -> int | str:
    return int(name) if name.isdecimal() else name


def _differences(sheets: _Sheets, report: Report) -> None:
    """One row per discriminant of a divergent sentence on which the annotators differ."""
    comparison = report.comparison
    columns = (
        ("Suite", 26),
        ("Sentence", 12),
        ("Type", 26),
        ("Discriminant", 60),
        ("From", 8),
        ("To", 8),
        (comparison.a, 12),
        (comparison.b, 12),
    )
    rows = [
        (
            place(row),
            _number_or_text(row.sentence),
            TYPE_NAMES[found.type],
            found.key,
            found.start,
            found.end,
            "yes" if a else "no",
            "yes" if b else "no",
        )
        for row in comparison.divergent
        for found, a, b in row.differing
    ]
    sheets.table("Differences", columns, rows)


def _data(sheets: _Sheets, report: Report) -> None:
    """Counts, averages and sums (Figure 6.4)."""
    sheet, number = sheets.sheet("Data", [50, 16]), 2
    sheets.go_to(sheet, 0, 0, "'Report'!A1", "back to the report")
    for heading, figures in data_figures(report.comparison):
        sheet.write_string(number, 0, heading, sheets.bold)
        number = sheets.rows(sheet, number + 1, figures) + 1


_SENTENCES = (
    ("Suite", 26),
    ("Sentence", 12),
    ("Text", 60),
    ("Analyses", 10),
    ("{a}", 14),
    ("{b}", 14),
    ("Set", 12),
    ("Options", 10),
    ("Alike", 10),
    ("Observed", 10),
    ("Expected", 10),
    ("K", 10),
    ("Same analysis", 12),
    ("Parseval F", 10),
    ("Leaf-Ancestor", 12),
    ("EDM F", 10),
    ("Comment of {a}", 24),
    ("Comment of {b}", 24),
)


def _sentences(sheets: _Sheets, report: Report) -> None:
    """Every sentence compared, with all its figures."""
    names = {"a": report.comparison.a, "b": report.comparison.b}
    columns = [(title.format(**names), width) for title, width in _SENTENCES]
    sheets.table("Sentences", columns, (_sentence(row) for row in report.comparison.sentences))


def _sentence(row: Sentence) -> tuple[Any, ...]:
    same = None if row.is_same_tree is None else "yes" if row.is_same_tree else "no"
    trees = (counts.f if counts else None for counts in (row.parseval, row.leaf_ancestor, row.edm))
    expected = None if row.observed is None else row.expected
    return (
        place(row),
        _number_or_text(row.sentence),
        row.text,
        row.n_parses,
        str(row.a),
        str(row.b),
        row.subset,
        row.n_options,
        row.n_agreed,
        row.observed,
        expected,
        row.kappa,
        same,
        *trees,
        row.a.comment,
        row.b.comment,
    )


def _lost(sheets: _Sheets, report: Report) -> None:
    """What was not compared, and why."""
    comparison = report.comparison
    rows: list[Sequence[Any]] = [
        (place(row), _number_or_text(row.sentence), row.text, row.reason) for row in comparison.lost
    ]
    rows += [(name, None, None, f"suite only in {comparison.a}") for name in comparison.only_a]
    rows += [(name, None, None, f"suite only in {comparison.b}") for name in comparison.only_b]
    rows += [(None, None, None, f"broken line: {line}") for line in comparison.broken]
    sheets.table("Lost", (("Suite", 26), ("Sentence", 12), ("Text", 60), ("Reason", 60)), rows)


def _changes(sheets: _Sheets, report: Report) -> None:
    """What became of each sentence since the earlier version."""
    columns = (
        ("Suite", 26),
        ("Sentence", 12),
        ("Text", 60),
        ("Change", 18),
        ("{a} before", 16),
        ("{b} before", 16),
        ("{a} now", 16),
        ("{b} now", 16),
        ("K before", 10),
        ("K now", 10),
    )
    names = {"a": report.comparison.a, "b": report.comparison.b}
    rows = [
        (
            place(change.row),
            _number_or_text(change.row.sentence),
            change.row.text,
            change.kind,
            *_choices(change.before),
            *_choices(change.after),
            change.before.kappa if change.before else None,
            change.after.kappa if change.after else None,
        )
        for change in report.changes
    ]
    sheets.table("Changes", [(title.format(**names), width) for title, width in columns], rows)


def _choices(row: Sentence | None) -> tuple[str | None, str | None]:
    return (None, None) if row is None else (str(row.a), str(row.b))
