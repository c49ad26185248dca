"""The gold standard: ties are reported, decisions count, models say how sure they are; the published example of a model."""

import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from concordant.errors import InputError
from concordant.gold.by_models import Method
from concordant.gold.consensus import compare_sides
from concordant.gold.ranks import rank_responses
from concordant.gold.rater_models import NO_PRIOR, Posterior, Votes, dawid_skene, mace, votes_of
from concordant.gold.standard import gold, gold_standard
from concordant.gold.weights import weigh
from concordant.model.judgements import Judgements
from concordant.randomness import generator
from concordant.readers import read
from tests.cli.test_main import EXAMPLES

DATA = Judgements.from_matrix([["a", "a", "a"], ["a", "b", "b"], ["a", "b", ""], ["b", "b", "b"]])


def test_votes_report_ties() -> None:
    found = gold_standard(DATA, Method.VOTES)
    assert [one.value for one in found.values] == ["a", "b", None, "b"]
    assert found.values[2].basis == "tie"
    assert found.n_undecided == 1


def test_adjudicated_values_come_before_votes() -> None:
    found = gold_standard(
        DATA, Method.ADJUDICATED, {found.unit: "a" for found in gold_standard(DATA, Method.VOTES).values[1:2]}
    )
    assert [one.value for one in found.values] == ["a", "a", None, "b"]
    assert [one.basis for one in found.values] == ["unanimous", "decided", "undecided", "unanimous"]


def test_models_give_a_posterior() -> None:
    for method in (Method.DAWID_SKENE, Method.MACE):
        found = gold_standard(DATA, method)
        assert found.n_undecided == 0
        assert all(one.certainty is not None and 0.4 < one.certainty <= 1 for one in found.values)
        assert set(found.competences) == set(DATA.raters)


TIED = Judgements.from_matrix([["a", "a", "b"], ["a", "b", "c"], ["b", "b", "b"]], level="nominal")


def test_gold_of_every_question() -> None:
    found = gold(read(EXAMPLES / "ratings.csv"))
    assert len(found) == 2
    assert list(found) == ["fluency", "adequacy"]
    assert found["fluency"].n_undecided == 10
    assert "fluency: 40 units by votes, 10 undecided" in repr(found)
    assert found.to_csv().startswith("question,unit,value")
    assert len(found.to_frame()) == 80
    assert "least certain" in found._repr_html_()
    assert [one["question"] for one in found.to_dict()["standards"]] == ["fluency", "adequacy"]


def test_an_unknown_method_is_refused() -> None:
    with pytest.raises(InputError, match="unknown method 'vote'; did you mean 'votes'"):
        gold(TIED, method="vote")


def test_two_sides() -> None:
    found = compare_sides(TIED, TIED, order=["a", "b", "c"])
    assert found[None].table == ((1, 0, 0), (0, 1, 0), (0, 0, 0))
    assert "experts & participants on 2 units: Cohen's kappa 1.000" in repr(found)
    assert found.to_dict()["comparisons"][0]["n_units"] == 2
    assert len(found.to_frame()) == 1


def test_weights_rank_responses() -> None:
    found = weigh(EXAMPLES / "pairs.csv", resamples=20)
    assert repr(found).startswith("<weights from ")
    assert len(found.to_frame()) == len(found.features)
    assert found.to_dict()["n_decisions"] == found.n_decisions
    assert found.features[0].feature in found._repr_html_()
    ranked = rank_responses(EXAMPLES / "responses.csv", weights=found.as_mapping())
    assert len(ranked.to_frame()) == len(ranked.ranking.units)
    assert repr(ranked).startswith(f"<{len(ranked.ranking.units):,} responses ranked in ")
    assert "rank" in ranked._repr_html_()
    assert set(ranked.to_dict()) == {"responses", "systems", "differences", "notes"}


def published() -> dict[str, Any]:
    return tomllib.loads((Path(__file__).parent / "dawid_skene_1979.toml").read_text(encoding="utf-8"))


