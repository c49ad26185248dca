"""Which units belong together."""

import numpy as np
import pytest

from concordant.errors import InputError
from concordant.model.clusters import cluster_units
from concordant.model.columns import encode
from concordant.model.judgements import Judgements
from concordant.readers.data import as_data, as_study

ROWS = {
    "unit": ["u1", "u1", "u2", "u2", "u3", "u3"],
    "rater": ["a", "b"] * 3,
    "value": ["x", "x", "y", "x", "y", "y"],
    "item": ["i", "i", "i", "i", "j", "j"],
    "odd": ["k", "l", "k", "k", "k", "k"],
    "hole": ["k", "k", "", "", "k", "k"],
}


def test_a_column_says_which_units_belong_together() -> None:
    made = as_study(ROWS).clustered("item").judgements()
    assert made.clusters is not None
    assert made.clusters.name == "clusters of 'item'"
    assert made.clusters.of.tolist() == [0, 0, 1]
    assert as_study(ROWS).judgements().clusters is None
    assert as_study(ROWS).clustered("item").clustered("none").judgements().clusters is None


def test_a_unit_is_in_one_cluster() -> None:
    with pytest.raises(InputError, match="unit 'u1' is in two of the clusters of 'odd'"):
        as_study(ROWS).clustered("odd").judgements()
    with pytest.raises(InputError, match="unit 'u2' is in none of the clusters of 'hole'"):
        as_study(ROWS).clustered("hole").judgements()
    with pytest.raises(InputError, match="there is no such column"):
        as_study(ROWS).clustered("nowhere")


def test_several_kinds_of_clusters_are_joined() -> None:
    unit = encode(["u1", "u2", "u3", "u4", "u5"])
    texts, items = encode(["s", "s", "t", "t", "w"]), encode(["i", "j", "j", "k", "l"])
    found = cluster_units({"texts": texts, "items": items}, unit)
    assert found is not None
    assert found.name == "texts and items"
    assert len(set(found.of[:4].tolist())) == 1
    assert found.of[4] != found.of[0]


def test_clusters_of_one_that_nobody_chose_say_nothing() -> None:
    unit, alone = encode(["u1", "u2"]), encode(["s", "t"])
    assert cluster_units({"texts": alone}, unit, is_chosen=False) is None
    assert cluster_units({"texts": alone}, unit) is not None


def test_pooled_questions_of_a_unit_belong_together() -> None:
    rows = {**ROWS, "unit": ["u1", "u1", "u1", "u1", "u2", "u2"], "question": ["p", "p", "q", "q", "p", "p"]}
    study = as_study(rows)
    assert study.judgements("p").clusters is None
    pooled = study.pooled()
    assert pooled.clusters is not None
    assert pooled.clusters.name == "units"
    assert pooled.clusters.of.tolist() == [0, 0, 1]
    assert study.clustered("none").pooled().clusters is None
    assert study.clustered("unit").pooled().clusters is not None


def test_judgements_take_a_label_for_each_unit() -> None:
    data = Judgements.from_matrix([["x", "x"], ["x", "y"], ["y", "y"]]).with_clusters([7, 7, 9], "texts")
    assert data.clusters is not None
    assert np.array_equal(data.clusters.of, [0, 0, 1])
    again = as_study(data).judgements()
    assert again.clusters is not None
    assert again.clusters.name == "texts"
    with pytest.raises(InputError, match="2 cluster labels for 3 units"):
        data.with_clusters(["a", "b"])


def test_an_export_of_a_study_says_what_was_shown() -> None:
    copied = {**ROWS, "judged_unit": ["u1", "u1", "u1", "u1", "u3", "u3"]}
    made = as_study(copied).judgements()
    assert made.clusters is not None
    assert made.clusters.name == "texts"
    assert made.clusters.of.tolist() == [0, 0, 1]
    assert "judged_unit" not in as_data(copied, attributes=["item"]).attributes
    plain = {**ROWS, "judged_unit": ROWS["unit"]}
    assert as_study(plain).judgements().clusters is None
