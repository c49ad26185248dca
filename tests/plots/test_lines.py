"""The picture of an alignment."""

from io import BytesIO

import numpy as np

from concordant.measures.unitizing.alignment import best_alignment
from concordant.measures.unitizing.units import Dissimilarity, Units
from concordant.model.continuum import Continuum
from concordant.plots.lines import MOST_NAMED, timeline
from tests.measures.test_gamma import make
from tests.measures.unitizing.oracles import random_continuum


def picture(continuum: Continuum, title: str = "") -> tuple[object, str]:
    rows = best_alignment(Units.of(continuum), Dissimilarity()).rows()
    figure = timeline(continuum, rows, title=title)
    stream = BytesIO()
    figure.savefig(stream, format="svg")
    return figure, stream.getvalue().decode()


def test_every_span_is_a_bar_and_every_alignment_a_line() -> None:
    continuum = make([(0.0, 5.0, "a"), (2.0, 4.0, "b")], [(0.0, 5.0, "a")], [(1.0, 5.0, "a"), (20.0, 25.0, "")])
    rows = best_alignment(Units.of(continuum), Dissimilarity()).rows()
    figure = timeline(continuum, rows, title="a story")
    (axes,) = figure.axes
    assert len(axes.patches) == 5
    assert len(axes.collections[0].get_paths()) == int(((rows >= 0).sum(axis=1) > 1).sum())
    assert [label.get_text() for label in axes.get_yticklabels()] == ["r0", "r1", "r2"]
    legend = axes.get_legend()
    assert legend is not None
    assert [text.get_text() for text in legend.get_texts()] == ["(no category)", "a", "b"]
    assert axes.get_title() == "a story"


def test_overlapping_spans_of_one_rater_lie_side_by_side() -> None:
    figure = timeline(make([(0.0, 5.0, "a"), (2.0, 4.0, "a")], [(6.0, 7.0, "a")]), np.zeros((0, 2), dtype=np.int64))
    first, second = (patch.get_window_extent().y0 for patch in figure.axes[0].patches[:2])
    assert first != second


def test_many_categories_have_no_legend() -> None:
    many = [(10.0 * i, 10.0 * i + 5, f"c{i}") for i in range(MOST_NAMED + 1)]
    figure = timeline(make(many, many), np.zeros((0, 2), dtype=np.int64))
    assert figure.axes[0].get_legend() is None


def test_it_can_be_saved() -> None:
    _, svg = picture(random_continuum(1, 3, 6, least=3), title="talk")
    assert "</svg>" in svg
