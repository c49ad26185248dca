"""The Markdown report, read back by a Markdown parser."""

from markdown_it import MarkdownIt

from concordant.report.document import Document
from concordant.report.formats import markdown
from concordant.report.grid import Grid
from tests.report.conftest import NASTY


def test_tables_and_headings_survive(document: Document) -> None:
    tokens = MarkdownIt("commonmark").enable("table").parse(markdown.render(document))
    tables = sum(isinstance(block, Grid) for one in document.sections for block in one.blocks)
    assert sum(token.type == "table_open" for token in tokens) == tables
    assert sum(token.type == "heading_open" and token.tag == "h2" for token in tokens) == len(document.sections)


def test_nothing_in_the_data_is_markup(document: Document) -> None:
    shown = MarkdownIt("commonmark").enable("table").render(markdown.render(document))
    assert "<script" not in shown
    assert "<b>rele" not in shown
    assert "&lt;b&gt;rele*vance*&lt;/b&gt;" in shown
    assert "flu|ency_1" in shown


def test_code_with_backticks() -> None:
    assert MarkdownIt().render(markdown.code("a``b`c")) == "<p><code>a``b`c</code></p>\n"
    assert NASTY in markdown.code(NASTY)
