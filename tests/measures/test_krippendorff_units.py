"""Alpha_U: the published example in steps and in time, laws, lengths, refusals."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from concordant.errors import InputError
from concordant.measures.krippendorff_units import FROM_SPANS, at_most_one
from concordant.measures.result import Agreement
from concordant.model.continuum import Continuum, continua
from concordant.model.spans import Mark, SpanTable
from concordant.uncertainty.estimate import measure
from tests.measures.test_gamma import make

# Krippendorff (2004), Measuring the reliability of qualitative text analysis data, figure 2; positions counted from the
# begin of the continuum of 300. The values to the fourth digit are also in the tests of DKPro Statistics.
FIRST = [(75.0, 145.0, "c"), (220.0, 250.0, "c"), (30.0, 90.0, "k"), (150.0, 200.0, "k")]
SECOND = [(70.0, 150.0, "c"), (205.0, 225.0, "c"), (250.0, 270.0, "c"), (30.0, 90.0, "k"), (150.0, 200.0, "k")]
GOLDEN = {"c": ("0.0144", "0.0532"), "k": ("0.0000", "0.0490")}


def alpha_u(continuum: Continuum, **options: Any) -> Agreement:
    return measure(continuum, "alpha_u", **options)


def test_krippendorff_2004() -> None:
    result = alpha_u(make(FIRST, SECOND, length=300.0))
    for category, (observed, expected) in GOLDEN.items():
        found = result.details["categories"][category]
        assert found["observed"] == pytest.approx(float(observed), abs=0.00005)
        assert found["expected"] == pytest.approx(float(expected), abs=0.00005)
    assert result.value == pytest.approx(0.8587, abs=0.00005)


def test_identical_raters_have_one() -> None:
    assert alpha_u(make(FIRST, FIRST, FIRST, length=300.0)).value == 1


@pytest.mark.parametrize(
    ("continuum", "words"),
    [
        (make(FIRST), "a single rater"),
        (make([], [], length=10.0), "nobody marked a unit"),
        (make(FIRST, [(1.0, 1.0, "c")]), "zero length"),
        (make(FIRST, [(0.0, 9.0, "c"), (5.0, 12.0, "c")]), "'c' by rater 'r1' overlap"),
    ],
)
def test_undefined_cases_say_why(continuum: Continuum, words: str) -> None:
    assert words in str(alpha_u(continuum).reason)


def test_units_of_different_categories_may_overlap() -> None:
    assert alpha_u(make([(0.0, 9.0, "c"), (5.0, 12.0, "k")], [(0.0, 9.0, "c")], length=20.0)).value is not None


def test_no_disagreement_by_chance_is_undefined() -> None:
    everything = Continuum(
        raters=("a", "b"),
        categories=("x",),
        rater=np.array([0, 1]),
        begin=np.zeros(2),
        end=np.ones(2),
        category=np.zeros(2, dtype=np.int64),
    )
    assert "nothing to divide by" in str(alpha_u(everything).reason)


def scaled(text: Continuum, factor: float) -> Continuum:
    length = None if text.length is None else text.length * factor
    return replace(text, begin=text.begin * factor, end=text.end * factor, length=length)


PUBLISHED = make(FIRST, SECOND, length=300.0)


def test_to_more_digits_than_were_published() -> None:
    result = alpha_u(PUBLISHED)
    assert (result.name, result.details["positions"], result.details["length"]) == (
        "Krippendorff's alpha_U",
        "steps",
        300,
    )
    assert result.observed == pytest.approx(0.014444, abs=5e-7)
    assert result.expected == pytest.approx(0.102200, abs=5e-7)
    assert result.value == pytest.approx(0.85867, abs=5e-6)


def test_without_a_length_it_is_taken_from_the_spans_and_said() -> None:
    result = alpha_u(make(FIRST, SECOND))
    assert result.value == pytest.approx(0.86610, abs=5e-6)
    assert FROM_SPANS in result.notes
    assert FROM_SPANS not in alpha_u(PUBLISHED).notes


def test_in_time_it_is_the_limit_of_ever_finer_steps() -> None:
    result = alpha_u(PUBLISHED, positions="time")
    assert result.name == "Krippendorff's alpha_U (continuous)"
    assert result.value == pytest.approx(0.85887, abs=5e-6)
    for factor, value in ((10, 0.858850), (100, 0.858870), (1000, 0.858872)):
        assert alpha_u(scaled(PUBLISHED, factor)).value == pytest.approx(value, abs=5e-7)


@st.composite
def texts(draw: st.DrawFn) -> Continuum:
    """Up to four raters who cut a text of 100 into units of two categories."""
    cuts = []
    for _ in range(draw(st.integers(2, 4))):
        spans: list[tuple[float, float, str]] = []
        for category in "ck":
            edges = sorted(draw(st.sets(st.integers(0, 100), max_size=8)))
            spans += [(float(b), float(e), category) for b, e in zip(edges[::2], edges[1::2], strict=False)]
        cuts.append(spans)
    return make(*cuts, length=100.0)


@given(texts(), st.sampled_from([1 / 60, 1e-3, 1000.0, 7.3]))
def test_the_unit_of_time_does_not_matter(text: Continuum, factor: float) -> None:
    one, other = alpha_u(text, positions="time"), alpha_u(scaled(text, factor), positions="time")
    assert (one.value is None) == (other.value is None)
    if one.value is not None:
        assert other.value == pytest.approx(one.value, abs=1e-9 * max(1, abs(one.value)))


@given(texts(), st.sampled_from(["steps", "time"]))
def test_it_never_exceeds_one(text: Continuum, positions: str) -> None:
    value = alpha_u(text, positions=positions).value
    assert value is None or value <= 1 + 1e-12


def test_a_value_above_one_is_a_mistake_of_the_program() -> None:
    with pytest.raises(ArithmeticError, match="above 1"):
        at_most_one(np.array(22.957))


def test_seconds_are_not_taken_for_steps() -> None:
    seconds, minutes = scaled(PUBLISHED, 0.01), scaled(PUBLISHED, 0.01 / 60)
    assert alpha_u(seconds).name == alpha_u(minutes).name == "Krippendorff's alpha_U (continuous)"
    assert alpha_u(seconds).value == pytest.approx(alpha_u(minutes).value)


@pytest.mark.parametrize(("declared", "value"), [("time", 0.85887), ("steps", 0.85867), (None, 0.85867)])
def test_whoever_read_the_spans_says_what_positions_are(declared: Any, value: float) -> None:
    assert alpha_u(replace(PUBLISHED, positions=declared)).value == pytest.approx(value, abs=5e-6)


def test_one_fraction_makes_all_texts_of_a_table_times() -> None:
    marks = [Mark("a", who, 1.0, 2.0, "x") for who in "ij"] + [Mark("b", who, 0.5, 2.0, "x") for who in "ij"]
    assert {text.positions for text in continua(SpanTable.from_marks("t", marks))} == {"time"}
    assert [text.positions for text in continua(SpanTable.from_marks("t", marks[:2]))] == [None]


@pytest.mark.parametrize(
    ("text", "options", "words"),
    [
        (scaled(PUBLISHED, 0.01), {"positions": "steps"}, "not whole steps: .* --positions time"),
        (make(FIRST, SECOND), {"positions": "steps", "length": 300.5}, "not whole steps: 300.5"),
        (make(FIRST, SECOND), {"length": 200.0}, "ends at 270, past --length 200"),
        (PUBLISHED, {"length": 400.0}, "is 300 long, not 400; leave out --length"),
        (make(FIRST, SECOND), {"length": 0.0}, "the length 0.0 is not one of a text"),
        (make(FIRST, SECOND), {"length": "long"}, "the length long is not one of a text"),
    ],
)
def test_what_cannot_be_is_refused(text: Continuum, options: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError, match=words):
        alpha_u(text, **options)


def test_a_length_that_is_said_counts() -> None:
    for length in (300.0, "300"):
        result = alpha_u(make(FIRST, SECOND), length=length)
        assert result.value == pytest.approx(0.85867, abs=5e-6)
        assert "|length:300.0|" in result.signature
    assert alpha_u(PUBLISHED, length=300.0).value == pytest.approx(0.85867, abs=5e-6)


def test_a_unit_that_fills_the_text_leaves_chance_no_place() -> None:
    alone = make([(0.0, 9.0, "c")], [], length=9.0)
    assert alpha_u(alone, positions="time").value is None
    assert alpha_u(alone, positions="steps").value is not None
