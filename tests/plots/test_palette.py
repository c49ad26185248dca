"""Colours that everybody can tell apart."""

from itertools import combinations

import numpy as np
import pytest
from matplotlib.colors import to_rgb
from numpy.typing import NDArray

from assent.plots.palette import UNORDERED, colours, counts_map, text_on

# Linear RGB as dichromats see it (Viénot, Brettel & Mollon 1999).
PROTANOPE = np.array([[0.11238, 0.88762, 0.0], [0.11238, 0.88762, 0.0], [0.00401, -0.00401, 1.0]])
DEUTERANOPE = np.array([[0.29275, 0.70725, 0.0], [0.29275, 0.70725, 0.0], [-0.02234, 0.02234, 1.0]])


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
