"""Options that can be made from keywords, signed, read back and shown."""

from typing import Literal

import numpy as np
import pytest

from concordant.arrays import Floats
from concordant.choices import Choices, always, choice, never
from concordant.errors import InputError


class Some(Choices):
    """One field of every type."""

    alpha: float = always(1.0, "Weight of positions.")
    times: int = choice(3)
    order: tuple[str, ...] = choice(())
    labels: frozenset[str] = choice(frozenset())
    kind: Literal["a", "b"] = choice("a")
    is_open: bool = choice(True)
    precision: float | None = always(0.02)
    weights: str | Floats | None = choice(None)
    workers: int = never(1)
    plain: str = "word"


OTHER = {
    "alpha": 2.5,
    "times": 7,
    "order": ("x,y", "50 %"),
    "labels": frozenset({"b|", "a"}),
    "kind": "b",
    "is_open": False,
    "precision": None,
    "weights": "linear",
    "plain": "a=b:c",
}


def test_defaults_are_not_signed_but_those_always_named() -> None:
    """A signature is short when nothing special was asked."""
    assert Some().signed() == {"alpha": "1.0", "precision": "0.02"}
    assert "workers" not in Some(workers=4).signed()


def test_what_is_signed_is_read_back_by_its_type() -> None:
    """Every type survives, whatever characters its texts have."""
    made = Some.of("thing", OTHER)
    assert made.signed()["labels"] == "a,b%7C"
    assert not set("|\n") & set("".join(made.signed().values()))
    assert Some.claimed("thing", made.signed(), {}) == made


def test_a_matrix_is_named_by_its_hash_and_must_be_given_again() -> None:
    """Another matrix, or none, is refused."""
    matrix = np.eye(2)
    written = Some(weights=matrix).signed()
    assert written["weights"].startswith("matrix,")
    assert Some.claimed("thing", written, {"weights": matrix.tolist()}).weights is not None
    with pytest.raises(InputError, match="made with a matrix of weights; give the same matrix with --weights"):
        Some.claimed("thing", written, {})
    with pytest.raises(InputError, match="not the matrix of weights in the signature"):
        Some.claimed("thing", written, {"weights": 1 - matrix})


def test_what_a_signature_does_not_name_can_be_given() -> None:
    """Choices on which no number depends, or that are signed elsewhere."""
    assert Some.claimed("thing", {}, {"workers": 2, "weights": "linear"}) == Some(workers=2)


def test_an_unknown_name_is_refused_with_those_there_are() -> None:
    """The nearest name first, if one is near."""
    with pytest.raises(InputError, match=r"thing has no option 'alfa'; did you mean 'alpha'\? it has alpha, times, "):
        Some.of("thing", {"alfa": 1})
    with pytest.raises(InputError, match="thing has no option 'zzzzzz'; it has alpha"):
        Some.of("thing", {"zzzzzz": 1})
    with pytest.raises(InputError, match="thing has no option 'x'; it has none"):
        Choices.of("thing", {"x": 1})


def test_a_word_that_is_not_offered_is_refused() -> None:
    """Fields of few words know them."""
    with pytest.raises(InputError, match="unknown kind 'c'; use a or b"):
        Some.of("thing", {"kind": "c"})


def test_damaged_numbers_are_refused() -> None:
    """A signature that was not copied whole."""
    with pytest.raises(InputError, match=r"'1\.x' in the signature is not a number; copy the whole line"):
        Some.claimed("thing", {"alpha": "1.x"}, {})
    with pytest.raises(InputError, match=r"'7\.5' in the signature is not a whole number"):
        Some.claimed("thing", {"times": "7.5"}, {})


def test_fields_are_described() -> None:
    """Name, type, default, help and words, for a command line or a page."""
    found = {one.name: one for one in Some.described()}
    assert found["alpha"][:4] == ("alpha", float, 1.0, "Weight of positions.")
    assert found["kind"].values == ("a", "b")
    assert found["plain"].help == ""
