"""No label hides another: 2 or 40 raters, 2 to 60 categories, short or very long names."""

from collections.abc import Callable
from itertools import pairwise

import pytest
from matplotlib.axes import Axes
from matplotlib.text import Text
from matplotlib.transforms import Bbox

from concordant.diagnosis.consistency import consistency_of
from concordant.diagnosis.material import Material
from concordant.engines.tally import tally
from concordant.model.judgements import Judgements
from concordant.plots.areas import coincidence, contingency, distribution, pairs
from concordant.plots.lines import coefficients, scores
from concordant.plots.picture import Picture, styled
from concordant.readers.data import as_study
from concordant.uncertainty.estimate import measure
from tests.plots.studies import judgements


def draw_pairs(data: Judgements) -> Picture:
    return pairs(consistency_of(Material(question=None, study=as_study(data))))


def draw_coefficients(data: Judgements) -> Picture:
    whole = tally(data)
    keys = ["percent", "alpha", "fleiss", "ac2"]
    return coefficients(
        [measure(whole, key, ci="none", question=f"{q} {data.raters[0]}") for q in "abc" for key in keys]
    )


MAKERS: dict[str, Callable[[Judgements], Picture]] = {
    "distribution": lambda data: distribution(tally(data)),
    "scores": scores,
    "coincidence": coincidence,
    "coefficients": draw_coefficients,
}


def assert_nothing_overlaps(picture: Picture) -> None:
    """Neighbouring tick labels, panel titles and the headline keep clear of each other and stay inside the picture."""
    with styled():
        picture.figure.canvas.draw()
        for axes in picture.figure.axes:
            for axis in ("x", "y"):
                assert_apart(visible(axes, axis))
        titles = [axes.title for axes in picture.figure.axes if axes.title.get_text() and axes.get_visible()]
        assert_apart(titles)
        everything = [text for axes in picture.figure.axes for axis in "xy" for text in visible(axes, axis)]
        assert_inside(picture, everything)


def visible(axes: Axes, axis: str) -> list[Text]:
    """The tick labels that are drawn."""
    if not axes.get_visible():
        return []
    low, high = sorted(axes.get_xlim() if axis == "x" else axes.get_ylim())
    labels = axes.get_xticklabels() if axis == "x" else axes.get_yticklabels()
    places = axes.get_xticks() if axis == "x" else axes.get_yticks()
    shown = zip(labels, places, strict=False)
    return [text for text, at in shown if text.get_text() and text.get_visible() and low <= at <= high]


def assert_apart(texts: list[Text]) -> None:
    boxes = [text.get_window_extent() for text in texts]
    for (one, first), (two, second) in pairwise(zip(boxes, texts, strict=True)):
        assert Bbox.intersection(shrunk(one), shrunk(two)) is None, (first.get_text(), second.get_text())


def shrunk(box: Bbox) -> Bbox:
    """Touching is no overlap."""
    return box.padded(-0.75)


def assert_inside(picture: Picture, texts: list[Text]) -> None:
    whole = picture.figure.bbox.padded(2)
    for text in texts:
        box = text.get_window_extent()
        assert whole.x0 <= box.x0 < box.x1 <= whole.x1, text.get_text()
        assert whole.y0 <= box.y0 < box.y1 <= whole.y1, text.get_text()


@pytest.mark.parametrize("long", [False, True], ids=["short", "long"])
@pytest.mark.parametrize("n_categories", [2, 5, 60])
@pytest.mark.parametrize("n_raters", [2, 40])
@pytest.mark.parametrize("kind", list(MAKERS))
def test_labels_do_not_overlap(kind: str, n_raters: int, n_categories: int, long: bool) -> None:
    assert_nothing_overlaps(MAKERS[kind](judgements(n_raters, n_categories, long=long)))


@pytest.mark.parametrize("long", [False, True], ids=["short", "long"])
@pytest.mark.parametrize("n_raters", [2, 6, 40])
def test_the_pair_matrix_has_room(n_raters: int, long: bool) -> None:
    assert_nothing_overlaps(draw_pairs(judgements(n_raters, 3, n_units=24, long=long)))


@pytest.mark.parametrize("n_categories", [2, 12, 60])
def test_a_contingency_table_has_room(n_categories: int) -> None:
    assert_nothing_overlaps(contingency(tally(judgements(2, n_categories, n_units=200, long=True))))


@pytest.mark.parametrize("n_units", [3, 12, 20, 60, 500])
def test_names_of_units_have_room(n_units: int) -> None:
    assert_nothing_overlaps(scores(judgements(3, 5, n_units=n_units)))
