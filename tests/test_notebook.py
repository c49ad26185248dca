"""What a notebook shows is escaped, and a bar says its numbers to those who cannot see it."""

from concordant.notebook import Html, interval_bar, table


def test_cells_are_text_unless_they_are_html() -> None:
    made = table(["<h>"], [["<i>", 1234, 0.12345, None, Html("<b>x</b>")]], notes=["<note>"])
    assert "&lt;h&gt;" in made
    assert "&lt;i&gt;" in made
    assert "1,234" in made
    assert "0.123" in made
    assert "–" in made
    assert "<b>x</b>" in made
    assert "&lt;note&gt;" in made


def test_a_bar_says_its_numbers_and_stays_on_its_axis() -> None:
    bar = interval_bar(0.5, (0.25, 0.75), (0.0, 1.0))
    assert "<title>0.500, interval 0.250 to 0.750</title>" in bar
    assert 'x1="32.0" x2="88.0"' in bar  # a quarter and three quarters of 4 … 116
    assert 'cx="60.0"' in bar
    assert 'stroke-opacity=".4"' not in bar  # zero is the end of this axis


def test_a_bar_without_interval_marks_zero_inside_the_axis() -> None:
    bar = interval_bar(-0.5, None, (-1.0, 1.0))
    assert "interval" not in bar
    assert '<line x1="60.0" x2="60.0"' in bar
    assert 'cx="32.0"' in bar
