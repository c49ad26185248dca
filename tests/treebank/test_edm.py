"""Elementary Dependency Match on "O Manuel foi apenas à loja." (Castro 2011, Figures 3.5-3.7)."""

from typing import Any

import pytest
from delphin.eds import EDS, Node
from delphin.lnk import Lnk

from assent.treebank.edm import edm


def analysis(adverb: str, *, spans: bool = True) -> EDS:
    """The structure of Figure 3.5; the two annotators differ in the adverb's predicate."""

    def node(name: str, predicate: str, start: int, end: int, edges: dict[str, str], **properties: str) -> Any:
        place = Lnk.charspan(start, end) if spans else Lnk.default()
        return Node(name, predicate, edges=edges, properties=properties, lnk=place)

    verb = {"ELLIPTICAL-PUNCT": "bool", "SF": "proposition-or-question", "E.TENSE": "pretérito-perfeito"}
    shop = {"PERSON": "3rd", "NUMBER": "singular", "GENDER": "feminine"}
    return EDS(
        top="e1",
        nodes=[
            node("e1", "_ir_v_dir", 9, 11, {"ARG1": "x2", "ARG2": "x3"}, **verb, **{"E.MOOD": "indicativo"}),
            node("x2", "named", 2, 7, {}),
            node("x3", "_loja_n", 24, 27, {}, **shop),
            node("e4", adverb, 13, 18, {"ARG1": "e1"}),
            node("q5", "_o_q", 0, 0, {"ARG0": "x3"}),
        ],
    )


def test_figure_3_7_is_15_of_16_without_the_top() -> None:
    counts = edm(analysis("_apenas_q"), analysis("_apenas_a"), top_weight=0)
    assert counts is not None
    assert counts.both == pytest.approx(15)
    assert (counts.a, counts.b) == (16, 16)
    assert counts.f == pytest.approx(15 / 16)


def test_with_the_top_it_is_16_of_17() -> None:
    counts = edm(analysis("_apenas_q"), analysis("_apenas_a"))
    assert counts is not None
    assert counts.f == pytest.approx(16 / 17)


def test_without_character_spans_there_is_nothing_to_match() -> None:
    assert edm(analysis("_apenas_q", spans=False), analysis("_apenas_a")) is None
