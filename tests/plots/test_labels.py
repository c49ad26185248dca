"""Labels fit and stay apart."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from assent.plots.labels import busiest, headline, short, shorten, size_for
from assent.plots.picture import new_figure, styled


@given(st.text(), st.integers(8, 40))
def test_a_short_label_is_short_and_on_one_line(label: str, longest: int) -> None:
    text = short(label, longest)
    assert len(text) <= longest
    assert len(text.splitlines()) <= 1


@given(st.lists(st.text(max_size=60), unique_by=lambda label: " ".join(label.split()), max_size=12))
def test_distinct_labels_stay_distinct(labels: list[str]) -> None:
    texts = shorten(labels, 20)
    assert len(set(texts)) == len(labels)


def test_busiest_keeps_the_order_of_appearance() -> None:
    assert busiest(np.array([3.0, 9.0, 1.0, 8.0]), 2).tolist() == [1, 3]
    assert busiest(np.array([3.0, 9.0]), 5).tolist() == [0, 1]


def test_letters_shrink_when_lines_are_many() -> None:
    assert size_for(1, 1.0) > size_for(20, 1.0) >= 4.0


def test_a_headline_is_folded_to_the_width() -> None:
    with styled():
        figure = new_figure(2)
        headline(figure, "word " * 60, "", "remark")
    lines = figure.get_suptitle().splitlines()
    assert len(lines) > 3
    assert lines[-1] == "remark"
