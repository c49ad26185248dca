"""Files of pictures: the same data give the same bytes, nothing is half-written, labels are taken literally."""

import subprocess
import sys
from pathlib import Path

import pytest

from assent.engines.tally import tally
from assent.errors import InputError
from assent.model.judgements import Judgements
from assent.plots.distribution import distribution
from assent.plots.picture import Picture, save, svg_text
from tests.plots.studies import judgements


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
        "import sys; from tests.plots.studies import judgements; from assent.engines.tally import tally;"
        "from assent.plots.distribution import distribution; from assent.plots.picture import svg_text;"
        "svg_text(distribution(tally(judgements(3, 4)))); sys.exit('matplotlib.pyplot' in sys.modules)"
    )
    root = Path(__file__).parents[2]
    assert subprocess.run([sys.executable, "-c", code], cwd=root, check=False).returncode == 0


def test_the_settings_of_matplotlib_are_left_as_they_were(picture: Picture) -> None:
    from matplotlib import rcParams

    before = dict(rcParams)
    svg_text(picture)
    assert dict(rcParams) == before
