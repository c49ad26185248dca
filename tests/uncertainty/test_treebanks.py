"""Bracketed trees as data to measure, and what a signature says of them."""

from pathlib import Path

import assent
from assent.treebank.bracketed import read_bracketed
from assent.treebank.trees import Bracketing
from assent.uncertainty.signature import parse
from assent.uncertainty.treebanks import claimed_bracketing, claimed_interval


def test_bracketed_trees_are_measured_and_the_signature_says_which_nodes_counted(tmp_path: Path) -> None:
    for name, noun in (("ann", "N"), ("ben", "NN")):
        lines = [f"(S (NP ({noun} Ida)) (VP (V sleeps)))", "(S (NP (N Jon)) (VP (V waits)))"]
        (tmp_path / f"{name}.mrg").write_text("\n".join(lines), encoding="utf-8")
    which = Bracketing(preterminals=False, ignore=frozenset({"VP"}))
    corpus = read_bracketed([tmp_path / "ann.mrg", tmp_path / "ben.mrg"], which)
    found = assent.measure(corpus, "parseval", seed=1, resamples=20)
    assert found.value == 1
    assert assent.measure(corpus, "leaf_ancestor", seed=1, resamples=20).n_units == 2
    fields = parse(found.signature).fields
    assert claimed_bracketing(fields) == which
    assert claimed_interval(fields) == {"ci": "bootstrap", "confidence": 0.95, "resamples": 20, "seed": 1}
    assert claimed_interval({"ci": "none"}) == {"ci": "none"}
