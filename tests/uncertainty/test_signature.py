"""Signatures are made, taken apart and checked."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.engines.tally import Tally, tally
from assent.errors import InputError
from assent.model.judgements import Judgements
from assent.uncertainty.estimate import measure, verify
from assent.uncertainty.signature import escape, parse
from tests.uncertainty.conftest import panel

CLOSE = np.array([[1, 0.5, 0, 0], [0.5, 1, 0.5, 0], [0, 0.5, 1, 0.5], [0, 0, 0.5, 1]])
names = st.text(min_size=1, max_size=12).filter(lambda text: text.strip() == text)


def test_a_signature_says_what_was_computed(two_raters: Tally) -> None:
    text = measure(two_raters, "kappa", ci="bca", resamples=50, seed=1).signature
    assert text.startswith("kappa|level:nominal|units:100|raters:2|dropped:0|ci:bca,95%,units|B:50|seed:1|scale:4,")
    assert text.endswith("|v:0.1.0")
    assert f"|data:{two_raters.fingerprint}|" in text


@pytest.mark.parametrize(
    ("choices", "fields"),
    [
        ({"ci": "none"}, "|ci:none|scale"),
        ({"ci": "analytic", "confidence": 0.9}, "|ci:analytic,90%|scale"),
        ({"ci": "jackknife", "over": "raters"}, "|ci:jackknife,95%,raters|scale"),
        ({"ci": "pairs", "seed": 4}, "|ci:pairs,95%|seed:4|scale"),
        ({"ci": "none", "singletons": "drop", "weight": "judgements"}, "|singletons:drop|weight:judgements|ci:none"),
        ({"ci": "none", "weights": CLOSE}, "|weights:matrix,"),
        ({"ci": "none", "question": "how | well"}, "|question:how %7C well|"),
        ({"ci": "none", "slice": {"group": "a,b", "x": "1"}}, "|slice:group=a%2Cb,x=1|"),
        ({"ci": "none", "raters": ["rater 1", "rater 3", "rater 2"]}, "|pair:rater 1,rater 3,rater 2|"),
        ({"ci": "none", "selection": {"where": "a=b"}}, "|from.where:a%3Db|"),
    ],
)
def test_every_choice_is_in_the_signature_and_verifies(
    five_raters: Tally, choices: dict[str, Any], fields: str
) -> None:
    text = measure(five_raters, "fleiss", **choices).signature
    assert fields in text
    assert verify(text, five_raters, matrices={"weights": CLOSE}).matches


@given(names, names, names)
def test_any_name_survives(question: str, attribute: str, level: str) -> None:
    data = tally(Judgements.from_matrix([[1, 1], [2, 2], [1, 2]], level="nominal"))
    source = {"unit": question, "question": attribute, "value": level, attribute: "x"}
    made = measure(data, "pi", ci="none", question=question, slice={attribute: level}, selection=source)
    claimed = parse(made.signature)
    assert claimed.question == question
    assert claimed.slice == {attribute: level}
    assert claimed.selection == source


def test_escaping_keeps_other_letters() -> None:
    assert escape("naïve %|,:=") == "naïve %25%7C%2C%3A%3D"


def test_a_changed_judgement_changes_the_fingerprint_and_is_found(two_raters: Tally) -> None:
    cells = panel(100, 2)
    text = measure(two_raters, "kappa", resamples=50, seed=1).signature
    cells[0, 0] = cells[0, 0] % 4 + 1
    found = verify(text, Judgements.from_matrix(cells, level="nominal"))
    assert not found.matches
    assert found.differences[0].startswith("data: ")
    assert any(difference.startswith("value: ") for difference in found.differences)


def test_a_wrong_value_is_found(two_raters: Tally) -> None:
    made = measure(two_raters, "kappa", ci="none")
    text = made.signature.replace(f"value:{made.value!r}", "value:0.5")
    assert verify(text, two_raters).differences == (f"value: 0.5 in the signature, {made.value!r} computed",)


def test_another_version_is_said_only_when_numbers_differ(two_raters: Tally) -> None:
    text = measure(two_raters, "kappa", ci="none").signature.replace("v:0.1.0", "v:0.0.9")
    assert verify(text, two_raters).matches
    other = verify(text.replace("units:100", "units:99"), two_raters)
    assert other.differences[-1] == "version: 0.0.9 in the signature, 0.1.0 here"


def test_a_missing_interval_is_a_difference(two_raters: Tally) -> None:
    text = measure(two_raters, "kappa", ci="none").signature.replace("|v:", "|interval:0.1,0.2|v:")
    assert verify(text, two_raters).differences == ("interval: 0.1,0.2 in the signature, nothing computed",)


def test_undefined_is_signed_and_verified() -> None:
    data = Judgements.from_matrix([[1, 1], [1, 1]], level="nominal")
    text = measure(data, "kappa", seed=1).signature
    assert "|value:undefined|" in text
    assert verify(text, data).matches
    assert not verify(text.replace("undefined", "0.5"), data).matches


def test_a_matrix_must_be_given_again(five_raters: Tally) -> None:
    text = measure(five_raters, "fleiss", ci="none", weights=CLOSE).signature
    with pytest.raises(InputError, match="made with a matrix of weights"):
        verify(text, five_raters)
    with pytest.raises(InputError, match="not the matrix of weights"):
        verify(text, five_raters, matrices={"weights": np.eye(4)})


@pytest.mark.parametrize("text", ["", "kappa", "kappa|value:1|v:0.1.0", "|data:1|value:1|v:0.1.0"])
def test_what_is_no_signature_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="not a signature"):
        parse(text)


def test_a_value_that_is_no_number_is_refused(two_raters: Tally) -> None:
    made = measure(two_raters, "kappa", ci="none")
    with pytest.raises(InputError, match="'high' in the signature is not a number"):
        verify(made.signature.replace(repr(made.value), "high"), two_raters)


def test_a_signature_without_place_has_none(two_raters: Tally) -> None:
    claimed = parse(measure(two_raters, "kappa", ci="none").signature)
    assert (claimed.question, claimed.slice, claimed.raters, claimed.selection) == (None, None, None, {})


@pytest.mark.parametrize(
    ("was", "becomes", "message"),
    [
        ("seed:1", "seed:one", "'one' in the signature is not a whole number"),
        ("B:10", "B:nan", "'nan' in the signature is not a whole number"),
        ("B:10", "B:99999999999999999999", "resamples are too many"),
        ("ci:bootstrap,95%,units", "ci:bootstrap", "'' in the signature is not a number"),
        ("ci:bootstrap,95%,units", "ci:booted,95%,units", "unknown kind of interval"),
        ("|ci:", "|singletons:some|ci:", "unknown singletons"),
        ("level:nominal", "level:nominel", "unknown level"),
        ("kappa|", "kapa|", "unknown measure"),
    ],
)
def test_a_damaged_signature_is_one_clear_line(two_raters: Tally, was: str, becomes: str, message: str) -> None:
    text = measure(two_raters, "kappa", resamples=10, seed=1).signature
    with pytest.raises(InputError, match=message):
        verify(text.replace(was, becomes), two_raters)


def test_an_interval_with_one_end_is_a_difference(two_raters: Tally) -> None:
    made = measure(two_raters, "kappa", resamples=10, seed=1)
    assert made.interval is not None
    assert not verify(made.signature.replace(f",{made.interval.high!r}|", "|"), two_raters).matches
