"""The gold standard: ties are reported, decisions count, models say how sure they are."""

from assent.gold.standard import Method, gold_standard
from assent.model.judgements import Judgements

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
