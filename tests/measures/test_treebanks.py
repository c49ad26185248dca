"""The catalogue entries of the treebank measures."""

import pytest

import assent
from assent.engines.tally import Tally, tally
from assent.measures.catalogue import CATALOGUE
from assent.measures.spec import DEFAULTS, Measure, Setting
from assent.measures.treebanks import MEASURES, NEEDS_TREES
from assent.model.judgements import Judgements


@pytest.mark.parametrize("key", [entry.key for entry in MEASURES])
def test_every_key_is_listed_and_explained(key: str) -> None:
    assert key in CATALOGUE
    told = assent.explain(key)
    assert "When not to use it" in told
    assert "Made for" in told


def test_on_judgements_they_are_undefined_with_the_reason() -> None:
    data = Judgements.from_matrix([[1, 1], [2, 1]])
    found = assent.measure(data, "parseval", ci="none")
    assert (found.value, found.reason) == (None, NEEDS_TREES)


@pytest.mark.parametrize("entry", MEASURES, ids=lambda entry: entry.key)
def test_an_entry_has_no_value_of_judgements_at_all(entry: Measure[Tally]) -> None:
    data = tally(Judgements.from_matrix([[1, 1], [2, 1]]))
    parts = entry.compute(data, Setting(scale=data.scale, options=DEFAULTS))
    assert (str(parts.value), parts.why) == ("nan", NEEDS_TREES)
