"""Scales: levels, order, declared categories, positions."""

import numpy as np
import pytest

from concordant.errors import InputError
from concordant.model.scale import Level, Scale, as_numbers, guess_level, level_named, make_scale


@pytest.mark.parametrize(
    ("labels", "level"),
    [
        (["1", "2", "3"], Level.ORDINAL),
        (["0", "1"], Level.NOMINAL),
        (["0.25", "3"], Level.INTERVAL),
        (["0.5", "1", "2"], Level.INTERVAL),
        ([str(i) for i in range(30)], Level.INTERVAL),
        (["yes", "no"], Level.NOMINAL),
        (["B", "E", "B+E"], Level.SET),
        (["C++", "C"], Level.NOMINAL),
        (["a+b", "c"], Level.NOMINAL),
        ([], Level.NOMINAL),
    ],
)
def test_levels_are_guessed_and_said_to_be(labels: list[str], level: Level) -> None:
    assert guess_level(labels) is level
    assert make_scale(labels).is_guessed


def test_labels_are_ordered_by_number_or_by_character() -> None:
    assert make_scale(["10", "9", "1"]).categories == ("1", "9", "10")
    assert make_scale(["b", "a"]).categories == ("a", "b")
    assert make_scale(["1.0", "1"], level="nominal").categories == ("1", "1.0")


def test_declared_categories_keep_their_order_and_the_unused() -> None:
    scale = make_scale(["low"], level="ordinal", categories=["low", "middle", "high"])
    assert scale.categories == ("low", "middle", "high")
    assert scale.positions().tolist() == [0, 1, 2]
    assert not scale.has_numbers


@pytest.mark.parametrize(
    ("level", "categories", "positions"),
    [
        (Level.ORDINAL, ("1", "2", "5"), [1, 2, 5]),
        (Level.ORDINAL, ("5", "2", "1"), [5, 2, 1]),
        (Level.ORDINAL, ("1", "5", "2"), [0, 1, 2]),
        (Level.INTERVAL, ("1", "5", "2"), [1, 5, 2]),
        (Level.NOMINAL, (), []),
    ],
)
def test_positions(level: Level, categories: tuple[str, ...], positions: list[float]) -> None:
    """Codes of an ordinal scale declared in another order than their numbers lie in the declared order."""
    assert Scale(level=level, categories=categories).positions().tolist() == positions


def test_sets_are_made_of_declared_classes() -> None:
    scale = make_scale(["B+E", "B"], level="set", categories=["B", "E"])
    assert scale.categories == ("B", "E", "B+E")
    assert scale.members()[2] == {"B", "E"}


@pytest.mark.parametrize(
    ("labels", "level", "categories", "message"),
    [
        (["a"], "ordnal", None, "did you mean 'ordinal'"),
        (["a"], None, ["a", "a"], "declared twice"),
        (["yess"], None, ["yes", "no"], "did you mean 'yes'"),
        (["B+X"], "set", ["B", "E"], "the class 'X'"),
        (["low", "high"], "ordinal", None, "no natural order"),
        (["low", "high"], "circular", None, "no natural order"),
        (["low", "high"], "interval", None, "'low' is not a number"),
        (["-1", "2"], "ratio", None, "below zero"),
    ],
)
def test_refusals(labels: list[str], level: str | None, categories: list[str] | None, message: str) -> None:
    with pytest.raises(InputError, match=message):
        make_scale(labels, level=level, categories=categories)


def test_infinite_is_not_a_number() -> None:
    assert as_numbers(["1", "inf"]) is None
    assert as_numbers(["1", "x"]) is None
    np.testing.assert_array_equal(as_numbers(["1", "2.5"]), [1, 2.5])


def test_levels_know_order_and_distance() -> None:
    assert level_named("circular").is_numeric
    assert not Level.CIRCULAR.is_ordered
    assert Level.ORDINAL.is_ordered
    assert not Level.ORDINAL.is_numeric


@pytest.mark.parametrize(
    ("categories", "positive"),
    [
        (("no", "yes"), "yes"),
        (("yes", "no"), "yes"),
        (("0", "1"), "1"),
        (("Ja", "Nein"), "Ja"),
        (("non", "oui"), "oui"),
        (("TRUE", "FALSE"), "TRUE"),
        (("no", "sí"), "sí"),
        (("no", "maybe"), "maybe"),
        (("odd", "0"), None),
        (("news", "blog"), None),
        (("1", "2"), None),
        (("1", "-1"), "1"),
        (("1", "0"), "1"),
        (("ja", "yes"), None),
        (("nein", "no"), None),
        (("no", "yes", "unsure"), None),
    ],
)
def test_which_of_two_means_yes(categories: tuple[str, ...], positive: str | None) -> None:
    assert Scale(level=Level.NOMINAL, categories=categories).positive == positive
