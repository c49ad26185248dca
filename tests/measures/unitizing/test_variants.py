"""Variants fix the conventions; options change one at a time."""

from typing import Any

import pytest

from assent.errors import InputError
from assent.measures.unitizing.variants import VARIANTS, as_precision, options


def test_variants_are_those_of_the_specification() -> None:
    assert list(VARIANTS) == ["mathet", "pygamma", "santa"]
    assert (VARIANTS["pygamma"].sampler, VARIANTS["pygamma"].samples, VARIANTS["pygamma"].distance) == (
        "statistical",
        30,
        0.5,
    )
    assert (VARIANTS["mathet"].sampler, VARIANTS["mathet"].distance) == ("shuffle", 1.0)
    assert (VARIANTS["santa"].alpha, VARIANTS["santa"].beta, VARIANTS["santa"].delta_empty) == (1, 1, 1)
    assert all(len(name) > 0 and chosen.samples >= 30 for name, chosen in VARIANTS.items())


def test_an_option_changes_one_convention_and_none_changes_nothing() -> None:
    changed = options("pygamma", alpha=3.0, beta=None)
    assert (changed.alpha, changed.beta, changed.sampler) == (3.0, 1.0, "statistical")
    assert changed.conventions["pivot_distance"] is None
    assert options().conventions["pivot_distance"] == 1.0


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"variant": "mathe"}, "did you mean 'mathet'"),
        ({"sampler": "shufle"}, "did you mean 'shuffle'"),
        ({"samples": 1}, "at least 2"),
        ({"samples": 10**12}, "not millions"),
        ({"seed": -1}, "the seed -1 is negative"),
        ({"positional": "cubic"}, "no positional dissimilarity"),
        ({"precision": 2}, "between 0 and 1"),
        ({"precision": "hihg"}, "did you mean 'high'"),
        ({"confidence": 95.0}, "between 0 and 1"),
        ({"workers": 0}, "1 or more"),
    ],
)
def test_what_cannot_be_computed_is_refused(given: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError, match=words):
        options(**given)


def test_precisions_have_names() -> None:
    assert [as_precision(word) for word in ("high", "medium", "low", "none", "0.05")] == [0.01, 0.02, 0.1, None, 0.05]
