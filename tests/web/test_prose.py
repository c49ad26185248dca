"""Texts of a study become paragraphs, lists and emphasis, and nothing that could run."""

import re

from hypothesis import given
from hypothesis import strategies as st

from assent.web.prose import inline, prose


def test_paragraphs_lists_and_emphasis() -> None:
    made = str(prose("One\ntwo.\n\nThree:\n- a *b*\n- c\n"))
    assert made == "<p>One two.</p>\n<p>Three:</p>\n<ul><li>a <em>b</em></li><li>c</li></ul>"


def test_stars_that_are_no_emphasis_stay() -> None:
    assert str(inline("2*3*4 and * this *")) == "2*3*4 and * this *"


@given(st.text(alphabet="<>&\"'*- \nab"))
def test_nothing_else_comes_out(text: str) -> None:
    tags = set(re.findall(r"<[^>]*>", str(prose(text))))
    assert tags <= {"<p>", "</p>", "<ul>", "</ul>", "<li>", "</li>", "<em>", "</em>"}
    assert str(prose(text)).count("<p>") == str(prose(text)).count("</p>")