def patients(text: str) -> Votes:
    said = [
        (patient, observer, int(category) - 1)
        for patient, line in enumerate(text.strip().splitlines())
        for observer, cell in enumerate(line.split())
        for category in cell
    ]
    unit, rater, value = np.array(said).T
    names = tuple(str(n) for n in range(1, 46))
    return Votes(units=names, raters=tuple("12345"), categories=tuple("1234"), unit=unit, rater=rater, value=value)


def printed(cells: Any) -> NDArray[np.float64]:
    """A printed table as numbers."""
    return np.array(cells, dtype=float)


HALF_A_DIGIT = 0.005


def test_the_published_estimates() -> None:
    table = published()
    found = dawid_skene(patients(table["patients"]), prior=NO_PRIOR)
    np.testing.assert_allclose(found.shares, printed(table["shares"]), atol=HALF_A_DIGIT)
    np.testing.assert_allclose(found.errors, printed(table["observers"]), atol=HALF_A_DIGIT)
    assert "".join(found.values) == table["categories"]
    certain = np.eye(4)[[int(category) - 1 for category in table["categories"]]]
    for patient, row in table["posterior"].items():
        certain[int(patient) - 1] = printed(row)
    np.testing.assert_allclose(found.probabilities, certain, atol=HALF_A_DIGIT)
    np.testing.assert_allclose(found.probabilities.sum(axis=1), 1)
    assert found.log_likelihood == pytest.approx(-192.891, abs=0.0005)


def crowd(seed: int) -> tuple[Judgements, list[int]]:
    """Three careful raters and three who toss a coin with a bias."""
    random = generator(seed)
    truth = random.integers(0, 2, 200)
    careful = [np.where(random.random(200) < 0.92, truth, 1 - truth) for _ in range(3)]
    careless = [(random.random(200) < 0.85).astype(int) for _ in range(3)]
    return Judgements.from_matrix(np.column_stack([*careful, *careless])), truth.tolist()


@pytest.mark.parametrize("model", [dawid_skene, mace])
def test_careless_raters_are_found_out(model: Callable[[Votes], Posterior]) -> None:
    data, truth = crowd(5)
    found = model(votes_of(data))
    right = np.mean([int(value) == true for value, true in zip(found.values, truth, strict=True)])
    votes = np.mean([(sum(row) > 3) == true for row, true in zip(_rows(data), truth, strict=True)])
    assert right > 0.95 > votes
    assert found.competences[:3].min() > found.competences[3:].max()


def _rows(data: Judgements) -> list[list[int]]:
    return data.rows().value.reshape(200, 6).tolist()


def test_numbers_are_refused() -> None:
    data = Judgements.from_matrix(np.linspace(0, 1, 4000).reshape(2000, 2), level="interval")
    assert data.scale.is_continuous
    with pytest.raises(InputError, match="the scale is continuous, so there are no shares of categories"):
        votes_of(data)


REPEATED = {
    "unit": ["a", "a", "a", "a", "b", "b", "b", "b"],
    "rater": ["J", "J", "K", "L", "J", "J", "K", "L"],
    "value": ["1", "1", "1", "2", "2", "1", "2", "2"],
}


def test_models_use_all_judgements_of_a_rater_and_votes_ask() -> None:
    found = gold(REPEATED, method="dawid_skene")[None]
    assert [one.n_votes for one in found.values] == [4, 4]
    with pytest.raises(InputError, match="say which counts: --duplicates first or last"):
        gold(REPEATED)
    assert [one.n_votes for one in gold(REPEATED, duplicates="last")[None].values] == [3, 3]


def test_a_decided_value_that_nobody_gave_is_counted() -> None:
    data = Judgements.from_matrix([["a", "a"], ["a", "b"], ["b", "b"]])
    found = gold_standard(data, Method.ADJUDICATED, {"2": "c"})
    assert found.counts == {"a": 1, "b": 1, "c": 1}
    assert [(one.value, one.basis, one.certainty) for one in found.values] == [
        ("a", "unanimous", 1.0),
        ("c", "decided", 0.0),
        ("b", "unanimous", 1.0),
    ]
    assert found.values[-1] == found.values[2] == next(iter(found.values[2:]))
    assert found.values[1].shares == {"a": 0.5, "b": 0.5}
