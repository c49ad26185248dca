"""Feature weights: SAILS Table 4.6, intervals, the logistic model, bad input."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from concordant.errors import InputError
from concordant.gold.weights import (
    Preferences,
    differences,
    fit_logistic,
    read_preferences,
    round_to_one,
    weigh,
    weights_from_counts,
)
from concordant.model.columns import Column, encode
from concordant.randomness import generator

# SAILS Table 4.6: preferred, dispreferred, net, weight (the document prints .263 for the last; its weights sum to 1.001)
TABLE_4_6 = {
    "core": (944, 367, 577, "0.365"),
    "answer": (807, 660, 147, "0.093"),
    "grammar": (910, 822, 88, "0.056"),
    "interpret": (1021, 667, 354, "0.224"),
    "verif": (1026, 611, 415, "0.262"),
}


def test_table_4_6() -> None:
    found = weights_from_counts({name: (p, d) for name, (p, d, _, _) in TABLE_4_6.items()})
    assert [one.net for one in found] == [net for _, _, net, _ in TABLE_4_6.values()]
    assert sum(one.net for one in found) == 1581
    assert [one.rounded for one in found] == [weight for *_, weight in TABLE_4_6.values()]
    assert sum(round(1000 * float(one.rounded)) for one in found if one.rounded) == 1000


@given(st.lists(st.integers(1, 10**6), min_size=1, max_size=12), st.integers(1, 6))
def test_rounded_weights_sum_to_exactly_one(nets: list[int], digits: int) -> None:
    rounded = round_to_one([net / sum(nets) for net in nets], digits=digits)
    assert sum(round(float(text) * 10**digits) for text in rounded) == 10**digits
    assert all(
        abs(float(text) - net / sum(nets)) < 1.0001 / 10**digits for text, net in zip(rounded, nets, strict=True)
    )


def made(n: int = 600, slot: float = 0.0, seed: int = 2) -> Preferences:
    """Pairs decided by a logistic model with strengths 3, 1 and 0.5."""
    random = generator(seed)
    first, second = (random.integers(0, 2, (n, 3)).astype(np.float64) for _ in range(2))
    odds = slot + (first - second) @ np.array([3.0, 1.0, 0.5])
    prefers_first = random.random(n) < 1 / (1 + np.exp(-odds))
    choice = np.where(prefers_first, 1, -1)
    choice[:20] = 0
    return Preferences(
        features=("core", "form", "style"),
        pair=encode(np.arange(n)),
        rater=None,
        choice=choice,
        first=first,
        second=second,
    )


def test_the_logistic_model_finds_the_strengths_and_the_slot() -> None:
    data = made(20_000, slot=0.4)
    found = weigh(data, resamples=50)
    assert [one.logistic_coefficient for one in found.features] == [
        pytest.approx(3.0, abs=0.15), pytest.approx(1.0, abs=0.1), pytest.approx(0.5, abs=0.1),
    ]  # fmt: skip
    assert found.slot == pytest.approx(0.4, abs=0.08)
    assert sum(one.logistic or 0 for one in found.features) == pytest.approx(1.0)


def test_weights_have_intervals_around_them_and_same_is_left_out() -> None:
    found = weigh(made(), seed=3)
    assert (found.n_decisions, found.n_same) == (600, 20)
    for one in found.features:
        assert one.interval is not None
        assert one.weight is not None
        assert one.interval.low < one.weight < one.interval.high
    assert found.features[0].interval == weigh(made(), seed=3).features[0].interval


def test_whole_pairs_are_drawn() -> None:
    data = made(300)
    twice = Preferences(
        features=data.features,
        pair=Column(codes=np.tile(data.pair.as_labels().codes, 2), labels=data.pair.as_labels().labels),
        rater=encode(["A1"] * 300 + ["A2"] * 300),
        choice=np.tile(data.choice, 2),
        first=np.tile(data.first, (2, 1)),
        second=np.tile(data.second, (2, 1)),
    )
    one, two = weigh(data).features[0].interval, weigh(twice).features[0].interval
    assert one is not None
    assert two is not None
    assert two.width == pytest.approx(one.width)  # copies of decisions do not make the interval narrower


def test_nets_that_sum_to_nothing_have_no_weights() -> None:
    found = weights_from_counts({"a": (3, 5), "b": (4, 4)})
    assert [one.weight for one in found] == [None, None]


def test_a_feature_that_decides_every_pair_has_no_maximum() -> None:
    difference = np.array([[1.0], [1.0], [-1.0], [-1.0]] * 5)
    found = fit_logistic(difference, difference[:, 0] > 0)
    assert found.reason == "some features decide every pair"


def test_agreement_of_raters_carries_the_warning(tmp_path: Path) -> None:
    path = tmp_path / "pairs.csv"
    rows = [f"{i},{rater},{'AB'[i % 2]},{i % 2},{1 - i % 2}" for i in range(8) for rater in ("A1", "A2")]
    path.write_text("pair,rater,choice,A_core,B_core\n" + "\n".join(rows), encoding="utf-8")
    found = weigh(read_preferences(path), resamples=50)
    assert found.agreement is not None
    assert found.agreement.value == pytest.approx(1.0)
    assert any("how the slots A and B were coded" in note for note in found.notes)
    assert len(read_preferences(path).by("A1").choice) == 8


def test_choices_and_features(tmp_path: Path) -> None:
    path = tmp_path / "pairs.csv"
    path.write_text("pair,choice,A_x,B_x,A_y,B_y\n1,A,1,0,0,1\n2,b,0,1,1,1\n3,Same,1,1,0,0\n", encoding="utf-8")
    found = read_preferences(path)
    assert found.features == ("x", "y")
    assert found.choice.tolist() == [1, -1, 0]
    assert found.preferred.tolist() == [[1, 0], [1, 1]]
    assert found.dispreferred.tolist() == [[0, 1], [0, 1]]
    difference, is_first = differences(found)
    assert difference.tolist() == [[1, -1], [-1, 0]]
    assert is_first.tolist() == [True, False]
    with pytest.raises(InputError, match="no column 'rater'"):
        found.by("A1")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("pair,A_x,B_x\n1,1,0\n", "column 'choice': there is no such column"),
        ("pair,choice,A_x\n1,A,1\n", "no column B_x"),
        ("pair,choice\n1,A\n", "no features were found"),
        ("pair,choice,A_group,B_group\n1,A,native,other\n", "no features were found"),
        ("pair,choice,A_x,B_x\n1,C,1,0\n", "row 2, column 'choice': the choice 'C' is unknown"),
        ("pair,choice,A_x,B_x\n1,A,yes,0\n", "row 2, column 'A_x': 'yes' is not a number"),
        ("pair,choice,A_x,B_x\n1,A,1,0\n2,,1,0\n", "row 3, column 'choice': the choice is blank"),
    ],
)
def test_bad_pairs(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "pairs.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=message):
        read_preferences(path)


def test_what_was_shown_and_attributes_in_words_are_no_features(tmp_path: Path) -> None:
    path = tmp_path / "pairs.csv"
    header = "pair,choice,A_unit,A_text,A_group,A_x,B_unit,B_text,B_group,B_x"
    path.write_text(f"{header}\n1,A,u1,one,native,1,u2,two,other,0\n", encoding="utf-8")
    assert read_preferences(path).features == ("x",)
