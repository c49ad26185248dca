"""Omega, Guttman's lambdas and alpha without each rater, against psych 2.2.9 (R), which looks at standardized scores.

Data: Chatterjee, S., & Price, B. (1977). Regression Analysis by Example (R's `attitude`): 30 departments, 7 questions.
psych: `guttman(attitude)`, `splitHalf(attitude)$maxrb`, `alpha(attitude)$alpha.drop`; omega total from
`fa(attitude, 1, fm = "minres")`: 1 - sum(uniquenesses) / sum(cor(attitude)).
"""

import numpy as np
import pytest

from concordant.arrays import Floats
from concordant.model.judgements import Judgements
from concordant.uncertainty.estimate import measure

ATTITUDE = """43 51 30 39 61 92 45|63 64 51 54 63 73 47|71 70 68 69 76 86 48|61 63 45 47 54 84 35|81 78 56 66 71 83 47
|43 55 49 44 54 49 34|58 67 42 56 66 68 35|71 75 50 55 70 66 41|72 82 72 67 71 83 31|67 61 45 47 62 80 41
|64 53 53 58 58 67 34|67 60 47 39 59 74 41|69 62 57 42 55 63 25|68 83 83 45 59 77 35|77 77 54 72 79 77 46
|81 90 50 72 60 54 36|74 85 64 69 79 79 63|65 60 65 75 55 80 60|65 70 46 57 75 85 46|50 58 68 54 64 78 52
|50 40 33 34 43 64 33|64 61 52 62 66 80 41|53 66 52 50 63 80 37|40 37 42 58 50 57 49|63 54 42 48 66 75 33
|66 77 66 63 88 76 72|78 75 58 74 80 78 49|48 57 44 45 51 83 38|85 85 71 71 77 74 55|82 82 39 59 64 78 39"""
SCORES = np.array([row.split() for row in ATTITUDE.split("|")], dtype=float)
STANDARD = (SCORES - SCORES.mean(axis=0)) / SCORES.std(axis=0, ddof=1)


def on(matrix: Floats) -> Judgements:
    return Judgements.from_matrix(matrix, level="interval")


@pytest.mark.parametrize(
    ("key", "value"),
    [("lambda2", 0.85189971), ("lambda4", 0.89263221), ("lambda6", 0.87521514), ("omega", 0.85099247)],
)
def test_as_psych(key: str, value: float) -> None:
    assert float(measure(on(STANDARD), key, ci="none")) == pytest.approx(value, abs=5e-8)


def test_alpha_without_each_as_psych() -> None:
    dropped = measure(on(SCORES), "cronbach_alpha", ci="none").details["if_dropped"]
    psych = [0.80976021, 0.79691746, 0.82784777, 0.80303098, 0.79538657, 0.86387231, 0.84046487]
    assert list(dropped.values()) == pytest.approx(psych, abs=5e-9)
    assert "if_dropped" not in measure(on(SCORES[:, :2]), "cronbach_alpha", ci="none").details


def test_bounds_are_in_their_order_and_have_intervals() -> None:
    alpha, second = (float(measure(on(SCORES), key, ci="none")) for key in ("cronbach_alpha", "lambda2"))
    assert alpha <= second
    interval = measure(on(SCORES), "lambda2", seed=1, resamples=200).interval
    assert interval is not None
    assert interval.low < second < interval.high


def test_reasons() -> None:
    assert "it takes 3" in str(measure(on(SCORES[:, :2]), "omega").reason)
    assert "too many halves" in str(measure(on(np.tile(SCORES, 2)), "lambda4").reason)
    constant = SCORES.copy()
    constant[:, 0] = 5
    assert "one score throughout" in str(measure(on(constant), "lambda2").reason)
    assert "only one rater" in str(measure(on(SCORES[:, :1]), "lambda6").reason)


def test_the_published_interval_is_of_the_units_that_count() -> None:
    """Units with holes are left out of the value, and so of its interval."""
    holes = SCORES.copy()
    holes[3, 2] = holes[17, 5] = np.nan
    whole = np.delete(SCORES, [3, 17], axis=0)
    one, two = (measure(on(each), "cronbach_alpha", ci="analytic") for each in (holes, whole))
    assert one.interval == two.interval
    assert one.value == two.value
    assert one.interval is not None
    icc = measure(on(holes), "icc_ck", ci="analytic")
    assert icc.interval is None
    assert any("no published interval where units have missing judgements" in note for note in icc.notes)
