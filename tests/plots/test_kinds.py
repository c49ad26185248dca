"""Every kind of picture shows what it says, and says it in words with the numbers."""

from dataclasses import replace

import numpy as np
import pytest

from concordant.errors import InputError
from concordant.model.columns import encode
from concordant.model.judgements import Judgements
from concordant.model.study import Study
from concordant.plots.kinds import KINDS, draw
from concordant.readers.data import as_study


def study(matrix: list[list[int]], *, level: str | None = None, raters: list[str] | None = None) -> Study:
    return as_study(Judgements.from_matrix(matrix, level=level, raters=raters))


THREE = study([[1, 1, 2], [2, 2, 3], [3, 3, 3], [1, 2, 2]], level="ordinal", raters=["Ada", "Ben", "Cem"])
TWO = study([[1, 1], [1, 2], [2, 2], [2, 2]], level="nominal", raters=["Ada", "Ben"])


def test_an_unknown_kind_suggests_the_nearest() -> None:
    with pytest.raises(InputError, match="unknown kind of picture 'score'; did you mean 'scores'"):
        draw("score", THREE)


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "coefficients"])
def test_what_a_kind_does_not_use_is_refused_with_what_it_has(kind: str) -> None:
    for name, value in {"by": "x", "measure": "alpha", "resamples": 20, "seed": 3}.items():
        if name not in KINDS[kind].choices:
            has = ", ".join(KINDS[kind].choices)
            with pytest.raises(InputError, match=f"a picture of {kind} has no option '{name}'; it has {has}"):
                draw(kind, THREE, **{name: value})


def test_entropy_is_by_one_attribute() -> None:
    with pytest.raises(InputError, match="a picture of entropy is by one attribute"):
        draw("entropy", THREE, by=("one", "two"))


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in ("contingency", "bland-altman", "wright")])
def test_every_kind_has_a_title_and_numbers_in_words(kind: str) -> None:
    picture = draw(kind, THREE, **{"resamples": 50} if kind == "coefficients" else {})
    assert picture.kind == kind
    assert picture.title
    assert any(character.isdigit() for character in picture.alternative)


def test_a_wright_map_shows_one_question_and_tells_the_severest_rater() -> None:
    rows = [[1, 1, 2], [2, 2, 3], [3, 1, 3], [1, 2, 2], [2, 1, 2], [3, 2, 3], [1, 1, 1], [3, 3, 2]] * 4
    picture = draw("wright", study(rows, level="ordinal", raters=["Ada", "Ben", "Cem"]))
    assert "Cem gives an average unit" in picture.alternative
    assert len(picture.axes) == 2
    asked = {
        "unit": [f"u{u}" for _ in "pq" for u in range(len(rows)) for _ in range(3)],
        "rater": ["Ada", "Ben", "Cem"] * (2 * len(rows)),
        "value": [value for row in rows * 2 for value in row],
        "question": [question for question in "pq" for _ in range(3 * len(rows))],
    }
    with pytest.raises(InputError, match="shows one question, and there are 2"):
        draw("wright", as_study(asked, level="ordinal"))


def test_differences_of_two_raters_have_limits() -> None:
    two = study([[1, 2], [2, 2], [3, 4], [1, 1], [4, 4]], level="interval", raters=["Ada", "Ben"])
    said = draw("bland-altman", two).alternative
    assert said.startswith("Ben less Ada: mean difference 0.400, standard deviation 0.548; limits of agreement -0.674")
    with pytest.raises(InputError, match="there are 3"):
        draw("bland-altman", THREE)
    with pytest.raises(InputError, match="need numbers"):
        draw("bland-altman", TWO)


def test_score_lines_name_the_strictest_rater() -> None:
    said = draw("scores", THREE).alternative
    assert "Cem scored highest (2.50) and Ada lowest (1.75)" in said
    assert "the raters gave one and the same score to 1 unit of" in said


def test_score_lines_are_shifted_apart() -> None:
    same = study([[1, 1, 1], [2, 2, 2], [3, 3, 3]], level="ordinal")
    lines = draw("scores", same).figure.axes[0].get_lines()
    heights = np.array([np.asarray(line.get_ydata(), dtype=float) for line in lines])
    assert (np.diff(heights, axis=0) > 0.1).all()
    assert np.ptp(heights, axis=0).max() <= 0.5


