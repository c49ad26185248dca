"""The catalogue knows the unitizing measures, and they say what they need."""

from assent.engines.tally import tally
from assent.measures.catalogue import CATALOGUE
from assent.measures.evaluation import evaluate
from assent.measures.explanation import explain
from assent.measures.spec import DEFAULTS, Setting
from assent.measures.unitizing.entries import KEYS, MEASURES, NEEDS_SPANS, NOTHING
from assent.model.judgements import Judgements


def test_the_catalogue_has_them_all() -> None:
    assert [one.key for one in MEASURES] == list(KEYS)
    assert all(CATALOGUE[key] is one for key, one in zip(KEYS, MEASURES, strict=True))


def test_judgements_are_refused_with_the_reason() -> None:
    data = tally(Judgements.from_matrix([[1, 1], [2, 1]]))
    for one in MEASURES:
        assert evaluate(one, data).reason == NEEDS_SPANS
        assert one.needs.cautions(data) == []
        assert one.compute(data, Setting(scale=data.scale, options=DEFAULTS)) is NOTHING


def test_they_are_explained() -> None:
    for key in KEYS:
        assert "spans" in explain(key)
