"""Tables in a terminal fit it and break no words."""

from concordant.report.grid import bullet, paragraph, render, table


def test_numbers_are_rounded_here_and_set_to_the_right() -> None:
    shown = render(table("Title", ("Name", "Value"), [("a", 0.12345), ("bb", None), ("c", True), ("d", 1234)]), 80)
    assert shown.splitlines() == [
        "Title", "", "Name  Value", "────  ─────", "a     0.123", "bb        –", "c       yes", "d     1,234",
    ]  # fmt: skip


def test_wide_texts_are_folded_between_words() -> None:
    shown = render(table("", ("Key", "Why"), [("x", "one two three four five six seven")]), 20)
    assert max(map(len, shown.splitlines())) <= 20
    assert "three" in shown.split()


def test_a_table_that_cannot_be_narrower_is_left_as_it_is() -> None:
    assert "incomprehensibilities" in render(table("", ("Key",), [("incomprehensibilities",)]), 10)


def test_wide_and_combining_characters_line_up() -> None:
    lines = render(table("", ("Name", "N"), [("日本", 1), ("e\u0301", 2)]), 40).splitlines()
    assert lines[2] == "日本  1"
    assert lines[3] == "e\u0301     2"


def test_notes_and_paragraphs_are_folded() -> None:
    assert bullet("one two three", 9) == "- one two\n  three"
    assert paragraph("one two three", 8) == "one two\nthree"
    assert render(table("", ("A",), [("b",)], notes=["so"]), 40).endswith("- so")