def test_many_raters_get_a_panel_each() -> None:
    many = study([[1 + (i + r) % 3 for r in range(11)] for i in range(30)], level="ordinal")
    picture = draw("scores", many)
    assert sum(axes.get_visible() for axes in picture.figure.axes) == 11


def test_score_lines_need_an_order() -> None:
    with pytest.raises(InputError, match="score lines need values in an order, and these are nominal"):
        draw("scores", study([[1, 2], [2, 3], [3, 1]], level="nominal"))


def test_distribution_names_the_largest_difference() -> None:
    said = draw("distribution", THREE).alternative
    assert "The most used category is 2 (41.7 % of all judgements)" in said
    assert "on 1: Ada gave it in 50.0 %, Cem in 0.0 %" in said


def test_distribution_of_many_categories_is_a_heat_map() -> None:
    many = study([[i, (i * 7) % 20] for i in range(20)], level="ordinal")
    assert draw("distribution", many).figure.axes[0].get_images()


def test_distribution_of_a_continuous_scale_is_boxes() -> None:
    numbers = np.linspace(0, 1, 3000).reshape(1500, 2) ** 2
    said = draw("distribution", as_study(Judgements.from_matrix(numbers))).alternative
    assert said.startswith("Box plots of the values of 2 raters. The medians run from 0.25")


def test_contingency_counts_the_cells() -> None:
    said = draw("contingency", TWO).alternative
    assert "Ada (rows) against Ben (columns): 4 units, 75.0 % on the diagonal" in said
    assert "1 with 2: 1 (25.0 %)" in said


def test_contingency_is_for_two_raters() -> None:
    with pytest.raises(InputError, match="compares two raters, and there are 3; choose two with --raters A,B"):
        draw("contingency", THREE)


def test_contingency_needs_common_units() -> None:
    apart = Judgements.from_rows(["a", "b"], ["Ada", "Ben"], ["x", "y"])
    with pytest.raises(InputError, match="no unit was judged by both raters"):
        draw("contingency", as_study(apart))


def test_coincidences_follow_krippendorff() -> None:
    # unit 1: {1,1,2}: o_11 = 2·1/2, o_12 = 2·1/2 each way; 12 judgements in all
    said = draw("coincidence", THREE).alternative
    assert "12 pairable judgements" in said
    assert "50.0 % on the diagonal" in said


@pytest.mark.parametrize("kind", ["contingency", "coincidence", "entropy"])
def test_pictures_of_categories_need_categories(kind: str) -> None:
    numbers = as_study(Judgements.from_matrix(np.linspace(0, 1, 3000).reshape(1500, 2)))
    with pytest.raises(InputError, match="needs categories, and the scale is continuous"):
        draw(kind, numbers)


def test_one_question_at_a_time() -> None:
    both = replace(THREE, question=encode(np.array(["q1", "q2"])[np.arange(THREE.n_rows) % 2]))
    with pytest.raises(InputError, match="shows one question, and there are 2; choose one with --where question=q1"):
        draw("distribution", both)
    assert draw("distribution", both, pool=True).figure


def test_entropy_by_attribute_says_the_means_and_the_test() -> None:
    wide = study([[1, 1, 1], [1, 1, 2], [1, 2, 3], [1, 1, 1], [1, 2, 2], [3, 2, 1]] * 3)
    groups = np.array(["easy", "easy", "hard"])[wide.unit.codes % 3]
    said = draw("entropy", replace(wide, attributes={"kind": encode(groups)}), by=("kind",)).alternative
    assert "Means: easy 0.459, hard 1.585" in said


def test_coefficients_say_value_and_interval() -> None:
    said = draw("coefficients", TWO, measure=("kappa",), resamples=50).alternative
    assert said.startswith("Coefficients with intervals: Cohen's kappa 0.500 (")


def test_an_undefined_coefficient_says_why_in_its_place() -> None:
    constant = study([[1, 1], [1, 1]], level="nominal")
    picture = draw("coefficients", constant, measure=("kappa",), resamples=50)
    assert "1 coefficient undefined" in picture.alternative
    assert any(text.get_text().startswith("undefined: ") for text in picture.figure.axes[0].texts)


def test_pairs_name_the_lowest_and_highest() -> None:
    said = draw("pairs", THREE).alternative
    assert "of 3 rater pairs: mean" in said
    assert "Kendall's tau-b" in said
