"""The tally: counts and the fingerprint.

A part of a tally is the tally of the part.
"""

import numpy as np
import pytest

from concordant.engines.tally import tally, with_raters
from concordant.errors import InputError
from concordant.model.judgements import Judgements

MATRIX = np.array([[1, 2, np.nan], [2, 2, 2], [np.nan, 1, np.nan], [np.nan] * 3])


def test_counts_of_what_there_is() -> None:
    data = tally(Judgements.from_matrix(MATRIX, raters=["a", "b", "c"]))
    assert (data.n_units, data.n_judged, data.n_paired, data.n_judgements) == (4, 3, 2, 6)
    assert data.used_raters == ("a", "b", "c")
    assert tally(Judgements.from_matrix(MATRIX[:1], raters=["a", "b", "c"])).used_raters == ("a", "b")


def test_the_fingerprint_knows_judgements_but_not_their_order() -> None:
    one = tally(Judgements.from_matrix(MATRIX, raters=["a", "b", "c"]))
    two = tally(Judgements.from_matrix(MATRIX[::-1, [2, 1, 0]], raters=["c", "b", "a"]))
    renamed = tally(Judgements.from_matrix(MATRIX, raters=["a", "b", "d"]))
    assert one.fingerprint == two.fingerprint
    assert one.fingerprint != renamed.fingerprint
    assert len(one.fingerprint) == 8


def test_the_fingerprint_of_numbers_and_of_nothing() -> None:
    scores = np.linspace(0, 1, 3000).reshape(-1, 2)
    changed = scores.copy()
    changed[7, 1] += 1e-12
    prints = [tally(Judgements.from_matrix(m, level="interval")).fingerprint for m in (scores, changed)]
    assert prints[0] != prints[1]
    assert tally(Judgements.from_matrix(np.zeros((0, 2)))).fingerprint


CELLS = np.array([[1, 2, np.nan], [1, 1, 2], [np.nan, np.nan, 2], [1, 2, 1]])
DATA = Judgements.from_matrix(CELLS, raters=["a", "b", "c"], level="nominal", categories=[1, 2])


def test_the_same_as_tallying_the_part() -> None:
    part, direct = with_raters(tally(DATA), ["c", "a"]), tally(DATA.with_raters(["c", "a"]))
    assert part.raters == ("c", "a")
    assert part.fingerprint == direct.fingerprint
    assert (part.n_judgements, part.n_judged, part.n_paired) == (direct.n_judgements, direct.n_judged, direct.n_paired)


def test_an_unknown_rater_is_refused_with_the_nearest() -> None:
    with pytest.raises(InputError, match="there is no rater 'd'"):
        with_raters(tally(DATA), ["a", "d"])
