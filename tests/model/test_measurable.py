"""Short words for large data."""

import numpy as np
import pytest

from concordant.model.columns import Column
from concordant.model.continuum import continua
from concordant.model.judgements import Judgements
from concordant.model.measurable import Summary, named
from concordant.model.spans import Mark, SpanTable
from concordant.model.study import Study
from concordant.treebank.comparison import Comparison
from concordant.treebank.trees import BracketedCorpus, parse_brackets

N = 100_000


def large() -> Study:
    return Study(
        name="ratings<1>.csv" * 20,
        unit=Column(codes=np.arange(N), labels=[f"unit {i}" for i in range(N)]),
        rater=Column(codes=np.arange(N) % 1000, labels=[f"rater {i}" for i in range(1000)]),
        value=Column(codes=np.arange(N) % 5, labels=list("abcde")),
        attributes={f"attribute {i}": Column(codes=np.zeros(N, dtype=np.int8), labels=["x"]) for i in range(50)},
    )


def spans() -> SpanTable:
    return SpanTable.from_marks("many", [Mark(f"t{i % 9}", f"r{i % 99}", i, i + 1, f"c{i}") for i in range(2000)])


def everything() -> list[Summary]:
    (tree,) = parse_brackets("(S (NP a) (VP b))", file="x")
    study, table = large(), spans()
    return [
        study,
        study.judgements(),
        Judgements.from_matrix(np.zeros((N, 3), dtype=np.int8)),
        table,
        continua(table)[0],
        BracketedCorpus(raters=("a", "b"), sentences=((tree, tree),) * 1000),
        Comparison(a="anna", b="ben", reading="resolved", expected="half", sentences=()),
    ]


@pytest.mark.parametrize("data", everything(), ids=lambda data: type(data).__name__)
def test_it_fits_a_screen(data: Summary) -> None:
    assert len(repr(data)) < 1000
    assert "\n" not in repr(data)
    assert data._repr_html_().startswith(f"<table><caption>{type(data).__name__}</caption>")
    assert len(data._repr_html_()) < 2000


def test_it_says_what_there_is() -> None:
    said = repr(Judgements.from_matrix([["yes", "yes"], ["no", "yes"]]))
    assert said == (
        "<Judgements judgements: 4, units: 2, raters: 2 (rater 1, rater 2), level: nominal, categories: 2 (no, yes)>"
    )
    assert "<th>rows</th><td>100,000</td>" in large()._repr_html_()
    assert "ratings&lt;1&gt;.csv" in large()._repr_html_()


def test_names_are_counted() -> None:
    assert [named([]), named(["a"]), named(list("abcdefgh"), most=2)] == ["", "1 (a)", "8 (a, b, …)"]
