"""Which measures suit as a result: lines, tables, JSON."""

from importlib.resources import files

import pytest

import concordant as cc
from concordant.errors import InputError
from concordant.measures.catalogue import CATALOGUE
from concordant.uncertainty.suitability import suitable

EXAMPLES = files("concordant") / "examples" / "data"


def test_the_recommended_measures_are_printed_a_line_each() -> None:
    found = cc.suitable([["yes", "yes"], ["no", "yes"], ["no", "no"]])
    lines = repr(found).splitlines()
    assert lines[0] == f"{len(CATALOGUE)} measures, recommended:"
    assert lines[1] == "<percent: recommended>"
    assert len(lines) == 1 + sum(one.is_recommended for one in found)
    assert repr(cc.suitable()) == f"{len(CATALOGUE)} measures"


def test_every_measure_has_a_rating_and_a_reason_where_it_does_not_suit() -> None:
    found = cc.suitable(str(EXAMPLES / "ratings.csv"), level="ordinal")
    assert {one.rating for one in found} == {"recommended", "yes", "with care", "no"}
    frame = found.to_frame()
    assert len(frame) == len(found)
    assert list(frame.columns) == ["question", "measure", "name", "suits", "why"]
    unlikely = frame[frame["suits"].isin(["no", "with care"])]
    assert all(unlikely["why"].str.len() > 0)
    assert "<th" in found._repr_html_()
    assert repr(found[-1]).startswith(f"<{found[-1].question}: {found[-1].measure.key}: no (")


def test_json_has_a_list_for_each_question() -> None:
    found = cc.suitable(str(EXAMPLES / "ratings.csv"), level="ordinal").to_dict()
    assert [len(one["measures"]) for one in found["questions"]] == [len(CATALOGUE)] * len(found["questions"])
    assert found["questions"][0]["measures"][0]["recommended"] is True


def test_spans_have_measures_of_their_own() -> None:
    best = [one.measure.key for one in cc.suitable(str(EXAMPLES / "spans.csv")) if one.rating == "recommended"]
    assert best[0] == "gamma"


def test_what_is_no_data_is_refused() -> None:
    with pytest.raises(InputError, match="cannot be measured"):
        suitable(3)
