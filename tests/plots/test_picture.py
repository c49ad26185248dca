"""Files of pictures: the same data give the same bytes, nothing is half-written, labels are taken literally.

Labels fit and stay apart; colours can be told apart by everybody.
"""

import subprocess
import sys
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.colors import to_rgb
from numpy.typing import NDArray

from concordant.engines.tally import tally
from concordant.errors import InputError
from concordant.model.judgements import Judgements
from concordant.plots.areas import distribution
from concordant.plots.picture import (
    UNORDERED,
    Picture,
    busiest,
    colours,
    counts_map,
    headline,
    new_figure,
    save,
    short,
    shorten,
    size_for,
    styled,
    svg_text,
    text_on,
)
from tests.plots.studies import judgements

# Linear RGB as dichromats see it (Viénot, Brettel & Mollon 1999).
PROTANOPE = np.array([[0.11238, 0.88762, 0.0], [0.11238, 0.88762, 0.0], [0.00401, -0.00401, 1.0]])
DEUTERANOPE = np.array([[0.29275, 0.70725, 0.0], [0.29275, 0.70725, 0.0], [-0.02234, 0.02234, 1.0]])


@pytest.fixture
def picture() -> Picture:
    return distribution(tally(judgements(3, 4)))


@pytest.mark.parametrize("ending", ["svg", "png", "pdf"])
def test_the_same_data_give_the_same_file(tmp_path: Path, ending: str) -> None:
    for name in ("one", "two"):
        save(distribution(tally(judgements(3, 4))), tmp_path / f"{name}.{ending}")
    first = (tmp_path / f"one.{ending}").read_bytes()
    assert first == (tmp_path / f"two.{ending}").read_bytes()
    assert first.startswith({"svg": b"<?xml", "png": b"\x89PNG", "pdf": b"%PDF"}[ending])


def test_the_text_alternative_is_in_the_file(tmp_path: Path, picture: Picture) -> None:
    save(picture, tmp_path / "x.svg")
    assert picture.alternative[:40] in (tmp_path / "x.svg").read_text("utf-8")


def test_an_unknown_ending_is_refused(tmp_path: Path, picture: Picture) -> None:
    with pytest.raises(InputError, match=r"a picture ends in \.png, \.svg, \.pdf, not '\.jpg'"):
        save(picture, tmp_path / "x.jpg")
    assert not list(tmp_path.iterdir())


def test_a_folder_that_is_not_there_is_named(tmp_path: Path, picture: Picture) -> None:
    with pytest.raises(InputError, match="there is no such folder"):
        save(picture, tmp_path / "nowhere" / "x.png")


@pytest.mark.parametrize("label", ["$x^2$", "$", "a_b^c", "<b>&", "日本語", "\\frac", "two\nlines", "  ", "𝔘"])
def test_labels_are_taken_literally(label: str) -> None:
    data = Judgements.from_matrix([[label, "other"], ["other", "other"]], raters=[f"{label}!", "second"])
    assert svg_text(distribution(tally(data)))


def test_pyplot_is_never_loaded() -> None:
    code = (
        "import sys; from tests.plots.studies import judgements; from concordant.engines.tally import tally;"
        "from concordant.plots.areas import distribution; from concordant.plots.picture import svg_text;"
        "svg_text(distribution(tally(judgements(3, 4)))); sys.exit('matplotlib.pyplot' in sys.modules)"
    )
    root = Path(__file__).parents[2]
    assert subprocess.run([sys.executable, "-c", code], cwd=root, check=False).returncode == 0


def test_the_settings_of_matplotlib_are_left_as_they_were(picture: Picture) -> None:
    from matplotlib import rcParams

    before = dict(rcParams)
    svg_text(picture)
    assert dict(rcParams) == before


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


def test_letters_shrink_where_there_is_little_room() -> None:
    assert size_for(1.0) > size_for(0.05) >= 4.0


def test_a_headline_is_folded_to_the_width() -> None:
    with styled():
        figure = new_figure(2)
        headline(figure, "word " * 60, "", "remark")
    lines = figure.get_suptitle().splitlines()
    assert len(lines) > 3
    assert lines[-1] == "remark"


def linear(colour: str) -> NDArray[np.float64]:
    """Light, not code values."""
    c = np.array(to_rgb(colour))
    return np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4)


def luminance(colour: str) -> float:
    return float(linear(colour) @ [0.2126, 0.7152, 0.0722])


@pytest.mark.parametrize("eyes", [np.eye(3), PROTANOPE, DEUTERANOPE], ids=["all cones", "protanope", "deuteranope"])
@pytest.mark.parametrize("shown", [UNORDERED[:6], colours(5, is_ordered=True)], ids=["unordered", "ordered"])
def test_colours_are_told_apart(eyes: NDArray[np.float64], shown: list[str]) -> None:
    for one, two in combinations(shown, 2):
        seen = [np.cbrt(np.clip(eyes @ linear(colour), 0, 1)) for colour in (one, two)]
        assert np.linalg.norm(seen[0] - seen[1]) > 0.1, (one, two)


@pytest.mark.parametrize("colour", [*UNORDERED, *colours(7, is_ordered=True), "#f3f7fb", "#08306b"])
def test_text_on_a_colour_has_enough_contrast(colour: str) -> None:
    low, high = sorted([luminance(colour), luminance(text_on(colour))])
    assert (high + 0.05) / (low + 0.05) >= 4.5


def test_counts_get_darker() -> None:
    ramp = counts_map()
    steps = [float(np.mean(ramp(x)[:3])) for x in (0.0, 0.5, 1.0)]
    assert steps == sorted(steps, reverse=True)
